"""Tests recordings like those of other people: what a single option achieves, and which advice is given if nothing is found.

usage: footage_test.py GLINT [unittest arguments]
"""

import json
import math
import random
import shlex
import unittest

from harness import Folder, rows

WIDTH, HEIGHT, FRAMES = 320, 240, 8
PLACES = [(40 + 60 * (n % 5), 45 + 70 * (n // 5)) for n in range(15)]


def disc(x, y, radius):
    """Returns approximately how much of a pixel at (x, y) a disc about (0, 0) covers."""
    return min(max(radius - math.hypot(x, y) + 0.5, 0), 1)


def texture():
    """Returns a bright scene: patches of 60 to 200, with grain."""
    dice = random.Random(5)
    patches = {(i, j): dice.randint(60, 200) for i in range(20) for j in range(16)}
    return [[patches[x // 18, y // 17] + dice.randint(-4, 4) for x in range(WIDTH)] for y in range(HEIGHT)]


def dark_dots(frame, scene):
    """Returns a frame with black dots of radius 10 px on white tags that sway."""
    image = [list(line) for line in scene]
    for n, (px, py) in enumerate(PLACES):
        cx, cy = px + 4 * math.sin(0.4 * frame + n), py + 2 * math.cos(0.3 * frame + n)
        for y in range(round(cy) - 18, round(cy) + 19):
            for x in range(round(cx) - 18, round(cx) + 19):
                image[y][x] = round(235 - 210 * disc(x - cx, y - cy, 10))
    return image


DOTS = [(-24, -15), (24, -15), (0, 0), (-24, 15), (24, 15)]


def card_place(frame, moment):
    """Returns the middle of a card that moves by 10 px while a frame is taken."""
    return 90 + 14 * frame + 10 * moment, 110 + 12 * math.sin(frame)


def moving_card(frame, scene, dice):
    """Returns a frame with five black dots of radius 5 px on a white card, blurred by the diameter of a dot."""
    image = [list(line) for line in scene]
    middles = [card_place(frame, moment) for moment in (-0.375, -0.125, 0.125, 0.375)]
    left, top = round(card_place(frame, 0)[0]), round(card_place(frame, 0)[1])
    for y in range(top - 32, top + 33):
        for x in range(left - 46, left + 47):
            light = 0
            for cx, cy in middles:
                on_card = abs(x - cx) < 38 and abs(y - cy) < 28
                ink = max(disc(x - cx - dx, y - cy - dy, 5) for dx, dy in DOTS) if on_card else 0
                light += (235 - 210 * ink if on_card else scene[y][x]) / len(middles)
            image[y][x] = round(light + dice.randint(-3, 3))
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
        self.assert_each_dot_is_one_track(tracks)

    def assert_each_dot_is_one_track(self, tracks):
        found = {}
        for row in tracks:
            frame, x, y = int(row["frame"]), float(row["x"]), float(row["y"])
            for n, (px, py) in enumerate(PLACES):
                if math.hypot(px + 4 * math.sin(0.4 * frame + n) - x, py + 2 * math.cos(0.3 * frame + n) - y) < 0.3:
                    found.setdefault(n, []).append(row["track"])
        self.assertEqual({n: len(ids) for n, ids in found.items()}, {n: FRAMES for n in range(len(PLACES))})
        self.assertEqual({len(set(ids)) for ids in found.values()}, {1})
        self.assertLess(len(tracks), (FRAMES + 1) * len(PLACES))  # There are few dark patches.

    def test_dots_on_a_card_in_motion_take_one_option_each(self):
        (self.dir / "card").mkdir()
        dice, scene = random.Random(2), texture()
        for frame in range(6):
            self.write(f"card/{frame:03}.pgm", moving_card(frame, scene, dice))
        self.glint("track", "card", "--dark", "--marker-radius", "5", "-o", "t.csv", "--detections", "d.csv", "--quiet")
        found, clutter = set(), 0
        for row in rows(self.dir / "d.csv"):
            cx, cy = card_place(int(row["frame"]), 0)
            x, y = float(row["x"]) - cx, float(row["y"]) - cy
            near = [n for n, (dx, dy) in enumerate(DOTS) if math.hypot(x - dx, y - dy) < 2]
            found.update((row["frame"], n) for n in near)
            clutter += not near
        self.assertGreaterEqual(len(found), 0.9 * 6 * len(DOTS))
        self.assertLess(clutter, 2 * 6)

    def lamp_scene(self, lit):
        """Writes twelve faint spots of 16 to 40 counts on a dark noisy picture. A strip of light covers the share `lit` of it. Returns the spots'
        places."""
        dice = random.Random(9)
        (self.dir / "lamp").mkdir(exist_ok=True)
        places = [(130 + 55 * (n % 4), 50 + 70 * (n // 4)) for n in range(12)]
        for frame in range(4):
            image = [[round(dice.gauss(10, 2)) for _ in range(WIDTH)] for _ in range(HEIGHT)]
            for n, (px, py) in enumerate(places):
                for y in range(py - 7, py + 8):
                    for x in range(px - 7, px + 8):
                        spot = math.exp(-((x - px - frame) ** 2 + (y - py) ** 2) / (2 * 1.8**2))
                        image[y][x] += round((16, 24, 40)[n % 3] * spot)
            for line in image:
                line[: round(lit * WIDTH)] = [255] * round(lit * WIDTH)
            self.write(f"lamp/{frame:03}.pgm", image)
        return places

    def test_a_strip_of_light_hides_no_faint_spots(self):
        for lit in (0, 0.05, 0.3):
            places = self.lamp_scene(lit)
            self.glint("track", "lamp", "-o", "t.csv", "--quiet")
            found, clutter = set(), 0
            for row in rows(self.dir / "t.csv"):
                x, y = float(row["x"]) - int(row["frame"]), float(row["y"])
                near = [n for n, place in enumerate(places) if math.dist((x, y), place) < 1]
                found.update((row["frame"], n) for n in near)
                clutter += not near
            self.assertEqual((lit, len(found)), (lit, 48))
            self.assertLess(clutter, 4)

    def probed(self, source, *arguments):
        """Returns what `glint probe` proposes, and the rows of the command that it prints."""
        told = json.loads(self.glint("probe", source, "--json", *arguments).stdout)
        command = shlex.split(told["command_line"])
        self.assertEqual(command, told["command"])
        self.assertEqual(command[:2], ["glint", "track"])
        self.glint(*command[1:], "--quiet", "-o", "p.csv")
        return told, rows(self.dir / "p.csv")

    def test_probe_proposes_what_finds_dark_dots(self):
        self.recording()
        told, tracks = self.probed("dots")
        self.assertTrue(told["dark"])
        self.assertAlmostEqual(told["radius"], 10, delta=1)
        self.assertLess(abs(told["markers_a_frame"] - len(PLACES)), 2)
        self.assert_each_dot_is_one_track(tracks)
        printed = self.glint("probe", "dots", "-o", "seen.png").stdout.splitlines()
        self.assertEqual(printed[-1], told["command_line"])
        self.assertTrue((self.dir / "seen.png").read_bytes().startswith(b"\x89PNG"))
        self.glint("probe", "dots", "-o", "dots/000.pgm", status=2)

    def test_probe_leaves_alone_what_needs_nothing(self):
        told, tracks = self.probed("synth:spots?size=320x240&markers=20&frames=4")
        self.assertEqual((told["dark"], told["marker_radius"], told["set"]), (False, None, []))
        self.assertEqual(len(tracks), 80)

    def test_probe_makes_room_for_many(self):
        told, tracks = self.probed("synth:spots?size=640x480&markers=300&frames=3")
        self.assertEqual(told["set"], ["detect.max_markers=512"])
        self.assertEqual(len(tracks), 900)

    def test_probe_finds_faint_dots_on_a_bright_card(self):
        dice = random.Random(3)
        places = [(60 + 65 * n, 120 + 40 * (n % 2)) for n in range(4)]
        (self.dir / "card").mkdir()
        for frame in range(4):
            image = [[170 + dice.randint(-3, 3) for _ in range(WIDTH)] for _ in range(HEIGHT)]
            for px, py in places:
                for y in range(py - 9, py + 10):
                    for x in range(px - 9, px + 14):
                        image[y][x] -= round(30 * disc(x - px - frame, y - py, 5))
            self.write(f"card/{frame:03}.pgm", image)
        told, tracks = self.probed("card")
        self.assertTrue(told["dark"])
        self.assertEqual(len(tracks), 16)
        for row in tracks:
            away = min(math.hypot(px + int(row["frame"]) - float(row["x"]), py - float(row["y"])) for px, py in places)
            self.assertLess(away, 0.5)

    def test_probe_says_when_there_is_nothing(self):
        (self.dir / "empty").mkdir()
        dice = random.Random(1)
        for frame in range(2):
            self.write(f"empty/{frame}.pgm", [[100 + dice.randint(-2, 2) for _ in range(WIDTH)] for _ in range(HEIGHT)])
        self.assertIn("nothing looks like a marker", self.glint("probe", "empty").stdout)
        self.glint("probe", "nowhere", status=1)

    def test_two_frames_keep_all_tracks_and_say_so(self):
        (self.dir / "two").mkdir()
        dice = random.Random(2)
        for frame in range(2):
            places = [(60 + 65 * n + 2 * frame, 120) for n in range(4)]
            image = [[20 + dice.randint(-2, 2) + round(180 * sum(disc(x - px, y - py, 4) for px, py in places)) for x in range(WIDTH)]
                     for y in range(HEIGHT)]
            self.write(f"two/{frame}.pgm", image)
        told = self.glint("track", "two", "-o", "two.csv").stdout
        self.assertIn("of 2 frames only, every track is kept, although 3 measurements usually confirm one (track.confirm)", told)
        self.assertNotIn("consecutive", told)
        tracks = rows(self.dir / "two.csv")
        self.assertEqual(sorted((row["frame"], row["track"]) for row in tracks), [(str(f), str(t)) for f in range(2) for t in range(1, 5)])
        told = self.glint("track", "two", "--set", "track.confirm=2", "-o", "two.csv").stdout
        self.assertNotIn("frames only", told)
        one = self.glint("track", "two/0.pgm", "-o", "one.csv").stdout
        self.assertNotIn("track.max_speed", one)
        self.assertEqual(len(rows(self.dir / "one.csv")), 4)

    def stills(self):
        """Writes three pictures of different scenes, each with two lights: on dark, on grey, and on a slope."""
        (self.dir / "stills").mkdir()
        scenes = [lambda x, y: 10, lambda x, y: 60 + 50 * (x // 40 % 2), lambda x, y: 100 + y // 4 - x // 8]
        lights = [[(40, 50), (200, 60)], [(120, 180), (250, 100)], [(80, 120), (300, 200)]]
        for n, (scene, places) in enumerate(zip(scenes, lights)):
            image = [[scene(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
            for px, py in places:
                for y in range(py - 7, py + 8):
                    for x in range(px - 7, px + 8):
                        image[y][x] += round((250 - image[y][x]) * disc(x - px, y - py, 4))
            self.write(f"stills/{n}.pgm", image)
        return lights

    def test_stills_are_rows_without_confirmation(self):
        lights = self.stills()
        told = self.glint("track", "stills", "-o", "t.csv").stdout
        self.assertIn("stills, recognised", told)
        found = rows(self.dir / "t.csv")
        self.assertEqual([int(row["frame"]) for row in found], [0, 0, 1, 1, 2, 2])
        self.assertEqual(sorted(int(row["track"]) for row in found), [1, 2, 3, 4, 5, 6])
        for row in found:
            away = min(math.dist((float(row["x"]), float(row["y"])), place) for place in lights[int(row["frame"])])
            self.assertLess(away, 0.3)
        self.glint("track", "stills", "--no-stills", "-o", "t.csv", "--quiet")
        self.assertEqual(rows(self.dir / "t.csv"), [])

    def test_recordings_are_no_stills(self):
        self.recording()
        told = self.glint("track", "dots", "--dark", "--marker-radius", "10", "-o", "t.csv").stdout
        self.assertNotIn("stills", told)
        self.glint("track", "dots", "--dark", "--marker-radius", "10", "--stills", "--quiet", "-o", "t.csv")
        self.assertEqual(len({row["track"] for row in rows(self.dir / "t.csv")}), len(rows(self.dir / "t.csv")))
        # Three lights that are far from each other jump. Nothing else is in the picture, and nothing else changes.
        (self.dir / "jumps").mkdir()
        for frame in range(4):
            image = [[8] * WIDTH for _ in range(HEIGHT)]
            for n in range(3):
                cx, cy = 40 + 60 * (frame * (n + 1) % 4), 50 + 60 * n
                for y in range(cy - 4, cy + 5):
                    for x in range(cx - 4, cx + 5):
                        image[y][x] = round(8 + 220 * disc(x - cx, y - cy, 3))
            self.write(f"jumps/{frame}.pgm", image)
        self.assertNotIn("stills, recognised", self.glint("track", "jumps", "-o", "t.csv").stdout)

    def test_a_single_setting_wins(self):
        self.recording()
        self.glint("track", "dots", "--dark", "--marker-radius", "10", "--set", "detect.max_radius=6", "-o", "t.csv",
                   "--quiet")
        self.assertEqual(rows(self.dir / "t.csv"), [])
        self.glint("track", "dots", "--marker-radius", "0", "-o", "t.csv", status=2)

    def test_it_is_said_what_to_set(self):
        self.recording()
        told = self.glint("track", "dots", "-o", "t.csv").stdout
        self.assertIn("--dark --marker-radius 10", told)
        self.assertRegex(told, "would find 1[567] a frame")
        told = self.glint("track", "dots", "--dark", "--marker-radius", "10", "--set", "detect.max_markers=5", "-o",
                          "t.csv").stdout
        self.assertIn("detect.max_markers = 5", told)
        told = self.glint("track", "dots", "--dark", "--marker-radius", "10", "--frames", "1", "-o", "t.csv").stdout
        self.assertIn("track.confirm = 3", told)
        self.assertIn("--stills", told)

    def test_nothing_is_to_be_raised_that_is_at_its_most(self):
        scene = "synth:spots?markers=4096&size=800x600&radius=2&frames=1"

        def told(most):
            return self.glint("track", scene, "--set", f"detect.max_markers={most}", "--set", "detect.separation=3", "-o",
                              "t.csv").stdout

        self.assertIn("detect.max_markers = 1000, so markers may be missing; --set detect.max_markers=4000 keeps more\n", told(1000))
        self.assertNotIn("keeps more", told(4096))
        self.assertNotIn("raise detect.threshold or detect.max_markers", told(4096))


if __name__ == "__main__":
    unittest.main()
