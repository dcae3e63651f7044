"""The window, driven as by a user."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest

from manager import Manager
from harness import GLINT, TIMEOUT
from screen import VALIDATED, Display, WindowTest

CLIP = "synth:dancer?size=320x240&frames=90&seed=3"
LAST = 89


class Recording(WindowTest):
    """Recordings of the window equal the files of `glint track`."""

    def setUp(self):
        super().setUp()
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        self.expected = self.text("expected.csv")

    def test_output_of_the_command_line(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--speed", "max", "--exit-at-end",
                             *VALIDATED, shows=False)
        window.ended()
        self.assertEqual(self.text("t.csv"), self.expected)
        self.assertTrue((self.dir / "t.json").exists(), "the record of the run")

    def test_record_key(self):
        browser = self.dir / "bin" / "xdg-open"  # stands in for the desktop's program
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\necho "$1" > "{self.dir}/opened"\n')
        browser.chmod(0o755)
        window = self.window("replay", CLIP, "--paused", "--speed", "max", env={"PATH": f"{browser.parent}:{os.environ['PATH']}"})
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0, "paused at the first frame")
        window.keys("r")
        name = window.until(lambda s: s["recording"] and s["recording_name"], "it records")["recording_name"]
        window.keys(*["Right"] * 30)

        def written():
            return self.text(name).count("\n") - 1 if (self.dir / name).exists() else 0
        window.until(lambda s: s["frame"] == 30 and s["recording_rows"] == written() > 0, "its rows are counted")
        self.assertIn("free", window.state()["recording_room"])
        window.keys("space")
        window.until(lambda s: s["mode"] == "at_end" and not s["recording"], "the end, and the file is whole")
        self.assertEqual(self.text(name), self.expected)
        self.opens_report(window, pathlib.Path(name).with_suffix(".html"))
        window.quit()

    def opens_report(self, window, page):
        window.keys("ctrl+r")
        opened = self.dir / "opened"
        window.until(lambda s: opened.exists() and opened.read_text().strip(), "the page is opened")
        self.assertEqual(pathlib.Path(self.text("opened").strip()).resolve(), (self.dir / page).resolve())
        self.assertIn("<html", self.text(page))

    def test_record_at_the_end_begins_again(self):
        window = self.window("replay", CLIP, "--paused", "--speed", "max")
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0, "paused at the first frame")
        names = []
        for ends in (["space"], ["End"]):
            window.keys(*ends)
            window.until(lambda s: s["frame"] == LAST and s["mode"] in ("at_end", "paused") and not s["stale"], "the last frame")
            window.keys("r")
            window.until(lambda s: len(list(self.dir.glob("glint-*.csv"))) > len(names) and s["mode"] == "at_end" and not s["recording"], "all of it")
            names = sorted(path.name for path in self.dir.glob("glint-*.csv"))
        for name in names:
            self.assertEqual(self.text(name), self.expected)
        self.assertEqual(len(names), 2)
        # In the middle, nothing is recorded before it plays, and the button says so.
        window.keys("Home")
        window.until(lambda s: s["frame"] == 0 and not s["stale"], "the first frame")
        window.keys("r")
        window.until(lambda s: s["recording"] and s["words"]["record"].endswith("press Play"), "what to do")
        window.keys("r")
        window.until(lambda s: not s["recording"], "no more")
        window.quit()

    def test_a_still_picture_is_measured_once(self):
        self.glint("synth", "spots?size=64x48&markers=3&frames=1", "-o", "still.mkv")
        window = self.window("replay", "still.mkv", *VALIDATED)
        window.keys("l", "space")
        window.until(lambda s: s["loops"] and s["mode"] == "at_end" and s["markers"] == 3, "there is nothing to play again")
        processed = window.has_settled()["processed"]
        self.assertLess(processed, 5)
        window.quit()

    def test_closed_while_recording(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--speed", "max", "--paused")
        window.keys("Right", "Right", "Right", "Right", "Right", "Right", "Right")
        window.until(lambda s: s["frame"] == 7, "seven steps")
        window.quit()
        self.assert_whole_rows("t.csv")
        self.glint("track", CLIP, "-o", "cut.csv", "--quiet", "--frames", "8")
        self.assertEqual(self.text("t.csv"), self.text("cut.csv"))

    def test_other_formats_and_streams(self):
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(receiver.close)
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(TIMEOUT)
        target = f"udp:{receiver.getsockname()[1]}"
        window = self.window("replay", CLIP, "--paused")
        window.until(lambda s: s["frame"] == 0 and not s["stale"], "the first frame")
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        window.keys("r")
        window.until(lambda s: not s["recording"] and "1 frame and no rows" in s["toasts"], "nothing is in it, which is said")
        window.click("record_options")
        window.click("record_as:jsonl")
        window.until(lambda s: s["record_as"] == "jsonl" and "record_list" not in s["widgets"], "it is chosen")
        window.click("record_options")
        window.click("stream_target")
        window.type(target)
        window.keys("Return")
        window.until(lambda s: s["streams"] == [target], "a stream")
        window.keys("r", "Right", "Right", "Right")
        name = window.until(lambda s: s["frame"] == 3 and s["recording"], "three steps")["recording_name"]
        frames = [json.loads(receiver.recv(65536))["frame"] for _ in range(3)]
        self.assertEqual(frames, [1, 2, 3])
        window.until(lambda s: f"sends to {target}" in s["status"], "the lowest line names the stream")
        window.keys("r")
        window.until(lambda s: not s["recording"], "it is recorded")
        window.click(f"stream_stop:{target}")
        window.until(lambda s: s["streams"] == [] and "sends to" not in s["status"], "no stream")
        window.quit()
        self.glint("track", CLIP, "-o", "e.jsonl", "--quiet", "--frames", 4)
        self.assertEqual(self.text(name), self.text("e.jsonl"))

    def test_interrupted(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--paused")
        for _ in range(3):  # several signals are one request, as from a parent that forwards them
            window.process.send_signal(signal.SIGINT)
            time.sleep(0.005)
        window.ended()
        self.assert_whole_rows("t.csv")


class Playing(WindowTest):
    def test_without_arguments(self):
        """The start screen leads to the bundled clip, which plays with markers and trails; on a German keyboard."""
        self.keyboard("de")
        self.addCleanup(self.keyboard, "us")
        window = self.window(shows=False)
        told = window.until(lambda s: s["empty"] and "welcome_clip" in s["widgets"] and "welcome_purpose" in s["widgets"], "the start screen")
        self.assertTrue({"welcome_open", "welcome_scene", "add_address"} <= set(told["widgets"]), "recordings and cameras")
        self.assertNotIn("welcome_recent0", told["widgets"])
        window.click("welcome_clip")
        window.until(lambda s: s["mode"] == "playing" and s["frame"] > 5 and s["tracks"] > 10 and s["trail_points"] > 20, "it plays")
        self.assertEqual([pathlib.Path(name).name for name in window.state()["sources"]], ["dancer.mp4"])
        window.keys("space")
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"], "a fixed threshold")
        window.keys("ctrl+z")  # the key that is labelled Y elsewhere
        window.until(lambda s: s["detect.threshold"] == '"auto"' and not s["unsaved"], "undone")
        window.quit()

    def keyboard(self, layout):
        subprocess.run(["setxkbmap", "-layout", layout], env=self.display.environment(), check=True, timeout=TIMEOUT)

    def test_steps_and_jumps(self):
        window = self.window("replay", CLIP, "--paused", *VALIDATED)

        def at(frame):
            window.until(lambda s: s["frame"] == frame and s["mode"] in ("paused", "at_end") and not s["stale"], f"frame {frame}")
        at(0)
        window.keys(*["Right"] * 25)  # faster than the frames can be shown
        at(25)
        window.keys("Left", "Left", "Left")
        at(22)
        window.keys("End")
        at(LAST)
        window.keys("Left", "Right", "Left")
        at(LAST - 1)
        window.keys("Home")
        at(0)
        window.keys("shift+Right")
        second = window.until(lambda s: s["frame"] > 5 and not s["stale"], "a second on")["frame"]
        window.keys("Left")
        at(second - 1)
        window.keys("i", "Right", "Right", "o", "Home")
        at(second - 1)
        window.keys("End")
        at(second + 1)
        window.click("timeline", x=0)
        window.until(lambda s: s["said"] == f"frame 0 is outside the range, {second - 1} to {second + 1}", "why not there", passing=True)
        at(second - 1)
        window.keys("x", "Home")
        at(0)
        window.keys("space")
        window.until(lambda s: s["mode"] == "playing", "it plays")
        window.keys("space")
        window.until(lambda s: s["mode"] == "paused", "it pauses")
        window.quit()

    def test_keys_and_views(self):
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        window.keys("bracketright", "bracketright")
        window.until(lambda s: s["speed"] == 4, "twice faster")
        window.keys("h")
        window.until(lambda s: s["help"], "help")
        window.keys("Escape")
        window.until(lambda s: not s["help"], "no help")
        window.keys("g")  # the first frame has no gates
        told = window.until(lambda s: "gates on" in s["said"], "gates")
        self.assertEqual(told["legend"], "")
        window.keys("1")
        window.until(lambda s: s["zoom"] == 1, "1:1")
        window.keys("f")
        window.until(lambda s: s["fitted"], "fitted")
        for shows in ("Luminance", "Response", "Intensity", "Candidates", "Source"):
            window.keys("v")
            window.until(lambda s: s["shows"] == shows and not s["stale"], shows)
        window.quit()


class Remembered(WindowTest):
    def test_place_looks_and_what_was_open(self):
        window = self.window("replay", CLIP, "--paused")
        window.until(lambda s: s["hint"] and s["side"], "the hint, and the panels")
        number = window.number()
        window.display.xdotool("windowsize", number, 900, 700)
        window.keys("Tab", "ctrl+w")
        window.until(lambda s: s["empty"] and not s["hint"] and s["width"] == 900, "nothing is open")
        window.click("welcome_recent0")
        window.until(lambda s: not s["empty"] and s["sources"] == [CLIP], "the same is open")
        window.display.xdotool("windowmove", number, 70, 40)
        window.until(lambda s: window.corner() == (70, 40), "it has moved")
        window.quit()
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        window.until(lambda s: (s["width"], s["height"], s["side"], s["hint"]) == (900, 700, False, False), "as it was left")
        window.until(lambda s: window.corner() == (70, 40), "where it was left")
        window.keys("p")
        window.until(lambda s: "the view was saved in " in s["last_line"], "a picture of the view")
        self.assertEqual(len(list(self.dir.glob("glint-*.png"))), 1)
        views = window.state()["widgets"]["views"]
        size = subprocess.run(["identify", "-format", "%w %h", next(self.dir.glob("glint-*.png"))], capture_output=True, text=True, check=True).stdout
        self.assertEqual(size, f"{views[2]:.0f} {views[3]:.0f}")
        window.quit()


class Lost(WindowTest):
    def layer(self, **variables):
        """Returns the environment in which the layer of the tests causes faults."""
        folders = os.environ["GLINT_TEST_LAYERS"] + ":/usr/share/vulkan/explicit_layer.d"
        return {"VK_LAYER_PATH": folders, "VK_INSTANCE_LAYERS": "VK_LAYER_GLINT_lost"} | {name: str(value) for name, value in variables.items()}

    def test_the_screen(self):
        spoil = self.dir / "spoil"
        window = self.window("replay", CLIP, "--paused", "-o", "t.csv", *VALIDATED, env=self.layer(GLINT_SPOIL=spoil))
        window.until(lambda s: s["frame"] == 0 and not s["stale"], "the first frame")
        kinds = ["acquire out_of_date", "acquire surface_lost", "present suboptimal", "present out_of_date", "present surface_lost"]
        for step, kind in enumerate(kinds, 1):
            (self.dir / "new").write_text(kind + "\n")
            (self.dir / "new").rename(spoil)
            window.keys("Right")
            window.until(lambda s: not spoil.exists() and s["frame"] == step and not s["stale"], f"the next frame in spite of: {kind}")
        window.keys("Right")
        window.until(lambda s: s["frame"] == len(kinds) + 1 and not s["stale"], "one more")
        window.quit()
        self.glint("track", CLIP, "-o", "e.csv", "--quiet", "--frames", len(kinds) + 2)
        self.assertEqual(self.text("t.csv"), self.text("e.csv"))

    def test_the_device_where_nobody_stays(self):
        lose = self.dir / "lose"
        window = self.window("replay", CLIP, "--paused", "--exit-at-end", "-o", "t.csv", env=self.layer(GLINT_LOSE=lose))
        window.keys(*["Right"] * 7)
        window.until(lambda s: s["frame"] == 7 and not s["stale"], "seven steps")
        lose.touch()
        window.keys("Right")
        _, err = window.ended(status=1)
        self.assertEqual((err.count("was lost"), err.count("\n")), (1, 1), err)
        self.check_kept("t.csv")

    def check_kept(self, name):
        """Checks that the step after the seventh frame was recorded by the lost device, or not at all."""
        for frames in (8, 9):
            self.glint("track", CLIP, "-o", f"{frames}.csv", "--quiet", "--frames", frames)
        self.assertIn(self.text(name), (self.text("8.csv"), self.text("9.csv")))

    def test_the_device(self):
        lose = self.dir / "lose"
        window = self.window("replay", CLIP, "--paused", "--speed", "max", "-o", "t.csv", env=self.layer(GLINT_LOSE=lose))
        window.keys(*["Right"] * 7)
        window.until(lambda s: s["frame"] == 7 and s["mode"] == "paused" and not s["stale"], "seven steps")
        lose.touch()
        window.keys("Right")
        # The new device jumps to the frame, which the first one never did. Either of them may have taken the step.
        window.until(lambda s: not lose.exists() and "was lost" in s["toasts"] and s["epoch"] >= 1 and not s["stale"]
                     and s["frame"] in (7, 8) and not s["recording"], "it is told, and the window goes on")
        self.check_kept("t.csv")
        window.keys("Home")
        window.until(lambda s: s["frame"] == 0 and not s["stale"], "the first frame")
        window.keys("Right")
        window.until(lambda s: s["frame"] == 1 and not s["stale"], "a step on")
        window.quit()


class Scaled(WindowTest):
    def test_screens_and_letters(self):
        manager = Manager(self.display.name)
        self.addCleanup(manager.close)
        self.addCleanup(manager.set_dots_per_inch, 0)
        letters = []
        for dpi in (96, 192):
            manager.set_dots_per_inch(dpi)
            window = self.window("replay", CLIP, "--paused", *VALIDATED, name=f"state{dpi}",
                                 env={"XDG_STATE_HOME": str(self.dir / f"home{dpi}")})
            letters.append(window.until(lambda s: s["letters"] > 0 and not s["stale"], "letters")["letters"])
            if dpi == 96:
                window.quit()
        self.assertEqual(letters[1], 2 * letters[0])
        state = window.state()
        self.assertTrue(state["width"] <= 1280 and state["height"] <= 800, "the first window is no larger than its screen")
        # To the window, these keys have the same effect as a screen of another scale while recording.
        window.keys("r", "Right", *["ctrl+minus"] * 6, "Right", *["ctrl+plus"] * 2, "Right")
        smaller = window.until(lambda s: s["frame"] == 3 and s["letters"] < letters[1] and not s["stale"], "smaller letters")
        self.assertEqual(smaller["letters"], round(letters[1] / 1.125 ** 4))
        name = smaller["recording_name"]
        window.keys("r", "ctrl+0")
        window.until(lambda s: s["letters"] == letters[1] and not s["recording"], "as before")
        window.quit()
        self.glint("track", CLIP, "-o", "e.csv", "--quiet", "--frames", 4)
        self.assertEqual(self.text(name), self.text("e.csv"))


class Sized(WindowTest):
    """A window that was left on one screen and is opened on another one, whose letters are twice as large."""

    @classmethod
    def setUpClass(cls):
        cls.display = Display("3200x2000")
        cls.addClassCleanup(cls.display.close)

    def test_the_layout_grows_with_the_letters(self):
        manager = Manager(self.display.name)
        self.addCleanup(manager.close)
        self.addCleanup(manager.set_dots_per_inch, 0)
        told = []
        for dpi in (96, 192):
            manager.set_dots_per_inch(dpi)
            window = self.window("replay", CLIP, "--paused", *VALIDATED, name=f"state{dpi}")
            window.until(lambda s: s["letters"] > 0 and not s["stale"], "letters")
            if dpi == 96:
                window.display.xdotool("windowsize", window.number(), 1100, 700)
                window.until(lambda s: (s["width"], s["height"]) == (1100, 700), "its size")
                window.pull("side_edge", 100)
                window.keys("y")
                window.until(lambda s: "curves_edge" in s["widgets"], "curves")
                x, y = window.place("curves_edge")
                window.display.xdotool("mousemove", round(x), round(y), "mousedown", 1, "mousemove", round(x), round(y) - 40, "mouseup", 1)
                window.sent["releases"] += 1
                window.until(lambda s: s["widgets"]["curves_edge"][1] < y - 30, "higher curves")
            told.append(window.until(lambda s: "curves_edge" in s["widgets"] and s["mouse_x"] >= 0, "all of it"))
            window.quit()
        small, large = told
        self.assertEqual((large["width"], large["height"]), (2 * small["width"], 2 * small["height"]))
        for widget, index in (("side", 2), ("curves", 3)):
            was, now = small["widgets"][widget][index], large["widgets"][widget][index]
            self.assertAlmostEqual(now, 2 * was, delta=4, msg=widget)


class Refused(WindowTest):
    def test_what_cannot_be_opened_is_told_in_the_window(self):
        (self.dir / "bad.mp4").write_text("no video\n")
        window = self.window("replay", "bad.mp4", shows=False)
        window.until(lambda s: s["empty"] and "bad.mp4" in s["toasts"] and "toast:0" in s["widgets"], "why")
        window.keys("ctrl+o")
        window.click("source")
        window.type(CLIP)
        window.keys("Return")
        window.until(lambda s: s.get("sources") == [CLIP] and s.get("frame") is not None, "something else is opened")
        window.keys("End")
        window.until(lambda s: s["frame"] == LAST and s["mode"] in ("at_end", "paused"), "its end")
        window.keys("space", "space", "End", "space")
        window.until(lambda s: s["mode"] == "at_end", "played to it")
        window.keys("r")
        window.until(lambda s: s["mode"] == "at_end" and not s["recording"] and list(self.dir.glob("glint-*.csv")), "it is recorded from its beginning")
        window.keys("ctrl+o")
        window.click("source")  # the text field has the keyboard
        window.keys("a", "ctrl+q")
        _, err = window.ended(status=1)
        self.assertEqual(err.count("bad.mp4"), 1, err)
        self.assertNotIn("glint-", err)
        process = self.start("replay", "bad.mp4", "--exit-at-end", env=self.display.environment())
        _, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, err.count("bad.mp4")), (1, 1), err)

    def test_needs_no_library_of_the_window(self):
        """`glint track` must run without these libraries."""
        needed = subprocess.run(["readelf", "-d", GLINT], capture_output=True, text=True, check=True).stdout
        self.assertIn("NEEDED", needed)
        for library in ("libglfw", "libvulkan", "libX11"):
            self.assertNotIn(library, needed)

    def test_without_a_display(self):
        none = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        for arguments in ([], ["replay", CLIP], ["live", CLIP]):
            process = self.start(*arguments, env=none)
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, out, err.count("\n")), (1, "", 1), err)
            self.assertIn("glint track", err)

    def test_wrong_command_line(self):
        for arguments, word in ((["replay"], "--help"), (["replay", CLIP, "--speed", "fast"], "--speed"),
                                (["replay", CLIP, "-o", "t.xyz"], "t.xyz")):
            process = self.start(*arguments, env=self.display.environment())
            _, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual((process.returncode, err.count("\n")), (2, 1), err)
            self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main()
