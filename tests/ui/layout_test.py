"""Positions of the parts of a picture: no words overlap, nothing is cut, and edges meet."""

import json
import unittest

from screen import VALIDATED, WindowTest

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"
STRAY = {"edit": "hide", "at": {"camera": 0, "frame": 3, "x": 1, "y": 1}}  # no track is at this place


def right_of(place):
    return place[0] + place[2]


def below(place):
    return place[1] + place[3]


class Layout(WindowTest):
    def paused(self, *sources, size=None):
        window = self.window("replay", *(sources or [CLIP]), "--paused", *VALIDATED)
        if size:
            window.display.xdotool("windowsize", window.number(), *size)
            window.until(lambda s: (s["width"], s["height"]) == size, "its size")
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and s["whole"] and not s["stale"], "the first frame")
        return window

    def test_a_message_is_seen_although_nothing_moves(self):
        self.glint("synth", "dancer?size=320x240&frames=60&seed=5&cameras=1", "-o", "walk.mkv")
        (self.dir / "walk.glint.json").write_text(json.dumps({"glint_edits": 1, "edits": [STRAY]}))
        window = self.paused("walk.mkv")

        def is_seen(place):
            x, y, width, _ = place
            return all(red > 150 > green for red, green, _ in window.pixels(x + width / 4, y, width / 2, 1, now=True)[0])
        window.until(lambda s: "no longer" in s["toasts"] and is_seen(s["widgets"]["toast:0"]), "a message, with its red edge on the screen")
        window.quit()

    def test_what_was_recorded_takes_the_place_of_what_was_begun(self):
        window = self.paused()
        window.keys("r")
        window.until(lambda s: s["recording"] and "recording into " in s["toasts"], "it is begun")
        window.keys("Right", "r")
        state = window.until(lambda s: "recorded glint-" in s["toasts"], "it is recorded")
        self.assertNotIn("recording into ", state["toasts"])
        window.quit()

    def test_what_is_said_stands_beside_a_card(self):
        window = self.paused()
        markers = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        window.click(max(markers, key=markers.get))
        window.until(lambda s: "selected" in s["widgets"], "its card")
        window.keys("u")
        widgets = window.until(lambda s: s["said"] == "uncertainty on" and "said" in s["widgets"] and "selected" in s["widgets"], "a word")["widgets"]
        card, said, views = widgets["selected"], widgets["said"], widgets["views"]
        self.assertTrue(said[0] >= right_of(card) or right_of(said) <= card[0], (card, said))
        self.assertTrue(views[0] <= said[0] and right_of(said) <= right_of(views), (said, views))
        self.assertLess(said[1], views[1] + 0.1 * views[3])
        window.quit()

    def test_the_card_of_a_marker_covers_no_marker(self):
        window = self.window("replay", "synth:spots?size=640x480&markers=30&frames=20", "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["tracks"] >= 30, "many markers")
        for track in range(1, 31, 4):
            window.click(f"marker:{track}")
            told = window.until(lambda s: s.get("selected") == track and "selected" in s["widgets"], "its card")["widgets"]
            x, y, width, height = told["selected"]
            markers = {name: (place[0] + 1, place[1] + 1) for name, place in told.items() if name.startswith("marker:")}
            covered = [name for name, (across, down) in markers.items() if x <= across <= x + width and y <= down <= y + height]
            self.assertEqual(covered, [], track)
        window.quit()

    def test_a_list_opens_below_its_button_and_esc_closes_it_alone(self):
        window = self.paused(size=(800, 500))
        window.keys("m")
        window.until(lambda s: s["painting"], "something that Esc would end")
        window.click("record_options")
        widgets = window.until(lambda s: "record_list" in s["widgets"], "formats")["widgets"]
        arrow, formats = widgets["record_options"], widgets["record_list"]
        self.assertGreaterEqual(formats[1], below(arrow))
        self.assertEqual(right_of(formats), right_of(arrow))
        self.assertGreater(formats[0], 0)
        window.keys("Escape")
        window.until(lambda s: "record_list" not in s["widgets"] and s["painting"], "the list is closed")
        window.keys("Escape")
        window.until(lambda s: not s["painting"], "then the other")
        window.quit()

    def test_escape_closes_the_list_on_top_alone(self):
        window = self.paused()
        markers = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        window.click(max(markers, key=markers.get))
        window.until(lambda s: "selected" in s["widgets"], "a card")
        window.click("set:detect.method")
        window.until(lambda s: "choice:blobs" in s["widgets"], "a list")
        window.keys("Escape")
        window.until(lambda s: "set:detect.method" in s["widgets"] and "choice:blobs" not in s["widgets"] and "selected" in s["widgets"],
                     "the list alone is closed")
        window.keys("Escape")
        window.until(lambda s: "selected" not in s["widgets"] and "camera0" in s["widgets"], "then the card")
        window.keys("ctrl+e")
        window.click("export_format")
        window.until(lambda s: "export_format:jsonl" in s["widgets"], "formats")
        window.keys("Escape")
        window.until(lambda s: "export_format" in s["widgets"] and "export_format:jsonl" not in s["widgets"] and s["export"], "the list alone is closed")
        window.keys("Escape")
        window.until(lambda s: not s["export"], "then the dialog")
        window.quit()

    def test_help_has_two_columns_where_there_is_room(self):
        window = self.paused()
        window.keys("h")
        widgets = window.until(lambda s: {"help", "help_keys", "help_mouse"} <= s["widgets"].keys(), "two columns")["widgets"]
        keys, mouse = widgets["help_keys"], widgets["help_mouse"]
        self.assertLess(right_of(keys), mouse[0])
        self.assertLess(abs(below(keys) - below(mouse)), 0.1 * keys[3])
        window.display.xdotool("windowsize", window.number(), 800, 500)
        window.until(lambda s: s["width"] == 800 and "help_keys" in s["widgets"] and "help_mouse" not in s["widgets"], "one column")
        window.keys("Escape")
        window.until(lambda s: not s["help"], "no keys")
        window.quit()

    def test_fields_of_a_dialog_are_in_line(self):
        window = self.paused()

        def opened(all_frames):
            window.keys("ctrl+e")
            widgets = window.until(lambda s: "export_ok" in s["widgets"] and ("export_all" in s["widgets"]) == all_frames, "the export")["widgets"]
            window.keys("Escape")
            window.until(lambda s: not s["export"], "closed")
            return widgets
        whole = opened(False)
        window.keys("Right", "Right", "o")
        window.until(lambda s: s.get("out") == 2, "a part")
        part = opened(True)
        for name in ("export_ok", "export_close", "export_file", "export_format"):
            self.assertEqual(whole[name], part[name])
        form, file = whole["export_format"], whole["export_file"]
        self.assertEqual((form[0], right_of(form)), (file[0], right_of(file)))
        window.keys("ctrl+o")
        widgets = window.until(lambda s: "open_folder" in s["widgets"] and "open" in s["widgets"], "the chooser")["widgets"]
        self.assertLess(right_of(widgets["source"]), widgets["open_go"][0])
        window.quit()

    def test_settings_keep_their_buttons_in_place(self):
        window = self.paused()
        before = window.state()["widgets"]
        self.assertAlmostEqual(right_of(before["save_settings"]), right_of(before["search_settings"]), delta=2)
        window.drag("set:detect.separation", (0.1, 0.5), (0.2, 0.5))
        after = window.until(lambda s: s["unsaved"] and s["applied"], "another value")["widgets"]
        for name in ("undo", "redo", "load_settings", "save_settings"):
            self.assertEqual(before[name], after[name])
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_tabs_stand_in_rows_where_they_have_no_room_in_one(self):
        several = self.paused(CLIP, CLIP, size=(800, 500))
        several.until(lambda s: {"tab:Calibrate", "tab:Log"} <= s["widgets"].keys(), "all have room")
        several.quit()
        window = self.paused(size=(800, 500))
        window.click("tab:Limits")
        window.until(lambda s: s["limit_counts"], "a tab")

        def rows_of(state):
            return len({place[1] for name, place in state["widgets"].items() if name.startswith("tab:")})
        names = {name for name in window.state()["widgets"] if name.startswith("tab:")}
        self.assertEqual(rows_of(window.state()), 1)
        window.keys(*["ctrl+plus"] * 4)
        widgets = window.until(lambda s: rows_of(s) > 1 and s["limit_counts"], "rows, with the same in front")["widgets"]
        self.assertEqual({name for name in widgets if name.startswith("tab:")}, names)
        for name in names:
            side, tab = widgets["side"], widgets[name]
            self.assertTrue(side[0] <= tab[0] and right_of(tab) <= right_of(side), (name, side, tab))
        window.click("tab:Drawing")
        window.until(lambda s: "draw_markers" in s["widgets"] and not s["limit_counts"], "another one")
        window.click("bell")
        window.until(lambda s: "draw_markers" not in s["widgets"], "the log")
        window.click("tab:Drawing")
        window.until(lambda s: "draw_markers" in s["widgets"], "again")
        window.keys("ctrl+0")
        window.until(lambda s: rows_of(s) == 1 and "draw_markers" in s["widgets"], "one row, with the same in front")
        window.quit()

    def test_the_number_of_the_frame_is_never_cut(self):
        window = self.paused(size=(800, 500))
        state = window.until(lambda s: {"frame_time", "curves_button", "export"} <= s["widgets"].keys(), "number, time and buttons")
        self.assertEqual(state["words"]["frame_number"], "frame 0 (last 59)")
        for _ in range(6):
            window.keys("ctrl+plus")
            state = window.until(lambda s: s["letters"] > state["letters"], "larger text")
            self.assertLessEqual(right_of(state["widgets"]["frame_number"]), state["width"])
            self.assertTrue(state["words"]["frame_number"].startswith("frame 0"))
        self.assertNotIn("curves_button", state["widgets"])
        window.quit()

    def test_buttons_of_a_dialog_stay_in_place(self):
        window = self.paused()
        window.click("try_range")
        before = window.until(lambda s: "range_try" in s["widgets"], "nothing was tried")["widgets"]
        window.click("range_try")
        after = window.until(lambda s: "range_best" in s and "range_frame" in s["widgets"], "it was tried")["widgets"]
        for name in ("range_try", "range_use", "range_close"):
            self.assertEqual(before[name], after[name], name)
        window.keys("Escape")
        window.until(lambda s: not s["ranging"], "closed")
        window.quit()

    def test_hints_do_not_cover_what_they_are_about(self):
        window = self.paused()
        for name, above in (("save_settings", False), ("bell", True), ("label:detect.separation", False)):
            window.point(name)
            state = window.until(lambda s: "hint" in s["widgets"] and (name != "label:detect.separation" or "explained" in s), f"what {name} is about")
            item, hint = state["widgets"][name], state["widgets"]["hint"]
            self.assertTrue(below(hint) <= item[1] if above else hint[1] >= below(item), (name, item, hint))
            self.assertTrue(hint[0] >= 0 and right_of(hint) <= state["width"] and below(hint) <= state["height"], (name, hint))
            window.point("camera0")
            window.until(lambda s: "hint" not in s["widgets"], "it is gone")
        window.quit()

    def test_panels_agree_on_what_they_count(self):
        window = self.window("replay", CLIP, "--speed", "0.02", *VALIDATED)
        frame = 0
        for _ in range(8):
            state = window.until(lambda s: s["frame"] > frame and s["mode"] == "playing" and "marker_count" in s["words"], "a later frame")
            self.assertIn(f"   {state['words']['marker_count']}, ", state["status"])
            frame = state["frame"]
        window.quit()

    def test_values_of_filters_are_in_line_with_settings(self):
        window = self.window("replay", CLIP, "--paused", "--filter", "low=gaussian:sigma=1.5", *VALIDATED)
        widgets = window.until(lambda s: {"value:filter.low.sigma", "value:detect.separation"} <= s["widgets"].keys(), "both")["widgets"]
        own, setting = widgets["value:filter.low.sigma"], widgets["value:detect.separation"]
        self.assertEqual((own[0], own[2]), (setting[0], setting[2]))
        window.quit()

    def test_plots_of_limits_use_the_height_that_there_is(self):
        window = self.paused(size=(1000, 500))
        window.click("tab:Limits")
        low = window.until(lambda s: "handle:detect.threshold" in s["widgets"], "a plot")["widgets"]["handle:detect.threshold"]
        window.display.xdotool("windowsize", window.number(), 1000, 790)
        state = window.until(lambda s: s["height"] == 790 and s["widgets"]["handle:detect.threshold"][3] > 1.2 * low[3], "a taller one")
        lowest = state["widgets"]["handle:detect.min_significance"]
        self.assertLess(below(lowest), below(state["widgets"]["side"]))
        window.quit()

    def test_margins_grow_with_the_text(self):
        window = self.paused()
        before = window.state()["widgets"]
        window.keys(*["ctrl+plus"] * 5)
        after = window.until(lambda s: s["widgets"]["open_button"][3] > 1.4 * before["open_button"][3], "larger text")["widgets"]
        for name in ("open_button", "status_words", "step_on"):
            self.assertGreater(after[name][0], 1.3 * before[name][0], name)
        window.quit()


if __name__ == "__main__":
    unittest.main()
