"""Points of live cameras, of what was recorded of them, and of their detections are the same bytes.

usage: points_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import unittest

from harness import Folder, rows

import fake

CAMERA = """[cam_{n}]
size = [320, 240]
matrix = [[400, 0, 159.5], [0, 400, 119.5], [0, 0, 1]]
distortions = [0, 0, 0, 0, 0]
rotation = [0, {turn}, 0]
translation = [{x}, 0, 0]

"""


class Points(Folder):
    def test_live_is_replay_is_reconstruct(self):
        # Cameras of different rates that drop frames, so that their numbers differ within a set.
        cameras = ["/dev/video0?fps=60&skip=31-36", "/dev/video1?fps=50&skip=20-22"]
        (self.dir / "rig.toml").write_text(CAMERA.format(n=0, turn=0, x=0) + CAMERA.format(n=1, turn=0.02, x=-60) +
                                           '[metadata]\nunit = "mm"\n')
        given = ["--rig", "rig.toml", "--no-stitch"]
        self.glint("track", "/dev/video0", "/dev/video1", "--frames", "80", *given, "-o", "t.csv", "--detections", "d.csv",
                   "--points", "p.csv", "--rejected-points", "r.csv", "--record", "c.mkv", env=fake.cameras(*cameras))
        self.assertTrue(any(row["frame"] != row["set"] for row in rows(self.dir / "d.csv")))
        self.assertGreater(len(rows(self.dir / "p.csv")), 5)
        self.glint("reconstruct", *given, "--detections", "d.csv", "--points", "p2.csv", "--rejected-points", "r2.csv")
        self.glint("track", "c_cam0.mkv", "c_cam1.mkv", *given, "-o", "t3.csv", "--points", "p3.csv", "--rejected-points",
                   "r3.csv", "--detections", "d3.csv")
        self.assertEqual(self.text("d3.csv"), self.text("d.csv"))
        for points, refused in (("p2.csv", "r2.csv"), ("p3.csv", "r3.csv")):
            self.assertEqual(self.text(points), self.text("p.csv"))
            self.assertEqual(self.text(refused), self.text("r.csv"))

    def test_bodies_too(self):
        # The three markers are a ring that turns, 3 m away.
        (self.dir / "rig.toml").write_text(CAMERA.format(n=0, turn=0, x=0) + CAMERA.format(n=1, turn=0.06, x=-180) +
                                           '[metadata]\nunit = "mm"\n')
        (self.dir / "b.toml").write_text(
            '[[body]]\nname = "ring"\nsigma = 20\nmarkers = [[600, 0, 0], [-300, 519.6, 0], [-300, -519.6, 0]]\n')
        given = ["--rig", "rig.toml", "--bodies", "b.toml", "--no-stitch"]
        said = self.glint("track", "/dev/video0", "/dev/video1", "--frames", "80", *given, "-o", "t.csv", "--detections",
                          "d.csv", "--points", "p.csv", "--poses", "q.csv", "--record", "c.mkv",
                          env=fake.cameras("/dev/video0?fps=60", "/dev/video1?fps=60&skip=31-36")).stderr
        self.assertIn("b.toml: the body 'ring' fits onto itself in several ways", said)
        found = rows(self.dir / "q.csv")
        self.assertGreater(len(found), 40)
        self.assertEqual({(row["body"], row["flags"]) for row in found}, {("ring", "1")})
        self.glint("reconstruct", *given, "--detections", "d.csv", "--points", "p2.csv", "--poses", "q2.csv")
        self.glint("track", "c_cam0.mkv", "c_cam1.mkv", *given, "-o", "t3.csv", "--points", "p3.csv", "--poses", "q3.csv")
        for points, poses in (("p2.csv", "q2.csv"), ("p3.csv", "q3.csv")):
            self.assertEqual(self.text(points), self.text("p.csv"))
            self.assertEqual(self.text(poses), self.text("q.csv"))


if __name__ == "__main__":
    unittest.main()
