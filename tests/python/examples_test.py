"""Tests that the scripts of examples/ run, print what they should, and draw their pictures.

usage: examples_test.py GLINT [unittest arguments]
"""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from scenes import Folder

ROOT = pathlib.Path(__file__).parents[2]


class Examples(Folder):
    def run_script(self, name, *arguments):
        done = subprocess.run([sys.executable, ROOT / "examples" / f"{name}.py", *arguments], cwd=self.dir, text=True,
                              capture_output=True, env={**os.environ, "MPLBACKEND": "Agg"}, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.dir / f"{name}.png").read_bytes()[:4], b"\x89PNG")
        return done.stdout

    def number(self, pattern, text):
        found = re.search(pattern, text)
        self.assertTrue(found, text)
        return float(found[1])

    def test_first_look(self):
        out = self.run_script("first_look", "synth:dancer?size=320x240&frames=60&seed=1&cameras=1")
        self.assertGreater(self.number(r"(\d+) markers a frame", out), 5)

    def test_tune(self):
        clip = ROOT / "assets" / "dancer.mp4"
        out = self.run_script("tune", clip, clip.with_suffix(".truth.csv"))
        self.assertEqual(out.count("IDF1"), 9)
        self.assertIn("best: glint track", out)

    def test_own_camera(self):
        out = self.run_script("own_camera")
        self.assertRegex(out, r"2 +60\n")

    def test_particles(self):
        out = self.run_script("particles")
        self.assertAlmostEqual(self.number(r"D = ([0-9.]+)", out), 0.5, delta=0.05)

    def test_calibration(self):
        self.run_script("calibration")
        self.assertIn("cam_2", (self.dir / "rig.toml").read_text())

    def test_space(self):
        out = self.run_script("space")
        self.assertAlmostEqual(self.number(r"([0-9.]+) mm apart", out), 500, delta=2)
        self.assertLess(self.number(r"sd ([0-9.]+) mm", out), 3)

    def test_all_are_run(self):
        names = {path.stem for path in (ROOT / "examples").glob("*.py")}
        names.remove("control")  # tests/cli/samples_test.py runs it
        self.assertEqual(names, {name.removeprefix("test_") for name in dir(self) if name.startswith("test_")} - {"all_are_run"})


if __name__ == "__main__":
    unittest.main()
