#!/usr/bin/env python3
"""A running glint, driven from outside: by standard input, by datagrams, by Open Sound Control."""
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
    """glint with --control -."""

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
        name = lambda i: self.path(f"shots/f{i:03}.pgm")
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
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        process = subprocess.Popen([GLINT, "track", SCENE, "-o", self.path("t.csv"), "--control", f"udp:{port}", "--paused", "--stay", "--quiet"],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
        client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(client.close)
        client.connect(("127.0.0.1", port))

        def ask(datagram):
            client.send(datagram)
            self.assertTrue(select.select([client], [], [], PATIENCE)[0], "no answer")
            return client.recv(65536)

        deadline = time.monotonic() + PATIENCE
        while True:  # until it listens and shows its first frame
            try:
                client.send(b'{"do":"status"}')
                if select.select([client], [], [], 0.2)[0] and json.loads(client.recv(65536))["frame"] == 0:
                    break
            except ConnectionRefusedError:
                time.sleep(0.05)
            self.assertLess(time.monotonic(), deadline)
        time.sleep(0.2)
        while select.select([client], [], [], 0)[0]:  # late answers
            client.recv(65536)

        def osc(path, *texts):
            def padded(text):
                raw = text.encode() + b"\0"
                return raw + b"\0" * (-len(raw) % 4)
            return padded(path) + padded("," + "s" * len(texts)) + b"".join(padded(text) for text in texts)

        answer = ask(osc("/glint/record/start", "osc.csv"))
        self.assertTrue(answer.startswith(b"/glint/answer\0"), answer)
        self.assertEqual(struct.unpack(">i", answer[20:24])[0], 1, answer)
        self.assertTrue(json.loads(ask(b'{"do":"step","frames":3}\n'))["ok"])
        while json.loads(ask(b'{"do":"status"}'))["frame"] != 3:
            self.assertLess(time.monotonic(), deadline)
        self.assertIn(b"no recording 'other.csv'", ask(osc("/glint/record/stop", "other.csv")))
        self.assertEqual(struct.unpack(">i", ask(osc("/glint/record/stop"))[20:24])[0], 1)
        self.assertEqual({int(row["frame"]) for row in rows(self.path("osc.csv"))}, set(range(4)))
        self.assertIn(b"there are /glint/record/start", ask(osc("/glint/sing")))
        self.assertIn(b"Open Sound Control", ask(b"/glint"))
        self.assertTrue(json.loads(ask(b'{"do":"quit"}'))["ok"])
        self.assertEqual(process.wait(PATIENCE), 0)
        process.stderr.close()

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
