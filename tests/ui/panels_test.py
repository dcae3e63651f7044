"""Settings, tracks and files, with the mouse."""

import unittest

from screen import WindowTest  # first: it knows where the harness is
from harness import rows

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"
LAST = 59


def rows_by_frame(path):
    count = {}
    for row in rows(path):
        count[int(row["frame"])] = count.get(int(row["frame"]), 0) + 1
    return count


class Panels(WindowTest):
    def paused(self, *arguments):
        window = self.window("replay", CLIP, "--paused", "--set", "device.validation=true", *arguments)
        window.until(lambda s: s["frame"] == 0 and s["mode"] == "paused" and not s["stale"], "the first frame")
        return window

    def test_threshold_is_dragged_undone_and_saved(self):
        window = self.paused()
        before = window.state()["markers"]
        self.assertGreater(before, 3)
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"], "a fixed threshold")
        window.drag("set:detect.threshold", (0.2, 0.5), (0.97, 0.5))
        dragged = window.until(lambda s: s["applied"] and not s["stale"] and s["markers"] < before
                               and float(s["detect.threshold"]) > 0.9, "fewer markers")
        window.keys("ctrl+s")
        window.until(lambda s: (self.dir / "glint.toml").exists(), "the file")
        self.glint("track", CLIP, "--config", "glint.toml", "-o", "t.csv", "--detections", "d.csv", "--frames", "1", "--quiet")
        self.assertEqual(rows_by_frame(self.dir / "d.csv").get(0, 0), dragged["markers"])
        window.keys("ctrl+z", "ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and s["markers"] == before and not s["stale"], "as it was")
        saved = self.text("glint.toml")
        window.keys("ctrl+q")
        window.until(lambda s: s["leaving"], "the question, as the file says something else")
        window.keys("Escape")
        window.until(lambda s: not s["leaving"], "it stays")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()
        self.assertEqual(self.text("glint.toml"), saved)

    def test_limits_are_dragged_and_put_back(self):
        window = self.paused()
        first = window.state()
        window.click("tab:Limits")
        begin = window.place("handle:detect.threshold")[0]
        window.pull("handle:detect.threshold", 220)
        self.assertLess(abs(window.place("handle:detect.threshold")[0] - begin - 220), 2, "it follows the mouse")
        dragged = window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"] and not s["stale"]
                               and s["markers"] < first["markers"], "a higher threshold")["detect.threshold"]
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.threshold"] == '"auto"' and s["markers"] == first["markers"] and not s["stale"], "undone")
        window.keys("ctrl+shift+z")
        window.until(lambda s: s["detect.threshold"] == dragged and s["applied"], "done again")
        window.keys("ctrl+z")
        window.click("levels_fit")
        window.until(lambda s: s["white"] - s["black"] < 1, "black and white as the image has them")
        window.pull("handle:detect.min_significance", 60)
        window.until(lambda s: float(s["detect.min_significance"]) > float(first["detect.min_significance"]), "another limit")
        window.click("tab:Settings")
        window.click("reset:detect.min_significance")
        window.until(lambda s: s["detect.min_significance"] == first["detect.min_significance"] and s["applied"]
                     and not s["unsaved"], "the default")
        window.click("tab:Tracks")
        window.keys(*["Right"] * 5)
        track = min(name for name in window.until(lambda s: s["frame"] == 5 and s["tracks"] > 0 and not s["stale"]
                                                  and any(name.startswith("track:") for name in s["widgets"]), "the table")["widgets"]
                    if name.startswith("track:"))
        window.click(track)
        window.until(lambda s: f"track:{s.get('selected')}" == track, "it is selected")
        window.quit()

    def test_settings_of_a_file(self):
        (self.dir / "good.toml").write_text("[detect]\nthreshold = 0.9\n")
        (self.dir / "wrong.toml").write_text("[detect]\nthreshold = 9\n")
        window = self.paused()
        before = window.state()["markers"]
        window.keys("ctrl+o")
        window.click("entry:good.toml")
        window.until(lambda s: s["detect.threshold"] == "0.9" and s["markers"] < before and not s["stale"], "its settings")
        window.keys("ctrl+z")
        window.until(lambda s: s["markers"] == before and not s["stale"], "undone")
        window.keys("ctrl+o")
        window.click("entry:wrong.toml")
        window.until(lambda s: "wrong.toml" in s["toasts"] and s["unread"] == 1 and s["markers"] == before, "a word about it")
        window.keys("Escape")
        window.until(lambda s: "open" not in s["widgets"], "the chooser is closed")
        window.click("bell")
        window.until(lambda s: s["unread"] == 0, "it was read")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_every_frame_shows_the_tracks_of_the_file(self):
        window = self.paused()
        window.until(lambda s: s["whole"], "tracked in the background")
        self.glint("track", CLIP, "-o", "t.csv", "--quiet")
        expected = rows_by_frame(self.dir / "t.csv")
        for share in (0.75, 0.3):
            window.drag("timeline", (0.5, 0.5), (share, 0.5))
            frame = round(share * LAST)
            shown = window.until(lambda s: abs(s["frame"] - frame) <= 1 and s["whole"] and not s["stale"], "scrubbed there")
            self.assertEqual(shown["tracks"], expected[shown["frame"]])
            self.assertEqual((shown["pass"] > 0, shown["provisional"]), (True, False))
            written = [[0, int(row["track"]), row["x"], row["y"], row["state"] == "measured"]
                       for row in rows(self.dir / "t.csv") if int(row["frame"]) == shown["frame"]]
            self.assertEqual([[camera, track, f"{x:.4f}", f"{y:.4f}", seen] for camera, track, x, y, seen in shown["rows"]], written)
        track = min(name for name in window.state()["widgets"] if name.startswith("marker:"))
        window.click(track)
        window.until(lambda s: f"marker:{s.get('selected')}" == track and "selected" in s["widgets"], "it is selected")
        window.until(lambda s: s["selected_path"] > 1, "its curves")
        window.keys("Escape")
        window.until(lambda s: "selected" not in s, "it is not")
        self.sorts(window, [row for row in rows(self.dir / "t.csv") if int(row["frame"]) == shown["frame"]])
        window.quit()

    def sorts(self, window, rows):
        """The table of tracks, by clicks on its columns."""
        window.click("tab:Tracks")
        by = lambda column, kind: [row["track"] for row in sorted(rows, key=lambda row: kind(row[column]))]
        window.until(lambda s: s["table"] == by("track", int), "by their numbers")
        for column in ("x", "y"):
            self.assertNotEqual(by(column, float), by("track", int))
            window.click(f"column:{column}")
            window.until(lambda s: s["table"] == by(column, float), f"by {column}")
            window.click(f"column:{column}")
            window.until(lambda s: s["table"] == by(column, float)[::-1], f"by {column}, from the largest")
        first = window.state()["table"][0]
        window.click(f"track:{first}")
        window.until(lambda s: s.get("selected") == int(first), "the uppermost is selected")

    def test_what_has_no_effect_says_why(self):
        window = self.paused()
        key = "detect.threshold_sigma"
        window.move(*window.place(f"label:{key}"))
        window.until(lambda s: s.get("explained") == key and s["why_grey"] == "", "what it means")
        before = window.state()[key]
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"], "a fixed threshold")
        window.drag(f"set:{key}", (0.5, 0.5), (0.99, 0.5))
        window.until(lambda s: s.get("explained") == key and "the threshold is fixed" in s["why_grey"], "why it is grey")
        window.keys("ctrl+z")
        auto = window.until(lambda s: s["detect.threshold"] == '"auto"' and s["applied"] and not s["stale"], "undone")
        self.assertEqual(auto[key], before)
        window.drag(f"set:{key}", (0.5, 0.5), (0.99, 0.5))
        window.until(lambda s: s["applied"] and float(s[key]) > 20 and s.get("explained") != key, "now it is in force")
        window.keys("ctrl+z")
        window.until(lambda s: s[key] == before and not s["unsaved"] and s["applied"], "as it was")
        window.quit()

    def test_zoom_at_the_cursor_and_move(self):
        window = self.paused()
        zoom = window.until(lambda s: s["hint"], "a beginner's hint")["zoom"]
        window.click("camera0", button=4, x=0.4, y=0.4)
        window.until(lambda s: s["zoom"] > zoom and not s["fitted"] and not s["hint"], "larger, and the hint is gone")
        window.drag("camera0", (0.5, 0.5), (0.6, 0.6), button=2)
        while window.until(lambda s: s["zoom"] > zoom, "larger")["zoom"] < 50:
            window.click("camera0", button=4)
        place, size = window.state()["widgets"]["camera0"][2:], window.state()["zoom"]
        values = window.until(lambda s: s["pixel_values"] > 0, "values in the pixels")["pixel_values"]
        whole = int(place[0] / size) * int(place[1] / size)
        self.assertTrue(whole <= values <= whole + 2 * (place[0] + place[1]) / size + 4, (whole, values))
        window.keys("f")
        window.until(lambda s: s["fitted"] and s["zoom"] == zoom and s["pixel_values"] == 0, "the whole image")
        window.quit()

    def test_why_a_candidate_is_no_marker(self):
        window = self.paused("--set", "detect.max_eccentricity=0.4")
        window.keys("c")
        widgets = window.until(lambda s: "rejected:0" in s["widgets"], "candidates that are none")["widgets"]
        name = max((name for name in widgets if name.startswith("rejected:")), key=lambda name: widgets[name][1])
        window.move(*window.place(name))
        window.until(lambda s: s.get("pointed") == "not_round", "the reason of one of them")
        window.keys("g", *["Right"] * 5)
        window.until(lambda s: s["frame"] == 5 and s["expected"] >= s["tracks"] - 2 > 3, "a gate for each track")
        window.quit()

    def test_filters_are_switched_tuned_and_undone(self):
        window = self.paused("--filter", "low=gaussian:sigma=1")
        before = window.state()["markers"]
        window.click("tab:Settings")
        window.drag("set:filter.low.sigma", (0.1, 0.5), (0.9, 0.5))
        tuned = window.until(lambda s: s["applied"] and not s["stale"] and float(s["filter.low.sigma"]) > 5, "another sigma")
        self.assertNotEqual(tuned["markers"], before)
        window.keys("ctrl+s")
        window.until(lambda s: not s["unsaved"], "they are saved")
        self.glint("track", CLIP, "--config", "glint.toml", "-o", "t.csv", "--detections", "d.csv", "--frames", "1", "--quiet")
        self.assertEqual(rows_by_frame(self.dir / "d.csv").get(0, 0), tuned["markers"])
        window.click("filter:low")
        window.until(lambda s: s["applied"] and not s["stale"] and "filter.low.sigma" not in s, "it is off")
        window.click("filter:low")
        window.until(lambda s: s["applied"] and not s["stale"] and s.get("filter.low.sigma") == tuned["filter.low.sigma"], "it is on again")
        window.keys("ctrl+z", "ctrl+z", "ctrl+z")
        window.until(lambda s: s["markers"] == before and s.get("filter.low.sigma") == "1.0" and not s["stale"], "as it was")
        window.click("add_filter")
        window.click("add:box")
        window.until(lambda s: s["applied"] and "box" in s.get("filter.box.use", ""), "another one")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_other_sources(self):
        other = "synth:spots?size=160x120&markers=4&frames=5"
        window = self.paused()
        window.keys("ctrl+o")
        window.click("source")
        window.display.xdotool("type", "--delay", "8", other)
        window.keys("Return")
        window.until(lambda s: s.get("sources") == [other] and s.get("frame") is not None, "the other one")
        window.keys("ctrl+o")
        window.click("source")
        window.display.xdotool("type", "--delay", "8", "nowhere.mkv")
        window.keys("Return")
        window.until(lambda s: s.get("sources") == [other] and "nowhere.mkv" in s.get("toasts", ""), "a word about it")
        window.quit()

    def test_four_cameras_and_a_storm_of_sizes(self):
        cameras = [f"synth:dancer?size=160x120&frames=30&cameras=4&camera={i}" for i in range(4)]
        window = self.window("replay", *cameras, "--speed", "max", "-o", "t.csv", "--set", "device.validation=true")
        window.until(lambda s: "camera3" in s["widgets"], "four images")
        number = window.number()
        for i in range(24):
            window.display.xdotool("windowsize", number, 500 + 37 * (i % 17), 330 + 41 * (i % 11))
        window.display.xdotool("windowsize", number, 900, 700)
        window.until(lambda s: (s["width"], s["height"]) == (900, 700) and s["mode"] == "at_end" and not s["recording"], "its last size")
        window.move(*window.place("camera2"))
        window.display.xdotool("click", "--repeat", "2", "--delay", "15", "1")
        window.until(lambda s: "camera1" not in s["widgets"], "one camera, enlarged")
        window.quit()
        self.glint("track", *cameras, "-o", "e.csv", "--quiet")
        self.assertEqual(self.text("t.csv"), self.text("e.csv"))


if __name__ == "__main__":
    unittest.main()
