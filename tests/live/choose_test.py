"""Choosing cameras in the window: real keys and mouse with cameras that fake_camera.cpp makes beneath it.

usage: choose_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import socket
import subprocess
import unittest

from screen import WindowTest

import fake
import gige
from harness import TIMEOUT, wait_until
from mjpeg_server import MjpegServer


class Choose(WindowTest):
    def opens(self, name):
        """Returns how often a camera was opened."""
        file = self.dir / name
        return len(file.read_text().splitlines()) if file.exists() else 0

    def welcome(self, *specs):
        """Opens the window with no sources."""
        window = self.window("replay", "synth:spots?size=64x48&markers=3&frames=2", env=fake.cameras(*specs))
        window.keys("ctrl+w")
        window.until(lambda s: s["empty"], "nothing is open")
        return window

    def until_live(self, window, sources):
        return window.until(lambda s: s["sources"] == sources and s["live"] and s["markers"] == 3, f"{sources} are shown")

    def choose(self, window, name, value):
        """Chooses a value from a list that opens below its name. Waits until the list is closed."""
        window.click(name)
        window.click(f"{name}:{value}")
        window.until(lambda s: name in s["widgets"] and f"{name}:{value}" not in s["widgets"], f"{value} is chosen")

    def pixels(self, window, widget):
        """Returns the brightness of each pixel in a widget."""
        x, y, width, height = (round(number) for number in window.state()["widgets"][widget])
        window.picture(self.dir / "screen.png")
        return subprocess.run(["convert", self.dir / "screen.png", "-crop", f"{width}x{height}+{x}+{y}", "-colorspace", "Gray", "-depth", "8", "gray:-"],
                              check=True, capture_output=True, timeout=TIMEOUT).stdout

    def test_what_is_plugged_in_is_offered_seen_set_and_opened(self):
        window = self.welcome("/dev/video0?size=640x480&fps=30&exposure=400", "/dev/video2?file=plug&opens=opens")
        window.until(lambda s: "camera:0" in s["cameras"] and "camera:2" not in s["cameras"], "one camera is listed")
        (self.dir / "plug").touch()
        window.until(lambda s: "camera:2" in s["cameras"] and "plugged:camera:2" in s["widgets"], "the other is offered")
        window.click("camera:camera:0", x=0.05)
        window.until(lambda s: s["ticked"] == ["camera:0"] and s["previewed"] == "camera:0" and "preview" in s["widgets"], "its picture is seen")
        pixels = []

        def bright():
            pixels[:] = self.pixels(window, "preview")
            return max(pixels) > 60
        wait_until(bright, "markers in it")
        self.assertLess(sorted(pixels)[len(pixels) // 2], 40)
        self.choose(window, "size:camera:0", "320x240")
        self.choose(window, "rate:camera:0", "15")
        window.click("size:camera:0")
        window.until(lambda s: "size:camera:0:640x480" in s["widgets"], "the list is open")
        window.keys("Escape")
        window.until(lambda s: "size:camera:0:640x480" not in s["widgets"] and s["ticked"] == ["camera:0"], "it is closed")
        window.click("cameras_go")
        snapshot = self.until_live(window, ["camera:0"])
        self.assertEqual(snapshot["camera.0.size"].strip('"'), "320x240")
        self.assertEqual(float(snapshot["camera.0.rate"]), 15)
        self.assertEqual(snapshot["camera.0.id"].strip('"'), "Fake Camera 0, usb-fake-1")
        self.assertEqual(self.opens("opens"), 1)
        window.quit()

    def test_one_that_cannot_be_read_says_why_and_is_not_ticked(self):
        window = self.welcome("/dev/video0?formats=0", "/dev/video1?format=H264", "/dev/video2?sizes=0")
        snapshot = window.until(lambda s: all(f"problem:camera:{camera}" in s["words"] for camera in (0, 1)) and "camera:camera:2" in s["widgets"],
                                "all are listed")
        self.assertEqual([snapshot["words"].get(f"problem:camera:{camera}") for camera in range(3)],
                         ["it offers no format", "it sends no format that Glint can read, only H264", None])
        for camera in range(3):
            window.click(f"camera:camera:{camera}", x=0.05)
        window.until(lambda s: s["ticked"] == ["camera:2"], "the last one alone")
        self.choose(window, "size:camera:2", "320x240")
        window.click("cameras_go")
        self.until_live(window, ["camera:2"])
        window.quit()

    def test_several_are_one_session_and_those_used_last_come_first(self):
        window = self.welcome("/dev/video0", "/dev/video1", "/dev/video2")
        window.until(lambda s: [c for c in s["cameras"] if c.startswith("camera:")] == ["camera:0", "camera:1", "camera:2"], "all are listed")
        window.click("camera:camera:2", x=0.05)
        window.click("camera:camera:1", x=0.05)
        window.until(lambda s: s["ticked"] == ["camera:2", "camera:1"], "two are ticked")
        window.click("cameras_go")
        self.until_live(window, ["camera:2", "camera:1"])
        window.keys("ctrl+w")
        window.until(lambda s: s["empty"] and [c for c in s["cameras"] if c.startswith("camera:")][-1] == "camera:0", "those used come first")
        window.quit()

    @unittest.skipUnless(gige.CAMERA, "aravis-tools simulates the camera")
    def test_one_of_the_network_is_ticked_together_with_another_one(self):
        gige.lock(self.addCleanup)
        gige.plug_in(self)
        window = self.welcome("/dev/video0?fps=10")
        found = window.until(lambda s: any("GLINT1" in name for name in s["cameras"]), "it is found")["cameras"]
        network = next(name for name in found if "GLINT1" in name)
        window.click("camera:camera:0", x=0.05)
        window.click(f"camera:{network}", x=0.05)
        window.until(lambda s: s["ticked"] == ["camera:0", network], "both are ticked")
        window.until(lambda s: s["previewed"] == network and "preview" in s["widgets"], "what it sends")
        self.choose(window, f"format:{network}", "Mono8")
        window.click("cameras_go")
        snapshot = window.until(lambda s: s["sources"] == ["camera:0", network] and s["live"] and s["frame"] > 0, "one session")
        # A busy machine drops some frames of both.
        window.until(lambda s: s["frame"] > snapshot["frame"] + 20 and set(s["health"]) <= {"green", "dropping"}, "both send")
        self.assertEqual((snapshot["camera.1.id"], snapshot["camera.1.format"]), ('"GLINT1"', '"Mono8"'))
        window.quit()

    def test_an_address_is_added(self):
        self.glint("synth", "spots?size=160x120&markers=3&seed=3&frames=8&fps=50", "-o", "clip.mkv")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "clip.mkv", "-q:v", "2", "-pix_fmt", "yuvj420p", "%02d.jpg"],
                       cwd=self.dir, check=True, stdin=subprocess.DEVNULL)
        server = MjpegServer([path.read_bytes() for path in sorted(self.dir.glob("*.jpg"))], 20)
        self.addCleanup(server.close)
        window = self.welcome("/dev/video0")
        window.click("address")
        window.type(server.url)
        window.click("add_address")
        window.until(lambda s: s["ticked"] == [server.url] and "preview" in s["widgets"], "it is listed, ticked and seen")
        window.click("cameras_go")
        snapshot = self.until_live(window, [server.url])
        # The key E finds no exposure, and nothing counts as changed.
        window.keys("e")
        snapshot = window.until(lambda s: "no camera here has an exposure" in s["said"], "that is said")
        self.assertFalse(snapshot["unsaved"])
        window.click("tab:Sources")
        snapshot = window.until(lambda s: "health:0" in s["widgets"], "the sources are shown")
        self.assertNotIn("find_exposure", snapshot["widgets"])
        window.quit()

    def test_what_is_shown_and_recorded_goes_on_where_another_one_cannot_be_opened(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{free.getsockname()[1]}/camera"
        window = self.window("live", "/dev/video0", env=fake.cameras("/dev/video0?fps=30"))
        window.until(lambda s: s["live"] and s["markers"] == 3, "it is live")
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        window.keys("ctrl+o")
        window.click("open_cameras")
        window.click("address")
        window.type(address)
        window.click("add_address")
        window.until(lambda s: s["ticked"] == [address] and address in s["words"].get("preview_words", ""), "nobody answers")
        window.click("cameras_go")
        snapshot = window.until(lambda s: address in s["words"].get("address_refused", ""), "so it is not opened")
        self.assertEqual((snapshot["sources"], snapshot["recording"], snapshot["choosing"]), (["/dev/video0"], True, True))
        window.until(lambda s: s["frame"] > snapshot["frame"] + 10, "the other goes on")
        window.keys("Escape", "r")
        window.until(lambda s: not s["recording"], "it is recorded")
        window.quit()

    def test_what_could_not_be_opened_is_there_again_to_be_mended(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{free.getsockname()[1]}/camera"
        window = self.welcome("/dev/video0")
        window.click("address")
        window.type(address)
        window.click("add_address")
        window.until(lambda s: s["ticked"] == [address], "it is listed and ticked")
        window.click("cameras_go")
        window.until(lambda s: address in s["toasts"], "nobody answers")
        window.until(lambda s: s["empty"] and s["ticked"] == [address], "it is ticked as before")
        window.click(f"camera:{address}", x=0.05)
        window.until(lambda s: s["ticked"] == [] and f"camera:{address}" in s["widgets"], "it is ticked no more")
        window.quit()

    def test_what_is_in_use_is_not_opened_and_a_closed_dialog_looks_for_nothing(self):
        window = self.window("live", "/dev/video0", env=fake.cameras("/dev/video0?opens=own", "/dev/video1?opens=other"))
        self.until_live(window, ["/dev/video0"])
        own = self.opens("own")
        self.assertEqual(self.opens("other"), 0)
        window.keys("ctrl+o")
        window.until(lambda s: s["choosing"] and "camera:1" in s["cameras"] and "camera:0" in s["cameras"], "both are listed")
        self.assertEqual((self.opens("own"), self.opens("other")), (own, 1))
        window.click("camera:camera:0", x=0.05)
        drawn = window.until(lambda s: s["previewed"] == "camera:0", "it is ticked")["drawn"]
        window.until(lambda s: s["drawn"] > drawn + 5, "it has had time to open it")
        self.assertEqual(self.opens("own"), own)
        window.keys("Escape")
        window.until(lambda s: not s["choosing"] and s["ticked"] == [], "the dialog is closed")
        window.quit()


if __name__ == "__main__":
    unittest.main()
