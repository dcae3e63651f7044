"""Network streams on loopback: the real program reads what ffmpeg and a small server send.

usage: stream_test.py GLINT [unittest arguments]
"""

import json
import math
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import unittest

from harness import SANITIZED, TIMEOUT, Folder, glint, rows, wait_until
from mjpeg_server import MjpegServer
from rtsp_server import RtspServer

SCENE = "spots?size=320x240&markers=4&seed=3&frames=50&fps=50"


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Stream(Folder):
    @classmethod
    def setUpClass(cls):
        """Makes a clip, its JPEGs, and the places of its markers."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.made = pathlib.Path(folder.name)
        glint("synth", SCENE, "-o", "clip.mkv", "--truth", "truth.csv", cwd=cls.made)
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "clip.mkv", "-q:v", "2", "-pix_fmt", "yuvj420p", "%06d.jpg",
                        "-frames:v", "1", "-q:v", "2", "-pix_fmt", "yuvj420p", "-s", "160x120", "small.jpg"],
                       cwd=cls.made, check=True, timeout=TIMEOUT)
        cls.small = (cls.made / "small.jpg").read_bytes()
        cls.pictures = [path.read_bytes() for path in sorted(cls.made.glob("0*.jpg"))]
        cls.markers = [(float(row["x"]), float(row["y"])) for row in rows(cls.made / "truth.csv") if row["visible"] == "1"]

    def serve(self, *arguments, **keywords):
        server = MjpegServer(*arguments, **keywords)
        self.addCleanup(server.close)
        return server

    def camera(self):
        return json.loads(self.text("tracks.json"))["cameras"][0]

    def check_counts(self):
        """Checks that the dropped frames in the table and in the record are the same."""
        stats = rows(self.dir / "s.csv")
        self.assertEqual([int(row["frame"]) for row in stats],
                         sorted({int(row["frame"]) for row in stats}))
        counted = json.loads(self.text("tracks.json"))["counts"]
        self.assertEqual(counted["dropped"], sum(int(row["dropped_before"]) for row in stats))

    def assert_markers(self):
        """Checks that every detection is a marker of some frame, so that nothing was made up."""
        found = rows(self.dir / "d.csv")
        self.assertGreater(len(found), 0)
        for row in found:
            self.assertLess(min(math.hypot(x - float(row["x"]), y - float(row["y"])) for x, y in self.markers), 0.5)


class JpegOverHttp(Stream):
    def test_damaged_pictures_are_counted_and_never_markers(self):
        pictures = self.pictures

        def act(number):
            picture = pictures[number % len(pictures)]
            if number % 10 == 5:  # cuts the picture in its middle
                return picture[:len(picture) // 2]
            if number % 10 == 8:  # puts noise into the coded part
                middle = len(picture) // 2
                return picture[:middle] + bytes(range(7, 207)) + picture[middle + 200:]
            return None
        server = self.serve(pictures, 50, act)
        result = self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 60)
        self.assertIn("sends damaged pictures, which are left out and counted", result.stderr)
        self.assertGreater(self.camera()["damaged"], 0)
        self.assertGreaterEqual(self.camera()["dropped"], self.camera()["damaged"])
        self.check_counts()
        self.assert_markers()
        self.assertEqual(self.camera()["given"]["coding"], "mjpeg")
        self.assertEqual(self.camera()["format"]["channels"], 1)
        # Times are those of arrival. Each frame arrives after one was sent; how long after depends on the machine.
        zero = json.loads(self.text("tracks.json"))["time_zero"]["monotonic_s"]
        sent = [time for _, time in server.sent]
        for n, row in enumerate(rows(self.dir / "s.csv")):
            self.assertGreater(float(row["time_s"]) + zero, sent[n])

    def test_one_that_floods_is_counted(self):
        server = self.serve(self.pictures, 1e9)
        self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 40)
        self.check_counts()
        self.assert_markers()

    def test_another_size_is_left_out_until_the_old_one_is_back(self):
        server = self.serve(self.pictures, 50, lambda number: self.small if 20 <= number < 30 else None)
        result = self.glint("track", server.url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 40)
        self.assertIn("now sends 160 x 120 instead of 320 x 240", result.stderr)
        self.check_counts()
        self.assertGreaterEqual(self.camera()["dropped"], 10)
        self.assert_markers()

    def test_one_that_ends_or_is_silent_is_asked_for_again(self):
        def act(number):
            if server.asked == 1 and number == 15:
                raise BrokenPipeError
            if server.asked == 2 and number == 10:
                time.sleep(4)
            return None
        server = self.serve(self.pictures, 50, act)
        result = self.glint("track", server.url, "--stats", "s.csv", "--frames", 45)
        self.assertIn("is lost: ", result.stderr)
        self.assertRegex(result.stderr, "has ended|broke off: input/output error")
        self.assertIn("no data for 2 s", result.stderr)
        self.assertEqual(result.stderr.count("' is back"), 2, result.stderr)
        self.assertEqual(self.camera()["times_lost"], 2)
        self.assertEqual(server.asked, 3)
        self.check_counts()

    def test_pictures_that_cannot_be_decoded_are_told_at_once(self):
        broken = [b"\xff\xd8" + bytes(range(7, 207)) * 40 + b"\xff\xd9"]
        server = self.serve(broken, 4)
        result = self.glint("track", server.url, status=1)
        self.assertIn("holds no frame that can be decoded: ", result.stderr)
        self.assertLessEqual(len(server.sent), 12)

    def test_a_server_that_sends_nothing_is_given_up_with_a_sentence(self):
        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                connection.recv(4096)
                connection.sendall(head)
                kept.append(connection)
        for head in (b"", b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n"):
            kept = []
            listener = socket.create_server(("127.0.0.1", 0))
            self.addCleanup(listener.close)
            self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
            threading.Thread(target=serve, daemon=True).start()
            result = self.glint("track", f"http://127.0.0.1:{listener.getsockname()[1]}/video", "--quiet", status=1)
            self.assertIn("no data for 10 s", result.stderr)
            for connection in kept:
                connection.close()

    CODED = bytes(range(1, 200)) * 5000  # contains no JPEG marker

    def picture_begins(self):
        return self.pictures[0][:self.pictures[0].index(b"\xff\xda") + 14]

    def refuse_without_much_memory(self, source):
        """Checks that glint ends with a sentence, and has used the memory of one picture, not of everything that arrived."""
        result = self.glint("track", source, status=1)
        self.assertIn("a picture in it has no end within 100 MB", result.stderr)
        usual = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss  # KiB, the most of all runs of this test
        self.assertLess(usual, 1_000_000 if not SANITIZED else 4_000_000)

    def test_a_picture_without_an_end_over_http_is_refused(self):
        def serve():
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(4096)
                    try:
                        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n"
                                           b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + self.picture_begins())
                        while True:
                            connection.sendall(self.CODED)
                    except OSError:
                        pass
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        self.addCleanup(listener.shutdown, socket.SHUT_RDWR)
        threading.Thread(target=serve, daemon=True).start()
        self.refuse_without_much_memory(f"http://127.0.0.1:{listener.getsockname()[1]}/")

    def test_a_picture_without_an_end_in_a_pipe_is_refused(self):
        os.mkfifo(self.dir / "pipe")

        def write():
            try:
                with open(self.dir / "pipe", "wb") as pipe:
                    pipe.write(self.picture_begins())
                    while True:
                        pipe.write(self.CODED)
            except OSError:
                pass
        threading.Thread(target=write, daemon=True).start()
        self.refuse_without_much_memory("pipe")

    def test_what_a_calibration_saw_before_a_stream_broke_is_kept(self):
        def write(name, breaks):
            try:
                with open(self.dir / name, "wb") as pipe:
                    for picture in self.pictures:
                        pipe.write(picture)
                        time.sleep(0.02)
                    pipe.write(self.picture_begins() if breaks else b"")
                    while breaks:
                        pipe.write(self.CODED)
            except OSError:
                pass
        for name, breaks in (("a", False), ("b", True)):
            os.mkfifo(self.dir / name)
            threading.Thread(target=write, args=(name, breaks), daemon=True).start()
        result = self.glint("calibrate", "a", "b", "--point", "--distance", "0,1,500", "-o", "rig.toml", status=1)
        self.assertIn("'b' is cut short: 50 frames could be read", result.stderr)
        self.assertIn("what was seen -> rig.points.csv", result.stdout)
        seen = rows(self.dir / "rig.points.csv")
        self.assertEqual({row["camera"] for row in seen}, {"0", "1"})
        self.assertGreater(len(seen), 20)
        self.assertFalse((self.dir / "rig.toml").exists())

    def test_a_raw_recording_of_two_rates_is_replayed_whole(self):
        servers = [self.serve(self.pictures, rate) for rate in (30, 10)]
        self.glint("track", *(server.url for server in servers), "--record", "raw.mkv", "--stats", "s.csv", "--frames", 90)

        def frames(table):
            """Returns every frame of each camera that was measured: its number, its time, and the frames that were lost
            before it."""
            found = {}
            for row in rows(self.dir / table):
                found.setdefault(int(row["camera"]), []).append((row["frame"], row["time_s"], row["dropped_before"]))
            return found
        live = frames("s.csv")
        self.assertGreater(len(live[0]), len(live[1]))
        self.assertGreater(len(live[1]), 0)
        for cameras in ((0, 1), (0,), (1,)):
            result = self.glint("track", *(f"raw_cam{camera}.mkv" for camera in cameras), "--stats", "again.csv")
            self.assertEqual(frames("again.csv"), {i: live[camera] for i, camera in enumerate(cameras)}, result.stderr)


class Packets(Stream):
    def send(self, *arguments):
        process = subprocess.Popen(["ffmpeg", "-loglevel", "error", "-re", "-stream_loop", "-1", "-i", "clip.mkv", *arguments],
                                   cwd=self.made, stdin=subprocess.DEVNULL)

        def end():
            process.kill()
            process.wait()
        self.addCleanup(end)
        return end

    def read(self, url, frames=20):
        """Tracks the stream, whose sender may start later. Checks that the detections are its markers."""
        for _ in range(5):
            process = self.start("track", url, "--stats", "s.csv", "--detections", "d.csv", "--frames", frames)
            _, errors = process.communicate(timeout=TIMEOUT)
            if process.returncode == 0:
                break
        self.assertEqual(process.returncode, 0, errors)
        self.check_counts()
        self.assertEqual(len(rows(self.dir / "s.csv")), frames)
        self.assert_markers()

    MPEG4 = ("-c:v", "mpeg4", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "rtp")

    def test_mpeg_over_rtp(self):
        url = f"rtp://127.0.0.1:{free_port()}"
        self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "rtp_mpegts", url)
        self.read(url)

    def test_rtp_that_a_description_tells_of(self):
        description = self.made / "stream.sdp"
        self.send(*self.MPEG4, "-sdp_file", description, f"rtp://127.0.0.1:{free_port()}")
        wait_until(lambda: description.exists() and "a=fmtp:" in description.read_text(), "a description")
        self.read(str(description))

    def test_srt(self):
        url = f"srt://127.0.0.1:{free_port()}"
        self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "mpegts", url + "?mode=listener")
        self.read(url)

    def test_rtsp(self):
        description = self.made / "rtsp.sdp"
        stop = self.send(*self.MPEG4, "-sdp_file", description, f"rtp://127.0.0.1:{free_port()}")
        wait_until(lambda: description.exists() and "a=fmtp:" in description.read_text(), "a description")
        stop()
        # The server's port is 0, because the client names the port at which it wants the packets.
        sdp = re.sub(r"m=video \d+", "m=video 0", description.read_text().split("SDP:\n")[-1]).replace("\n", "\r\n")
        server = RtspServer(sdp, lambda port: self.send(*self.MPEG4, f"rtp://127.0.0.1:{port}"))
        self.addCleanup(server.close)
        self.read(server.url)
        self.assertEqual([asked for asked in server.asked if asked != "TEARDOWN"][:4], ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])

    def test_mpeg_over_udp(self):
        url = f"udp://127.0.0.1:{free_port()}"
        end = self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "mpegts", url + "?pkt_size=1316")
        running = self.start("track", url, "--stats", "s.csv", "--detections", "d.csv", "--frames", 320)

        def times():
            return [float(row["time_s"]) for row in rows(self.dir / "s.csv")] if (self.dir / "s.csv").exists() else []
        wait_until(lambda: times() and times()[-1] - times()[0] > 3.5 or running.poll() is not None, "frames")
        before = times()
        end()
        self.send("-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-bf", "0", "-f", "mpegts", url + "?pkt_size=1316")
        _, errors = running.communicate(timeout=TIMEOUT)
        self.assertEqual(running.returncode, 0, errors)
        self.check_counts()
        # The second sender counts from 0 again.
        self.assertRegex(errors, "has jumped: its times are matched to this host's clock again|is lost")
        self.assertTrue(all(a < b for a, b in zip(times(), times()[1:])))
        # Once the clocks are known, intervals are those of the stream, however late its packets come: multiples of 1/50 s.
        later = [time for time in before if time > before[0] + 2.5]
        steps = [b - a for a, b in zip(later, later[1:])]
        self.assertGreater(len(steps), 0)
        self.assertLess(statistics.median(abs(step - 0.02 * round(step / 0.02)) for step in steps), 0.001)
        self.assert_markers()


if __name__ == "__main__":
    unittest.main()
