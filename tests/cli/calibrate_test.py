"""Tests `glint calibrate` and `glint rig` from the command line: tables that go in, rigs that come out, and messages."""

import json
import math
import os
import pathlib
import random
import re
import statistics
import struct
import subprocess
import sys
import tomllib
import unittest
import zlib

from harness import Folder, rows


def pixel(eye, point, f=1000.0, size=(1280, 1024)):
    """Returns the pixel of a point. A camera at `eye` without distortion looks at the origin, and the world's z axis points up."""
    forward = [-a / math.dist(eye, (0, 0, 0)) for a in eye]
    right = [forward[1], -forward[0], 0.0]
    length = math.hypot(*right)
    right = [a / length for a in right]
    down = [forward[1] * right[2] - forward[2] * right[1], forward[2] * right[0] - forward[0] * right[2],
            forward[0] * right[1] - forward[1] * right[0]]
    seen = [sum(a * (p - e) for a, p, e in zip(axis, point, eye)) for axis in (right, down, forward)]
    return (size[0] - 1) / 2 + f * seen[0] / seen[2], (size[1] - 1) / 2 + f * seen[1] / seen[2]


# OpenCV's photographs of a board, which are in Debian's package opencv-doc.
SAMPLES = pathlib.Path(os.environ.get("OPENCV_SAMPLES", "/usr/share/doc/opencv-doc/examples/data"))

EYES = [(3500 * math.cos(a), 3500 * math.sin(a), z) for a, z in ((0.1, 500), (1.3, 1200), (2.6, 700))]


def waved(frames=150, sigma=0.1, seed=1):
    """Returns rows camera,frame,time_s,x,y,sigma_x,sigma_y of a wand of 500 mm."""
    rng = random.Random(seed)
    lines = ["camera,frame,time_s,x,y,sigma_x,sigma_y"]
    for frame in range(frames):
        middle = [rng.uniform(-1000, 1000) for _ in range(3)]
        along = [rng.gauss(0, 1) for _ in range(3)]
        half = 250 / math.hypot(*along)
        for camera, eye in enumerate(EYES):
            for sign in rng.sample((-1, 1), 2):
                x, y = pixel(eye, [m + sign * half * a for m, a in zip(middle, along)])
                x, y = x + rng.gauss(0, sigma), y + rng.gauss(0, sigma)
                if 0 <= x <= 1279 and 0 <= y <= 1023:
                    lines.append(f"{camera},{frame},{frame / 2:.3f},{x:.4f},{y:.4f},{sigma},{sigma}")
    return "\n".join(lines) + "\n"


class Calibrate(Folder):
    def setUp(self):
        super().setUp()
        (self.dir / "points.csv").write_text(waved())

    def calibrate(self, *arguments, **keywords):
        return self.glint("calibrate", "--detections", "points.csv", *arguments, **keywords)

    def refused(self, sentence, *arguments, status=1):
        result = self.calibrate(*arguments, "-o", "rig.toml", status=status)
        self.assertIn(sentence, result.stderr)
        self.assertFalse((self.dir / "rig.toml").exists())

    def test_a_table_becomes_a_rig_with_its_record(self):
        said = self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "rig.toml").stdout
        self.assertIn("accuracy: excellent", said)
        self.assertIn("coverage: good", said)
        self.assertEqual(said.count("500 mm"), 1)
        self.assertIn("kept back: 3", said)
        rig = tomllib.loads(self.text("rig.toml"))
        self.assertEqual(sorted(rig), ["cam_0", "cam_1", "cam_2", "metadata"])
        for name in ("cam_0", "cam_1", "cam_2"):
            self.assertAlmostEqual(rig[name]["matrix"][0][0], 1000, delta=3)
            self.assertEqual(rig[name]["size"], [1280, 1024])
        self.assertEqual(rig["cam_0"]["translation"], [0, 0, 0])
        self.assertEqual(rig["metadata"]["unit"], "mm")
        covariance = rig["metadata"]["covariance"]
        self.assertEqual([len(row) for row in covariance["lower_triangle"]],
                         list(range(1, len(covariance["parameters"]) + 1)))
        self.assertIn("cam_2.translation_z", covariance["parameters"])
        record = json.loads(self.text("rig.json"))
        self.assertAlmostEqual(record["kept_back"]["wand_mm"]["mean"], 500, delta=0.3)
        self.assertEqual(len(record["cameras"]), 3)

        told = self.glint("rig", "rig.toml").stdout
        self.assertIn("3 cameras, lengths in mm", told)
        eyes = [math.dist(EYES[0], EYES[c]) for c in (1, 2)]
        for camera, distance in zip((1, 2), eyes):
            position = told.split(f"cam_{camera} ")[1].split("at (")[1].split(")")[0]
            self.assertAlmostEqual(math.hypot(*map(float, position.split(","))), distance, delta=5)

    def test_a_rig_is_moved_and_written_for_others(self):
        self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "rig.toml")
        self.glint("rig", "rig.toml", "--origin", "1,2,3", "--up", "0,-1,0", "--scale", "0.001", "-o", "moved.toml")
        moved = tomllib.loads(self.text("moved.toml"))
        self.assertIn("covariance", moved["metadata"])
        self.glint("rig", "moved.toml", "--camera", "0", "--scale", "1000", "-o", "back.toml")
        before, after = (tomllib.loads(self.text(name)) for name in ("rig.toml", "back.toml"))
        for a, b in zip(before["cam_2"]["translation"], after["cam_2"]["translation"]):
            self.assertAlmostEqual(a, b, delta=1e-6)
        (self.dir / "unscaled.toml").write_text(self.text("rig.toml").replace('unit = "mm"', 'unit = "arbitrary"'))
        for change, unit in ((("--camera", "1"), "arbitrary"), (("--scale", "2.5"), "mm")):
            self.glint("rig", "unscaled.toml", *change, "-o", "unit.toml")
            self.assertEqual(tomllib.loads(self.text("unit.toml"))["metadata"]["unit"], unit)
        self.glint("rig", "rig.toml", "--as", "opencv", "-o", "rig.yml")
        self.assertTrue(self.text("rig.yml").startswith("%YAML:1.0\n---\n"))
        self.glint("rig", "rig.toml", "--as", "colmap", "-o", "sparse")
        self.assertEqual(self.text("sparse/cameras.txt").count("FULL_OPENCV"), 3)
        self.glint("rig", "rig.toml", "--as", "anipose", "-o", "anipose.toml")
        self.assertNotIn("covariance", self.text("anipose.toml"))
        told = self.glint("rig", "anipose.toml").stdout
        self.assertIn("no covariance: how exact it is, is not known", told)
        self.assertNotIn("+-", told)
        self.assertIn("+-", self.glint("rig", "rig.toml").stdout)

    def test_a_page_shows_images_lengths_and_space(self):
        self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "rig.toml", "--report", "rig.html", "--up", "z")
        page = self.text("rig.html")
        for part in ("coverage", "slice0", "slice1", "slice2", "lengths", "shared"):
            self.assertIn(f'id="{part}"', page)
        self.assertIn("<dt>Accuracy</dt><dd>excellent</dd>", page)
        self.assertNotIn("http", page.replace("http-equiv", ""))
        volume = json.loads(self.text("rig.json"))["volume"]
        self.assertEqual([len(one["sigma_mm"]) for one in volume["slices"]], [256] * 3)
        self.assertLess(volume["best_mm"], volume["worst_mm"])
        # The first camera now looks along y, and z points up in the world.
        rig = tomllib.loads(self.text("rig.toml"))
        x, y = projected(rig["cam_0"], [0, 1000, 0])
        self.assertAlmostEqual(x, rig["cam_0"]["matrix"][0][2], delta=1e-6)
        self.assertLess(projected(rig["cam_0"], [0, 1000, 100])[1], y)

    def test_cameras_that_share_moments_are_counted(self):
        self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "rig.toml")
        shared = json.loads(self.text("rig.json"))["shared_moments"]
        self.assertEqual([len(row) for row in shared], [3, 3, 3])
        self.assertEqual(shared[0][2], shared[2][0])
        self.assertGreater(shared[0][2], 60)

    def test_lenses_that_are_given_stay(self):
        self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "rig.toml")
        self.calibrate("--intrinsics", "rig.toml", "--fix", "intrinsics", "--wand", "500", "-o", "again.toml")
        before, after = (tomllib.loads(self.text(name)) for name in ("rig.toml", "again.toml"))
        self.assertEqual(before["cam_1"]["matrix"], after["cam_1"]["matrix"])

    def test_what_cannot_be_is_a_sentence_and_no_file(self):
        size = ("--size", "1280x1024")
        self.refused("say what was moved", *size, status=2)
        self.refused("needs --size", "--wand", "500", status=2)
        self.refused("--size 12: write WIDTHxHEIGHT", "--size", "12", "--wand", "500", status=2)
        self.refused("the two ends look alike", *size, "--wand", "250,250", status=2)
        self.refused("--distance is for --point", *size, "--wand", "500", "--distance", "0,1,100", status=2)
        self.refused("cameras 0 to 2", *size, "--point", "--distance", "0,7,100", status=2)
        self.refused("--offset x: write", *size, "--wand", "500", "--offset", "x", status=2)
        self.refused("--origin floor is unknown", *size, "--wand", "500", "--origin", "floor", status=2)
        self.refused("needs a wand of three", *size, "--wand", "500", "--origin", "wand", status=2)
        self.refused("no camera has points in this frame", *size, "--wand", "500", "--origin", "markers:999")
        self.refused("2 markers are seen", *size, "--wand", "500", "--origin", "markers:5")
        self.refused("--up x", *size, "--wand", "500", "--up", "x", status=2)
        self.refused("--fix intrinsics needs", *size, "--wand", "500", "--fix", "intrinsics", status=2)
        self.refused("outside its 640x480", "--size", "640x480", "--wand", "500")
        # The image is stated to be larger than it is.
        said = self.calibrate("--size", "1920x1536", "--wand", "500", "-o", "large.toml").stdout
        self.assertIn("accuracy: fair (", said)
        self.assertIn("what would help most: check the size of camera 0's image", said)
        (self.dir / "points.csv").write_text(waved(20))
        self.refused("in 20 moments only", *size, "--wand", "500")
        line = [(c, f, *pixel(eye, (f * 10 - 500, 0, 0))) for c, eye in enumerate(EYES) for f in range(100)]
        (self.dir / "points.csv").write_text("camera,frame,x,y\n" + "".join(f"{c},{f},{x},{y}\n" for c, f, x, y in line))
        said = self.calibrate(*size, "--point", "-o", "rig.toml", status=1).stderr
        self.assertIn("moved along a straight line", said)
        self.assertEqual(said.count("\n"), 1, said)  # The solver must not print anything of its own.
        (self.dir / "points.csv").write_text("camera,frame,x,y\n0,0,nan,3\n")
        self.refused("is not a valid x", *size, "--wand", "500")

    def test_one_camera_is_refused_before_it_is_read(self):
        endless = "synth:wand?size=64x48&frames=1000000000"
        for moved in (["--wand", "500"], ["--point"]):
            result = self.glint("calibrate", endless, *moved, "-o", "rig.toml", status=2)
            self.assertIn("is one camera, but two or more must see a light or a wand; use --board", result.stderr)

    def test_the_table_is_not_written_over(self):
        before = self.text("points.csv")
        self.calibrate("--size", "1280x1024", "--wand", "500", "-o", "points.csv", status=2)
        self.assertEqual(self.text("points.csv"), before)


def png(width, height, pixels):
    """Returns a grey PNG of `pixels`, the bytes of its rows."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + pixels[y * width:(y + 1) * width] for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def board_image(f, size, turn, at, base, squares=(6, 5), side=30.0):
    """Returns the image of a chessboard from a camera at (base, 0, 0). The board is turned by the rotation vector `turn`, and its first corner is at
    `at`."""
    width, height = size
    r1, r2 = turned(turn, (1, 0, 0)), turned(turn, (0, 1, 0))
    t = [at[0] - base, at[1], at[2]]
    h = [[f * a[0] + (width - 1) / 2 * a[2] for a in (r1, r2, t)], [f * a[1] + (height - 1) / 2 * a[2] for a in (r1, r2, t)],
         [a[2] for a in (r1, r2, t)]]
    inverse = [[h[(j + 1) % 3][(i + 1) % 3] * h[(j + 2) % 3][(i + 2) % 3] - h[(j + 1) % 3][(i + 2) % 3] * h[(j + 2) % 3][(i + 1) % 3]
                for j in range(3)] for i in range(3)]
    soft = side * f / t[2]  # The width of a square in pixels, because edges are as wide as a pixel.

    def wave(a):
        to = (a - round(a)) * soft
        return (1 if math.floor(a + 0.5) % 2 == 0 else -1) * max(-1.0, min(1.0, to))
    pixels = bytearray(width * height)
    for y in range(height):
        for x in range(width):
            u, v, w = (row[0] * x + row[1] * y + row[2] for row in inverse)
            u, v = u / w / side, v / w / side
            inside = -1 < u < squares[0] - 1 and -1 < v < squares[1] - 1
            pixels[y * width + x] = int(125 + 100 * wave(u) * wave(v)) if inside else 235
    return png(width, height, bytes(pixels))


class Boards(Folder):
    def test_images_of_a_board_give_cameras(self):
        rng = random.Random(4)
        size, f = (320, 240), 300.0
        for camera in (0, 1):
            (self.dir / f"c{camera}").mkdir()
        for k in range(10):
            turn = [rng.uniform(-0.45, 0.45) for _ in range(3)]
            at = [rng.uniform(-85, -35), rng.uniform(-65, -25), rng.uniform(240, 330)]
            for camera in (0, 1):
                image = board_image(f, size, turn, at, 40.0 * camera)
                (self.dir / f"c{camera}" / f"{k:02}.png").write_bytes(image)
        said = self.glint("calibrate", "c0", "c1", "--board", "chessboard:5x4:30mm", "--lens", "none", "--origin", "board",
                          "-o", "rig.toml", "--report", "rig.html").stdout
        self.assertIn("2 cameras", said)
        self.assertIn("the board found in", said)
        rig = tomllib.loads(self.text("rig.toml"))
        eyes = []
        for camera in (rig["cam_0"], rig["cam_1"]):
            self.assertAlmostEqual(camera["matrix"][0][0], f, delta=4)
            eyes.append([-a for a in turned([-w for w in camera["rotation"]], camera["translation"])])
            self.assertGreater(eyes[-1][2], 100)  # The camera is above the board.
        self.assertAlmostEqual(math.dist(*eyes), 40, delta=1)
        self.assertIn('id="coverage"', self.text("rig.html"))
        self.assertEqual(rig["metadata"]["orientation"], ["as stored", "as stored"])
        self.glint("calibrate", "c0?rotate=180", "c1", "--board", "chessboard:5x4:30mm", "--lens", "none", "-o", "half.toml")
        self.assertEqual(tomllib.loads(self.text("half.toml"))["metadata"]["orientation"], ["turned by 180 degrees", "as stored"])

    def test_parts_of_a_charuco_board_give_cameras(self):
        self.glint("synth", "board?frames=24", "-o", "b.mkv", "--rig", "true.toml")
        board, sources = "charuco:5x7:40mm:30mm:DICT_4X4_50", [f"b_cam{c}.mkv" for c in range(2)]
        said = self.glint("calibrate", *sources, "--board", board, "--lens", "none", "--up", "z", "-o", "rig.toml").stdout
        self.assertIn("2 cameras", said)
        self.assertIn("the board found in", said)
        rig, true = (tomllib.loads(self.text(name)) for name in ("rig.toml", "true.toml"))
        eyes = [[[-a for a in turned([-w for w in r[f"cam_{c}"]["rotation"]], r[f"cam_{c}"]["translation"])] for c in range(2)]
                for r in (rig, true)]
        for name in ("cam_0", "cam_1"):
            self.assertAlmostEqual(rig[name]["matrix"][0][0], true[name]["matrix"][0][0], delta=3)
        self.assertAlmostEqual(math.dist(*eyes[0]), math.dist(*eyes[1]), delta=4)
        for sentence, other in (("markers of DICT_4X4_50 are seen, not of DICT_6X6_50", board.replace("4X4", "6X6")),
                                ("as on a board of 7x5 squares", board.replace("5x7", "7x5")),
                                ("camera 0 sees the whole board in 0 frames only", "chessboard:9x6:40mm")):
            result = self.glint("calibrate", *sources, "--board", other, "-o", "none.toml", status=1)
            self.assertIn(sentence, result.stderr)
            self.assertFalse((self.dir / "none.toml").exists())

    def test_the_stereo_chessboard_of_opencv_gives_what_opencv_reaches(self):
        if not SAMPLES.exists():
            why = f"no {SAMPLES}: Debian's opencv-doc is not installed"
            print("skipped:", why, file=sys.stderr)
            self.skipTest(why)
        for side in ("left", "right"):
            (self.dir / side).mkdir()
            for path in sorted(SAMPLES.glob(f"{side}[01]*.jpg")):
                (self.dir / side / path.name).write_bytes(path.read_bytes())
        known = {"left": 0.19, "right": 0.20}  # The rms errors (px) that each camera alone is known to reach.
        for side, rms in known.items():
            self.glint("calibrate", side, "--board", "chessboard:9x6:25mm", "-o", f"{side}.toml")
            self.assertLess(json.loads(self.text(f"{side}.json"))["cameras"][0]["rms_px"], rms + 0.01)
        self.glint("calibrate", "left", "right", "--board", "chessboard:9x6:25mm", "-o", "rig.toml")
        for camera in json.loads(self.text("rig.json"))["cameras"]:
            self.assertLess(camera["rms_px"], 0.22)
        rig = tomllib.loads(self.text("rig.toml"))
        self.assertAlmostEqual(math.hypot(*rig["cam_1"]["translation"]), 83.3, delta=0.5)

    def test_what_is_no_board_is_a_sentence(self):
        (self.dir / "grey").mkdir()
        for k in range(6):
            (self.dir / "grey" / f"{k}.png").write_bytes(png(64, 48, bytes(64 * 48)))
        for status, sentence, arguments in (
                (1, "camera 0 sees the whole board in 0 frames only", ("grey", "--board", "chessboard:5x4:30mm")),
                (2, "write chessboard:COLUMNSxROWS:SIZEmm", ("grey", "--board", "chessboard:5x4")),
                (2, "write charuco:COLUMNSxROWS", ("grey", "--board", "charuco:5x7:40mm")),
                (2, "has 60 markers, but DICT_4X4_50 has 50", ("grey", "--board", "charuco:11x11:40mm:30mm:DICT_4X4_50")),
                (2, "say what was moved", ("grey", "--board", "chessboard:5x4:30mm", "--point")),
                (2, "--origin wand needs", ("grey", "--board", "chessboard:5x4:30mm", "--origin", "wand")),
                (2, "--origin board is not for the light", ("grey", "--point", "--origin", "board")),
                (2, "--detections needs --size", ("--detections", "t.csv", "--board", "chessboard:5x4:30mm")),
                (1, "t.csv cannot be opened for reading", ("--detections", "t.csv", "--size", "64x48", "--board", "chessboard:5x4:30mm"))):
            result = self.glint("calibrate", *arguments, "-o", "none.toml", status=status)
            self.assertIn(sentence, result.stderr)
            self.assertFalse((self.dir / "none.toml").exists())


class Synth(Folder):
    def test_a_waved_wand_is_true_in_space_and_its_rig_sees_it(self):
        self.glint("synth", "wand?frames=3&size=320x256&middle=150", "-o", "w.mkv", "--truth", "t.csv", "--truth3d",
                   "s.csv", "--rig", "rig.toml")
        rig = tomllib.loads(self.text("rig.toml"))
        self.assertEqual(rig["cam_3"]["matrix"][0][0], 250)
        import csv
        with open(self.dir / "s.csv", newline="") as file:
            space = {(int(r["frame"]), int(r["marker"])): [float(r[k]) for k in ("x_mm", "y_mm", "z_mm")]
                     for r in csv.DictReader(file)}
        self.assertEqual(len(space), 9)
        for frame in range(3):
            self.assertAlmostEqual(math.dist(space[frame, 1], space[frame, 2]), 500, delta=1e-3)
            self.assertAlmostEqual(math.dist(space[frame, 1], space[frame, 3]), 150, delta=1e-3)
        with open(self.dir / "t.csv", newline="") as file:
            seen = [r for r in csv.DictReader(file)]
        self.assertEqual(len(seen), 4 * 9)
        for row in seen:
            point = space[int(row["frame"]), int(row["id"])]
            x, y = projected(rig[f"cam_{row['camera']}"], point)
            self.assertAlmostEqual(float(row["x"]), x, delta=2e-3)
            self.assertAlmostEqual(float(row["y"]), y, delta=2e-3)

    def test_recordings_are_calibrated_without_a_table(self):
        self.glint("synth", "wand?frames=90&size=320x256&middle=150", "-o", "w.mkv", "--rig", "true.toml")
        sources = [f"w_cam{c}.mkv" for c in range(4)]
        said = self.glint("calibrate", *sources, "--wand", "150,350", "-o", "rig.toml").stdout
        self.assertIn("4 cameras, 90 moments", said)
        rig, true = (tomllib.loads(self.text(name)) for name in ("rig.toml", "true.toml"))
        self.assertEqual(rig["metadata"]["orientation"], ["as stored"] * 4)
        eyes = [[math.dist((0, 0, 0), r[f"cam_{c}"]["translation"]) for c in range(4)] for r in (rig, moved_to_first(true))]
        for c in range(4):
            self.assertEqual(rig[f"cam_{c}"]["size"], [320, 256])
            self.assertAlmostEqual(rig[f"cam_{c}"]["matrix"][0][0], 250, delta=3)
            self.assertAlmostEqual(eyes[0][c], eyes[1][c], delta=40)
        for status, sentence, arguments in (
                (2, "--size is for --detections", (*sources, "--size", "320x256")),
                (2, "name sources, or a table", ()),
                (2, "name sources, or a table", (*sources, "--detections", "points.csv")),
                (2, "is one camera, but two or more must see", (sources[0],)),
                (1, "missing.mkv", (sources[0], "missing.mkv"))):
            result = self.glint("calibrate", *arguments, "--wand", "150,350", "-o", "none.toml", status=status)
            self.assertIn(sentence, result.stderr)
            self.assertFalse((self.dir / "none.toml").exists())

    def test_a_late_camera_is_told_and_allowed_for(self):
        self.glint("synth", "wand?frames=150&size=320x256&fps=120&cameras=3", "-o", "w.mkv")
        subprocess.run(["ffmpeg", "-v", "error", "-i", "w_cam2.mkv", "-vf", "select='gte(n,1)',setpts=N/120/TB", "-r", "120",
                        "-c:v", "ffv1", "late.mkv"], cwd=self.dir, check=True)
        sources = ["w_cam0.mkv", "w_cam1.mkv", "late.mkv"]
        said = self.glint("calibrate", *sources, "--wand", "500", "--lens", "none", "-o", "rig.toml").stdout
        self.assertIn("camera 2 is out of step: it sees ", said)
        offsets = tomllib.loads(self.text("rig.toml"))["metadata"]["time_offset_s"]
        self.assertAlmostEqual(offsets[2], 1 / 120, delta=0.001)
        self.assertEqual(offsets[:2], [0, 0])
        # The points of the rig are as far apart as the wand's ends. Without the time offsets they are not.
        text = self.text("rig.toml")
        (self.dir / "step.toml").write_text(re.sub("time_offset_s = .*", "time_offset_s = [0, 0, 0]", text))
        off = {}
        for rig in ("rig", "step"):
            self.glint("track", *sources, "--rig", f"{rig}.toml", "-o", "t.csv", "--points", "p.csv")
            frames = {}
            for row in rows(self.dir / "p.csv"):
                frames.setdefault(int(row["frame"]), []).append([float(row[k]) for k in ("x_mm", "y_mm", "z_mm")])
            lengths = [math.dist(*ends) for ends in frames.values() if len(ends) == 2]
            self.assertGreater(len(lengths), 120)
            off[rig] = statistics.median(abs(length - 500) for length in lengths)
        self.assertLess(off["rig"], 0.6 * off["step"])

    def test_a_flat_scene_has_no_space(self):
        result = self.glint("synth", "spots?frames=1", "-o", "s.mkv", "--rig", "rig.toml", status=2)
        self.assertIn("is flat", result.stderr)


def turned(w, point):
    """Returns a point turned by the rotation vector `w` (Rodrigues' formula)."""
    angle = math.hypot(*w)
    if angle == 0:
        return list(point)
    k = [a / angle for a in w]
    cross = [k[1] * point[2] - k[2] * point[1], k[2] * point[0] - k[0] * point[2], k[0] * point[1] - k[1] * point[0]]
    dot = sum(a * b for a, b in zip(k, point))
    return [p * math.cos(angle) + c * math.sin(angle) + a * dot * (1 - math.cos(angle)) for p, c, a in zip(point, cross, k)]


def moved_to_first(rig):
    """Returns the positions of all cameras in the frame of the first, as translations without rotations."""
    eyes = [[-a for a in turned([-w for w in rig[f"cam_{c}"]["rotation"]], rig[f"cam_{c}"]["translation"])] for c in range(4)]
    return {f"cam_{c}": {"translation": [a - b for a, b in zip(eyes[c], eyes[0])]} for c in range(4)}


def projected(camera, point):
    """Returns the pixel of a point, without distortion."""
    seen = [a + t for a, t in zip(turned(camera["rotation"], point), camera["translation"])]
    m = camera["matrix"]
    return m[0][2] + m[0][0] * seen[0] / seen[2], m[1][2] + m[1][1] * seen[1] / seen[2]


if __name__ == "__main__":
    unittest.main()
