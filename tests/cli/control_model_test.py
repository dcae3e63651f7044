#!/usr/bin/env python3
"""Sends random requests by standard input, datagrams and Open Sound Control, and compares the session with a model (control_model.py): which requests
are accepted, what the session then does, and which frames are streamed. Every recording must have the rows of a plain run over the same frames.

usage: control_model_test.py GLINT [unittest arguments]

GLINT_TEST_STEPS is the number of requests, and GLINT_TEST_SEED the seed of the first session, from which the others count on. GLINT_TEST_DRIVERS is
the number of sessions at a time.
"""

import concurrent.futures
import json
import os
import random
import re
import select
import shutil
import socket
import struct
import subprocess
import threading
import time
import unittest

import harness
from control_model import FRAMES, Model, Recording
from harness import GLINT, TIMEOUT, rows

STEPS = int(os.environ.get("GLINT_TEST_STEPS", "200"))
SEED = int(os.environ.get("GLINT_TEST_SEED", "20261124"))
DRIVERS = int(os.environ.get("GLINT_TEST_DRIVERS", "1"))
EPISODE = 500  # The number of requests to one session.
MOST_KNOWN = 12  # The largest number of recordings that are not stopped.
FPS = 64  # With this rate, times are exact in binary, from whichever frame they count.
SCENE = f"crossing?size=128x96&frames={FRAMES}&fps={FPS}&markers=8&seed=5&noise=3&missed=0.1"
TOKEN = "a-token-for-the-model"
VARIANTS = [{"detect.separation": 6.0, "track.confirm": 3, "filter.soft.sigma": 1.0},
            {"detect.separation": 9.0, "track.confirm": 2, "filter.soft.sigma": 0.5}]
WRONG = ['{"do":"sing"}', "[]", '{"do":"seek","frame":1.5}', '{"do":"seek","frame":-1}', '{"do":"seek","frame":"3"}', '{"do":"step","frames":0}',
         '{"do":"step","frames":18446744073709551615}', '{"do":"play","fast":true}', '{"do":"seek","frame":3,"frame":4}', '{"do":"loop","on":1}',
         '{"do":"speed","factor":-1}', '{"do":"speed","factor":"1"}', '{"do":"set","settings":{}}', '{"do":"set","settings":{"detect.sep":3}}',
         '{"do":"set","settings":{"detect.separation":9,"filter.soft.sigma":-1}}', '{"do":"set","settings":{"filter.hard.sigma":1}}',
         '{"do":"set","settings":{"device.name":"x"}}', '{"do":"set","settings":{"detect.mask":"/no/mask.png"}}', '{"do":"range","in":12}',
         '{"do":"range","in":5,"out":4}', '{"do":"record","file":"x.xyz"}', '{"do":"record","file":"no/x.csv"}', '{"do":"record"}',
         '{"do":"stream","target":"osc:0"}', '{"do":"stream","target":"udp:192.0.2.1:9"}', '{"do":"stream","target":"-"}', '{"do":"explain"}',
         '{"do":"record_stop","file":"none.csv"}', '{"do":"stream_stop","target":"none"}', '{"do":"status","frame":1}', '{"do":"play"']


def free_socket():
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    receiver.bind(("127.0.0.1", 0))
    return receiver, receiver.getsockname()[1]


def free_port(seed):
    """Returns a free port. It is below those that the system hands out, so that no other session gets it before glint does."""
    for port in range(20000 + seed % 10000, 32000):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
    raise AssertionError("no port is free")


class Driver:
    """One glint that gets requests in three ways."""

    def __init__(self, folder, source, port):
        with open(os.open(folder / "token", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(TOKEN)
        for name in ("own", "takes"):
            (folder / name).mkdir()
        self.process = subprocess.Popen(
            [GLINT, "track", source, "--no-stills", "-o", "own/t.csv", "--filter", "soft=gaussian:sigma=1", "--control", "-", "--control",
             f"udp:{port}", "--control-token", "token", "--control-folder", "takes", "--paused", "--stay", "--quiet"],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.client, _ = free_socket()
        self.client.connect(("127.0.0.1", port))

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.client.close()

    def receive(self, datagram):
        self.client.send(datagram)
        if not select.select([self.client], [], [], TIMEOUT)[0]:
            raise AssertionError(f"no answer to {datagram}")
        return self.client.recv(65536)

    def pipe(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def pipe_all(self, lines):
        """Sends requests without waiting between them, and returns their answers."""
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()
        return [json.loads(self.process.stdout.readline()) for _ in lines]

    def udp(self, line):
        if line.startswith("{") and line.endswith("}"):
            line = line[:-1] + ',"token":"' + TOKEN + '"}'
        return json.loads(self.receive(line.encode()))

    def osc(self, path, *texts):
        def padded(text):
            raw = text.encode() + b"\0"
            return raw + b"\0" * (-len(raw) % 4)
        texts += (TOKEN,)
        answer = self.receive(padded(path) + padded("," + "s" * len(texts)) + b"".join(map(padded, texts)))
        return {"ok": struct.unpack(">i", answer[20:24])[0] == 1, "error": answer[24:].rstrip(b"\0").decode()}


class Plain:
    """The rows of separate runs over parts of the recording."""

    def __init__(self, folder):
        self.folder = folder
        harness.glint("synth", SCENE, "-o", "frames", cwd=folder)
        self.pictures = sorted(os.listdir(folder / "frames"))
        assert len(self.pictures) == FRAMES
        self.known = {}
        self.lock = threading.Lock()

    def rows(self, variant, begin, start, last):
        key = variant, begin, last
        with self.lock:
            if key not in self.known:
                self.known[key] = self.run(variant, begin, last)
        return [row for row in self.known[key] if int(row["frame"]) >= start]

    def run(self, variant, begin, last):
        part = self.folder / f"from{begin}"
        if not part.exists():
            part.mkdir()
            for name, number in zip(self.pictures[begin:], self.pictures):  # numbered from the first one, as the frames are
                os.link(self.folder / "frames" / name, part / number)
        sets = [f"--set=detect.separation={variant[0]}", f"--set=track.confirm={variant[1]}"]
        harness.glint("track", f"{part}/?fps={FPS}", "--no-stills", "-o", "plain.csv", "--frames", last - begin + 1, "--quiet", *sets,
                      "--filter", f"soft=gaussian:sigma={variant[2]}", cwd=self.folder)
        found = rows(self.folder / "plain.csv")
        for row in found:
            row["frame"] = str(int(row["frame"]) + begin)
            row["time_s"] = f"{float(row['time_s']) + begin / FPS:.6f}"
        return found


class Episode:
    def __init__(self, test, folder, plain, seed):
        self.test, self.folder, self.plain, self.seed, self.random = test, folder, plain, seed, random.Random(seed)
        self.driver = Driver(folder, f"{plain.folder}/frames/?fps={FPS}", free_port(seed))
        self.receiver, self.port = free_socket()
        self.files = 0
        self.log = []
        self.counts = {"accepted": 0, "refused": 0, "recordings": 0, "compared": 0, "rows": 0, "datagrams": 0}
        deadline = time.monotonic() + TIMEOUT
        while (status := self.driver.pipe('{"do":"status"}'))["frame"] != 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        settings = self.driver.pipe('{"do":"settings"}')["settings"]
        self.model = Model(settings, Recording("", str(folder / "own/t.csv"), known=False))
        self.epoch = status["epoch"]

    # Requests and the answers that they must get.

    def ask(self, expected, way=None, **request):
        line = json.dumps(request)
        ways = [self.driver.pipe, self.driver.udp]
        answer = (way or self.random.choice(ways))(line)
        self.judge(line, answer, expected)

    def judge(self, request, answer, expected):
        self.log.append(f"{request} -> {answer}")
        self.test.assertEqual(answer["ok"], expected, self.story())
        self.counts["accepted" if expected else "refused"] += 1
        self.test.assertEqual("error" in answer and answer["error"] != "", not expected, self.story())

    def story(self):
        model = {k: v for k, v in vars(self.model).items() if k != "settings"}
        return f"seed {self.seed}\n" + "\n".join(self.log[-25:]) + f"\nthe model: {model}"

    def status(self):
        return self.random.choice([self.driver.pipe, self.driver.udp])('{"do":"status"}')

    def agrees(self, status):
        m = self.model
        wanted = {"mode": m.mode, "frame": m.frame, "pass": m.pass_, "in": m.first, "out": m.out, "speed": m.speed, "loop": m.loop,
                  "length": FRAMES, "pending": False, "live": False, "failure": None}
        reply = {key: status[key] for key in wanted}
        if reply != wanted or status["epoch"] < self.epoch:
            return f"{reply} for {wanted}, epoch {status['epoch']} after {self.epoch}"
        going = sorted((r.name or "outputs", 0 if r.start is None else m.frame - r.start + 1) for r in m.live())
        seen = sorted((r["name"], r["frames"]) for r in status["recordings"] if not r["finished"])
        if seen != going:
            return f"recordings {seen} for {going}"
        if any(r["problem"] for r in status["recordings"]):
            return f"a problem: {status['recordings']}"
        self.epoch = status["epoch"]
        return ""

    def settle(self):
        """Waits until the session does what the model says."""
        deadline = time.monotonic() + min(TIMEOUT, 60)
        while problem := self.agrees(self.status()):
            if time.monotonic() > deadline:
                self.test.fail(f"{problem}\n{self.story()}")
            time.sleep(0.0005)

    def hear(self, frames):
        """Receives what a request streams. If it shows frames, each stream must send the newest one. A slow stream may skip the others."""
        newest, missing = [self.model.frame, self.model.shown_pass], len(self.model.streams) if frames else 0
        while missing > 0 or select.select([self.receiver], [], [], 0)[0]:
            if not select.select([self.receiver], [], [], TIMEOUT)[0]:
                self.test.fail(f"{newest} was not streamed\n{self.story()}")
            reply = json.loads(self.receiver.recv(1 << 16))
            self.counts["datagrams"] += 1
            missing -= [reply["frame"], reply["pass"]] == newest
        self.test.assertEqual(missing, 0, self.story())

    # The kinds of requests.

    def step(self):
        before = self.model.frame, self.model.shown_pass
        kind = self.random.choices(list(KINDS), KINDS.values())[0]
        getattr(self, kind)()
        self.settle()
        self.hear((self.model.frame, self.model.shown_pass) != before)

    def steps(self):
        n = self.random.choice([1, 1, 1, 2, 3, 5, 20, -1, -2, -4, -20])
        self.ask(self.model.step(n), do="step", frames=n)

    def seek(self):
        frame = self.random.randrange(FRAMES + 2)
        self.ask(self.model.seek(frame), do="seek", frame=frame)

    def seek_somewhere(self):
        frame = self.random.randint(self.model.first, self.model.end()) if self.model.first <= self.model.end() else self.model.first
        self.ask(self.model.seek(frame), do="seek", frame=frame)

    def pause(self):
        self.ask(self.model.pause(), do="pause")

    def play(self):
        m = self.model
        if m.loop:
            return self.play_round()
        if 0 < m.speed < 8:
            return self.play_a_while()
        self.ask(m.play(), do="play")

    def play_round(self):
        """Plays in a loop. How often it starts again is not known."""
        m, before = self.model, self.model.pass_ + (self.model.mode == "at_end")
        if 0 < m.speed < 8:
            self.ask(m.set_speed(0), do="speed", factor=0)
        m.play()
        self.ask(True, do="play")
        deadline = time.monotonic() + TIMEOUT
        while self.status()["pass"] < before + 2:
            self.test.assertLess(time.monotonic(), deadline, self.story())
        self.rest()

    def play_a_while(self):
        """Plays until a pause. The frame at which it stops comes from the session, and everything else from the model."""
        m = self.model
        if not m.tracked:
            return self.seek_somewhere()
        self.ask(True, do="play")
        time.sleep(self.random.random() * 0.05)
        self.ask(m.pause(), do="pause")
        status = self.status()
        self.test.assertIn(status["frame"], range(m.frame, max(m.frame, m.end()) + 1), self.story())
        m.run(status["frame"] - m.frame)
        if status["mode"] == "at_end":
            m.reach_end()
        self.test.assertEqual((status["mode"], status["pass"]), (m.mode, m.pass_), self.story())
        self.rest(status["pass"])

    def rest(self, known=None):
        """Jumps to a known frame, after which the model knows everything again."""
        m = self.model
        self.ask(True, do="pause")
        frame = self.random.randint(m.first, m.end()) if m.first <= m.end() else m.first
        self.ask(True, do="seek", frame=frame)
        now = self.status()["pass"]
        self.test.assertEqual(now > m.pass_ if known is None else now == known + 1, True, self.story())
        m.seek(frame)
        m.pass_ = m.shown_pass = now

    def range(self):
        first = self.random.choice([0, 0, 0, 1, 3, 6, FRAMES])
        out = self.random.choice([None, FRAMES - 1, FRAMES + 5, 6, 4, 2])
        accepted = first < FRAMES and (out is None or out >= first)
        request = {"do": "range", "in": first} | ({} if out is None else {"out": out})
        self.test.assertEqual(self.model.range(first, out), accepted)
        self.ask(accepted, **request)

    def speed(self):
        factor = self.random.choice([0, 0, 0, 1, 8, 1000, 1e-9, 5000, -1])
        self.ask(self.model.set_speed(factor), do="speed", factor=factor)

    def loop(self):
        on = self.random.random() < 0.3
        self.ask(self.model.set_loop(on), do="loop", on=on)

    def explain(self):
        self.ask(True, do="explain", on=self.random.random() < 0.5)

    def change(self):
        settings = dict(self.random.choice(VARIANTS))
        if self.random.random() < 0.3:  # These settings are only some of all, and change no row.
            settings = {"filter.soft.sigma": self.model.settings["filter.soft.sigma"], "live.wait": float(self.random.randrange(20)), "camera.controls": "é"}
        before = self.epoch
        self.ask(self.model.change(settings), do="set", settings=settings)
        self.test.assertGreater(self.status()["epoch"], before, self.story())

    def settings(self):
        reply = self.random.choice([self.driver.pipe, self.driver.udp])('{"do":"settings"}')
        self.test.assertEqual(reply, {"ok": True, "settings": self.model.settings}, self.story())
        self.counts["accepted"] += 1

    def wrong(self):
        self.ask_line(self.random.choice(WRONG))

    def ask_line(self, line):
        ways = [self.driver.pipe]
        if line.endswith("}"):  # A datagram without a token is too short for an answer.
            ways.append(self.driver.udp)
        self.judge(line, self.random.choice(ways)(line), False)

    def record(self):
        if sum(r.known for r in self.model.recordings) >= MOST_KNOWN:
            return self.stop_latest()
        suffix = ".raw.mkv" if self.random.random() < 0.05 else ".csv"
        again = [r for r in self.model.recordings if r.name.endswith(suffix)]
        if again and self.random.random() < 0.2:
            name = self.random.choice(again).name
        else:
            self.files += 1
            name = f"{self.files}{suffix}"
        way = self.random.choice(["pipe", "udp", "osc"])
        if way == "pipe":  # This is the local user, who may overwrite recordings that have ended.
            name = name if name.startswith("takes/") else f"takes/{name}"
            path = str(self.folder / name)
            return self.ask(self.model.record(name, path), self.driver.pipe, do="record", file=name)
        name = name.removeprefix("takes/")
        path = str(self.folder / "takes" / name)
        accepted = not os.path.lexists(path) and self.model.record(name, path)
        if way == "udp":
            return self.ask(accepted, self.driver.udp, do="record", file=name)
        self.judge(f"osc {name}", self.driver.osc("/glint/record/start", name), accepted)

    def record_stop(self):
        known = [r.name for r in self.model.recordings if r.known]
        if not known or self.random.random() < 0.3:
            return self.stop_latest()
        name = self.random.choice(known)
        self.ask(self.model.record_stop(name), do="record_stop", file=name)

    def stop_latest(self):
        accepted = self.model.record_stop("")
        if self.random.random() < 0.5:
            return self.ask(accepted, do="record_stop")
        self.judge("osc stop", self.driver.osc("/glint/record/stop"), accepted)

    def stream(self):
        if len(self.model.streams) >= 3:
            return self.stream_stop()
        self.model.streams.append(f"udp:{self.port}" if self.random.random() < 0.5 else f"udp:localhost:{self.port}")
        self.ask(True, do="stream", target=self.model.streams[-1])

    def stream_stop(self):
        name = self.random.choice(self.model.streams + [""])
        accepted = self.model.stream_stop(name)
        self.ask(accepted, **({"do": "stream_stop", "target": name} if name else {"do": "stream_stop"}))

    def burst(self):
        """Sends many requests at once, none of which waits for the one before."""
        if any(r.start is None for r in self.model.recordings):
            return self.seek_somewhere()  # Here, the frame with which a waiting recording begins would depend on the speed of the threads.
        lines, accepted = [], []
        for _ in range(self.random.randint(2, 12)):
            frame, factor, on = self.random.randrange(FRAMES + 2), self.random.choice([0, 1000, -1]), self.random.random() < 0.3
            for request, does in self.random.sample([({"do": "seek", "frame": frame}, lambda: self.model.seek(frame)),
                                                     ({"do": "speed", "factor": factor}, lambda: self.model.set_speed(factor)),
                                                     ({"do": "loop", "on": on}, lambda: self.model.set_loop(on)),
                                                     ({"do": "sing"}, lambda: False)], 1):
                lines.append(json.dumps(request | {"tag": len(lines)}))
                accepted.append(does())
        answers = sorted(self.driver.pipe_all(lines), key=lambda answer: answer["tag"])  # Refusals may come before other answers.
        for line, answer, expected in zip(lines, answers, accepted):
            self.judge(line, answer, expected)

    # The end of the session.

    def close(self):
        self.driver.close()
        self.receiver.close()

    def finish(self):
        self.ask(True, do="quit")
        _, err = self.driver.process.communicate(timeout=TIMEOUT)
        # A recording that was begun just before the end and got no frame is not written, and a message says so.
        unwritten = r"glint: '(?:takes/)?(\d+\.(?:csv|raw\.mkv))' was not written: no frame arrived\n"
        self.test.assertEqual((self.driver.process.returncode, re.sub(unwritten, "", err)), (0, ""), self.story())
        names = {str(self.folder / "takes" / name) for name in re.findall(unwritten, err)}
        self.model.recordings = [r for r in self.model.recordings if r.start is not None or r.path not in names]
        self.model.end_pass()
        made = {str(path) for folder in ("own", "takes") for path in (self.folder / folder).iterdir()}
        wanted = {r.path for r in self.model.recordings if r.start is not None or r.path.endswith(".csv")} | {str(self.folder / "own/t.json")}
        self.test.assertEqual(made, wanted, self.story())
        for recording in self.model.recordings:
            self.compare(recording)

    def compare(self, recording):
        if recording.overwritten or not recording.path.endswith(".csv"):
            return
        self.counts["recordings"] += 1
        found = rows(recording.path)
        if recording.start is None:  # The file that was there before stays.
            earlier = any(r is not recording and r.path == recording.path for r in self.model.recordings)
            return self.test.assertTrue(earlier or found == [], self.story())
        frames = {int(row["frame"]) for row in found}
        self.test.assertLessEqual(frames, set(range(recording.start, recording.last + 1)), recording)
        if len(recording.variants) > 1:
            return
        (variant,) = recording.variants
        wanted = self.plain.rows(variant, recording.begin, recording.start, recording.last)
        self.test.assertEqual(found, wanted, recording)
        self.counts["compared"] += 1
        self.counts["rows"] += len(wanted)


KINDS = {"steps": 30, "seek": 12, "seek_somewhere": 3, "pause": 2, "play": 6, "range": 5, "speed": 4, "loop": 3, "explain": 1, "change": 3,
         "settings": 3, "wrong": 10, "record": 14, "record_stop": 8, "stream": 2, "stream_stop": 2, "burst": 3}


class ControlModel(harness.Folder):
    def episode(self, plain, seed):
        folder = self.dir / f"episode{seed}"
        folder.mkdir()
        episode = Episode(self, folder, plain, seed)
        try:
            while sum(episode.counts[key] for key in ("accepted", "refused")) < min(EPISODE, STEPS):
                episode.step()
            episode.finish()
        except BaseException as error:
            print(f"seed {seed}: {error}", flush=True)  # The other sessions are still waited for.
            raise
        finally:
            episode.close()
        shutil.rmtree(folder)
        return episode.counts

    def test_random_requests_do_what_the_model_says(self):
        plain = Plain(self.dir)
        seeds = range(SEED, SEED + -(-STEPS // EPISODE))
        with concurrent.futures.ThreadPoolExecutor(DRIVERS) as drivers:
            all_of_them = list(drivers.map(lambda seed: self.episode(plain, seed), seeds))
        totals = {key: sum(counts[key] for counts in all_of_them) for key in all_of_them[0]}
        self.assertGreater(totals["compared"], totals["recordings"] / 3)
        print(len(seeds), "sessions:", totals, "plain runs:", len(plain.known))


if __name__ == "__main__":
    unittest.main(verbosity=2)
