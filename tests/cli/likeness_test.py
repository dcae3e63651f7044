"""Likenesses of recordings of strangers: what one option does (likenesses.py makes them).

usage: likeness_test.py GLINT [unittest arguments]     (needs NumPy)
"""

import unittest

import likenesses
import numpy
from harness import Folder, rows


class Likeness(Folder):
    def scored(self, likeness, near, *options):
        """What is found of a likeness, and what the summary says."""
        truth = likenesses.write(self.dir / "frames", likeness)
        told = self.glint("track", "frames", *options, "-o", "t.csv").stdout
        table = [[float(row[key]) for key in ("frame", "track", "x", "y")] for row in rows(self.dir / "t.csv")]
        return likenesses.score(numpy.array(table).reshape(-1, 4), truth, near), told

    def test_long_ones_are_found_by_one_option(self):
        for count in (1, 100):
            with self.subTest(count=count):
                self.setUp()
                score, told = self.scored(likenesses.long_blobs(5, 6, count), 2, "--dark", "--marker-radius", "5", "--elongated")
                self.assertGreaterEqual(score["found"], 0.95)
                self.assertGreaterEqual(score["whole"], 0.9)
                self.assertLess(score["clutter"], 0.05)
                self.assertNotIn("--elongated", told)

    def test_the_option_is_named_where_long_ones_are_rejected(self):
        _, told = self.scored(likenesses.long_blobs(5, 6, 30), 2, "--dark", "--marker-radius", "5")
        self.assertIn("too long to be markers (ridge, not_round); --elongated", told)

    def test_large_ones_are_found_by_their_radius(self):
        for radius in (18, 26):
            with self.subTest(radius=radius):
                self.setUp()
                score, _ = self.scored(likenesses.pupil(5, 6, radius), 2, "--dark", "--marker-radius", radius)
                self.assertEqual(score["found"], 1)
                self.assertLessEqual(score["clutter"], 1)

    def test_crowded_ones_are_found_with_nothing_set(self):
        for make in (likenesses.particles, likenesses.colloids):
            with self.subTest(make=make.__name__):
                self.setUp()
                score, _ = self.scored(make(5, 5), 1, "--set", "detect.max_markers=1024")
                self.assertGreaterEqual(score["found"], 0.95)
                self.assertLess(score["clutter"], 0.02)

    def test_hot_pixels_are_no_tracks(self):
        score, told = self.scored(likenesses.receding_leds(5, 50), 2)
        self.assertGreaterEqual(score["found"], 0.98)
        self.assertEqual((score["clutter"], score["whole"]), (0, 1))
        self.assertIn("hot pixels", told)


if __name__ == "__main__":
    unittest.main()
