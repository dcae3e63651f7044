"""Tests `glint sync`, and the commands that take clocks: recordings that were started separately are put together, or refused.

usage: sync_test.py GLINT [unittest arguments]
"""

import re
import tomllib
import unittest

import numpy as np

import rigs
from harness import Folder, rows

LENGTH = 500  # mm
SIZE = ["--size", "1280x1024"]
# The rate in frames/s, the true time of frame 0, and the drift of each camera's clock.
CLOCKS = [(60, 8.4, 0.0), (60000 / 1001, 0.0, 100e-6), (50, 11.2345, -60e-6)]
SECONDS = 40


class Motion:
    """A number that moves to random values and rests there, or is struck and turns back at once."""

    def __init__(self, random, reach):
        length = random.uniform(0.15, 0.7, 400)
        self.begins = np.concatenate([[0], np.cumsum(length)])
        self.values = random.uniform(-reach, reach, 401)
        rests = np.flatnonzero(random.uniform(size=400) < 0.2)
        self.values[rests + 1] = self.values[rests]
        self.sudden = random.uniform(size=400) < 0.4

    def at(self, time):
        piece = np.clip(np.searchsorted(self.begins, time, "right") - 1, 0, 399)
        share = (time - self.begins[piece]) / (self.begins[piece + 1] - self.begins[piece])
        smooth = share ** 3 * (10 + share * (6 * share - 15))
        share = np.where(self.sudden[piece], share, smooth)
        return self.values[piece] + (self.values[piece + 1] - self.values[piece]) * share


class Recordings(Folder):
    """A wand that three cameras see, each with a clock of its own."""

    def setUp(self):
        super().setUp()
        self.rig = rigs.random_rig(3)
        for camera in self.rig:
            camera["size"] = (1280, 1024)
            camera["distortions"] = (-0.08, 0.02, 0.0, 0.0, 0.0)
        rigs.write_toml(self.rig, self.dir / "true.toml")
        self.write("t{}.csv", seed=3)

    def write(self, name, seed, strangers=False):
        header = "camera,frame,time_s,x,y,sigma_x,sigma_y\n"
        every = header
        for c, (rate, begin, drift) in enumerate(CLOCKS):
            random = np.random.default_rng(seed + (c if strangers else 0))
            motions = [Motion(random, reach) for reach in (600, 600, 500, 3, 1.2)]
            noise = np.random.default_rng(100 * seed + c)
            text = ""
            for frame in range(int(SECONDS * rate)):
                own = frame / rate
                x, y, z, around, up = (m.at(begin + (1 + drift) * own) for m in motions)
                along = np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
                for end in (-0.5, 0.5):
                    at = rigs.pixel(self.rig[c], np.array([x, y, z]) + end * LENGTH * along) + noise.normal(0, 0.1, 2)
                    if noise.uniform() > 0.05 and 0 <= at[0] < 1280 and 0 <= at[1] < 1024:
                        text += f"{c},{frame},{own:.9f},{at[0]:.4f},{at[1]:.4f},0.1,0.1\n"
            every += text
            self.write_text(name.format(c), header + text.replace(f"\n{c},", "\n0,").replace(f"{c},", "0,", 1))
        self.write_text(name.format(""), every)

    def write_text(self, name, text):
        (self.dir / name).write_text(text)

    def check(self, clocks):
        """Compares a table of clocks with the truth, at both ends of what all cameras saw. The first camera's clock is that of all."""
        offsets = [(float(row["offset_s"]), 1e-6 * float(row["drift_ppm"])) for row in rows(self.dir / clocks)]
        for true in (11.5, 30, 39):
            times = [(1 + drift) * ((true - begin) / (1 + real)) + offset
                     for (offset, drift), (_, begin, real) in zip(offsets, CLOCKS)]
            self.assertLess(max(times) - min(times), 1.5e-4)

    def test_the_clocks_are_found_and_written(self):
        tables = [f"t{c}.csv" for c in range(3)]
        said = self.glint("sync", "--detections", *tables, *SIZE, "-o", "clocks.csv")
        self.assertEqual(said.stderr, "")
        self.assertRegex(said.stdout, r"camera 0 began at 8\.4\d+ s; drifts are relative to its clock\n")
        self.assertRegex(said.stdout, r"camera 1 began at 0\.00000 s \+- 0\.\d+ ms, its clock drifts by (99|100)\.\d+ \+- \d\.\d+ ppm\n")
        self.assertIn("assumed: cameras see the same lights at the same moments, and clocks run evenly\n", said.stdout)
        self.assertIn("-> clocks.csv\n", said.stdout)
        self.check("clocks.csv")
        self.glint("sync", "--detections", "t.csv", "--rig", "true.toml", "-o", "better.csv")
        self.check("better.csv")

    def test_calibrate_and_reconstruct_find_them_or_take_them(self):
        self.glint("sync", "--detections", "t.csv", *SIZE, "-o", "clocks.csv")
        wand = ["calibrate", "--detections", "t.csv", *SIZE, "--wand", LENGTH]
        for sync in ("auto", "clocks.csv"):
            said = self.glint(*wand, "--sync", sync, "-o", "rig.toml").stdout
            self.assertRegex(said, "accuracy: (excellent|good) ")  # Impacts between two frames cost some accuracy.
            self.assertEqual("camera 1 began at" in said, sync == "auto")
            offsets = tomllib.loads((self.dir / "rig.toml").read_text())["metadata"].get("time_offset_s", [0, 0, 0])
            self.assertLess(max(map(abs, offsets)), 1e-4)
            tables = [f"t{c}.csv" for c in range(3)]
            self.glint("reconstruct", "--detections", *tables, "--rig", "rig.toml", "--sync", sync, "--points", "p.csv")
            self.assertAlmostEqual(self.median_length("p.csv"), LENGTH, delta=0.3)

    def median_length(self, points):
        sets = {}
        for row in rows(self.dir / points):
            sets.setdefault(row["frame"], []).append([float(row[k]) for k in ("x_mm", "y_mm", "z_mm")])
        lengths = [np.linalg.norm(np.subtract(*ends)) for ends in sets.values() if len(ends) == 2]
        self.assertGreater(len(lengths), 800)
        return np.median(lengths)

    def test_what_does_not_show_the_clocks_is_refused(self):
        self.write("s{}.csv", seed=5, strangers=True)
        for more in ([], ["--rig", "true.toml"]):
            said = self.glint("sync", "--detections", "s.csv", *SIZE, *more, "-o", "clocks.csv", status=1).stderr
            self.assertIn("cannot find when each recording began: cameras 0 and 1: ", said)
        self.assertFalse((self.dir / "clocks.csv").exists())

    def test_wrong_command_lines(self):
        self.write_text("bare.csv", "camera,frame,x,y\n0,0,5,5\n")
        self.write_text("two.csv", "camera,offset_s,drift_ppm\n0,0,0\n1,1,0\n")
        for arguments, status, words in (
                (["sync"], 2, "name sources, or tables of points"),
                (["sync", "synth:spots"], 2, "'synth:spots' is one recording, but clocks are compared between two or more"),
                (["sync", "camera:0", "camera:1"], 2, "'camera:0' is live, and live cameras have one clock already"),
                (["sync", "--detections", "t.csv"], 2, "--detections needs --size"),
                (["sync", "--detections", "t.csv", *SIZE, "-o", "t.csv"], 2, "'t.csv' is read by this run"),
                (["sync", "--detections", "t.csv", *SIZE, "-o", "c.toml"], 2, "the table of clocks"),
                (["sync", "--detections", "t1.csv", *SIZE], 2, "there is one camera, but clocks are compared between two or more"),
                (["calibrate", "--detections", "bare.csv", *SIZE, "--wand", LENGTH, "-o", "r.toml", "--sync", "two.csv"], 2,
                 "--sync needs the times of the frames"),
                (["sync", "--detections", "bare.csv", *SIZE], 1, "'bare.csv' has no times (time_s)"),
                (["calibrate", "--detections", "t.csv", *SIZE, "--wand", LENGTH, "-o", "r.toml", "--sync", "two.csv"], 1,
                 "two.csv has the clocks of 2 cameras, but there are 3"),
                (["calibrate", "--detections", "t.csv", *SIZE, "--wand", LENGTH, "-o", "r.toml", "--sync", "auto", "--offset", "1,2"], 2,
                 "--sync and --offset exclude each other")):
            self.assertIn(words, self.glint(*arguments, status=status).stderr, arguments)


class Videos(Folder):
    """Recordings whose clocks are set by options of their sources."""

    def test_an_offset_and_a_drift_set_the_times_of_frames(self):
        self.glint("synth", "wand?frames=30&seed=3&size=320x256&fps=15&cameras=2", "-o", "w.mkv", "--rig", "rig.toml")
        self.glint("track", "w_cam0.mkv?offset=1.5&drift=1000", "w_cam1.mkv", "-o", "t.csv", "--detections", "d.csv")
        times = {}
        for row in rows(self.dir / "d.csv"):
            times[row["camera"], int(row["frame"])] = float(row["time_s"])
        for (camera, frame), time in times.items():
            self.assertAlmostEqual(time, 1.001 * frame / 15 + 1.5 if camera == "0" else frame / 15, places=5)
        said = self.glint("info", "w_cam0.mkv?offset=1.5").stdout
        self.assertIn("its clock is corrected by ?offset=1.5&drift=0", said)

    def test_sources_are_named_as_other_commands_need_them(self):
        self.glint("synth", "wand?frames=90&seed=3&size=640x512&fps=15&cameras=2", "-o", "w.mkv")
        said = self.glint("sync", "w_cam0.mkv?fps=15", "w_cam1.mkv").stdout
        found = re.search(r"sources on one clock: 'w_cam0\.mkv\?fps=15&offset=([\d.]+)&drift=([-\d.]+)' "
                          r"'w_cam1\.mkv\?offset=([\d.]+)&drift=([-\d.]+)'", said)
        self.assertTrue(found, said)
        self.assertLess(max(float(found[1]), float(found[3])), 0.003)
        self.assertEqual(float(found[2]), 0)


if __name__ == "__main__":
    unittest.main()
