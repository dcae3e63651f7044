"""Tests the program as users run it: with real files, exit statuses and messages.

usage: cli_test.py GLINT [unittest arguments]; GLINT_ASSETS names the folder of the bundled clip.
"""

import json
import math
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from harness import GLINT, SANITIZED, TIMEOUT, Folder, rows, wait_until

ASSETS = pathlib.Path(os.environ["GLINT_ASSETS"]).resolve()
SMALL = "size=320x240&frames=40&seed=3"


class Runs(Folder):
    def test_two_runs_are_identical(self):
        for run in "ab":
            self.glint("track", f"synth:dancer?{SMALL}", "-o", f"{run}.csv", "--detections",
                       f"{run}.d.csv", "--stats", f"{run}.s.csv")
        for suffix in ("csv", "d.csv", "s.csv"):
            self.assertEqual(self.text(f"a.{suffix}"), self.text(f"b.{suffix}"))
        self.assertGreater(len(rows(self.dir / "a.csv")), 100)

    def test_lossless_files_give_the_same_detections_as_the_scene(self):
        scene = f"dancer?{SMALL}&cameras=1&fps=60"
        for bits in (8, 16):
            spec = f"{scene}&bits={bits}"
            self.glint("synth", spec, "-o", "clip.mkv")
            self.glint("synth", spec, "-o", "images")
            self.glint("track", f"synth:{spec}", "--detections", "scene.csv")
            for source in ("clip.mkv", "images/?fps=60", "images/frame_%06d.png?fps=60"):
                self.glint("track", source, "--detections", "files.csv")
                self.assertEqual(self.text("scene.csv"), self.text("files.csv"), source)
            self.assertGreater(len(rows(self.dir / "scene.csv")), 100)

    def test_cameras_of_one_run_equal_runs_of_one_camera(self):
        specs = [f"synth:dancer?{SMALL}&cameras=3&camera={i}" for i in range(3)]
        self.glint("track", *specs, "--detections", "all.csv", "--stats", "all.s.csv")
        for i, spec in enumerate(specs):
            self.glint("track", spec, "--detections", "one.csv", "--stats", "one.s.csv")
            for name in ("csv", "s.csv"):
                together = [r for r in rows(self.dir / f"all.{name}") if r["camera"] == str(i)]
                alone = rows(self.dir / f"one.{name}")
                for row in alone:
                    row["camera"] = str(i)
                    if name == "csv":
                        row["set"] = row["frame"]
                self.assertEqual(together, alone)

    def test_the_threshold_lags_by_exactly_one_frame(self):
        self.glint("track", f"synth:dancer?{SMALL}", "--stats", "s.csv")
        table = rows(self.dir / "s.csv")

        def threshold(row):
            level = math.ceil(float(row["mean"]) + 5 * math.sqrt(float(row["variance"])))
            return min(max(level, 1), 255)

        expected = [threshold(table[0])] + [threshold(row) for row in table[:-1]]
        self.assertEqual([int(row["threshold"]) for row in table], expected)
        own = [threshold(row) for row in table]
        self.assertNotEqual(own, expected, "the clip must tell this frame from the one before")

    def test_cameras_may_end_at_different_times(self):
        self.glint("synth", "spots?size=160x120&markers=12&frames=5", "-o", "short.mkv")
        self.glint("synth", "spots?size=160x120&markers=12&frames=9", "-o", "long.mkv")
        result = self.glint("track", "short.mkv", "long.mkv", "--stats", "s.csv")
        self.assertIn("camera 0 ('short.mkv') ended after 5 of 9 frames", result.stdout)
        cameras = [row["camera"] for row in rows(self.dir / "s.csv")]
        self.assertEqual((cameras.count("0"), cameras.count("1")), (5, 9))

    def test_frames_and_quiet(self):
        result = self.glint("track", f"synth:dancer?{SMALL}", "--frames", 7, "--quiet", "--stats", "s.csv")
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertEqual(len(rows(self.dir / "s.csv")), 7)

    def test_settings_and_record(self):
        (self.dir / "glint.toml").write_text("[detect]\nseparation = 12.0\nmax_markers = 9\n")
        self.glint("track", f"synth:dancer?{SMALL}", "--config", "glint.toml", "--set",
                   "detect.max_markers=4", "--detections", "d.csv")
        record = json.loads(self.text("tracks.json"))
        self.assertEqual(record["settings"]["detect"]["separation"], 12)
        self.assertEqual(record["settings"]["detect"]["max_markers"], 4)
        self.assertEqual(record["counts"]["frames"], 40)
        self.assertEqual(record["cameras"][0]["source"], f"synth:dancer?{SMALL}")
        self.assertGreater(record["device_us"]["all"]["p50"], 0)
        self.assertEqual(max(int(row["rank"]) for row in rows(self.dir / "d.csv")), 4)

    def test_settings_print_and_read_back(self):
        printed = self.glint("settings").stdout
        (self.dir / "all.toml").write_text(printed)
        self.glint("track", "synth:spots?size=64x64&markers=4&frames=2", "--config", "all.toml")

    def test_images_of_any_shape(self):
        for width, height in ((1, 1), (1, 70), (70, 1), (33, 31)):
            pixels = bytes((7 * i * i + 3) % 251 for i in range(width * height))
            (self.dir / "image.pgm").write_bytes(f"P5\n{width} {height}\n255\n".encode() + pixels)
            self.glint("track", "image.pgm", "--stats", "s.csv", "--picture", "p.png")
            row = rows(self.dir / "s.csv")[0]
            self.assertEqual(float(row["mean"]), sum(pixels) / len(pixels))
            self.assertEqual(int(row["max"]), max(pixels))
            first = pixels.index(max(pixels))
            self.assertEqual((int(row["max_x"]), int(row["max_y"])), (first % width, first // width))

    def test_dark_markers_are_bright_ones_upside_down(self):
        centres = [(20.3 + 31.7 * i, 25.8 + 23.1 * (i % 4)) for i in range(6)]
        width, height = 211, 127

        def level(x, y):
            return 12 + sum(200 * math.exp(-((x - u)**2 + (y - v)**2) / 5) for u, v in centres)

        bright = bytes(round(level(i % width, i // width)) for i in range(width * height))
        for name, pixels in (("bright", bright), ("dark", bytes(255 - value for value in bright))):
            (self.dir / f"{name}.pgm").write_bytes(f"P5\n{width} {height}\n255\n".encode() + pixels)
        self.glint("track", "bright.pgm", "--detections", "bright.csv")
        self.glint("track", "dark.pgm", "--set", "response.kind=inverted", "--detections", "dark.csv")
        self.glint("track", "dark.pgm", "--detections", "nothing.csv")
        bright, dark = rows(self.dir / "bright.csv"), rows(self.dir / "dark.csv")
        self.assertEqual(dark, bright)
        found = sorted((float(row["x"]), float(row["y"])) for row in dark)
        self.assertEqual(len(found), len(centres))
        for (x, y), (u, v) in zip(found, sorted(centres)):
            self.assertLess(math.hypot(x - u, y - v), 0.02)
        self.assertEqual(rows(self.dir / "nothing.csv"), [], "dark ones are none where bright ones are sought")

    def test_a_learned_mask_hides_what_does_not_move(self):
        # The spots stand still. If they are learned as glare, no marker is left.
        scene = "synth:spots?size=160x120&markers=12&frames=4&seed=2"
        self.glint("track", scene, "--stats", "s.csv", "--detections", "d.csv")
        self.assertGreater(len(rows(self.dir / "d.csv")), 40)
        result = self.glint("mask", scene, scene, "-o", "m.png")
        self.assertIn("m_cam1.png", result.stdout)
        found = {(row["frame"], row["peak_x"], row["peak_y"], row["peak"]) for row in rows(self.dir / "d.csv")}
        self.glint("track", scene, scene, "--set", "detect.mask=m_cam%d.png", "--stats", "m.csv",
                   "--detections", "d.csv", "--rejected", "r.csv")
        unmasked, masked = rows(self.dir / "s.csv"), rows(self.dir / "m.csv")
        self.assertLess(int(masked[0]["threshold"]), int(unmasked[0]["threshold"]))
        self.assertEqual(masked[0]["max"], unmasked[0]["max"], "the luminance's statistics are of all pixels")
        left = [row for row in rows(self.dir / "d.csv") if int(row["peak"]) > int(unmasked[0]["threshold"])]
        self.assertEqual(left, [])
        listed = [row for row in rows(self.dir / "r.csv") if row["reason"] == "masked"]
        for camera in "01":
            self.assertLessEqual(found, {(row["frame"], row["peak_x"], row["peak_y"], row["peak"])
                                         for row in listed if row["camera"] == camera})

    def test_rejected_candidates_are_told_with_their_reason(self):
        clip = f"synth:dancer?{SMALL}"
        self.glint("track", clip, "--detections", "all.d.csv")
        result = self.glint("track", clip, "--set", "detect.min_radius=1.7005", "--set", "detect.max_markers=7",
                            "--rejected", "r.csv", "--detections", "d.csv")
        self.assert_whole_rows("r.csv")
        rejected = rows(self.dir / "r.csv")
        kept = [row for row in rows(self.dir / "all.d.csv") if float(row["radius"]) >= 1.7005]
        frame = [row for row in rows(self.dir / "d.csv") if row["frame"] == "20"]
        self.assertEqual([row["peak_x"] for row in frame],
                         [row["peak_x"] for row in kept if row["frame"] == "20"][:7])
        small = [row for row in rejected if row["reason"] == "too_small"]
        self.assertGreater(len(small), 20)
        self.assertTrue(all(float(row["radius"]) < 1.7005 for row in small))
        self.assertTrue(all(float(row["radius"]) >= 1.7005 for row in rows(self.dir / "d.csv")))
        self.assertIn(f"{len(small)} too small", result.stdout)
        beyond = [row for row in rejected if row["reason"] == "beyond_most" and row["frame"] == "20"]
        self.assertEqual(len(beyond), len([row for row in kept if row["frame"] == "20"]) - 7)
        self.assertGreater(len(beyond), 3)

    def test_what_was_never_measured_is_told_too(self):
        clip = f"synth:dancer?{SMALL}"
        settings = ["--set", "detect.separation=25", "--set", "detect.max_markers=5",
                    "--set", "detect.max_eccentricity=1"]  # Blobs have an eccentricity even without a fit.
        for method in ("peaks", "blobs"):
            result = self.glint("track", clip, *settings, "--set", f"detect.method={method}", "--stats", "s.csv",
                                "--set", "refine.method=none", "--detections", "d.csv", "--rejected", "r.csv")
            markers = {(row["frame"], row["rank"]): row for row in rows(self.dir / "d.csv")}
            rejected = rows(self.dir / "r.csv")
            seen = int(sum(int(row["candidates"]) for row in rows(self.dir / "s.csv")))
            if method == "peaks":
                listed = sum(int(row["candidates"]) for row in rejected)
                self.assertEqual(listed + len(markers), seen, "each candidate is listed")
            near = [row for row in rejected if row["reason"] == "too_near"]
            beside = sum(int(row["candidates"]) for row in near)
            beyond = [row for row in rejected if row["reason"] == "beyond_most"]
            self.assertEqual(len(near) + len(beyond), len(rejected))
            self.assertGreater(min(len(near), len(beyond)), 20)
            self.assertIn(f"{beside} too close, {len(beyond)} over the maximum number", result.stdout)
            by = "peak" if method == "peaks" else "mass"
            for row in near:
                better = markers[row["frame"], row["nearest_rank"]]
                self.assertGreaterEqual(float(better[by]), float(row[by]))
                self.assertEqual(row["x"] == "", method == "peaks", "blobs have measures of their own")
                place = ("peak_x", "peak_y") if method == "peaks" else ("x", "y")
                self.assertLess(math.dist(*([float(r[c]) for c in place] for r in (row, better))), 26.5)
            for row in beyond:
                last = markers[row["frame"], "5"]
                self.assertGreaterEqual(float(last[by]), float(row[by]))

    def test_markers_that_may_be_missing_are_told(self):
        clip = f"synth:dancer?{SMALL}"
        result = self.glint("track", clip, "--set", "detect.min_radius=9", "--set", "detect.max_markers=2")
        self.assertIn("missing from 40 frames", result.stdout)
        self.assertIn("detect.method=blobs", result.stdout)
        self.assertEqual(json.loads(self.text("tracks.json"))["counts"]["partial_frames"], 40)
        result = self.glint("track", clip)
        self.assertNotIn("missing", result.stdout)
        self.assertEqual(json.loads(self.text("tracks.json"))["counts"]["partial_frames"], 0)

    def test_the_record_has_the_findings_of_the_summary(self):
        clip = f"synth:dancer?{SMALL}"
        result = self.glint("track", clip, "--set", "detect.min_radius=9", "--set", "detect.max_markers=2")
        findings = json.loads(self.text("tracks.json"))["findings"]
        self.assertEqual([(one["finding"], one["severity"]) for one in findings], [("partial_frames", "warning"), ("nothing_found", "hint")])
        self.assertTrue(findings[0]["text"].startswith("Markers may be missing from 40 frames"))
        self.assertIn("warning: markers may be missing from 40 frames", result.stdout)
        self.glint("track", clip, "--set", "detect.threshold=0.99", "--quiet")
        self.assertIn("nothing_found", [one["finding"] for one in json.loads(self.text("tracks.json"))["findings"]])
        self.glint("track", clip, "--set", "track.confirm=1")
        self.assertEqual(json.loads(self.text("tracks.json"))["findings"], [])

    def test_a_threshold_above_everything_is_told(self):
        result = self.glint("track", f"synth:dancer?{SMALL}", "--set", "detect.threshold_sigma=1000")
        self.assertRegex(result.stdout, r"--set detect\.threshold=0\.[2-6]\d* would find (29|30|31) a frame")

    def test_a_mask_that_cannot_be_used_is_a_wrong_setting(self):
        result = self.glint("track", f"synth:dancer?{SMALL}", "--set", "detect.mask=/no/mask.png", status=2)
        self.assertIn("detect.mask", result.stderr)

    def test_devices_lists_the_default(self):
        self.assertRegex(self.glint("devices").stdout, r"(?m)^\* \d+  .+")


class Bench(Folder):
    def test_quick(self):
        results = json.loads(self.glint("bench", "--quick", "--json", "-").stdout)
        self.assertTrue(results["device"]["name"])
        kinds = {(case["layers"], case["channels"]) for case in results["cases"]}
        self.assertEqual(kinds, {(1, 1), (2, 1), (1, 3), (2, 3)})
        for case in results["cases"]:
            self.assertEqual(case["found"], case["markers"] * case["layers"])
            passes = {one["name"] for one in case["detection"]["passes"]}
            self.assertLessEqual({"scan", "refine"}, passes)
            if results["device"]["type"] != "cpu":  # On a CPU the host may do the work of this pass.
                self.assertIn("resolve", passes)
            self.assertEqual("luminance" in passes, case["channels"] == 3)
            for work in ("detection", "statistics"):
                times = case[work]["wall_us"]
                self.assertTrue(0 < times["p10"] <= times["median"] <= times["p90"])
        peers = {peer["name"]: peer for peer in results["cases"][0]["peers"]}
        for name in ("threshold + connectedComponentsWithStats", "threshold + findContours + moments",
                     "goodFeaturesToTrack"):
            self.assertEqual(peers[name]["found"], 50, name)
        self.assertIn("minMaxLoc + meanStdDev", peers)
        self.assertEqual(len(results["growth"]), 2)

    def test_filters_beside_opencv(self):
        chosen = [f"--only={name}" for name in
                  ("brightness", "gamma", "box", "gaussian", "median", "rect", "chain", "cga")]
        results = json.loads(self.glint("bench", "--filters", "--quick", "--json", "-", *chosen).stdout)
        cases = {case["name"]: case for case in results["filters"]}
        for case in cases.values():
            self.assertGreater(case["wall_us"]["median"], 0)
            self.assertTrue(case["passes"])
        # Weights in fixed point give other results than OpenCV's, and so does a threshold of those results. These filters are equal.
        for name in ("brightness", "gamma", "box 31 px", "median 15 px", "dilate rect 31 px", "tophat rect 15 px"):
            self.assertEqual(cases[name]["peer"]["differences"], 0, name)
        self.assertLessEqual(cases["gaussian 15 px"]["peer"]["most"], 1)
        self.assertIn("peer", cases["chain of five"])
        self.assertEqual(cases["cga"]["channels"], 3)

    def test_figures_that_cannot_be_kept_are_not_measured(self):
        result = self.glint("bench", "--quick", "--json", "/no/r.json", status=1)
        self.assertIn("/no/r.json", result.stderr)
        self.assertEqual(result.stdout, "")
        self.glint("bench", "--seconds", "nan", status=2)
        self.assertIn("--only", self.glint("bench", "--filters", "--only", "Voodoo", status=2).stderr)
        self.glint("bench", "--filters", "--markers", "5", status=2)
        self.glint("bench", "--only", "box", status=2)
        self.glint("mask", f"synth:dancer?{SMALL}", "-o", "m.png", "--share", "nan", status=2)

    def test_chosen_frames(self):
        table = self.glint("bench", "--size", "64x48", "--size", "320x240", "--markers", 4, "--bits", 16,
                           "--color", "--seconds", 0, "--json", "r.json").stdout
        cases = json.loads(self.text("r.json"))["cases"]
        self.assertEqual([(c["width"], c["markers"], c["bits"], c["channels"]) for c in cases],
                         [(64, 4, 16, 3), (320, 4, 16, 3)])
        self.assertIn("320x240 colour 16 bit, 4 markers", table)

    def test_loop(self):
        self.glint("synth", "spots?size=160x120&markers=12&frames=9", "-o", "shots")
        loop = json.loads(self.glint("bench", "--loop", "shots", "--json", "-").stdout)
        self.assertEqual(loop["frames"], 9)
        self.assertGreater(loop["loop_seconds"], 0)
        self.assertAlmostEqual(loop["decode_share"], loop["decode_seconds"] / loop["loop_seconds"])

    def test_live(self):
        result = json.loads(self.glint("bench", "--live", "--size", "160x120", "--markers", 4, "--seconds", 0.2, "--json", "-").stdout)
        case, = result["cases"]
        self.assertEqual((case["width"], case["height"], case["markers"], case["rate"]), (160, 120, 4, 60))
        for program in ("glint", "opencv"):
            self.assertEqual(case[program]["found"], 4)
            self.assertEqual(case[program]["age_us"]["count"], 12)
            self.assertGreater(case[program]["age_us"]["median"], 0)
        self.assertAlmostEqual(case["ratio"], case["glint"]["age_us"]["median"] / case["opencv"]["age_us"]["median"])

    def test_processor_time(self):
        script = pathlib.Path(__file__).resolve().parents[2] / "scripts/measure_processor"
        said = subprocess.run([script, GLINT, "--runs", "1", "--json", self.dir / "r.json"], text=True, stdout=subprocess.PIPE,
                              check=True).stdout
        result = json.loads(self.text("r.json"))
        self.assertAlmostEqual(result["ratio"], result["glint_s"] / result["reference_s"], delta=0.01 * result["ratio"])
        self.assertIn(f"{result['ratio']:.2f} times", said)

    def test_wrong_options(self):
        for arguments, says in ((["--size", "12"], "WIDTHxHEIGHT"), (["--size", "0x5"], "WIDTHxHEIGHT"),
                                (["--live", "--color"], "--live"), (["--live", "--loop", "x"], "--live"),
                                (["--layers", "17"], "--layers"), (["--bits", "12"], "--bits"),
                                (["--quick", "--all"], "alone"), (["--quick", "--size", "64x64"], "alone"),
                                (["--loop", "x", "--size", "64x64"], "--loop"),
                                (["--set", "detect"], "KEY=VALUE"), (["--device", "Voodoo"], "'Voodoo'")):
            self.assertIn(says, self.glint("bench", *arguments, status=2).stderr)
        self.assertIn("nowhere", self.glint("bench", "--loop", "nowhere", status=1).stderr)
        self.assertIn("no/r.json", self.glint("bench", "--size", "64x64", "--markers", 1, "--seconds", 0,
                                              "--json", "no/r.json", status=1).stderr)


class Eval(Folder):
    def test_scores_files_as_computed_by_hand(self):
        # Camera 0 has track 1 for 6 of 10 frames, then track 2. Camera 1 has 9 of 10 frames, 2 px off, and one row where no marker is.
        with open(self.dir / "truth.csv", "w") as truth, open(self.dir / "mine.csv", "w") as tracks:
            truth.write("camera,frame,id,x,y,visible\n")
            tracks.write("camera,frame,track,x,y\n")
            for camera in range(2):
                for frame in range(10):
                    truth.write(f"{camera},{frame},5,{frame},20,1\n")
                    if (camera, frame) != (1, 4):
                        track = 1 if camera or frame < 6 else 2
                        tracks.write(f"{camera},{frame},{track},{frame},{20 + 2 * camera}\n")
            tracks.write("1,4,9,300,300\n")
        report = json.loads(self.glint("eval", "mine.csv", "truth.csv", "--json").stdout)
        self.assertEqual(report["radius"], 5)
        left, right = report["cameras"]
        self.assertEqual((left["camera"], left["matched"], left["switches"], left["fragments"]), (0, 10, 1, 0))
        self.assertEqual((right["camera"], right["missed"], right["spurious"], right["fragments"]), (1, 1, 1, 1))
        self.assertEqual((left["mota"], left["idf1"], right["mota"], right["rmse"]), (0.9, 0.6, 0.8, 2))
        self.assertAlmostEqual(right["idf1"], 0.9)
        self.assertAlmostEqual(left["hota"], math.sqrt(0.52))  # A is 6 / 10 for 6 matches, and 4 / 10 for 4.
        # Up to a similarity of 0.6 (12 of 19 thresholds), there are 9 matches with A = 9 / 10, and 11 rows and markers.
        self.assertAlmostEqual(right["hota"], 12 / 19 * math.sqrt(8.1 / 11))
        self.assertAlmostEqual(report["all"]["mota"], 1 - 3 / 20)
        self.assertAlmostEqual(report["all"]["recall"], 0.95)
        table = self.glint("eval", "mine.csv", "truth.csv").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in table], ["camera", "0", "1", "all"])
        self.assertIn("0.8500", table[3].split())

    def test_truth_of_frames_that_were_not_tracked_does_not_count(self):
        scene = "spots?size=96x64&markers=3&frames=40&seed=2"
        self.glint("synth", scene, "-o", "c.mkv", "--truth", "truth.csv")
        self.glint("track", "c.mkv", "--from", "10", "--frames", "20", "-o", "t.csv")
        self.assertEqual([json.loads(self.text("t.json"))["cameras"][0][key] for key in ("frames", "first_frame", "last_frame")],
                         [20, 10, 29])
        header, *lines = self.text("truth.csv").splitlines(keepends=True)
        frame = header.split(",").index("frame")

        def cut(name, first, last):
            (self.dir / name).write_text(header + "".join(line for line in lines if first <= int(line.split(",")[frame]) <= last))
            return sum(not first <= int(line.split(",")[frame]) <= last for line in lines)

        def scored(tracks, truth):
            found = json.loads(self.glint("eval", tracks, truth, "--json").stdout)
            return found["all"], found["truth_left_out"], found["tracked_known_from"]

        left_out = cut("those.csv", 10, 29)
        those = scored("t.csv", "those.csv")[0]
        self.assertGreater(those["recall"], 0.9)
        self.assertEqual(scored("t.csv", "truth.csv"), (those, left_out, "record"))
        self.assertIn(f"{left_out} rows of the truth are of frames that were not tracked: by the run's record, frames 10 to 29 were tracked",
                      self.glint("eval", "t.csv", "truth.csv").stdout)
        # The record also counts if nothing was found.
        (self.dir / "nothing.csv").write_text(self.text("t.csv").splitlines(keepends=True)[0])
        (self.dir / "nothing.json").write_text(self.text("t.json"))
        none, out, source = scored("nothing.csv", "truth.csv")
        self.assertEqual((none["matched"], none["missed"], out, source), (0, those["truth"], left_out, "record"))
        # Without a record, or with that of another run, the last frame of the tracks is the last one that counts.
        out = cut("early.csv", 0, 29)
        for name, record in (("alone", None), ("other", "{}"), ("stale", self.text("t.json").replace('"last_frame": 29', '"last_frame": 12'))):
            (self.dir / f"{name}.csv").write_text(self.text("t.csv"))
            if record:
                (self.dir / f"{name}.json").write_text(record)
            self.assertEqual(scored(f"{name}.csv", "truth.csv"), (scored(f"{name}.csv", "early.csv")[0], out, "tracks"), name)
        self.assertIn("without the run's record, frame 29, the last one of the tracks", self.glint("eval", "alone.csv", "truth.csv").stdout)
        # An empty table without a record does not say what was tracked, so all of the truth is missed.
        (self.dir / "empty.csv").write_text(self.text("nothing.csv"))
        none, out, source = scored("empty.csv", "truth.csv")
        self.assertEqual((none["missed"], out, source), (none["truth"], 0, None))
        self.assertGreater(none["truth"], those["truth"])


class BundledClip(Folder):
    def test_is_tracked_as_well_as_the_readme_says(self):
        self.glint("track", ASSETS / "dancer.mp4", "--picture", "p.png", "--picture-frame", 150)
        scores = json.loads(self.glint("eval", "tracks.csv", ASSETS / "dancer.truth.csv", "--json").stdout)
        figures = scores["all"]
        self.assertEqual(figures["frames"], 300)
        self.assertGreaterEqual(figures["recall"], 0.99)
        self.assertGreaterEqual(figures["precision"], 0.99)
        self.assertGreaterEqual(figures["idf1"], 0.90)
        self.assertLessEqual(figures["median_error"], 0.07)
        self.assertGreater((self.dir / "p.png").stat().st_size, 10000)

    def test_stitching_can_be_chosen(self):
        record = {}
        for name, arguments in {"default": [], "off": ["--no-stitch"], "set": ["--set", "track.stitch_gap=0.5"],
                                "again": ["--stitch", "--set", "track.stitch_gap=0"]}.items():
            self.glint("track", ASSETS / "dancer.mp4", "--frames", 20, "-o", f"{name}.csv", *arguments)
            record[name] = json.loads(self.text(f"{name}.json"))["settings"]["track"]["stitch_gap"]
        self.assertEqual(record, {"default": 4, "off": 0, "set": 0.5, "again": 4})
        self.assertIn("--no-stitch", self.glint("track", "x.mp4", "--stitch", "--no-stitch", status=2).stderr)


def parse_osc(packet):
    """Returns the messages of an OSC 1.0 bundle, each a list of its address and its arguments. Checks the padding."""
    def text(at):
        end = packet.index(b"\0", at)
        after = end + 4 - end % 4
        if packet[end:after].strip(b"\0"):
            raise AssertionError("a text is not padded with zeros")
        return packet[at:end].decode("ascii"), after

    if packet[:8] != b"#bundle\0":
        raise AssertionError("no bundle")
    messages, at = [], 16
    while at < len(packet):
        end = at + 4 + struct.unpack_from(">i", packet, at)[0]
        address, at = text(at + 4)
        types, at = text(at)
        message = [address]
        for kind in types[1:]:
            value, at = text(at) if kind == "s" else (*struct.unpack_from(">" + kind, packet, at), at + 4)
            message.append(value)
        if at != end:
            raise AssertionError(f"{message} has a wrong size")
        messages.append(message)
    return messages


class Receiver(threading.Thread):
    """A UDP socket on a free port of this machine that keeps everything that arrives until stop()."""

    def __init__(self):
        super().__init__()
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.2)
        self.port = self.socket.getsockname()[1]
        self.packets = []
        self.stopped = False
        self.start()

    def run(self):
        while True:
            try:
                self.packets.append(self.socket.recv(65536))
            except TimeoutError:
                if self.stopped:
                    return

    def stop(self):
        self.stopped = True
        self.join()
        self.socket.close()
        return self.packets


class Streaming(Folder):
    CLIP = f"synth:dancer?{SMALL}"  # The clip has 40 frames.

    def receive(self, kind, *arguments):
        receiver = Receiver()
        try:
            result = self.glint("track", *arguments, "--stream", f"{kind}:{receiver.port}")
        finally:
            packets = receiver.stop()
        self.assertIn(f"stream {kind}:{receiver.port}: 40 frames sent, 0 dropped\n", result.stdout)
        return packets

    def assert_equals_the_file(self, live):
        """Checks that the measured markers, by frame and track, are those of tracks.csv."""
        settled = {(int(row["frame"]), int(row["track"])): row for row in rows(self.dir / "tracks.csv")}
        compared = 0
        for frame, track, state, x, y in live:
            if state != "measured":
                continue
            row = settled[frame, track]
            self.assertEqual(row["state"], "measured")
            self.assertAlmostEqual(x, float(row["x"]), delta=1e-4)
            self.assertAlmostEqual(y, float(row["y"]), delta=1e-4)
            compared += 1
        self.assertGreater(compared, 500)

    def test_json_lines_hold_what_the_csv_holds(self):
        self.glint("track", self.CLIP, "-o", "t.csv")
        self.glint("track", self.CLIP, "-o", "t.jsonl")
        lines = [json.loads(line) for line in self.text("t.jsonl").splitlines()]
        table = rows(self.dir / "t.csv")
        self.assertEqual(len(lines), len(table))
        for line, row in zip(lines, table):
            self.assertEqual(list(line), list(row))
            for key, value in row.items():
                self.assertEqual(line[key], value if key == "state" else float(value))
        self.assertTrue((self.dir / "t.json").exists())

    def test_every_frame_comes_as_json(self):
        packets = self.receive("udp", self.CLIP, "--realtime")
        frames = [json.loads(packet) for packet in packets]
        self.assertEqual([frame["frame"] for frame in frames], list(range(40)))
        self.assertTrue(all(frame["count"] == len(frame["markers"]) for frame in frames))
        self.assert_equals_the_file((frame["frame"], m["track"], m["state"], m["x"], m["y"])
                                    for frame in frames for m in frame["markers"])
        streams = json.loads(self.text("tracks.json"))["streams"]
        self.assertEqual([(one["frames_sent"], one["frames_dropped"]) for one in streams], [(40, 0)])

    def test_every_frame_comes_as_osc(self):
        live, counts, frame = [], {}, None
        for packet in self.receive("osc", self.CLIP, "--realtime"):
            for address, camera, *values in parse_osc(packet):
                self.assertEqual(camera, 0)
                if address == "/glint/frame":
                    frame, _, counts[frame] = values
                else:
                    self.assertEqual(address, "/glint/marker")
                    track, x, y, size, state = values
                    self.assertGreater(size, 0.5)
                    live.append((frame, track, state, x, y))
        self.assertEqual(list(counts), list(range(40)))
        self.assertEqual(sum(counts.values()), len(live))
        self.assert_equals_the_file(live)

    def test_standard_output_carries_nothing_else(self):
        result = self.glint("track", self.CLIP, "--stream", "-")
        frames = [json.loads(line)["frame"] for line in result.stdout.splitlines()]
        self.assertEqual(frames, list(range(40)))
        self.assertIn("stream -: 40 frames sent, 0 dropped", result.stderr)

    def stream_into(self, reader):
        """Runs with a pipe that `reader` handles. The tracks and the record of the run must be complete."""
        process = subprocess.Popen([GLINT, "track", "synth:dancer?size=320x240&frames=400", "--stream", "-"],
                                   cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process.stdout, process.stderr:
            reader(process.stdout)
            self.assertEqual(process.wait(timeout=120), 0)
            message = process.stderr.read()
        record = json.loads(self.text("tracks.json"))
        self.assertEqual(record["counts"]["frames"], 400)
        stream = record["streams"][0]
        self.assertEqual(stream["frames_sent"] + stream["frames_dropped"], 400)
        self.assertGreater(stream["frames_dropped"], 0)
        self.assertIn(f"{stream['frames_dropped']} dropped ({stream['problem']})", message)
        self.assertEqual(max(int(row["frame"]) for row in rows(self.dir / "tracks.csv")), 399)
        return stream["problem"]

    def test_a_pipe_that_nobody_reads_stops_nothing(self):
        self.assertIn("too slow", self.stream_into(lambda pipe: None))

    def test_a_pipe_that_is_closed_stops_nothing(self):
        def read_one_line(pipe):
            self.assertEqual(json.loads(pipe.readline())["frame"], 0)
            pipe.close()
        self.assertIn("closed", self.stream_into(read_one_line))

    def test_realtime_holds_a_frame_back_until_its_time_and_streams_the_one_before(self):
        process = subprocess.Popen(
            [GLINT, "track", "synth:dancer?size=320x240&fps=0.01", "--realtime", "--stream", "-"],
            cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process.stdout, process.stderr:
            self.assertEqual(json.loads(process.stdout.readline())["frame"], 0)  # The next frame is due in 100 s.
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 0)
        self.assertLessEqual(json.loads(self.text("tracks.json"))["counts"]["frames"], 2)

    def test_rows_are_in_the_file_while_frames_come(self):
        process = subprocess.Popen(
            [GLINT, "track", "synth:spots?size=160x120&markers=5&fps=60&frames=100000", "--realtime", "--stream", "-"],
            cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process.stdout, process.stderr:
            for line in process.stdout:
                if json.loads(line)["frame"] >= 120:
                    break
            # Everything that is streamed from now on is dropped, but rows are still written.
            wait_until(lambda: any(int(row["frame"]) >= 120 for row in rows(self.dir / "tracks.csv")), "rows in the file")
            process.kill()
            process.wait(timeout=TIMEOUT)


class BadInput(Folder):
    def refused(self, *arguments, status=1, says, env=None):
        result = self.glint("track", *arguments, status=status, env=env)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, result.stderr)

    def make_clip(self, name="clip.mkv", frames=40, size="160x120"):
        self.glint("synth", f"dancer?size={size}&frames={frames}&cameras=1", "-o", name)
        return self.dir / name

    def test_missing_file(self):
        self.refused("nowhere.mp4", says="'nowhere.mp4'")

    def test_no_video(self):
        (self.dir / "text.mp4").write_text("This is no video.\n" * 50)
        self.refused("text.mp4", says="'text.mp4'")
        (self.dir / "empty.mp4").write_bytes(b"")
        self.refused("empty.mp4", says="'empty.mp4'")

    def test_cut_video_keeps_what_was_measured(self):
        clip = self.make_clip()
        clip.write_bytes(clip.read_bytes()[: clip.stat().st_size * 6 // 10])
        self.refused("clip.mkv", "--detections", "d.csv", says=["'clip.mkv'", "cut short"])
        self.assert_whole_rows("tracks.csv")
        self.assert_whole_rows("d.csv")
        frames = {int(row["frame"]) for row in rows(self.dir / "d.csv")}
        self.assertGreater(len(frames), 15)
        self.assertEqual(frames, set(range(len(frames))))
        self.assertIn("cut short", json.loads(self.text("tracks.json"))["failure"])

    def test_empty_folder_and_mixed_sizes(self):
        (self.dir / "empty").mkdir()
        self.refused("empty", says="'empty'")
        self.glint("synth", "spots?size=64x64&markers=4&frames=3", "-o", "images")
        self.glint("synth", "spots?size=80x64&markers=4&frames=1", "-o", "other")
        os.rename(self.dir / "other/frame_000000.png", self.dir / "images/frame_000009.png")
        self.refused("images", "--stats", "s.csv", says=["frame_000009.png", "80 x 64", "64 x 64"])
        self.assertEqual(len(rows(self.dir / "s.csv")), 3)

    def too_wide(self):
        """Returns a source that no device accepts. It is refused by the last check before the first frame."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "wide.pgm"), "wb") as file:
            file.write(b"P5 40000 2 255\n" + bytes(80000))
        return folder.name

    def test_cameras_may_differ(self):
        clips = ["synth:spots?size=64x64&markers=4&frames=5", "synth:spots?size=65x64&markers=3&frames=5",
                 "synth:spots?size=64x64&markers=4&bits=16&frames=5"]
        self.glint("track", *clips, "--detections", "all.csv")
        together = rows(self.dir / "all.csv")
        for camera, clip in enumerate(clips):
            self.glint("track", clip, "--detections", "one.csv")
            same = [row for row in together if row["camera"] == str(camera)]
            alone = rows(self.dir / "one.csv")
            self.assertEqual(same, [{**row, "camera": str(camera), "set": row["frame"]} for row in alone])

    def test_more_cameras_than_one_group_takes(self):
        self.glint("track", *["synth:spots?size=64x64&markers=4&frames=4"] * 17)
        self.assertEqual({row["camera"] for row in rows(self.dir / "tracks.csv")}, {str(i) for i in range(17)})

    def test_frames_that_no_device_takes(self):
        self.refused(self.too_wide(), says=["40000x2", "32768"])

    def test_wrong_settings(self):
        clip = "synth:spots?size=64x64&markers=4"
        self.refused(clip, "--set", "detect.seperation=8", status=2, says="'detect.separation'")
        self.refused(clip, "--set", "detect.max_markers=0", status=2, says=["detect.max_markers", "1 to 4096"])
        self.refused(clip, "--set", "detect", status=2, says="KEY=VALUE")
        self.refused(clip, "--config", "nowhere.toml", status=2, says="nowhere.toml")
        self.refused(clip, "--config", ".", status=2, says="'.'")
        self.refused(clip, "--config", "", status=2, says="--config")
        self.refused(clip, "--stats", "", status=2, says="--stats")
        (self.dir / "bad.toml").write_text("[detect]\n\nthreshold = 2\n")
        self.refused(clip, "--config", "bad.toml", status=2, says=["bad.toml, line 3", "detect.threshold"])
        self.refused("synth:nothing", status=2, says="nothing")
        self.refused(clip, "--set", "detect.min_radius=5", "--set", "detect.max_radius=4", status=2,
                     says=["detect.min_radius", "detect.max_radius"])
        self.refused(clip, "--set", "detect.min_mass=5", "--set", "refine.method=none", status=2,
                     says=["detect.min_mass", "refine.method"])
        self.glint("track", clip + "&frames=1", "--set", "detect.min_mass=5", "--set", "refine.method=none",
                   "--set", "detect.method=blobs")

    def test_a_picture_of_a_frame_that_does_not_come(self):
        clip = "synth:spots?size=64x64&markers=4&frames=3"
        self.refused(clip, "--picture", "p.png", "--picture-frame", 3, says=["no frame 3", "'p.png'", "only 3"])
        self.refused(clip, "--picture", "p.png", "--picture-frame", 0, "--from", 1, says=["no frame 0", "'p.png'", "the first one is 1"])
        self.assertTrue((self.dir / "p.png").exists())
        self.assert_whole_rows("tracks.csv")
        self.glint("track", clip, "--picture", "p.png", "--picture-frame", 2)

    def test_masks(self):
        clip = "synth:spots?size=64x64&markers=4&frames=2"
        self.glint("mask", clip, "-o", "m.png")
        self.refused("synth:spots?size=80x64&markers=4", "--set", "detect.mask=m.png", status=2,
                     says=["'m.png'", "64x64", "80x64"])
        self.refused(clip, "--set", "detect.mask=nowhere.png", says="'nowhere.png'", status=2)
        self.refused(clip, "--set", "detect.mask=m.png", "--picture", "m.png", status=2, says="is read")
        for arguments, words in ((["-o", "m.txt"], "m.txt"), (["-o", "m.png", "--share", "2"], "--share")):
            self.assertIn(words, self.glint("mask", clip, *arguments, status=2).stderr)
        self.assertIn("no/m.png", self.glint("mask", clip, "-o", "no/m.png", status=1).stderr)

    def test_wrong_command_line(self):
        for arguments in (["trak"], ["track"], ["track", "x.mp4", "--no-such-flag"],
                          ["track", "x.mp4", "--frames", "0"], ["track", "x.mp4", "--frames", "-3"],
                          *(["eval", "a.csv", "b.csv", "--radius", r] for r in ("nan", "inf", "0", "x"))):
            result = self.glint(*arguments, status=2)
            self.assertIn("--help", result.stderr)

    def test_devices(self):
        clip = "synth:spots?size=64x64&markers=4"
        self.refused(clip, "--device", "Voodoo", status=2, says=["'Voodoo'", "0 '"])
        self.refused(clip, "--device", "77", status=2, says="'77'")
        none = {"VK_DRIVER_FILES": "/nowhere.json", "VK_ICD_FILENAMES": "/nowhere.json"}
        self.refused(clip, says="no Vulkan driver", env=none)
        self.assertFalse((self.dir / "tracks.csv").exists(), "an earlier result would be lost")

    def test_unwritable_output(self):
        self.refused("synth:spots?size=64x64&markers=4", "-o", "no/such/folder/t.csv", says="no/such/folder/t.csv")
        self.refused("synth:spots?size=64x64&markers=4", "--stats", "/dev/full", says=["/dev/full", "No space left"])
        self.refused("synth:spots?size=64x64&markers=4", "--picture", "p.xyz", status=2, says="p.xyz")

    def test_outputs_never_overwrite_a_source_or_each_other(self):
        clip = self.make_clip(frames=2)
        before = clip.read_bytes()
        self.refused("clip.mkv", "-o", "./clip.mkv", "--format", "csv", status=2, says=["clip.mkv", "is read"])
        os.link(clip, self.dir / "link.mkv")
        self.refused("link.mkv", "-o", "clip.mkv", "--format", "csv", status=2, says="is read")
        self.assertEqual(clip.read_bytes(), before)
        self.refused("clip.mkv", "--stats", "tracks.csv", status=2, says=["tracks.csv", "twice"])
        self.refused("clip.mkv", "-o", "t.json", "--format", "csv", status=2, says=["t.json", "twice"])

    def test_streams(self):
        clip = "synth:spots?size=64x64&markers=4"
        for target, words in (("osc:70000", "1 to 65535"), ("udp:192.0.2.1:9000", "--stream-remote"), ("9000", "osc:[HOST:]PORT")):
            self.refused(clip, "--stream", target, status=2, says=[target, words])
        name = "udp:no-such-host.invalid:9000"
        self.refused(clip, "--stream", name, status=2, says=["'no-such-host.invalid'", "--stream-remote"])
        self.refused(clip, "--stream", name, "--stream-remote", says="cannot find 'no-such-host.invalid'")
        self.refused(clip, "--stream", "-", "-o", "/dev/stdout", status=2, says="'/dev/stdout'")
        self.assertFalse((self.dir / "tracks.csv").exists())

    def test_a_refused_run_keeps_an_earlier_result(self):
        (self.dir / "tracks.csv").write_text("earlier\n")
        clip = "synth:spots?size=64x64&markers=4"
        self.refused(clip, "--picture", "p.xyz", status=2, says="p.xyz")
        self.refused(clip, "--detections", "no/such/folder/d.csv", says="no/such/folder/d.csv")
        self.refused(self.too_wide(), says="40000x2")
        self.refused(clip, "--set", "detect.mask=nowhere.png", says="nowhere.png", status=2)
        self.assertEqual(self.text("tracks.csv"), "earlier\n")

    def test_a_refused_run_leaves_no_file(self):
        clip = "synth:spots?size=64x64&markers=4"
        self.glint("mask", "synth:spots?size=80x64&markers=4&frames=1", "-o", "m.png")
        self.refused(clip, "--set", "detect.mask=m.png", status=2, says="80x64")
        self.refused(clip, "--set", "detect.mask=nowhere.png", says="nowhere.png", status=2)
        self.refused(clip, "--set", "detect.min_radius=5", "--set", "detect.max_radius=4", status=2, says="max_radius")
        self.refused(self.too_wide(), says="40000x2")
        self.assertEqual([path.name for path in self.dir.iterdir()], ["m.png"])

    def test_a_full_standard_output_is_told(self):
        (self.dir / "t.csv").write_text("\ufeffcamera,frame,track,state,x,y\n0,0,1,measured,1,1\n", "utf-8")
        (self.dir / "truth.csv").write_text("camera,frame,id,x,y,visible\n0,0,1,1,1,1\n")
        clip = "synth:dancer?size=320x240&frames=200"
        for arguments in (["settings"], ["eval", "t.csv", "truth.csv", "--json"], ["track", clip],
                          ["track", clip, "--stream", "-"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([GLINT, *arguments], cwd=self.dir, stdout=full,
                                        stderr=subprocess.PIPE, text=True)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("cannot write standard output: No space left", result.stderr)
        frames = json.loads(self.text("tracks.json"))["counts"]["frames"]
        self.assertEqual(frames, 200, "the tracks are kept")

    def test_outputs_that_are_one_file(self):
        clip = "synth:spots?size=64x64&markers=4&frames=9"
        (self.dir / "link.csv").symlink_to("t.csv")
        self.refused(clip, "-o", "t.csv", "-o", "link.csv", status=2, says="twice")
        self.refused(clip, "-o", "t.tsv", "--stats", "t.tsv.rows", status=2, says="twice")
        self.assertEqual([path.name for path in self.dir.iterdir()], ["link.csv"])

    def test_one_full_output_costs_the_others_nothing(self):
        clip = "synth:dancer?size=320x240&frames=120"
        self.refused(clip, "--detections", "d.csv", "--stats", "/dev/full", says="/dev/full")
        frames = json.loads(self.text("tracks.json"))["counts"]["frames"]
        self.assertEqual({int(row["frame"]) for row in rows(self.dir / "d.csv")}, set(range(frames)))
        kept = self.text("tracks.csv")
        self.glint("track", clip, "--frames", frames)
        self.assertEqual(self.text("tracks.csv"), kept)

    def test_full_disk(self):
        disk = self.dir / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk],
                          capture_output=True).returncode != 0:
            self.skipTest("a small tmpfs cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.refused("synth:dancer?size=320x240&frames=400", "-o", "disk/t.csv", "--detections",
                     "d.csv", says=["disk/t.csv", "No space left"])
        self.assert_whole_rows("disk/t.csv")
        self.assertGreater(len(rows(disk / "t.csv")), 500)
        self.assert_whole_rows("d.csv")

    def start(self, *arguments, scene="dancer?size=320x240"):
        """Returns an endless run that has begun to write rows."""
        output = self.dir / "tracks.csv"
        process = subprocess.Popen([GLINT, "track", f"synth:{scene}&frames=1000000", *arguments],
                                   cwd=self.dir, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (output.exists() and output.stat().st_size > 2000):
            time.sleep(0.05)
        return process

    def test_memory_is_flat(self):
        if SANITIZED:
            self.skipTest("a sanitizer keeps what was freed")
        script = pathlib.Path(__file__).parents[2] / "scripts" / "measure_memory"
        result = subprocess.run([sys.executable, script, GLINT, "--frames", "5000", "--pause", "0.1"],
                                text=True, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_interrupt(self):
        for wanted in (signal.SIGINT, signal.SIGTERM):
            process = self.start("--detections", "d.csv")
            process.send_signal(wanted)
            out, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
            self.assertIn("stopped by a signal", out)
            self.assert_whole_rows("tracks.csv")
            record = json.loads(self.text("tracks.json"))
            self.assertTrue(record["interrupted"])
            last = max(int(row["frame"]) for row in rows(self.dir / "d.csv"))
            self.assertEqual(last + 1, record["counts"]["frames"])
            (self.dir / "tracks.csv").unlink()


if __name__ == "__main__":
    unittest.main()
