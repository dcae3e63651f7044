#!/usr/bin/env python3
"""Drives a running glint from outside: by standard input, by datagrams, and by Open Sound Control."""
import csv
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

GLINT = os.path.abspath(sys.argv.pop(1))
SCENE = "synth:dancer?size=160x120&frames=24&seed=4&cameras=1"
PATIENCE = 120


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Piped:
    """A glint with --control -."""

    def __init__(self, folder, *arguments, source=SCENE):
        self.process = subprocess.Popen(
            [GLINT, "track", source, "-o", os.path.join(folder, "t.csv"), "--control", "-", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)

    def ask(self, **request):
        return self.line(json.dumps(request))

    def line(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            status = self.ask(do="status")
            if holds(status):
                return status
            time.sleep(0.01)
        raise AssertionError(f"never: {status}")

    def end(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def osc(path, *texts):
    def padded(text):
        raw = text.encode() + b"\0"
        return raw + b"\0" * (-len(raw) % 4)
    return padded(path) + padded("," + "s" * len(texts)) + b"".join(padded(text) for text in texts)


class Sent:
    """A glint with --control udp: on this machine. It is paused at its first frame and ends with the test."""

    def __init__(self, test, folder, *arguments, token=None, source=SCENE):
        self.token = token
        port = free_port()
        self.process = subprocess.Popen(
            [GLINT, "track", source, "-o", os.path.join(folder, "t.csv"), "--control", f"udp:{port}", "--paused", "--stay", "--quiet",
             *arguments], cwd=folder, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self.kill)
        self.client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        test.addCleanup(self.client.close)
        self.client.connect(("127.0.0.1", port))
        deadline = time.monotonic() + PATIENCE
        while True:  # Until it listens and shows its first frame, it is asked for its status.
            try:
                self.client.send(self.signed(do="status"))
                if self.waits(0.2) and json.loads(self.client.recv(65536))["frame"] == 0:
                    break
            except ConnectionRefusedError:
                time.sleep(0.05)
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError("it never listened")
        self.answers(b" ")  # Answers that came late are discarded.

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def signed(self, **request):
        return json.dumps(request | ({"token": self.token} if self.token else {})).encode()

    def waits(self, seconds):
        return select.select([self.client], [], [], seconds)[0]

    def exchange(self, datagram):
        self.client.send(datagram)
        if not self.waits(PATIENCE):
            raise AssertionError("no answer")
        return self.client.recv(65536)

    def ask(self, **request):
        return json.loads(self.exchange(self.signed(**request)))

    def osc(self, path, *texts):
        answer = self.exchange(osc(path, *texts))
        if not answer.startswith(b"/glint/answer\0\0\0,is\0"):
            raise AssertionError(answer)
        return struct.unpack(">i", answer[20:24])[0], answer[24:].rstrip(b"\0").decode()

    def answers(self, datagram):
        """Returns all answers to a datagram that come before the answer to a later request."""
        self.client.send(datagram)
        self.client.send(self.signed(do="pause", tag="the end"))
        all_of_them = []
        while True:
            if not self.waits(PATIENCE):
                raise AssertionError("no answer")
            answer = self.client.recv(65536)
            if b'"the end"' in answer:
                return all_of_them
            all_of_them.append(answer)

    def until(self, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds(status := self.ask(do="status")):
            if time.monotonic() > deadline:
                raise AssertionError(f"never: {status}")
            time.sleep(0.01)
        return status

    def step_to_the_end(self):
        self.ask(do="step", frames=1000)
        self.until(lambda s: s["mode"] == "at_end")

    def end(self):
        if not self.ask(do="quit")["ok"]:
            raise AssertionError("no end")
        _, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, err


class Control(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def test_a_script_steps_records_seeks_and_sets(self):
        run = Piped(self.folder, "--paused", "--stay")
        status = run.until(lambda s: s["frame"] == 0)
        self.assertEqual((status["mode"], status["length"]), ("paused", 24))
        self.assertEqual(run.ask(do="record", file="take.csv", tag=[7]), {"ok": True, "tag": [7]})
        self.assertTrue(run.ask(do="step", frames=5)["ok"])
        run.until(lambda s: s["frame"] == 5)
        self.assertTrue(run.ask(do="record_stop")["ok"])
        take = rows(self.path("take.csv"))
        self.assertEqual({int(row["frame"]) for row in take}, set(range(6)), "whole when it is answered")
        self.assertTrue(run.ask(do="seek", frame=20)["ok"])
        status = run.until(lambda s: s["frame"] == 20)
        self.assertEqual(status["pass"], 1)
        self.assertEqual(rows(self.path("t.csv")), take, "the jump ended the run's own file, too")
        before = status["epoch"]
        self.assertTrue(run.ask(do="set", settings={"detect.max_markers": 3})["ok"])
        status = run.ask(do="status")
        self.assertEqual(status["markers"], 3, "the frame that is shown, again")
        self.assertGreater(status["epoch"], before)
        self.assertEqual(run.ask(do="settings")["settings"]["detect.max_markers"], 3)
        self.assertTrue(run.ask(do="play")["ok"])
        run.until(lambda s: s["mode"] == "at_end")
        self.assertTrue(run.ask(do="quit")["ok"])
        code, _, err = run.end()
        self.assertEqual(code, 0, err)
        with open(self.path("t.json")) as file:
            record = json.load(file)
        self.assertEqual(record["settings_changes"][0]["settings"], {"detect.max_markers": 3})

    def test_points_are_recorded_where_there_is_a_rig(self):
        subprocess.run([GLINT, "synth", "dancer?cameras=3&size=320x240&frames=30&seed=3", "-o", "film.mkv", "--rig", "rig.toml"],
                       cwd=self.folder, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
        cameras = ["film_cam1.mkv", "film_cam2.mkv"]
        run = Piped(self.folder, *cameras, "--rig", "rig.toml", "--points", "all.csv", "--paused", "--quiet", source="film_cam0.mkv")
        self.assertEqual(run.ask(do="record", file="take.points.csv"), {"ok": True})
        self.assertEqual(run.ask(do="record", file="take.c3d"), {"ok": True})
        self.assertIn("--poses needs --bodies", run.ask(do="record", file="take.poses.csv")["error"])
        self.assertIn("is an output of the run", run.ask(do="record", file="all.csv")["error"])
        run.ask(do="play")
        self.assertEqual(run.end()[0], 0)
        with open(self.path("all.csv")) as expected, open(self.path("take.points.csv")) as recorded:
            self.assertEqual(recorded.read(), expected.read())
        said = subprocess.run([GLINT, "convert", "take.c3d", "take.csv"], cwd=self.folder, check=True, capture_output=True, text=True, timeout=PATIENCE)
        self.assertIn(f"{len({row['frame'] for row in rows(self.path('all.csv'))})} frames", said.stdout)
        run = Piped(self.folder, "--paused", "--quiet")
        self.assertIn("--points needs --rig FILE", run.ask(do="record", file="take.trc")["error"])
        run.ask(do="quit")
        run.end()

    def test_files_of_a_paused_run_begin_where_it_plays_first(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        for frame in (4, 8):
            self.assertTrue(run.ask(do="seek", frame=frame)["ok"])
            run.until(lambda s: s["frame"] == frame)
        self.assertTrue(run.ask(do="step", frames=6)["ok"])
        run.until(lambda s: s["frame"] == 14)
        # This jump ends the files.
        self.assertTrue(run.ask(do="seek", frame=2)["ok"])
        run.until(lambda s: s["frame"] == 2)
        self.assertTrue(run.ask(do="step", frames=3)["ok"])
        run.until(lambda s: s["frame"] == 5)
        self.assertTrue(run.ask(do="quit")["ok"])
        code, _, err = run.end()
        self.assertEqual(code, 0, err)
        self.assertEqual({int(row["frame"]) for row in rows(self.path("t.csv"))}, set(range(8, 15)))
        self.assertIn(f"7 of these 13 frames -> {self.path('t.csv')}; a jump ended all files of the run", err)

    def test_a_paused_run_that_shows_one_frame_writes_it(self):
        run = Piped(self.folder, "--paused", "--stay", "--stats", "s.csv")
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)
        self.assertEqual([row["frame"] for row in rows(self.path("s.csv"))], ["0"])

    def test_requests_are_carried_out_in_order_without_waiting_for_answers(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        requests = [dict(do="record", file="a.csv"), dict(do="record_stop"), dict(do="record", file="a.csv"),
                    dict(do="seek", frame=9), dict(do="record_stop"), dict(do="record", file="a.csv")]
        run.process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        run.process.stdin.flush()
        answers = [json.loads(run.process.stdout.readline()) for _ in requests]
        self.assertEqual([answer for answer in answers if not answer["ok"]], [])
        self.assertTrue(run.ask(do="seek", frame=20)["ok"])
        self.assertIn("output of the run", run.ask(do="record", file="t.csv")["error"])
        self.assertIn("output of the run", run.ask(do="record", file="t.json.csv/../t.csv")["error"])
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_a_step_back_stays_in_the_range_that_it_was_asked_in(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="range", **{"in": 3})["ok"])
        run.until(lambda s: s["frame"] == 3 and not s["pending"])
        requests = [dict(do="step", frames=-1), dict(do="range", **{"in": 0})]
        run.process.stdin.write("".join(json.dumps(request) + "\n" for request in requests))
        run.process.stdin.flush()
        self.assertEqual([json.loads(run.process.stdout.readline())["ok"] for _ in requests], [True, True])
        status = run.until(lambda s: not s["pending"])
        self.assertEqual((status["frame"], status["pass"]), (3, 2))
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_a_frame_that_is_measured_again_stays_in_its_pass(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="step", frames=9)["ok"])
        run.until(lambda s: s["frame"] == 9)
        self.assertTrue(run.ask(do="range", **{"in": 0, "out": 3})["ok"])
        self.assertTrue(run.ask(do="step", frames=-1)["ok"])
        run.until(lambda s: s["mode"] == "at_end")  # Frame 8 is not in the range, so frame 9 is still shown.
        self.assertTrue(run.ask(do="set", settings={"detect.separation": 9})["ok"])
        self.assertTrue(run.ask(do="step", frames=-6)["ok"])
        status = run.until(lambda s: s["pass"] == 2 and not s["pending"])
        self.assertEqual(status["frame"], 2)
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_what_would_wait_or_mix_is_refused(self):
        os.mkfifo(self.path("pipe.csv"))
        os.mkfifo(self.path("pipe.png"))
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        for request, words in ((dict(do="record", file="pipe.csv"), "is a pipe"),
                               (dict(do="record", file="/dev/stdout"), "standard output"),
                               (dict(do="record", file="precious.dat\0.mp4"), "zero byte"),
                               (dict(do="set", settings={"detect.mask": "pipe.png"}), "pipe.png"),
                               (dict(do="set", settings={"detect.mask": "/dev/zero"}), "/dev/zero"),
                               (dict(do="step", frames=2**63), "at most"), (dict(do="step", frames=2**64), "whole number"),
                               (dict(do="range", **{"in": 5000}), "5000")):
            answer = run.ask(**request)
            self.assertFalse(answer["ok"], request)
            self.assertIn(words, answer["error"])
        self.assertEqual(run.ask(do="status")["frame"], 0)
        run.process.send_signal(signal.SIGINT)
        self.assertEqual(run.end()[0], 0)

    def test_a_recording_that_fails_ends_neither_the_session_nor_the_others(self):
        os.symlink("/dev/full", self.path("full.csv"))
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="record", file="full.csv")["ok"])
        self.assertTrue(run.ask(do="record", file="good.csv")["ok"])
        self.assertTrue(run.ask(do="step", frames=5)["ok"])
        run.until(lambda s: s["frame"] == 5)
        self.assertIn("No space left", run.ask(do="record_stop", file="full.csv")["error"])
        self.assertTrue(run.ask(do="record_stop", file="good.csv")["ok"])
        self.assertEqual({int(row["frame"]) for row in rows(self.path("good.csv"))}, set(range(6)))
        self.assertTrue(run.ask(do="seek", frame=0)["ok"])
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="quit")["ok"])
        code, _, err = run.end()
        self.assertEqual(code, 1)
        self.assertIn("No space left", err)

    def test_answers_that_nobody_reads_hold_nothing_up(self):
        run = Piped(self.folder, "--paused")
        run.until(lambda s: s["frame"] == 0)
        padding = "x" * 2000
        for _ in range(200):
            run.process.stdin.write(json.dumps({"do": "loop", "on": False, "tag": padding}) + "\n")
        run.process.stdin.write('{"do":"play"}\n')
        run.process.stdin.flush()
        self.assertEqual(run.process.wait(PATIENCE), 0)
        self.assertEqual(len({row["frame"] for row in rows(self.path("t.csv"))}), 24)
        run.end()

    def test_a_failure_that_was_mended_is_forgotten_and_another_one_told(self):
        pixels = bytes(64 * 48)
        image = b"P5\n64 48\n255\n" + pixels
        os.mkdir(self.path("shots"))

        def name(i):
            return self.path(f"shots/f{i:03}.pgm")
        for i in range(30):
            with open(name(i), "wb") as file:
                file.write(image)
        run = Piped(self.folder, "--paused", "--stay", source="shots/")
        run.until(lambda s: s["frame"] == 0)
        os.remove(name(10))
        with open(name(20), "wb") as file:
            file.write(b"junk")
        self.assertTrue(run.ask(do="play")["ok"])
        self.assertIn("f010", run.until(lambda s: s["mode"] == "failed")["failure"])
        self.assertIn("f010", run.ask(do="step")["error"])
        self.assertTrue(run.ask(do="seek", frame=15)["ok"])
        self.assertIsNone(run.until(lambda s: s["frame"] == 15)["failure"])
        self.assertTrue(run.ask(do="play")["ok"])
        self.assertIn("f020", run.until(lambda s: s["mode"] == "failed")["failure"])
        for i in (10, 20):
            with open(name(i), "wb") as file:
                file.write(image)
        self.assertTrue(run.ask(do="seek", frame=9)["ok"])
        self.assertTrue(run.ask(do="step", frames=3)["ok"])
        run.until(lambda s: s["frame"] == 12)
        self.assertTrue(run.ask(do="quit")["ok"])
        code, _, err = run.end()
        self.assertEqual(code, 0, err)

    def test_wrong_requests_are_told_and_change_nothing(self):
        run = Piped(self.folder, "--paused", "--stay", "--stats", "s.csv", "--overlay", "o.mkv")
        for line, words in (
                ("nonsense", "JSON object"), ("[]", "JSON object"), ("{}", '"do"'), ('{"do":5}', '"do"'),
                ('{"do":"sing"}', "status"), ('{"do":"seek"}', '"frame"'), ('{"do":"seek","frame":-1}', "frame"),
                ('{"do":"seek","frame":24}', "24"), ('{"do":"step","frames":0}', "other than 0"),
                ('{"do":"play","fast":true}', '"fast"'), ('{"do":"set","settings":{"detect.sep":1}}', "detect.sep"),
                ('{"do":"set","settings":{"detect.separation":-1}}', "detect.separation"), ('{"do":"speed","factor":"x"}', "number"),
                ('{"do":"record","file":"take.xyz"}', "take.xyz"), ('{"do":"record","file":"t.csv"}', "t.csv"),
                ('{"do":"record","file":"/no/such/folder/a.csv"}', "/no/such/folder"), ('{"do":"record_stop"}', "no recording"),
                ('{"do":"stream","target":"osc:0"}', "1 to 65535"), ('{"do":"stream_stop","target":"x"}', "'x'"),
                ('{"do":"range","in":9,"out":2}', "range"), ("[" * 100000, "JSON object"),
                ('{"do":"range","in":18446744073709551615}', "has 24"), ('{"do":"seek","frame":1e308}', "number"),
                ('{"do":"step","frames":18446744073709551615}', "1000000000000"),
                ('{"do":"step","frames":-9223372036854775808}', "1000000000000"),
                ('{"do":"speed","factor":1e308}', "speed"), ('{"do":"speed","factor":-1e-308}', "speed"),
                ('{"do":"record","file":"a\\u0000.csv"}', "zero byte"), ('{"do":"record","file":"t.tsv\\u0000.csv"}', "zero byte"),
                ('{"do":"set","settings":{"detect.mask":"a\\u0000.png"}}', "zero byte"),
                ('{"do":"record","file":"/dev/stdout"}', "--control -"), ('{"do":"stream","target":"-"}', "--control -"),
                ('{"do":"record","file":"./s.csv"}', "output of the run"), ('{"do":"record","file":"o.mkv"}', "output of the run"),
                ('"' + "y" * 2_000_000 + '"', "JSON object"), ('{"do":"status","tag":1,"do":5}', '"do"')):
            answer = run.line(line)
            self.assertFalse(answer["ok"], line[:80])
            self.assertIn(words, answer["error"], line[:80])
        self.assertEqual(run.ask(do="status")["pass"], 0)
        self.assertEqual(set(os.listdir(self.folder)) - {"t.csv", "s.csv", "o.mkv"}, set())
        run.process.stdin.close()
        self.assertEqual(run.process.wait(PATIENCE), 0, "nobody can say quit any more")
        run.process.stdout.close()
        run.process.stderr.close()

    def test_answers_that_nobody_reads_hold_up_no_signal(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        run.process.stdin.write('{"do":"settings"}\n' * 2000)
        run.process.stdin.flush()
        run.process.send_signal(signal.SIGINT)
        self.assertEqual(run.process.wait(PATIENCE), 0)
        run.process.communicate()

    def test_a_reader_of_answers_that_leaves_ends_nothing(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        run.process.stdout.close()
        run.process.stdin.write('{"do":"status"}\n{"do":"step","frames":5}\n{"do":"play"}\n')
        run.process.stdin.flush()
        deadline = time.monotonic() + PATIENCE
        while len({row["frame"] for row in (rows(self.path("t.csv")) if os.path.exists(self.path("t.csv")) else [])}) < 20:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        run.process.stdin.write('{"do":"quit"}\n')
        run.process.stdin.close()
        self.assertEqual(run.process.wait(PATIENCE), 0)
        run.process.stderr.close()

    def test_a_plain_run_ends_by_itself(self):
        run = Piped(self.folder)
        code, out, err = run.end()
        self.assertEqual((code, out), (0, ""), err)
        self.assertEqual(len({row["frame"] for row in rows(self.path("t.csv"))}), 24)

    def test_datagrams_and_open_sound_control(self):
        run = Sent(self, self.folder)
        answer = run.osc("/glint/record/start", "osc.csv")
        self.assertEqual(answer, (1, ""))
        self.assertTrue(run.ask(do="step", frames=3)["ok"])
        run.until(lambda s: s["frame"] == 3)
        self.assertIn("no recording 'other.csv'", run.osc("/glint/record/stop", "other.csv")[1])
        self.assertEqual(run.osc("/glint/record/stop"), (1, ""))
        self.assertEqual({int(row["frame"]) for row in rows(self.path("osc.csv"))}, set(range(4)))
        self.assertIn("there are /glint/record/start", run.osc("/glint/sing")[1])
        self.assertIn(b"not an OSC message", run.exchange(b"/glint"))
        self.assertIn("one string", run.osc("/glint/record/start", "a.csv", "b.csv")[1])
        self.assertIn("token", run.ask(do="status", token="x")["error"], "which nobody asked for")
        self.assertEqual(run.end(), (0, ""))

    def test_datagrams_make_new_files_below_one_folder(self):
        for name in ("takes", "takes/sub", "outside"):
            os.mkdir(self.path(name))
        held = {name: name.encode() for name in ("precious.csv", "takes/old.csv", "takes/old.raw.mkv", "takes/late.tsv.rows")}
        for name, text in held.items():
            with open(self.path(name), "wb") as file:
                file.write(text)
        for name, to in (("out", "../outside"), ("root", "/"), ("link.csv", "../precious.csv"), ("new.csv", "../fresh.csv"),
                         ("within", "sub")):
            os.symlink(to, self.path(f"takes/{name}"))
        os.mkfifo(self.path("takes/pipe.csv"))
        run = Sent(self, self.folder, "--control-folder", "takes")
        for name, words in (("old.csv", "already exists"), ("old.raw.mkv", "already exists"), ("late.tsv", "already exists"),
                            ("../precious.csv", "leads out"), (self.path("precious.csv"), "leads out"), ("../x.csv", "leads out"),
                            ("sub/../../x.csv", "leads out"), ("sub/../x.csv", "leads out"), ("out/x.csv", "leads out"),
                            (f"root{self.folder}/x.csv", "leads out"), ("link.csv", "already exists"), ("new.csv", "already exists"),
                            ("pipe.csv", ""), ("no/x.csv", "No such file"), ("old.csv/x.csv", "Not a directory"),
                            ("/dev/null", "leads out"), ("", "format"), ("take.xyz", "take.xyz")):
            answer = run.ask(do="record", file=name)
            self.assertFalse(answer["ok"], name)
            self.assertIn(words, answer["error"], name)
            self.assertEqual(run.osc("/glint/record/start", name), (0, answer["error"]), name)
        for name in ("take.csv", "sub/take.tsv", "take.raw.mkv", "take.avi", "within/b.csv"):
            self.assertEqual(run.ask(do="record", file=name), {"ok": True}, name)
            self.assertIn("already exists", run.ask(do="record", file=name)["error"], "a second time")
        self.assertTrue(run.ask(do="step", frames=23)["ok"])
        run.until(lambda s: s["frame"] == 23)
        for name in ("take.csv", "sub/take.tsv", "take.raw.mkv", "take.avi", "within/b.csv"):
            self.assertEqual(run.ask(do="record_stop", file=name), {"ok": True}, name)
            self.assertGreater(os.path.getsize(self.path(f"takes/{name}")), 1000)
        run.step_to_the_end()
        self.assertTrue(run.ask(do="record", file="never.csv")["ok"])
        self.assertIn("no frame arrived", run.ask(do="record_stop", file="never.csv")["error"])
        self.assertEqual(run.end(), (0, ""))
        self.assertEqual(set(os.listdir(self.path("outside"))), set())
        self.assertEqual(set(os.listdir(self.path("takes/sub"))), {"take.tsv", "b.csv"})
        self.assertEqual(set(os.listdir(self.folder)), {"takes", "outside", "precious.csv", "t.csv", "t.json"})
        self.assertNotIn("never.csv", os.listdir(self.path("takes")))
        for name, text in held.items():
            with open(self.path(name), "rb") as file:
                self.assertEqual(file.read(), text, name)

    def test_standard_input_is_the_user_himself_and_may_write_over_his_files(self):
        os.mkdir(self.path("other"))
        with open(self.path("other/old.csv"), "w") as file:
            file.write("old")
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        self.assertEqual(run.ask(do="record", file=self.path("other/old.csv")), {"ok": True})
        self.assertTrue(run.ask(do="step", frames=4)["ok"])
        run.until(lambda s: s["frame"] == 4)
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)
        self.assertEqual({int(row["frame"]) for row in rows(self.path("other/old.csv"))}, set(range(5)))

    def token(self, text="correct-horse-battery", mode=0o600, name="token"):
        with open(os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
        return self.path(name)

    def test_without_the_token_less_is_answered_than_was_sent_and_nothing_done(self):
        secret = "correct-horse-battery"
        run = Sent(self, self.folder, "--control-remote", "--control-token", self.token(secret + "\nmore\n"), token=secret)
        status = json.dumps({"do": "status"}).encode()
        wrong = [{"do": "quit"}, {"do": "quit", "token": "wrong"}, {"do": "quit", "token": secret[:-1]}, {"do": "quit", "token": secret + "y"},
                 {"do": "quit", "token": ""}, {"do": "quit", "token": 5}, {"do": "quit", "token": [secret]}, {"do": "quit", "tag": secret},
                 {"do": "quit", "token": "w" * 1000}, {"do": "record", "file": "w.csv"}, {"tag": "t" * 5000}]
        datagrams = [json.dumps(request).encode() for request in wrong]
        datagrams += [(status + b"\n") * 500, b"\n".join(datagrams), b"{", b"x", b"\0", b"/", b"/x\0\0,i\0\0\0\0\0\1", status[:-1],
                      b"/" + b"y" * 3000, b"[" * 9000, status + b"\n" + run.signed(do="quit"), b'{"do":"quit","token":"' + secret[:-1].encode() + b'\\u0000"}',
                      osc("/glint/record/start", "w.csv"), osc("/glint/record/start", "w.csv", "wrong"), osc("/glint/record/stop"),
                      osc("/glint/record/start", "w.csv", secret[:-1]), osc("/glint/record/start", secret, "w.csv"), osc("/glint/quit")]
        for datagram in datagrams:
            answers = run.answers(datagram)
            self.assertLess(sum(map(len, answers)), len(datagram), datagram[:80])
            self.assertLessEqual(len(answers), 1, datagram[:80])
            if len(datagram) >= 80:
                self.assertIn(b"needs the token of --control-token", answers[0])
        self.assertNotIn("w.csv", os.listdir(self.folder))
        self.assertEqual(run.ask(do="status")["frame"], 0, "with it, all is done")
        self.assertEqual(run.osc("/glint/record/start", "take.csv", secret), (1, ""))
        self.assertTrue(run.ask(do="step", frames=3)["ok"])
        run.until(lambda s: s["frame"] == 3)
        self.assertEqual(run.osc("/glint/record/stop", secret), (1, ""))
        self.assertEqual({int(row["frame"]) for row in rows(self.path("take.csv"))}, set(range(4)))
        all_texts = [json.dumps(run.ask(**request)) for request in (dict(do="settings"), dict(do="status"), dict(do="sing"), dict(do="set", settings={"x": 1}))]
        status, err = run.end()
        self.assertEqual(status, 0)
        self.assertEqual(err.count("\n"), 1, "one warning, however many are refused: " + err)
        self.assertIn("without the right token", err)
        with open(self.path("t.json")) as record:
            all_texts.append(record.read())
        for text in all_texts + [err]:
            self.assertNotIn(secret, text)

    def test_addresses_of_strangers_are_not_kept(self):
        secret = "correct-horse-battery"
        run = Sent(self, self.folder, "--control-remote", "--control-token", self.token(secret), token=secret)
        before = self.memory(run)
        for _ in range(8):
            run.client.send(json.dumps({"x": [f"a://:{n}@" for n in range(4000)]}).encode())
        self.assertEqual(run.answers(b'{"x":"http://user:pass@host/"}')[-1], b'{"ok":false}\n')
        self.assertLess(self.memory(run) - before, 20_000, "kB")
        status, _ = run.end()
        self.assertEqual(status, 0)

    def test_secrets_of_requests_are_not_kept(self):
        run = Sent(self, self.folder)

        def ask(numbers):
            for n in numbers:
                self.assertFalse(run.ask(do="x", list=[f"a://u:{n}-{i}@h" for i in range(2000)])["ok"])
                answer = run.ask(do="set", settings={"detect.mask": f"http://u:secret{n}@h/{'m' * 400}.png"})
                self.assertIn("http://u:***", answer["error"])
                self.assertNotIn("secret", answer["error"])
        ask(range(20))
        before = self.memory(run)
        ask(range(20, 170))
        self.assertLess(self.memory(run) - before, 10_000, "kB, for 300,000 secrets")
        self.assertEqual(run.end(), (0, ""))

    def test_as_many_addresses_as_a_request_holds_are_soon_hidden(self):
        run = Sent(self, self.folder)
        for _ in range(3):
            answer = run.ask(do="x", list=[f"a://:{n}@" for n in range(4000)])
            self.assertFalse(answer["ok"])
        self.assertEqual(run.end(), (0, ""))

    def test_a_token_may_look_like_an_address(self):
        secret = "x://ab:cdefghijkl@mnop"
        run = Sent(self, self.folder, "--control-token", self.token(secret), token=secret)
        self.assertTrue(run.ask(do="step", frames=1)["ok"])
        self.assertEqual(run.end(), (0, ""))

    def memory(self, run):
        """Returns the memory of the process in kB."""
        with open(f"/proc/{run.process.pid}/status") as status:
            return int(next(line.split()[1] for line in status if line.startswith("VmRSS")))

    def test_a_datagram_is_not_answered_by_more_than_one_can_hold(self):
        run = Sent(self, self.folder)
        lines = b'{"do":"settings"}\n' * 500
        self.assertEqual(len(lines), 9000)
        answers = run.answers(lines)
        self.assertLessEqual(sum(map(len, answers)), 65507)
        self.assertIn("response.kind", json.loads(answers[0])["settings"])
        self.assertIn("too long", json.loads(answers[-1])["error"])
        self.assertEqual(run.end(), (0, ""))

    def test_tokens_that_protect_nothing_are_refused(self):
        os.mkfifo(self.path("pipe"), 0o600)
        os.mkdir(self.path("folder"), 0o700)
        udp = ("--control", f"udp:{free_port()}")
        good = self.token()
        for arguments, words in (((*udp, "--control-remote"), "--control-token FILE"),
                                 ((*udp, "--control-token", self.token(mode=0o640, name="b")), "chmod 600"),
                                 ((*udp, "--control-token", self.token(mode=0o604, name="c")), "chmod 600"),
                                 ((*udp, "--control-token", self.token("fifteen-letters", name="d")), "16 to 256"),
                                 ((*udp, "--control-token", self.token("\n" + "x" * 32, name="e")), "16 to 256"),
                                 ((*udp, "--control-token", self.token("x" * 257, name="f")), "16 to 256"),
                                 ((*udp, "--control-token", self.token("with a space within", name="g")), "16 to 256"),
                                 ((*udp, "--control-token", self.path("pipe")), "16 to 256"),
                                 ((*udp, "--control-token", self.path("folder")), "is not a file"),
                                 ((*udp, "--control-token", self.path("none")), "No such file"),
                                 (("--control", "-", "--control-token", good), "--control udp:PORT"),
                                 (("--control", "-", "--control-folder", "."), "--control udp:PORT"),
                                 ((*udp, "--control-folder", "none"), "cannot write into the folder"),
                                 ((*udp, "--control-folder", good), "cannot write into the folder")):
            done = subprocess.run([GLINT, "track", SCENE, "-o", self.path("x.csv"), *arguments], capture_output=True, text=True,
                                  timeout=PATIENCE, stdin=subprocess.DEVNULL, cwd=self.folder)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse(os.path.exists(self.path("x.csv")))

    def test_filters_are_tuned_while_it_runs(self):
        run = Piped(self.folder, "--paused", "--stay", "--filter", "soft=gaussian:sigma=1")
        before = run.until(lambda s: s["frame"] == 0)
        requests = [dict(do="set", settings={"filter.soft.sigma": 4}), dict(do="set", settings={"detect.separation": 9, "filter.soft.sigma": 5}),
                    dict(do="set", settings={"filter.soft.sigma": -1}), dict(do="set", settings={"filter.hard.sigma": 2}),
                    dict(do="set", settings={"filter.soft.sigma": 3, "filter.soft.width": 2}), dict(do="settings")]
        run.process.stdin.write("".join(json.dumps(request) + "\n" for request in requests[:-1]))
        run.process.stdin.flush()
        answers = [json.loads(run.process.stdout.readline()) for _ in requests[:-1]]
        self.assertEqual(sorted(answer["ok"] for answer in answers), [False, False, False, True, True], answers)
        all_texts = " ".join(answer.get("error", "") for answer in answers)
        for words in ("sigma", "'hard'", "width"):
            self.assertIn(words, all_texts)
        settings = run.ask(do="settings")["settings"]
        self.assertEqual((settings["filter.soft.sigma"], settings["detect.separation"]), (5, 9), "what is refused changes nothing")
        self.assertGreater(run.ask(do="status")["epoch"], before["epoch"])
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_names_that_are_no_unicode_are_answered_as_json(self):
        name = os.path.join(os.fsencode(self.folder), b"ma\xdfk\xe9\"\\.pgm")
        with open(name, "wb") as file:
            file.write(b"P5\n160 120\n255\n" + b"\xff" * 160 * 120)
        run = Piped(self.folder, "--paused", "--stay", "--set", b"detect.mask=" + name)
        run.until(lambda s: s["frame"] == 0)
        self.assertTrue(run.ask(do="settings")["settings"]["detect.mask"].endswith('ma\\xdfk\\xe9"\\.pgm'))
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_a_key_that_stands_twice_is_refused(self):
        run = Piped(self.folder, "--paused", "--stay")
        run.until(lambda s: s["frame"] == 0)
        for line, key in (('{"do":"seek","frame":3,"frame":7}', "frame"), ('{"do":"quit","do":"status"}', "do"),
                          ('{"do":"status","d\\u006f":"quit"}', "do"), ('{"do":"status","tag":1,"tag":2}', "tag"),
                          ('{"do":"set","settings":{"detect.separation":4,"detect.separation":5}}', "detect.separation")):
            answer = run.line(line)
            self.assertFalse(answer["ok"], line)
            self.assertIn(f'"{key}" appears twice', answer["error"])
        self.assertTrue(run.line('{"do":"status","tag":[{"a":1,"b":2},{"a":1}]}')["ok"], "those of different objects")
        self.assertEqual(run.ask(do="status")["pass"], 0)
        self.assertTrue(run.ask(do="quit")["ok"])
        self.assertEqual(run.end()[0], 0)

    def test_wrong_ways_in_are_refused(self):
        for arguments, words in ((("--control", "tcp:9"), "tcp:9"), (("--control", "udp:99999"), "65535"),
                                 (("--control", "udp:192.0.2.1:9000"), "--control-remote"),
                                 (("--control", "-", "--control", "-"), "twice"), (("--paused",), "--control"),
                                 (("--control", "-", "--stream", "-"), "standard output"),
                                 (("--control", "-", "-o", "/dev/stdout"), "standard output")):
            done = subprocess.run([GLINT, "track", SCENE, "-o", self.path("x.csv"), *arguments], capture_output=True, text=True,
                                  timeout=PATIENCE, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(os.path.exists(self.path("x.csv")))


if __name__ == "__main__":
    unittest.main(verbosity=2)
