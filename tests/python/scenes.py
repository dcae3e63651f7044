"""Holds what the tests of the Python module share: functions that run the program, read its files with pandas, and make images.

The first argument of a test is the program, GLINT. PYTHONPATH leads to the module.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy
import pandas

GLINT = os.path.abspath(sys.argv.pop(1))
SCENE = "synth:dancer?size=320x240&frames=60&seed=3&cameras=1"
TWO = [f"synth:dancer?size=320x240&frames=40&seed=3&cameras=2&camera={i}" for i in range(2)]


def spots(places, size=(96, 64), bits=8, seed=1):
    """Returns a grey image with noise and a round spot of sigma 1.5 px at each (x, y)."""
    width, height = size
    y, x = numpy.mgrid[:height, :width]
    light = numpy.random.default_rng(seed).normal(0.05, 0.005, (height, width))
    for at_x, at_y in places:
        light += 0.7 * numpy.exp(-((x - at_x) ** 2 + (y - at_y) ** 2) / (2 * 1.5**2))
    full = 2**bits - 1
    return (light.clip(0, 1) * full).round().astype(f"uint{bits}")


def write(path, image):
    """Writes an image as PGM or PPM."""
    height, width = image.shape[:2]
    big = image.astype(image.dtype.newbyteorder(">"))
    kind = "P6" if image.ndim == 3 else "P5"
    path.write_bytes(f"{kind} {width} {height} {2 ** (8 * image.itemsize) - 1}\n".encode() + big.tobytes())


def read(path):
    """Returns a table that the program wrote. Every number keeps its exact value."""
    return pandas.read_csv(path, float_precision="round_trip")


def same(case, actual, expected):
    case.assertGreater(len(expected), 0)
    pandas.testing.assert_frame_equal(actual, expected, check_exact=True)


class Folder(unittest.TestCase):
    """A test in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def glint(self, *arguments):
        done = subprocess.run([GLINT, *map(str, arguments)], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def python(self, code, status=0):
        """Runs `code` in a separate Python that has imported glint, and returns what it prints."""
        done = subprocess.run([sys.executable, "-c", f"import glint\n{code}"], cwd=self.dir, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def assert_refused(self, kind, sentence, function, *arguments, **keywords):
        with self.assertRaises(kind) as refused:
            function(*arguments, **keywords)
        self.assertIn(sentence, str(refused.exception))
        self.assertNotIn("\n", str(refused.exception))
