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

    def test_bookmarks_are_set_and_reached(self):
        window = self.paused()
        window.keys("ctrl+Right")
        window.until(lambda s: s["said"] == "there are no bookmarks: Ctrl+B sets one", "why not")
        for frame in (10, 40, 70):
            window.keys("ctrl+g")
            window.until(lambda s: s["going"] and "go_to_text" in s["widgets"], "the question")
            window.type(str(frame))
            window.keys("Return")
            window.until(lambda s: not s["going"] and s["frame"] == frame and not s["stale"], f"frame {frame}")
            window.keys("ctrl+b")
        window.until(lambda s: s["bookmarks"] == [10, 40, 70], "three")
        for key, frame in (("ctrl+Left", 40), ("ctrl+Left", 10), ("ctrl+Right", 40)):
            window.keys(key)
            window.until(lambda s: s["frame"] == frame and not s["stale"], f"{key}: {frame}")
        window.keys("ctrl+b")
        window.until(lambda s: s["bookmarks"] == [10, 70] and s["said"] == "bookmark at frame 40 removed", "one less")
        window.keys("ctrl+Right")
        window.until(lambda s: s["frame"] == 70 and not s["stale"], "the last one")
        window.keys("ctrl+Right")
        window.until(lambda s: s["said"] == "there is no later bookmark" and s["frame"] == 70, "why not")
        window.quit()

    def test_the_timeline_has_times(self):
        self.glint("synth", "dancer?size=320x240&frames=181&fps=60&seed=3&cameras=1", "-o", "film.mkv")
        window = self.window("replay", "film.mkv", "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and not s["stale"], "the first frame")
        window.until(lambda s: s["whole"] and not s["tracking"] and s["ruler"], "the times are known, although only the first frame was shown")
        window.keys("ctrl+g")
        window.until(lambda s: s["going"] and "go_to_text" in s["widgets"], "the question")
        window.type("0:01")
        window.keys("Return")
        window.until(lambda s: not s["going"] and s["frame"] == 60 and not s["stale"], "a second later")
        window.keys("End")
        state = window.until(lambda s: s["frame"] == 180 and not s["stale"] and s["whole"] and not s["tracking"], "the last frame")
        times = state["ruler"]
        self.assertGreaterEqual(len(times), 4)
        for frame, words in times:
            minutes, seconds = words.split(":")
            self.assertEqual(frame, round(60 * (60 * int(minutes) + float(seconds))))
        self.assertEqual((times[0], times[-1][0]), ([0, times[0][1]], 180))
        places = sorted(place for name, place in state["widgets"].items() if name.startswith("ruler:"))
        self.assertEqual(len(places), len(times))
        for a, b in zip(places, places[1:]):
            self.assertLess(a[0] + a[2], b[0], "no time lies on another one")
        window.point("timeline", 0.5, 0.5)
        for _ in range(6):
            window.press(4)
        state = window.until(lambda s: s["time_shown"][0] > 0 and len(s["ruler"]) > 1 and s["input_shown"], "a part of it")
        first, last = state["time_shown"]
        self.assertTrue(all(first <= frame <= last for frame, _ in state["ruler"]), (first, last, state["ruler"]))
        window.quit()

    def test_keys_are_mapped_in_a_file(self):
        (self.dir / "config/glint").mkdir(parents=True)
        (self.dir / "config/glint/keys.toml").write_text("\n".join((
            'trails = "Shift+Ctrl+t F6"', 'numbers = "t"', 'next_frame = ""', 'tails = "F7"', 'gates = "Ctrl+Foo"', 'uncertainty = "F6"', "mask = 3")))
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        state = window.until(lambda s: s["frame"] == 0 and not s["stale"] and s["unread"] == 4, "the faults are told")
        self.assertRegex(state["last_line"], r"keys.toml, line \d: ")
        window.keys("h", "Escape")
        window.keys("t")
        window.until(lambda s: not s["labels"], "no numbers: t is theirs now")
        window.keys("F6")
        window.until(lambda s: s["said"] == "trails off", "one key of the trails")
        window.keys("ctrl+shift+t")
        window.until(lambda s: s["said"] == "trails on", "the other one")
        window.keys("Right", "n")
        window.until(lambda s: s["frame"] == 0 and not s["labels"], "n and the arrow do nothing now")
        window.keys("ctrl+shift+p")
        entries = dict(window.until(lambda s: s["palette"] and len(s["palette_entries"]) > 50, "all")["palette_entries"])
        self.assertEqual([entries[name] for name in ("Trails", "Numbers", "Next frame", "Gates")], ["Ctrl+Shift+T", "T", "", "G"])
        window.keys("Escape")
        window.until(lambda s: not s["palette"], "closed")
        window.quit()


if __name__ == "__main__":
    unittest.main()
