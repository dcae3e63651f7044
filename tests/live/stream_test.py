"""Network streams on loopback: the real program reads what ffmpeg and a small server send.

usage: stream_test.py GLINT [unittest arguments]
"""

import json
import math
import shutil
import socket
import subprocess
import time
import unittest

from harness import TIMEOUT, Folder, rows, wait_until
from mjpeg_server import MjpegServer

SCENE = "spots?size=320x240&markers=4&seed=3&frames={}"


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stream(Folder):
    def pictures(self, frames=50, size="320x240", name="shots"):
        """JPEGs of a scene, and where its markers are."""
        self.glint("synth", SCENE.format(frames).replace("320x240", size), "-o", name, "--truth", f"{name}.csv")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", f"{name}/frame_%06d.png", "-q:v", "2", "-pix_fmt", "yuvj420p",
                        f"{name}/%06d.jpg"], cwd=self.dir, check=True, timeout=TIMEOUT)
        return [path.read_bytes() for path in sorted((self.dir / name).glob("*.jpg"))]

    def serve(self, *arguments, **keywords):
        server = MjpegServer(*arguments, **keywords)
        self.addCleanup(server.close)
        return server

    def camera(self):
        return json.loads(self.text("tracks.json"))["cameras"][0]

    def check_counts(self):
        """What the table says was dropped is what the record says."""
        stats = rows(self.dir / "s.csv")
        self.assertEqual([int(row["frame"]) for row in stats],
                         sorted({int(row["frame"]) for row in stats}))
        counted = json.loads(self.text("tracks.json"))["counts"]
        self.assertEqual(counted["dropped"], sum(int(row["dropped_before"]) for row in stats))

    def markers_of(self, name="shots"):
        places = {}
        for row in rows(self.dir / f"{name}.csv"):
            if row["visible"] == "1":
                places.setdefault(int(row["frame"]), []).append((float(row["x"]), float(row["y"])))
        return places

    def assert_markers(self, places):
        """Every detection is a marker of some frame: nothing was made up."""
        known = [place for frame in places.values() for place in frame]
        found = rows(self.dir / "d.csv")
        self.assertGreater(len(found), 0)
        for row in found:
            self.assertLess(min(math.hypot(x - float(row["x"]), y - float(row["y"])) for x, y in known), 0.5)


class JpegOverHttp(Stream):
    def test_times_are_those_of_sending(self):
        server = self.serve(self.pictures(), 30)
        self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 40)
        zero = json.loads(self.text("tracks.json"))["time_zero"]["monotonic_s"]
        sent = sorted(time for _, time in server.sent)
        for row in rows(self.dir / "s.csv"):
            arrived = float(row["time_s"]) + zero
            # After some sending, and not before it. How long after is the machine's.
            self.assertGreater(arrived, sent[0])
        self.check_counts()
        self.assert_markers(self.markers_of())
        self.assertEqual(self.camera()["given"]["coding"], "mjpeg")
        self.assertEqual(self.camera()["format"]["channels"], 1)

    def test_damaged_pictures_are_counted_and_never_markers(self):
        pictures = self.pictures()

        def act(number):
            picture = pictures[number % len(pictures)]
            if number % 10 == 5:  # cut in the middle
                return picture[:len(picture) // 2]
            if number % 10 == 8:  # noise in the coded part
                middle = len(picture) // 2
                return picture[:middle] + bytes(range(7, 207)) + picture[middle + 200:]
            return None
        server = self.serve(pictures, 50, act)
        result = self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 60)
        self.assertIn("sends damaged pictures, which are left out and counted", result.stderr)
        self.assertGreater(self.camera()["damaged"], 0)
        self.assertGreaterEqual(self.camera()["dropped"], self.camera()["damaged"])
        self.check_counts()
        self.assert_markers(self.markers_of())

    def test_another_size_is_left_out_until_the_old_one_is_back(self):
        pictures, others = self.pictures(), self.pictures(10, "160x120", "others")
        server = self.serve(pictures, 50, lambda number: others[0] if 20 <= number < 30 else None)
        result = self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 40)
        self.assertIn("now sends 160 x 120 instead of 320 x 240", result.stderr)
        self.check_counts()
        self.assertGreaterEqual(self.camera()["dropped"], 10)
        self.assert_markers(self.markers_of())

    def test_one_that_ends_or_is_silent_is_asked_for_again(self):
        def act(number):
            if server.asked == 1 and number == 15:
                raise BrokenPipeError
            if server.asked == 2 and number == 10:
                time.sleep(4)
            return None
        server = self.serve(self.pictures(), 50, act)
        result = self.glint("track", server.url, "--stats", "s.csv", "--frames", 45)
        self.assertIn("is away: ", result.stderr)
        self.assertRegex(result.stderr, "has ended|broke off: input/output error")
        self.assertIn("no data for 2 s", result.stderr)
        self.assertEqual(result.stderr.count("is back"), 2)
        self.assertEqual(self.camera()["times_lost"], 2)
        self.assertEqual(server.asked, 3)
        self.check_counts()


@unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg sends the streams")
class Packets(Stream):
    def send(self, *arguments):
        process = subprocess.Popen(["ffmpeg", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", "clip.mkv", *arguments],
                                   cwd=self.dir, stdin=subprocess.DEVNULL)

        def end():
            process.kill()
            process.wait()
        self.addCleanup(end)
        return end

    def test_mpeg_over_udp(self):
        self.glint("synth", SCENE.format(100) + "&fps=50", "-o", "clip.mkv", "--truth", "shots.csv")
        url = f"udp://127.0.0.1:{free_port()}"
        end = self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "mpegts", url + "?pkt_size=1316")
        glint = self.start("track", url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 60)
        wait_until(lambda: (self.dir / "s.csv").exists() and len(rows(self.dir / "s.csv")) > 15 or glint.poll() is not None,
                   "frames")
        end()
        self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "mpegts", url + "?pkt_size=1316")
        _, errors = glint.communicate(timeout=TIMEOUT)
        self.assertEqual(glint.returncode, 0, errors)
        self.check_counts()
        times = [float(row["time_s"]) for row in rows(self.dir / "s.csv")]
        self.assertTrue(all(a < b for a, b in zip(times, times[1:])))
        self.assert_markers(self.markers_of())


if __name__ == "__main__":
    unittest.main()
