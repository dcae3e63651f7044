"""Finding, explaining and typing settings."""

import unittest

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path
from harness import rows, wait_until

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"


class Settings(WindowTest):
    def paused(self, *arguments):
        window = self.window("replay", CLIP, "--paused", *VALIDATED, *arguments)
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and not s["stale"], "the first frame")
        return window

    def shown(self, state):
        """Returns the keys of the settings that are in sight."""
        return {name.removeprefix("label:") for name in state["widgets"] if name.startswith("label:")}

    def discarded(self, window):
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_basics_first_and_the_rest_by_search(self):
        window = self.paused("--set", "track.gate=5")
        basics = {"response.kind", "detect.method", "detect.separation", "detect.threshold", "detect.min_radius", "track.max_gap",
                  "track.stitch_gap"}
        state = window.until(lambda s: "group:Tracks" in s["widgets"], "the groups")
        self.assertEqual(self.shown(state), basics)
        window.click("group:Tracks")
        window.until(lambda s: {"track.gate", "track.confirm"} <= self.shown(s), "one of them is open")
        window.click("search_settings")
        window.type("eccentr")
        window.until(lambda s: self.shown(s) == {"detect.max_eccentricity"}, "by its name")
        window.keys("ctrl+a")
        window.type("brighter is kept")
        window.until(lambda s: self.shown(s) == {"detect.separation"}, "by its help, wherever it is")
        window.keys("ctrl+a")
        window.type("blink")
        window.until(lambda s: self.shown(s) == {"track.max_gap", "track.stitch_gap"}, "by a word for its effect")
        window.keys("ctrl+a")
        window.type("min size")
        window.until(lambda s: self.shown(s) == {"detect.min_radius", "detect.min_mass"}, "by several words")
        window.keys("ctrl+a")
        window.type("camera.gain")
        window.until(lambda s: self.shown(s) == set(), "a recording has none")
        window.click("search_clear")
        window.until(lambda s: basics < self.shown(s) and "group:Tracks" in s["widgets"], "all again")
        window.quit()

    def test_numbers_are_typed(self):
        window = self.paused()
        window.click("value:detect.separation")
        window.type("9,25")
        window.keys("Return")
        window.until(lambda s: s["detect.separation"] == "9.25" and s["applied"], "a number")
        window.click("value:detect.separation")
        window.type("100000 px")
        window.keys("Return")
        window.until(lambda s: s["detect.separation"] == "65536.0" and s["applied"], "no more than is allowed")
        window.click("value:detect.separation")
        window.type("1.234,5")
        window.keys("Return")
        window.click("value:detect.threshold")
        window.type("0,5")
        window.click("value:track.max_gap")  # a click elsewhere ends the input
        window.until(lambda s: s["detect.threshold"] == "0.5" and s["applied"], "a fixed threshold")
        window.type("7.6 frames")
        window.keys("Return")
        state = window.until(lambda s: s["track.max_gap"] == "8" and s["applied"], "a whole number")
        self.assertEqual(state["detect.separation"], "65536.0")
        window.keys("ctrl+z", "ctrl+z", "ctrl+z")
        window.until(lambda s: s["detect.separation"] == "9.25" and s["detect.threshold"] == '"auto"' and s["track.max_gap"] == "15", "undone one by one")
        self.discarded(window)

    def test_no_limit(self):
        window = self.paused()
        window.click("search_settings")
        window.type("radius of a marker")
        window.until(lambda s: self.shown(s) == {"response.radius", "detect.min_radius", "detect.max_radius"}, "all of it was typed")
        window.drag("set:detect.max_radius", (0.99, 0.5), (0.3, 0.5))
        window.until(lambda s: s["applied"] and 0.1 < float(s["detect.max_radius"]) < 10, "a limit")
        window.drag("set:detect.max_radius", (0.3, 0.5), (1.2, 0.5))
        window.until(lambda s: s["applied"] and s["detect.max_radius"] == "65536.0", "the end of the slider is none")
        window.click("value:detect.min_radius")
        window.type("2")
        window.keys("Return")
        window.until(lambda s: s["applied"] and s["detect.min_radius"] == "2.0", "a limit")
        window.click("value:detect.min_radius")
        window.type("no limit")
        window.keys("Return")
        window.until(lambda s: s["applied"] and s["detect.min_radius"] == "0.0", "none")
        window.quit()

    def test_tooltips_come_when_the_cursor_rests(self):
        """The paused window draws the tip by itself, without any other event, and then nothing more."""
        window = self.paused()
        window.until(lambda s: s["whole"] and not s["tracking"], "nothing goes on behind it")
        window.point("label:detect.separation")
        window.until(lambda s: s.get("explained") == "detect.separation", "its help")
        self.assertEqual(window.has_settled()["explained"], "detect.separation")
        # The screen shows it, too, although nothing happens after it has become due.
        hint = window.state()["widgets"]["hint"]
        window.point("camera0")
        window.until(lambda s: "explained" not in s, "it is gone")
        without = window.shown(*hint)
        window.point("label:detect.separation")
        window.until(lambda s: s.get("explained") == "detect.separation" and s["widgets"]["hint"] == hint, "its help again")
        wait_until(lambda: window.shown_now(*hint) != without, "the help is on the screen")
        window.point("camera0")
        window.until(lambda s: "explained" not in s, "it is gone")
        window.quit()

    def test_proposed_settings_are_used_and_undone(self):
        window = self.paused("--set", "detect.threshold=0.95", "--set", "track.max_gap=9")
        before = window.state()["markers"]
        window.click("propose")
        window.until(lambda s: s["proposing"] and s["proposed"] and "proposed_picture" in s["widgets"], "something is proposed")
        told = window.state()["proposed"]
        changes = {label: values for label, *values in window.state()["proposed_changes"]}
        self.assertEqual(changes["Threshold"], ["0.950", "auto"])
        probed = self.glint("probe", CLIP).stdout.splitlines()[0]
        self.assertEqual(told, f"{probed.split(' frames')[0]} frames: {probed.split(': ', 1)[1]}.")
        window.click("propose_use")
        state = window.until(lambda s: not s["proposing"] and s["applied"] and not s["stale"] and s["detect.threshold"] == '"auto"', "they are used")
        self.assertGreater(state["markers"], before)
        self.assertEqual(state["track.max_gap"], "9")
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == "0.95" and s["markers"] == before and not s["stale"], "undone, as one step")
        window.click("propose")
        window.until(lambda s: "propose_close" in s["widgets"], "again")
        window.keys("Escape")
        window.until(lambda s: not s["proposing"], "given up")
        window.quit()

    def fill(self, window, **fields):
        for name, value in fields.items():
            window.click(name)
            window.type(str(value))
            window.keys("Return")

    def test_ranges_are_tried_used_and_undone(self):
        window = self.paused()
        before = [window.state()[key] for key in ("detect.separation", "detect.threshold_sigma")]
        window.click("label:detect.separation", button=3)
        window.click("try_range:detect.separation")
        window.until(lambda s: s["ranging"] and "range0_from" in s["widgets"] and "range1_from" not in s["widgets"], "one setting")
        window.click("range1_setting")
        window.click("range_of:detect.threshold_sigma")
        window.until(lambda s: "range1_from" in s["widgets"], "and another one")
        self.fill(window, range0_from="4,0", range0_to=12, range0_steps=3, range1_from=3, range1_to=7, range1_steps=2)
        window.click("range_try")
        state = window.until(lambda s: "range_best" in s and "range_frame" in s["widgets"], "they were tried")
        self.assertEqual(state["range_values"], [[a, b] for a in ("4", "8", "12") for b in ("3", "7")])
        # The colours span a tenth of the best score or more, so that nearly equal scores look alike.
        scores, best_score = state["range_scores"], max(state["range_scores"])
        span = max(best_score - min(scores), 0.1 * best_score)
        for score, share in zip(scores, state["range_shares"]):
            self.assertAlmostEqual(share, 1 - (best_score - score) / span, places=9)
        self.assertIn("range_scale", state["widgets"])
        # The command must give the same.
        self.glint("sweep", CLIP, "--over", "detect.separation=4,8,12", "--over", "detect.threshold_sigma=3,7", "-o", "s.csv")
        table = rows(self.dir / "s.csv")
        best = table[state["range_best"]]
        self.assertEqual((best["best"], state["range_shown"]), ("1", state["range_best"]))
        self.assertIn(f"score {float(best['score']):.2f}, {best['tracks']} tracks, {best['rows']} rows", state["range_says"])
        # The frame under the mouse is shown; a click keeps it.
        other = 5 if state["range_best"] != 5 else 1
        window.point(f"range_cell:{other}")
        window.until(lambda s: s["range_shown"] == other, "another one's frame")
        window.point("range_close")
        window.until(lambda s: s["range_shown"] == state["range_best"], "the best again")
        window.click(f"range_cell:{other}")
        window.point("range_close")
        window.until(lambda s: s["range_shown"] == other, "it was chosen")
        window.click("range_use")
        wanted = [f"{float(value):.1f}" for value in state["range_values"][other]]
        window.until(lambda s: not s["ranging"] and s["applied"] and [s["detect.separation"], s["detect.threshold_sigma"]] == wanted, "it is used")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and [s["detect.separation"], s["detect.threshold_sigma"]] == before, "undone, as one step")
        window.quit()

    def test_a_range_that_is_none_and_one_that_is_given_up(self):
        window = self.paused()
        window.click("try_range")
        window.until(lambda s: s["ranging"] and "range0_from" in s["widgets"], "the dialog")
        self.fill(window, range0_from=9, range0_to=3)
        window.click("range_try")
        state = window.until(lambda s: "range_problem" in s["widgets"], "it says so")
        self.assertIn("Minimum distance: ", state["range_says"])
        self.fill(window, range0_to=30, range0_steps=12)
        window.click("range_try")
        window.until(lambda s: "range_progress" in s["widgets"] or "range_best" in s, "it runs")
        window.keys("Escape")
        window.until(lambda s: not s["ranging"], "given up")
        window.quit()

    def test_presets_are_saved_used_and_deleted(self):
        folder = self.dir / "config/glint/presets"
        window = self.paused("--set", "detect.threshold=0.7", "--set", "detect.region=0,0,300,200")
        window.click("presets")
        window.click("preset_name")
        window.type("dim lab")
        window.keys("Return")
        window.until(lambda s: s["presets"] == ["dim lab"] and "preset:dim lab" in s["widgets"], "it is saved")
        window.click("preset_name")
        window.type("../escape")
        window.keys("Return")
        state = window.until(lambda s: "preset_problem" in s["widgets"], "no name for a file")
        for widget in ("preset_problem", "preset_save", "preset_x:dim lab"):
            x, _, width, _ = state["widgets"][widget]
            self.assertTrue(0 <= x and x + width <= state["width"], (widget, x, width))
        self.assertEqual([path.name for path in folder.iterdir()], ["dim lab.toml"])
        window.keys("Escape", "Escape")
        window.until(lambda s: "preset_name" not in s["widgets"], "closed")
        with_preset = self.glint("track", CLIP, "--config", folder / "dim lab.toml", "-o", "t.csv", "--frames", "1", "--quiet")
        self.assertEqual(with_preset.returncode, 0)
        self.assertIn("threshold = 0.7", self.text("config/glint/presets/dim lab.toml"))
        self.assertNotIn("300", self.text("config/glint/presets/dim lab.toml"))
        window.click("auto:detect.threshold")
        window.until(lambda s: s["applied"] and s["detect.threshold"] == '"auto"', "another one")
        window.click("presets")
        window.click("preset:dim lab")
        window.until(lambda s: s["applied"] and s["detect.threshold"] == "0.7" and s["detect.region"] == '"0,0,300,200"', "used")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and s["detect.threshold"] == '"auto"', "undone")
        window.click("presets")
        seen = window.state()["releases"]
        window.double_click("preset_x:dim lab")
        window.until(lambda s: s["releases"] >= seen + 2 and s["presets"] == ["dim lab"] and "preset_delete:dim lab" in s["widgets"], "it asks, once")
        window.click("preset_delete:dim lab")
        window.until(lambda s: s["presets"] == [] and "preset:dim lab" not in s["widgets"], "deleted")
        self.assertEqual(list(folder.iterdir()), [])
        window.keys("Escape")
        window.until(lambda s: "preset_name" not in s["widgets"], "closed")
        self.discarded(window)

    def test_many_presets_scroll_in_their_menu(self):
        folder = self.dir / "config/glint/presets"
        folder.mkdir(parents=True)
        for number in range(60):
            (folder / f"lab {number:02}.toml").write_text("[detect]\nthreshold = 0.7\n")
        window = self.paused()
        window.click("presets")
        window.point("preset:lab 03")
        window.press(5, "--repeat", 60, "--delay", 8)
        window.until(lambda s: sum(s["widgets"]["preset_save"][1::2]) < s["height"], "its end is in sight")
        window.keys("Escape", "Escape")
        window.until(lambda s: "preset_name" not in s["widgets"], "closed")
        window.quit()

    def test_filters_are_found_ordered_and_removed(self):
        window = self.paused("--filter", "low=gaussian:sigma=1", "--filter", "light=average")
        window.keys("Right", "Right")
        window.until(lambda s: s["frame"] == 2 and "light mean 0." in s["filter_numbers"], "its number")
        window.click("add_filter")
        window.type("EDGES OF")
        window.until(lambda s: "search_filters" in s["widgets"] and "add:box" not in s["widgets"], "few are left")
        window.keys("ctrl+a")
        window.type("median")
        window.until(lambda s: [name for name in s["widgets"] if name.startswith("add:")] == ["add:median"], "all was typed")
        window.click("add:median")
        window.until(lambda s: "filter.median.use" in s and s["applied"] and not s["stale"], "it is added")

        def order():
            widgets = window.state()["widgets"]
            return [name for _, name in sorted((place[1], name.removeprefix("filter:")) for name, place in widgets.items() if name.startswith("filter:"))]
        self.assertEqual(order(), ["low", "light", "median"])
        window.click("filter_up:median")
        window.until(lambda s: s["applied"] and order() == ["low", "median", "light"], "earlier")
        window.click("filter_show:median")
        window.until(lambda s: s["shows_filter"] == "median", "its output is shown")
        window.click("filter:median")
        window.until(lambda s: s["applied"] and "filter.median.use" not in s and order() == ["low", "median", "light"], "off, in its place")
        window.until(lambda s: s["shows"] == "Source", "what is off shows nothing")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and "filter.median.use" in s and order() == ["low", "median", "light"], "on by undo")
        window.keys("ctrl+shift+z")
        window.until(lambda s: s["applied"] and "filter.median.use" not in s and order() == ["low", "median", "light"], "off by redo, in its place")
        window.click("filter_down:low")
        window.until(lambda s: s["applied"] and order() == ["median", "low", "light"], "past one that is off")
        window.click("filter:median")
        window.until(lambda s: s["applied"] and "filter.median.use" in s and order() == ["median", "low", "light"], "on again")
        window.keys("ctrl+s")
        window.until(lambda s: not s["unsaved"], "saved")
        saved = [line.split('"')[1] for line in self.text("glint.toml").splitlines() if line.startswith("id =")]
        self.assertEqual(saved, ["median", "low", "light"])
        window.click("filter_remove:low")
        window.until(lambda s: s["applied"] and order() == ["median", "light"], "away")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and order() == ["median", "low", "light"], "undone")
        window.click("value:filter.low.sigma")
        window.type("2.5")
        window.keys("Return")
        window.until(lambda s: s["applied"] and s["filter.low.sigma"] == "2.5", "a number that was typed")
        self.discarded(window)

    def test_a_click_on_a_filter_shows_what_it_makes_and_changes_nothing(self):
        # The first two filters become one step on the device, and the third one remembers frames.
        chain = [part for use in ("dark=invert", "light=invert", "still=background") for part in ("--filter", use)]
        self.glint("track", CLIP, *chain, "-o", "expected.csv", "--quiet")
        window = self.paused(*chain, "-o", "seen.csv")
        window.click("filter_show:dark")
        window.until(lambda s: s["shows_filter"] == "dark" and "filter_shown" in s["widgets"] and not s["stale"], "what the first one makes")
        window.point("camera0", 0.5, 0.5)
        told = window.until(lambda s: "  filter " in s["pointed_at"] and "  source " in s["pointed_at"], "its value")["pointed_at"].split()
        self.assertEqual(int(told[told.index("filter") + 1]) + int(told[told.index("source") + 1]), 255)
        # The output is bright where the source is dark. It lies beside the markers, which stay where they are.
        places = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        corner = window.place("camera0", 0.4, 0.1)
        self.assertGreater(min(window.pixels(*corner, 1, 1)[0][0]), 200)
        window.keys("Escape")
        window.until(lambda s: s["shows"] == "Source" and "filter_shown" not in s["widgets"], "Escape shows the source")
        window.until(lambda s: max(window.pixels(*corner, 1, 1)[0][0]) < 80, "dark again")
        told = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        self.assertEqual(told, places)
        for frame, name in enumerate(("still", "light"), 1):
            window.click(f"filter_show:{name}")
            window.keys("Right")
            window.until(lambda s: (s["shows_filter"], s["frame"]) == (name, frame) and not s["stale"], name)
        window.keys("space")
        window.click("filter_show:still")
        window.until(lambda s: s["shows_filter"] == "still", "another one while it plays")
        window.until(lambda s: s["mode"] == "at_end", "the end")
        window.click("filter_show:still")
        window.until(lambda s: s["shows"] == "Source", "a second click shows the source")
        window.quit()
        self.assertEqual(self.text("seen.csv"), self.text("expected.csv"))


if __name__ == "__main__":
    unittest.main()
