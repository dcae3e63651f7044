"""The 3D view with real keys and mouse: it shows the points of the table from outside, and in the images."""

import math
import unittest

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path
from harness import rows, wait_until

SCENE = "dancer?size=640x512&frames=40&seed=3"
CAMERAS = [f"film_cam{i}.mkv" for i in range(4)]
LAST = 39

# The colours of Okabe and Ito (2008) that docs/app.md promises, by the id modulo 7.
COLOURS = ((86, 180, 233), (230, 159, 0), (0, 190, 140), (240, 228, 66), (90, 140, 255), (235, 110, 40), (224, 140, 190))


class Space(WindowTest):
    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "film.mkv", "--rig", "rig.toml")
        self.glint("track", *CAMERAS, "--rig", "rig.toml", "--points", "points.csv", "--quiet")
        self.points = {}
        for row in rows(self.dir / "points.csv"):
            self.points.setdefault(int(row["frame"]), {})[int(row["point"])] = row

    def paused(self):
        window = self.window("replay", *CAMERAS, "--rig", "rig.toml", "--paused", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused" and s["space"], "the first frame")
        return window

    def at(self, window, key, frame):
        window.keys(key)
        return window.until(lambda s: s["frame"] == frame and not s["tracking"] and len(s["points"]) == len(self.points[frame]),
                            f"frame {frame} with its points")

    def apart(self, state):
        """Returns the points that have no other one near them in the view."""
        places = {int(k[6:]): v for k, v in state["widgets"].items() if k.startswith("point:")}
        alone = [p for p, a in places.items() if all(o == p or math.dist(a[:2], b[:2]) > 14 for o, b in places.items())]
        self.assertGreater(len(alone), 2)
        return sorted(alone)

    def is_within(self, inner, outer):
        return all(outer[i] <= inner[i] and inner[i] + inner[i + 2] <= outer[i] + outer[i + 2] for i in (0, 1))

    def test_points_are_those_of_the_table(self):
        window = self.paused()
        for key, frame in (("End", LAST), ("Home", 0), ("Right", 1), ("Next", 5)):
            state = self.at(window, key, frame)
            for point, x, y, z, cameras in state["points"]:
                row = self.points[frame][point]
                for value, name in ((x, "x_mm"), (y, "y_mm"), (z, "z_mm")):
                    self.assertAlmostEqual(value, float(row[name]), delta=1e-3)
                self.assertEqual(bin(cameras).count("1"), int(row["rays"]))
            self.assertIn(f"{len(self.points[frame])} points, squares of 1 m", state["space"])
        self.assertGreaterEqual(state["point_places"], 5 * len(state["points"]))  # trails reach into the past
        window.quit()

    def test_orbit_and_places(self):
        window = self.paused()
        state = self.at(window, "End", LAST)
        turn, distance = state["space_turn"], state["space_distance"]
        window.drag("space", (0.3, 0.5), (0.5, 0.5))
        state = window.until(lambda s: s["space_turn"] != turn, "it turned")
        self.assertAlmostEqual(state["space_distance"], distance, delta=1e-6 * distance)
        window.point("space")
        for _ in range(5):
            window.press(4)
        near = window.until(lambda s: s["space_distance"] < 0.5 * distance, "nearer")["space_distance"]
        window.keys("f")
        window.until(lambda s: s["space_distance"] > 1.3 * near, "all is in sight again")
        images = window.state()["widgets"]["camera0"]
        window.keys("3")
        window.until(lambda s: "camera0" not in s["widgets"] and math.prod(s["widgets"]["space"][2:]) > 3 * math.prod(images[2:]), "alone")
        window.keys("3")
        window.until(lambda s: "space" not in s["widgets"] and math.prod(s["widgets"]["camera0"][2:]) > 1.2 * math.prod(images[2:]), "images alone")
        window.keys("3")
        window.until(lambda s: "space" in s["widgets"] and s["widgets"]["camera0"] == images, "beside each other")
        window.quit()

    def test_axes_are_named_and_a_bar_tells_the_scale(self):
        window = self.paused()
        state = self.at(window, "End", LAST)
        tips = {axis: state["widgets"][f"axis:{axis}"] for axis in "xyz"}
        self.assertEqual(min(tips, key=lambda axis: tips[axis][1]), "z")  # it points up

        def pixels_of_a_millimetre(state):
            number, unit = state["space_bar"].split()
            return state["widgets"]["scale_bar"][2] / (float(number) * {"mm": 1, "m": 1000}[unit])
        far, distance = pixels_of_a_millimetre(state), state["space_distance"]
        window.point("space")
        for _ in range(5):
            window.press(4)
        near = window.until(lambda s: s["space_distance"] < 0.5 * distance, "nearer")
        # Things at the target look larger by as much as it is nearer.
        self.assertAlmostEqual(pixels_of_a_millimetre(near) / far, distance / near["space_distance"], delta=0.02 * distance / near["space_distance"])
        self.assertNotEqual(near["space_bar"], state["space_bar"])
        for told in (state, near):
            self.assertTrue(20 < told["widgets"]["scale_bar"][2] < 130, told["widgets"]["scale_bar"])
        window.quit()

    def test_names_of_points_do_not_lie_on_each_other(self):
        window = self.paused()
        state = self.at(window, "End", LAST)
        window.point("space")
        for _ in range(8):
            window.press(5)
        far = window.until(lambda s: s["space_distance"] > 3 * state["space_distance"] and s["input_shown"], "all points are near each other")
        for told, least in ((state, 2), (far, 1)):
            names = [place for name, place in told["widgets"].items() if name.startswith("point_name:")]
            self.assertGreaterEqual(len(names), least)
            for i, a in enumerate(names):
                for b in names[:i]:
                    self.assertFalse(all(a[k] < b[k] + b[k + 2] and b[k] < a[k] + a[k + 2] for k in (0, 1)), (a, b))
        self.assertLess(len([name for name in far["widgets"] if name.startswith("point_name:")]), len(far["points"]))
        window.quit()

    def test_all_stays_in_sight_until_one_looks_elsewhere(self):
        window = self.paused()
        self.at(window, "End", LAST)

        def in_sight(state):
            places = [place for name, place in state["widgets"].items() if name.startswith("space_camera:")]
            return len(places) == len(CAMERAS) and all(self.is_within(place, state["widgets"]["space"]) for place in places)
        window.until(in_sight, "all cameras beside the images")
        window.keys("3")
        window.until(lambda s: "camera0" not in s["widgets"] and in_sight(s), "alone")
        whole = window.state()["space_distance"]
        window.point("space")
        for _ in range(4):
            window.press(4)
        distance = window.until(lambda s: s["space_distance"] < 0.5 * whole, "nearer")["space_distance"]
        window.keys("3", "3")
        state = window.until(lambda s: "camera0" in s["widgets"] and "space" in s["widgets"], "beside the images again")
        self.assertAlmostEqual(state["space_distance"], distance, delta=1e-6 * distance)
        window.quit()

    def near(self, window):
        """Shows the 3D view alone, and zooms in. Returns the state."""
        window.keys("3")
        state = window.until(lambda s: "camera0" not in s["widgets"], "alone")
        for _ in range(8):
            window.point("space")
            window.press(4)
        return window.until(lambda s: s["space_distance"] < 0.25 * state["space_distance"], "near")

    def test_a_point_and_its_rays(self):
        window = self.paused()
        self.at(window, "End", LAST)
        state = self.near(window)
        point = next(p for p in self.apart(state) if int(self.points[LAST][p]["rays"]) >= 3)
        window.click(f"point:{point}")
        rays = int(self.points[LAST][point]["rays"])
        window.until(lambda s: s.get("space_point") == point and (s["space_rays"], s["space_lines"]) == (rays, 0), "picked, with its rays")
        window.keys("3", "3")
        # Each image shows the rays of the other cameras, which are one less if the camera itself sees the point.
        window.until(lambda s: s["space_lines"] == rays * (rays - 1) + (4 - rays) * rays, "its rays in the images")
        window.keys("Escape", "Escape")  # closes a message, then removes the selection
        window.until(lambda s: "space_point" not in s and s["space_rays"] == s["space_lines"] == 0, "none is selected")
        window.quit()

    def export(self, window, name, suffix):
        """Exports in a format, and returns the file."""
        window.keys("ctrl+e")
        window.click("export_format")
        window.click(f"export_format:{name}")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and not s["exporting"], f"{name} is exported")
        [file] = [path for path in self.dir.glob(f"film_cam0*{suffix}") if path not in self.exported]
        self.exported.append(file)
        return file

    def test_points_are_exported_as_by_the_command_line(self):
        self.exported = []
        self.glint("track", *CAMERAS, "--rig", "rig.toml", "--points", "expected.c3d", "--quiet")
        self.glint("track", *CAMERAS, "--rig", "rig.toml", "--points", "expected.trc", "--up", "y", "--unit", "m", "--quiet")
        self.glint("track", *CAMERAS, "--rig", "rig.toml", "-o", "expected.csv", "--quiet")
        window = self.paused()
        self.assertEqual(self.export(window, "points csv", ".points.csv").read_text(), self.text("points.csv"))
        self.assertEqual(self.export(window, "points c3d", ".c3d").read_bytes(), (self.dir / "expected.c3d").read_bytes())
        # Tracks are those that the rig helps to find again, as in the window.
        self.assertEqual(self.export(window, "csv", ".csv").read_text(), self.text("expected.csv"))
        window.keys("ctrl+e")
        window.click("export_format")
        window.click("export_format:points trc")
        for field, entry in (("export_up", "y up"), ("export_unit", "m")):
            window.click(field)
            window.click(f"choice:{entry}")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and not s["exporting"], "it is exported")
        self.assertEqual(self.text("film_cam0.trc").splitlines()[1:], self.text("expected.trc").splitlines()[1:])
        window.quit()

    def test_a_range_of_points_is_exported(self):
        self.exported = []
        header, *lines = self.text("points.csv").splitlines(keepends=True)
        window = self.paused()
        window.keys(*["Right"] * 7, "i", *["Right"] * 9, "o")
        window.until(lambda s: (s["in"], s.get("out")) == (7, 16), "a range")
        expected = header + "".join(line for line in lines if 7 <= int(line.split(",")[0]) <= 16)
        self.assertEqual(self.export(window, "points csv", ".points.csv").read_text(), expected)
        self.export(window, "points wide", ".wide.csv")
        frames = [int(row["frame"]) for row in rows(self.exported[-1])]
        self.assertEqual(frames, list(range(7, 17)))
        window.quit()

    def test_points_are_recorded(self):
        window = self.paused()
        window.click("record_options")
        window.click("record_as:points c3d")
        window.until(lambda s: s["record_as"] == "points c3d" and "record_list" not in s["widgets"], "it is chosen")
        window.keys("r", "space")
        window.until(lambda s: s["mode"] == "at_end" and not s["recording"] and "recorded" in s["toasts"], "recorded up to the end")
        [file] = self.dir.glob("glint-*.c3d")
        said = self.glint("convert", file.name, "again.csv")
        self.assertIn("-> again.csv", said.stdout)
        again = {}
        for row in rows(self.dir / "again.csv"):
            again.setdefault(int(row["frame"]), []).append([float(row[key]) for key in ("x_mm", "y_mm", "z_mm")])
        seen = again[LAST - 10]
        for row in self.points[LAST - 10].values():
            place = [float(row[key]) for key in ("x_mm", "y_mm", "z_mm")]
            self.assertLess(min(math.dist(place, other) for other in seen), 0.01)
        window.quit()

    def test_a_table_and_curves_of_points(self):
        window = self.paused()
        self.at(window, "End", LAST)
        window.click("tab:Tracks")
        window.click("tracks:points")
        state = window.until(lambda s: s["point_table"] == sorted(self.points[LAST]), "all points, by their ids")
        point = next(p for p in state["point_table"] if f"row_of_point:{p}" in state["widgets"] and int(self.points[LAST][p]["rays"]) >= 3
                     and all(p in self.points[frame] for frame in range(LAST // 4, LAST)))
        window.click(f"row_of_point:{point}")
        window.until(lambda s: s.get("space_point") == point and s["space_rays"] >= 3, "it is selected in space, too")
        window.keys("y")
        count = sum(point in frame for frame in self.points.values())
        window.until(lambda s: s["curves_of_points"] == [[point, count]] and all(f"curve_field:{kind}" in s["widgets"] for kind in ("x", "y", "z", "speed")),
                     "its curves")
        window.move(*self.middle_of(window, "curves"))
        told = window.until(lambda s: f"point {point}: x " in s["curves_told"], "its values under the mouse")["curves_told"]
        self.assertRegex(told, r"z -?\d+\.\d+ mm  speed \d+\.\d mm/s")
        window.click("point_column:z")
        heights = {p: float(row["z_mm"]) for p, row in self.points[LAST].items()}
        window.until(lambda s: [heights[p] for p in s["point_table"]] == sorted(heights.values()), "sorted by height")
        window.quit()

    def middle_of(self, window, name):
        left, top, width, height = window.state()["widgets"][name]
        return left + width / 2, top + height / 2

    def test_a_track_and_its_point_share_a_colour_and_show_their_ids(self):
        window = self.paused()
        self.at(window, "End", LAST)
        window.point("camera0")
        for _ in range(9):
            window.press(4)
        state = window.until(lambda s: s["zoom"] > 1, "large")
        left, top, width, height = state["widgets"]["camera0"]
        inside = {int(k[7:]): v for k, v in state["widgets"].items() if k.startswith("marker:")
                  and left + 20 < v[0] < left + width - 20 and top + 20 < v[1] < top + height - 20}
        measured = {row[1] for row in state["rows"] if row[0] == 0 and row[4]}
        alone = [t for t in sorted(measured & set(inside)) if all(o == t or math.dist(inside[t][:2], b[:2]) > 26 for o, b in inside.items())]
        for marker in alone:
            x, y = inside[marker][:2]
            window.click(f"marker:{marker}")
            state = window.until(lambda s: s.get("selected") == marker, "selected")
            if "space_point" not in state:
                continue
            point = state["space_point"]
            window.until(lambda s: s["words"].get("card_title") == f"track {marker}, point {point}", "the card names both")
            colours = {pixel for row in window.pixels(int(x) - 14, int(y) - 14, 29, 29) for pixel in row}
            self.assertIn(COLOURS[point % 7], colours, (marker, point))
            return window.quit()
        self.fail("no track with a point")

    def test_bodies_have_axes(self):
        self.glint("bodies", "--learn", "points.csv", "-o", "bodies.toml")
        self.glint("track", *CAMERAS, "--rig", "rig.toml", "--bodies", "bodies.toml", "--poses", "poses.csv", "--quiet")
        bodies = {row["body"] for row in rows(self.dir / "poses.csv") if int(row["frame"]) == LAST}
        self.assertGreaterEqual(len(bodies), 2)
        window = self.window("replay", *CAMERAS, "--rig", "rig.toml", "--bodies", "bodies.toml", "--paused")
        window.keys("h", "Escape", "End")
        state = window.until(lambda s: s["frame"] == LAST and not s["tracking"] and any(k.startswith("body:") for k in s["widgets"]), "bodies")
        self.assertEqual({k[5:] for k in state["widgets"] if k.startswith("body:")}, bodies)
        window.quit()

    def test_a_body_is_learned_from_chosen_points(self):
        said = self.glint("bodies", "--learn", "points.csv", "-o", "known.toml").stdout
        points = next([int(p) for p in line.split(" points ")[1].split(" in ")[0].split()] for line in said.splitlines() if " points " in line)
        window = self.paused()
        self.at(window, "End", LAST)
        state = self.near(window)
        chosen = [p for p in self.apart(state) if p in points][:4]
        self.assertGreaterEqual(len(chosen), 3)
        window.click(f"point:{chosen[0]}")
        window.until(lambda s: s.get("space_point") == chosen[0] and s["space_group"] == [], "one is selected")
        window.display.xdotool("keydown", "ctrl")
        for count in range(2, len(chosen) + 1):
            window.click(f"point:{chosen[count - 1]}")
            window.until(lambda s: s["space_group"] == chosen[:count], f"{count} are chosen")
        window.display.xdotool("keyup", "ctrl")
        for size in ((800, 500), (1280, 800)):
            window.display.xdotool("windowsize", window.number(), *size)
            # The bar takes the size of its content one picture later.
            window.until(lambda s: (s["width"], s["height"]) == size and self.is_within(s["widgets"]["learn_body"], s["widgets"]["body_learner"])
                         and self.is_within(s["widgets"]["body_learner"], s["widgets"]["views"]), "it stays within the views")
        window.click("body_name")
        window.keys("ctrl+a")
        window.type("hat")
        seen = {name: place for name, place in window.state()["widgets"].items() if name.startswith("space_camera:")}
        self.assertGreater(len(seen), 1)
        window.click("learn_body")
        state = window.until(lambda s: s["frame"] == LAST and "body:hat" in s["widgets"] and s["points"], "it is shown with its axes")
        self.assertEqual(state["space_group"], [])
        for name, place in seen.items():
            for was, now in zip(place, state["widgets"][name]):
                self.assertAlmostEqual(now, was, delta=1, msg=f"{name} stays where it was seen")
        window.quit()
        text = self.text("bodies.toml")
        self.assertIn("# learned from the window, ", text)
        said = self.glint("bodies", "bodies.toml").stdout
        self.assertIn(f"hat: {len(chosen)} markers", said)
        # The command line must learn the same body from the same points.
        self.glint("bodies", "--learn", "points.csv", "--points", ",".join(map(str, chosen)), "--name", "hat", "-o", "other.toml")
        self.assertEqual(self.glint("bodies", "other.toml").stdout, said)

    def test_an_image_leads_into_space(self):
        window = self.paused()
        state = self.at(window, "End", LAST)
        window.point("camera0")
        for _ in range(9):
            window.press(4)
        state = window.until(lambda s: s["zoom"] > 1, "large")
        left, top, width, height = state["widgets"]["camera0"]
        seen = {row[1] for row in state["rows"] if row[0] == 0 and row[4]}
        inside = {int(k[7:]): v for k, v in state["widgets"].items() if k.startswith("marker:")
                  and left + 20 < v[0] < left + width - 20 and top + 20 < v[1] < top + height - 20}
        alone = [t for t in sorted(seen) if t in inside
                 and all(o == t or math.dist(inside[t][:2], b[:2]) > 26 for o, b in inside.items())]
        marker = alone[0]
        window.point(f"marker:{marker}")
        window.until(lambda s: s["space_lines"] == 3, "its line in the three other images")
        window.click(f"marker:{marker}")
        state = window.until(lambda s: s.get("selected") == marker and "space_point" in s, "its point")
        row = self.points[LAST][state["space_point"]]
        self.assertGreaterEqual(int(row["rays"]), 2)
        # With Ctrl, clicks on markers choose their points for a body, as clicks in the 3D view do.
        point, others = state["space_point"], {}
        for other in alone[1:]:
            window.click(f"marker:{other}")
            state = window.until(lambda s: s.get("selected") == other, "another one")
            if state.get("space_point") not in (None, point):
                others[other] = state["space_point"]
                break
        [(other, its)] = others.items()
        window.click(f"marker:{marker}")
        window.until(lambda s: s.get("space_point") == point, "the first again")
        window.display.xdotool("keydown", "ctrl")
        window.click(f"marker:{other}")
        window.until(lambda s: s["space_group"] == [point, its], "both")
        window.display.xdotool("keyup", "ctrl")
        window.quit()

    def test_images_stand_in_space(self):
        """The pixels in front of a camera are those of its image: bright where its markers are, and in false colours
        elsewhere."""
        window = self.paused()
        self.at(window, "End", LAST)
        window.keys("v", "v", "v", "3")
        window.until(lambda s: s["shows"] == "Intensity" and "camera0" not in s["widgets"] and not s["stale"], "false colours")
        place = window.state()["widgets"]["space"]
        window.move(place[0] + 5, place[1] + place[3] - 5)

        def blue():
            return sum(1 for line in window.pixels(*place) for r, g, b in line if b > r + 15 and b > 35 and b < 80 and r < 30)
        wait_until(lambda: blue() > 300, "false colours in space")
        window.quit()

    def test_the_bundled_scene(self):
        window = self.window("replay", CAMERAS[0], "--paused")
        window.keys("h", "Escape", "ctrl+w")
        window.until(lambda s: s["empty"] and "welcome_scene" in s["widgets"], "nothing is open")
        window.click("welcome_scene")
        state = window.until(lambda s: not s["empty"] and len(s["points"]) > 30 and "space" in s["widgets"], "the scene with its points")
        self.assertEqual([source.rsplit("/", 1)[1] for source in state["sources"]], [f"stage_cam{i}.mp4" for i in range(4)])
        window.quit()

    def test_the_rig_stays_with_its_cameras(self):
        window = self.paused()
        window.keys("ctrl+w")
        window.until(lambda s: s["empty"] and "welcome_recent0" in s["widgets"], "nothing is open")
        window.click("welcome_recent0")
        window.until(lambda s: not s["empty"] and s["space"] and "space" in s["widgets"], "the same once more")
        window.quit()

    def test_a_rig_is_opened(self):
        window = self.window("replay", *CAMERAS, "--paused")
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused" and not s["help"], "the first frame")
        window.keys("ctrl+o")
        window.click("entry:rig.toml")
        window.click("open_go")
        window.until(lambda s: "space" in s["widgets"] and s["points"], "space")
        window.quit()

    def test_without_a_rig(self):
        window = self.window("replay", CAMERAS[0], "--paused")
        window.keys("h", "Escape")
        window.until(lambda s: not s["hint"] and not s["help"], "it has begun")
        window.keys("3")
        state = window.until(lambda s: "need a rig" in s["said"], "why there is no space")
        self.assertNotIn("space", state["widgets"])
        window.quit()


if __name__ == "__main__":
    unittest.main()
