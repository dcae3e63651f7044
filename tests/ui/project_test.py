"""Projects: a file that keeps sources, settings, edits, bookmarks and layout, and opens all of them."""

import json
import os
import unittest

from screen import VALIDATED, WindowTest

LAST = 59


class Project(WindowTest):
    def setUp(self):
        super().setUp()
        (self.dir / "work").mkdir()
        self.glint("synth", f"dancer?size=320x240&frames={LAST + 1}&fps=30&seed=3&cameras=1", "-o", "work/film.mkv")

    def opened(self, *arguments):
        window = self.window(*arguments)
        window.until(lambda s: not s["stale"] and s["whole"] and not s["tracking"], "the whole recording is tracked")
        return window

    def saved(self):
        """Works on the recording a little, and saves a project of it. Returns what the window showed."""
        window = self.opened("replay", "work/film.mkv", "--paused", *VALIDATED, "--set", "track.max_gap=9")
        window.keys("h", "Escape")
        window.keys(*["Right"] * 12)
        window.until(lambda s: s["frame"] == 12 and not s["stale"], "frame 12")
        window.keys("ctrl+b", "i", *["Right"] * 8)
        window.until(lambda s: s["frame"] == 20 and s["in"] == 12 and s["bookmarks"] == [12], "an in point and a bookmark")
        window.keys("ctrl+b", "n")
        state = window.until(lambda s: s["bookmarks"] == [12, 20] and not s["labels"], "another bookmark, and no numbers")
        track = min(row[1] for row in state["rows"])
        window.click(f"marker:{track}")
        window.until(lambda s: s.get("selected") == track, "a track")
        window.keys("Delete")
        window.until(lambda s: s["edits"] == 1 and s["unmatched"] == 0, "it is deleted")
        window.keys("Tab")
        window.until(lambda s: not s["side"], "the panels are hidden")
        window.keys("ctrl+shift+s")
        state = window.until(lambda s: s["project"].endswith("work/film.glint") and not s["unsaved"], "a project")
        window.quit()
        return state

    def test_a_project_opens_all_of_it_in_another_place(self):
        before = self.saved()
        self.assertEqual(json.loads(self.text("work/film.glint"))["sources"], ["film.mkv"])
        os.rename(self.dir / "work", self.dir / "moved")
        # The window's own memory is gone, so that only the project can know.
        window = self.opened("moved/film.glint")
        state = window.until(lambda s: s["frame"] == 20 and s["mode"] == "paused" and s["edits"] == 1, "the frame and the edits")
        self.assertEqual(state["in"], 12)
        self.assertEqual(state["bookmarks"], [12, 20])
        self.assertEqual(state["track.max_gap"], "9")
        self.assertEqual(state["labels"], [])
        self.assertFalse(state["side"])
        self.assertFalse(state["unsaved"])
        self.assertEqual([row[1] for row in state["rows"]], [row[1] for row in before["rows"]])
        window.keys("Tab", "ctrl+shift+s")
        window.until(lambda s: s["side"] and "project saved in" in s["toasts"], "it is saved again")
        self.assertEqual(sorted(os.listdir(self.dir / "moved")), ["film.glint", "film.glint.json", "film.mkv"])
        self.assertTrue(json.loads(self.text("moved/film.glint"))["view"]["switches"]["side"])
        window.quit()

    def test_a_new_project_replaces_no_file(self):
        (self.dir / "work/film.glint").write_text("mine")
        window = self.opened("replay", "work/film.mkv", "--paused", *VALIDATED)
        window.keys("h", "Escape", "ctrl+shift+s")
        window.until(lambda s: s["project"].endswith("work/film 2.glint"), "a project of another name")
        window.quit()
        self.assertEqual(self.text("work/film.glint"), "mine")

    def test_a_damaged_project_is_refused(self):
        cases = (("[]", "'bad.glint' is not a project of Glint, or it is damaged"),
                 ("{", "'bad.glint' is not a project of Glint, or it is damaged"),
                 ('{"glint_project": 2, "sources": ["a"]}', "'bad.glint' is a project of a later version of Glint (format 2)"),
                 ('{"glint_project": 1, "sources": []}', "the project 'bad.glint' names no source"),
                 ('{"glint_project": 1, "sources": [3]}', "'bad.glint' is not a project of Glint, or it is damaged"))
        for text, words in cases:
            with self.subTest(text=text):
                (self.dir / "bad.glint").write_text(text)
                process = self.window("bad.glint", shows=False).process
                _, said = process.communicate(timeout=60)
                self.assertEqual((process.returncode, said), (1, f"glint: {words}\n"))
        (self.dir / "bad.glint").write_text('{"glint_project": 1, "sources": ["a"], "settings": "[detect]\\nseperation = 4\\n"}')
        process = self.window("bad.glint", shows=False).process
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2, said)
        self.assertIn("bad.glint", said)
        self.assertIn("seperation", said)
        (self.dir / "bad.glint").unlink()
        process = self.window("bad.glint", shows=False).process
        self.assertEqual(process.communicate(timeout=60)[1], "glint: cannot open the project 'bad.glint'\n")

    def test_a_project_that_cannot_be_opened_leaves_the_session_as_it_is(self):
        (self.dir / "bad.glint").write_text("no")
        window = self.opened("replay", "work/film.mkv", "--paused", *VALIDATED)
        window.keys("h", "Escape", "Right")
        window.until(lambda s: s["frame"] == 1 and not s["stale"], "frame 1")
        window.keys("ctrl+o")
        window.click("source")
        window.type("bad.glint")
        window.keys("Return")
        state = window.until(lambda s: s["open_says"] != "", "why not")
        self.assertEqual(state["open_says"], "'bad.glint' is not a project of Glint, or it is damaged")
        window.keys("Escape")
        window.until(lambda s: not s["choosing"] and s["frame"] == 1 and s["sources"] == ["work/film.mkv"], "the same recording")
        window.quit()

    def test_settings_that_a_project_would_replace_are_asked_for(self):
        self.saved()
        window = self.opened("replay", "work/film.mkv", "--paused", *VALIDATED)
        window.keys("Tab")
        window.until(lambda s: s["side"], "the panels, which were hidden, are there")
        window.click("value:track.stitch_gap")
        window.type("2")
        window.keys("Return")
        window.until(lambda s: s["track.stitch_gap"] == "2.0" and s["applied"] and s["unsaved"], "a setting was changed")
        window.keys("ctrl+o")
        window.click("source")
        window.type("work/film.glint")
        window.keys("Return")
        window.until(lambda s: s["leaving"] == "Open other sources" and "leaving_discard" in s["widgets"], "the question")
        window.click("leaving_discard")
        window.until(lambda s: s["track.max_gap"] == "9" and s["track.stitch_gap"] != "2.0" and s["frame"] == 20 and not s["unsaved"], "the project")
        window.quit()


if __name__ == "__main__":
    unittest.main()
