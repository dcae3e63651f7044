"""The table of all tracks, their edits, and the file of edits, with real keys and mouse."""

import json
import socket
import unittest

from film import LAST, FilmTest
from harness import TIMEOUT, rows


class Tracks(FilmTest):
    def table(self, window):
        window.click("tab:Tracks")
        window.click("tracks:all")
        return window.until(lambda s: s["all_tracks"] and s["summaries"] and not s["tracking"], "the table")

    def apart(self, state):
        """Returns the tracks that the selected marker's card, at the upper left, does not hide."""
        card = 330  # px
        places = state["widgets"]
        return [t for t in super().apart(state) if max(places[f"marker:{t}"][:2]) > card]

    def kept(self):
        return json.loads((self.dir / "film.glint.json").read_text())["edits"]

    def test_the_table_is_sorted_searched_and_leads_there(self):
        window = self.paused()
        state = self.table(window)
        self.assertEqual(state["all_tracks"], sorted(self.plain))
        for track, its in self.plain.items():
            first, last, count, gaps, name, hidden = state["summaries"][str(track)]
            self.assertEqual((first, last, count, name, hidden), (min(its), max(its), len(its), "", False))
            self.assertEqual(gaps, sum(1 for f in its if f != min(its) and f - 1 not in its))
        window.click("all_column:rows")
        state = window.until(lambda s: len(self.plain[s["all_tracks"][-1]]) >= len(self.plain[s["all_tracks"][0]])
                             and s["all_tracks"] != sorted(self.plain), "sorted by rows")
        counts = [len(self.plain[t]) for t in state["all_tracks"]]
        self.assertEqual(counts, sorted(counts))
        late = max(self.plain, key=lambda t: (min(self.plain[t]), t))
        window.click("tracks_search")
        window.keys(*str(late))
        state = window.until(lambda s: s["all_tracks"] and all(str(t).startswith(str(late)) for t in s["all_tracks"]), "those sought")
        self.assertEqual(state["words"]["tracks_count"], f"{len(state['all_tracks'])} of {len(self.plain)} tracks")
        window.point("camera0", 0.02, 0.98)
        window.press(4, "--repeat", 10, "--delay", 15)
        window.until(lambda s: s["zoom"] > 5, "only a corner is seen")
        window.click(f"all:{late}")

        def in_sight(widgets):
            x, y, width, height = widgets["camera0"]
            return x <= widgets[f"marker:{late}"][0] < x + width and y <= widgets[f"marker:{late}"][1] < y + height
        window.until(lambda s: s.get("selected") == late and s["frame"] in self.plain[late]
                     and f"marker:{late}" in s["widgets"] and in_sight(s["widgets"]), "it is there, selected and in sight")
        window.quit()

    def test_names_with_the_keys_are_kept_and_exported(self):
        window = self.paused()
        track = self.apart(window.state())[0]
        window.click(f"marker:{track}")
        window.until(lambda s: s.get("selected") == track, "selected")
        window.keys("F2")
        window.until(lambda s: s["naming"] and "rename_text" in s["widgets"], "the question")
        window.keys("h", "i", "p", "Return")
        window.until(lambda s: s["edits"] == 1 and not s["naming"] and s["summaries"][str(track)][4] == "hip", "its name")
        window.click("tab:Tracks")
        window.click("tracks:frame")
        places = window.until(lambda s: "named:hip" in s["widgets"] and f"track:{track}" in s["widgets"], "beside its number in the table")["widgets"]
        self.assertAlmostEqual(places["named:hip"][1], places[f"track:{track}"][1], delta=3)
        window.click("column:name")
        window.until(lambda s: s["table"][-1] == str(track), "sorted by name")
        columns = {name: place[2] for name, place in window.state()["widgets"].items() if name.startswith("column:") and name != "column:name"}
        long = "abcdefghi " * 9 + "end"

        def renamed(name):
            window.keys("F2")
            window.until(lambda s: s["naming"] and "rename_text" in s["widgets"], "the question")
            window.keys("ctrl+a")
            window.type(name)
            window.keys("Return")
        renamed(long)
        state = window.until(lambda s: s["edits"] == 2 and not s["naming"] and "named:" + long in s["widgets"]
                             and s["words"].get("card_title", "").endswith("..."), "a long name, cut in the card")
        self.assertEqual({name: state["widgets"][name][2] for name in columns}, columns)
        window.point("named:" + long, 0.2)
        window.until(lambda s: s["words"].get("hint") == long, "all of it in a hint")
        window.click("tracks:all")
        every = {name: place[2] for name, place in window.until(lambda s: "all_column:rows" in s["widgets"], "all")["widgets"].items()
                 if name.startswith("all_column:") and name != "all_column:name"}
        window.keys("ctrl+z")
        state = window.until(lambda s: s["edits"] == 1 and s["summaries"].get(str(track), [""] * 5)[4] == "hip", "the short one")
        self.assertEqual({name: state["widgets"][name][2] for name in every}, every)
        renamed("   ")
        window.until(lambda s: s["edits"] == 2 and not s["naming"] and s["undo_track"] == f"take the name of {track} away", "blanks are no name")
        window.keys("ctrl+z")
        window.until(lambda s: s["edits"] == 1, "its name again")
        edit = self.kept()[0]
        self.assertEqual((edit["edit"], edit["name"], edit["at"]["frame"]), ("rename", "hip", 0))
        self.assertAlmostEqual(edit["at"]["x"], float(self.plain[track][0]["x"]), delta=1e-3)
        window.keys("ctrl+z")
        window.until(lambda s: s["edits"] == 0 and s["redo_track"] == f"rename {track} to hip", "undone")
        self.assertFalse((self.dir / "film.glint.json").exists())
        window.keys("ctrl+shift+z")
        window.until(lambda s: s["edits"] == 1, "done again")
        window.keys("ctrl+e")
        for name, words in (("film.glint.csv", "edits of these tracks are kept"), ("film.mkv", "is read by this export")):
            window.click("export_file")
            window.keys("ctrl+a")
            window.type(name)
            window.click("export_ok")
            window.until(lambda s: words in s["export_says"] and not s["export_asks"], "refused before it asks")
        window.click("export_file")
        window.keys("ctrl+a")
        window.type("film.csv")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and (self.dir / "film.csv").exists(), "exported")
        window.quit()
        exported = rows(self.dir / "film.csv")
        self.assertEqual({int(row["track"]) for row in exported if row["name"] == "hip"}, {track})
        self.glint("track", "film.mkv", "--edits", "film.glint.json", "-o", "edited.csv", "--quiet")
        self.assertEqual((self.dir / "film.csv").read_bytes(), (self.dir / "edited.csv").read_bytes())
        window = self.paused()
        window.until(lambda s: s["edits"] == 1 and s["summaries"].get(str(track), [None] * 6)[4] == "hip", "it is there again")
        window.quit()

    def test_ctrl_q_counts_in_dialogs(self):
        window = self.paused()
        window.click(f"marker:{self.apart(window.state())[0]}")
        window.until(lambda s: "selected" in s, "selected")
        window.keys("F2")
        window.until(lambda s: s["naming"] and "rename_text" in s["widgets"], "the question for a name")
        window.quit()
        window = self.paused()
        window.click("propose")
        window.until(lambda s: s["proposing"], "another dialog")
        window.quit()

    def test_split_join_swap_hide_and_delete(self):
        window = self.paused()
        a, b, c = self.apart(window.state())[:3]
        window.keys(*["Right"] * 10)
        window.until(lambda s: s["frame"] == 10 and s["whole"] and not s["stale"], "frame 10")
        window.click(f"marker:{a}")
        window.until(lambda s: s.get("selected") == a, "selected")
        for opens, shows in (("ctrl+o", "choosing"), ("h", "help")):
            window.keys(opens)
            window.until(lambda s: s[shows], "a dialog")
            window.keys("Delete", "Right", "r", "ctrl+e", "Escape")
            state = window.until(lambda s: not s[shows], "no key did anything behind it")
            self.assertEqual((state["frame"], state["edits"], state["recording"], state["export"]), (10, 0, False, False))
        window.keys("s")
        state = window.until(lambda s: s["edits"] == 1 and "1000" in s["summaries"], "split")
        self.assertEqual((state["summaries"][str(a)][:2], state["summaries"]["1000"][:2]), ([0, 9], [10, LAST]))
        self.assertNotIn(f"marker:{a}", state["widgets"])
        window.until(lambda s: s.get("selected") == 1000 and "absent" not in s["words"], "the part that is in this frame is selected")
        window.keys("w")
        window.until(lambda s: s["picking"], "the other one is asked for")
        window.click(f"marker:{b}")
        window.until(lambda s: s["edits"] == 2 and not s["picking"], "swapped")
        state = self.table(window)
        window.click(f"all:{a}")  # the track is in another frame, so the window jumps there
        window.until(lambda s: s.get("selected") == a and s["frame"] == 9, "its last frame")
        window.keys("j")
        window.until(lambda s: s["picking"], "the other one is asked for")
        window.click("all_column:id")
        window.until(lambda s: s["all_tracks"][0] == 1000, "the highest first")
        window.click("all:1000")
        state = window.until(lambda s: s["edits"] == 3 and str(a) in s["summaries"] and "1000" not in s["summaries"], "joined")
        self.assertEqual(state["summaries"][str(a)][:2], [0, LAST])
        # From frame 10 on, each of the two tracks has the places of the other.
        window.keys("Right")
        state = window.until(lambda s: s["frame"] == 10 and s["whole"] and not s["stale"], "frame 10")
        at = {row[1]: row[2] for row in state["rows"]}
        for track, was in ((a, b), (b, a)):
            self.assertAlmostEqual(at[track], float(self.plain[was][10]["x"]), delta=0.01)
        window.click(f"marker:{c}", button=3)
        window.click("menu:Delete")
        window.until(lambda s: s["edits"] == 4 and str(a) in s["summaries"] and str(c) not in s["summaries"] and "selected" not in s, "deleted")
        window.click(f"marker:{b}", button=3)
        window.until(lambda s: "menu:Hide" in s["widgets"], "the menu")
        window.keys("Escape")
        window.until(lambda s: "menu:Hide" not in s["widgets"] and s.get("selected") == b, "the menu alone is closed")
        window.click(f"marker:{b}", button=3)
        window.click("menu:Hide")
        window.until(lambda s: s["edits"] == 5 and f"marker:{b}" not in s["widgets"] and s["summaries"].get(str(b), [False] * 6)[5], "hidden")
        self.assertEqual([edit["edit"] for edit in self.kept()], ["split", "swap", "join", "delete", "hide"])
        window.click("tracks:edits")
        words = window.until(lambda s: "edit:4" in s["words"], "the list of them")["words"]
        self.assertEqual([words[f"edit:{i}"] for i in range(5)], [f"split {a} at frame 10", f"swap 1000 and {b} from frame 10", f"join {a} and 1000",
                                                                  f"delete {c}", f"hide {b}"])
        window.keys(*["ctrl+z"] * 4)
        window.until(lambda s: s["edits"] == 1 and "1000" in s["summaries"] and "marker:1000" in s["widgets"], "only split")
        window.click("marker:1000")
        window.until(lambda s: s.get("selected") == 1000, "one that undoing takes away")
        window.keys("ctrl+z")
        state = window.until(lambda s: s["edits"] == 0 and len(s["summaries"]) == len(self.plain) and "selected" not in s, "all undone")
        self.assertEqual(state["redo_track"], f"split {a} at frame 10")
        window.quit()

    def test_a_join_of_tracks_that_are_seen_together_says_what_it_leaves(self):
        window = self.paused()
        a, b = self.apart(window.state())[:2]
        window.click(f"marker:{a}")
        window.until(lambda s: s.get("selected") == a, "selected")
        window.keys("j")
        window.until(lambda s: s["picking"], "the other one is asked for")
        window.click(f"marker:{b}")
        state = window.until(lambda s: not s["picking"] and f"{a} and {b} cannot be joined" in s["said"], "refused, with the reason")
        self.assertEqual(state["edits"], 0)
        self.assertFalse((self.dir / "film.glint.json").exists())
        # The second part of one of them is not seen wherever the other is.
        window.keys(*["Right"] * 10)
        window.until(lambda s: s["frame"] == 10 and s["whole"] and not s["stale"], "frame 10")
        window.keys("s")
        window.until(lambda s: s["edits"] == 1 and "1000" in s["summaries"] and s.get("selected") == 1000, "split")
        window.keys("j")
        window.until(lambda s: s["picking"], "the other one is asked for")
        window.click(f"marker:{b}")
        window.until(lambda s: s["edits"] == 2 and f"in frames with both, {b} keeps its id" in s["said"], "that is said")
        window.quit()

    def test_settings_and_tracks_are_undone_in_their_order(self):
        window = self.paused()
        window.click("tab:Settings")
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"] and s["whole"] and not s["tracking"], "fixed")
        track = self.apart(window.state())[0]
        window.click(f"marker:{track}")
        window.until(lambda s: s.get("selected") == track, "selected")
        window.keys("b")
        window.until(lambda s: s["edits"] == 1, "hidden")
        window.click("undo")
        window.until(lambda s: s["edits"] == 0 and s["detect.threshold"] != '"auto"', "the track first")
        window.click("undo")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and s["applied"], "then the setting")
        window.click("redo")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["edits"] == 0, "in the same order")
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and s["applied"] and s["whole"] and not s["tracking"], "as it was")
        window.keys("b")  # a new edit removes the undone setting
        window.until(lambda s: s["edits"] == 1 and s["summaries"].get(str(track), [False] * 6)[5], "hidden anew")
        window.keys("ctrl+z")
        window.until(lambda s: s["edits"] == 0 and s["redo_track"] == f"hide {track}", "shown")
        window.keys("ctrl+shift+z")
        window.until(lambda s: s["edits"] == 1 and s["detect.threshold"] == '"auto"' and s["said"] == f"redone: hide {track}", "what was undone last")
        window.keys("ctrl+z")
        window.until(lambda s: s["edits"] == 0, "shown again")
        window.click("auto:detect.threshold")  # a new setting removes the undone edit
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"] and s["redo_track"] == "", "fixed anew")
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and s["applied"], "undone")
        window.keys("ctrl+shift+z", "ctrl+shift+z")
        window.until(lambda s: s["said"] == "nothing to redo", "no more than one is done again", passing=True)
        state = window.until(lambda s: s["applied"], "that one is done")
        self.assertEqual((state["detect.threshold"] != '"auto"', state["edits"]), (True, 0))
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and not s["unsaved"], "as it was")
        window.quit()

    def edits_file(self, name, *edits):
        """Writes a file with one edit for each track, by its place in frame 0."""
        def at(track):
            row = self.plain[track][0]
            return {"camera": 0, "frame": 0, "x": float(row["x"]), "y": float(row["y"])}
        (self.dir / name).write_text(json.dumps({"glint_edits": 1, "edits": [{**edit, "at": at(track)} for track, edit in edits],
                                                 "scales": [{"camera": 0, "mm_per_px": 0.5}]}))

    def test_recordings_and_streams_are_as_they_are_shown(self):
        a, b = self.long[:2]
        self.edits_file("film.glint.json", (a, {"edit": "rename", "name": "hip"}), (b, {"edit": "delete"}))
        receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(receiver.close)
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(TIMEOUT)
        window = self.paused()
        window.until(lambda s: s["edits"] == 2 and s["summaries"].get(str(a), [""] * 6)[4] == "hip", "they are applied")
        window.click("record_options")
        window.click("stream_target")
        window.type(f"udp:{receiver.getsockname()[1]}")
        window.keys("Return")
        window.until(lambda s: s["streams"], "it streams")
        window.keys("Escape", "r", *["Right"] * 3)
        state = window.until(lambda s: s["frame"] == 3 and s["recording"] and not s["stale"], "four frames")
        window.keys("r")
        window.until(lambda s: not s["recording"], "recorded")
        self.assertEqual(window.state()["messages"], 0)
        sent = json.loads(receiver.recv(1 << 16))
        window.quit()
        self.glint("track", "film.mkv", "--edits", "film.glint.json", "--frames", 4, "-o", "e.csv", "--quiet")
        self.assertEqual(self.text(state["recording_name"]), self.text("e.csv"))
        self.assertIn("x_mm", self.text("e.csv").splitlines()[0])
        marker = {marker["track"]: marker for marker in sent["markers"]}
        self.assertEqual(marker[a]["name"], "hip")
        self.assertNotIn(b, marker)

    def test_other_edits_are_named(self):
        a, b = self.long[:2]
        self.edits_file("film.glint.json", (a, {"edit": "delete"}))
        self.edits_file("other.json", (b, {"edit": "rename", "name": "knee"}))
        before = self.text("film.glint.json")
        self.glint("replay", "film.mkv", "--edits", "other.json", "-o", "shown.csv", "--speed", "max", "--exit-at-end",
                   env={**self.display.environment(), "XDG_STATE_HOME": str(self.dir / "state")})
        self.glint("track", "film.mkv", "--edits", "other.json", "-o", "tracked.csv", "--quiet")
        self.assertEqual(self.text("shown.csv"), self.text("tracked.csv"))
        window = self.paused("--edits", "other.json")
        window.until(lambda s: s["summaries"].get(str(b), [""] * 6)[4] == "knee" and str(a) in s["summaries"], "the named ones")
        track = self.apart(window.state())[0]
        window.click(f"marker:{track}")
        window.until(lambda s: s.get("selected") == track, "selected")
        window.keys("Delete")
        window.until(lambda s: s["edits"] == 2, "another edit")
        window.quit()
        self.assertEqual(len(json.loads(self.text("other.json"))["edits"]), 2)
        self.assertEqual(self.text("film.glint.json"), before)

    def test_what_no_longer_matches_is_listed_and_dropped(self):
        nowhere, its = {"camera": 0, "frame": 3, "x": 1, "y": 1}, self.plain[self.long[0]][3]
        there = {**nowhere, "x": float(its["x"]), "y": float(its["y"])}
        (self.dir / "film.glint.json").write_text(json.dumps({"glint_edits": 1, "edits": [{"edit": "hide", "at": at} for at in (nowhere, there)]}))
        window = self.paused()
        window.until(lambda s: s["unmatched"] == 1 and "an edit of the recording's tracks no longer" in s["toasts"], "it is said")
        window.click("tab:Settings")
        window.click("value:detect.threshold")
        window.keys("ctrl+a")
        window.type("0.99")
        window.keys("Return")
        window.until(lambda s: s["unmatched"] == 2 and "2 edits of the recording's tracks no longer" in s["toasts"]
                     and "an edit of" not in s["toasts"], "that now there are two")
        window.keys("ctrl+e")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and "2 edits match no track with these settings" in s["toasts"], "the export says so, too")
        window.click("tab:Tracks")
        window.click("tracks:edits")
        for left in (1, 0):
            window.click("edit_drop:0")
            window.until(lambda s: s["edits"] == left, "dropped")
        self.assertEqual(json.loads(self.text("film.glint.json")).get("edits", []) if (self.dir / "film.glint.json").exists() else [], [])
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()
        window.quit()

    def test_a_single_picture_has_no_tracks_to_wait_for(self):
        (self.dir / "one").mkdir()
        self.glint("mask", "film.mkv", "-o", "one/picture.png")
        window = self.window("replay", "one/", "--paused", "--set", "track.confirm=1")
        window.click("tab:Tracks")
        window.click("tracks:all")
        window.keys("y")
        told = window.until(lambda s: {"tracks_empty", "curves_empty"} <= s["words"].keys(), "why both are empty")["words"]
        self.assertEqual({told["tracks_empty"], told["curves_empty"]}, {"Unrelated pictures share no tracks."})
        window.quit()

    def test_a_broken_file_is_told_of_and_left_alone(self):
        (self.dir / "film.glint.json").write_text("{")
        window = self.paused()
        window.until(lambda s: "film.glint.json" in s["toasts"] and "is not kept" in s["toasts"], "it is said")
        track = self.apart(window.state())[0]
        window.keys("Escape")
        window.click(f"marker:{track}")
        window.until(lambda s: s.get("selected") == track, "selected")
        window.keys("Delete")
        window.until(lambda s: s["edits"] == 1, "deleted for now")
        window.quit()
        self.assertEqual(self.text("film.glint.json"), "{")


if __name__ == "__main__":
    unittest.main()
