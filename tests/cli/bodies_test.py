"""Tests rigid bodies from the command line: poses of a known body, learned bodies, the same bytes from all commands, and messages.

usage: bodies_test.py GLINT [unittest arguments]
"""

import json
import math
import random
import subprocess
import unittest

from harness import Folder, asking, rows, wait_until

CAMERAS = [f"d_cam{n}.mkv" for n in range(4)]
HEADER = ("frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw,sigma_mm,sigma_deg,markers,residual_mm,state,flags")
RIG = """[cam_{n}]
size = [1280, 1024]
matrix = [[1000, 0, 640], [0, 1000, 512], [0, 0, 1]]
distortions = [0, 0, 0, 0, 0]
rotation = [0, {turn}, 0]
translation = [{x}, 0, {z}]

"""
MARKERS = [[0, 0, 0], [100, 0, 0], [20, 80, 0], [40, 30, 60]]
BODY = """[[body]]
name = "tool"
sigma = 0.05
labels = ["tip", "b", "c", "d"]
markers = [[0, 0, 0], [100, 0, 0], [20, 80, 0], [40, 30, 60]]
"""
FRAMES = 60


def turned(at, angle):
    """Returns a point turned about y."""
    x, y, z = at
    c, s = math.cos(angle), math.sin(angle)
    return [c * x + s * z, y, c * z - s * x]


class Session(Folder):
    """A scene of four cameras, from its pixels on. Parts of the dancer are rigid."""

    def test_the_session_and_the_table_give_the_same_bytes(self):
        self.glint("synth", "dancer?cameras=4&size=640x512&frames=30", "-o", "d.mkv", "--rig", "rig.toml")
        given = ["--rig", "rig.toml"]
        self.glint("track", *CAMERAS, "-o", "t.csv", *given, "--points", "p.csv", "--detections", "d.csv")
        said = self.glint("bodies", "--learn", "p.csv", "-o", "b.toml").stdout
        self.assertIn("body1: points ", said)
        given += ["--bodies", "b.toml"]
        done = self.glint("track", *CAMERAS, "-o", "t.csv", *given, "--points", "p1.csv", "--poses", "q1.csv", "--stream", "-")
        self.glint("reconstruct", "--detections", "d.csv", *given, "--points", "p2.csv", "--poses", "q2.csv")
        self.assertEqual(self.text("p1.csv"), self.text("p2.csv"))
        self.assertEqual(self.text("q1.csv"), self.text("q2.csv"))
        found = rows(self.dir / "q1.csv")
        self.assertGreater(len(found), 40)
        names = {row["body"] for row in found}
        self.assertGreater(len(names), 1)
        points = rows(self.dir / "p1.csv")
        self.assertLess({row["body"] for row in points} - {""}, names | {"?"})
        self.check_stream(done.stdout, points, found)
        self.assertIn("\nin space: ", done.stderr)
        self.assertIn("\nbody 'body1' in ", done.stderr)
        record = json.loads(self.text("t.json"))["space"]
        self.assertEqual([record["rig"], record["bodies_file"], record["rows"]], ["rig.toml", "b.toml", len(points)])
        self.assertEqual(sum(body["sets"] for body in record["bodies"]), len(found))
        self.glint("report", "t.csv", "-o", "report.html")
        page = self.text("report.html")
        self.assertIn("<h2>In space</h2>", page)
        self.assertEqual(page.count('<tr><td class="source">body'), len(names := record["bodies"]), names)
        # Bodies change nothing else.
        bare = [{**row, "body": "", "label": ""} for row in points]
        self.assertEqual(bare, rows(self.dir / "p.csv"))
        for row in found:
            self.assertAlmostEqual(sum(float(row[q]) ** 2 for q in ("qx", "qy", "qz", "qw")), 1, delta=1e-5)
            labelled = [p for p in points if p["frame"] == row["frame"] and p["body"] == row["body"]]
            self.assertGreaterEqual(len(labelled), int(row["markers"]))

    def check_stream(self, stream, points, poses):
        """Checks that the stream holds what the tables hold, except for gaps, which are not filled yet when rows are streamed."""
        lines = [json.loads(line) for line in stream.splitlines()]
        streamed = {(line["frame"], pose["body"]): pose for line in lines for pose in line.get("poses", ())}
        self.assertEqual(len(streamed), len(poses))
        for row in poses:
            pose = streamed[int(row["frame"]), row["body"]]
            self.assertEqual([pose["x_mm"], pose["qw"], pose["state"]], [float(row["x_mm"]), float(row["qw"]), row["state"]])
        seen = {(line["frame"], point["point"]): point for line in lines for point in line.get("points", ())}
        early = 0
        for row in points:
            if row["state"] == "measured":
                point = seen.get((int(row["frame"]), int(row["point"])))
                early += point is None  # The point was not confirmed yet.
                if point:
                    self.assertEqual([point["y_mm"], point["body"], point["label"]], [float(row["y_mm"]), row["body"], row["label"]])
        self.assertLess(early, 0.2 * len(points))

    def test_status_has_points_and_poses(self):
        self.glint("synth", "dancer?cameras=4&size=640x512&frames=12", "-o", "d.mkv", "--rig", "rig.toml")
        self.glint("track", *CAMERAS, "-o", "t.csv", "--rig", "rig.toml", "--points", "p.csv", "--set", "track.confirm=2")
        seen = [row for row in rows(self.dir / "p.csv") if row["frame"] == "9"][:4]
        ids = {row["point"] for row in seen}
        at = [[float(row[k]) for k in ("x_mm", "y_mm", "z_mm")] for row in seen]
        (self.dir / "b.toml").write_text(f'[[body]]\nname = "part"\nsigma = 3\nmarkers = {at}\n')
        self.assertEqual(len(ids), 4)
        run = self.start("track", *CAMERAS, "-o", "t.csv", "--rig", "rig.toml", "--bodies", "b.toml", "--control", "-", "--stay",
                         "--paused", "--set", "track.confirm=2", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ask = asking(run)
        wait_until(lambda: ask(do="status")["frame"] == 0, "the first frame")
        ask(do="step", frames=9)
        wait_until(lambda: ask(do="status")["frame"] == 9, "frame 9")
        status = ask(do="status")
        ask(do="quit")
        run.communicate(timeout=60)
        self.assertGreater(status["points"], 20)
        pose = next(pose for pose in status["poses"] if pose["body"] == "part")
        self.assertLess(math.dist([pose["x_mm"], pose["y_mm"], pose["z_mm"]], [0, 0, 0]), 200)
        self.assertGreater(pose["qw"], 0.99)
        self.assertEqual((pose["markers"], pose["state"]), (4, "measured"))


class Scores(Folder):
    """Scores of poses, compared with their truth."""

    TRUTH = "frame,time_s,body,x_mm,y_mm,z_mm,qx,qy,qz,qw"

    def pose(self, frame, body, x, degrees=0, state="measured"):
        half = math.radians(degrees) / 2
        return f"{frame},0,{body},{x},0,0,0,0,{math.sin(half):.9f},{math.cos(half):.9f},1,1,4,0.1,{state},0"

    def scores(self, *poses, status=0):
        truth = [f"{frame},0,{body},{x},0,0,0,0,0,1" for frame in range(4) for body, x in (("a", 0), ("b", 100))]
        (self.dir / "truth.csv").write_text("\n".join([self.TRUTH, *truth]) + "\n")
        (self.dir / "q.csv").write_text("\n".join([HEADER, *poses]) + "\n")
        return self.glint("eval", "q.csv", "truth.csv", "--json", status=status)

    def test_figures(self):
        poses = [
            self.pose(0, "a", 1), self.pose(0, "b", 97, 2),  # The poses are 1 and 3 mm off, and the second is turned by 2 degrees.
            self.pose(1, "a", 100), self.pose(1, "b", 0),  # Each body is found at the other's place.
            self.pose(2, "a", 0, 90),  # The body was found turned by a quarter.
            # A predicted pose counts as found, but not as measured. No body is near the last one.
            self.pose(3, "a", 10, state="predicted"), self.pose(3, "c", 500)]
        found = json.loads(self.scores(*poses).stdout)
        every = found["all"]
        self.assertEqual([every[k] for k in ("truth", "rows", "found", "missed", "swapped", "wrong")], [8, 7, 3, 2, 2, 2])
        self.assertAlmostEqual(every["recall"], 3 / 8)
        self.assertAlmostEqual(every["rmse_mm"], math.sqrt(10 / 2))
        self.assertAlmostEqual(every["median_error_mm"], 3)
        self.assertAlmostEqual(every["error_over_sigma"], math.sqrt(10 / 2))
        self.assertAlmostEqual(every["rmse_deg"], math.sqrt(4 / 2), places=5)
        self.assertAlmostEqual(every["turn_over_sigma"], math.sqrt(4 / 2), places=5)
        self.assertEqual((every["within_95"], every["turn_within_95"]), (0.5, 0.5))
        self.assertEqual([(one["body"], one["found"], one["missed"]) for one in found["bodies"]],
                         [("a", 2, 0), ("b", 1, 2), ("c", 0, 0)])
        table = self.glint("eval", "q.csv", "truth.csv").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in table], ["body", "a", "b", "c", "all"])
        self.assertEqual(len({len(line) for line in table}), 1)

    def test_what_is_no_table_of_poses(self):
        good = self.pose(0, "a", 1)
        for rows_, sentence in (([self.pose(0, "nobody", 1)], "the truth has no body 'nobody': track with the bodies of"),
                                ([good, good], "frame 0 has the body 'a' twice"),
                                ([self.pose(0, "a", 1, state="lost")], "is not a valid state"),
                                ([good.replace(",1,1,4,", ",-1,1,4,")], "is not a valid sigma_mm"),
                                ([good.replace("0,0,0.000000000,1.000000000", "0,0,0,2")], "is not a valid qw")):
            with self.subTest(sentence=sentence):
                self.assertIn(sentence, self.scores(*rows_, status=1).stderr)

    def test_the_dancer_has_bodies(self):
        self.glint("synth", "dancer?cameras=4&size=640x512&frames=24", "-o", "d.mkv", "--rig", "rig.toml", "--bodies", "b.toml",
                   "--truth-poses", "truth.csv", "--truth3d", "t3.csv")
        self.glint("track", *CAMERAS, "-o", "t.csv", "--rig", "rig.toml", "--bodies", "b.toml", "--poses", "q.csv",
                   "--points", "p.csv", "--quiet")
        truth = rows(self.dir / "truth.csv")
        self.assertEqual({row["body"] for row in truth}, {"head", "chest"})
        self.assertEqual(len(truth), 24 * 2)
        found = json.loads(self.glint("eval", "q.csv", "truth.csv", "--json").stdout)["all"]
        self.assertGreater(found["recall"], 0.7)
        self.assertEqual((found["swapped"], found["wrong"]), (0, 0))
        self.assertLess(found["rmse_mm"], 2)
        self.assertLess(found["rmse_deg"], 1)
        # The labels are the numbers of the markers in the truth.
        places = {(row["frame"], row["marker"]): [float(row[k]) for k in ("x_mm", "y_mm", "z_mm")] for row in rows(self.dir / "t3.csv")}
        labelled = [row for row in rows(self.dir / "p.csv") if row["body"] in ("head", "chest")]
        self.assertGreater(len(labelled), 100)
        near = sum(math.dist([float(row[k]) for k in ("x_mm", "y_mm", "z_mm")], places[row["frame"], row["label"]]) < 20 for row in labelled)
        self.assertGreater(near, 0.97 * len(labelled))
        said = self.glint("synth", "spots", "-o", "s.mkv", "--truth-poses", "truth.csv", status=2).stderr
        self.assertIn("--truth-poses and --bodies: the scene 'spots' has no bodies", said)


class Tables(Folder):
    """Four cameras in a row. A tool and three other markers move past them."""

    def setUp(self):
        super().setUp()
        self.cameras = [(500 * (1.5 - n), 0.12 * (n - 1.5)) for n in range(4)]
        (self.dir / "rig.toml").write_text(
            "".join(RIG.format(n=n, turn=turn, x=x, z=0) for n, (x, turn) in enumerate(self.cameras)) +
            '[metadata]\nunit = "mm"\n')
        (self.dir / "b.toml").write_text(BODY)
        rng = random.Random(5)
        self.others = [[rng.uniform(-600, 600), rng.uniform(-500, 500), rng.uniform(2500, 3200)] for _ in range(3)]
        self.write_detections()

    def angle(self, frame):
        return 0.02 * frame - 0.3

    def origin(self, frame):
        return [4 * frame - 100, 2 * frame - 50, 2600 + 3 * frame]

    def markers(self, frame):
        origin = self.origin(frame)
        return [[a + b for a, b in zip(turned(at, self.angle(frame)), origin)] for at in MARKERS]

    def write_detections(self, hidden=lambda frame: (), name="d.csv"):
        rng = random.Random(6)
        lines = ["camera,frame,time_s,x,y,sigma_x,sigma_y"]
        for frame in range(FRAMES):
            places = [at for n, at in enumerate(self.markers(frame)) if n not in hidden(frame)]
            places += [[x + 2 * frame, y, z] for x, y, z in self.others]
            for camera, (shift, turn) in enumerate(self.cameras):
                for at in places:
                    x, y, z = turned(at, turn)
                    u, v = 640 + 1000 * (x + shift) / z + rng.gauss(0, 0.05), 512 + 1000 * y / z + rng.gauss(0, 0.05)
                    if 0 <= u < 1280 and 0 <= v < 1024:
                        lines.append(f"{camera},{frame},{frame / 100:.6f},{u:.4f},{v:.4f},0.05,0.05")
        (self.dir / name).write_text("\n".join(lines) + "\n")

    def reconstruct(self, *more, **keywords):
        return self.glint("reconstruct", "--rig", "rig.toml", "--detections", "d.csv", "--points", "p.csv", *more, **keywords)

    def poses(self, bodies="b.toml"):
        self.reconstruct("--bodies", bodies, "--poses", "q.csv")
        return rows(self.dir / "q.csv")

    def assert_poses(self, found, name="tool", middle=(0, 0, 0), degrees=2):
        for row in found:
            frame = int(row["frame"])
            at = [float(row[k]) for k in ("x_mm", "y_mm", "z_mm")]
            angle = self.angle(frame)
            truth = [a + b for a, b in zip(turned(middle, angle), self.origin(frame))]
            self.assertLess(math.dist(at, truth), 6 * float(row["sigma_mm"]) + 0.2, row)
            q = [float(row[k]) for k in ("qx", "qy", "qz", "qw")]
            off = 2 * math.acos(min(1, abs(q[1] * math.sin(angle / 2) + q[3] * math.cos(angle / 2))))
            self.assertLess(math.degrees(off), degrees, row)
            self.assertEqual(row["body"], name)

    def test_poses_are_where_they_are(self):
        found = self.poses()
        self.assertTrue(self.text("q.csv").startswith(HEADER + "\n"))
        self.assertEqual([row["frame"] for row in found], [str(f) for f in range(2, FRAMES)])
        self.assertEqual({(row["state"], row["markers"]) for row in found}, {("measured", "4")})
        self.assert_poses(found)
        self.assertLess(max(float(row["residual_mm"]) for row in found[10:]), 1.5)
        points = rows(self.dir / "p.csv")
        self.assertEqual({row["label"] for row in points if row["body"] == "tool"}, {"tip", "b", "c", "d"})
        self.assertEqual(len({row["point"] for row in points if row["body"] == "tool"}), 4)
        for row in points:
            if row["label"] == "tip":
                self.assertLess(math.dist([float(row[k]) for k in ("x_mm", "y_mm", "z_mm")], self.origin(int(row["frame"]))), 8)
        self.assertEqual(self.reconstruct("--bodies", "b.toml").returncode, 0)  # Bodies may be given for the labels alone.

    def test_hidden_markers_are_said(self):
        self.write_detections(lambda frame: (0, 2) if 20 <= frame < 30 else (0, 1, 2, 3) if 40 <= frame < 50 else ())
        found = {int(row["frame"]): row for row in self.poses()}
        self.assertEqual(sorted(found), list(range(2, FRAMES)))
        for frame, row in found.items():
            state = "partial" if 20 <= frame < 30 else "predicted" if 40 <= frame < 50 else "measured"
            self.assertEqual(row["state"], state, frame)
        self.assertEqual(found[25]["markers"], "2")
        self.assertEqual((found[45]["markers"], found[45]["residual_mm"]), ("0", ""))
        self.assertGreater(float(found[49]["sigma_deg"]), float(found[39]["sigma_deg"]))
        self.assert_poses(found.values(), degrees=12)

    def draw(self, folder, shift, turn, frames, hidden):
        """Writes what a camera of half the size sees of the body: images of 640x512, without the body in the `hidden` frames."""
        (self.dir / folder).mkdir()
        for frame in range(frames):
            image = bytearray(b"\x0a" * (640 * 512))
            for at in self.markers(frame) if frame not in hidden else ():
                x, y, z = turned(at, turn)
                u, v = 320 + 500 * (x + shift) / z, 256 + 500 * y / z
                for row in range(int(v) - 5, int(v) + 7):
                    for column in range(int(u) - 5, int(u) + 7):
                        light = 200 * math.exp(-((column - u) ** 2 + (row - v) ** 2) / 4.5)
                        image[640 * row + column] = min(255, image[640 * row + column] + round(light))
            (self.dir / folder / f"{frame:02}.pgm").write_bytes(b"P5 640 512 255\n" + image)

    def test_it_is_foretold_while_no_camera_sees_anything(self):
        hidden = range(14, 20)
        for n, camera in enumerate(self.cameras):
            self.draw(f"c{n}", *camera, 26, hidden)
        rig = self.text("rig.toml").replace("[1280, 1024]", "[640, 512]")
        rig = rig.replace("[1000, 0, 640], [0, 1000, 512]", "[500, 0, 320], [0, 500, 256]")
        (self.dir / "rig.toml").write_text(rig)
        given = ["--rig", "rig.toml", "--bodies", "b.toml"]
        done = self.glint("track", *(f"c{n}?fps=100" for n in range(4)), "--no-stills", "-o", "t.csv", *given, "--detections",
                          "d.csv", "--points", "p.csv", "--poses", "q.csv", "--stream", "-")
        found = {int(row["frame"]): row for row in rows(self.dir / "q.csv")}
        self.assertEqual(sorted(found), list(range(2, 26)))
        self.assertEqual({frame for frame, row in found.items() if row["state"] == "predicted"}, set(hidden))
        self.assert_poses(found.values(), degrees=12)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["frame"] for line in lines if "poses" in line], sorted(found))
        self.assertFalse({line["frame"] for line in lines if "points" in line} & set(hidden))
        # The table of detections has no rows for those frames, but gives the same points.
        self.glint("reconstruct", *given, "--detections", "d.csv", "--points", "p2.csv", "--poses", "q2.csv")
        self.assertEqual((self.text("p2.csv"), self.text("q2.csv")), (self.text("p.csv"), self.text("q.csv")))

    def test_a_body_is_learned(self):
        self.reconstruct()
        said = self.glint("bodies", "--learn", "p.csv", "-o", "learned.toml")
        self.assertEqual(said.stdout.count("\n"), 2)  # The three other markers move straight on together and are one body.
        self.assertIn("body1: points ", said.stdout)
        # These frames are now the beginning of a long recording in which single points come and go.
        *_, last = lines = self.text("p.csv").splitlines()
        lines += [",".join([str(f), f"{f / 100:.6f}", str(100 + f // 60), *last.split(",")[3:]]) for f in range(FRAMES, 1600)]
        (self.dir / "long.csv").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.glint("bodies", "--learn", "long.csv", "-o", "long.toml").stdout, said.stdout)
        text = self.text("learned.toml")
        distances = sorted(float(line.split(": ")[1].split(" mm")[0]) for line in text.split("\n\n")[0].splitlines()
                           if line.startswith("# ") and " mm, sd " in line)
        truth = sorted(math.dist(a, b) for n, a in enumerate(MARKERS) for b in MARKERS[:n])
        for found, real in zip(distances, truth, strict=True):
            self.assertAlmostEqual(found, real, delta=0.4)
        shown = self.glint("bodies", "learned.toml").stdout
        self.assertIn("body1: 4 markers, known to 0.", shown)
        found = [row for row in self.poses("learned.toml") if row["body"] == "body1"]
        self.assertGreater(len(found), FRAMES - 5)
        self.assertLess(max(float(row["residual_mm"]) for row in found[10:]), 1.5)
        ids = sorted({row["point"] for row in rows(self.dir / "p.csv") if row["body"] == "body1"}, key=int)
        self.glint("bodies", "--learn", "p.csv", "--points", ",".join(ids), "--name", "tool", "-o", "tool.toml")
        self.assertIn('name = "tool"', self.text("tool.toml"))
        self.assertIn(f"labels = [\"{ids[0]}\", ", self.text("tool.toml"))
        # Bodies that are written can be read again, whatever their names are.
        (self.dir / "p\nq.csv").write_text(self.text("p.csv"))
        for name in ("x" * 64, "é" * 32, 'a "quoted" \\ name', "#"):
            self.glint("bodies", "--learn", "p\nq.csv", "--points", ",".join(ids), "--name", name, "-o", "named.toml")
            self.assertTrue(self.glint("bodies", "named.toml").stdout.startswith(f"{name}: {len(ids)} markers"))

    def write_stick(self, name, points, ends):
        """Writes a table of two points and one half way between them."""
        lines = [",".join(points[0])]
        for frame in {row["frame"] for row in points}:
            pair = [row for row in points if row["frame"] == frame and int(row["point"]) in ends and row["state"] == "measured"]
            if len(pair) == 2:
                middle = {k: f"{(float(pair[0][k]) + float(pair[1][k])) / 2:.4f}" for k in ("x_mm", "y_mm", "z_mm")}
                lines += [",".join(row.values()) for row in (*pair, {**pair[0], **middle, "point": "77"})]
        (self.dir / name).write_text("\n".join(lines) + "\n")

    def test_what_cannot_be_learned(self):
        def refused(sentence, *arguments, status=1):
            result = self.glint("bodies", *arguments, status=status)
            self.assertIn(sentence, result.stderr)
            self.assertFalse((self.dir / "new.toml").exists())
        self.reconstruct("--bodies", "b.toml")
        points = rows(self.dir / "p.csv")
        tool = sorted({int(row["point"]) for row in points if row["body"] == "tool"})
        other = min({int(row["point"]) for row in points} - set(tool))
        out = ["-o", "new.toml"]
        refused("give a file of bodies to describe, or --learn FILE", status=2)
        refused("--learn needs -o FILE", "--learn", "p.csv", status=2)
        refused("--points, --name and -o belong to --learn FILE", "b.toml", *out, status=2)
        for name in ("x" * 65, "é" * 33, "two\nlines", "a\ttab"):
            refused("--name: a body's name has at most 64 bytes, in one line", "--learn", "p.csv", "--name", name, *out, status=2)
        refused("--points needs three points or more", "--learn", "p.csv", "--points", "1,2", *out, status=2)
        refused("point 2 is named twice", "--learn", "p.csv", "--points", "2,1,2", *out, status=2)
        refused("there is no measured point 99", "--learn", "p.csv", "--points", "1,2,99", *out)
        refused(" do not keep their distance: ", "--learn", "p.csv", "--points", f"{tool[0]},{tool[1]},{other}", *out)
        refused("'p.csv' is read by this run", "--learn", "p.csv", "-o", "p.csv", status=2)
        refused('there is no column "point"', "--learn", "d.csv", *out)
        header, *lines = self.text("p.csv").splitlines()
        (self.dir / "few.csv").write_text("\n".join([header, *lines[:70]]) + "\n")
        refused("few.csv: no three points keep their distances; move the body", "--learn", "few.csv", *out)
        self.write_stick("stick.csv", points, tool[:2])
        refused(f"stick.csv: points {tool[0]} {tool[1]} 77 keep their distances, but the body 'body1' has all markers on one line or "
                "near it", "--learn", "stick.csv", *out)
        refused("are measured together in ", "--learn", "few.csv", "--points", ",".join(map(str, tool[:3])), *out)
        (self.dir / "none.csv").write_text(header + "\n")
        refused("none.csv has no measured points", "--learn", "none.csv", *out)

    def test_what_is_no_body(self):
        def refused(sentence, *more, status=1):
            result = self.reconstruct("--bodies", "b.toml", "--poses", "q.csv", *more, status=status)
            self.assertIn(sentence, result.stderr)
            self.assertFalse((self.dir / "q.csv").exists())
        for old, new, sentence in (
                (", [20, 80, 0], [40, 30, 60]]", "]", "has labels that are not 2 texts, one for each marker"),
                ('labels = ["tip", "b", "c", "d"]\nmarkers = [[0, 0, 0], [100, 0, 0], [20, 80, 0], [40, 30, 60]]',
                 "markers = [[0, 0, 0], [100, 0, 0]]", "b.toml, line 1: the body 'tool' has 2 markers; three or more"),
                ("[20, 80, 0], [40, 30, 60]", "[20, 0, 0], [40, 0, 1]", "'tool' has all markers on one line"),
                ("[20, 80, 0]", "[0, 0.5, 0]", "'tool' has markers tip and c that are 0.50 mm apart"),
                ("[20, 80, 0]", "[20, 80]", "has a marker 3 that is not [X, Y, Z]"),
                ("[20, 80, 0]", "[20, nan, 0]", "has a marker that is no number of mm"),
                ('"b", "c"', '"tip", "c"', "'tool' has the label 'tip' twice"),
                ("sigma = 0.05", "sigma = -1", "has a sigma below 0"),
                ("sigma", "sigmas", 'has the key "sigmas"; the keys are name, markers, labels and sigma'),
                ('name = "tool"\n', "", "has no name"),
                ('"tool"', '""', "a body has an empty name"),
                ('"tool"', f'"{"x" * 65}"', "a body has a name of more than 64 bytes or of several lines"),
                ('"tool"', '"to\\nol"', "a body has a name of more than 64 bytes or of several lines"),
                ('"b", "c"', '"", "c"', "'tool' has a label that is empty or longer than 64 bytes"),
                ("[[body]]", "[body]", "b.toml has no body: a table [[body]] is missing"),
                ("[[body]]", "a = 3\n[[body]]", 'b.toml, line 1: "a" is unknown; bodies are tables [[body]]'),
                (BODY, BODY + BODY, "b.toml, line 6: there are two bodies 'tool'"),
                (BODY, "", "b.toml has no body"),
                ("[[0", "[[", "b.toml, line 5: ")):
            with self.subTest(sentence=sentence):
                self.assertIn(old, BODY)
                (self.dir / "b.toml").write_text(BODY.replace(old, new))
                refused(sentence)
        (self.dir / "b.toml").unlink()
        refused("cannot read the file of bodies 'b.toml'")
        (self.dir / "b.toml").write_text(BODY)
        refused("'b.toml' is read by this run", "--rejected-points", "b.toml", status=2)
        self.assertIn("--poses needs --bodies FILE", self.reconstruct("--poses", "q.csv", status=2).stderr)
        bare = ["track", "none.mkv", "--poses", "q.csv"]
        self.assertIn("--poses needs --rig FILE", self.glint(*bare, status=2).stderr)
        self.assertIn("--bodies requires --rig", self.glint(*bare, "--bodies", "b.toml", status=2).stderr)

    def test_doubtful_bodies_are_named(self):
        square = "[[0, 0, 0], [90, 0, 0], [90, 90, 0], [0, 90, 0]]"
        (self.dir / "b.toml").write_text(BODY + BODY.replace("tool", "twin") + f'[[body]]\nname = "flat"\nmarkers = {square}\n')
        said = self.reconstruct("--bodies", "b.toml", "--poses", "q.csv").stderr
        self.assertIn("b.toml: the body 'flat' fits onto itself in several ways", said)
        self.assertIn("b.toml: the bodies 'tool' and 'twin' look alike", said)
        self.assertEqual(len({row["body"] for row in rows(self.dir / "q.csv")}), 1)


if __name__ == "__main__":
    unittest.main()
