"""Tests `glint sweep`: each row is what `glint track` and `glint eval` give with its settings.

usage: sweep_test.py GLINT [unittest arguments]
"""

import itertools
import json
import shlex
import unittest

from harness import Folder, glint, rows

SCENE = "crossing?size=160x120&frames=30&markers=8&seed=3"


class Sweep(Folder):
    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "r.mkv", "--truth", "truth.csv")

    def sweep(self, *words, recording="r.mkv"):
        out = self.glint("sweep", recording, *words).stdout.splitlines()
        return out, rows(self.dir / "sweep.csv")

    def tracked(self, *words, recording="r.mkv", truth=True):
        self.glint("track", recording, "-o", "t.csv", *words)
        score = json.loads(self.glint("eval", "t.csv", "truth.csv", "--json").stdout)["all"] if truth else None
        return rows(self.dir / "t.csv"), score

    def assert_as_tracked(self, row, keys, *words, **keywords):
        tracks, score = self.tracked(*words, *itertools.chain(*(("--set", f"{key}={row[key]}") for key in keys)), **keywords)
        measured = [one for one in tracks if one["state"] == "measured"]
        self.assertEqual((int(row["tracks"]), int(row["rows"])), (len({one["track"] for one in measured}), len(measured)))
        if score:
            for column, figure in (("recall", "recall"), ("precision", "precision"), ("mota", "mota"), ("idf1", "idf1"), ("hota", "hota"),
                                   ("rmse_px", "rmse"), ("median_error_px", "median_error")):
                self.assertEqual(row[column], "" if score[figure] is None else f"{score[figure]:.4f}", (row, column))

    def test_tracking_settings_share_their_detection(self):
        keys = "track.gate", "track.max_gap", "track.confirm"
        out, table = self.sweep("--over", "track.gate=2:6:4", "--over", "track.max_gap=0:4:2", "--over", "track.confirm=1,3", "--truth", "truth.csv")
        self.assertEqual([tuple(row[key] for key in keys) for row in table], list(itertools.product("26", "024", "13")))
        self.assertEqual({row["detection"] for row in table}, {"0"})
        for row in table:
            self.assert_as_tracked(row, keys)
        self.assertGreater(len({row["idf1"] for row in table}), 2)
        best, = (row for row in table if row["best"] == "1")
        self.assertEqual(float(best["score"]), max(float(row["idf1"]) for row in table))
        # The printed command tracks with the best settings.
        words = shlex.split(out[-1])
        self.assertEqual(words[0], "glint")
        glint(*words[1:], "-o", "best.csv", cwd=self.dir)
        score = json.loads(self.glint("eval", "best.csv", "truth.csv", "--json").stdout)["all"]
        self.assertEqual(best["idf1"], f"{score['idf1']:.4f}")

    def test_each_detection_is_its_own(self):
        keys = "detect.separation", "detect.threshold_sigma", "track.gate"
        _, table = self.sweep("--over", "detect.separation=3:9:6", "--over", "detect.threshold_sigma=3:43:20", "--over", "track.gate=3,5", "--truth",
                              "truth.csv", "--set", "detect.min_significance=0")
        self.assertEqual([int(row["detection"]) for row in table], [i // 2 for i in range(12)])
        for row in table:
            self.assert_as_tracked(row, keys, "--set", "detect.min_significance=0")
        self.assertGreater(len({row["rows"] for row in table}), 2)

    def test_frames_with_too_many_candidates_are_detected_by_themselves(self):
        self.glint("synth", "crossing?size=320x240&frames=5&markers=8&seed=3", "-o", "r.mkv", "--truth", "truth.csv")
        keys = "detect.threshold", "detect.separation"
        _, table = self.sweep("--over", "detect.threshold=0.01,0.3", "--over", "detect.separation=4:9:5", "--truth", "truth.csv")
        for row in table:
            self.assert_as_tracked(row, keys, "--stats", "s.csv")
            crowded = max(int(one["candidates"]) for one in rows(self.dir / "s.csv")) > 4096
            self.assertEqual(crowded, row["detect.threshold"] == "0.01", "more than the device lists")

    def test_methods_filters_and_lag(self):
        words = ["--filter", "b=background", "--set", "live.lag=0"]
        _, table = self.sweep("--over", "detect.method=peaks,blobs", "--over", "track.max_gap=2,9", "--over", "response.kind=luminance,blur",
                              "--truth", "truth.csv", *words)
        for row in table:
            self.assert_as_tracked(row, ("detect.method", "track.max_gap", "response.kind"), *words)

    def test_several_cameras_and_stills(self):
        self.glint("synth", "spots?size=64x48&frames=12&markers=3", "-o", "s.mkv")
        out = self.glint("sweep", "r.mkv", "s.mkv", "--over", "detect.separation=4:8:4").stdout
        self.assertIn("2 combinations, 30 frames", out)
        for row in rows(self.dir / "sweep.csv"):
            self.glint("track", "r.mkv", "s.mkv", "-o", "t.csv", "--set", f"detect.separation={row['detect.separation']}")
            measured = [one for one in rows(self.dir / "t.csv") if one["state"] == "measured"]
            self.assertEqual(int(row["rows"]), len(measured))
        self.glint("synth", "spots?size=64x48&frames=1&markers=3", "-o", "one")
        _, (row,) = self.sweep("--over", "track.confirm=3:3:1", recording="one")
        self.assertEqual((row["tracks"], row["rows"]), ("3", "3"))

    def test_without_truth_tracks_are_judged_by_themselves(self):
        # The 3 markers rest and are visible in all frames, so each has one unbroken track.
        self.glint("synth", "spots?size=64x48&frames=20&markers=3", "-o", "s.mkv")
        out, table = self.sweep("--over", "detect.threshold=0.2,0.99", "--picture", "heat.png", recording="s.mkv")
        self.assertEqual((table[0]["tracks"], table[0]["rows"], table[0]["gaps"], table[0]["jumps"], table[0]["length"]), ("3", "60", "0.0000", "0", "20.0"))
        self.assertEqual((table[0]["lasting"], table[0]["halves"], table[0]["score"], table[0]["best"]), ("3.0000", "1.0000", "3.0000", "1"))
        self.assertEqual((table[1]["tracks"], table[1]["score"]), ("0", "0.0000"))
        self.assertIn("--set detect.threshold=0.2", out[-1])
        self.assertEqual((self.dir / "heat.png").read_bytes()[:4], b"\x89PNG")

    def test_a_cut_recording_is_judged_up_to_there(self):
        whole = (self.dir / "r.mkv").read_bytes()
        (self.dir / "r.mkv").write_bytes(whole[:len(whole) // 2])
        refusal = self.glint("sweep", "r.mkv", "--over", "track.gate=2:6:2", status=1).stderr
        self.assertIn("cut", refusal)
        table = rows(self.dir / "sweep.csv")
        self.assertGreater(int(table[0]["rows"]), 20)

    def test_truth_of_frames_that_were_not_tracked_does_not_count(self):
        out, found = self.sweep("--over", "detect.separation=4:5:1", "--truth", "truth.csv", "--frames", "10")
        self.assertIn("the truth counts up to frame 9, the last one tracked", out)
        header, *lines = self.text("truth.csv").splitlines(keepends=True)
        at = header.split(",").index("frame")
        (self.dir / "ten.csv").write_text(header + "".join(line for line in lines if int(line.split(",")[at]) < 10))
        self.assertEqual(self.sweep("--over", "detect.separation=4:5:1", "--truth", "ten.csv", "--frames", "10")[1], found)
        self.glint("track", "r.mkv", "-o", "t.csv", "--frames", "10", "--set", "detect.separation=4")
        score = json.loads(self.glint("eval", "t.csv", "ten.csv", "--json").stdout)["all"]
        self.assertAlmostEqual(float(found[0]["idf1"]), score["idf1"], delta=0.0001)

    def test_refusals(self):
        for words, message in (
                (["--over", "detect.separation"], "must be KEY=FROM:TO:STEP"), (["--over", "detect.separation=4:8"], "must be KEY=FROM:TO:STEP"),
                (["--over", "detect.separation=4:8:x"], "must be KEY=FROM:TO:STEP"), (["--over", "detect.separation=4:8:0"], "nor STEP 0"),
                (["--over", "detect.separation=8:4:1"], "must not be below FROM"), (["--over", "detect.separation=4,,5"], "must be KEY=FROM:TO:STEP"),
                (["--over", "detect.separation=0:8:1"], "detect.separation"), (["--over", "detect.seperation=4:8:1"], "detect.seperation"),
                (["--over", "detect.separation=1:65000:1"], "more than 10000"), (["--over", "track.confirm=1:2:0.5"], "track.confirm"),
                (["--over", "track.gate=1:2:1", "--over", "track.gate=3:4:1"], "given twice"),
                (["--over", "track.gate=1:100:1", "--over", "track.max_gap=1:200:1"], "more than 10000 combinations"),
                (["--over", "track.gate=1:2:1", "--picture", "heat.gif"], ".png or .jpg"),
                (["--over", "track.gate=1:2:1", "--truth", "truth.csv", "-o", "truth.csv"], "truth.csv")):
            with self.subTest(words):
                refusal = glint("sweep", "r.mkv", *words, cwd=self.dir, status=2).stderr
                self.assertIn(message, refusal)
                self.assertFalse((self.dir / "sweep.csv").exists())
        (self.dir / "empty.csv").write_text("camera,frame,id,x,y,visible\n")
        self.assertIn("holds no marker", glint("sweep", "r.mkv", "--over", "track.gate=1:2:1", "--truth", "empty.csv", cwd=self.dir, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
