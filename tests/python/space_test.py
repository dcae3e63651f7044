"""Tests that reconstruct(), and track() with a rig, equal the files of the program, and what they refuse.

usage: space_test.py GLINT [unittest arguments]
"""

import unittest

import glint
import pandas

from scenes import Folder, same


class Scene(Folder):
    """Four recordings of a dancer, with the rig and the files of the program."""

    SOURCES = [f"d_cam{n}.mkv" for n in range(4)]

    def setUp(self):
        super().setUp()
        self.glint("synth", "dancer?cameras=4&size=640x512&frames=24", "-o", "d.mkv", "--rig", "rig.toml")
        self.glint("track", *self.SOURCES, "-o", "t.csv", "--rig", "rig.toml", "--points", "p.csv",
                   "--detections", "d.csv")

    def read(self, name):
        """Returns a table that the program wrote. An empty cell is NaN, or an empty text in columns of text."""
        return pandas.read_csv(self.dir / name, float_precision="round_trip", keep_default_na=False,
                               na_values={"residual_px": [""], "residual_mm": [""]}, dtype={"body": str, "label": str})


class Reconstruct(Scene):
    def setUp(self):
        super().setUp()
        self.table = pandas.read_csv(self.dir / "d.csv")

    def test_equals_the_program(self):
        rig = glint.Rig.read(self.dir / "rig.toml")
        same(self, glint.reconstruct(rig, self.table), self.read("p.csv"))
        given = ["--rig", "rig.toml", "--detections", "d.csv", "--points", "p.csv"]
        self.glint("reconstruct", *given, "--no-stitch", "--set", "track.confirm=1", "--rig-cameras", "0,1,2,3")
        same(self, glint.reconstruct(self.dir / "rig.toml", self.dir / "d.csv", stitch=False, confirm=1, cameras=[0, 1, 2, 3]),
             self.read("p.csv"))
        self.glint("bodies", "--learn", "p.csv", "-o", "b.toml")
        self.glint("reconstruct", *given, "--bodies", "b.toml", "--poses", "q.csv")
        tables = [self.table[self.table.camera == camera].drop(columns="camera") for camera in range(4)]
        points, poses = glint.reconstruct(rig, tables, bodies=self.dir / "b.toml")
        same(self, points, self.read("p.csv"))
        same(self, poses, self.read("q.csv"))
        self.assertGreater(poses.body.nunique(), 1)

    def test_cameras_of_different_rates_equal_the_program(self):
        self.glint("synth", "dancer?cameras=4&size=640x512&frames=12&fps=30", "-o", "s.mkv")
        sources = ["d_cam0.mkv", "s_cam1.mkv", "d_cam2.mkv", "s_cam3.mkv"]
        self.glint("track", *sources, "-o", "t.csv", "--rig", "rig.toml", "--points", "p.csv", "--detections", "d.csv")
        points = self.read("p.csv")
        self.assertEqual(points.frame.max(), 23)
        sets = pandas.read_csv(self.dir / "d.csv").drop(columns="set")  # Only the times say which rows belong together.
        same(self, glint.reconstruct(self.dir / "rig.toml", sets), points)
        same(self, glint.track([self.dir / name for name in sources], rig=self.dir / "rig.toml")[1], points)

    def test_refusals(self):
        rig = glint.Rig.read(self.dir / "rig.toml")
        for sentence, error, call in (
                ("tables has no times (time_s): give its frame rate (rate=HZ)", ValueError,
                 lambda: glint.reconstruct(rig, self.table.drop(columns="time_s"))),
                ("rate 30: tables has times (time_s); leave it out", ValueError, lambda: glint.reconstruct(rig, self.table, rate=30)),
                ("tables has points of camera 2, but rig has 2 cameras; cameras=[N, ...] chooses", ValueError,
                 lambda: glint.reconstruct(rig, self.table, cameras=[0, 1])),
                ("cameras: 7 is named twice, or the rig has no such camera", ValueError,
                 lambda: glint.reconstruct(rig, self.table, cameras=[7])),
                ("cameras: -1 is not a whole number from 0", ValueError,
                 lambda: glint.reconstruct(rig, self.table, cameras=[-1, 0])),
                ("comes after frame", glint.Error, lambda: glint.reconstruct(rig, self.table[::-1])),
                ("has the same dot in row 0; leave one out", glint.Error,
                 lambda: glint.reconstruct(rig, pandas.concat([self.table[:1], self.table]))),
                ("tables has no measured points", glint.Error, lambda: glint.reconstruct(rig, self.table[:0])),
                ("there is no column 'x'", ValueError, lambda: glint.reconstruct(rig, self.table.drop(columns="x"))),
                ("rig: its lengths are in m", ValueError,
                 lambda: glint.reconstruct(glint.Rig(rig.text.replace('unit = "mm"', 'unit = "m"')), self.table))):
            with self.subTest(sentence=sentence), self.assertRaises(error) as caught:
                call()
            self.assertIn(sentence, str(caught.exception))


class Track(Scene):
    def test_equals_the_program(self):
        sources = [self.dir / name for name in self.SOURCES]
        tracks, points = glint.track(sources, rig=self.dir / "rig.toml")
        same(self, points, self.read("p.csv"))
        same(self, tracks, pandas.read_csv(self.dir / "t.csv", float_precision="round_trip"))
        self.glint("bodies", "--learn", "p.csv", "-o", "b.toml")
        chosen = [self.SOURCES[n] for n in (2, 0, 1)]
        self.glint("track", *chosen, "-o", "t.csv", "--rig", "rig.toml", "--rig-cameras", "2,0,1", "--points", "p.csv",
                   "--bodies", "b.toml", "--poses", "q.csv")
        rig = glint.Rig.read(self.dir / "rig.toml")
        tracks, points, poses = glint.track([self.dir / name for name in chosen], rig=rig, cameras=[2, 0, 1],
                                            bodies=self.dir / "b.toml")
        same(self, points, self.read("p.csv"))
        same(self, poses, self.read("q.csv"))
        self.assertGreater(len(poses), 0)

    def test_refusals(self):
        sources = [self.dir / name for name in self.SOURCES]
        rig = self.dir / "rig.toml"
        for sentence, arguments in (
                ("bodies and cameras need a rig", {"bodies": "b.toml"}),
                ("bodies and cameras need a rig", {"cameras": [0, 1, 2, 3]}),
                ("rig has 3 cameras for 4 sources; cameras=[N, ...] chooses", {"rig": rig, "cameras": [0, 1, 2]}),
                ("cameras: 9 is named twice, or the rig has no such camera", {"rig": rig, "cameras": [0, 1, 2, 9]})):
            with self.subTest(sentence=sentence), self.assertRaises(ValueError) as caught:
                glint.track(sources, **arguments)
            self.assertIn(sentence, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
