"""A NatNet client of its own receives points and bodies: made-up ones, and those of the real program.

usage: natnet_test.py GLINT FEED [unittest arguments]
"""

import os
import pathlib
import random
import re
import socket
import struct
import subprocess
import sys
import time
import unittest

from harness import SANITIZED, THREADS_CHECKED, TIMEOUT, Folder, asking, rows
import natnet_client as natnet
from natnet_client import Client, Listener

FEED = os.path.abspath(sys.argv.pop(1))


def free_ports():
    """Returns a port of the loopback interface that is free, with the one behind it."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


class Feed:
    """A server that gets made-up frames."""

    def __init__(self, points, rate=240):
        self.points, self.port, self.sent = points, free_ports(), 0
        self.process = subprocess.Popen([FEED, str(self.port), str(points), str(rate)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == "ready\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def begin(self, frames):
        self.process.stdin.write(f"go {frames}\n")
        self.process.stdin.flush()
        self.sent += frames

    def wait(self):
        assert self.process.stdout.readline() == "sent\n"

    def send(self, frames):
        self.begin(frames)
        self.wait()

    def memory(self):
        """Returns the resident memory in KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def end(self):
        """Returns the frames sent and dropped, the state of the clients, and the problem."""
        words, _ = self.process.communicate(timeout=TIMEOUT)
        assert self.process.returncode == 0, self.process.returncode
        counts, problem = words.rstrip("\n").split("|")
        sent, dropped, state = counts.split(" ", 2)
        return int(sent), int(dropped), state, problem


class Made(unittest.TestCase):
    """Made-up frames: see natnet_feed.cpp. Lengths in packets are in m, with y up."""

    def expect_place(self, place, x, y, z):
        """Expects a place that has z up and is in mm."""
        for found, expected in zip(place, (1e-3 * x, 1e-3 * z, -1e-3 * y)):
            self.assertAlmostEqual(found, expected, delta=1e-5 + 1e-6 * abs(expected))

    def expect_frame(self, frame, n, points):
        self.assertEqual(frame["number"], n)
        self.assertAlmostEqual(frame["time"], n / 240, places=9)
        self.assertEqual(len(frame["others"]), points)
        self.assertEqual(len(frame["labelled"]), points + 2)
        for i, marker in enumerate(frame["labelled"][:points], 1):
            self.assertEqual(marker["id"], i)
            self.expect_place(marker["at"], 10 * i + n / 4, -5 * i, 1000 + n / 2)
            self.assertEqual(frame["others"][i - 1], marker["at"])
            self.assertTrue(marker["unlabelled"] and not marker["has_model"])
            self.assertEqual((marker["occluded"], marker["from_rays"]), (i % 7 == 0, i % 7 != 0))
        tool, = frame["bodies"]
        self.assertEqual((tool["id"], tool["valid"]), (1, True))
        self.expect_place(tool["at"], n, 2 * n, 500)
        self.assertAlmostEqual(tool["error"], 0.00025, places=8)
        # 90 degrees about z, which points up, are 90 degrees about y.
        for found, expected in zip(tool["turn"], (0, 0.5 ** 0.5, 0, 0.5 ** 0.5)):
            self.assertAlmostEqual(found, expected, places=6)
        places = [(n, 2 * n, 500), (n, 2 * n + 100, 500), (n - 50, 2 * n, 500)]
        self.assertEqual(list(frame["sets"]), ["all", "tool"])
        self.assertEqual(frame["sets"]["all"], frame["sets"]["tool"])
        for found, expected in zip(frame["sets"]["tool"], places, strict=True):
            self.expect_place(found, *expected)
        for k, marker in enumerate(frame["labelled"][points:], 1):
            self.assertEqual(marker["id"], 0x10000 + k)
            self.expect_place(marker["at"], *places[k - 1])
            self.assertTrue(marker["has_model"] and not marker["unlabelled"])
        self.assertTrue(0 < frame["exposed"] <= frame["received"] <= frame["sent"])
        self.assertTrue(frame["edit"] and not frame["recording"])

    def test_the_server_and_its_models(self):
        with Feed(3) as feed, Client(feed.port) as client:
            info = client.connect()
            self.assertEqual(info["name"], "Glint")
            self.assertEqual((info["version"], info["ticks"], info["data_port"]), ((3, 1), 10 ** 9, feed.port + 1))
            self.assertEqual((info["multicast"], info["group"]), (True, "239.255.42.99"))
            models = client.models()
            self.assertEqual(models["sets"], [("all", ["tool:a", "tool:b", "tool:c"]), ("tool", ["a", "b", "c"])])
            body, = models["bodies"]
            self.assertEqual((body["name"], body["id"], body["parent"]), ("tool", 1, -1))
            for found, expected in zip(body["markers"], [(0, 0, 0), (100, 0, 0), (0, 50, 0)], strict=True):
                self.expect_place(found, *expected)
            self.assertEqual([camera["name"] for camera in models["cameras"]], ["cam 0", "cam 1", "cam 2"])
            for i, camera in enumerate(models["cameras"]):
                self.expect_place(camera["at"], 500 * i, 0, 0)
                # They look along z, which is y here, and y is down in their pictures. So their right is x, their up is
                # z, and what is behind them is -y: a turn by 90 degrees about x.
                for found, expected in zip(camera["turn"], (0.5 ** 0.5, 0, 0, 0.5 ** 0.5)):
                    self.assertAlmostEqual(found, expected, places=6)
            client.connect(ask=(4, 1))
            self.assertEqual(client.version, (4, 1))
            self.assertEqual(client.models()["bodies"][0]["labels"], ["a", "b", "c"])

    def test_frames_in_both_versions(self):
        with Feed(20) as feed, Client(feed.port) as old, Client(feed.port) as new, \
                Listener(feed.port + 1) as listener:
            old.join(ask=(3, 1))
            new.join(ask=(4, 4))
            feed.send(3)
            for n in range(3):
                for client in (old, new, listener):
                    self.expect_frame(client.frame(), n, 20)
            for client in (old, new):
                self.assertEqual(client.frames_from, ("127.0.0.1", feed.port + 1), "they leave from the data port")
            # Points lie about 1 m from cameras with 1000 px focal length: 0.5 px is about 0.5 mm.
            feed.send(1)
            residuals = [marker["residual"] for marker in old.frame()["labelled"][:20]]
            for i, residual in enumerate(residuals, 1):
                at = (10 * i + 0.75, -5 * i, 1001.5)
                distances = [((at[0] - 500 * k) ** 2 + at[1] ** 2 + at[2] ** 2) ** 0.5 for k in (0, 1)]
                expected = 0 if i % 7 == 0 else 0.5e-3 * sum(distances) / 2 / 1000
                self.assertAlmostEqual(residual, expected, places=8)
            self.assertEqual(feed.end()[:3], (4, 0, "2 clients"))

    def test_ten_thousand_frames_arrive(self):
        with Feed(40) as feed, Client(feed.port) as client:
            client.join()
            feed.begin(10_000)
            for n in range(10_000):
                if n % 240 == 0:
                    client.keep_alive()
                self.assertEqual(client.frame()["number"], n)
            feed.wait()
            self.assertEqual(feed.end(), (10_000, 0, "1 client", ""))

    def test_clients_come_and_go(self):
        with Feed(5) as feed:
            with Client(feed.port, timeout=0.2) as silent:
                silent.connect()
                feed.send(1)
                with self.assertRaises(TimeoutError):
                    silent.frame()  # it has not sent a keep-alive
            memory = 0
            for turn in range(100):
                with Client(feed.port) as client:
                    client.join(ask=(4, 1) if turn % 2 else (0, 0))
                    client.models()
                    n = feed.sent
                    feed.send(2)
                    self.expect_frame(client.frame(), n, 5)
                    if turn % 3:  # the others leave without a word
                        client.leave()
                    echo, received = client.echo(turn)
                    self.assertEqual(echo, turn)
                    self.assertGreater(received, 0)
                if turn == 20:
                    memory = feed.memory()
            check_memory(feed, memory)
            sent, dropped, _, problem = feed.end()
            self.assertEqual((sent, dropped, problem), (201, 0, ""))

    def test_commands(self):
        with Feed(4) as feed, Client(feed.port) as client:
            client.join()
            feed.send(5)
            for n in range(5):
                self.expect_frame(client.frame(), n, 4)
            self.assertAlmostEqual(struct.unpack("<f", client.command("FrameRate"))[0], 240, places=3)
            self.assertEqual(struct.unpack("<f", client.command("UnitsToMillimeters"))[0], 1000)
            self.assertEqual(struct.unpack("<i", client.command("UpAxis"))[0], 1)
            self.assertEqual(struct.unpack("<i", client.command("AnalogSamplesPerMocapFrame"))[0], 0)
            self.assertEqual(client.command("Bitstream"), b"Bitstream,3.1\0")
            self.assertNotEqual(struct.unpack("<i", client.command("Bitstream,2.9"))[0], 0)
            self.assertEqual(client.command("Bitstream"), b"Bitstream,3.1\0")
            self.assertEqual(struct.unpack("<i", client.command("Bitstream,4.1"))[0], 0)
            self.assertEqual(client.command("Bitstream"), b"Bitstream,4.1\0")
            client.version = (4, 1)
            feed.send(2)
            changed = [client.frame()["version_changed"] for _ in range(2)]
            self.assertEqual(changed, [True, False])
            self.assertIsNone(client.command("StartRecording"))
            self.assertIsNone(client.command(""))
            client.send(natnet.REQUEST_FRAME)
            self.expect_frame(client.frame(), 6, 4)
            client.send(77)
            self.assertEqual(client.receive(natnet.UNRECOGNISED), b"")
            client.send(natnet.DISCOVERY)
            self.assertEqual(natnet.decode_server_info(client.receive(natnet.SERVER_INFO))["name"], "Glint")

    def test_what_does_not_fit_is_left_out_and_said(self):
        with Feed(5000) as feed, Client(feed.port) as client:
            client.join()
            feed.send(2)
            frame = client.frame()
            self.assertEqual((frame["number"], len(frame["bodies"])), (0, 1))
            fitting = len(frame["labelled"])
            self.assertTrue(2400 < fitting < 65507 / 26, fitting)
            self.assertEqual([marker["id"] for marker in frame["labelled"]], list(range(1, fitting + 1)))
            missing = 2 * (5002 - fitting + 5000 - len(frame["others"]) +
                           sum(3 - len(frame["sets"].get(name, ())) for name in ("all", "tool")))
            self.assertEqual(feed.end()[2], "1 client; 2 packets did not fit into a datagram: "
                                            f"{missing} entries were left out")

    def test_a_version_of_the_group(self):
        """Programs that ask for 4.1 and read the group get 4.1 there, as long as nobody else needs 3.1."""
        with Feed(4) as feed, Listener(feed.port + 1) as group, Client(feed.port) as new, Client(feed.port) as old:
            new.connect(ask=(4, 2))
            feed.send(1)
            group.version = (4, 1)
            self.expect_frame(group.frame(), 0, 4)
            old.connect()
            feed.send(1)
            group.version = (3, 1)
            self.expect_frame(group.frame(), 1, 4)

    def test_garbage(self):
        """Random and damaged datagrams on both ports disturb nobody."""
        seconds = float(os.environ.get("GLINT_GARBAGE_SECONDS", "0"))
        with Feed(30) as feed, Client(feed.port) as client:
            client.join()
            turns = throw_garbage(feed, client, 3000, seconds, lambda frame, n: self.expect_frame(frame, n, 30))
            self.assertEqual(feed.end()[1], 0)
            self.assertGreaterEqual(turns, 1)


def check_memory(feed, before):
    """Fails if the memory has grown by more than 2,000 KiB. Sanitizers keep memory that was freed."""
    now = feed.memory()
    if now - before > 2000 and not SANITIZED and not THREADS_CHECKED:
        raise AssertionError(f"memory grew from {before} to {now} KiB")


def wait_for_answers(port):
    """Returns once the server has read what was thrown at it. Until then it may not have room for requests."""
    for _ in range(TIMEOUT):
        with Client(port, timeout=1) as client:
            try:
                client.echo(1)
                return
            except TimeoutError:
                pass
    raise AssertionError("the server no longer answers")


def throw_garbage(feed, client, each, seconds, check):
    """Throws `each` datagrams a turn, for so many seconds and at least two turns. Returns the number of turns.

    After each turn, a frame must arrive, and the memory must not have grown.
    """
    random_numbers = random.Random(9)
    begin, turns, memory = time.monotonic(), 0, None
    good = [natnet.packet(kind, payload) for kind in (0, 2, 4, 6, 9, 10, 12, 14, 100)
            for payload in (b"", b"Bitstream,4.1\0", b"FrameRate\0", bytes(270), bytes(8))]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as thrower:
        while turns < 2 or time.monotonic() - begin < seconds:
            for _ in range(each):
                datagram = bytearray(random_numbers.choice(good))
                for _ in range(random_numbers.randrange(4)):
                    at = random_numbers.randrange(len(datagram))
                    datagram[at] = random_numbers.randrange(256)
                if random_numbers.random() < 0.3:
                    datagram = random_numbers.randbytes(random_numbers.choice((0, 1, 3, 4, 5, 300, 2000)))
                port = feed.port + random_numbers.randrange(2)
                thrower.sendto(datagram, ("127.0.0.1", port))
            wait_for_answers(feed.port)
            client.join()
            client.models()
            n = feed.sent
            feed.send(1)
            check(client.frame(), n)
            turns += 1
            if turns == 2:
                memory = feed.memory()
    check_memory(feed, memory)
    return turns


class Real(Folder):
    """The program streams what it writes."""

    SCENE = "dancer?cameras=3&frames=24"

    def setUp(self):
        super().setUp()
        self.glint("synth", self.SCENE, "-o", "s.mkv", "--rig", "rig.toml", "--bodies", "bodies.toml")
        self.sources = [f"s_cam{i}.mkv" for i in range(3)]

    def stream(self, target, *more):
        """Starts a run that waits for commands at its first frame."""
        process = self.start("track", *self.sources, "--rig", "rig.toml", "-o", "t.csv", "--points", "p.csv",
                             "--stream", target, "--control", "-", "--paused", "--stay", *more, stdin=subprocess.PIPE)
        process.stdin.write('{"do":"status"}\n')
        process.stdin.flush()
        self.assertIn('"mode"', process.stdout.readline())
        return process

    def expect_rows(self, frames, up="y"):
        """Expects the points of points.csv and the poses of poses.csv in the frames."""
        points, poses = {}, {}
        for row in rows(self.dir / "p.csv"):
            points.setdefault(int(row["frame"]), []).append(row)
        for row in rows(self.dir / "o.csv"):
            poses.setdefault(int(row["frame"]), []).append(row)
        measured = 0
        for frame in frames:
            found = [marker for marker in frame["labelled"] if not marker["occluded"]]
            expected = [row for row in points.get(frame["number"], []) if row["state"] == "measured"]
            for row in expected:
                x, y, z = (float(row[name]) * 1e-3 for name in ("x_mm", "y_mm", "z_mm"))
                place = (x, z, -y) if up == "y" else (x, y, z)
                near = [marker for marker in found
                        if all(abs(a - b) < 2e-6 for a, b in zip(marker["at"], place))]
                # A row of the file may belong to a point that was confirmed later.
                measured += len(near) == 1
            for body in frame["bodies"]:
                for row in poses.get(frame["number"], []):
                    if body["valid"] and row["state"] == "measured" and row["body"] == self.names[body["id"] - 1]:
                        x, y, z = (float(row[name]) * 1e-3 for name in ("x_mm", "y_mm", "z_mm"))
                        place = (x, z, -y) if up == "y" else (x, y, z)
                        for a, b in zip(body["at"], place):
                            self.assertAlmostEqual(a, b, delta=2e-6)
        return measured

    def run_and_receive(self, up):
        port = free_ports()
        target = f"natnet:127.0.0.1:{port}"
        process = self.stream(target, "--bodies", "bodies.toml", "--poses", "o.csv", *(("--up", "z") if up == "z" else ()))
        with Client(port) as client:
            client.connect(ask=(4, 1))
            models = client.models()
            self.names = [body["name"] for body in models["bodies"]]
            self.assertEqual(len(models["cameras"]), 3)
            client.keep_alive()
            client.models()
            process.stdin.write('{"do":"play"}\n')
            process.stdin.flush()
            frames = [client.frame()]
            while frames[-1]["number"] < 23:
                frames.append(client.frame())
            process.stdin.write('{"do":"quit"}\n')
            process.stdin.flush()
            output, errors = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 0, errors)
        self.assertEqual([frame["number"] for frame in frames], list(range(frames[0]["number"], 24)))
        self.assertLessEqual(frames[0]["number"], 1)
        self.assertIn(f"stream {target}: 24 frames sent, 0 dropped; 1 client", errors)
        return frames

    def test_points_and_bodies_of_a_run(self):
        for up in ("y", "z"):
            frames = self.run_and_receive(up)
            self.assertGreater(self.expect_rows(frames, up), 500)
            self.assertTrue(any(body["valid"] for body in frames[-1]["bodies"]))

    def test_a_stream_that_a_command_starts(self):
        port = free_ports()
        process = self.start("track", *self.sources, "--rig", "rig.toml", "-o", "t.csv", "--control", "-", "--paused", "--stay",
                             stdin=subprocess.PIPE)
        ask = asking(process)
        self.assertIn("needs --bodies FILE", ask(do="stream", target="opentrack")["error"])
        self.assertEqual(ask(do="stream", target=f"natnet:127.0.0.1:{port}"), {"ok": True})
        with Client(port) as client:
            client.join()
            self.assertEqual(client.models()["bodies"], [])
            self.assertEqual(ask(do="step"), {"ok": True})
            self.assertEqual(client.frame()["number"], 1)
        self.assertEqual(ask(do="stream_stop"), {"ok": True})
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", port))  # the port is free again
        self.assertEqual(ask(do="quit"), {"ok": True})

    def test_what_is_refused(self):
        for arguments, words in (
                (("--stream", "natnet"), "needs --rig FILE"),
                (("--rig", "rig.toml", "--stream", "natnet:192.0.2.1"), "--stream-remote"),
                (("--rig", "rig.toml", "--stream", "natnet:127.0.0.1:0"), "1 to 65535"),
                (("--rig", "rig.toml", "--stream", "natnet:127.0.0.1:65535"), "65535"),
                (("--rig", "rig.toml", "--stream", "natnet:[::1]:1510"), "IPv4"),
                (("--stream", "opentrack"), "needs --rig FILE"),
                (("--rig", "rig.toml", "--stream", "opentrack"), "needs --bodies FILE"),
                (("--rig", "rig.toml", "--bodies", "bodies.toml", "--stream", "opentrack#nobody"), "no body 'nobody'"),
                (("--stream", "osc-space:9000"), "needs --rig FILE"),
                (("--stream", "tcp:9"), "natnet[:ADDRESS[:PORT]]")):
            result = self.glint("track", *self.sources, "-o", "t.csv", *arguments, status=2)
            self.assertIn(words, result.stderr)

    def test_a_port_that_is_taken(self):
        port = free_ports()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", port))
            result = self.glint("track", *self.sources, "-o", "t.csv", "--rig", "rig.toml",
                                "--stream", f"natnet:127.0.0.1:{port}", status=1)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}", result.stderr)


if __name__ == "__main__":
    unittest.main()
