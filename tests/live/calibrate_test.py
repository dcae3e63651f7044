"""glint calibrate on live cameras to which a board is shown, until Ctrl-C.

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
from boards import BOARD, film


class Live(Folder):
    def test_a_board_is_shown_until_ctrl_c(self):
        cameras = film(self)
        own, other = pty.openpty()  # so that it tells how far it is
        run = self.start("calibrate", "/dev/video0", "/dev/video1", "--board", BOARD, "--lens", "none", "-o", "rig.toml",
                         env={**os.environ, **fake.cameras(*cameras)}, stderr=other)
        os.close(other)
        told = ""
        while not (shared := re.findall(r"the board in two cameras in (\d+)", told)) or int(shared[-1]) < 30:
            told += os.read(own, 4096).decode()
        run.send_signal(signal.SIGINT)
        while True:  # a pipe that nobody empties would stop it
            try:
                if not os.read(own, 4096):
                    break
            except OSError:  # how a terminal ends
                break
        said = run.stdout.read()
        self.assertEqual(run.wait(), 0, told)
        self.assertIn("2 cameras", said)
        rig, true = (tomllib.loads(self.text(name)) for name in ("rig.toml", "true.toml"))
        for name in ("cam_0", "cam_1"):
            self.assertAlmostEqual(rig[name]["matrix"][0][0], true[name]["matrix"][0][0], delta=5)
        # The first camera is the world's origin: the other is as far from it as in truth.
        eyes = [eye(true[name]) for name in ("cam_0", "cam_1")]
        self.assertAlmostEqual(math.hypot(*rig["cam_1"]["translation"]), math.dist(*eyes), delta=10)


def eye(camera):
    """Where a camera stands: -R^T t, by Rodrigues' formula."""
    angle = math.hypot(*camera["rotation"])
    k, p = [-a / angle for a in camera["rotation"]], [-a for a in camera["translation"]]
    cross = [k[1] * p[2] - k[2] * p[1], k[2] * p[0] - k[0] * p[2], k[0] * p[1] - k[1] * p[0]]
    dot = sum(a * b for a, b in zip(k, p))
    return [a * math.cos(angle) + c * math.sin(angle) + b * dot * (1 - math.cos(angle)) for a, c, b in zip(p, cross, k)]


if __name__ == "__main__":
    unittest.main()
