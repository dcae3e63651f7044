"""The marks and panels that are drawn over and beside the images."""

import re
import unittest

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path
from harness import rows, wait_until

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"


class Sights(WindowTest):
    def paused(self, *arguments, source=CLIP):
        window = self.window("replay", source, "--paused", *VALIDATED, *arguments)
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and not s["stale"], "the first frame")
        return window

    def test_numbers_keep_apart(self):
        window = self.paused("--set", "track.confirm=1", "--set", "detect.max_markers=512",
                             source="synth:spots?size=640x480&markers=400&frames=4&seed=2")
        window.keys("Right", "Right")
        state = window.until(lambda s: s["frame"] == 2 and not s["stale"] and len(s["labels"]) > 100, "numbers")
        places = {name: place for name, place in state["widgets"].items() if name.startswith("number:")}
        faded = [name for name in state["widgets"] if name.startswith("faded:")]
        self.assertEqual(len(places) + len(faded), len(state["labels"]))
        self.assertGreater(len(places), 0.8 * len(state["labels"]))
        all_of_them = list(places.values())
        for i, a in enumerate(all_of_them):
            for b in all_of_them[:i]:
                apart = a[0] >= b[0] + b[2] or b[0] >= a[0] + a[2] or a[1] >= b[1] + b[3] or b[1] >= a[1] + a[3]
                self.assertTrue(apart, (a, b))
        usual = sum(place[0] > state["widgets"][f"marker:{name[7:]}"][0] and place[1] < state["widgets"][f"marker:{name[7:]}"][1]
                    for name, place in places.items())
        self.assertLess(usual, len(places))  # some labels are at other places than the usual one
        window.quit()

    def test_what_lies_under_a_dialog_is_dark_at_once(self):
        window = self.paused()
        tab = window.state()["widgets"]["tab:Limits"]
        bright = window.shown(*tab)
        window.keys("ctrl+e")
        drawn = window.until(lambda s: s["export"] and "export_ok" in s["widgets"], "a dialog")["drawn"]
        seen = []

        def changes():
            seen.append(window.shown_now(*tab))
            return seen[-1] != bright
        wait_until(changes, "the screen has it")
        dark = seen[-1]
        self.assertLess(sum(dark), 0.7 * sum(bright))
        for x in (0.4, 0.6):
            window.point("views", x, 0.95)
            window.until(lambda s: s["drawn"] > drawn, "another picture")
            drawn = window.state()["drawn"]
        self.assertEqual(window.shown(*tab), dark)
        window.keys("Escape")
        window.until(lambda s: not s["export"] and window.shown(*tab) == bright, "as before")
        window.quit()

    def test_what_is_said_fits_into_a_small_window(self):
        window = self.paused()
        window.display.xdotool("windowsize", window.number(), 800, 500)
        window.until(lambda s: (s["width"], s["height"]) == (800, 500) and not s["stale"], "a small window")
        window.keys("m")
        state = window.until(lambda s: "painting a mask" in s["said"] and s["widgets"]["said"][2] > 100, "a long sentence")
        x, _, width, _ = state["widgets"]["said"]
        left, _, wide, _ = state["widgets"]["views"]
        self.assertTrue(left <= x and x + width <= left + wide, (x, width, left, wide))
        window.keys("m")
        window.quit()

    def test_what_is_said_does_not_cover_the_card_of_a_marker(self):
        window = self.paused()
        window.display.xdotool("windowsize", window.number(), 800, 500)
        window.keys("f")
        state = window.until(lambda s: (s["width"], s["height"]) == (800, 500) and not s["stale"] and s["whole"] and not s["hint"]
                             and "marker:1" in s["widgets"], "a small window")
        markers = {name: place for name, place in state["widgets"].items() if name.startswith("marker:")}
        window.click(max(markers, key=markers.get))
        window.until(lambda s: "selected" in s["widgets"], "its card")

        def is_apart(word):
            window.keys("u")
            widgets = window.until(lambda s: s["said"] == word and s["widgets"]["said"][2] > 60, "a word")["widgets"]
            card, said = widgets["selected"], widgets["said"]
            self.assertTrue(said[0] >= card[0] + card[2] or said[1] >= card[1] + card[3], (card, said))
        is_apart("uncertainty on")
        window.keys("y")
        window.until(lambda s: s["curves"] and "curves" in s["widgets"], "curves leave the image less room")
        is_apart("uncertainty off")
        window.quit()

    def test_the_card_of_a_marker_does_not_cover_the_marker(self):
        # There are so many markers that every card covers some.
        window = self.paused("--set", "track.confirm=1", "--set", "detect.max_markers=512", source="synth:spots?size=640x480&markers=400&frames=4&seed=2")
        window.keys("Right", "Right")
        state = window.until(lambda s: s["frame"] == 2 and not s["stale"] and sum(name.startswith("marker:") for name in s["widgets"]) > 200, "markers")
        middles = {name: (x + width / 2, y + height / 2) for name, (x, y, width, height) in state["widgets"].items() if name.startswith("marker:")}

        def card_of(marker):
            window.click(marker)
            card = window.until(lambda s: f"marker:{s.get('selected')}" == marker and "selected" in s["widgets"], "its card")["widgets"]["selected"]
            window.keys("Escape")
            window.until(lambda s: "selected" not in s and "selected" not in s["widgets"], "no card")
            return card

        def covered(card, marker):
            return card[0] <= middles[marker][0] <= card[0] + card[2] and card[1] <= middles[marker][1] <= card[1] + card[3]
        usual = card_of(max(middles, key=middles.get))
        hidden = [marker for marker in middles if covered(usual, marker)]
        self.assertGreater(len(hidden), 2)
        for marker in (min(hidden, key=middles.get), max(hidden, key=middles.get)):
            card = card_of(marker)
            self.assertEqual(card[2:], usual[2:])
            self.assertFalse(covered(card, marker), (card, middles[marker]))
        window.click(max(middles, key=middles.get))
        window.until(lambda s: "selected" in s["widgets"], "a card over others")
        window.click(hidden[0])
        window.until(lambda s: f"marker:{s.get('selected')}" == hidden[0], "a click goes through it")
        letters = window.state()["letters"]
        window.keys("Escape", *["ctrl+plus"] * 6)
        state = window.until(lambda s: s["letters"] > 1.9 * letters and "selected" not in s, "large text")
        x, y, width, height = state["widgets"]["views"]
        middles = {name: (at[0] + 1, at[1] + 1) for name, at in state["widgets"].items() if name.startswith("marker:")}
        marker = min(middles, key=lambda name: abs(middles[name][0] - x - width / 2) + abs(middles[name][1] - y - height / 2))
        card = card_of(marker)
        self.assertFalse(covered(card, marker), (card, middles[marker]))
        self.assertLess(card[2] * card[3], width * height / 3)
        window.quit()

    def test_numbers_stand_beside_their_sliders_and_can_be_typed(self):
        window = self.paused()
        for tab, name in (("Drawing", "trail_seconds"), ("Mask", "mask_radius")):
            window.click(f"tab:{tab}")
            if tab == "Mask":
                window.click("mask_toggle")
            widgets = window.until(lambda s: f"value:{name}" in s["widgets"], name)["widgets"]
            slider, value = widgets[f"set:{name}"], widgets[f"value:{name}"]
            self.assertGreaterEqual(value[0], slider[0] + slider[2])
            self.assertGreater(slider[2], 20)
        window.click("value:mask_radius")
        window.type("30")
        window.keys("Return")
        window.click("camera0")
        ignored = window.until(lambda s: s["mask_ignored"] > 0, "painted")["mask_ignored"]
        self.assertTrue(2600 < ignored < 3000, ignored)  # pi * 30^2
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_limits_count_what_is_shown(self):
        window = self.paused("--set", "detect.max_eccentricity=0.4")
        window.keys("c")
        window.click("tab:Limits")
        state = window.until(lambda s: "rejected" in s.get("limit_counts", ""), "both counts")
        found, rejected = map(int, re.match(r"(\d+) found, (\d+) rejected", state["limit_counts"]).groups())
        crosses = sum(name.startswith("rejected:") for name in state["widgets"])
        self.assertEqual((found, rejected), (state["markers"], crosses))
        self.assertLess(crosses, 20)
        window.quit()

    def check_it_is_whole(self, window, what):
        """Checks that a picture of which only changed parts were drawn looks like one that is drawn as a whole. Returns the
        state."""
        window.point("status", 0.01)  # a window that is mapped does not know the mouse's place yet
        window.until(lambda s: "value" not in s["status"], "nothing is pointed at")
        state = window.until(lambda s: s["redrawn"] < 0.9 and s["said"] == s["toasts"] == "" and not s["stale"], what)
        shown, number = window.shown(0, 0, state["width"], state["height"]), window.number()
        for change in ("windowunmap", "windowmap"):
            window.display.xdotool(change, number)
        window.until(lambda s: s["drawn_whole"] > state["drawn_whole"], "all of it")
        self.assertTrue(shown == window.shown(0, 0, state["width"], state["height"]), what)
        return state

    def test_what_is_drawn_where_it_changed_is_the_whole_picture(self):
        window = self.paused()
        window.until(lambda s: s["said"] == "" and not s["tracking"], "nothing goes on")
        window.keys("Right", "Right", "Right")
        window.until(lambda s: s["frame"] == 3 and not s["stale"], "the fourth frame")
        state = self.check_it_is_whole(window, "another frame")
        view, whole = state["widgets"]["views"], state["width"] * state["height"]
        self.assertLess(state["redrawn"], view[2] * view[3] / whole + 0.04, "of the timeline what moves, and no more")
        window.click(next(name for name in window.state()["widgets"] if name.startswith("marker:")))
        window.until(lambda s: "selected" in s, "the card of a marker")
        self.check_it_is_whole(window, "a card beside what stays")
        window.click("tab:Limits")
        window.until(lambda s: s["limit_counts"], "another tab")
        self.check_it_is_whole(window, "another tab")
        window.keys("Tab")
        window.until(lambda s: not s["side"] and s["said"] == "", "no panel")
        self.check_it_is_whole(window, "no panel")
        window.quit()

    def test_all_of_sixteen_images_are_drawn_where_they_changed(self):
        others = [f"synth:dancer?size=320x240&frames=60&seed={seed}" for seed in range(6, 21)]
        window = self.paused(*others)
        window.keys("space")
        window.until(lambda s: s["mode"] == "playing" and s["frame"] > 2, "it plays")
        window.keys("space")
        window.until(lambda s: s["mode"] == "paused" and not s["tracking"], "and no more")
        self.check_it_is_whole(window, "sixteen images")
        window.quit()

    def test_key_of_intensities(self):
        window = self.paused()
        window.keys("v", "v", "v")
        window.until(lambda s: s["shows"] == "Intensity" and "intensity_key:0" in s["widgets"] and s["said"] == "", "its key")
        x, y, width, height = window.state()["widgets"]["intensity_key:0"]
        shown = window.pixels(x, y, width, height)
        greens = [(i, j) for j, row in enumerate(shown) for i, (r, g, b) in enumerate(row) if r < 60 and g > 190 and b < 110]
        self.assertGreater(len(greens), 20, "green at the threshold")
        middle = sum(i for i, _ in greens) / len(greens)
        self.assertLess(abs(middle / width - 1 / 3), 0.08)
        window.keys("v")
        window.until(lambda s: s["shows"] == "Candidates" and "intensity_key:0" not in s["widgets"], "elsewhere there is none")
        window.quit()

    def test_timeline_says_what_is_under_the_mouse(self):
        window = self.paused()
        window.until(lambda s: s["whole"] and not s["tracking"], "all of it is known")
        self.glint("track", CLIP, "-o", "t.csv", "--detections", "d.csv", "--quiet")
        window.point("timeline", 0.5, 0.5)
        told = window.until(lambda s: "timeline_told" in s, "what is there")["timeline_told"]
        frame, minutes, seconds, markers, tracks = re.fullmatch(r"frame (\d+), (\d+):([\d.]+)\n(\d+) markers?, (\d+) tracks?", told).groups()
        there = [row for row in rows(self.dir / "t.csv") if row["frame"] == frame]
        self.assertEqual(int(tracks), len(there))
        self.assertEqual(int(markers), sum(row["frame"] == frame for row in rows(self.dir / "d.csv")))
        window.point("out")
        window.until(lambda s: s["words"].get("hint") == "out at frame 59: drag it" and "timeline_told" not in s, "what the mouse would drag")
        self.assertAlmostEqual(60 * int(minutes) + float(seconds), float(there[0]["time_s"]), places=3)
        window.quit()

    def test_timeline_is_filled_while_it_plays(self):
        window = self.window("replay", CLIP, "--speed", "0.01", *VALIDATED)
        window.point("timeline", 0.9, 0.5)
        state = window.until(lambda s: "marker" in s.get("timeline_told", ""), "what comes is known")
        self.assertEqual(state["mode"], "playing")
        self.assertLess(state["frame"], 40)
        self.assertEqual(state["pass"], 0)
        window.quit()

    def test_timeline_is_dragged_taller(self):
        window = self.paused()
        before = window.state()["widgets"]
        x, y = window.place("timeline_edge")
        seen = window.state()["releases"]
        window.move(x, y)
        window.display.xdotool("mousedown", 1)
        for step in range(1, 6):
            window.move(x, y - 20 * step)
        window.let_go(1, seen)
        after = window.until(lambda s: s["widgets"]["views"][3] < before["views"][3] - 90, "less of the image")["widgets"]
        self.assertAlmostEqual(before["views"][3] - after["views"][3], 100, delta=6)
        window.quit()
        window = self.window("replay", CLIP, "--paused")
        window.until(lambda s: abs(s["widgets"]["views"][3] - after["views"][3]) < 2, "as it was left")
        window.quit()


if __name__ == "__main__":
    unittest.main()
