"""Recordings of cameras of different rates: what a tile shows where its camera has no frame."""

import unittest

from screen import WindowTest

LAST = 59


class Rates(WindowTest):
    def setUp(self):
        super().setUp()
        for name, rate, frames in (("quick", 60, LAST + 1), ("slow", 20, (LAST + 1) // 3)):
            self.glint("synth", f"dancer?size=320x240&frames={frames}&seed=3&cameras=1&fps={rate}", "-o", f"{name}.mkv")

    def paused(self):
        window = self.window("replay", "quick.mkv", "slow.mkv", "--paused", "--set", "device.validation=true")
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and not s["tracking"] and s["numbers"] == [0, 0], "the first frame")
        return window

    def test_a_slower_camera_shows_its_frame_before_and_says_so(self):
        window = self.paused()
        x, y, width, height = window.state()["widgets"]["camera1"]
        tile = x + 20, y + height * 0.3, width - 40, height * 0.4  # neither its name nor the age
        window.keys("n", "t")
        window.click("tab:Drawing")
        window.click("draw_markers")

        def seen():
            own.clear()
            own.extend(pixel for row in window.pixels(*tile) for pixel in row)
            return all(max(pixel) - min(pixel) < 5 for pixel in own)  # no colour of a track
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
        window.keys("End", "Left", "Left", "Left")  # the slow one ends before
        window.until(lambda s: s["frame"] == LAST - 3 and s["numbers"] == [LAST - 3, None] and "earlier:1" in s["widgets"], "by jumps")
        window.keys("l", "space")
        window.until(lambda s: s["mode"] == "playing" and "earlier:1" not in s["widgets"], "while it plays it is as it is")
        window.quit()


if __name__ == "__main__":
    unittest.main()
