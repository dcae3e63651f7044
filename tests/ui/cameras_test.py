"""Recordings of cameras with different rates: the tile of a camera that has no frame, and the timeline of all cameras."""

import re
import unittest

from screen import VALIDATED, WindowTest
from harness import rows

LAST = 59


class Rates(WindowTest):
    def setUp(self):
        super().setUp()
        for name, rate, frames in (("quick", 60, LAST + 1), ("slow", 20, (LAST + 1) // 3)):
            self.glint("synth", f"dancer?size=320x240&frames={frames}&seed=3&cameras=1&fps={rate}", "-o", f"{name}.mkv")

    def paused(self):
        window = self.window("replay", "quick.mkv", "slow.mkv", "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and not s["tracking"] and s["numbers"] == [0, 0], "the first frame")
        return window

    def test_a_slower_camera_shows_its_frame_before_and_says_so(self):
        window = self.paused()
        x, y, width, height = window.state()["widgets"]["camera1"]
        tile = x + 20, y + height * 0.3, width - 40, height * 0.4  # the part of the tile without its name and the age
        window.keys("n", "t")
        window.click("tab:Drawing")
        window.click("draw_markers")

        def seen():
            own.clear()
            own.extend(pixel for row in window.pixels(*tile) for pixel in row)
            return all(max(pixel) - min(pixel) < 5 for pixel in own)  # no pixel has the colour of a track
        own = []
        window.until(lambda s: not s["labels"] and s["trail_points"] == 0 and s["said"] == "" and seen(), "the image alone")
        bright = [i for i, (r, _, _) in enumerate(own) if r > 150]
        self.assertGreater(len(bright), 5)
        for steps, frame, number in ((1, 1, None), (1, 2, None), (1, 3, 1), (1, 4, None)):
            window.keys(*["Right"] * steps)
            told = window.until(lambda s: s["frame"] == frame and not s["stale"] and s["whole"], f"frame {frame}")
            self.assertEqual(told["numbers"], [frame, number])
            self.assertEqual("earlier:1" in told["widgets"], number is None)
            self.assertNotIn("earlier:0", told["widgets"])
            if number is None:
                self.assertEqual([row for row in told["rows"] if row[0] == 1], [], "nothing was measured there")
        window.keys("Left", "Left", "Left")
        window.until(lambda s: s["frame"] == 1 and not s["stale"] and "earlier:1" in s["widgets"], "back, into a gap")
        dimmed = [pixel for row in window.pixels(*tile) for pixel in row]
        for i in bright:
            self.assertTrue(0.3 * own[i][0] < dimmed[i][0] < 0.7 * own[i][0], (own[i], dimmed[i]))
        window.keys("End", "Left", "Left", "Left")  # the slow camera's recording ends earlier
        window.until(lambda s: s["frame"] == LAST - 3 and s["numbers"] == [LAST - 3, None] and "earlier:1" in s["widgets"], "by jumps")
        window.keys("l", "space")
        window.until(lambda s: s["mode"] == "playing" and "earlier:1" not in s["widgets"], "while it plays it is as it is")
        window.quit()

    def test_the_timeline_has_all_cameras_or_the_one_that_is_shown_alone(self):
        self.glint("track", "quick.mkv", "slow.mkv", "-o", "t.csv", "--quiet")
        table = rows(self.dir / "t.csv")
        window = self.paused()
        both = window.until(lambda s: s["band_tracks"] >= len({row["track"] for row in table}), "tracks of both")
        for share, camera, cameras in ((0.5, None, r"(1 of )?2 cameras"), (0.5, 1, "camera 1")):
            if camera is not None:
                window.double_click("camera1")
                window.until(lambda s: "camera0" not in s["widgets"], "one alone")
            window.point("timeline", 0.3, 0.5)
            window.point("timeline", share, 0.5)
            told = window.until(lambda s: f" in {'camera 1' if camera else ''}" in s.get("timeline_told", ""), "what is there")["timeline_told"]
            found = re.fullmatch(rf"frame (\d+)(?: \(([\d to]+) in exported tables\))?, 0:([\d.]+)\n\d+ markers? in {cameras}, (\d+) tracks?", told)
            self.assertTrue(found, told)
            # Each camera counts its own frames: the third frame of the slower one is the ninth of the quick one.
            shown = {int(row["frame"]) for row in table if abs(float(row["time_s"]) - float(found[3])) < 1e-3 and int(row["camera"]) >= (camera or 0)}
            expected = " to ".join(str(number) for number in sorted(shown)) if shown != {int(found[1])} else None
            self.assertEqual(found[2], expected)
        one = window.until(lambda s: s["band_tracks"] < both["band_tracks"], "tracks of one")
        self.assertGreaterEqual(one["band_tracks"], len({row["track"] for row in table if row["camera"] == "1"}))
        self.assertLess(one["band_most"], both["band_most"])
        window.double_click("camera1")
        window.until(lambda s: s["band_tracks"] == both["band_tracks"] and s["band_most"] == both["band_most"], "both again")
        window.quit()


if __name__ == "__main__":
    unittest.main()
