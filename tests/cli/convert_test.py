"""glint convert from outside: round trips, independent readers of every format, damaged files.

usage: convert_test.py GLINT [unittest arguments]   (under a Python with NumPy)
"""

import json
import os
import resource
import subprocess
import unittest

import numpy as np

import takes
from harness import GLINT, SANITIZED, Folder, rows, wait_until

WIDE = (".wide.csv", ".c3d", ".trc", ".motive.csv", ".qtm.tsv")
READERS = {".c3d": takes.read_c3d, ".trc": takes.read_trc, ".motive.csv": takes.read_motive, ".qtm.tsv": takes.read_qtm,
           ".wide.csv": takes.read_wide}
KINDS = [(processor, real) for processor in (takes.INTEL, takes.DEC, takes.MIPS) for real in (True, False)]


class Takes(Folder):
    def write(self, name, content):
        (self.dir / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    def points(self, name="again.csv"):
        return takes.read_rows(rows(self.dir / name))

    def assert_same(self, take, found, tolerance=0.0, label=None):
        """Every place of the take is found within `tolerance` mm, none more, at the same frames and times."""
        order = [found["names"].index(name) for name in take["names"]]
        self.assertEqual(len(found["names"]), len(take["names"]), label)
        there = ~np.isnan(take["at"]).all(axis=(1, 2))
        at = np.full((len(take["frames"]), len(order), 3), np.nan)
        times = np.full(len(take["frames"]), np.nan)
        index = np.asarray(found["frames"]) - take["frames"][0]
        self.assertTrue(((index >= 0) & (index < len(at))).all(), label)
        at[index], times[index] = found["at"][:, order], found["times"]
        np.testing.assert_array_equal(np.isnan(at), np.isnan(take["at"]), err_msg=str(label))
        if tolerance == 0:
            np.testing.assert_array_equal(at, take["at"], err_msg=str(label))
        else:
            self.assertLessEqual(np.nanmax(np.abs(at - take["at"])), tolerance, label)
        self.assertLess(np.abs(times - take["times"])[there].max(), 2e-6, label)


class Failures(Takes):
    """A conversion that fails leaves the file that had its name, and nothing beside it."""

    TRACKS = (".csv", ".trackpy.csv", ".trackmate.csv", ".kinovea.csv", ".tsv", ".xml")

    def setUp(self):
        super().setUp()
        self.write("take.csv", takes.points_csv(takes.random_take(np.random.default_rng(5), 3, 400)))
        rows = "".join(f"{frame},{frame / 30:.6f},{track},{10 * track + frame / 7:.4f},{frame / 9:.4f}\n"
                       for frame in range(400) for track in (1, 2, 3))
        self.write("tracks.csv", "frame,time_s,track,x,y\n" + rows)

    def fail_to_convert(self, source, target, spool=None):
        """`spool` is the file in which rows wait for the last one, if they do."""
        (self.dir / target).write_text("earlier")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))  # noqa: E731
        before = sorted(os.listdir(self.dir))
        said = self.glint("convert", source, target, status=1, preexec_fn=limit).stderr
        named = f"cannot write '{spool}': File too large" if spool else f"cannot write '{target}': File too large; it is left as it was"
        self.assertIn(named, said)
        self.assertEqual(self.text(target), "earlier")
        self.assertEqual(sorted({*os.listdir(self.dir)} - {spool}), before)

    def test_a_full_disk_costs_no_earlier_points(self):
        for suffix in (".csv", ".jsonl", *WIDE):
            self.fail_to_convert("take.csv", "out" + suffix)

    def test_a_full_disk_costs_no_earlier_tracks(self):
        for suffix in self.TRACKS:
            with self.subTest(suffix=suffix):
                self.fail_to_convert("tracks.csv", "out" + suffix, f"out{suffix}.rows" if suffix in (".kinovea.csv", ".tsv") else None)

    def test_damaged_input_costs_no_earlier_file(self):
        self.write("cut.csv", self.text("take.csv") + "401,13.366667,1,x")
        self.write("out.trc", "earlier")
        self.glint("convert", "cut.csv", "out.trc", status=1)
        self.assertEqual(self.text("out.trc"), "earlier")

    def test_links_and_rights_stay(self):
        self.write("real.trc", "earlier")
        os.chmod(self.dir / "real.trc", 0o640)
        (self.dir / "link.trc").symlink_to("real.trc")
        self.glint("convert", "take.csv", "link.trc")
        self.assertTrue((self.dir / "link.trc").is_symlink())
        self.assertEqual(os.stat(self.dir / "real.trc").st_mode & 0o777, 0o640)
        self.assertTrue(self.text("real.trc").startswith("PathFileType"))


class RoundTrips(Takes):
    SIZES = [(1, 1), (1, 2), (2, 17), (7, 300), (41, 120), (300, 40)]

    def check(self, take, suffixes=WIDE, **options):
        arguments = [part for option, value in options.items() for part in (f"--{option}", value)]
        self.write("take.csv", takes.points_csv(take))
        # Single precision holds 24 bits of a coordinate in mm, or in m.
        for suffix in suffixes:
            label = (suffix, take["at"].shape, options)
            single = 2.0 ** -24 * np.nanmax(np.abs(take["at"])) if suffix == ".c3d" else 1e-9
            self.glint("convert", "take.csv", "out" + suffix, *arguments)
            found = READERS[suffix](self.dir / ("out" + suffix))
            self.assert_same(take, found, single, label)
            if "rate" in found and len(take["frames"]) > 1:
                self.assertAlmostEqual(found["rate"], take["rate"], delta=1e-6 * take["rate"])
            self.glint("convert", "out" + suffix, "again.csv")
            self.assert_same(take, self.points(), single + 5.1e-5 if suffix == ".c3d" else 1e-9, label)

    def test_random_takes_through_every_format(self):
        random = np.random.default_rng(7)
        for markers, frames in self.SIZES:
            self.check(takes.random_take(random, markers, frames))

    def test_names_of_bodies_and_labels(self):
        random = np.random.default_rng(8)
        names = ["tool:tip", "tool:b", "L ASIS", "point9", "Ünicode", "x_mm", 'a,b "c"']
        self.check(takes.random_take(random, len(names), 50, names=names))

    def test_later_frames_other_rates_and_metres(self):
        random = np.random.default_rng(9)
        for first, rate in ((30, 50.0), (1000, 239.76), (0, 30000 / 1001)):
            take = takes.random_take(random, 3, 60, rate=rate, first=first)
            self.check(take)
            self.check(take, (".wide.csv", ".c3d", ".trc", ".motive.csv"), unit="m")

    def test_a_hundred_thousand_frames(self):
        frames = 70_000 if SANITIZED else 100_000
        take = takes.random_take(np.random.default_rng(10), 2, frames, rate=240.0)
        self.check(take, (".c3d", ".trc"))
        c3d = takes.read_c3d(self.dir / "out.c3d")
        self.assertEqual(len(c3d["frames"]), frames)
        self.assertEqual(c3d["parameters"]["POINT", "FRAMES"], (4, [], [float(frames)]))  # a word would end at 65,535
        self.assertEqual([v & 0xffff for v in c3d["parameters"]["TRIAL", "ACTUAL_END_FIELD"][2]], [frames & 0xffff, frames >> 16])

    def test_one_format_into_another(self):
        take = takes.random_take(np.random.default_rng(11), 5, 80, single=True)
        self.write("take.c3d", takes.c3d_bytes(take))
        for suffix in WIDE:
            self.glint("convert", "take.c3d", "out" + suffix)
            self.assert_same(take, READERS[suffix](self.dir / ("out" + suffix)), 1e-9, suffix)
            for other in WIDE:
                self.glint("convert", "out" + suffix, "again" + other)
                self.assert_same(take, READERS[other](self.dir / ("again" + other)), 1e-9, (suffix, other))

    def test_the_up_axis_turns_there_and_back(self):
        take = takes.random_take(np.random.default_rng(12), 4, 30)
        self.write("take.csv", takes.points_csv(take))
        turned = {**take, "at": take["at"][:, :, [0, 2, 1]] * [1, 1, -1]}
        for suffix in WIDE:
            self.glint("convert", "take.csv", "up" + suffix, "--up", "y")
            self.assert_same(turned, READERS[suffix](self.dir / ("up" + suffix)), 1e-4 if suffix == ".c3d" else 1e-9, suffix)
            said = self.glint("convert", "up" + suffix, "again.csv", "--from-up", "y", "--up", "z").stdout
            self.assertIn("z up", said)
            self.assert_same(take, self.points(), 1e-4 if suffix == ".c3d" else 1e-9, suffix)
        # C3D says which axis is up, and Motive always has y.
        for suffix in (".c3d", ".motive.csv"):
            self.glint("convert", "up" + suffix, "again.csv", "--up", "z")
            self.assert_same(take, self.points(), 1e-4, suffix)

    def test_json_lines_hold_every_column(self):
        take = takes.random_take(np.random.default_rng(13), 4, 30, names=["point3", "tool:a", "tool:b", "c"])
        self.write("take.csv", takes.points_csv(take))
        self.glint("convert", "take.csv", "out.jsonl")
        self.glint("convert", "out.jsonl", "again.csv")
        self.assertEqual((self.dir / "again.csv").read_text(), (self.dir / "take.csv").read_text())
        lines = [json.loads(line) for line in self.text("out.jsonl").splitlines()]
        self.assertEqual(set(lines[0]), set(takes.POINTS))

    def test_poses_go_through_the_formats_that_hold_bodies(self):
        random = np.random.default_rng(14)
        header = "frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw,sigma_mm,sigma_deg,markers,residual_mm,state,flags\n"
        text, expected = header, {"tool": np.full((20, 8), np.nan), "head": np.full((20, 8), np.nan)}
        for frame in range(20):
            for body in expected:
                if 0 < frame < 19 and random.random() < 0.3:
                    continue
                q = random.normal(size=4)
                q = np.round(q / np.linalg.norm(q) * np.sign(q[3]), 7)
                at = np.round(random.uniform(-900, 900, 3), 4)
                expected[body][frame] = [*at, *q, 0.25]
                numbers = ",".join([f"{v:.4f}" for v in at] + [f"{v:.7f}" for v in q])
                text += f"{frame},{frame / 50:.6f},{body},{numbers},1.0000,0.5000,3,0.2500,measured,0\n"
        self.write("poses.csv", text)
        for suffix in (".motive.csv", ".wide.csv"):
            self.glint("convert", "poses.csv", "out" + suffix)
            found = READERS[suffix](self.dir / ("out" + suffix))["poses"]
            self.assertEqual(set(found), set(expected))
            for body, poses in expected.items():
                width = found[body].shape[1]
                np.testing.assert_allclose(found[body], poses[:, :width], atol=1e-9)
            self.glint("convert", "out" + suffix, "again.csv")
            again = rows(self.dir / "again.csv")
            given = rows(self.dir / "poses.csv")
            order = sorted(given, key=lambda row: (int(row["frame"]), row["body"]))
            for a, b in zip(order, sorted(again, key=lambda row: (int(row["frame"]), row["body"]))):
                for key in ("frame", "time_s", "body", "x_mm", "y_mm", "z_mm", "qx", "qy", "qz", "qw"):
                    self.assertEqual(a[key], b[key])
            self.assertEqual(len(again), len(given))
        self.glint("convert", "poses.csv", "out.jsonl")
        self.glint("convert", "out.jsonl", "again.csv")
        self.assertEqual(rows(self.dir / "again.csv"), given)
        said = self.glint("convert", "poses.csv", "up.motive.csv", "--up", "y")
        self.assertIn("2 bodies, y up -> up.motive.csv", said.stdout)
        turned = READERS[".motive.csv"](self.dir / "up.motive.csv")["poses"]["tool"]
        plain = expected["tool"]
        np.testing.assert_allclose(turned[:, :3], plain[:, [0, 2, 1]] * [1, 1, -1], atol=1e-9)
        np.testing.assert_allclose(np.abs((turned[:, 3:7] * (plain[:, [3, 5, 4, 6]] * [1, 1, -1, 1])).sum(axis=1)[[0, 19]]), 1, atol=1e-6)


class C3d(Takes):
    def test_all_six_kinds_are_read(self):
        for processor, real in KINDS:
            take = takes.random_take(np.random.default_rng(20), 6, 50, rate=100.0, first=4, single=True,
                                     names=["RKNE", "LKNE", "S:a", "d", "e", "point12"])
            scale = 0.0625
            if not real:
                take["at"] = np.round(take["at"] / scale) * scale
            self.write("take.c3d", takes.c3d_bytes(take, processor, real, scale=scale, cameras=5, residual=3))
            said = self.glint("convert", "take.c3d", "again.csv")
            self.assertEqual(said.stderr, "")
            self.assertIn("50 frames at 100 Hz, 6 markers", said.stdout)
            self.assert_same(take, self.points(), 5.1e-5, (processor, real))
            row = rows(self.dir / "again.csv")[0]
            self.assertEqual((row["rays"], row["sigma_x"], row["vx_mm_s"]), ("2", f"{3 * scale:.4f}", ""))
            self.glint("convert", "take.c3d", "out.c3d")
            out = takes.read_c3d(self.dir / "out.c3d")
            self.assert_same(take, out, 1e-9)
            self.assertEqual(set(out["cameras"][out["residuals"] >= 0]), {5})

    def test_residuals_cameras_and_predictions(self):
        text = ",".join(takes.POINTS) + "\n"
        for frame in range(4):
            state = "predicted" if frame == 2 else "measured"
            sigma = f"{0.1 * (frame + 1):.4f}"
            text += f"{frame},{frame / 60:.6f},1,{state},{3200 if frame == 0 else 10}.0000,20.0000,30.0000,,,,{sigma},{sigma},{sigma},0,0,0,3,,,,0\n"
        self.write("take.csv", text)
        self.glint("convert", "take.csv", "take.c3d")
        c3d = takes.read_c3d(self.dir / "take.c3d")
        np.testing.assert_allclose(c3d["residuals"][:, 0], [0.1, 0.2, 0, 0.4], atol=1e-6)
        self.glint("convert", "take.c3d", "again.csv")
        again = rows(self.dir / "again.csv")
        self.assertEqual([row["state"] for row in again], ["measured", "measured", "predicted", "measured"])
        self.assertEqual([row["sigma_y"] for row in again], ["0.1000", "0.2000", "", "0.4000"])

    def test_deviations_stay_fine_where_coordinates_are_large(self):
        head = "frame,time_s,point,x_mm,y_mm,z_mm,sigma_x,sigma_y,sigma_z\n"
        sigmas = [0.1, 0.2, 0.05, 0.4]
        self.write("take.csv", head + "".join(f"{i},{i / 60:.6f},1,1000000,2,3,{s},{s},{s}\n" for i, s in enumerate(sigmas)))
        said = self.glint("convert", "take.csv", "take.c3d").stderr
        self.assertIn("more of the covariances than one standard deviation in steps of 0.00315 mm", said)
        c3d = takes.read_c3d(self.dir / "take.c3d")
        np.testing.assert_allclose(c3d["residuals"][:, 0], sigmas, atol=0.0016)
        # One that no step of the usual size holds is the largest that there is.
        self.write("take.csv", head + "0,0,1,320,2,3,0.1,0.1,0.1\n1,0.016667,1,320,2,3,5,5,5\n")
        self.assertIn("standard deviations above 1.27 mm", self.glint("convert", "take.csv", "take.c3d").stderr)
        np.testing.assert_allclose(takes.read_c3d(self.dir / "take.c3d")["residuals"][:, 0], [0.1, 1.27], atol=1e-6)

    def test_the_header_and_the_parameters_of_what_is_written(self):
        take = takes.random_take(np.random.default_rng(21), 300, 3, names=[f"marker_{n}" for n in range(300)])
        self.write("take.csv", takes.points_csv(take))
        self.glint("convert", "take.csv", "take.c3d")
        c3d = takes.read_c3d(self.dir / "take.c3d")
        value = {key: parameter[2] for key, parameter in c3d["parameters"].items()}
        self.assertEqual([len(value["POINT", name]) for name in ("LABELS", "LABELS2", "DESCRIPTIONS", "DESCRIPTIONS2")], [255, 45] * 2)
        self.assertEqual(value["POINT", "USED"], [300])
        self.assertEqual((value["POINT", "FRAMES"], value["POINT", "RATE"], value["POINT", "UNITS"]), ([3], [60.0], ["mm"]))
        self.assertLess(value["POINT", "SCALE"][0], 0)
        self.assertEqual((value["ANALOG", "USED"], value["FORCE_PLATFORM", "USED"]), ([0], [0]))
        self.assertEqual((value["TRIAL", "ACTUAL_START_FIELD"], value["TRIAL", "ACTUAL_END_FIELD"]), ([1, 0], [3, 0]))
        self.assertEqual(value["MANUFACTURER", "SOFTWARE"], ["Glint"])
        hidden = np.isnan(c3d["at"][:, :, 0])
        self.assertTrue(hidden.any())
        np.testing.assert_array_equal(np.unique(c3d["raw"][hidden], axis=0), [[0, 0, 0, -1]])

    def test_what_is_left_out_or_contradicts_is_said(self):
        take = takes.random_take(np.random.default_rng(22), 3, 20, single=True)
        events = [("EVENT", "USED", 2, [], b"\2\0")]
        self.write("take.c3d", takes.c3d_bytes(take, extra=events))
        self.assertIn("its 2 events are left out", self.glint("convert", "take.c3d", "a.csv").stderr)
        self.write("take.c3d", takes.c3d_bytes({**take, "names": take["names"] + ["more"]}))
        self.assertIn("its parameters name 4 points, and its header has 3 points: the last names are left out",
                      self.glint("convert", "take.c3d", "a.csv").stderr)
        self.write("take.c3d", takes.c3d_bytes({**take, "names": take["names"][:2]}))
        self.assertIn("only 2 of its 3 points have a name", self.glint("convert", "take.c3d", "a.csv").stderr)
        trial = takes.c3d_bytes(take, trial=True, header={5: 19})
        self.write("take.c3d", trial)
        self.assertIn("and TRIAL 1 to 20, which is used", self.glint("convert", "take.c3d", "a.csv").stderr)
        for last in (2, 29):  # too few would be lost, and the rest of the last block would be read as points
            self.write("take.c3d", takes.c3d_bytes(take, header={5: last}))
            said = self.glint("convert", "take.c3d", "a.csv").stderr
            self.assertIn(f"its header says {last} frames, and POINT:FRAMES 20, which is used", said)
            self.assertEqual({int(row["frame"]) for row in rows(self.dir / "a.csv")} - set(range(20)), set())

    def test_damaged_files_are_refused_in_one_sentence(self):
        take = takes.random_take(np.random.default_rng(23), 3, 200, single=True)
        whole = takes.c3d_bytes(take)
        for size in (0, 1, 100, 511, 512, 515, 600, 1023, 1536, 2000, len(whole) - 600):
            self.write("cut.c3d", whole[:size])
            said = self.glint("convert", "cut.c3d", "a.csv", status=1).stderr
            self.assertIn("cut.c3d", said)
            self.assertFalse((self.dir / "a.csv").exists())
        self.write("cut.c3d", whole[:-600])
        self.assertRegex(self.glint("convert", "cut.c3d", "a.csv", status=1).stderr, r"ends after 1\d\d of 200 frames")
        for header in ({2: 0xffff}, {2: 0}, {3: 0xffff}, {4: 500}, {9: 0xffff}, {9: 0, 2: 60000}):
            self.write("odd.c3d", takes.c3d_bytes(take, header=header))
            self.assertIn("odd.c3d", self.glint("convert", "odd.c3d", "a.csv", status=1).stderr)
        self.write("odd.c3d", whole[:515] + b"\x5a" + whole[516:])
        self.assertIn("the number of its processor is 90", self.glint("convert", "odd.c3d", "a.csv", status=1).stderr)
        self.write("odd.c3d", b"P" * 4096)
        self.glint("convert", "odd.c3d", "a.csv", status=1)


class Texts(Takes):
    """Text formats as others write them, and damaged."""

    def test_other_writers_of_trc(self):
        head = ("PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\t"
                "OrigNumFrames\n100.00\t100.00\t2\t2\tm\t100.00\t1\t2\nFrame#\tTime\tA\t\t\tB b\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\t\n")
        for blank in ("", "\n"):
            for end in ("", "\t"):
                self.write("x.trc", head + blank + f"1\t0.00\t0.1\t0.2\t0.3\t1\t2\t3{end}\n2\t0.01\t\t\t\t-1\t2.5\t3{end}\n")
                self.glint("convert", "x.trc", "a.csv")
                found = self.points("a.csv")
                self.assertEqual(found["names"], ["A", "B b"])
                np.testing.assert_allclose(found["at"], [[[100, 200, 300], [1000, 2000, 3000]], [[np.nan] * 3, [-1000, 2500, 3000]]])

    def test_other_writers_of_qtm(self):
        head = ("NO_OF_FRAMES\t2\nNO_OF_CAMERAS\t13\nNO_OF_MARKERS\t2\nFREQUENCY\t120\nNO_OF_ANALOG\t0\nANALOG_FREQUENCY\t0\nDESCRIPTION\t--\n"
                "TIME_STAMP\t2024-04-15, 10:39:38.777\t406646.66137317\nDATA_INCLUDED\t3D\nEVENT\thit\t1\t0.0\nMARKER_NAMES\tA\tB\n"
                "TRAJECTORY_TYPES\tMeasured\tMeasured\n")
        for number, name in (("", ""), ("1\t0.00000\t", "2\t0.00833\t")):
            self.write("x.tsv", head + f"{number}-473.521\t191.980\t613.382\t0.000\t0.000\t0.000\n{name}1\t2\t3\t4\t5\t6\n")
            said = self.glint("convert", "x.tsv", "a.csv")
            self.assertIn("1 event is left out", said.stderr)
            np.testing.assert_allclose(self.points("a.csv")["at"], [[[-473.521, 191.98, 613.382], [np.nan] * 3], [[1, 2, 3], [4, 5, 6]]])
            self.assertEqual(rows(self.dir / "a.csv")[-1]["time_s"], "0.008333" if not number else "0.008330")

    def test_motive_with_expected_places_and_qualities(self):
        text = ("Format Version,1.23,Take Name,t,Capture Frame Rate,120.000000,Export Frame Rate,120.000000,Total Exported Frames,2,"
                "Rotation Type,Quaternion,Length Units,Meters,Coordinate Space,Global\n\n"
                ",Type" + ",Rigid Body" * 8 + ",Rigid Body Marker" * 4 + ",Marker" * 3 + "\n"
                ",Name" + ",Tool" * 8 + ",Tool:Marker1" * 4 + ",Tool:Marker1" * 3 + "\n"
                ",ID" + ",0A" * 8 + ",0B" * 4 + ",0C" * 3 + "\n"
                ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error,Position,Position,Position,Marker Quality,"
                "Position,Position,Position\n"
                "Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,,X,Y,Z,,X,Y,Z\n"
                "0,0.000000,0,0,0,1,0.1,0.2,0.3,0.0005,9,9,9,1,1,2,3\n"
                "1,0.008333,0,0,0,1,0.1,0.2,0.3,,9,9,9,1,,,\n")
        self.write("x.csv", text)
        said = self.glint("convert", "x.csv", "a.csv")
        self.assertIn("the places where 1 marker of bodies were expected are left out", said.stderr)
        self.assertIn("columns of Marker Quality are left out", said.stderr)
        self.assertIn("a.csv cannot hold the poses of bodies", said.stderr)
        self.assertIn("y up", said.stdout)
        self.assertEqual([(r["body"], r["label"], r["x_mm"], r["z_mm"]) for r in rows(self.dir / "a.csv")], [("Tool", "Marker1", "1000.0000", "3000.0000")])
        self.write("x.csv", text.replace("Quaternion", "XYZ"))
        self.assertIn("export them as Quaternion", self.glint("convert", "x.csv", "a.csv", status=1).stderr)

    def test_damaged_texts_are_refused_in_one_sentence(self):
        take = takes.random_take(np.random.default_rng(30), 3, 30)
        self.write("take.csv", takes.points_csv(take))
        for suffix in (".trc", ".motive.csv", ".qtm.tsv"):
            self.glint("convert", "take.csv", "whole" + suffix)
            whole = (self.dir / ("whole" + suffix)).read_bytes()
            for size in (0, 5, 40, 150, 400, len(whole) // 2, len(whole) - 40):
                self.write("cut" + suffix, whole[:size])
                self.assertIn("cut" + suffix, self.glint("convert", "cut" + suffix, "a.csv", status=1).stderr)

        def refused(name, old, new, words):
            text = (self.dir / ("whole" + name)).read_bytes().decode()
            self.assertIn(old, text)
            self.write("odd" + name, text.replace(old, new, 1))
            self.assertIn(words, self.glint("convert", "odd" + name, "a.csv", status=1).stderr)
        refused(".trc", "\t30\t3\t", "\t30\t4000000000\t", "NumMarkers is 4000000000")
        refused(".trc", "\t30\t3\t", "\t31\t3\t", "ends after 30 of 31 frames")
        refused(".trc", "\tmm\t", "\tparsec\t", '"parsec" is no unit of length')
        refused(".trc", "\r\n5\t", "\r\n3\t", "frame 2 comes after frame 3")
        refused(".trc", "\r\n5\t", "\r\nfive\t", '"five" is not a')
        refused(".qtm.tsv", "NO_OF_MARKERS\t3", "NO_OF_MARKERS\t4", "NO_OF_MARKERS is 4")
        refused(".qtm.tsv", "\t3D\r", "\t2D\r", "are not Frame, Time, and the X and Y of each track")
        refused(".motive.csv", "Millimeters", "Furlongs", "Furlongs")
        refused(".motive.csv", ",Position,Position,Position", ",Position,Position,Rotation", "is not the")
        bad = {"frame 4 comes after frame 9": "frame,time_s,point,x_mm,y_mm,z_mm\n9,0,1,1,2,3\n4,0,1,1,2,3\n",
               "point 1 is there twice in frame 4": "frame,time_s,point,x_mm,y_mm,z_mm\n4,0,1,1,2,3\n4,0,1,1,2,3\n",
               "\"far\" is not a valid y_mm": "frame,time_s,point,x_mm,y_mm,z_mm\n4,0,1,1,far,3\n",
               "is it a number of a frame": "frame,time_s,point,x_mm,y_mm,z_mm\n4,0,1,1,2,3\n900000000000,1,1,1,2,3\n",
               "there is no column": "frame,time_s,point,x_mm,y_mm\n4,0,1,1,2\n",
               'there are two columns "x_mm"': "frame,time_s,point,x_mm,y_mm,z_mm,x_mm\n4,0,1,1,2,3,9\n"}
        for words, text in bad.items():
            self.write("bad.csv", text)
            self.assertIn(words, self.glint("convert", "bad.csv", "a.c3d", status=1).stderr)
        for text in ("[]\n", "{\n", '{"frame":-1}\n', '{"frame":1,"point":1}\n', '{"frame":1,"time_s":0,"point":1,"x_mm":"a","y_mm":1,"z_mm":1}\n'):
            self.write("bad.jsonl", text)
            self.assertIn("bad.jsonl, line 1", self.glint("convert", "bad.jsonl", "a.c3d", status=1).stderr)
        self.assertFalse((self.dir / "a.c3d").exists())


class Names(Takes):
    HEAD = "frame,time_s,point,x_mm,y_mm,z_mm,body,label\n"

    def test_names_that_are_not_utf8_become_utf8(self):
        take = takes.random_take(np.random.default_rng(50), 2, 5, names=["KXr", "B"], single=True)
        self.write("take.c3d", takes.c3d_bytes(take).replace(b"KXr", b"K\xf6r"))
        for suffix in (".csv", ".jsonl", *WIDE):
            said = self.glint("convert", "take.c3d", "out" + suffix).stderr
            self.assertIn('take.c3d: 1 name is not UTF-8 and is read as Latin-1, such as "K\u00f6r"', said)
            (self.dir / ("out" + suffix)).read_bytes().replace(b"\x00", b"").decode("utf-8", "strict" if suffix != ".c3d" else "replace")
            self.glint("convert", "out" + suffix, "again.csv")
            self.assertEqual({row["label"] for row in rows(self.dir / "again.csv")}, {"K\u00f6r", "B"})

    def test_a_name_of_two_lines_becomes_one_of_one(self):
        line = '{"frame":0,"time_s":0,"point":%d,"x_mm":1,"y_mm":2,"z_mm":3,"label":"%s"}\n'
        self.write("take.jsonl", line % (1, "a\\nb") + line % (2, "a b") + line % (3, "c\\td"))
        for suffix in (".csv", *WIDE):
            said = self.glint("convert", "take.jsonl", "out" + suffix).stderr
            self.assertIn("2 names have line breaks or other control characters, which become blanks", said)
            self.assertIn("1 name is numbered to stay different from another one", said)
            self.assertEqual(self.glint("convert", "out" + suffix, "again.csv").stderr.count("name"), 0)
            self.assertEqual([row["label"] for row in rows(self.dir / "again.csv")], ["a b", "a b_2", "c d"])

    def test_names_that_a_format_makes_equal_stay_different(self):
        long = "n" * 126
        self.write("take.csv", self.HEAD + f"0,0,1,1,2,3,, tip\n0,0,2,4,5,6,,tip\n0,0,3,7,8,9,,{long}abc\n0,0,4,7,8,9,,{long}\u00e9\n0,0,5,1,1,1,,{long}abd\n")
        for suffix, count in ((".trc", 1), (".qtm.tsv", 1), (".c3d", 4)):
            said = self.glint("convert", "take.csv", "out" + suffix).stderr
            self.assertIn(f"out{suffix} cannot hold {count} name", said)
            found = READERS[suffix](self.dir / ("out" + suffix))
            expected = ["tip_2", "tip"] + ([long + "abc", long + "\u00e9", long + "abd"] if suffix != ".c3d" else [long + "a", long, long[:125] + "_2"])
            self.assertEqual(found["names"], expected)
            np.testing.assert_allclose(found["at"][0, :2], [[1, 2, 3], [4, 5, 6]])
        for suffix in (".wide.csv", ".motive.csv"):
            self.assertNotIn("cannot hold 1 name", self.glint("convert", "take.csv", "out" + suffix).stderr)

    def test_a_name_that_has_a_column_is_numbered(self):
        self.write("take.csv", self.HEAD + "0,0,1,1,1,1,,tip\n0,0,2,2,2,2,,tip\n0,0,3,3,3,3,,tip_2\n0,0,4,4,4,4,,\n1,0.1,2,5,5,5,,tip\n1,0.1,5,6,6,6,,point4\n")
        for suffix in WIDE:
            self.glint("convert", "take.csv", "out" + suffix)
            found = READERS[suffix](self.dir / ("out" + suffix))
            self.assertEqual(found["names"], ["tip", "tip_2", "tip_2_2", "point4", "point4_2"])
            np.testing.assert_allclose(found["at"][:, :, 0], [[1, 2, 3, 4, np.nan], [5, np.nan, np.nan, np.nan, 6]])


class Times(Takes):
    @staticmethod
    def table(times, sigma=0.1):
        return "frame,time_s,point,x_mm,y_mm,z_mm,sigma_x,sigma_y,sigma_z\n" + "".join(
            f"{frame},{time:.6f},1,1,2,3,{sigma},{sigma},{sigma}\n" for frame, time in enumerate(times))

    def test_a_pause_does_not_spoil_the_rate(self):
        steady = np.arange(100) / 60
        for times, words in ((steady + 3 * (np.arange(100) > 50), "its times pause once, for up to 3.02 s"),
                             (steady + 2 * (np.arange(100) > 20) + 7 * (np.arange(100) > 70), "its times pause 2 times, for up to 7.02 s")):
            self.write("take.csv", self.table(times))
            for suffix in (".trc", ".c3d", ".motive.csv", ".qtm.tsv"):
                said = self.glint("convert", "take.csv", "out" + suffix)
                self.assertIn("100 frames at 60 Hz, 1 marker,", said.stdout)
                self.assertIn(words, said.stderr)
                self.assertEqual(READERS[suffix](self.dir / ("out" + suffix))["rate"], 60)
        # Frames that were lost one by one are no pause.
        late = np.cumsum(np.where(np.arange(100) % 10 == 0, 2, 1)) / 60
        self.write("take.csv", self.table(late - late[0]))
        self.assertNotIn("pause", self.glint("convert", "take.csv", "out.trc").stderr)

    def test_contradictory_times_are_said(self):
        def trc(rate, *times):
            return (f"PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n{rate}\t{rate}\t{len(times)}\t1\tmm\n"
                    "Frame#\tTime\tA\t\t\n\t\tX1\tY1\tZ1\n\n" + "".join(f"{n}\t{time}\t1\t2\t3\n" for n, time in enumerate(times, 1)))
        for text, words in ((trc(100, 0, 0.5, 1), "its header says 100 frames a second, which is used as the rate, and its times 2"),
                            (trc(100, 0, 0.01, 0.005), "time does not rise from frame 1 (0.01 s) to frame 2 (0.005 s)"),
                            (trc(100, 0, 0, 0), "time does not rise from frame 0 (0 s) to frame 1 (0 s), nor at 1 other place")):
            self.write("x.trc", text)
            self.assertIn("x.trc: " + words, self.glint("convert", "x.trc", "out.c3d").stderr)
        for text in (trc(100, 0, 0.01, 0.02), trc(30, 0, 0.03, 0.07, 0.1), trc(59.94, *(f"{n / 59.94:.3f}" for n in range(500)))):
            self.write("x.trc", text)
            self.assertEqual(self.glint("convert", "x.trc", "out.csv").stderr, "")


class Words(Takes):
    def test_what_a_format_cannot_hold_is_said_in_one_sentence(self):
        take = takes.random_take(np.random.default_rng(40), 2, 20)
        self.write("take.csv", takes.points_csv(take).replace("measured", "predicted", 1))
        said = self.glint("convert", "take.csv", "out.trc").stderr
        self.assertEqual(said, "glint: out.trc cannot hold which points were predicted and not measured, standard deviations, how many "
                               "cameras saw a point and velocities and residuals in px\n")
        late = takes.points_csv({**take, "times": take["times"] + 2.5})
        self.write("take.csv", late)
        self.assertIn("that frame 0 was at 2.5 s", self.glint("convert", "take.csv", "out.c3d").stderr)
        self.assertEqual(self.glint("convert", "take.csv", "out.jsonl").stderr, "")

    def test_a_rate_that_is_not_known_is_assumed_or_given(self):
        self.write("take.csv", "frame,point,x_mm,y_mm,z_mm\n0,1,1,2,3\n1,1,2,2,3\n")
        self.assertIn("60 frames a second are assumed", self.glint("convert", "take.csv", "out.c3d").stderr)
        self.assertEqual(self.glint("convert", "take.csv", "out.c3d", "--rate", "25").stderr, "")
        self.assertEqual(takes.read_c3d(self.dir / "out.c3d")["rate"], 25)
        self.glint("convert", "take.csv", "out.trc", "--rate", "25")
        np.testing.assert_allclose(takes.read_trc(self.dir / "out.trc")["times"], [0, 0.04])

    def test_names_are_refused_or_understood(self):
        self.write("take.csv", "frame,time_s,marker,x_mm,y_mm,z_mm\n0,0,1,1,2,3\n1,0.1,1,1,2,3\n")
        self.assertIn("must end in one of .csv, .jsonl, .wide.csv, .c3d, .trc, .motive.csv, .qtm.tsv",
                      self.glint("convert", "take.csv", "out.bvh", status=2).stderr)
        self.assertIn("does not show its format", self.glint("convert", "take.fbx", "out.c3d", status=2).stderr)
        self.assertIn("'take.csv' is read by this conversion", self.glint("convert", "take.csv", "take.csv", status=2).stderr)
        self.assertIn("always in mm", self.glint("convert", "take.csv", "out.csv", "--unit", "m", status=2).stderr)
        self.assertIn("cannot be opened", self.glint("convert", "none.csv", "out.c3d", status=1).stderr)
        self.glint("convert", "take.csv", "out.wide.csv")
        os.rename(self.dir / "out.wide.csv", self.dir / "renamed.csv")
        self.glint("convert", "renamed.csv", "again.csv")
        self.assertEqual(len(rows(self.dir / "again.csv")), 2)
        printed = subprocess.run([GLINT, "convert", "take.csv", "/dev/stdout"], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(printed.returncode, 2)


class Runs(Takes):
    """The same files from a run, whatever ends it."""
    SCENE = "dancer?cameras=3&size=480x384&frames=40"
    CAMERAS = ["d_cam0.mkv", "d_cam1.mkv", "d_cam2.mkv"]

    def setUp(self):
        super().setUp()
        self.glint("synth", self.SCENE, "-o", "d.mkv", "--rig", "rig.toml", "--bodies", "bodies.toml")
        self.run_ = ["track", *self.CAMERAS, "--rig", "rig.toml", "--bodies", "bodies.toml", "--quiet", "-o", "t.csv"]

    def test_a_run_writes_what_a_conversion_makes_of_its_points(self):
        self.glint(*self.run_, "--points", "p.csv", "--poses", "q.csv", "--detections", "d.csv")
        expected = self.points("p.csv")
        poses = rows(self.dir / "q.csv")
        self.assertGreater(len(poses), 20)
        for suffix in WIDE:
            said = self.glint(*self.run_, "--points", "run" + suffix, "--up", "y")
            found = READERS[suffix](self.dir / ("run" + suffix))
            self.assertFalse((self.dir / f"run{suffix}.rows").exists())
            self.assertEqual(len(found["frames"]), 40, suffix)
            names = set(expected["names"])
            self.assertEqual(set(found["names"]), names)
            at = found["at"][:, :, [0, 2, 1]] * [1, -1, 1]
            order = [found["names"].index(name) for name in expected["names"]]
            np.testing.assert_allclose(at[expected["frames"]][:, order], expected["at"], atol=2e-4)
            self.assertIn("cannot hold", said.stderr)
            if suffix == ".motive.csv":
                self.assertEqual(set(found["poses"]), {row["body"] for row in poses})
            again = ["reconstruct", "--rig", "rig.toml", "--bodies", "bodies.toml", "--detections", "d.csv"]
            self.glint(*again, "--points", "re" + suffix, "--up", "y")
            once_more = (self.dir / ("re" + suffix)).read_bytes()
            once_more = once_more.replace(b"re.", b"run.").replace(b",re,", b",run,")  # names in headers
            self.assertEqual(once_more, (self.dir / ("run" + suffix)).read_bytes())
        self.glint(*self.run_, "--poses", "q.motive.csv")
        found = takes.read_motive(self.dir / "q.motive.csv")["poses"]
        for row in poses:
            np.testing.assert_allclose(found[row["body"]][int(row["frame"])][:7],
                                       [float(row[key]) for key in ("x_mm", "y_mm", "z_mm", "qx", "qy", "qz", "qw")], atol=1e-6)

    def test_after_a_kill_the_rows_say_how_to_finish(self):
        process = self.start(*self.run_, "--points", "p.c3d", "--control", "-", "--stay", stdin=subprocess.PIPE)
        spool = self.dir / "p.c3d.rows"
        wait_until(lambda: spool.exists() and spool.read_text().count("\n") > 12, "rows")
        process.kill()
        process.wait()
        first, header = spool.read_text().split("\n")[:2]
        self.assertIn("glint convert 'p.c3d.rows' 'p.c3d'", first)
        self.glint("convert", "p.c3d.rows", "p.c3d")
        rescued = takes.read_c3d(self.dir / "p.c3d")
        self.glint(*self.run_, "--points", "whole.c3d")
        whole = takes.read_c3d(self.dir / "whole.c3d")
        self.assertGreater(len(rescued["frames"]), 1)
        for name in rescued["names"]:
            a, b = rescued["at"][:, rescued["names"].index(name)], whole["at"][:len(rescued["frames"]), whole["names"].index(name)]
            there = ~np.isnan(a[:, 0])
            np.testing.assert_array_equal(a[there], b[there])

    def test_without_room_the_rows_stay(self):
        os.symlink("/dev/full", self.dir / "full.trc")
        self.assertIn("is not a file, which the format trc needs",
                      self.glint(*self.run_, "--points", "full.trc", status=2).stderr)

    def test_a_run_refuses_axes_and_units_that_a_format_cannot_have(self):
        self.assertIn("--up y: 'p.csv'", self.glint(*self.run_, "--points", "p.csv", "--up", "y", status=2).stderr)
        self.assertIn("--unit m: lengths in 'p.qtm.tsv' are always in mm",
                      self.glint(*self.run_, "--points", "p.qtm.tsv", "--unit", "m", status=2).stderr)
        self.assertIn("must end in one of .csv, .jsonl, .wide.csv, .motive.csv", self.glint(*self.run_, "--poses", "q.c3d", status=2).stderr)
        self.assertIn("would be written twice", self.glint(*self.run_, "--points", "p.trc", "--stats", "p.trc.rows", status=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
