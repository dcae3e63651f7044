"""glint calibrate on live cameras to which a board is shown, or a wand is waved, until Ctrl-C.

usage: calibrate_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import math
import os
import pty
import re
import signal
import tomllib
import unittest

from harness import Folder

import fake
from boards import BOARD, film, film_wand


class Live(Folder):
    def record(self, counter, least, cameras, *arguments, status=0):
        """Runs glint calibrate until a number in its progress is `least`, and then sends Ctrl-C. Returns its output and what it wrote
        to standard error."""
        own, other = pty.openpty()  # a terminal, so that glint shows its progress
        run = self.start("calibrate", *(camera.split("?")[0] for camera in cameras), *arguments, "-o", "rig.toml",
                         env={**os.environ, **fake.cameras(*cameras)}, stderr=other)
        os.close(other)
        printed = ""
        while not (counted := re.findall(counter, printed)) or int(counted[-1]) < least:
            printed += os.read(own, 4096).decode()
        run.send_signal(signal.SIGINT)
        while True:  # a pipe that nobody empties would block glint
            try:
                printed += os.read(own, 4096).decode()
            except OSError:  # this is how a terminal ends
                break
        said = run.stdout.read()
        self.assertEqual(run.wait(), status, printed)
        return said, printed

    def until(self, counter, least, cameras, *arguments):
        """Runs glint calibrate until a number in its progress is `least`. Returns its output, the rig that it found, and the
        true rig."""
        said, _ = self.record(counter, least, cameras, *arguments)
        self.assertIn(f"{len(cameras)} cameras", said)
        return said, *(tomllib.loads(self.text(name)) for name in ("rig.toml", "true.toml"))

    def assert_near(self, rig, true, pixels, mm):
        """Compares focal lengths, and the distances of the other cameras from the first, which is the world's origin."""
        first = eye(true["cam_0"])
        for name in filter(lambda key: key.startswith("cam_"), rig):
            self.assertAlmostEqual(rig[name]["matrix"][0][0], true[name]["matrix"][0][0], delta=pixels)
            self.assertAlmostEqual(math.hypot(*rig[name]["translation"]), math.dist(eye(true[name]), first), delta=mm)

    def test_a_board_is_shown_until_ctrl_c(self):
        _, rig, true = self.until(r"the board in two cameras in (\d+)", 30, film(self), "--board", BOARD, "--lens", "none")
        self.assert_near(rig, true, pixels=5, mm=10)

    def test_corners_are_kept_if_the_calibration_fails(self):
        # The first camera sees the board, and the second one is dark. A rig without views of the second camera is refused.
        cameras = film(self)
        (self.dir / "b1.raw").write_bytes(bytes((self.dir / "b1.raw").stat().st_size))
        said, printed = self.record(r"cameras in \d+: (\d+) ", 12, cameras, "--board", BOARD, "--lens", "none", status=1)
        self.assertIn("camera 1 sees six corners of the board in 0 frames only", printed)
        self.assertFalse((self.dir / "rig.toml").exists())
        words = re.search("what was seen -> rig.corners.csv; it can be computed again with (.*)", said)[1].split()
        self.assertEqual(words, ["--detections", "rig.corners.csv"] + 2 * ["--size", "640x480"])
        # The corners of the first camera give its lens without the camera.
        self.glint("calibrate", *words[:4], "--board", BOARD, "--lens", "none", "-o", "one.toml")
        one, true = (tomllib.loads(self.text(name)) for name in ("one.toml", "true.toml"))
        self.assertAlmostEqual(one["cam_0"]["matrix"][0][0], true["cam_0"]["matrix"][0][0], delta=10)

    def test_a_wand_is_waved_until_ctrl_c(self):
        said, rig, true = self.until(r"(\d+) frames ", 110, film_wand(self), "--wand", "500", "--lens", "none")
        self.assertIn("the wand found in", said)
        # The detections are kept, and give the same rig without the cameras.
        self.assertIn("what was seen -> rig.points.csv; it can be computed again with --detections rig.points.csv --size ", said)
        words = re.search("again with (.*)", said)[1].split()
        self.glint("calibrate", *words, "--wand", "500", "--lens", "none", "-o", "again.toml")
        again = tomllib.loads(self.text("again.toml"))
        for name in filter(lambda key: key.startswith("cam_"), rig):
            for one, other in zip(rig[name]["translation"], again[name]["translation"]):
                self.assertAlmostEqual(one, other, delta=0.01)
        self.assertEqual(rig["metadata"]["unit"], "mm")
        self.assert_near(rig, true, pixels=3, mm=40)


def eye(camera):
    """Returns the place of a camera: -R^T t, by Rodrigues' formula."""
    angle = math.hypot(*camera["rotation"])
    k, p = [-a / angle for a in camera["rotation"]], [-a for a in camera["translation"]]
    cross = [k[1] * p[2] - k[2] * p[1], k[2] * p[0] - k[0] * p[2], k[0] * p[1] - k[1] * p[0]]
    dot = sum(a * b for a, b in zip(k, p))
    return [a * math.cos(angle) + c * math.sin(angle) + b * dot * (1 - math.cos(angle)) for a, c, b in zip(p, cross, k)]


if __name__ == "__main__":
    unittest.main()
