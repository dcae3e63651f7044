"""The window, driven as a user drives it."""

import os
import pathlib
import signal
import subprocess
import unittest

from screen import WindowTest

CLIP = "synth:dancer?size=320x240&frames=90&seed=3"
LAST = 89


class Recording(WindowTest):
    """What the window records is what `glint track` writes."""

    def setUp(self):
        super().setUp()
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        self.expected = self.text("expected.csv")

    def test_output_of_the_command_line(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--speed", "max", "--exit-at-end",
                             "--set", "device.validation=true", shows=False)
        window.ended()
        self.assertEqual(self.text("t.csv"), self.expected)
        self.assertTrue((self.dir / "t.json").exists(), "the record of the run")

    def test_record_key(self):
        browser = self.dir / "bin" / "xdg-open"  # what a desktop has
        browser.parent.mkdir()
        browser.write_text(f'#!/bin/sh\necho "$1" > "{self.dir}/opened"\n')
        browser.chmod(0o755)
        window = self.window("replay", CLIP, "--paused", "--speed", "max", env={"PATH": f"{browser.parent}:{os.environ['PATH']}"})
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0, "paused at the first frame")
        window.keys("r")
        name = window.until(lambda s: s["recording"] and s["recording_name"], "it records")["recording_name"]
        window.keys(*["Right"] * 30)
        written = lambda: self.text(name).count("\n") - 1 if (self.dir / name).exists() else 0
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

    def test_closed_while_recording(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--speed", "max", "--paused")
        window.keys("Right", "Right", "Right", "Right", "Right", "Right", "Right")
        window.until(lambda s: s["frame"] == 7, "seven steps")
        window.quit()
        self.assert_whole_rows("t.csv")
        self.glint("track", CLIP, "-o", "cut.csv", "--quiet", "--frames", "8")
        self.assertEqual(self.text("t.csv"), self.text("cut.csv"))

    def test_interrupted(self):
        window = self.window("replay", CLIP, "-o", "t.csv", "--paused")
        window.process.send_signal(signal.SIGINT)
        window.ended()
        self.assert_whole_rows("t.csv")


class Playing(WindowTest):
    def test_steps_and_jumps(self):
        window = self.window("replay", CLIP, "--paused", "--set", "device.validation=true")
        at = lambda frame: window.until(
            lambda s: s["frame"] == frame and s["mode"] in ("paused", "at_end") and not s["stale"], f"frame {frame}")
        at(0)
        window.keys(*["Right"] * 25)  # faster than they can be shown
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
        window.keys("space")
        window.until(lambda s: s["mode"] == "playing", "it plays")
        window.keys("space")
        window.until(lambda s: s["mode"] == "paused", "it pauses")
        window.quit()

    def test_keys_and_views(self):
        window = self.window("replay", CLIP, "--paused", "--set", "device.validation=true")
        window.keys("bracketright", "bracketright")
        window.until(lambda s: s["speed"] == 4, "twice faster")
        window.keys("h")
        window.until(lambda s: s["help"], "help")
        window.keys("Escape")
        window.until(lambda s: not s["help"], "no help")
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
        window = self.window("replay", CLIP, "--paused", "--set", "device.validation=true")
        window.until(lambda s: (s["width"], s["height"], s["side"], s["hint"]) == (900, 700, False, False), "as it was left")
        self.assertEqual(window.corner(), (70, 40))
        window.keys("p")
        window.until(lambda s: len(list(self.dir.glob("glint-*.png"))) == 1, "a picture of the view")
        views = window.state()["widgets"]["views"]
        size = subprocess.run(["identify", "-format", "%w %h", next(self.dir.glob("glint-*.png"))], capture_output=True, text=True, check=True).stdout
        self.assertEqual(size, f"{views[2]:.0f} {views[3]:.0f}")
        window.quit()


class Lost(WindowTest):
    def test_the_device(self):
        lose = self.dir / "lose"
        window = self.window("replay", CLIP, "--paused", "--speed", "max", "-o", "t.csv",
                             env={"VK_LAYER_PATH": os.environ["GLINT_TEST_LAYERS"], "VK_INSTANCE_LAYERS": "VK_LAYER_GLINT_lost", "GLINT_LOSE": str(lose)})
        window.keys(*["Right"] * 7)
        window.until(lambda s: s["frame"] == 7 and s["mode"] == "paused" and not s["stale"], "seven steps")
        lose.touch()
        window.keys("Right")
        # The step was taken by the device, or not any more. The new one jumps to the frame, which the first one never did.
        at = window.until(lambda s: not lose.exists() and "was lost" in s["toasts"] and s["epoch"] == 1 and not s["stale"]
                          and s["frame"] in (7, 8) and not s["recording"], "it is told, and the window goes on")["frame"]
        for frames in (8, 9):
            self.glint("track", CLIP, "-o", f"{frames}.csv", "--quiet", "--frames", frames)
        self.assertIn(self.text("t.csv"), (self.text("8.csv"), self.text("9.csv")))
        window.keys("Right")
        window.until(lambda s: s["frame"] == at + 1 and not s["stale"], "a step on")
        window.quit()


class Refused(WindowTest):
    def test_without_a_display(self):
        none = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        for arguments in ([], ["replay", CLIP], ["live", CLIP]):
            process = self.start(*arguments, env=none)
            out, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, out, err.count("\n")), (1, "", 1), err)
            self.assertIn("glint track", err)

    def test_wrong_command_line(self):
        for arguments, word in ((["replay"], "--help"), (["replay", CLIP, "--speed", "fast"], "--speed"),
                                (["replay", CLIP, "-o", "t.xyz"], "t.xyz")):
            process = self.start(*arguments, env=self.display.environment())
            _, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, err.count("\n")), (2, 1), err)
            self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main()
