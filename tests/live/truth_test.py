"""The window, recordings, streams and answers agree about each frame after random commands, with cameras that differ in rate
and drop frames: live, and in their recording.

usage: truth_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]

GLINT_TEST_SEEDS: the number of seeds to try; 1 if it is not set.
"""

import collections
import itertools
import json
import os
import random
import socket
import threading
import time
import unittest

from harness import TIMEOUT, rows, wait_until
from screen import WindowTest

import fake

SEEDS = range(20261123, 20261123 + int(os.environ.get("GLINT_TEST_SEEDS", "1")))
CAMERAS = ("/dev/video0?fps=60&skip=31-36", "/dev/video1?fps=25&skip=20-22")
NAMES = ("/dev/video0", "/dev/video1")
SEPARATIONS = (6, 9)


def free_socket():
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    return receiver


def place(x, y):
    return f"{float(x):.4f}", f"{float(y):.4f}"


class Seed:
    """A context that names the seed in a failure."""

    def __init__(self, seed):
        self.seed = seed

    def __enter__(self):
        pass

    def __exit__(self, kind, *_):
        if kind is not None:
            print("seed", self.seed)


class Streamed:
    """Everything that arrives on a port: markers by pass, camera and the camera's frame. If a frame comes again, the newest
    counts."""

    def __init__(self):
        self.receiver = free_socket()
        self.port = self.receiver.getsockname()[1]
        self.frames = {}
        self.scores = []  # scores of a searched picture
        threading.Thread(target=self.receive, daemon=True).start()

    def receive(self):
        while True:
            try:
                told = json.loads(self.receiver.recv(1 << 16))
            except OSError:
                return
            self.frames[told["pass"], told["camera"], told["frame"]] = {
                m["track"]: (*place(m["x"], m["y"]), m["state"] == "measured") for m in told["markers"]}
            self.scores += [m["score"] for m in told["markers"] if m.get("score") is not None]


def in_file(table):
    """Returns measured places by camera, its frame, and track."""
    found = collections.defaultdict(dict)
    for row in table:
        if row["state"] == "measured":
            found[int(row["camera"]), int(row["frame"])][int(row["track"])] = (row["x"], row["y"])
    return found


class Truth(WindowTest):
    def begin(self, *arguments, env=None):
        """Opens the window, with a stream and a socket for commands."""
        self.streamed = Streamed()
        self.addCleanup(self.streamed.receiver.close)
        with free_socket() as free:
            port = free.getsockname()[1]
        self.asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.asker.connect(("127.0.0.1", port))
        self.asker.settimeout(TIMEOUT)
        self.addCleanup(self.asker.close)
        self.compared = collections.Counter()
        self.shown = {}  # markers by pass, camera and the camera's frame
        self.window_ = self.window(*arguments, "--control", f"udp:{port}", "--stream", f"udp:{self.streamed.port}", env=env)
        return self.window_

    def ask(self, **request):
        self.asker.send(json.dumps(request).encode())
        answer = json.loads(self.asker.recv(1 << 16))
        self.assertTrue(answer["ok"], answer)
        return answer

    def compare(self, state):
        """Compares the window with the stream and the answers for the same frame. Returns the markers by camera and its
        frame's number."""
        shown = {}
        for camera, number in enumerate(state["numbers"]):
            if number is None:
                continue
            markers = {track: (*place(x, y), seen) for c, track, x, y, seen in state["rows"] if c == camera}
            shown[camera, number] = markers
            self.shown[state["pass"], camera, number] = markers
            streamed = self.streamed.frames.get((state["pass"], camera, number))
            if streamed is not None:
                self.compared["streamed"] += 1
                for track, marker in streamed.items():
                    self.assertEqual(markers.get(track), marker, (camera, number, track, state))
            for c, track, x, y in state["trail_ends"]:
                if c == camera and track in markers:
                    self.compared["trails"] += 1
                    self.assertEqual(place(x, y), markers[track][:2], (camera, number, track))
        told = self.ask(do="status")
        if (told["frame"], told["epoch"], told["mode"]) == (state["frame"], state["epoch"], state["mode"]):
            self.compared["told"] += 1
            self.assertEqual(told.get("provisional", False), state["provisional"])
            self.assertEqual(told["pass"], state["pass"])
            # The status counts the cameras that are in the set, and the window shows the others' latest rows, too.
            counts = [sum(row[0] == camera for row in state["rows"]) for camera in range(len(state["numbers"]))]
            sums = {sum(some) for n in range(len(counts) + 1) for some in itertools.combinations(counts, n)}
            self.assertIn(told["tracks"], sums, state)
        return shown

    def whole_of(self, sources, separation):
        name = f"whole{separation}.csv"
        self.glint("track", *sources, "-o", name, "--quiet", "--set", f"detect.separation={separation}")
        return in_file(rows(self.dir / name))

    def test_replay(self):
        env = fake.cameras(*CAMERAS)
        self.glint("track", *NAMES, "--record", "raw.mkv", "--frames", 90, "--quiet", env=env)
        sources = [f"raw_cam{camera}.mkv" for camera in range(2)]
        whole = {separation: self.whole_of(sources, separation) for separation in SEPARATIONS}
        for seed in SEEDS:
            with Seed(seed):
                self.seed = seed
                self.replay(sources, whole, random.Random(seed))

    def replay(self, sources, whole, dice):
        window = self.begin("replay", *sources, "--paused")
        length = self.ask(do="status")["length"]
        separation = SEPARATIONS[0]
        recording, taken = None, 0
        for _ in range(30):
            what = dice.randrange(7)
            if what < 2:
                window.keys(*["Right" if what == 0 else "Left"] * dice.randrange(1, 6))
            elif what == 2:
                window.drag("timeline", (0.5, 0.5), (dice.uniform(0.05, 0.95), 0.5))
            elif what == 3:
                self.ask(do="seek", frame=dice.randrange(length))
            elif what == 4:
                self.ask(do="play")
                time.sleep(dice.uniform(0.05, 0.4))
                self.ask(do="pause")
            elif what == 5 and recording is None:
                recording, taken = f"take{self.seed}_{taken}.csv", taken + 1
                self.ask(do="record", file=recording)
            elif recording is not None:
                self.ask(do="record_stop", file=recording)
                self.check_recording(recording, whole[separation])
                recording = None
            else:
                separation = dice.choice(SEPARATIONS)
                self.ask(do="set", settings={"detect.separation": separation})
            told = self.ask(do="status")
            state = window.until(lambda s: s["mode"] in ("paused", "at_end") and s["whole"] and s["applied"] and not s["stale"]
                                 and s["epoch"] >= told["epoch"], "it rests")
            self.assertFalse(state["provisional"])
            for (camera, number), markers in self.compare(state).items():
                measured = {track: marker[:2] for track, marker in markers.items() if marker[2]}
                self.assertEqual(measured, whole[separation][camera, number], (camera, number, state))
                self.compared["whole"] += 1
        if recording is not None:
            self.ask(do="record_stop", file=recording)
            self.check_recording(recording, whole[separation])
        for kind in ("streamed", "trails", "told", "whole"):
            self.assertGreater(self.compared[kind], 10, self.compared)
        self.leave(window)

    def check_recording(self, name, whole):
        """Checks that the rows of a recording are those of the whole recording. A frame has all of its rows; at the end of
        the recording, it has those that were certain by then."""
        for key, tracks in in_file(rows(self.dir / name)).items():
            self.compared["recorded"] += 1
            for track, at in tracks.items():
                self.assertEqual(at, whole[key].get(track), (name, key, track))

    def leave(self, window):
        window.keys("ctrl+q")
        wait_until(lambda: window.process.poll() is not None or window.state().get("leaving"), "it asks, or ends")
        if window.process.poll() is None:
            window.click("leaving_discard")
        window.ended()

    def test_steps_through_gaps(self):
        """In the recording of the slower camera, most sets hold no frame. Steps go from frame to frame nevertheless, in both
        directions."""
        self.glint("track", *NAMES, "--record", "raw.mkv", "--stats", "s.csv", "--frames", 70, "--quiet", env=fake.cameras(*CAMERAS))
        window = self.begin("replay", "raw_cam1.mkv", "--paused")
        numbers = [int(row["frame"]) for row in rows(self.dir / "s.csv") if row["camera"] == "1"]
        self.assertGreater(len(numbers), 10)
        for key, seen in (("Right", numbers[1:]), ("Left", numbers[-2::-1]), ("Left", numbers[:1])):
            for number in seen:
                window.keys(key)
                window.until(lambda s: s["numbers"] == [number] and not s["stale"] and s["mode"] != "playing", f"{key} to {number}")
        self.leave(window)

    def test_live(self):
        for seed in SEEDS:
            with Seed(seed):
                self.seed = seed
                self.live(random.Random(seed))

    def live(self, dice):
        window = self.begin("live", *NAMES, env=fake.cameras(*CAMERAS))
        tables = []
        recording = None
        for _ in range(25):
            what = dice.randrange(4)
            if what == 0:
                self.ask(do="set", settings={"detect.separation": dice.choice(SEPARATIONS)})
            elif what == 1 and recording is None:
                recording = f"live{self.seed}_{len(tables)}.csv"
                self.ask(do="record", file=recording)
                wait_until(lambda: self.ask(do="status")["recordings"][-1]["frames"] > 0, "it records")
            elif what == 2 and recording is not None:
                self.ask(do="record_stop", file=recording)
                tables.append(recording)
                recording = None
            else:
                window.keys("space")
                window.until(lambda s: s["looking"] and "to_live" in s["widgets"], "the picture stands still")
                self.compare(window.until(lambda s: s["applied"] and not s["stale"], "it rests"))
                window.click("to_live")
                window.until(lambda s: not s["looking"], "live again")
            seen = window.state()["frame"]
            self.compare(window.until(lambda s: s["mode"] == "playing" and s["frame"] > seen and not s["stale"], "it goes on"))
        if recording is not None:
            self.ask(do="record_stop", file=recording)
            tables.append(recording)
        wait_until(lambda: len(tables) > 0, "something was recorded")
        for name in tables:
            for (camera, number), tracks in in_file(rows(self.dir / name)).items():
                for track, (_, _, seen) in ((t, m) for t, m in self.shown.get((0, camera, number), {}).items() if m[2]):
                    self.compared["recorded"] += 1
                    self.assertEqual(tracks.get(track), self.shown[0, camera, number][track][:2], (name, camera, number))
        for kind in ("streamed", "trails", "told", "recorded"):
            self.assertGreater(self.compared[kind], 2, self.compared)
        self.leave(window)

    def test_a_picture_that_is_sought(self):
        """Compares the places of a searched picture live, in its raw recording, in the window on both, on the stream, and by
        commands."""
        env = fake.cameras("/dev/video0?fps=10&size=160x120")
        self.glint("track", NAMES[0], "--record", "plain.mkv", "--frames", 5, "--quiet", env=env)
        self.glint("track", "plain.mkv", "-o", "plain.csv", "--quiet")
        first = rows(self.dir / "plain.csv")[0]
        left, top = round(float(first["x"])) - 4, round(float(first["y"])) - 4
        seek = ("--filter", f"template:look=file:plain.mkv#0:part={left},{top},9,9", "--set", "detect.threshold=0.75")
        self.glint("track", NAMES[0], *seek, "--record", "raw.mkv", "-o", "live.csv", "--frames", 40, "--quiet", env=env)
        self.glint("track", "raw.mkv", "--config", "raw.mkv", "-o", "again.csv", "--quiet")
        self.assertEqual((self.dir / "live.csv").read_text(), (self.dir / "again.csv").read_text())
        table = rows(self.dir / "live.csv")
        self.assertGreater(len(table), 100)
        self.assertTrue(all(0.75 < float(row["score"]) <= 1 for row in table if row["state"] == "measured"))

        window = self.begin("replay", "raw.mkv", "--config", "raw.mkv", "--paused")
        whole = in_file(table)
        for _ in range(12):
            window.keys("Right", "Right")
            told = self.ask(do="status")
            state = window.until(lambda s: s["mode"] in ("paused", "at_end") and s["whole"] and not s["stale"]
                                 and s["frame"] >= told["frame"], "it rests")
            for (camera, number), markers in self.compare(state).items():
                self.assertEqual({track: marker[:2] for track, marker in markers.items() if marker[2]}, whole[camera, number])
                self.compared["whole"] += 1
        for kind in ("streamed", "told", "whole"):
            self.assertGreater(self.compared[kind], 5, self.compared)
        self.assertTrue(self.streamed.scores and all(0.75 < score <= 1 for score in self.streamed.scores))
        self.leave(window)

        window = self.begin("live", NAMES[0], *seek, env=env)
        self.ask(do="record", file="window.csv")
        seen = 0
        for _ in range(8):
            state = window.until(lambda s: s["mode"] == "playing" and s["frame"] > seen + 5 and not s["stale"], "it goes on")
            self.compare(state)
            seen = state["frame"]
        self.ask(do="record_stop", file="window.csv")
        table = rows(self.dir / "window.csv")
        for (camera, number), tracks in in_file(table).items():
            for track, marker in self.shown.get((0, camera, number), {}).items():
                if marker[2]:
                    self.compared["recorded"] += 1
                    self.assertEqual(tracks.get(track), marker[:2], (camera, number, track))
        self.assertGreater(self.compared["recorded"], 2, self.compared)
        self.assertIn("score", table[0])
        # Sets a limit that nothing reaches, while the session runs.
        self.ask(do="set", settings={"detect.min_score": 1})
        window.until(lambda s: s["mode"] == "playing" and s["applied"] and not any(seen for *_, seen in s["rows"]), "none is like it enough")
        self.leave(window)


if __name__ == "__main__":
    unittest.main()
