"""Exports and masks, by mouse and keys."""

import unittest

from screen import WindowTest

CLIP = "synth:dancer?size=320x240&frames=60&seed=3"
LAST = 59


class Files(WindowTest):
    def opened(self, clip=CLIP):
        window = self.window("replay", clip, "--paused", "--set", "device.validation=true")
        window.until(lambda s: s["mode"] == "paused" and s["frame"] == 0 and not s["stale"], "the first frame")
        return window

    def export(self, window):
        window.keys("ctrl+e")
        window.until(lambda s: s["export"], "the dialog")
        window.click("export_ok")

    def test_an_export_is_what_track_writes(self):
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        window = self.opened()
        self.export(window)
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks.csv"), self.text("expected.csv"))
        window.quit()

    def test_an_export_of_a_range_asks_before_it_replaces(self):
        (self.dir / "tracks.csv").write_text("mine\n")
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        header, *rows = self.text("expected.csv").splitlines(keepends=True)
        window = self.opened()
        window.keys(*["Right"] * 5, "i", *["Right"] * 9, "o")
        window.until(lambda s: s["frame"] == 14 and s["in"] == 5 and not s["stale"], "a range")
        self.export(window)  # into "tracks 2.csv": nothing is there
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks 2.csv"),
                         header + "".join(row for row in rows if 5 <= int(row.split(",")[1]) <= 14))
        self.assertEqual(self.text("tracks.csv"), "mine\n")
        self.export(window)
        window.until(lambda s: s["export_asks"], "whether to replace it")
        window.keys("Escape")
        window.until(lambda s: not s["export"], "no")
        window.quit()

    def test_in_and_out_are_dragged(self):
        self.glint("track", CLIP, "-o", "expected.csv", "--quiet")
        header, *rows = self.text("expected.csv").splitlines(keepends=True)
        window = self.opened()
        width = window.state()["widgets"]["timeline"][2]
        window.pull("in", 0.25 * width)
        begin = window.until(lambda s: abs(s["in"] - 0.25 * LAST) <= 1 and s["frame"] == s["in"] and not s["stale"], "it begins there")["in"]
        window.pull("out", -0.5 * width)
        end = window.until(lambda s: abs(s.get("out", LAST) - 0.5 * LAST) <= 1, "it ends there")["out"]
        window.click("in")  # which moves nothing
        window.keys("space")
        window.until(lambda s: s["mode"] == "at_end" and s["frame"] == end and s["in"] == begin, "it plays up to there")
        self.export(window)
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("tracks.csv"), header + "".join(row for row in rows if begin <= int(row.split(",")[1]) <= end))
        window.pull("in", 0.9 * width)
        window.until(lambda s: s["in"] == end == s["out"], "not behind the end")
        window.pull("out", width)
        window.until(lambda s: "out" not in s and s["in"] == end, "to the last frame")
        window.quit()

    def test_an_export_is_cancelled(self):
        window = self.opened("synth:dancer?size=320x240&frames=100000&seed=3")
        self.export(window)
        window.until(lambda s: s["exporting"], "it is exported")
        window.click("export_cancel")
        window.until(lambda s: not s["exporting"] and "cancelled" in s["last_line"], "it was cancelled")
        self.assertEqual([path.name for path in self.dir.glob("*.csv*")], [])
        window.keys("Escape")
        window.until(lambda s: not s["export"], "closed")
        window.quit()

    def test_a_mask_is_painted_and_used(self):
        window = self.opened()
        before = window.until(lambda s: s["markers"] > 5, "markers")["markers"]
        window.keys("m")
        window.click("mask_rectangle")
        window.drag("camera0", (0.02, 0.02), (0.98, 0.5))
        painted = window.until(lambda s: s["mask_ignored"] > 1000, "it is painted")["mask_ignored"]
        window.keys("ctrl+q")
        window.until(lambda s: s["leaving"], "the question, as it would be lost")
        window.keys("Escape")
        window.until(lambda s: not s["leaving"], "it stays")
        window.click("mask_use")
        window.until(lambda s: s["detect.mask"] != '""' and s["applied"] and not s["stale"]
                     and s["markers"] < before, "fewer markers")
        self.assertTrue((self.dir / "glint.mask.png").exists())
        window.click("mask_invert")
        window.until(lambda s: s["mask_ignored"] == 320 * 240 - painted, "the other pixels")
        window.click("mask_undo")
        window.click("mask_learn")
        window.until(lambda s: s["mask_ignored"] >= painted and "learned" in s["last_line"], "more is learned")
        window.click("mask_clear")
        window.until(lambda s: s["mask_ignored"] == 0, "no mask")
        window.keys("m", "ctrl+z")
        window.until(lambda s: s["detect.mask"] == '""' and s["markers"] == before, "the mask is not used any more")
        window.quit()

    def test_rectangles_are_shown_and_painted_on(self):
        window = self.window("replay", "synth:spots?size=320x240&markers=12&frames=40", "--paused", "--from", "7",
                             "--region", "0,0,320,100", "--ignore", "0,0,20,50")
        window.until(lambda s: s["mask_ignored"] == 320 * 140 + 20 * 50 and s["frame"] == 7, "what is ignored")
        window.keys("m")
        window.click("mask_rectangle")
        window.drag("camera0", (0.02, 0.02), (0.98, 0.3))
        window.click("mask_use")
        window.until(lambda s: s["detect.mask"] != '""' and s["detect.region"] == s["detect.ignore"] == '""'
                     and s["applied"], "the mask says all")
        window.keys("m", "ctrl+z")
        window.until(lambda s: s["detect.region"] == '"0,0,320,100"' and s["mask_ignored"] == 45800, "as before")
        window.quit()


if __name__ == "__main__":
    unittest.main()
