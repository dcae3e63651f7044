"""The window when something goes wrong, or when it runs for a long time."""

import pathlib
import re
import resource
import shutil
import unittest

from drag import drop
from harness import SANITIZED, wait_until
from manager import Manager
from screen import VALIDATED, WindowTest

CLIP = "synth:dancer?size=320x240&frames=90&seed=3"
LAST = 89


def resident_mb(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024


class Files(WindowTest):
    def test_files_are_dropped(self):
        self.glint("synth", "spots?size=160x120&markers=4&frames=5", "-o", "dröpped clip.mkv")
        (self.dir / "bright.toml").write_text("[detect]\nthreshold = 0.9\n")
        (self.dir / "near.toml").write_text("[detect]\nseparation = 5.0\n")
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        before = window.until(lambda s: s["markers"] > 3 and not s["stale"], "the first frame")["markers"]
        left, top = window.corner()
        x, y = window.place("camera0")

        def dropped(*names):
            drop(self.display.name, int(window.number()), [self.dir / name for name in names], round(left + x), round(top + y))
        dropped("bright.toml")
        window.until(lambda s: s["detect.threshold"] == "0.9" and s["applied"] and not s["stale"] and s["markers"] < before
                     and s["sources"] == [CLIP] and not s["unsaved"], "its settings, of the same recording")
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and not s["stale"] and s["markers"] == before, "undone in one step")
        dropped("dröpped clip.mkv", "near.toml")
        window.until(lambda s: [pathlib.Path(name).name for name in s.get("sources", [])] == ["dröpped clip.mkv"]
                     and s["markers"] == 4 and float(s["detect.separation"]) == 5 and not s["unsaved"], "the recording, with these settings")
        window.quit()

    def test_a_full_disk(self):
        """Limits the size of files, which to a program is the same as a full disk."""
        window = self.window("replay", CLIP, "--paused", "--speed", "max")
        resource.prlimit(window.process.pid, resource.RLIMIT_FSIZE, (60_000, resource.RLIM_INFINITY))
        window.keys("r", "space")
        said = window.until(lambda s: "too large" in s["toasts"], "it is told")
        self.assertFalse(said["recording"])
        window.until(lambda s: s["mode"] == "at_end" and s["frame"] == LAST and not s["stale"], "it plays on to its end")
        name = next(self.dir.glob("glint-*.csv")).name
        self.assert_whole_rows(name)
        self.assertGreater((self.dir / name).stat().st_size, 55_000)
        self.glint("track", CLIP, "-o", "whole.csv", "--quiet")
        self.assertTrue(self.text("whole.csv").startswith(self.text(name)))
        _, err = window.quit(status=1)
        self.assertEqual(err.count("too large"), 1, err)

    def test_recordings_that_vanish(self):
        for name in ("frames", "others"):
            self.glint("synth", "spots?size=160x120&markers=4&frames=60", "-o", name)
        window = self.window("replay", "frames/", "--paused", "-o", "t.csv", "--set", "track.confirm=1")
        window.until(lambda s: "title" in s["widgets"], "a name")
        said = self.vanishes(window, "frames")
        self.open(window, "others")  # a typed folder is browsed
        window.click("open_folder")
        window.until(lambda s: s.get("sources") == [str(self.dir / "others")] and s.get("frame") is not None, "another one is opened nevertheless")
        self.vanishes(window, "others")
        self.glint("synth", "spots?size=160x120&markers=4&frames=60", "-o", "others")
        window.keys("Home")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["tracks"] == 4 and not s["stale"], "it is back, and frame 0 has its ids")
        self.open(window, CLIP)
        window.until(lambda s: s.get("sources") == [CLIP] and s.get("frame") is not None, "and another one")
        _, err = window.quit(status=1)
        self.assertEqual(err.count(said), 1, err)
        self.assert_whole_rows("t.csv")
        self.assertIn("\n0,3,", self.text("t.csv"))

    def vanishes(self, window, name):
        window.keys("Right", "Right", "Right")
        window.until(lambda s: s["frame"] == 3 and not s["stale"], "three steps")
        shutil.rmtree(self.dir / name)
        window.keys("space")
        said = window.until(lambda s: s["mode"] == "failed" and name in s["toasts"], "it stops, and says why")["failure"]
        self.assertIn(name, said)
        return said

    def open(self, window, source):
        window.keys("ctrl+o")
        window.click("source")
        window.type(source)
        window.keys("Return")

    def test_a_learned_mask_is_that_of_glint_mask(self):
        clip = "synth:spots?size=160x120&markers=9&frames=40&seed=5"
        self.glint("mask", clip, "-o", "expected.png")
        window = self.window("replay", clip, "--paused")
        window.keys("m")
        window.click("mask_learn")
        window.until(lambda s: s["mask_ignored"] > 0, "it is learned")
        window.keys("ctrl+q")
        window.click("leaving_save")
        window.ended()
        self.assertEqual((self.dir / "glint.mask.png").read_bytes(), (self.dir / "expected.png").read_bytes())
        self.assertIn("glint.mask.png", self.text("glint.toml"))


class Long(WindowTest):
    def test_settings_change_as_quickly_as_a_mouse_moves(self):
        window = self.window("replay", CLIP, "--speed", "max", "--paused", *VALIDATED)
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"], "a fixed threshold")
        epoch = window.state()["epoch"]
        window.keys("l", "space")
        window.until(lambda s: s["loops"] and s["mode"] == "playing", "it plays at full speed, again and again")
        x, y = window.place("set:detect.threshold", 0.3)
        width = window.place("set:detect.threshold", 0.9)[0] - x
        window.move(x, y)
        window.display.xdotool("mousedown", 1)
        path = [f"mousemove {round(x + width * (30 - abs(30 - i % 60)) / 30)} {round(y)} sleep 0.016" for i in range(120)]
        window.display.xdotool(*" ".join(path).split())
        window.display.xdotool("mouseup", 1)
        window.until(lambda s: s["applied"] and s["epoch"] > epoch + 10, "they were in force")
        window.keys("l", "End")
        shown = window.until(lambda s: s["frame"] == LAST and s["mode"] != "playing" and s["applied"] and s["whole"]
                             and not s["stale"], "the last frame")
        window.keys("ctrl+s")
        window.until(lambda s: not s["unsaved"], "they are saved")
        window.quit()
        self.glint("track", CLIP, "--config", "glint.toml", "-o", "t.csv", "--quiet")
        rows = [row for row in self.text("t.csv").splitlines() if row.split(",")[1] == str(LAST)]
        self.assertEqual(shown["tracks"], len(rows))

    def test_minimised_while_recording(self):
        clip = "synth:dancer?size=96x64&frames=100000&seed=3"
        window = self.window("replay", clip, "--paused", "--speed", "max", *VALIDATED)
        manager, number = Manager(self.display.name), int(window.number())
        self.addCleanup(manager.close)
        window.keys("r", "space")
        name = window.until(lambda s: s["mode"] == "playing" and s["recording_rows"] > 0, "it records")["recording_name"]
        manager.minimise(number)
        seen = window.until(lambda s: s["minimised"], "it is minimised")["frame"]
        size = (self.dir / name).stat().st_size
        wait_until(lambda: (self.dir / name).stat().st_size > size + 20_000, "rows are written nevertheless")
        manager.restore(number)
        window.until(lambda s: not s["minimised"] and s["frame"] > seen, "it is there again, with a newer frame")
        window.keys("r", "space")
        told = window.until(lambda s: not s["recording"] and f"recorded {name}" in s["last_line"], "it is recorded")["last_line"]
        window.quit()
        self.glint("track", clip, "-o", "e.csv", "--quiet", "--frames", re.search(r": (\d+) frames", told)[1])
        self.assertEqual(self.text(name), self.text("e.csv"))

    def test_two_at_once(self):
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        windows, numbers = [], []
        for i, name in enumerate(("left", "right")):  # the windows stand beside each other
            window = self.window("replay", CLIP, "--speed", "max", "--paused", "-o", f"{name}.csv", name=name)
            self.display.xdotool("windowsize", window.number(), 640, 800)
            self.display.xdotool("windowmove", window.number(), 640 * i, 0)
            window.until(lambda s: s["width"] == 640, "its size")
            windows.append(window)
            numbers.append(window.number())
        for window, number in zip(windows, numbers):  # no window manager gives the focus
            self.display.xdotool("windowfocus", "--sync", number)
            window.keys("space")
        for window, number in zip(windows, numbers):
            window.until(lambda s: s["mode"] == "at_end" and not s["recording"], "its end")
            self.display.xdotool("windowfocus", "--sync", number)
            window.quit()
        for name in ("left", "right"):
            self.assertEqual(self.text(f"{name}.csv"), self.text("expected.csv"))

    @unittest.skipIf(SANITIZED, "it keeps what was let go")
    def test_memory_stays_as_it_is(self):
        """Checks the memory for a short time; scripts/measure_memory --window does so for longer."""
        window = self.window("replay", "synth:dancer?size=96x64&frames=120&seed=3", "--speed", "max", "--paused")
        window.keys("l", "space")

        def played(frames):
            window.until(lambda s: s["processed"] >= frames, f"{frames} frames")
        played(600)
        before = resident_mb(window.process.pid)
        played(2400)
        self.assertLess(resident_mb(window.process.pid) - before, 8)
        window.quit()


if __name__ == "__main__":
    unittest.main()
