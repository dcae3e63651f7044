"""Recordings as other people make them: what one option does, and what is said where nothing comes out.

usage: footage_test.py GLINT [unittest arguments]
"""

import math
import random
import unittest

from harness import Folder, rows

WIDTH, HEIGHT, FRAMES = 320, 240, 8
PLACES = [(40 + 60 * (n % 5), 45 + 70 * (n // 5)) for n in range(15)]


def disc(x, y, radius):
    """How much of a pixel a disc about (0, 0) covers, nearly."""
    return min(max(radius - math.hypot(x, y) + 0.5, 0), 1)


def texture():
    """A bright scene: patches of 60 to 200, with grain."""
    dice = random.Random(5)
    patches = {(i, j): dice.randint(60, 200) for i in range(20) for j in range(16)}
    return [[patches[x // 18, y // 17] + dice.randint(-4, 4) for x in range(WIDTH)] for y in range(HEIGHT)]


def dark_dots(frame, scene):
    """Black dots of radius 10 px on white tags that sway."""
    image = [list(line) for line in scene]
    for n, (px, py) in enumerate(PLACES):
        cx, cy = px + 4 * math.sin(0.4 * frame + n), py + 2 * math.cos(0.3 * frame + n)
        for y in range(round(cy) - 18, round(cy) + 19):
            for x in range(round(cx) - 18, round(cx) + 19):
                image[y][x] = round(235 - 210 * disc(x - cx, y - cy, 10))
    return image


class Footage(Folder):
    def write(self, name, image):
        pixels = bytes(min(max(v, 0), 255) for line in image for v in line)
        (self.dir / name).write_bytes(f"P5\n{WIDTH} {HEIGHT}\n255\n".encode() + pixels)

    def recording(self):
        (self.dir / "dots").mkdir()
        scene = texture()
        for frame in range(FRAMES):
            self.write(f"dots/{frame:03}.pgm", dark_dots(frame, scene))

    def test_dark_dots_take_one_option_each(self):
        self.recording()
        self.glint("track", "dots", "--dark", "--marker-radius", "10", "-o", "t.csv", "--quiet")
        tracks = rows(self.dir / "t.csv")
        found = {}
        for row in tracks:
            frame, x, y = int(row["frame"]), float(row["x"]), float(row["y"])
            for n, (px, py) in enumerate(PLACES):
                if math.hypot(px + 4 * math.sin(0.4 * frame + n) - x, py + 2 * math.cos(0.3 * frame + n) - y) < 0.3:
                    found.setdefault(n, []).append(row["track"])
        self.assertEqual({n: len(ids) for n, ids in found.items()}, {n: FRAMES for n in range(len(PLACES))})
        self.assertEqual({len(set(ids)) for ids in found.values()}, {1})
        self.assertLess(len(tracks), (FRAMES + 1) * len(PLACES))  # dark patches are few

    def test_a_single_setting_wins(self):
        self.recording()
        self.glint("track", "dots", "--dark", "--marker-radius", "10", "--set", "detect.max_radius=6", "-o", "t.csv",
                   "--quiet")
        self.assertEqual(rows(self.dir / "t.csv"), [])
        self.glint("track", "dots", "--marker-radius", "0", "-o", "t.csv", status=2)

    def test_it_is_said_what_to_set(self):
        self.recording()
        told = self.glint("track", "dots", "-o", "t.csv").stdout
        self.assertIn("--dark", told)
        self.assertIn("--marker-radius", told)
        told = self.glint("track", "dots", "--dark", "--marker-radius", "10", "--set", "detect.max_markers=5", "-o",
                          "t.csv").stdout
        self.assertIn("detect.max_markers = 5", told)
        told = self.glint("track", "dots", "--dark", "--marker-radius", "10", "--frames", "1", "-o", "t.csv").stdout
        self.assertIn("track.confirm = 3", told)


if __name__ == "__main__":
    unittest.main()
