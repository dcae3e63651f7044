"""What is done with the keyboard alone: going to a frame, and the command palette."""

import unittest

from screen import VALIDATED, WindowTest

CLIP = "synth:dancer?size=320x240&frames=90&fps=30&seed=3"
LAST = 89


class Keyboard(WindowTest):
    def paused(self):
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and not s["stale"], "the first frame")
        return window

    def test_a_frame_is_reached_by_its_number_and_by_its_time(self):
        window = self.paused()
        for text, frame in (("42", 42), ("0:02", 60), ("0:01,5", 45), ("0.5 s", 15), (str(LAST), LAST)):
            window.keys("ctrl+g")
            window.until(lambda s: s["going"] and "go_to_text" in s["widgets"], "the question")
            window.type(text)
            window.keys("Return")
            window.until(lambda s: not s["going"] and s["frame"] == frame and not s["stale"], f"frame {frame}")
        for text, words in (("90", f"There is no frame 90; the frames are 0 to {LAST}."), ("soon", "Type a frame's number, or a time")):
            window.keys("ctrl+g")
            window.until(lambda s: s["going"] and "go_to_text" in s["widgets"], "the question")
            window.type(text)
            window.keys("Return")
            window.until(lambda s: words in s["going_says"] and s["going"], "why not")
            window.keys("Escape")
            state = window.until(lambda s: not s["going"], "closed")
            self.assertEqual(state["frame"], LAST)
        window.quit()

    def search(self, window, words, opens="ctrl+shift+p"):
        """Opens the palette and types words. Returns the names that are found."""
        window.keys(opens)
        window.until(lambda s: s["palette"] and "palette_text" in s["widgets"], "the palette")
        everything = window.state()["palette_entries"]
        window.type(words)
        return [name for name, _ in window.until(lambda s: len(s["palette_entries"]) < len(everything), "fewer of them")["palette_entries"]]

    def test_the_palette_lists_every_action_and_setting(self):
        window = self.paused()
        window.keys("ctrl+shift+p")
        entries = dict(window.until(lambda s: s["palette"] and len(s["palette_entries"]) > 50, "all")["palette_entries"])
        for name, key in (("Record", "R"), ("Go to frame", "Ctrl+G"), ("Undo", "Ctrl+Z"), ("Quit", "Ctrl+Q"), ("Threshold", "detect.threshold")):
            self.assertEqual(entries.get(name), key)
        # Each setting of a recording that the command lists is there.
        listed = {line.split(" = ")[0] for line in self.glint("settings").stdout.splitlines() if " = " in line and not line.startswith("#")}
        keys = set(entries.values())
        self.assertLessEqual({key for key in listed if key.startswith(("track.", "refine."))}, keys)
        window.keys("Escape")
        window.until(lambda s: not s["palette"], "closed, and nothing else")
        window.quit()

    def test_an_action_and_a_setting_are_found_by_words(self):
        window = self.paused()
        names = self.search(window, "go to")
        self.assertEqual(names[0], "Go to frame")
        window.keys("Return")
        window.until(lambda s: s["going"] and not s["palette"], "the action")
        window.keys("Escape")
        window.until(lambda s: not s["going"], "closed")
        names = self.search(window, "trails", opens="colon")
        self.assertEqual(names[0], "Trails")
        window.keys("Return")
        window.until(lambda s: s["trail_points"] == 0 and not s["palette"] and s["said"] == "trails off", "no trails")
        names = self.search(window, "stitch")
        window.keys("Return")
        window.until(lambda s: not s["palette"] and "value:track.stitch_gap" in s["widgets"], "the setting is in sight")
        window.type("2")  # its number has the keyboard
        window.keys("Return")
        window.until(lambda s: s["track.stitch_gap"] == "2.0" and s["applied"], "its value was typed")
        # The arrow keys choose among several.
        names = self.search(window, "frame")
        window.keys("Down", "Down", "Up")
        state = window.until(lambda s: s["palette_chosen"] == 1, "the second one")
        self.assertGreater(len(names), 3)
        self.assertTrue(state["palette"])
        window.keys("Escape")
        window.until(lambda s: not s["palette"], "closed")
        window.keys("ctrl+shift+p")
        window.until(lambda s: s["palette"], "the palette")
        window.type("zzz")
        window.until(lambda s: s["palette"] and s["palette_entries"] == [], "nothing has these words")
        window.keys("Return")
        state = window.until(lambda s: s["palette"], "nothing happens")
        self.assertEqual(state["frame"], 0)
        window.keys("Escape")
        window.until(lambda s: not s["palette"], "closed")
        window.keys("ctrl+z")
        window.until(lambda s: not s["unsaved"] and s["applied"], "the setting as it was")
        window.quit()


if __name__ == "__main__":
    unittest.main()
