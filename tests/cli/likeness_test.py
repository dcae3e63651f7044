"""Tests imitations of other people's recordings, which likenesses.py makes: what a single option achieves.

usage: likeness_test.py GLINT [unittest arguments]     (needs NumPy)
"""

import re
import shlex
import struct
import unittest

import likenesses
import numpy
from harness import Folder, rows


class Likeness(Folder):
    def scored(self, likeness, near, *options):
        """Returns the score of what is found in a likeness, and the summary."""
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
                self.assertLess(score["error"], 0.1)
                self.assertNotIn("--elongated", told)

    def test_the_option_is_named_where_long_ones_are_rejected(self):
        _, told = self.scored(likenesses.long_blobs(5, 6, 30), 2, "--dark", "--marker-radius", "5")
        self.assertIn("were rejected (too elongated, or a line or an edge); --elongated", told)

    def test_large_ones_are_found_by_their_radius(self):
        for radius in (18, 26):
            with self.subTest(radius=radius):
                self.setUp()
                score, _ = self.scored(likenesses.pupil(5, 6, radius), 2, "--dark", "--marker-radius", radius)
                self.assertEqual(score["found"], 1)
                self.assertLessEqual(score["clutter"], 1)

    def test_large_long_ones_among_dust_are_found_by_two_options(self):
        score, told = self.scored(likenesses.bright_flies(5, 12), 12, "--marker-radius", "25", "--elongated")
        self.assertEqual((score["found"], score["whole"], score["clutter"]), (1, 1, 0), told)

    def probed(self, likeness, near, bits=8):
        """Returns the score of the command that probe prints, and what probe says."""
        truth = likenesses.write(self.dir / "frames", likeness, bits)
        said, *rest = self.glint("probe", "frames").stdout.splitlines()
        self.assertEqual([line.startswith("glint track frames") for line in rest], [False] * (len(rest) - 1) + [True], rest)
        self.glint(*shlex.split(rest[-1])[1:], "--quiet", "-o", "t.csv")
        table = [[float(row[key]) for key in ("frame", "track", "x", "y")] for row in rows(self.dir / "t.csv")]
        return likenesses.score(numpy.array(table).reshape(-1, 4), truth, near), said + "\n" + rest[-1]

    def test_probe_finds_dense_ones(self):
        score, told = self.probed(likenesses.colloids(5, 4), 1)
        self.assertIn("195 a frame", told)
        self.assertGreaterEqual(score["found"], 0.85)
        self.assertLess(score["clutter"], 0.05)

    def test_probe_finds_faint_stars(self):
        score, told = self.probed(likenesses.stars(5, 4, (427, 240)), 1)
        clear = likenesses.star_significance(5) > 8
        self.assertGreaterEqual(score["each"][clear].mean(), 0.85)  # There are twice as many stars per area, so some touch each other.
        self.assertLess(score["clutter"], 0.05)

    def test_probe_finds_flies_and_not_dust(self):
        score, told = self.probed(likenesses.flies(5, 6), 2)
        self.assertIn("--dark", told)
        self.assertEqual(score["found"], 1, told)
        self.assertLess(score["clutter"], 0.2, told)

    def test_probe_finds_a_pupil_and_not_lashes(self):
        score, told = self.probed(likenesses.pupil(5, 20, 18), 2)
        self.assertEqual(score["found"], 1, told)
        self.assertLessEqual(score["clutter"], 1, told)

    def test_probe_finds_a_pupil_at_rest_and_not_lashes(self):
        for seed, radius in ((1, 26), (7, 12)):
            with self.subTest(radius=radius):
                self.setUp()
                score, told = self.probed(likenesses.pupil(seed, 6, radius, rests=True), 2)
                self.assertEqual(score["found"], 1, told)
                self.assertLessEqual(score["clutter"], 1, told)

    def test_probe_finds_a_pupil_and_not_the_glints_on_it(self):
        score, told = self.probed(likenesses.pupil(5, 30, 22, glints=True), 2)
        self.assertEqual(score["found"], 1, told)
        self.assertLessEqual(score["clutter"], 1, told)

    def test_probe_finds_two_large_flies_and_lists_the_dust(self):
        score, told = self.probed(likenesses.bright_flies(5, 12), 12)
        self.assertEqual((score["found"], score["whole"], score["clutter"]), (1, 1, 0), told)
        said, others, command = self.glint("probe", "frames", "-o", "sheet.png").stdout.splitlines()
        self.assertIn("long bright markers", said)
        listed = re.fullmatch(r"other markers may be meant: bright markers of radius (\d\.\d) px, (\d+) a frame \(--pick 2\).*", others)
        self.assertIsNotNone(listed, others)
        self.assertLess(float(listed[1]), 4)
        self.assertGreater(int(listed[2]), 150)
        # The sheet has a tile for each alternative, beside each other.
        width, height = struct.unpack(">II", (self.dir / "sheet.png").read_bytes()[16:24])
        self.assertGreaterEqual(width, 2 * 384)
        self.assertGreater(height, 384)
        dust, _, second = self.glint("probe", "frames", "--pick", "2").stdout.splitlines()
        self.assertNotEqual(second, command)
        self.assertRegex(dust, r"bright markers of radius [123]\.\d px")
        refused = self.glint("probe", "frames", "--pick", "9", status=2)
        self.assertRegex(refused.stderr, r"there is no alternative 9, only \d")

    def test_probe_says_that_it_is_unsure(self):
        for kind, frames in (("noise", 4), ("scene", 4), ("scene", 20)):
            with self.subTest(kind=kind, frames=frames):
                self.setUp()
                likenesses.write(self.dir / "frames", likenesses.decoy(5, frames, kind))
                said, command = self.glint("probe", "frames").stdout.splitlines()
                self.assertRegex(said, "unsure|nothing looks like a marker")
                self.assertEqual(command, "glint track frames")

    def test_noise_that_is_cut_off_at_black_is_no_marker(self):
        likenesses.write(self.dir / "frames", likenesses.spots_in_cut_noise(5, 6, 0), bits=16)
        said, command = self.glint("probe", "frames").stdout.splitlines()
        self.assertRegex(said, "unsure|nothing looks like a marker")
        for count in (1, 5):
            with self.subTest(count=count):
                self.setUp()
                score, told = self.probed(likenesses.spots_in_cut_noise(5, 6, count), 1, bits=16)
                self.assertEqual(score["found"], 1, told)
                self.assertLess(score["clutter"], 0.2, told)

    def test_probe_tells_pairs_apart(self):
        score, told = self.probed(likenesses.pairs(5, 4), 1)
        self.assertEqual(score["found"], 1, told)

    def test_a_run_says_that_pairs_are_taken_for_one(self):
        _, told = self.scored(likenesses.pairs(5, 6, apart=4.2), 1)
        self.assertIn("hint: 12 of 24 markers a frame are two", told)
        self.assertIn("--set detect.separation=2.5", told)
        self.setUp()
        score, told = self.scored(likenesses.pairs(5, 6, apart=4.2), 1, "--set", "detect.separation=2.5")
        self.assertEqual(score["found"], 1)
        self.assertNotIn("hint", told)

    def test_a_run_says_that_a_second_of_a_pair_is_fainter(self):
        for light in (75, 50):
            with self.subTest(light=light):
                self.setUp()
                _, told = self.scored(likenesses.pairs(5, 6, second_light=light), 1)
                self.assertRegex(told, r"hint: 1[12] of 2\d markers a frame are two.*--set detect.separation=2.5")

    def test_a_dimmer_kind_is_told_of_and_found(self):
        score, told = self.scored(likenesses.two_kinds(5, 4), 1)
        self.assertEqual(score["found"], 0.5)
        hint = re.search(r"^hint: 60 dimmer markers a frame are below the threshold; (.*) finds them", told, re.M)
        self.assertTrue(hint, told)
        self.setUp()
        score, told = self.scored(likenesses.two_kinds(5, 4), 1, *shlex.split(hint[1]))
        self.assertEqual((score["found"], score["clutter"]), (1, 0))
        self.assertNotIn("dimmer", told)
        self.setUp()
        score, told = self.probed(likenesses.two_kinds(5, 4), 1)
        self.assertEqual((score["found"], score["clutter"]), (1, 0), told)

    def test_a_dimmer_kind_of_dark_ones_is_told_of(self):
        likeness = ((255 - image, place) for image, place in likenesses.two_kinds(5, 4))
        score, told = self.scored(likeness, 1, "--dark")
        self.assertEqual(score["found"], 0.5)
        self.assertRegex(told, "hint: 60 dimmer markers a frame are below the threshold; --set")

    def test_a_run_says_how_many_pairs_there_are_beyond_those_kept(self):
        _, told = self.scored(likenesses.pairs(5, 6), 1, "--set", "detect.max_markers=16")
        self.assertRegex(told, "hint: 12 of 24 markers a frame are two")

    def test_probe_sees_a_ball_that_is_in_few_frames(self):
        for frames, step, after, dark in ((20, 150, 0, False), (12, 150, 7, False), (12, 150, 0, True), (30, 100, 12, True)):
            with self.subTest(frames=frames, after=after, dark=dark):
                self.setUp()
                _, told = self.probed(likenesses.ball(5, frames, step, after=after, dark=dark), 1)
                self.assertRegex(told, f"{'dark' if dark else 'bright'} markers of radius 6.*, in [12] of 5 frames\n"
                                 f"glint track frames{' --dark' if dark else ''}$")

    def test_a_run_says_that_the_threshold_cuts_dimmer_ones_off(self):
        likeness = likenesses.dot_target
        score, told = self.scored(likeness(5, 3), 1)
        self.assertLess(score["found"], 0.4)
        hint = re.search(r"^hint: (\d+) of (\d+) markers a frame barely reach the threshold.*; (.*) would find (\d+) a frame", told, re.M)
        self.assertTrue(hint, told)
        self.assertEqual(hint[4], "437")
        self.setUp()
        score, told = self.scored(likeness(5, 3), 1, *shlex.split(hint[3]))
        self.assertGreaterEqual(score["found"], 0.95)
        self.assertNotIn("barely", told)

    def test_no_doubt_where_the_defaults_are_right(self):
        for make, found in ((likenesses.stars, 0.4), (likenesses.particles, 0.95), (likenesses.receding_leds, 0.95)):
            with self.subTest(make=make.__name__):
                self.setUp()
                score, told = self.scored(make(5, 3), 2, "--set", "detect.max_markers=1024")
                self.assertGreater(score["found"], found)
                self.assertNotIn("barely", told)
                self.assertNotIn("--ignore", told)

    def test_a_run_says_that_a_lamp_hides_dimmer_ones(self):
        score, told = self.scored(likenesses.beside_a_lamp(5, 4), 1)
        self.assertLess(score["found"], 0.1)
        hint = re.search(r"^hint: the large marker at \(320, 43\) raises the threshold above 40 dimmer markers .*; (--ignore \S+) finds", told, re.M)
        self.assertTrue(hint, told)
        self.setUp()
        score, told = self.scored(likenesses.beside_a_lamp(5, 4), 1, *shlex.split(hint[1]))
        self.assertGreater(score["found"], 0.95)
        self.assertNotIn("hint", told)
        self.setUp()
        _, told = self.scored(likenesses.beside_a_lamp(5, 4, count=2), 1)
        self.assertNotIn("--ignore", told)

    def test_a_run_says_that_the_brightest_change(self):
        _, told = self.scored(likenesses.particles(5, 4), 1)
        self.assertIn("belong to no track: only the 128 brightest are kept, and these change from frame to frame\n", told)
        self.assertIn("4 frames reached detect.max_markers = 128", told)

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
