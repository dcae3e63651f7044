"""Live cameras: the real program with cameras that fake_camera.cpp makes beneath it.

usage: camera_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import grp
import json
import math
import os
import re
import subprocess
import unittest

import fake
from harness import TIMEOUT, Folder, asking, rows, wait_until
from mjpeg_server import MjpegServer


def centres(frame, width=320, height=240):
    """Returns the centres of markers as fake_pictures.cpp draws them."""
    radius = 0.35 * min(width, height)
    angles = [2 * math.pi * (frame / 200 + marker / 3) for marker in range(3)]
    return [(width / 2 + radius * math.cos(a), height / 2 + radius * math.sin(a)) for a in angles]


class Live(Folder):
    def cameras(self, *specs, **more):
        return fake.cameras(*specs, **more)

    def track(self, specs, *arguments, **keywords):
        """Runs glint track on all of the cameras."""
        sources = [spec.split("?")[0] for spec in specs]
        return self.glint("track", *sources, *arguments, env=self.cameras(*specs), **keywords)

    def handed_out(self, name):
        """Returns the frames that the camera delivered, by time in whole microseconds."""
        frames = {}
        for line in self.text(name).splitlines():
            frame, sequence, time, bad, exposure = line.split(",")
            frames[round(float(time) * 1e6)] = {"frame": int(frame), "sequence": int(sequence), "bad": bad == "1",
                                                "exposure": int(exposure)}
        return frames

    def found(self, table, log, record="tracks.json"):
        """Yields each row of camera 0 with the frame that it belongs to, which has the same time to a millisecond."""
        zero = json.loads(self.text(record))["time_zero"]["monotonic_s"]
        given = sorted(self.handed_out(log).items())
        for row in rows(self.dir / table):
            if row["camera"] != "0":
                continue
            time = (float(row["time_s"]) + zero) * 1e6
            nearest, frame = min(given, key=lambda entry: abs(entry[0] - time))
            self.assertLess(abs(nearest - time), 1000)
            yield row, frame

    def check_drops(self, log, record="tracks.json"):
        """Checks that every frame of the camera is in the table, or is counted as dropped before the next one there."""
        before, dropped = None, 0
        for row, frame in self.found("s.csv", log, record):
            self.assertEqual(int(row["source_frame"]), frame["sequence"])
            self.assertFalse(frame["bad"])
            if before is not None and frame["sequence"] > before:  # the camera has not begun to count anew
                self.assertEqual(int(row["dropped_before"]), frame["sequence"] - before - 1)
            before = frame["sequence"]
            dropped += int(row["dropped_before"])
        self.assertEqual(json.loads(self.text(record))["counts"]["dropped"], dropped)
        return dropped

    def check_pace(self, rate):
        """Checks rate and jitter, which come from the camera's own times and numbers, however few of its frames arrived."""
        stats = rows(self.dir / "s.csv")
        for row in stats[1:]:
            self.assertAlmostEqual(float(row["rate_hz"]), rate, delta=0.05)
            self.assertLess(float(row["jitter_ms"]), 0.1)
        for row in stats:
            self.assertLessEqual(int(row["skipped_before"]), int(row["dropped_before"]))
            self.assertEqual(row["uncertainty_ms"], "0.001")
        camera = json.loads(self.text("tracks.json"))["cameras"][0]
        self.assertAlmostEqual(camera["rate"], rate, delta=0.05)
        self.assertLess(camera["jitter_ms"], 0.1)
        self.assertEqual(camera["time_uncertainty_ms"], 0.001)
        self.assertGreaterEqual(camera["skipped"], sum(int(row["skipped_before"]) for row in stats))
        self.assertGreaterEqual(camera["skipped"], 5)
        self.assertLessEqual(camera["skipped"], camera["dropped"])


class Frames(Live):
    def test_rows_times_and_drops_are_those_of_the_camera(self):
        result = self.track(["/dev/video7?fps=50&skip=20-24&log=log"], "--stats", "s.csv", "--detections", "d.csv",
                            "--frames", 60, "--stream", "-")
        self.assertGreaterEqual(self.check_drops("log"), 5)
        streamed = {str(line["frame"]): line["age_ms"] for line in map(json.loads, result.stdout.splitlines())}
        ages = {row["frame"]: float(row["age_ms"]) for row in rows(self.dir / "s.csv")}
        self.assertGreater(len(streamed), 0)
        self.assertLessEqual(streamed.items(), ages.items())
        seen = {}
        for row, frame in self.found("d.csv", "log"):
            seen.setdefault(frame["frame"], []).append((float(row["x"]), float(row["y"])))
        self.assertEqual(len(seen), 60)
        for frame, places in seen.items():
            self.assertEqual(len(places), 3)
            for x, y in centres(frame):
                self.assertLess(min(math.hypot(x - px, y - py) for px, py in places), 0.05)
        for row in rows(self.dir / "s.csv"):
            self.assertGreaterEqual(float(row["delay_ms"]), 0)
            self.assertGreaterEqual(float(row["age_ms"]), float(row["delay_ms"]))
        self.check_pace(50)
        given = json.loads(self.text("tracks.json"))["cameras"][0]["given"]
        self.assertEqual([given[key] for key in ("device", "name", "pixel_format", "size", "rate")],
                         ["/dev/video7", "Fake Camera 7", "GREY", "320x240", "50"])

    def test_every_format_spans_the_full_scale(self):
        # Each row has the stored and the delivered level. Formats of more than 8 bits are delivered with 16. Luma of YUV is
        # 16 to 235.
        formats = [("GREY", 100, 100), ("Y10", 1023, 65535), ("Y10", 512, 32800), ("Y16", 40000, 40000),
                   ("YUYV", 235, 255), ("UYVY", 126, 128), ("NV12", 16, 0), ("MJPG", 100, 100),
                   ("BA81", 77, 77), ("RG16", 50000, 50000), ("RG10", 1, 64)]
        cameras = [f"/dev/video{i}?size=64x48&format={name}&level={stored}" for i, (name, stored, _) in enumerate(formats)]
        self.track(cameras, "--stats", "s.csv", "--frames", 40)
        seen = {int(row["camera"]): row for row in rows(self.dir / "s.csv")}
        for i, (name, _, delivered) in enumerate(formats):
            self.assertEqual([int(seen[i]["min"]), int(seen[i]["max"])], [delivered] * 2, name)

    def test_markers_are_found_in_jpeg_and_in_yuv(self):
        for name in ("MJPG", "YUYV"):
            self.track([f"/dev/video7?format={name}&corrupt=8-11&log=log{name}"], "--stats", "s.csv", "--detections", "d.csv",
                       "--frames", 30)
            self.check_drops(f"log{name}")
            for row, frame in self.found("d.csv", f"log{name}"):
                self.assertLess(min(math.hypot(x - float(row["x"]), y - float(row["y"]))
                                    for x, y in centres(frame["frame"])), 0.1)
            camera = json.loads(self.text("tracks.json"))["cameras"][0]
            self.assertLessEqual(camera["damaged"], 4)
            self.assertGreaterEqual(camera["dropped"], 4)

    def test_size_and_rate_are_asked_for_and_what_came_is_said(self):
        camera = ["/dev/video7?size=320x240&fps=50"]
        result = self.track(camera, "--frames", 3, "--set", "camera.size=160x120", "--set", "camera.rate=25")
        self.assertEqual(result.stderr, "")
        given = json.loads(self.text("tracks.json"))["cameras"][0]["given"]
        self.assertEqual([given["size"], given["rate"]], ["160x120", "25"])
        result = self.track(camera, "--frames", 3, "--set", "camera.size=640x480")
        self.assertEqual(result.stderr, "glint: '/dev/video7' (Fake Camera 7) sends 320x240 of GREY at 50 frames/s, not "
                                        "640x480 as requested\n")


class Several(Live):
    def test_cameras_of_other_kinds_share_one_clock(self):
        scene = "spots?size=320x240&markers=4&seed=3&frames=10&fps=50"
        self.glint("synth", scene, "-o", "clip.mkv")
        subprocess.run(["ffmpeg", "-loglevel", "error", "-i", "clip.mkv", "-q:v", "2", "-pix_fmt", "yuvj420p", "%02d.jpg"],
                       cwd=self.dir, check=True, timeout=TIMEOUT)
        server = MjpegServer([path.read_bytes() for path in sorted(self.dir.glob("*.jpg"))], 25)
        self.addCleanup(server.close)
        self.glint("track", "/dev/video0", server.url, "/dev/video1", "--stats", "s.csv", "--frames", 120,
                   env=self.cameras("/dev/video0?fps=50&log=log", "/dev/video1?fps=30&size=64x48&log=other"))
        self.assertEqual([camera["times_lost"] for camera in json.loads(self.text("tracks.json"))["cameras"]], [0, 0, 0])
        self.assertGreater(len(list(self.found("s.csv", "log"))), 5)
        zero = json.loads(self.text("tracks.json"))["time_zero"]["monotonic_s"]
        other = {frame["sequence"]: time / 1e6 for time, frame in self.handed_out("other").items()}
        sent = [time for _, time in server.sent]
        of_server = [float(row["time_s"]) + zero for row in rows(self.dir / "s.csv") if row["camera"] == "1"]
        self.assertGreater(len(of_server), 5)
        for n, time in enumerate(of_server):
            self.assertGreater(time, sent[n])
        for row in rows(self.dir / "s.csv"):
            if row["camera"] == "2":
                self.assertAlmostEqual(float(row["time_s"]) + zero, other[int(row["source_frame"])], delta=0.001)


class Controls(Live):
    def brightest(self, camera):
        return max(int(row["peak"]) for row in rows(self.dir / "d.csv") if row["camera"] == camera)

    def test_exposure_changes_the_picture_of_each_camera(self):
        self.track(["/dev/video0?exposure=50", "/dev/video1?exposure=50"], "--frames", 40, "--detections", "d.csv",
                   "--set", "camera.exposure=100", "--set", "camera.1.exposure=300", "--set", "camera.power_line=60 Hz")
        # Full scale is reached at an exposure of 400.
        self.assertAlmostEqual(self.brightest("0") / 255, 100 / 400, delta=0.02)
        self.assertAlmostEqual(self.brightest("1") / 255, 300 / 400, delta=0.02)
        cameras = json.loads(self.text("tracks.json"))["cameras"]
        for camera, exposure in zip(cameras, ("100", "300")):
            given = camera["given"]
            self.assertEqual([given["control.exposure"], given["control.auto_exposure"], given["control.power_line"]],
                             [exposure, "1", "2"])

    def test_what_is_set_belongs_to_the_camera_whatever_its_number(self):
        env = self.cameras("/dev/video0?exposure=50", "/dev/video1?exposure=50")

        def exposures(*arguments):
            self.glint("track", *arguments, "--frames", 3, env=env)
            return [camera["given"]["control.exposure"] for camera in json.loads(self.text("tracks.json"))["cameras"]]
        self.assertEqual(exposures("/dev/video0", "/dev/video1", "--record", "raw.mkv", "--set", "camera.0.exposure=100",
                                   "--set", "camera.1.exposure=300"), ["100", "300"])
        saved = ("--config", "raw_cam0.mkv")
        self.assertEqual(exposures("/dev/video1", "/dev/video0", *saved), ["300", "100"])
        self.assertEqual(exposures("/dev/video1", *saved), ["300"])
        # The command line's numbers are those of the cameras in this run.
        self.assertEqual(exposures("/dev/video1", "camera:Camera 0", *saved, "--set", "camera.0.exposure=77"), ["77", "100"])

    def test_what_is_refused_keeps_nothing_else_from_being_set(self):
        glint = self.start("track", "/dev/video0", "--control", "-", "--detections", "d.csv", stdin=subprocess.PIPE,
                           env={**os.environ, **self.cameras("/dev/video0?exposure=50&fps=100&unplug=60:0.3&log=log")})
        ask = asking(glint)
        wait_until(lambda: ask(do="status")["frames"] > 5, "a frame")
        self.assertTrue(ask(do="set", settings={"camera.exposure": 9000, "camera.controls": "exposure=300"})["ok"])
        wait_until(lambda: any(frame["frame"] > 60 and frame["exposure"] == 300 for frame in self.handed_out("log").values()),
                   "it is back with what it took")
        ask(do="quit")
        _, errors = glint.communicate(timeout=TIMEOUT)
        self.assertIn("cannot be set to 9000; it allows 1 to 5000", errors)
        self.assertIn("'/dev/video0' is back", errors)

    def test_exposure_can_be_changed_while_it_runs(self):
        glint = self.start("track", "/dev/video0", "--control", "-", "--detections", "d.csv", stdin=subprocess.PIPE,
                           env={**os.environ, **self.cameras("/dev/video0?exposure=50&fps=100")})
        ask = asking(glint)
        wait_until(lambda: ask(do="status")["frames"] > 5, "a frame")
        self.assertIn("cannot be changed", ask(do="set", settings={"camera.size": "64x48"})["error"])
        self.assertTrue(ask(do="set", settings={"camera.exposure": 300})["ok"])
        now = ask(do="status")["frames"]
        wait_until(lambda: ask(do="status")["frames"] > now + 20, "frames after the change")
        ask(do="quit")
        self.assertEqual(glint.wait(), 0, glint.stderr.read())
        peaks = [int(row["peak"]) for row in rows(self.dir / "d.csv")]
        self.assertLess(peaks[0], 0.2 * 255)
        self.assertAlmostEqual(peaks[-1] / 255, 0.75, delta=0.05)

    def test_exposure_is_brought_down_until_only_markers_are_left(self):
        # Markers reach full scale from an exposure of 400 on, and everything else is 0.04 + 0.1 / 400 of it. So both are as
        # they should be from 140 to 240.
        camera = "/dev/video0?fps=100&exposure=3200&ambient=0.1&log=log"
        result = self.glint("cameras", "camera:0", "--find-exposure", env=self.cameras(camera))
        found = int(re.fullmatch(r"camera\.exposure=(\d+)\n", result.stdout)[1])
        self.assertTrue(140 <= found <= 240, found)
        self.assertRegex(result.stderr, rf"exposure changed from 320 ms to {found / 10:g} ms in \d+ steps: the brightest pixel is at \d+ % of full")
        exposures = [frame["exposure"] for _, frame in sorted(self.handed_out("log").items())]
        self.assertEqual((exposures[0], exposures[-1]), (3200, found))
        self.assertEqual(exposures, sorted(exposures, reverse=True))
        # If markers stand out too little, glint says what helps.
        result = self.glint("cameras", "camera:0", "--find-exposure",
                            env=self.cameras("/dev/video0?fps=100&exposure=300&ambient=0.5"))
        self.assertIn("light from beside the lens", result.stderr)
        # In a run, the markers are found from then on, and a camera that comes back has the same exposure.
        (self.dir / "log").unlink()
        result = self.track([camera + "&unplug=120:0.3"], "--frames", 200, "--set", "camera.exposure=find", "--detections",
                            "d.csv")
        self.assertEqual(result.stderr.count("exposure changed from 320 ms"), 1)
        last = {row["frame"]: 0 for row in rows(self.dir / "d.csv")[-30:]}
        for row in rows(self.dir / "d.csv"):
            if row["frame"] in last:
                last[row["frame"]] += 1
        self.assertEqual(set(list(last.values())[1:]), {3})
        exposures = [frame["exposure"] for _, frame in sorted(self.handed_out("log").items())]
        self.assertEqual(exposures[-1], found)
        self.assertIn("needs the name", self.glint("cameras", "--find-exposure", status=2).stderr)

    def test_what_cameras_offer_is_listed(self):
        env = self.cameras("/dev/video0?format=Y10", "/dev/video3?fps=200", "/dev/video4?denied=1")
        cameras = json.loads(self.glint("cameras", "--json", env=env).stdout)["cameras"]
        cameras = [c for c in cameras if c["source"].startswith("camera:")]  # leaves out cameras that the network may have
        self.assertEqual([(c["source"], c["name"]) for c in cameras],
                         [("camera:0", "Fake Camera 0"), ("camera:3", "Fake Camera 3"), ("camera:4", "")])
        self.assertEqual(cameras[0]["modes"][0],
                         {"format": "Y10", "usable": True, "width": 320, "height": 240, "rates": [50, 25]})
        exposure = next(c for c in cameras[1]["controls"] if c["name"] == "exposure")
        self.assertEqual([exposure[key] for key in ("min", "max", "value", "unit", "automatic")],
                         [1, 5000, 200, "0.1 ms", True])
        self.assertIn("no permission", cameras[2]["problem"])
        text = self.glint("cameras", "Camera 3", "--controls", env=env).stdout
        self.assertIn("320x240: 200, 100 frames/s", text)
        self.assertIn("exposure = 200  1 to 5000 (0.1 to 500 ms); now set by the camera itself", text)
        self.assertNotIn("Fake Camera 0", text)
        self.glint("cameras", "elsewhere", env=env, status=1)
        self.assertIn("Fake Camera 3", self.glint("cameras", "camera:3", env=env).stdout)
        self.glint("track", "camera:fake camera 3", "--frames", 2, env=env)
        self.glint("track", "camera:3", "--frames", 2, env=env)


class Raw(Live):
    def test_a_replay_gives_what_the_live_run_gave(self):
        self.track(["/dev/video0?fps=50&skip=10-12", "/dev/video1?fps=30&format=Y16&size=160x120"], "--frames", 60, "--record",
                   "raw.mkv", "-o", "t.csv", "--detections", "d.csv", "--stats", "s.csv", "--set", "detect.separation=7")
        self.glint("track", "raw_cam0.mkv", "raw_cam1.mkv", "--config", "raw_cam1.mkv", "-o", "t2.csv", "--detections", "d2.csv",
                   "--stats", "s2.csv")
        self.assertEqual(self.text("d.csv"), self.text("d2.csv"))
        self.assertEqual(self.text("t.csv"), self.text("t2.csv"))
        self.assertGreater(len(self.text("t.csv").splitlines()), 100)
        live, again = rows(self.dir / "s.csv"), rows(self.dir / "s2.csv")
        for row in live + again:
            for column in ("source_frame", "delay_ms", "age_ms", "skipped_before", "rate_hz", "jitter_ms", "uncertainty_ms"):
                del row[column]
        self.assertEqual(live, again)
        self.assertEqual(json.loads(self.text("t2.json"))["settings"]["detect"]["separation"], 7)

    def test_one_that_is_started_later_begins_with_what_was_kept(self):
        glint = self.start("track", "/dev/video0", "--control", "-", "--detections", "d.csv", "--pre-roll", "0.5",
                           stdin=subprocess.PIPE, env={**os.environ, **self.cameras("/dev/video0")})
        ask = asking(glint)
        wait_until(lambda: ask(do="status")["frames"] > 50, "a second of frames")
        self.assertTrue(ask(do="record", file="take.raw.mkv")["ok"])
        wait_until(lambda: any(r["name"] == "take.raw.mkv" and r["frames"] >= 10 for r in ask(do="status")["recordings"]),
                   "a recording")
        self.assertTrue(ask(do="record_stop")["ok"])
        ask(do="quit")
        self.assertEqual(glint.wait(), 0, glint.stderr.read())
        self.glint("track", "take.raw.mkv", "--stats", "s.csv", "--detections", "again.csv")
        times = {row["frame"]: float(row["time_s"]) for row in rows(self.dir / "s.csv")}
        live = {}
        for row in rows(self.dir / "d.csv"):
            live.setdefault(row["frame"], []).append(row)
        frames = list(live)
        first = frames.index(list(times)[0])
        # The frames are the same as in the live run, one after another, also those before the command. The first frame has a
        # different history, but its markers are where they were.
        self.assertEqual(list(times), frames[first:first + len(times)])
        self.assertGreater(len(times), 10)
        self.assertEqual(live[frames[first]][0]["time_s"], f"{times[frames[first]]:.6f}")
        again = {}
        for row in rows(self.dir / "again.csv"):
            again.setdefault(row["frame"], []).append((row["peak_x"], row["peak_y"]))
        for frame in list(times)[1:]:
            self.assertEqual(again[frame], [(row["peak_x"], row["peak_y"]) for row in live[frame]])

    def test_what_is_no_raw_recording_is_refused(self):
        camera = ["/dev/video0"]
        self.assertIn("ends in .mkv", self.track(camera, "--record", "raw.mp4", status=2).stderr)
        self.assertIn("would be written twice",
                      self.track(camera, "--record", "raw.mkv", "--overlay", "raw.mkv", status=2).stderr)
        self.glint("synth", "spots?size=64x48&markers=3&frames=3", "-o", "other.mkv")
        self.assertIn("holds no settings", self.glint("track", "other.mkv", "--config", "other.mkv", status=2).stderr)
        self.track(camera, "--record", "raw.mkv", "--frames", 3)
        self.assertIn("is read by this run", self.glint("track", "raw.mkv", "--record", "raw.mkv", status=2).stderr)


class Faults(Live):
    def test_one_that_is_unplugged_or_stalls_comes_back_and_the_others_go_on(self):
        result = self.track(["/dev/video0?unplug=100:0.6&log=log", "/dev/video1?fps=30&stall=10:3",
                             "/dev/video2?fps=60&real=20&size=64x48"],
                            "--stats", "s.csv", "--frames", 400, "--set", "camera.0.exposure=100", "--detections", "d.csv")
        self.assertIn("camera 0 is lost: '/dev/video0' has been unplugged", result.stderr)
        self.assertIn("'/dev/video0' is back", result.stderr)
        self.assertIn("camera 1 is lost: '/dev/video1' sends nothing", result.stderr)
        self.assertIn("'/dev/video1' is back", result.stderr)
        self.assertRegex(result.stderr, r"'/dev/video2' delivers [12]\d\.\d frames/s instead of 60")
        record = json.loads(self.text("tracks.json"))
        self.assertEqual([camera["times_lost"] for camera in record["cameras"]], [1, 1, 0])
        found = [frame for _, frame in self.found("s.csv", "log")]
        after = [frame["sequence"] for frame in found if frame["frame"] > 100]
        self.assertEqual(after, sorted(after))
        self.assertLess(after[0], 100)  # the camera counts from 0 again
        # The camera must have the exposure that was set.
        self.assertEqual({frame["exposure"] for frame in found}, {100})
        self.assert_whole_rows("s.csv")

    def test_other_clocks_are_not_believed(self):
        result = self.track(["/dev/video0?times=0"], "--frames", 10)
        self.assertIn("does not stamp its frames by this host's clock", result.stderr)
        times = [float(row["time_s"]) for row in rows(self.dir / "tracks.csv") if row["track"] == "1"]
        self.assertTrue(all(0 < b - a < 60 for a, b in zip(times, times[1:])))

    def test_a_clock_that_jumps_is_said_and_not_followed(self):
        result = self.track(["/dev/video0?jump=50:3600&log=log"], "--stats", "s.csv", "--frames", 80)
        self.assertEqual(result.stderr.count("does not stamp its frames by this host's clock"), 1)
        zero = json.loads(self.text("tracks.json"))["time_zero"]["monotonic_s"]
        taken = {frame["sequence"]: (frame["frame"], time / 1e6) for time, frame in self.handed_out("log").items()}
        frames = set()
        for row in rows(self.dir / "s.csv"):
            frame, time = taken[int(row["source_frame"])]
            frames.add(frame > 50)
            late = float(row["time_s"]) + zero - time
            self.assertTrue(-0.001 < late < (0.001 if frame <= 50 else TIMEOUT), (row, time))
        self.assertIn(True, frames)

    def test_one_that_floods_is_not_followed_but_counted(self):
        self.track(["/dev/video0?size=640x480&fps=2000&log=log"], "--stats", "s.csv", "--frames", 60)
        self.assertGreaterEqual(self.check_drops("log"), 20)

    def refusal(self, spec, *arguments, status):
        result = self.track([spec], "--frames", 3, *arguments, status=status)
        self.assertFalse((self.dir / "tracks.csv").exists())
        return result.stderr

    def test_what_cannot_be_had_is_refused_in_a_sentence(self):
        plain = "/dev/video0?fps=50"
        self.assertIn("in use by another program", self.refusal(plain + "&busy=1", status=1))
        try:
            group = grp.getgrgid(os.getgid()).gr_name
        except KeyError:
            group = str(os.getgid())
        self.assertIn(f"no permission to open the camera '/dev/video0' (/dev/video0): it belongs to the group '{group}'; "
                      f"join that (sudo usermod -aG {group} YOUR_NAME)", self.refusal(plain + "&denied=1", status=1))
        for setting, words in (("camera.format=YUYV", "has no YUYV that Glint can read; it has GREY"),
                               ("camera.size=large", "'large' is not a size"),
                               ("camera.focus=3", "no such control; it has gain, power_line, auto_exposure, exposure"),
                               ("camera.gain=101", "cannot be set to 101; it allows 0 to 100"),
                               ("camera.power_line=55 Hz", "it allows 0 (Disabled), 1 (50 Hz), 2 (60 Hz)"),
                               ("camera.controls=hue", "'hue' is not NAME=VALUE")):
            self.assertIn(words, self.refusal(plain, "--set", setting, status=2))
        result = self.glint("track", "/dev/video5", status=1, env=self.cameras(plain))
        self.assertIn("there is no camera '/dev/video5'", result.stderr)
        result = self.glint("track", "camera:other", status=1, env=self.cameras(plain))
        self.assertIn("there is no camera 'other'; there are camera:0 (Fake Camera 0)", result.stderr)


if __name__ == "__main__":
    unittest.main()
