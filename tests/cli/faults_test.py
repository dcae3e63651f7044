"""Tests that nothing is lost and nothing fails silently. There is one test for each fault that was found by attacking the program.

usage: faults_test.py GLINT [unittest arguments]
"""

import json
import math
import os
import pathlib
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import threading
import time
import unittest
import zlib

from harness import GLINT, SANITIZED, TIMEOUT, Folder, asking, rows, wait_until

TINY = "synth:spots?size=64x48&markers=3&frames=5"
ENDLESS = "synth:spots?size=64x48&markers=3&frames=1000000000"


def limit_files(size):
    """Returns a function for preexec_fn that lets no file grow beyond `size` bytes, as under a quota."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def status_of(process):
    """Returns the lines of /proc/PID/status by their names."""
    with open(f"/proc/{process.pid}/status") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def handles(process, wanted):
    return int(status_of(process)["SigCgt"], 16) >> (wanted - 1) & 1 == 1


def finishes_at_signals(process):
    """True once a signal lets the process finish: then it has a thread that says what it waits for."""
    names = [task / "comm" for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir()]
    return any(name.exists() and name.read_text() == "signals\n" for name in names)


def seconds_of(process):
    """Returns the processor time that a process has used, s."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class WhatIsThereStays(Folder):
    def test_images_behind_a_source_are_not_written(self):
        self.glint("synth", "spots?size=64x48&markers=3&frames=3", "-o", "shots")
        image = self.dir / "shots" / "frame_000000.png"
        before = image.read_bytes()
        for source in ("shots", "shots/", "shots?fps=5", "shots/frame_%06d.png", "shots/frame_%06d.png?fps=5",
                       "shots/frame_000000.png?fps=5"):
            for command in (["track", source, "--picture"], ["mask", source, "-o"],
                            ["bench", "--loop", source, "--json"]):
                result = self.glint(*command, "shots/frame_000000.png", status=2)
                self.assertIn("'shots/frame_000000.png' is read", result.stderr)
        self.assertEqual(image.read_bytes(), before)
        self.assertEqual([path.name for path in self.dir.iterdir()], ["shots"])

    def test_a_clip_and_its_truth_are_two_files(self):
        scene = "spots?size=64x48&markers=3&frames=2"
        self.glint("synth", scene, "-o", "c.mkv", "--truth", "t.csv")
        clip, truth = (self.dir / "c.mkv").read_bytes(), self.text("t.csv")
        (self.dir / "link").symlink_to("c.mkv")
        for output, other in (("c.mkv", "c.mkv"), ("c.mkv", "link"), ("shots", "shots/frame_000000.png")):
            result = self.glint("synth", scene, "-o", output, "--truth", other, status=2)
            self.assertIn(f"'{other}'", result.stderr)
        two = "dancer?size=64x48&frames=2&cameras=2"
        self.glint("synth", two, "-o", "c.mkv", "--truth", "c_cam1.mkv", status=2)
        self.assertEqual((self.dir / "c.mkv").read_bytes(), clip)
        # A refused command leaves an earlier truth as it was.
        for wrong in (["-o", "c.webm"], ["-o", "c.mp4", "--quality", "77"], ["-o", "c.mkv", "--quality", "3"]):
            self.glint("synth", scene, *wrong, "--truth", "t.csv", status=2)
        self.glint("synth", "spots?size=65x48&markers=3", "-o", "odd.mp4", "--truth", "t.csv", status=2)
        self.assertEqual(self.text("t.csv"), truth)
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), ["c.mkv", "link", "t.csv"])

    def test_links_stay_links_and_no_other_file_is_touched(self):
        (self.dir / "kept").mkdir()
        for name in ("t.json", "p.png"):
            (self.dir / "kept" / name).write_text("earlier")
            (self.dir / name).symlink_to(f"kept/{name}")
            (self.dir / f"{name}.part").write_text("mine")
        self.glint("track", TINY, "-o", "t.csv", "--picture", "p.png")
        for name in ("t.json", "p.png"):
            self.assertTrue((self.dir / name).is_symlink())
            self.assertEqual(self.text(f"{name}.part"), "mine")
        self.assertEqual(json.loads(self.text("kept/t.json"))["counts"]["frames"], 5)
        self.assertTrue((self.dir / "kept" / "p.png").read_bytes().startswith(b"\x89PNG"))
        self.assertEqual(len(list((self.dir / "kept").iterdir())), 2)

    def test_a_picture_that_does_not_fit_is_told(self):
        (self.dir / "full.jpg").symlink_to("/dev/full")
        result = self.glint("track", TINY, "--picture", "full.jpg", status=1)
        self.assertIn("cannot write 'full.jpg': No space left", result.stderr)
        (self.dir / "p.bmp").write_text("earlier")
        result = self.glint("track", TINY.replace("64x48", "320x240"), "--picture", "p.bmp", status=1,
                            preexec_fn=limit_files(100_000))
        self.assertIn("cannot write 'p.bmp': File too large", result.stderr)
        self.assertEqual(self.text("p.bmp"), "earlier")
        self.assert_whole_rows("tracks.csv")

    def test_a_limit_on_the_size_of_files_is_a_full_disk(self):
        result = self.glint("track", TINY.replace("frames=5", "frames=200"), status=1,
                            preexec_fn=limit_files(10_000))
        self.assertIn("cannot write 'tracks.csv': File too large", result.stderr)
        self.assert_whole_rows("tracks.csv")
        self.assertGreater((self.dir / "tracks.csv").stat().st_size, 9_800)
        self.assertIn("too large", json.loads(self.text("tracks.json"))["failure"])

    def test_a_run_that_no_memory_is_there_for_keeps_an_earlier_result(self):
        (self.dir / "tracks.csv").write_text("earlier")
        source = "synth:spots?size=8192x4096&markers=4&frames=1"
        result = subprocess.run([GLINT, "track", *[source] * 3, "--set", "detect.method=blobs"], cwd=self.dir, text=True,
                                capture_output=True, timeout=TIMEOUT)
        if result.returncode == 0:
            self.skipTest("this device has the memory")
        self.assertRegex(result.stderr, r"^glint: .*needs \d+ MiB")
        self.assertEqual(self.text("tracks.csv"), "earlier")

    def test_a_refused_bench_leaves_no_files(self):
        self.glint("bench", "--json", "r.json", "--detections", "d.csv", "--device", "Voodoo", status=2)
        self.assertEqual(list(self.dir.iterdir()), [])


def spots(frame, places):
    """Returns an image of 64x48 pixels as a PGM, with a spot of sigma 1.5 px at each place."""
    def level(x, y):
        peaks = sum(200 * math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4.5) for cx, cy in places)
        return min(255, round(8 + (7 * x + 13 * y + 5 * frame) % 5 + peaks))
    return b"P5 64 48 255\n" + bytes(level(x, y) for y in range(48) for x in range(64))


class RowsInTime(Folder):
    """A marker that left must not hold back rows of others, however long it is waited for."""

    FRAMES, LEAVES, RETURNS = 150, 60, 130
    PATIENT = ["--set", "track.max_gap=10000"]

    def setUp(self):
        super().setUp()
        (self.dir / "shots").mkdir()
        for frame in range(self.FRAMES):
            places = [(10 + 0.05 * frame, 10), (50 - 0.05 * frame, 38)]
            if not self.LEAVES <= frame < self.RETURNS:
                places.append((32, 24))
            (self.dir / "shots" / f"{frame:03}.pgm").write_bytes(spots(frame, places))

    def test_what_is_final_is_there_though_no_frame_follows(self):
        process = self.start("track", "shots?fps=60", *self.PATIENT, "--control", "-", "--paused", "--stay",
                             stdin=subprocess.PIPE)
        ask = asking(process)

        def last_row():
            table = self.dir / "tracks.csv"
            lines = table.read_text().splitlines() if table.exists() else []
            return int(lines[-1].split(",")[1]) if len(lines) > 1 else -1

        wait_until(lambda: ask(do="status")["frame"] == 0, "the first frame")
        shown = 110
        self.assertTrue(ask(do="step", frames=shown)["ok"])
        wait_until(lambda: last_row() >= shown - 25, "rows while a marker is away")
        process.kill()
        process.wait(timeout=TIMEOUT)
        self.assert_whole_rows("tracks.csv")
        table = rows(self.dir / "tracks.csv")
        gone = next(int(row["track"]) for row in table if abs(float(row["x"]) - 32) < 1)
        found = {(int(row["frame"]), int(row["track"])) for row in table}
        for frame in range(shown - 24):
            self.assertEqual({track for at, track in found if at == frame},
                             {1, 2, 3} if frame < self.LEAVES else {1, 2, 3} - {gone}, frame)

    def test_rows_that_come_late_are_all_there_and_read_by_all(self):
        self.glint("track", "shots?fps=60", *self.PATIENT, "-o", "t.csv", "-o", "t.tsv", "-o", "t.kinovea.csv")
        table = rows(self.dir / "t.csv")
        order = [(int(row["frame"]), int(row["track"])) for row in table]
        self.assertEqual(sorted(order), [(frame, track) for frame in range(self.FRAMES) for track in (1, 2, 3)])
        self.assertTrue(order != sorted(order), "some came late")
        for track in (1, 2, 3):
            frames = [frame for frame, of in order if of == track]
            self.assertEqual(frames, sorted(frames), "each track's rows go forward")
        predicted = [row for row in table if row["state"] == "predicted"]
        self.assertEqual([int(row["frame"]) for row in predicted], list(range(self.LEAVES, self.RETURNS)))
        # The rows are sorted by frame, as with settings that give up earlier.
        (self.dir / "sorted").mkdir()
        head, *lines = self.text("t.csv").splitlines(keepends=True)
        lines.sort(key=lambda line: tuple(map(int, (line.split(",")[1], line.split(",")[3]))))
        (self.dir / "sorted" / "t.csv").write_text(head + "".join(lines))
        (self.dir / "sorted" / "t.json").write_text(self.text("t.json"))
        for name in ("t.csv", "sorted/t.csv"):
            self.glint("report", name, "-o", name + ".html")
        self.assertEqual(self.text("t.csv.html"), self.text("sorted/t.csv.html"))
        truth = ["camera,frame,id,x,y,visible"] + [f"0,{frame},1,{10 + 0.05 * frame},10,1" for frame in range(self.FRAMES)]
        (self.dir / "truth.csv").write_text("\n".join(truth) + "\n")
        scores = [self.glint("eval", name, "truth.csv", "--json").stdout for name in ("t.csv", "sorted/t.csv")]
        self.assertEqual(scores[0], scores[1])
        measured = {(row["frame"], row["track"]): row["x"] for row in table if row["state"] == "measured"}
        lines = [line.split("\t") for line in self.text("t.tsv").splitlines()[11:]]
        self.assertEqual(len(lines), self.FRAMES)
        for frame, line in enumerate(lines):
            self.assertEqual(line[2::2], [measured.get((str(frame), track), "NaN") for track in "123"])
        self.assertEqual(len(self.text("t.kinovea.csv").splitlines()), 1 + self.FRAMES)


class Kills(Folder):
    def test_kill_leaves_the_beginning_of_what_a_whole_run_writes(self):
        command = ["track", "synth:crossing?size=96x64&markers=4&frames=300&missed=0.1&occluded=0.1", "-o", "t.csv",
                   "-o", "t.jsonl", "-o", "t.trackpy.csv", "--stats", "s.csv", "--detections", "d.csv"]
        begun = time.monotonic()
        self.glint(*command)
        length = time.monotonic() - begun
        tables = ("t.csv", "t.jsonl", "t.trackpy.csv", "s.csv", "d.csv")
        whole = {name: (self.dir / name).read_bytes() for name in tables}
        record = self.text("t.json")
        chance = random.Random(11)
        for _ in range(3 if SANITIZED else 10):
            earlier = chance.random() < 0.5  # In these rounds the files of an earlier run are there.
            for name in () if earlier else tables:
                (self.dir / name).unlink(missing_ok=True)
            (self.dir / "t.json").write_text(record)
            process = self.start(*command)
            time.sleep(chance.uniform(0, length))
            process.kill()
            process.wait(timeout=TIMEOUT)
            for name in tables:
                left = (self.dir / name).read_bytes() if (self.dir / name).exists() else b""
                self.assertTrue(whole[name].startswith(left), name)
                self.assertTrue(left == b"" or left.endswith(b"\n"), name)
            json.loads(self.text("t.json"))  # The record is replaced as a whole.


class OneFileManyHands(Folder):
    def test_rows_on_standard_output_are_followed_by_nothing(self):
        self.glint("track", TINY, "-o", "expected.csv", "--stats", "s.csv")
        expected = self.text("expected.csv")
        beside = os.path.exists("/dev/stdout.json")
        with open(self.dir / "f", "w") as file:
            self.glint("track", TINY, "-o", "/dev/stdout", "--format", "csv", stdout=file)
        self.assertEqual(self.text("f"), expected)
        self.assertEqual(os.path.exists("/dev/stdout.json"), beside)
        with open(self.dir / "x.csv", "w") as file:
            self.glint("track", TINY, "-o", "x.csv", stdout=file)
        self.assertEqual(self.text("x.csv"), expected)
        (self.dir / "f").write_text("before\n")
        with open(self.dir / "f", "a") as file:
            result = self.glint("track", TINY, "--stats", "/dev/stdout", stdout=file)
            file.write("after\n")
        self.assertEqual(self.text("f"), "before\n" + self.text("s.csv") + "after\n")
        self.assertIn("5 frames in", result.stderr)

    def test_a_second_run_into_a_file_and_its_removal_are_told(self):
        process = self.start("track", ENDLESS, "--stats", "s.csv")
        table = self.dir / "tracks.csv"
        wait_until(lambda: table.exists() and table.stat().st_size > 2000, "rows")
        result = self.glint("track", TINY, status=1)
        self.assertIn("'tracks.csv' is being written by another run", result.stderr)
        table.unlink()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("'tracks.csv' was removed", err)
        self.assert_whole_rows("tracks.csv")
        frames = json.loads(self.text("tracks.json"))["counts"]["frames"]
        self.assertEqual(int(rows(table)[-1]["frame"]), frames - 1)

    def test_a_closed_standard_error_is_no_place_for_rows(self):
        process = subprocess.Popen(["sh", "-c", 'exec "$0" "$@" 0<&- 2>&-', GLINT, "track", ENDLESS],
                                   cwd=self.dir, stdout=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        wait_until(lambda: (self.dir / "tracks.csv").exists(), "tracks.csv")
        opened = [os.readlink(f"/proc/{process.pid}/fd/{file}") for file in (0, 2)]
        self.assertEqual(opened, ["/dev/null", "/dev/null"])

    def test_a_closed_standard_output_is_told(self):
        for arguments in (["settings"], ["--version"], ["track", TINY, "--stream", "-"]):
            result = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', GLINT, *arguments], cwd=self.dir,
                                    text=True, stderr=subprocess.PIPE, timeout=TIMEOUT)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("standard output", result.stderr)
        with open("/dev/full", "w") as full:
            self.glint("--version", status=1, stdout=full)

    def test_a_reader_that_leaves_ends_its_own_output_only(self):
        os.mkfifo(self.dir / "pipe.jsonl")
        reader = os.open(self.dir / "pipe.jsonl", os.O_RDONLY | os.O_NONBLOCK)
        process = self.start("track", "synth:spots?size=64x48&markers=10&frames=800", "-o", "t.csv", "-o",
                             "pipe.jsonl", "--stats", "s.csv", "--overlay", "o.mp4")
        wait_until(lambda: (self.dir / "s.csv").exists(), "s.csv, which is opened after the pipe")
        os.close(reader)  # The rows are more than the pipe holds.
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("'pipe.jsonl': its reader has closed it", err)
        self.assertEqual(int(rows(self.dir / "t.csv")[-1]["frame"]), 799)
        self.assertEqual(json.loads(self.text("t.json"))["counts"]["frames"], 800)
        self.assertIn(b"moov", (self.dir / "o.mp4").read_bytes(), "a video that can be played")


class RawRecordings(Folder):
    def test_stills_are_stills_in_the_replay(self):
        self.glint("synth", "spots?size=64x48&markers=3&frames=5", "-o", "shots")
        for options in (["--stills"], ["--no-stills"]):
            texts = [self.glint("track", *source, *options, "-o", name, "--detections", "d." + name).stdout
                     for source, name, options in ((["shots", "--record", "raw.mkv"], "live.csv", options),
                                                   (["raw.mkv", "--config", "raw.mkv"], "again.csv", []))]
            for text in texts:
                self.assertEqual("stills: each has its own threshold" in text, options == ["--stills"], text)
            self.assertEqual(self.text("live.csv"), self.text("again.csv"))
            self.assertEqual(self.text("d.live.csv"), self.text("d.again.csv"))

    def test_strips_are_recorded(self):
        for width, height in ((640, 2), (11, 1280), (1920, 8)):
            pixels = random.Random(width).randbytes(width * height)
            (self.dir / "strip.y4m").write_bytes(f"YUV4MPEG2 W{width} H{height} F25:1 Cmono\n".encode() + 3 * (b"FRAME\n" + pixels))
            self.glint("track", "strip.y4m", "--record", "raw.mkv", "--overlay", "o.mkv", "--detections", "d.csv")
            self.glint("filter", "strip.y4m", "--filter", "invert", "-o", "f.mkv")
            self.glint("filter", "f.mkv", "--filter", "invert", "-o", "ff.mkv")
            for video in ("raw.mkv", "ff.mkv"):  # These videos have the same pixels.
                self.glint("track", video, "--detections", "again.csv")
                self.assertEqual(self.text("again.csv"), self.text("d.csv"), (video, width, height))
            self.glint("track", "o.mkv", "--stats", "s.csv")
            self.assertEqual(len(rows(self.dir / "s.csv")), 3)


class Signals(Folder):
    def wait_for(self, process, words):
        """Reads what a process prints until the words come, or until it prints nothing more."""
        patience = threading.Timer(TIMEOUT, process.kill)
        patience.start()
        self.addCleanup(patience.cancel)
        for line in process.stderr:
            if words in line:
                return patience.cancel()
        self.fail(f"never printed: {words}")

    def test_what_holds_the_end_up_is_told_and_a_second_signal_ends(self):
        os.mkfifo(self.dir / "out.csv")
        process = self.start("track", TINY, "-o", "out.csv", "--quiet")
        wait_until(lambda: finishes_at_signals(process), "signals are waited for")
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        self.wait_for(process, "waiting for a reader of 'out.csv'")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=TIMEOUT), -signal.SIGINT)

    def test_a_wish_that_comes_as_several_signals_loses_nothing(self):
        """Several signals may come from `timeout`, a terminal, or a parent process that hands them on. They must lose nothing, even if nothing may be
        printed."""
        process = self.start("track", ENDLESS, "-o", "t.csv", "--stats", "s.csv", "--record", "raw.mkv", "--quiet")
        wait_until(lambda: (self.dir / "s.csv").exists() and (self.dir / "s.csv").stat().st_size > 2000, "rows")
        for distance in (0.0001, 0.02, 0.1, 0):
            process.send_signal(signal.SIGTERM)
            time.sleep(distance)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        record = json.loads(self.text("t.json"))
        self.assertTrue(record["interrupted"])
        self.glint("track", "raw.mkv", "-o", "again.csv", "--stats", "again.stats.csv")
        for name in ("s.csv", "again.stats.csv"):
            self.assertEqual(len(rows(self.dir / name)), record["counts"]["frames"])

    def test_other_commands_finish_at_several_signals(self):
        for command in (["filter", ENDLESS, "--filter", "smooth=gaussian:sigma=2"], ["synth", ENDLESS]):
            process = self.start(*command, "-o", "v.mkv")
            wait_until(lambda: (self.dir / "v.mkv").exists() and (self.dir / "v.mkv").stat().st_size > 200_000, "frames")
            for _ in range(3):
                process.send_signal(signal.SIGINT)
                time.sleep(0.01)
            out, err = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 0, err)
            self.glint("track", "v.mkv", "--stats", "s.csv")
            self.assertEqual(f"{len(rows(self.dir / 's.csv'))} frames", re.match(r"\d+ frames", out)[0])
            (self.dir / "v.mkv").unlink()

    def test_runs_end_whole_however_they_are_ended(self):
        script = pathlib.Path(__file__).parents[2] / "scripts" / "measure_signals"
        result = subprocess.run([sys.executable, script, GLINT, "--runs", "12", "--seed", "2"], text=True, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_source_that_nobody_writes_ends_at_the_signal(self):
        os.mkfifo(self.dir / "in.mkv")
        process = self.start("track", "in.mkv")
        wait_until(lambda: finishes_at_signals(process), "signals are waited for")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("'in.mkv'", err)

    def test_a_terminal_that_goes_away_finishes_the_run(self):
        process = self.start("track", ENDLESS, "-o", "t.csv", "-o", "t.tsv", "--overlay", "o.mp4")
        wait_until(lambda: (self.dir / "t.csv").exists() and (self.dir / "t.csv").stat().st_size > 2000, "rows")
        process.send_signal(signal.SIGHUP)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        self.assertTrue(json.loads(self.text("t.json"))["interrupted"])
        self.assertFalse((self.dir / "t.tsv.rows").exists())
        self.assertIn(b"moov", (self.dir / "o.mp4").read_bytes())

    def test_nohup_is_obeyed(self):
        process = self.start("track", ENDLESS, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_until(lambda: finishes_at_signals(process), "signals are waited for")
        wait_until(lambda: (self.dir / "tracks.csv").exists(), "tracks.csv")
        self.assertFalse(handles(process, signal.SIGHUP))
        self.assertEqual(int(status_of(process)["SigIgn"], 16) >> (signal.SIGHUP - 1) & 1, 1)

    def test_commands_that_write_at_their_end_end_at_once(self):
        """At ten moments of work that goes on for seconds or minutes: with a sentence and status 1, and nothing is left."""
        self.glint("synth", "spots?size=2048x2048&markers=300&frames=8&noise=3", "-o", "large.mkv")
        self.glint("synth", "wand?size=160x120&cameras=4&frames=1500", "-o", "wand.mkv", "--truth", "w.csv")
        with open(self.dir / "points.csv", "w") as file:
            file.write("frame,point,x_mm,y_mm,z_mm,state,sigma_x,sigma_y,sigma_z,cov_xy,cov_xz,cov_yz\n")
            file.writelines(f"{frame},{point},{point * 17 % 901},{point * 31 % 701 + frame},{point * 7 % 501},measured,1,1,1,0,0,0\n"
                            for frame in range(10000) for point in range(1, 60))
        commands = [["probe", "large.mkv", "-o", "p.png"],
                    ["sweep", "large.mkv", "--over", "detect.separation=3:22:1", "--over", "detect.threshold=0.02:0.4:0.02"],
                    ["calibrate", "--detections", "w.csv", "--size", "160x120", "--wand", "500", "--lens", "full", "-o", "new.toml"],
                    ["bodies", "--learn", "points.csv", "-o", "b.toml"],
                    ["bench", "--size", "4096x4096"]]
        before = sorted(path.name for path in self.dir.iterdir())
        for command in commands:
            for moment in range(10):
                process = self.start(*command)
                wait_until(lambda: handles(process, signal.SIGINT), "signals are handled")
                begun = seconds_of(process)
                wait_until(lambda: process.poll() is not None or seconds_of(process) > begun + 0.06 * moment, "work is done")
                process.send_signal((signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[moment % 3])
                out, err = process.communicate(timeout=TIMEOUT)
                self.assertEqual((process.returncode, err),
                                 (1, "glint: stopped by a signal before the work was done\n"), (command, moment))
                self.assertEqual(sorted(path.name for path in self.dir.iterdir()), before, (command, moment))

    def test_a_damaged_number_in_a_raw_recording_makes_no_endless_gap(self):
        self.glint("track", TINY, "--record", "raw.mkv", "-o", "t.csv")
        content = bytearray((self.dir / "raw.mkv").read_bytes())
        # Each frame has a stamp, which begins with this mark and the number of its set (8 bytes).
        stamps = [match.start() for match in re.finditer(b"GLN1", content)]
        self.assertEqual(len(stamps), 5)
        for number in (10**6, 10**15):
            content[stamps[3] + 4:stamps[3] + 12] = struct.pack("<Q", number)
            (self.dir / "raw.mkv").write_bytes(content)
            result = self.glint("track", "raw.mkv", "-o", "again.csv", status=1)
            self.assertIn(f"'raw.mkv' is damaged: the frame after the first 3 says that it is of set {number}", result.stderr)
            self.assertEqual({row["frame"] for row in rows(self.dir / "again.csv")}, {"0", "1", "2"})

    def test_points_are_computed_until_the_signal(self):
        self.glint("synth", "wand?size=160x120&cameras=4&frames=50", "-o", "wand.mkv", "--truth", "w.csv", "--rig", "rig.toml")
        header, *lines = self.text("w.csv").splitlines(keepends=True)
        at = header.split(",").index("frame")
        with open(self.dir / "long.csv", "w") as file:
            file.write(header)
            # Every second repeat runs backwards: a wand that jumped between repeats would leave sets without points.
            for repeat in range(1000):
                for line in lines if repeat % 2 == 0 else reversed(lines):
                    cells = line.split(",")
                    frame = int(cells[at]) if repeat % 2 == 0 else 49 - int(cells[at])
                    cells[at] = str(frame + 50 * repeat)
                    file.write(",".join(cells))
        process = self.start("reconstruct", "--rig", "rig.toml", "--detections", "long.csv", "--points", "p.csv",
                             "--refine-rig", "new.toml", "--rate", "50")
        wait_until(lambda: (self.dir / "p.csv").exists() and (self.dir / "p.csv").stat().st_size > 2000, "rows")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        counted = re.match(r"(\d+) sets \(of 50000; stopped by a signal\)", out)
        self.assertTrue(counted, out)
        self.assert_whole_rows("p.csv")
        self.assertEqual(int(rows(self.dir / "p.csv")[-1]["frame"]), int(counted[1]) - 1)

    def test_masks_of_all_cameras_are_learned_until_the_signal(self):
        process = self.start("mask", ENDLESS, ENDLESS, "-o", "m.png")
        wait_until(lambda: finishes_at_signals(process), "signals are waited for")
        begun = seconds_of(process)
        wait_until(lambda: seconds_of(process) > begun + 0.5, "frames are read")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, err)
        frames = re.findall(r"from (\d+) frames \(stopped by a signal\)", out)
        self.assertEqual(len(frames), 2, out)
        self.assertLessEqual(abs(int(frames[0]) - int(frames[1])), 1)
        for name in ("m_cam0.png", "m_cam1.png"):
            self.assertTrue((self.dir / name).exists())


class Tables(Folder):
    def test_a_column_that_is_there_twice_is_not_guessed(self):
        """The first of them used to be taken: a rig was computed from whole pixels."""
        (self.dir / "truth.csv").write_text("camera,frame,id,x,y,visible\n0,0,1,1,1,1\n")
        for command, header, twice in ((["calibrate", "--size", "64x48", "--wand", "500", "-o", "new.toml", "--detections"],
                                        "camera,frame,x,y", "x"), (["eval"], "camera,frame,track,x,y", "track"),
                                       (["report"], "camera,frame,track,x,y", "frame")):
            (self.dir / "t.csv").write_text(f"{twice},{header}\n" + "0," * header.count(",") + "0,0\n")
            result = self.glint(*command, "t.csv", *(["truth.csv"] if command == ["eval"] else []), status=1)
            self.assertIn(f't.csv, line 1: there are two columns "{twice}"', result.stderr)

    def test_sizes_are_whole_numbers(self):
        (self.dir / "t.csv").write_text("camera,frame,x,y\n0,0,1,1\n")
        for size in ("640.7x480", "640x480.9", "640.0000001x480"):
            result = self.glint("calibrate", "--detections", "t.csv", "--size", size, "--wand", "500", "-o", "new.toml", status=2)
            self.assertIn(f"--size {size}: write WIDTHxHEIGHT", result.stderr)


class Names(Folder):
    def test_masks_of_any_name(self):
        self.glint("mask", TINY, "-o", "m.png")
        for name in (b"%d.png", b"m\xff.png", "é.png".encode()):
            os.rename(self.dir / "m.png", os.path.join(os.fsencode(self.dir), name))
            self.glint("track", TINY, "--set", "detect.mask=" + os.fsdecode(name))
            mask = json.loads(self.text("tracks.json"))["settings"]["detect"]["mask"]
            self.assertEqual(mask, name.decode("utf-8", "backslashreplace"))
            os.rename(os.path.join(os.fsencode(self.dir), name), self.dir / "m.png")
        (self.dir / "folder").mkdir()
        result = self.glint("track", TINY, "--set", "detect.mask=folder", status=2)
        self.assertIn("'folder' is a folder", result.stderr)
        os.truncate(self.dir / "m.png", 3 << 30)  # The file is large, but takes no room on the disk.
        result = self.glint("track", TINY, "--set", "detect.mask=m.png", status=2)
        self.assertIn("'m.png' is larger than", result.stderr)

    def test_what_names_hold_does_not_reach_the_terminal(self):
        evil = "a\x1b[31m\n\x9bb"
        for arguments in (["eval", evil, evil], ["track", evil + ".mp4"], ["report", evil]):
            result = self.glint(*arguments, status=1)
            self.assertNotRegex(result.stderr, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
            self.assertIn(r"\x1b[31m\x0a", result.stderr)
        result = self.glint("track", TINY, "-o", evil + ".csv", "--set", "track.max_gap=0")
        self.assertNotRegex(result.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        (self.dir / "t.csv").write_text("camera,frame,track,x,y\n0,0," + "\x1b" + "7" * 300_000 + ",1,1\n")
        result = self.glint("eval", "t.csv", "t.csv", status=1)
        self.assertNotIn("\x1b", result.stderr)
        self.assertLess(len(result.stderr), 300)
        self.assertLess(len(self.glint("track", "x" * 100_000, status=1).stderr), 5_000)


def png(idat, kind=0, bits=8, before=b""):
    """Returns a PNG of 16x12 pixels, with the chunks `before` in front of its data."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 12, bits, kind, 0, 0, 0)) +
            b"".join(chunk(name, data) for name, data in before or ()) + chunk(b"IDAT", idat) + chunk(b"IEND", b""))


class Images(Folder):
    """Messages of image libraries must not appear before Glint's own message, nor instead of it."""

    ROWS = b"".join(b"\0" + bytes(range(16)) for _ in range(12))

    def test_damaged_images_are_told_in_one_sentence(self):
        whole = zlib.compress(self.ROWS)
        tiff = struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<H", 9)
        for tag, value in ((256, 16), (257, 12), (258, 8), (259, 5), (262, 1), (273, 400), (277, 1), (278, 12), (279, 192)):
            tiff += struct.pack("<HHII", tag, 4, 1, value)
        bmp = b"BM" + struct.pack("<IHHI", 100, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 16, 12, 1, 24, 99, 0, 0, 0, 0, 0)
        for name, content in (("zlib.png", png(whole[:-6] + b"abcdef")), ("short.png", png(zlib.compress(self.ROWS[:50]))),
                              ("bits.png", png(whole, bits=7)), ("filter.png", png(zlib.compress(b"\7" * len(self.ROWS)))),
                              ("palette.png", png(whole, kind=3)), ("lzw.tif", tiff + bytes(600)), ("cut.tif", tiff),
                              ("kind.bmp", bmp + bytes(900))):
            (self.dir / name).write_bytes(content)
            result = self.glint("track", name, status=1)  # The harness checks that it is one line.
            self.assertIn(f"'{name}'", result.stderr)
            result = self.glint("track", TINY, "--set", f"detect.mask={name}", status=2)
            self.assertIn(f"'{name}'", result.stderr)

    def test_images_with_odd_remarks_are_read_in_silence(self):
        profile = b"x\0\0" + zlib.compress(b"no profile")
        (self.dir / "odd.png").write_bytes(png(zlib.compress(self.ROWS), before=((b"gAMA", bytes(4)), (b"iCCP", profile))))
        self.assertEqual(self.glint("track", "odd.png", "--stats", "s.csv").stderr, "")
        self.assertEqual(rows(self.dir / "s.csv")[0]["max"], "15")


class Recordings(Folder):
    def make(self, name):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25", "-frames:v", "40", name],
                       cwd=self.dir, check=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT)
        return (self.dir / name).read_bytes()

    def test_a_gif_that_is_cut_says_so(self):
        whole = self.make("a.gif")
        self.assertEqual(self.glint("track", "a.gif").stderr, "")
        for percent in (20, 50, 90):
            (self.dir / "b.gif").write_bytes(whole[:len(whole) * percent // 100])
            self.assertIn("'b.gif' is cut short: ", self.glint("track", "b.gif", status=1).stderr)

    def test_a_playlist_that_is_cut_is_not_waited_for(self):
        self.make("a.m3u8")
        self.assertEqual(self.glint("track", "a.m3u8").stderr, "")
        (self.dir / "b.m3u8").write_text(self.text("a.m3u8").replace("#EXT-X-ENDLIST", ""))
        self.assertIn("'b.m3u8' is cut short", self.glint("track", "b.m3u8", status=1).stderr)

    def test_padding_behind_an_avi_is_no_damage(self):
        whole = self.make("a.avi")
        for padding in (bytes(204), b"\xff" * 204, bytes(range(204))):
            (self.dir / "b.avi").write_bytes(whole + padding)
            self.assertEqual(self.glint("track", "b.avi").stderr, "")


class Limits(Folder):
    def test_no_value_is_empty(self):
        for arguments in (["bench", "--bits", ""], ["bench", "--threads", ""], ["bench", "--json", ""],
                          ["bench", "--loop", ""], ["track", TINY, "--frames", ""], ["track", TINY, "--device", ""],
                          ["track", TINY, "--set", ""], ["track", TINY, "--format", ""], ["mask", TINY, "-o", ""],
                          ["mask", TINY, "-o", "m.png", "--share", ""], ["synth", "spots", "-o", "c.mkv", "--truth", ""],
                          ["synth", "spots", "-o", "c.mkv", "--quality", ""], ["eval", "a", "b", "--radius", ""]):
            result = self.glint(*arguments, status=2)
            self.assertIn(arguments[-2], result.stderr)
        self.assertEqual(list(self.dir.iterdir()), [])

    def test_every_number_has_a_range(self):
        for arguments in (["track", TINY, "--frames", "0"], ["track", TINY, "--frames", "1e99"],
                          ["track", TINY, "--frames", "1.5"], ["track", TINY, "--picture-frame", "-1"],
                          ["mask", TINY, "-o", "m.png", "--frames", "0"], ["mask", TINY, "-o", "m.png", "--share", "inf"],
                          ["synth", "spots", "-o", "c.mp4", "--quality", "99"], ["bench", "--threads", "0"],
                          ["bench", "--seconds", "1e308"], ["eval", "a", "b", "--radius", "1e308"],
                          ["eval", "a", "b", "--radius", "1e-300"]):
            result = self.glint(*arguments, status=2)
            self.assertIn(arguments[-2], result.stderr)
            self.assertLess(len(result.stderr), 200)

    def test_a_label_is_a_whole_number(self):
        (self.dir / "a.raw").write_bytes(bytes([0, 1, 2, 1, 0, 0, 255, 3]))
        for label in ("nan", "1.5", "inf", "x", "99999999999999999999"):
            result = self.glint("distance", "a.raw", "--shape", "2,2,2", "--type", "u8", "--label", label, "-o", "o.npy", status=2)
            self.assertIn("--label", result.stderr)
        self.glint("distance", "a.raw", "--shape", "2,2,2", "--type", "u8", "--label", 1, "-o", "o.npy")

    def test_a_folder_is_no_volume(self):
        (self.dir / "b.raw").mkdir()
        result = self.glint("distance", "b.raw", "--shape", "2,2,2", "--type", "u8", "-o", "o.npy", status=1)
        self.assertIn("'b.raw' is a folder", result.stderr)

    def test_what_is_temporary_has_no_folder(self):
        own = pathlib.Path(__file__).parent.parent / "filters/own/good"
        result = self.glint("filters", "--filter-dir", own, env={"TMPDIR": "/dev/null"}, status=1)
        self.assertIn("TMPDIR does not name a folder", result.stderr)

    def test_a_record_that_nests_without_end_is_no_record(self):
        (self.dir / "t.csv").write_text("camera,frame,time_s,track,state,x,y,sigma_x,sigma_y\n"
                                        "0,0,0,1,measured,1,1,0.1,0.1\n")
        deep = '{"settings":{"a":{"b":' + "[" * 100_000 + "]" * 100_000 + "}}}"
        for record in (deep, "[" * 1_000_000, " " * 17_000_000):
            (self.dir / "t.json").write_text(record)
            self.glint("report", "t.csv")
            self.assertIn("t.json", self.text("report.html"))
        (self.dir / "t.json").unlink()
        (self.dir / "t.json").mkdir()
        self.glint("report", "t.csv")
        self.assertIn("t.json is a folder", self.text("report.html"))

    @unittest.skipIf(SANITIZED, "the sanitizer needs handles of its own, and reports nonsense without them")
    def test_missing_file_handles_are_told_as_such(self):
        seen = ""
        for count in range(4, 12):
            def limit():
                resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
            result = subprocess.run([GLINT, "track", TINY], cwd=self.dir, text=True, capture_output=True,
                                    timeout=TIMEOUT, preexec_fn=limit)
            self.assertNotIn("not installed", result.stderr)
            self.assertIn(result.returncode, (0, 1, 127), result.stderr)  # The status 127 means that the program cannot be loaded.
            seen += result.stderr
        self.assertTrue("no file handles left" in seen or "Too many open files" in seen, seen)

    def test_a_damaged_driver_file_is_told(self):
        (self.dir / "driver.json").write_text("{")
        driver = str(self.dir / "driver.json")
        result = self.glint("track", TINY, status=1, env={"VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver})
        self.assertIn("damaged", result.stderr)
        self.assertNotIn("ErrorOutOfHostMemory", result.stderr)


if __name__ == "__main__":
    unittest.main()
