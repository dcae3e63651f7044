"""Measuring with real keys and mouse: the pixel under the cursor, distances, angles, scales, and curves."""

import json
import math
import subprocess
import unittest

from film import LAST, FilmTest
from screen import VALIDATED, WindowTest
from harness import rows


class Measured(FilmTest):
    def setUp(self):
        super().setUp()
        self.plain = {track: {frame: (float(row["x"]), float(row["y"])) for frame, row in its.items()}
                      for track, its in self.plain.items()}

    def kept(self):
        return json.loads((self.dir / "film.glint.json").read_text())

    def distance(self, a, b, frame):
        return math.dist(self.plain[a][frame], self.plain[b][frame])


class Pointed(Measured):
    """The status line shows the place and the value under the cursor, in every plane."""

    def pixels(self, filters=()):
        """Returns the values of the first frame, which the window must show."""
        import subprocess
        raw = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.dir / "film.mkv", "-frames:v", "1", "-f", "rawvideo",
                              "-pix_fmt", "gray", "-"], check=True, capture_output=True).stdout
        return [raw[640 * y:640 * (y + 1)] for y in range(480)]

    def test_place_value_and_zoom_in_every_plane(self):
        window = self.paused("--filter", "low=gaussian:sigma=2")
        image = self.pixels()
        marker = self.apart(window.state())[0]
        x, y = (round(v) for v in self.plain[marker][0])
        window.point(f"marker:{marker}")
        source = str(image[y][x])
        state = window.until(lambda s: f"value {source}" in s["pointed_at"], "the source's value")
        told = state["pointed_at"].split()
        self.assertLess(abs(float(told[1]) - self.plain[marker][0][0]), 1.5)
        self.assertLess(abs(float(told[3]) - self.plain[marker][0][1]), 1.5)
        self.assertIn(state["pointed_at"], state["status"])
        self.assertIn(f"zoom {100 * state['zoom']:.0f} %", state["status"])
        window.keys("v")  # the luminance equals the source
        window.until(lambda s: s["shows"] == "Luminance" and f"luminance {source}  source {source}" in s["pointed_at"],
                     "the luminance's value")
        window.keys("v")  # the filter lowers the peak of a marker
        state = window.until(lambda s: s["shows"] == "Response" and "  response " in s["pointed_at"] and f"source {source}" in s["pointed_at"],
                             "the response's value")
        self.assertLess(int(state["pointed_at"].split("response ")[1].split()[0]), int(source))
        window.keys("v", "v")
        window.until(lambda s: s["shows"] == "Candidates" and "  candidate " in s["pointed_at"], "whether it is a candidate")
        # Beside the image, the status line shows only the zoom.
        window.point("tab:Settings")
        window.until(lambda s: s["pointed_at"] == "" and "zoom" in s["status"], "no place")
        window.keys("1")
        window.until(lambda s: "zoom 100 %" in s["status"], "1:1")
        window.quit()

    def test_colours_have_three_values(self):
        # The file is a netpbm file in which blue, green and red differ.
        (self.dir / "colour").mkdir()
        (self.dir / "colour" / "0000.ppm").write_bytes(b"P6 64 48 255\n" + bytes([200, 100, 50]) * (64 * 48))
        window = self.window("replay", "colour", "--paused")
        window.point("camera0", 0.5, 0.5)
        window.until(lambda s: "value R 200 G 100 B 50" in s["pointed_at"], "three values")
        window.quit()


class Tools(Measured):
    def test_a_distance_follows_its_markers_and_is_undone(self):
        window = self.paused()
        a, b = self.apart(window.state())[:2]
        window.keys("d")
        window.until(lambda s: s["measuring"] and "picking" in s["widgets"], "the first end is asked for")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        words = f"{self.distance(a, b, 0):.1f} px"
        state = window.until(lambda s: s["measures"] == [[f"{a} to {b}", words]] and not s["measuring"], "it reads")
        self.assertEqual(state["undo_track"], f"measure from {a} to {b}")
        kept = self.kept()["measures"]
        self.assertEqual([(m["measure"], [p["frame"] for p in m["points"]]) for m in kept], [("distance", [0, 0])])
        window.keys("End")
        words = f"{self.distance(a, b, LAST):.1f} px"
        window.until(lambda s: s["frame"] == LAST and s["whole"] and s["measures"][0][1] == words, "it has followed")
        window.keys("ctrl+z")
        window.until(lambda s: not s["measures"] and s["redo_track"] == f"measure from {a} to {b}", "undone")
        self.assertFalse((self.dir / "film.glint.json").exists())
        window.keys("ctrl+shift+z")
        window.until(lambda s: len(s["measures"]) == 1, "done again")
        window.quit()
        window = self.paused()
        window.until(lambda s: s["measures"] == [[f"{a} to {b}", f"{self.distance(a, b, 0):.1f} px"]], "it is there again")
        window.click("tab:Tracks")
        window.click("tracks:measures")
        window.click("measure_drop:0")
        window.until(lambda s: not s["measures"] and s["undo_track"] == "remove a measure", "removed")
        window.quit()

    def test_an_angle_between_markers_and_a_place(self):
        window = self.paused()
        a, b = self.apart(window.state())[:2]
        window.click("tab:Tracks")
        window.click("tracks:measures")
        window.click("measure_angle")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        window.click("camera0", x=0.02, y=0.97)
        window.until(lambda s: len(s["measures"]) == 1, "it is there")
        kept = self.kept()["measures"][0]
        p, q = self.plain[a][0], self.plain[b][0]
        r = kept["points"][2]["x"], kept["points"][2]["y"]
        self.assertNotIn("frame", kept["points"][2])
        turn = abs(math.degrees(math.atan2(p[1] - q[1], p[0] - q[0]) - math.atan2(r[1] - q[1], r[0] - q[0])))
        told = float(window.state()["measures"][0][1].rstrip("\u00b0"))
        self.assertAlmostEqual(told, min(turn, 360 - turn), delta=0.06)
        window.quit()

    def carry(self, window, begin, end):
        """Drags from one place on the screen to another, in steps as a hand does."""
        seen = window.state()["releases"]
        window.move(*begin)
        window.display.xdotool("mousedown", 1)
        for step in range(1, 6):
            window.move(*(a + (b - a) * step / 5 for a, b in zip(begin, end)))
        window.let_go(1, seen)

    def test_ends_are_dragged_to_another_marker_and_to_a_place(self):
        window = self.paused()
        a, b, c = self.apart(window.state())[:3]
        window.keys("d")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        first = [[f"{a} to {b}", f"{self.distance(a, b, 0):.1f} px"]]
        window.until(lambda s: s["measures"] == first, "a distance")
        self.carry(window, window.place(f"marker:{b}"), window.place(f"marker:{c}"))
        second = [[f"{a} to {c}", f"{self.distance(a, c, 0):.1f} px"]]
        state = window.until(lambda s: s["measures"] == second, "to another marker")
        self.assertEqual(state["undo_track"], f"measure from {a} to {c}")
        self.carry(window, window.place(f"marker:{a}"), window.place("camera0", 0.02, 0.97))
        window.until(lambda s: s["measures"][0][0].endswith(f" to {c}") and s["measures"] != second, "from a place")
        kept = self.kept()["measures"][0]["points"]
        self.assertNotIn("frame", kept[0])
        away = math.dist((kept[0]["x"], kept[0]["y"]), self.plain[c][0])
        self.assertEqual(window.state()["measures"][0][1], f"{away:.1f} px")
        # Both ends would be the same point, so nothing changes.
        self.carry(window, window.place("camera0", 0.02, 0.97), window.place(f"marker:{c}"))
        window.click(f"marker:{b}")  # a click that drags nothing selects a marker
        state = window.until(lambda s: s.get("selected") == b, "a marker")
        self.assertEqual(state["measures"][0][1], f"{away:.1f} px")
        window.keys("ctrl+z", "ctrl+z")
        window.until(lambda s: s["measures"] == first, "as it was")
        window.quit()

    def test_a_scale_gives_millimetres_everywhere(self):
        window = self.paused()
        a, b = self.apart(window.state())[:2]
        window.keys("k")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        window.until(lambda s: s["asks_length"] and "length_text" in s["widgets"], "its length is asked for")
        window.keys("0", "Return")  # 0 is not a valid length, so the window still asks
        window.click("length_text")
        window.keys("BackSpace", *"250")
        window.type(",0")  # types a decimal comma
        window.keys("Return")
        mm = 250 / self.distance(a, b, 0)
        state = window.until(lambda s: s["scales"] and not s["asks_length"], "the scale")
        self.assertAlmostEqual(state["scales"]["0"], mm, delta=1e-3 * mm)
        self.assertEqual(self.kept()["scales"][0]["mm_per_px"], state["scales"]["0"])
        window.click(f"marker:{a}", button=3)
        window.click("menu:Distance to ...")
        window.click(f"marker:{b}")
        words = f"{self.distance(a, b, 0):.1f} px, 250 mm"
        window.until(lambda s: s["measures"] == [[f"{a} to {b}", words]], "in mm, too")
        window.keys("ctrl+e")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and (self.dir / "film.csv").exists(), "exported")
        row = rows(self.dir / "film.csv")[0]
        self.assertAlmostEqual(float(row["x_mm"]), float(row["x"]) * mm, delta=1e-2)
        # The card of a marker has them as well.
        window.click(f"marker:{a}")
        card = window.until(lambda s: s.get("selected") == a and "card_place" in s["words"], "its card")["words"]["card_place"]
        own = self.plain[a][0]
        self.assertEqual(card.split()[-1], "mm")
        for told, place in zip(card.replace(",", "").split(), own):
            self.assertAlmostEqual(float(told), place * mm, delta=0.02)
        window.keys("ctrl+z", "ctrl+z")
        window.until(lambda s: not s["scales"] and not s["measures"] and s["words"].get("card_place", "").endswith("px"), "both undone")
        window.quit()

    def test_escape_puts_a_tool_away(self):
        window = self.paused()
        track = self.apart(window.state())[0]
        window.keys("a")
        window.click(f"marker:{track}")
        window.keys("Escape")
        window.until(lambda s: not s["measuring"] and not s["measures"] and "selected" not in s, "nothing is measured")
        window.click("camera0", button=3, x=0.02, y=0.97)
        window.click("menu:Distance ...")
        window.until(lambda s: s["measuring"], "from the menu")
        window.keys("d")
        window.until(lambda s: not s["measuring"], "the same key puts it away")
        window.quit()


class Curves(Measured):
    def open(self):
        window = self.paused()
        tracks = self.apart(window.state())[:2]
        window.click(f"marker:{tracks[0]}")
        window.until(lambda s: s.get("selected") == tracks[0], "selected")
        window.keys("y")
        window.until(lambda s: s["curves"] and s["curves_of"] == [[tracks[0], LAST + 1]] and "curves" in s["widgets"], "its curves")
        return window, *tracks

    def test_of_several_tracks_with_their_values(self):
        window, a, b = self.open()
        window.display.xdotool("keydown", "ctrl")
        window.click(f"marker:{b}")
        window.display.xdotool("keyup", "ctrl")
        window.until(lambda s: s["curves_of"] == [[a, LAST + 1], [b, LAST + 1]], "both")
        window.point("curves", 20 / LAST)
        state = window.until(lambda s: s["curves_told"].startswith("frame 20,"), "the values of frame 20")
        for track in (a, b):
            x, y = self.plain[track][20]
            self.assertIn(f"; {track}: x {x:.2f}  y {y:.2f} px", state["curves_told"])
        self.assertIn(f"{20 / 60:.3f} s", state["curves_told"])
        window.click("curves", x=10 / LAST)
        window.until(lambda s: s["frame"] == 10 and s["whole"], "a click goes there")
        window.click("curve_x")
        window.until(lambda s: "curve_field:x" not in s["widgets"] and "curve_field:y" in s["widgets"], "without x")
        window.click("curves_button")
        window.until(lambda s: not s["curves"] and "curves" not in s["widgets"], "closed")
        window.quit()

    def test_what_is_deleted_leaves_no_field_without_values(self):
        window, a, b = self.open()
        window.keys("d")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        window.until(lambda s: s["measures"] and "curve_field:distance" in s["widgets"], "a measure keeps the fields when the track is gone")

        def words():
            """Returns true if something is written at the left edge, where marks have their values."""
            x, y, _, height = window.state()["widgets"]["curve_field:x"]
            return any(min(pixel) > 90 for row in window.pixels(x, y, 7, height) for pixel in row)
        self.assertTrue(words())
        window.keys("Delete")
        window.until(lambda s: s["undo_track"] == f"delete {a}" and "curve_field:distance" in s["widgets"] and "curve_field:x" not in s["widgets"],
                     "it is deleted")
        window.quit()

    def test_zoom_together_with_the_timeline(self):
        window, a, _ = self.open()
        self.assertEqual(window.state()["time_shown"], [0, LAST])
        for _ in range(4):
            window.click("curves", button=4, x=20 / LAST)
        state = window.until(lambda s: s["time_shown"][1] - s["time_shown"][0] < 20, "a part of it")
        first, last = state["time_shown"]
        self.assertTrue(first < 20 < last)
        window.display.xdotool("keydown", "shift")
        window.click("timeline", button=5)
        window.until(lambda s: s["time_shown"][0] > first and s["time_shown"][1] - s["time_shown"][0] == last - first, "it is moved")
        window.click("timeline", button=4)
        window.until(lambda s: s["time_shown"] == [first, last], "and back")
        window.display.xdotool("keyup", "shift")
        window.click("timeline", button=4, x=0)
        last = window.until(lambda s: s["time_shown"][1] < last, "less of it")["time_shown"][1]
        window.click("timeline", x=0)
        window.until(lambda s: s["frame"] == first and s["whole"], "the timeline shows the same part")
        window.keys("End")  # the frame is beyond the part that is shown
        window.until(lambda s: s["frame"] == LAST and s["time_shown"][1] == LAST, "it is moved there")
        for _ in range(8):
            window.click("timeline", button=5, x=0.5)
        window.until(lambda s: s["time_shown"] == [0, LAST], "the whole again")
        height = window.state()["widgets"]["curves"][3]
        x, y = window.place("curves_edge")
        window.move(x, y)
        window.display.xdotool("mousedown", 1)
        for step in range(1, 5):
            window.move(x, y - 15 * step)
        window.display.xdotool("mouseup", 1)
        window.until(lambda s: s["widgets"]["curves"][3] > height + 30, "higher")
        window.quit()

    def test_measures_over_time(self):
        window, a, b = self.open()
        window.keys("d")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        window.until(lambda s: s["curves_of_measures"] == 1 and "curve_field:distance" in s["widgets"], "its curve")
        window.keys("a")
        window.click(f"marker:{a}")
        window.click(f"marker:{b}")
        window.click("camera0", x=0.95, y=0.95)
        window.until(lambda s: s["curves_of_measures"] == 2 and "curve_field:angle" in s["widgets"], "that of an angle, too")
        window.point("curves", 20 / LAST)
        state = window.until(lambda s: s["curves_told"].startswith("frame 20,"), "the values of frame 20")
        self.assertIn(f"; {a} to {b}: {self.distance(a, b, 20):.2f} px; {a}, {b}, ", state["curves_told"])
        self.assertTrue(state["curves_told"].endswith("\u00b0"), state["curves_told"])
        window.click("curve_distance")
        window.until(lambda s: "curve_field:distance" not in s["widgets"] and "curve_field:angle" in s["widgets"], "without distances")
        window.keys("ctrl+z", "ctrl+z")
        window.until(lambda s: s["curves_of_measures"] == 0 and "curve_angle" not in s["widgets"], "undone")
        window.quit()

    def test_follow_edits_and_scales(self):
        at = {"camera": 0, "frame": 0, "x": 0, "y": 0}
        track = self.long[0]
        at["x"], at["y"] = self.plain[track][0]
        (self.dir / "film.glint.json").write_text(json.dumps(
            {"glint_edits": 1, "edits": [{"edit": "rename", "name": "hip", "at": at}], "scales": [{"camera": 0, "mm_per_px": 2}]}))
        window = self.paused()
        window.click("tab:Tracks")
        window.click("tracks:all")
        window.click(f"all:{track}")
        window.keys("y")
        window.until(lambda s: s["curves_of"] == [[track, LAST + 1]], "its curves")
        window.point("curves", 1)
        x, y = self.plain[track][LAST]
        window.until(lambda s: f"; hip: x {2 * x:.2f}  y {2 * y:.2f} mm" in s["curves_told"], "by its name, in mm")
        window.click("curve_unit")
        window.point("curves", 1)
        window.until(lambda s: f"; hip: x {x:.2f}  y {y:.2f} px" in s["curves_told"], "in px")
        window.quit()


class Rates(WindowTest):
    def test_a_slow_camera_alone_is_tracked_to_its_end(self):
        for name, frames in (("fast", 30), ("long", 120)):
            self.glint("synth", f"spots?size=160x120&markers=3&frames={frames}&seed=2", "-o", f"{name}.mkv")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", self.dir / "long.mkv", "-vf", "fps=25", "-c:v", "ffv1", self.dir / "slow.mkv"], check=True)
        window = self.window("replay", "fast.mkv", "slow.mkv", "--paused", *VALIDATED)
        window.keys("End")  # after the end of the fast recording, most sets have no frame
        state = window.until(lambda s: s["frame"] > 100 and s["whole"] and not s["stale"] and len(s["rows"]) == 3, "tracks of the last frame")
        window.click("tab:Tracks")
        window.click("tracks:all")
        window.click(f"all:{state['rows'][0][1]}")
        window.keys("y")
        window.until(lambda s: s["curves_of"] and s["curves_of"][0][1] > 45 and "curves" in s["widgets"], "their curves")
        window.point("curves", 0.999)
        told = window.until(lambda s: s["curves_told"].startswith(f"frame {state['frame']},") and "not there" not in s["curves_told"],
                            "the last values")["curves_told"]
        self.assertAlmostEqual(float(told.split(",")[1].split()[0]), 49 / 25, delta=0.05)
        window.quit()


if __name__ == "__main__":
    unittest.main()
