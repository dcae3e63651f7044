"""Settings, tracks and files, with the mouse."""

import math
import re
import time
import unittest

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path
from harness import rows

import glare
import lamp

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"
LAST = 59


def rows_by_frame(path):
    count = {}
    for row in rows(path):
        count[int(row["frame"])] = count.get(int(row["frame"]), 0) + 1
    return count


def dots_on_a_ramp(folder):
    """Makes 80 dots of many brightnesses, on ground that is brighter on the right. The threshold is above many of them."""
    folder.mkdir()
    for n in range(2):
        image = [[70 + x * 60 // 320 for x in range(320)] for _ in range(240)]
        for k in range(80):
            left, top, peak = 20 + 30 * (k % 10) + n, 20 + 27 * (k // 10), 190 + 60 * (k * 37 % 80) // 80
            for y in range(-6, 7):
                for x in range(-6, 7):
                    ground = image[top + y][left + x]
                    image[top + y][left + x] += int((peak - ground) * math.exp(-(x * x + y * y) / 8))
        (folder / f"{n}.pgm").write_bytes(b"P5\n320 240\n255\n" + bytes(value for row in image for value in row))


class Panels(WindowTest):
    def paused(self, *arguments):
        window = self.window("replay", CLIP, "--paused", *VALIDATED, *arguments)
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
        window.keys("ctrl+z")
        window.display.xdotool("keydown", "ctrl", "key", "z", "keyup", "ctrl")  # a hand releases the letter first
        told = window.until(lambda s: s["detect.threshold"] == '"auto"' and s["markers"] == before and not s["stale"], "as it was")
        top = told["widgets"]["auto:detect.threshold"][1]
        for group in ("Tracks", "Limits of markers"):  # makes the list longer than its place
            window.click(f"group:{group}")
        window.until(lambda s: s["widgets"]["group:Tracks"][1] > told["widgets"]["group:Tracks"][1], "they are open")
        window.click("auto:detect.threshold", button=5)
        window.until(lambda s: s["widgets"]["auto:detect.threshold"][1] < top, "the wheel moves the panel")
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
        window.click("group:Limits of markers")
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
        window.until(lambda s: s["choosing"], "one click selects")
        window.double_click("entry:good.toml")
        window.until(lambda s: s["detect.threshold"] == "0.9" and s["markers"] < before and not s["stale"], "its settings")
        window.keys("ctrl+z")
        window.until(lambda s: s["markers"] == before and not s["stale"], "undone")
        window.keys("ctrl+o")
        window.click("entry:wrong.toml")
        window.click("open_go")
        window.until(lambda s: "wrong.toml" in s["open_says"] and "open_problem" in s["widgets"] and s["unread"] == 1
                     and s["markers"] == before, "a word about it, where it was asked for")
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
        """Sorts the table of tracks by clicks on its columns."""
        window.click("tab:Tracks")

        def by(column, kind):
            return [row["track"] for row in sorted(rows, key=lambda row: kind(row[column]))]
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
        window.click("group:Detection")
        window.point(f"label:{key}")
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

    def test_what_cannot_apply_is_not_there(self):
        window = self.paused("--set", "camera.exposure=5")
        for group in ("Camera", "Timing", "Limits of markers"):
            window.click(f"group:{group}")
        told = window.until(lambda s: "set:detect.min_mass" in s["widgets"] and "set:live.lag" in s["widgets"], "the settings are shown")
        self.assertIn("set:camera.exposure", told["widgets"])  # the setting can be reset
        for key in ("camera.gain", "live.window", "detect.min_score", "detect.score_ratio"):
            self.assertNotIn(f"set:{key}", told["widgets"])
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
        window.point(name)
        told = window.until(lambda s: s.get("pointed") == "not_round", "the reason of one of them")["pointed_words"]
        words = re.fullmatch(r"too elongated: eccentricity (0\.\d\d) \(maximum 0\.4\)", told)
        self.assertTrue(words and float(words[1]) >= 0.4, told)
        window.click("tab:Tracks")
        window.click(name)
        window.until(lambda s: s.get("led_to") == "detect.max_eccentricity" and "value:detect.max_eccentricity" in s["widgets"],
                     "its setting, marked")
        window.click("value:detect.max_eccentricity")
        window.type("1")
        window.keys("Return")
        window.until(lambda s: s["applied"] and s["detect.max_eccentricity"] == "1.0" and "led_to" not in s
                     and name not in s["widgets"], "none is too long any more")
        window.keys("ctrl+z")
        window.until(lambda s: s["applied"] and name in s["widgets"], "as before")
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
        window.type(other)
        window.keys("Return")
        window.until(lambda s: s.get("sources") == [other] and s.get("frame") is not None, "the other one")
        window.keys("ctrl+o")
        window.click("source")
        window.type("nowhere.mkv")
        window.keys("Return")
        window.until(lambda s: s.get("sources") == [other] and "nowhere.mkv" in s.get("open_says", "") and s["choosing"], "a word about it")
        window.keys("Escape", "Escape")
        window.until(lambda s: not s["choosing"], "given up")
        # A recording continues if other sources cannot be opened, and is reported as ended if they can.
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        (self.dir / "bad.mp4").write_text("no video\n")
        window.keys("ctrl+o")
        window.click("source")
        window.keys("ctrl+a")
        window.type("bad.mp4")
        window.keys("Return")
        told = window.until(lambda s: "'bad.mp4'" in s["open_says"] and "open_problem" in s["widgets"], "why")
        self.assertEqual((told["sources"], told["choosing"], told["recording"]), ([other], True, True))
        window.click("source")
        window.keys("ctrl+a")
        window.type(CLIP)
        window.keys("Return")
        told = window.until(lambda s: s.get("sources") == [CLIP] and "until others were opened" in s["toasts"], "another one", passing=True)
        self.assertFalse(told["recording"])
        self.assertEqual(len(list(self.dir.glob("glint-*.csv"))), 1)
        window.quit()

    def test_open_begins_beside_the_recording_and_browses_a_typed_folder(self):
        inner = self.dir / "takes" / "inner"
        inner.mkdir(parents=True)
        for name in ("takes/a.mkv", "takes/inner/b.mkv"):
            self.glint("synth", "spots?size=64x48&markers=3&frames=5", "-o", name)
        window = self.window("replay", "takes/a.mkv", "--paused", *VALIDATED)
        window.until(lambda s: s["frame"] == 0 and not s["stale"], "the first frame")
        window.keys("ctrl+o")
        told = window.until(lambda s: "entry:a.mkv" in s["widgets"], "the recording's folder")["words"]["about:a.mkv"]
        file = self.dir / "takes" / "a.mkv"
        self.assertTrue(told.endswith(time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))), told)
        self.assertRegex(told, r"^[\d.]+ k?B, ")
        window.click("source")
        window.type(str(inner))
        window.keys("Return")
        window.until(lambda s: s["choosing"] and "entry:b.mkv" in s["widgets"] and "entry:a.mkv" not in s["widgets"], "the typed folder")
        window.keys("Escape", "Escape")
        window.until(lambda s: not s["choosing"], "closed")
        window.keys("ctrl+o")
        window.until(lambda s: "entry:b.mkv" in s["widgets"], "where it was left")
        window.quit()

    def test_four_cameras_and_a_storm_of_sizes(self):
        cameras = [f"synth:dancer?size=160x120&frames=30&cameras=4&camera={i}" for i in range(4)]
        window = self.window("replay", *cameras, "--speed", "max", "-o", "t.csv", *VALIDATED)
        window.until(lambda s: "camera3" in s["widgets"], "four images")
        number = window.number()
        for i in range(24):
            window.display.xdotool("windowsize", number, 500 + 37 * (i % 17), 330 + 41 * (i % 11))
        window.display.xdotool("windowsize", number, 900, 700)
        window.until(lambda s: (s["width"], s["height"]) == (900, 700) and s["mode"] == "at_end" and not s["recording"], "its last size")
        for size in ((640, 400), (1024, 700)):
            window.display.xdotool("windowsize", number, *size)
            said = window.until(lambda s: (s["width"], s["height"]) == size and self.hint_fits(s["widgets"]), "another size")
            self.lie_apart(said["widgets"])
        window.point("camera2")
        window.press(1, "--repeat", 2, "--delay", 15)
        window.until(lambda s: "camera1" not in s["widgets"], "one camera, enlarged")
        window.quit()
        self.glint("track", *cameras, "-o", "e.csv", "--quiet")
        self.assertEqual(self.text("t.csv"), self.text("e.csv"))

    def lie_apart(self, widgets):
        """Checks that words and buttons of one line do not overlap, and that some parts lie within others."""
        lines = (["open_button", "title", "view", "view_Source", "view_Candidates", "record", "record_options"],
                 ["status_words", "bell", "help_word"], ["undo", "redo", "load_settings", "save_settings"])
        for line in lines:
            there = [(name, widgets[name]) for name in line if name in widgets]
            self.assertGreater(len(there), 2, line)
            for (left, a), (right, b) in zip(there, there[1:]):
                self.assertLessEqual(a[0] + a[2], b[0] + 0.5, (left, a, right, b))
        self.assertTrue({"record", "bell", "status_words"} <= widgets.keys())

    def hint_fits(self, widgets):
        """Returns true if the hint lies within the views. Its words take a picture to find their lines."""
        hint, views = widgets.get("first_hint", widgets["views"]), widgets["views"]
        return views[0] <= hint[0] and hint[0] + hint[2] <= views[0] + views[2]


class Doubt(WindowTest):
    def test_a_threshold_that_cuts_markers_off_is_told(self):
        dots_on_a_ramp(self.dir / "dots")
        window = self.window("replay", "dots", "--paused", *VALIDATED)
        told = window.until(lambda s: "banner_propose" in s["widgets"], "dimmer ones may be missing")
        self.assertRegex(told["banner"], r"^\d+ of \d+ markers a frame barely reach the threshold, so dimmer ones may be missing\.$")
        window.click("banner_propose")
        window.until(lambda s: "propose_close" in s["widgets"], "settings are tried")
        window.keys("Escape")
        window.until(lambda s: "propose_close" not in s["widgets"] and "banner_propose" in s["widgets"], "as before")

    def test_a_lamp_that_hides_dim_markers_is_told_and_ignored(self):
        (self.dir / "room").mkdir()
        for n in range(2):
            (self.dir / f"room/{n}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (lamp.WIDTH, lamp.HEIGHT) + lamp.lamp_picture(n))
        hint = re.search(r"--ignore (\S+) finds them", self.glint("track", "room", "-o", "t.csv").stdout)[1]
        window = self.window("replay", "room", "--paused", *VALIDATED)
        told = window.until(lambda s: "banner_ignore" in s["widgets"], "a lamp hides dim ones")
        before = told["markers"]
        self.assertRegex(told["banner"], r"^The large marker at \(160, 40\) raises the threshold above 2\d dimmer markers a frame\.$")
        window.click("banner_ignore")
        window.until(lambda s: s["detect.ignore"] == f'"{hint}"' and s["applied"] and not s["stale"] and s["markers"] >= lamp.SPOTS and s["banner"] == "",
                     "they are found without it, as glint track says")
        window.keys("ctrl+z")
        window.until(lambda s: s["detect.ignore"] == '""' and s["markers"] == before and "banner_leave" in s["widgets"], "the lamp again")
        window.click("banner_leave")
        window.until(lambda s: s["banner"] == "" and s["markers"] == before, "it is to stay")
        window.keys("Right")
        window.until(lambda s: s["frame"] == 1 and not s["stale"] and s["markers"] > 0 and s["banner"] == "", "in the next frame, too")
        window.quit()

    def test_glare_that_hides_dim_markers_is_told(self):
        (self.dir / "tank").mkdir()
        for n in range(3):
            (self.dir / f"tank/{n}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (glare.WIDTH, glare.HEIGHT) + glare.glare_picture(n))
        window = self.window("replay", "tank", "--paused", *VALIDATED)
        told = window.until(lambda s: s["banner"] != "" and "banner_propose" in s["widgets"], "the glare is told")
        self.assertLess(told["markers"], 12)  # the ripples of the strip, and hardly any particle
        hides = re.fullmatch(r"Bright areas that are no markers raise the threshold above (\d+) dimmer markers a frame\.", told["banner"])
        self.assertTrue(0.5 * glare.PARTICLES < int(hides[1]) < 1.2 * glare.PARTICLES, told["banner"])
        window.click("banner_propose")
        window.until(lambda s: s["proposing"] and s["proposed"], "something is proposed")
        window.click("propose_use")
        window.until(lambda s: not s["proposing"] and s["applied"] and not s["stale"] and s["markers"] > 0.6 * glare.PARTICLES and s["banner"] == "",
                     "the particles are found, and nothing more is advised")
        window.keys("ctrl+z")
        window.until(lambda s: s["markers"] == told["markers"] and "banner_leave" in s["widgets"], "the glare again")
        window.click("banner_leave")
        window.until(lambda s: s["banner"] == "" and s["markers"] == told["markers"], "it is to stay")
        window.quit()

    def test_a_bright_wall_that_hides_nothing_is_not_told(self):
        (self.dir / "wall").mkdir()
        for n in range(3):
            (self.dir / f"wall/{n}.pgm").write_bytes(b"P5\n%d %d\n255\n" % (glare.WIDTH, glare.HEIGHT) + glare.glare_picture(n, particles=0))
        window = self.window("replay", "wall", "--paused", *VALIDATED)
        window.until(lambda s: s["markers"] > 0 and not s["stale"], "the ripples")
        self.assertEqual(window.has_settled(2)["banner"], "")
        window.quit()


class Many(WindowTest):
    """Frames with more markers than are allowed at first, and than have numbers."""

    def opened(self):
        window = self.window("replay", "synth:spots?size=640x480&markers=400&frames=4&seed=2", "--paused", "--set", "track.confirm=1",
                             *VALIDATED)
        window.until(lambda s: s["markers"] == 128
                     and s["banner"] == "This frame reached detect.max_markers = 128, so markers may be missing.", "the cap is told at once")
        window.click("banner_raise")
        window.until(lambda s: s["detect.max_markers"] == "512" and s["applied"] and not s["stale"] and s["markers"] > 200
                     and s["banner"] == "", "more are allowed")
        window.keys("Right", "Right")
        window.until(lambda s: s["frame"] == 2 and not s["stale"] and s["tracks"] > 200, "tracks")
        return window

    def places(self, state):
        """Returns the places of tracked markers on the screen, by track."""
        return {int(name.split(":")[1]): (place[0] + 1, place[1] + 1) for name, place in state["widgets"].items() if name.startswith("marker:")}

    def test_more_than_are_allowed_and_numbered(self):
        window = self.opened()
        x, y = window.place("camera0", 0.1, 0.9)
        window.move_and_wait(x, y)
        state = window.state()
        away = {track: (place[0] - x) ** 2 + (place[1] - y) ** 2 for track, place in self.places(state).items()}
        nearest = sorted(away, key=away.get)[:len(state["labels"])]
        self.assertEqual(len(nearest), 150)
        self.assertEqual(set(state["labels"]), set(nearest))
        window.keys("1")
        window.until(lambda s: s["zoom"] == 1, "1:1")
        self.lies_on_the_image(window)
        self.is_seen_outside_its_circle(window)
        self.lies_over_the_markers(window)
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def lies_on_the_image(self, window):
        """Checks that the image is brightest at the centres of the markers' circles when it is drawn at 1:1 without
        marks."""
        window.click("tab:Drawing")
        window.click("draw_markers")
        window.keys("n", "t")
        state = window.until(lambda s: s["labels"] == [] and s["trail_points"] == 0, "the image alone")
        places, views = self.places(state), state["widgets"]["views"]
        reach, far, errors = 6, 20, []
        for track, (x, y) in places.items():
            inside = views[0] + far < x < views[0] + views[2] - far and views[1] + far < y < views[1] + views[3] - far
            alone = all(other == track or max(abs(x - u), abs(y - v)) > far for other, (u, v) in places.items())
            if not inside or not alone or len(errors) == 8:
                continue
            left, top = round(x) - reach, round(y) - reach
            shown = [[sum(pixel) for pixel in row] for row in window.pixels(left, top, 2 * reach, 2 * reach)]
            ground = sorted(value for row in shown for value in row)[len(shown) ** 2 // 2]
            mass = [(max(0, value - ground - 40), i, j) for j, row in enumerate(shown) for i, value in enumerate(row)]
            whole = sum(m for m, _, _ in mass)
            errors.append((left + sum(m * (i + 0.5) for m, i, _ in mass) / whole - x, top + sum(m * (j + 0.5) for m, _, j in mass) / whole - y))
        self.assertGreater(len(errors), 3)
        for axis in (0, 1):
            mean = sum(error[axis] for error in errors) / len(errors)
            self.assertLess(abs(mean), 0.15, errors)
        window.click("draw_markers")

    def is_seen_outside_its_circle(self, window):
        """Checks that uncertainties and gates change many pixels outside of the circles of all markers."""
        views = window.state()["widgets"]["views"]
        region = (views[0] + 20, views[1] + 60, min(views[2] - 40, 500), min(views[3] - 120, 300))
        before = window.pixels(*region)
        for key, words, outside in (("u", "uncertainties", 7), ("g", "gates", 7)):
            window.keys(key)
            state = window.until(lambda s: words in s["legend"], key)
            window.until(lambda s: s["said"] == "", "no word over it")
            after = window.pixels(*region)
            places = [(x - round(region[0]), y - round(region[1])) for x, y in self.places(state).values()]
            changed = sum(before[j][i] != after[j][i] and all((i - x) ** 2 + (j - y) ** 2 > outside ** 2 for x, y in places)
                          for j in range(len(before)) for i in range(len(before[0])))
            self.assertGreater(changed, 500, key)
            window.keys(key)
            window.until(lambda s: s["legend"] == "" and s["said"] == "", "as before")

    def lies_over_the_markers(self, window):
        """Checks that numbers and trails are not seen through the card of a marker."""
        window.keys("f")
        state = window.until(lambda s: s["fitted"], "all of it")
        views = state["widgets"]["views"]
        right = max((place, track) for track, place in self.places(state).items() if place[1] < views[1] + views[3] - 20)
        window.click(f"marker:{right[1]}")
        window.until(lambda s: "selected" in s["widgets"] and s["said"] == "", "its card, and no word over it")
        state = window.has_settled(0.3)  # the card takes its place once its size is known
        card = state["widgets"]["selected"]
        self.assertTrue(any(card[0] < x < card[0] + card[2] and card[1] < y < card[1] + card[3] for x, y in self.places(state).values()))
        region = (card[0] + 2, card[1] + 2, card[2] - 4, card[3] - 4)
        without = window.pixels(*region)
        window.keys("n")
        window.until(lambda s: len(s["labels"]) == 150 and s["said"] == "", "numbers")
        self.assertEqual(window.state()["widgets"]["selected"], card)
        self.assertTrue(window.pixels(*region) == without, "something is seen through the card")
        window.click("selected", x=0.98, y=0.98)
        window.keys("n")
        window.until(lambda s: "selected" in s and s["labels"] == [], "a click on it chooses nothing else")


if __name__ == "__main__":
    unittest.main()
