"""Words of panels: the singular of nouns, the last frame, and no more frames than there are."""

import unittest

from screen import VALIDATED, WindowTest

LAST = 299


class Words(WindowTest):
    def opened(self, frames):
        window = self.window("replay", f"synth:spots?size=64x48&markers=1&frames={frames}", "--paused", "--set", "track.confirm=1")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["tracks"] == 1 and not s["stale"], "the first frame")
        window.keys("h", "Escape")
        return window

    def test_of_a_recording(self):
        window = self.opened(LAST + 1)
        window.until(lambda s: "   1 marker, 1 track   " in s["status"], "one of each")
        window.click("tab:Sources")
        for key, frame in (("End", LAST), ("Home", 0), ("End", LAST)):
            window.keys(key)
            told = window.until(lambda s: s["frame"] == frame and not s["stale"] and "session:length" in s["words"], key)["words"]
            self.assertEqual(told["frame_number"], f"frame {frame} (last {LAST})")
            self.assertEqual(told["session:length"], "300 frames")
            self.assertNotIn("source:0:delivered", told)  # the recording is read again, so this would mean nothing
        window.point("timeline", 0.4)
        window.until(lambda s: s.get("timeline_told", "").endswith("\n1 marker, 1 track"), "what is under the mouse")
        window.quit()

    def test_of_one_frame(self):
        window = self.opened(1)
        window.click("tab:Sources")
        told = window.until(lambda s: "session:length" in s["words"], "the sources")["words"]
        self.assertEqual((told["session:length"], told["frame_number"]), ("1 frame", "frame 0, the only one"))
        window.quit()

    def test_of_a_recording_without_markers(self):
        window = self.window("replay", "synth:spots?size=64x48&markers=1&frames=4", "--paused", "--set", "detect.threshold=0.99")
        state = window.until(lambda s: s["frame"] == 0 and s["banner"] and "banner_propose" in s["widgets"], "why nothing is drawn, and what may help")
        self.assertEqual(state["banner"], "In this frame nothing reached the threshold.")
        window.click("auto:detect.threshold")
        window.until(lambda s: s["markers"] == 1 and not s["banner"], "with another setting there is one")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and s["markers"] == 0 and not s["stale"] and not s["banner"], "what was found before needs no word")
        window.quit()

    def test_of_a_dark_image(self):
        """Opens images of 16 bits that fill only the lowest of them, and would look black."""
        width, height = 64, 48
        for name, marker in (("dark", 650), ("bright", 60000)):
            (self.dir / name).mkdir()
            values = [marker if (x - 32) ** 2 + (y - 24) ** 2 < 10 else 480 for y in range(height) for x in range(width)]
            for frame in range(2):
                (self.dir / name / f"{frame}.pgm").write_bytes(f"P5\n{width} {height}\n65535\n".encode() + b"".join(v.to_bytes(2, "big") for v in values))
            window = self.window("replay", name, "--paused")
            if name == "dark":
                window.until(lambda s: "shown brighter" in s["toasts"] and "toast:0" in s["widgets"] and "first_hint" not in s["widgets"],
                             "that is told, without a hint behind it", passing=True)
            state = window.until(lambda s: s["frame"] == 0 and s["whole"] and s["markers"] == 1, "the first frame")
            if name == "bright":
                self.assertEqual((state["black"], state["white"], state["toasts"]), (0, 1, ""))
            else:
                self.assertTrue(state["black"] < 480 / 65535 < 650 / 65535 <= state["white"] < 0.02, state)
                window.until(lambda s: s["toasts"] == "" and "first_hint" in s["widgets"], "then the hint")
            window.quit()

    def test_of_a_track_that_is_hidden(self):
        window = self.opened(20)
        window.click("marker:1", button=3)
        window.click("menu:Hide")
        window.until(lambda s: s["words"].get("absent") == "hidden with B" and s["tracks"] == 0, "it says why it is not there")
        window.keys("ctrl+z")
        window.until(lambda s: s["tracks"] == 1 and "absent" not in s["words"], "it is there again")
        window.quit()


class Letters(WindowTest):
    def test_names_in_other_scripts_are_drawn(self):
        # Georgian letters, which the usual font's file has, but which are not loaded for every window.
        titles = []
        for name in ("\u10d0\u10d1\u10d2", "\u10d3\u10d4\u10d5"):
            self.glint("synth", "spots?size=64x48&markers=3&frames=2", "-o", f"{name}.mkv")
            window = self.window("replay", f"{name}.mkv", "--paused", *VALIDATED)
            window.keys("h", "Escape")
            place = window.until(lambda s: "title" in s["widgets"] and s["letters"] > 0 and not s["stale"], "its name")["widgets"]["title"]
            titles.append([pixel for row in window.pixels(*place) for pixel in row])
            window.quit()
        # Letters that no font has would all be drawn as the same sign.
        self.assertNotEqual(*titles)


if __name__ == "__main__":
    unittest.main()
