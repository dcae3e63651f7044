"""Tests files for other programs as users get and load them: one run writes every format, and pandas reads it.

usage: formats_test.py GLINT [unittest arguments]
"""

import json
import math
import os
import subprocess
import time
import unittest

import pandas

from harness import GLINT, Folder

SCENE = "dancer?size=320x240&frames=40&seed=3&cameras=2"
SUFFIXES = ("trackpy.csv", "trackmate.csv", "kinovea.csv", "tsv")


class Formats(Folder):
    def run_all(self, *sources, cameras, options=()):
        """Runs once and writes every format. Returns the measured rows of tracks.csv by camera."""
        outputs = [flag for suffix in ("csv", *SUFFIXES) for flag in ("-o", f"t.{suffix}")]
        self.glint("track", *sources, *options, *outputs)
        table = pandas.read_csv(self.dir / "t.csv")
        names = [f"t_cam{i}" for i in range(cameras)] if cameras > 1 else ["t"]
        expected = {f"{name}.{suffix}" for name in names for suffix in SUFFIXES}
        self.assertEqual({path.name for path in self.dir.iterdir()}, expected | {"t.csv", "t.json"})
        measured = table[table.state == "measured"].drop(columns="state")
        return {name: measured[measured.camera == i] for i, name in enumerate(names)}

    def assert_rows(self, actual, expected, columns):
        """Checks that both tables have the same rows, in any order, compared by frame and track."""
        keys = ["frame", "track"]
        actual, expected = (rows.sort_values(keys).reset_index(drop=True)[keys + columns]
                            for rows in (actual, expected))
        self.assertGreater(len(expected), 500)
        pandas.testing.assert_frame_equal(actual, expected, check_dtype=False, rtol=0, atol=6e-4)

    def check(self, name, rows):
        trackpy = pandas.read_csv(self.dir / f"{name}.trackpy.csv")
        self.assertEqual(list(trackpy), ["y", "x", "mass", "size", "ecc", "signal", "raw_mass",
                                         "ep", "frame", "particle"])
        self.assertTrue(trackpy.raw_mass.isna().all())
        trackpy["radius"] = trackpy["size"] * math.sqrt(2)
        self.assert_rows(trackpy.rename(columns={"particle": "track", "ecc": "eccentricity",
                                                 "signal": "peak"}),
                         rows, ["x", "y", "mass", "radius", "eccentricity", "peak"])

        spots = pandas.read_csv(self.dir / f"{name}.trackmate.csv", skiprows=[1, 2, 3])
        self.assertTrue(spots.ID.is_unique)
        self.assert_rows(spots.rename(columns={
            "FRAME": "frame", "TRACK_ID": "track", "POSITION_X": "x", "POSITION_Y": "y",
            "POSITION_T": "time_s", "RADIUS": "radius", "QUALITY": "peak"}),
            rows, ["x", "y", "time_s", "radius", "peak"])

        kinovea = pandas.read_csv(self.dir / f"{name}.kinovea.csv")
        self.assertEqual(list(kinovea)[0], "Time")
        frames = dict(zip(rows.time_s, rows.frame))
        long = pandas.DataFrame([
            {"frame": frames[line["Time"]], "track": int(column.split("/")[0].split()[1]),
             "time_s": line["Time"], "x": line[column], "y": line[column[:-1] + "Y"]}
            for _, line in kinovea.iterrows() for column in kinovea
            if column.endswith("/0/X") and not math.isnan(line[column])])
        self.assert_rows(long, rows, ["time_s", "x", "y"])

        with open(self.dir / f"{name}.tsv", newline="") as file:
            header = dict(line.rstrip("\r\n").split("\t", 1) for line in list(file)[:10])
        qtm = pandas.read_csv(self.dir / f"{name}.tsv", sep="\t", skiprows=10)
        self.assertEqual(header["DATA_INCLUDED"], "2D")
        self.assertEqual(int(header["NO_OF_FRAMES"]), len(qtm))
        self.assertEqual(list(qtm.Frame), list(range(1, 41)))
        names = header["MARKER_NAMES"].split("\t")
        self.assertEqual(int(header["NO_OF_MARKERS"]), len(names))
        self.assertEqual(list(qtm), ["Frame", "Time"] + [f"{n} {c}" for n in names for c in "XY"])
        long = pandas.concat([
            pandas.DataFrame({"frame": qtm.Frame - 1, "track": int(n.removeprefix("Track")),
                              "time_s": qtm.Time, "x": qtm[f"{n} X"], "y": qtm[f"{n} Y"]}).dropna()
            for n in names])
        self.assert_rows(long, rows, ["time_s", "x", "y"])

    def test_one_camera(self):
        for name, rows in self.run_all(f"synth:{SCENE}&camera=1", cameras=1).items():
            self.check(name, rows)

    def test_several_cameras(self):
        sources = [f"synth:{SCENE}&camera={i}" for i in range(2)]
        tables = self.run_all(*sources, cameras=2)
        self.assertEqual(len(tables), 2)
        for name, rows in tables.items():
            self.check(name, rows)

    def test_no_tracks_at_all(self):
        self.run_all("synth:spots?size=64x64&markers=1&frames=1", cameras=1, options=("--set", "track.confirm=2"))
        for suffix, options in (("trackpy.csv", {}), ("trackmate.csv", {"skiprows": [1, 2, 3]}),
                                ("kinovea.csv", {}), ("tsv", {"sep": "\t", "skiprows": 10})):
            table = pandas.read_csv(self.dir / f"t.{suffix}", **options)
            self.assertEqual(len(table), 1 if suffix == "tsv" else 0, suffix)

    def test_format_by_name(self):
        clip = "synth:spots?size=64x64&markers=4&frames=9"
        self.glint("track", clip, "--format", "trackpy", "-o", "t.txt")
        self.glint("track", clip, "-o", "t.trackpy.csv")
        self.assertEqual(self.text("t.txt"), self.text("t.trackpy.csv"))
        self.glint("track", clip, "--format", "qtm")
        self.assertTrue(self.text("tracks.tsv").startswith("NO_OF_FRAMES\t9\n"))
        self.assertEqual(json.loads(self.text("tracks.json"))["counts"]["frames"], 9)

    def test_refused(self):
        clip = "synth:spots?size=64x64&markers=4&frames=2"
        for arguments, words in (
                (["-o", "t.xls"], ["'t.xls'", ".trackmate.csv", ".tsv", "--format"]),
                (["-o", "tracks"], ["'tracks'", ".kinovea.csv"]),
                (["-o", "t.csv", "--format", "excel"], ["'excel'", "trackpy", "qtm"]),
                (["-o", "t.csv", "-o", "t.tsv", "--format", "csv"], ["--format"]),
                (["-o", "-x"], ["'-x'", "./-x"]),
                (["-o", "t.csv", "-o", "./t.csv"], ["t.csv", "twice"]),
                (["-o", "t.trackpy.csv", "--stats", "t.trackpy.csv"], ["t.trackpy.csv", "twice"]),
                (["-o", "/dev/null", "--format", "kinovea"], ["/dev/null", "kinovea"]),
                (["--overlay", "o.webm"], ["o.webm", ".mp4"]),
                (["--overlay", "o.mp4", "--picture", "o.mp4"], ["o.mp4", "twice"])):
            result = self.glint("track", clip, *arguments, status=2)
            for word in words:
                self.assertIn(word, result.stderr)
            self.assertEqual(list(self.dir.iterdir()), [], arguments)
        self.glint("track", clip, "-o", "t.tsv", "-o", "t.csv", "-o", "no/t.csv", status=1)
        self.assertEqual(list(self.dir.iterdir()), [], "nothing is left of a run that is refused")
        two = [clip, clip]
        self.glint("track", *two, "-o", "t.tsv", "--stats", "t_cam1.tsv", status=2)

    def test_overlay_has_every_frame_at_its_time(self):
        self.glint("track", f"synth:{SCENE}&camera=0", f"synth:{SCENE}&camera=1", "--stats", "s.csv",
                   "--overlay", "o.mp4")
        self.glint("track", "o.mp4", "--stats", "o.csv", "-o", "again.csv")
        shown, seen = pandas.read_csv(self.dir / "o.csv"), pandas.read_csv(self.dir / "s.csv")
        seen = seen[seen.camera == 0].reset_index()
        self.assertEqual(len(shown), 40)
        self.assertLess((shown.time_s - seen.time_s).abs().max(), 2e-5)
        self.assertIn('"width": 640', self.text("again.json"))

    def test_a_killed_run_leaves_the_rows_of_a_wide_file(self):
        process = subprocess.Popen(
            [GLINT, "track", "synth:dancer?size=320x240&frames=1000000", "-o", "t.tsv"],
            cwd=self.dir, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        rows = self.dir / "t.tsv.rows"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (rows.exists() and rows.stat().st_size > 20000):
            time.sleep(0.05)
        process.kill()
        process.wait()
        self.assert_whole_rows("t.tsv.rows")
        table = pandas.read_csv(rows)
        self.assertEqual(list(table), ["frame", "time_s", "track", "x", "y"])
        self.assertGreater(len(table.dropna()), 500)
        self.glint("track", "synth:dancer?size=320x240&frames=5", "-o", "t.tsv")
        self.assertFalse(rows.exists())

    def test_two_runs_give_the_same_bytes(self):
        for run in "ab":
            os.mkdir(self.dir / run)
            self.glint("track", f"synth:{SCENE}&camera=0", "-o", f"{run}/t.tsv", "-o",
                       f"{run}/t.kinovea.csv", "--overlay", f"{run}/o.mp4")
        for name in ("t.tsv", "t.kinovea.csv", "o.mp4"):
            self.assertEqual((self.dir / "a" / name).read_bytes(), (self.dir / "b" / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
