"""Points of live cameras, of their recording, and of their detections are the same bytes.

usage: points_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import struct
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


def retimed(recording, time):
    """Returns the bytes of a raw recording with other times: time(frame, original time)."""
    changed, at, frame = bytearray(recording), recording.find(b"GLN1"), 0
    while at >= 0:
        place = at + 4 + 4 * 8  # the fifth word of the stamp
        struct.pack_into("<d", changed, place, time(frame, struct.unpack_from("<d", recording, place)[0]))
        at, frame = recording.find(b"GLN1", at + 1), frame + 1
    return bytes(changed)


class Points(Folder):
    def test_live_is_replay_is_reconstruct(self):
        # The cameras have different rates and drop frames, so that their frame numbers differ within a set.
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

        # One clock is set back, and another stands still, in one camera or in both.
        def back(frame, time):
            return time - 0.5 * (frame >= 30)

        def still(frame, time):
            return 7.25 if 30 <= frame < 40 else time
        for first, second in ((back, back), (still, still), (back, still)):
            for camera, time in enumerate((first, second)):
                (self.dir / f"b{camera}.mkv").write_bytes(retimed((self.dir / f"c_cam{camera}.mkv").read_bytes(), time))
            self.glint("track", "b0.mkv", "b1.mkv", *given, "-o", "t4.csv", "--points", "p4.csv", "--rejected-points", "r4.csv",
                       "--detections", "d4.csv")
            said = self.glint("reconstruct", *given, "--detections", "d4.csv", "--points", "p5.csv", "--rejected-points", "r5.csv").stderr
            self.assertEqual(said.count("such frames count as the usual interval apart"), 2)
            self.assertGreater(len(rows(self.dir / "p4.csv")), 5)
            self.assertEqual((self.text("p5.csv"), self.text("r5.csv")), (self.text("p4.csv"), self.text("r4.csv")))

    def test_free_cameras_share_their_sets_in_any_phase(self):
        (self.dir / "rig.toml").write_text(CAMERA.format(n=0, turn=0, x=0) + CAMERA.format(n=1, turn=0.02, x=-60) +
                                           '[metadata]\nunit = "mm"\n')
        given = ["--rig", "rig.toml", "--no-stitch"]
        for phase in (0.012, 0.016):
            self.glint("track", "/dev/video0", "/dev/video1", "--frames", "60", *given, "-o", "t.csv", "--detections", "d.csv",
                       "--points", "p.csv", "--record", "c.mkv",
                       env=fake.cameras("/dev/video0?fps=30&trigger=1", f"/dev/video1?fps=30&trigger=1&phase={phase}"))
            sets = {}
            for row in rows(self.dir / "d.csv"):
                sets.setdefault(row["set"], set()).add(row["camera"])
            # A busy machine may deliver some frames late.
            self.assertGreater(sum(len(cameras) == 2 for cameras in sets.values()), 45, sets)
            self.glint("reconstruct", *given, "--detections", "d.csv", "--points", "p2.csv")
            self.glint("track", "c_cam0.mkv", "c_cam1.mkv", *given, "-o", "t3.csv", "--points", "p3.csv")
            self.assertGreater(len(rows(self.dir / "p.csv")), 5)
            self.assertEqual(self.text("p2.csv"), self.text("p.csv"))
            self.assertEqual(self.text("p3.csv"), self.text("p.csv"))

    def test_bodies_too(self):
        # The three markers are a rotating ring, 3 m away.
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
