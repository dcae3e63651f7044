"""Tests glint.convert(), glint.link(), glint.read(), and rigs of other programs.

usage: files_test.py GLINT [unittest arguments]
"""

import pathlib
import re
import unittest
import warnings

import glint
import numpy
import pandas

from scenes import Folder, read

SCENE = "dancer?cameras=1&size=640x512&frames=60&seed=5"
FORMATS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "formats.md"


def points(frames=12):
    random = numpy.random.default_rng(4)
    table = pandas.DataFrame([{"frame": frame, "time_s": frame / 50, "point": point, "state": "measured", **dict(zip(
        ("x_mm", "y_mm", "z_mm"), random.uniform(-500, 500, 3).round(4)))} for frame in range(frames) for point in (1, 2)])
    return table


class Files(Folder):
    def assert_warns(self, sentence, function, *arguments, **keywords):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = function(*arguments, **keywords)
        self.assertTrue(any(sentence in str(one.message) for one in caught), [str(one.message) for one in caught])
        self.assertTrue(all(one.filename == __file__ for one in caught))
        return result

    def test_convert_equals_the_program(self):
        points().to_csv(self.dir / "p.csv", index=False)
        said = glint.convert(self.dir / "p.csv", self.dir / "mine.c3d", up="y", unit="m")
        self.glint("convert", "p.csv", "theirs.c3d", "--up", "y", "--unit", "m")
        self.assertEqual((self.dir / "mine.c3d").read_bytes(), (self.dir / "theirs.c3d").read_bytes())
        self.assertIn("12 frames at 50 Hz, 2 markers, y up", said)
        points().drop(columns="time_s").to_csv(self.dir / "q.csv", index=False)
        self.assert_warns("60 frames a second are assumed", glint.convert, self.dir / "q.csv", self.dir / "q.trc")
        glint.convert(self.dir / "q.csv", self.dir / "q.trc", rate=25)
        self.assertAlmostEqual(glint.read(self.dir / "q.trc").time_s.iloc[-1], 11 / 25)

    def test_convert_refuses(self):
        points().to_csv(self.dir / "p.csv", index=False)
        self.assert_refused(ValueError, "must end in one of .csv, .jsonl", glint.convert, self.dir / "p.csv", self.dir / "p.bvh")
        self.assert_refused(ValueError, "up: 'x' is none of 'y', 'z'", glint.convert, self.dir / "p.csv", self.dir / "p.trc", up="x")
        self.assert_refused(TypeError, "source: expected the name of a file, not DataFrame", glint.convert, points(), self.dir / "p.trc")
        self.assert_refused(glint.Error, "cannot be opened", glint.convert, self.dir / "none.csv", self.dir / "p.trc")

    def test_read_gives_the_same_points_of_every_format(self):
        table = points()
        table.to_csv(self.dir / "p.csv", index=False)
        for suffix in (".c3d", ".trc", ".motive.csv", ".qtm.tsv", ".wide.csv", ".jsonl"):
            glint.convert(self.dir / "p.csv", self.dir / ("p" + suffix))
            found = glint.read(self.dir / ("p" + suffix))
            numpy.testing.assert_allclose(found[["frame", "point", "x_mm", "y_mm", "z_mm"]], table[["frame", "point", "x_mm", "y_mm", "z_mm"]], atol=1e-4)
            self.assertEqual({key: found.attrs["units"][key] for key in ("time_s", "x_mm")}, {"time_s": "s", "x_mm": "mm"}, suffix)
        self.assertEqual(glint.read(self.dir / "p.csv").attrs["units"]["z_mm"], "mm")
        (self.dir / "b.csv").write_text("frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw\n0,0,tool,1,2,3,0,0,0,1\n")
        glint.convert(self.dir / "b.csv", self.dir / "b.motive.csv")
        self.assertEqual(list(glint.read(self.dir / "b.motive.csv").body), ["tool"])
        both = ""
        for name in ("p.csv", "b.csv"):
            glint.convert(self.dir / name, self.dir / "x.jsonl")
            both += (self.dir / "x.jsonl").read_text()
        (self.dir / "both.jsonl").write_text(both)
        self.assertEqual((len(glint.read(self.dir / "both.jsonl")), len(glint.read(self.dir / "both.jsonl", poses=True))), (len(table), 1))

    def test_read_tables_of_tracks(self):
        self.glint("synth", SCENE, "-o", "d.mkv")
        self.glint("track", "d.mkv", "-o", "t.csv", "--detections", "d.csv", "--stats", "s.csv", "--quiet")
        tracks = glint.read(self.dir / "t.csv")
        pandas.testing.assert_frame_equal(tracks, read(self.dir / "t.csv"))
        measured = tracks[tracks.state == "measured"].sort_values(["frame", "track"])
        self.assertEqual(tracks.attrs["units"]["vx"], "px/s")
        for suffix in (".trackpy.csv", ".trackmate.csv", ".xml", ".tsv", ".kinovea.csv"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                glint.convert(self.dir / "t.csv", self.dir / ("t" + suffix))
                found = glint.read(self.dir / ("t" + suffix)).sort_values(["frame", "track"])
            self.assertEqual(len(found), len(measured) - (0 if suffix != ".xml" else (measured.groupby("track").size() == 1).sum()))
            numpy.testing.assert_allclose(found[["x", "y"]], measured[["x", "y"]][:len(found)], atol=1e-3)
        self.assertEqual(glint.read(self.dir / "s.csv").attrs["units"]["mean"], "counts")
        self.assert_refused(glint.Error, "cannot open", glint.read, self.dir / "none.csv")
        self.assert_refused(TypeError, "path: expected the name of a file, not int", glint.read, 3)
        self.assert_refused(ValueError, "does not show its format", glint.read, self.dir / "t.fbx")

    def test_read_labelled_points_of_other_programs(self):
        values = numpy.random.default_rng(3).uniform(0, 500, (6, 2, 3)).round(2)
        values[..., 2] = 0.9
        names = pandas.MultiIndex.from_product([["net"], ["nose", "tail"], ["x", "y", "likelihood"]], names=["scorer", "bodyparts", "coords"])
        table = pandas.DataFrame(values.reshape(6, 6), columns=names)
        table.to_hdf(self.dir / "dlc.h5", "df_with_missing", format="table", mode="w")
        table.to_csv(self.dir / "dlc.csv")
        header = "track,frame_idx,instance.score,nose.x,nose.y,nose.score,tail.x,tail.y,tail.score\n"
        (self.dir / "sleap.csv").write_text(header + "".join(f",{i},0.9," + ",".join(map(str, row.ravel())) + "\n" for i, row in enumerate(values)))
        for name in ("dlc.h5", "dlc.csv", "sleap.csv"):
            found = self.assert_warns(f"{name} has no times", glint.read, self.dir / name)
            self.assertEqual(found.name.tolist(), ["nose", "tail"] * 6)
            numpy.testing.assert_allclose(found[["x", "y"]], values[..., :2].reshape(-1, 2), atol=1e-3)
            self.assertEqual(found.frame.tolist(), [i // 2 for i in range(12)])
            self.assertEqual(found.attrs["units"]["x"], "px")

    def test_units_are_those_of_the_page(self):
        """Every column in the tables of docs/formats.md has the unit there."""
        units = glint._files._UNITS
        page = FORMATS.read_text()
        compared = 0
        for names, unit in re.findall(r"^\|(`\w+`(?:, `\w+`)*) \|([^|]*)\|", page, re.M):
            for name in re.findall(r"`(\w+)`", names):
                if name in units and unit.strip() and name not in ("sigma_x", "sigma_y"):  # px in images, mm in space
                    self.assertEqual(units[name], unit.strip(), name)
                    compared += 1
        self.assertGreater(compared, 20)

    def test_link_equals_the_program(self):
        self.glint("synth", SCENE, "-o", "d.mkv")
        self.glint("track", "d.mkv", "-o", "t.csv", "--detections", "d.csv", "--quiet")
        table = read(self.dir / "d.csv")
        self.glint("link", "d.csv", "-o", "l.csv")
        expected = read(self.dir / "l.csv")
        pandas.testing.assert_frame_equal(glint.link(table), expected)
        pandas.testing.assert_frame_equal(glint.link(self.dir / "d.csv"), expected)
        self.glint("link", "d.csv", "-o", "l.csv", "--no-stitch", "--set", "track.confirm=8")
        pandas.testing.assert_frame_equal(glint.link(table, stitch=False, confirm=8), read(self.dir / "l.csv"))
        places = table[["frame", "x", "y"]]
        found = self.assert_warns("detections has no times: 60 frames a second are assumed", glint.link, places.to_numpy())
        pandas.testing.assert_frame_equal(found, self.assert_warns("0.2 px are assumed", glint.link, places))
        self.assertEqual(found.attrs["units"]["x"], "px")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            two = glint.link(pandas.concat([places, places.assign(camera=1)]).fillna(0), rate=60, sigma=0.2)
        self.assertEqual(sorted(set(two.camera)), [0, 1])

    def test_link_refuses(self):
        self.assert_refused(TypeError, "detections: expected a DataFrame with frame, x and y", glint.link, numpy.zeros((4, 7)))
        self.assert_refused(TypeError, "not int", glint.link, 7)
        self.assert_refused(glint.Error, 'detections, line 1: there is no column "y"', glint.link, pandas.DataFrame({"frame": [0], "x": [1]}))
        self.assert_refused(glint.Error, "frame 0 is at 1 s here, and at 0 s above", glint.link,
                            pandas.DataFrame({"frame": [0, 0], "x": [1, 5], "y": [1, 5], "time_s": [0, 1]}), sigma=0.2)
        self.assert_refused(ValueError, "rate", glint.link, pandas.DataFrame({"frame": [0], "x": [1], "y": [1]}), rate=-1)

    def test_rigs_of_other_programs(self):
        self.glint("synth", "wand?frames=3&cameras=3&seed=3&size=640x512", "-o", "w.mkv", "--rig", "rig.toml")
        rig = glint.Rig.read(self.dir / "rig.toml")
        for form, name in (("opencv", "rig.yml"), ("qualisys", "rig.qca.txt"), ("colmap", "sparse"), ("caliscope", "c.toml")):
            self.glint("rig", "rig.toml", "--as", form, "-o", name)
            other = glint.Rig.read(self.dir / name)
            self.assertEqual(len(other.cameras), 3)
            for a, b in zip(rig.cameras, other.cameras):
                for key in ("matrix", "distortions", "rotation", "translation"):
                    numpy.testing.assert_allclose(a[key], b[key], rtol=1e-9, atol=1e-9)
        self.assert_refused(glint.Error, "cannot read the rig", glint.Rig.read, self.dir / "none.toml")


if __name__ == "__main__":
    unittest.main(verbosity=2)
