"""Words of panels: one of something, the last frame, and no more frames than there are."""

import unittest

from screen import WindowTest

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
            self.assertNotIn("source:0:delivered", told)  # frames are read again
        window.move(*window.place("timeline", 0.4))
        window.until(lambda s: s.get("timeline_told", "").endswith("\n1 marker, 1 track"), "what is under the mouse")
        window.quit()

    def test_of_one_frame(self):
        window = self.opened(1)
        window.click("tab:Sources")
        told = window.until(lambda s: "session:length" in s["words"], "the sources")["words"]
        self.assertEqual((told["session:length"], told["frame_number"]), ("1 frame", "frame 0 (last 0)"))
        window.quit()

    def test_of_a_track_that_is_hidden(self):
        window = self.opened(20)
        window.click("marker:1", button=3)
        window.click("menu:Hide")
        window.until(lambda s: s["words"].get("absent") == "hidden by you" and s["tracks"] == 0, "it says why it is not there")
        window.keys("ctrl+z")
        window.until(lambda s: s["tracks"] == 1 and "absent" not in s["words"], "it is there again")
        window.quit()


if __name__ == "__main__":
    unittest.main()
