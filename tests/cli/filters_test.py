"""Tests filters on the command line: what they write, what `glint track` finds after them, and what is refused."""

import json
import os
import pathlib
import random
import unittest

from harness import Folder, rows

CLIP = "synth:spots?size=64x48&markers=3&frames=4&noise=2"
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Filters(Folder):
    def refused(self, *arguments):
        before = sorted(os.listdir(self.dir))
        message = self.glint(*arguments, status=2).stderr
        self.assertEqual(sorted(os.listdir(self.dir)), before)
        return message

    def test_list_and_reference(self):
        listed = self.glint("filters").stdout
        for file in (ROOT / "shaders" / "filters").glob("*.comp"):
            self.assertIn(f"\n{file.stem} ", "\n" + listed)
        self.assertIn("sigma = 2.0  (0.1 to 20 px; 0.1 changes nothing)", self.glint("filters", "gaussian").stdout)
        self.assertIn("did you mean 'gaussian'?", self.refused("filters", "gausian"))
        self.assertEqual(self.glint("filters", "--markdown").stdout, (ROOT / "docs" / "filters-reference.md").read_text())

    def test_twice_inverted_is_the_recording(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        self.glint("filter", "clip.mkv", "-o", "out.mkv", "--filter", "invert", "--filter", "again=invert", "--filter", "light=average")
        self.glint("filter", "clip.mkv", "-o", "a_%03d.png", "--filter", "average")
        self.glint("filter", "out.mkv", "-o", "b_%03d.png", "--filter", "average", "--plane", "source")
        names = sorted(path.name for path in self.dir.glob("a_*.png"))
        self.assertEqual(names, [f"a_{n:03}.png" for n in range(4)])
        for name in names:
            self.assertEqual((self.dir / name).read_bytes(), (self.dir / name.replace("a_", "b_")).read_bytes())

    def test_tracking_through_a_chain(self):
        (self.dir / "c.toml").write_text('[[filter]]\nuse = "average"\nid = "light"\n\n[[filter]]\nuse = "threshold"\nid = "cut"\n'
                                         'level = { from = "light.mean", times = 2.0 }\nform = "to_zero"\n')
        arguments = ["--config", "c.toml", "--filter", "smooth=gaussian:sigma=3", "--set", "filter.smooth.sigma=0.8"]
        self.glint("track", CLIP, "-o", "t.csv", *arguments)
        settings = json.loads(self.text("t.json"))["settings"]["filter"]
        self.assertEqual(settings["smooth.sigma"], 0.8)
        self.assertEqual(settings["cut.level"], "light.mean*2+0")
        self.assertEqual(len(rows(self.dir / "t.csv")), 12)
        self.glint("track", CLIP, "-o", "again.csv", *arguments)
        self.assertEqual(self.text("again.csv"), self.text("t.csv"))
        # Neutral filters, and numbers that nobody uses, change nothing. The measured plane is the luminance.
        self.glint("track", CLIP, "-o", "plain.csv")
        self.glint("track", CLIP, "-o", "neutral.csv", "--filter", "brightness", "--filter", "average", "--filter", "contrast")
        self.assertEqual(self.text("neutral.csv"), self.text("plain.csv"))

    def test_numbers_of_the_frame_before(self):
        arguments = ["--filter", "light=average", "--filter", "t=threshold:level=light.mean*1.5:form=to_zero"]
        self.glint("track", CLIP, "-o", "t.csv", "--stats", "s.csv", *arguments)
        table = rows(self.dir / "s.csv")
        self.assertEqual([row["told"] for row in table], [row["filter_numbers"] for row in table])  # the old name of the column
        readbacks = [dict(pair.split("=") for pair in row["filter_numbers"].split(";")) for row in table]
        self.assertEqual(list(readbacks[0]), [f"light.{name}" for name in ("sum", "mean", "min", "max", "variance")])
        means = [float(row["mean"]) / 255 for row in table]
        for n, row in enumerate(readbacks):  # Frame 0 uses its own numbers, and later frames those of the frame before.
            self.assertAlmostEqual(float(row["light.mean"]), means[max(n - 1, 0)], places=12)
            self.assertAlmostEqual(float(row["light.sum"]), means[max(n - 1, 0)] * 64 * 48, places=8)
        self.glint("track", CLIP, "-o", "t.csv", "--stats", "none.csv")
        self.assertEqual({row["filter_numbers"] for row in rows(self.dir / "none.csv")}, {""})

    def test_dark_markers_by_invert_are_those_of_dark(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        self.glint("filter", "clip.mkv", "-o", "dark.mkv", "--filter", "invert")
        self.glint("track", "dark.mkv", "-o", "a.csv", "--filter", "invert")
        self.glint("track", "dark.mkv", "-o", "b.csv", "--dark")
        self.glint("track", "clip.mkv", "-o", "c.csv")
        self.assertEqual(self.text("a.csv"), self.text("b.csv"))
        self.assertEqual(self.text("a.csv"), self.text("c.csv"))

    def test_parts_keep_the_sources_positions(self):
        clip = "synth:spots?size=96x64&markers=8&frames=3&noise=2"
        self.glint("filter", clip, "-o", "p_%d.pgm", "--filter", "crop:size_x=0.25:size_y=0", "--frames", "1")
        self.assertTrue((self.dir / "p_0.pgm").read_bytes().startswith(b"P5\n24 1\n255\n"))
        self.glint("track", clip, "-o", "t.csv", "--detections", "all.csv")
        self.glint("track", clip, "-o", "t.csv", "--detections", "part.csv", "--filter", "crop:centre_x=0.25:size_x=0.5:size_y=1")
        places = [{(row["frame"], row["x"], row["y"]) for row in rows(self.dir / name)} for name in ("all.csv", "part.csv")]
        left = {place for place in places[0] if float(place[1]) < 44}
        self.assertGreater(len(left), 3)
        self.assertLessEqual(left, places[1])
        self.assertTrue(all(float(place[1]) < 50 for place in places[1]))

    def test_tables_of_colours(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        entries = "\n".join(f"{r / 2} {g / 2} {b / 2}" for b in range(3) for g in range(3) for r in range(3))
        (self.dir / "same.cube").write_text(f"# nothing\nTITLE \"same\"\nLUT_3D_SIZE 3\n{entries}\n")
        (self.dir / "turned.cube").write_text("LUT_1D_SIZE 2\n1 1 1\n0 0 0\n")
        run = ("filter", "clip.mkv", "--frames", "1", "--filter")
        self.glint(*run, "brightness", "-o", "source.png")
        self.glint(*run, "invert", "-o", "turned.png")
        for kind in ("trilinear", "tetrahedral"):
            self.glint(*run, f"lookup:table=file:same.cube:interpolation={kind}", "-o", "same.png")
            self.assertEqual((self.dir / "same.png").read_bytes(), (self.dir / "source.png").read_bytes())
        self.glint(*run, "lookup:table=file:turned.cube", "-o", "out.png")
        self.assertEqual((self.dir / "out.png").read_bytes(), (self.dir / "turned.png").read_bytes())
        for text, message in (("", "line 0: LUT_3D_SIZE or LUT_1D_SIZE is missing"),
                              ("LUT_3D_SIZE 300\n", "line 1: LUT_3D_SIZE needs a whole number of 2 to 256"),
                              ("LUT_3D_SIZE 2\n0 0 0\n", "line 2: 1 entries instead of 8"),
                              ("LUT_1D_SIZE 2\n0 0 0\n1 x 1\n", "line 3: 'x' is not a number"),
                              ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", "line 4: more than 2 entries"),
                              ("LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n", "DOMAIN_MIN is not below DOMAIN_MAX")):
            (self.dir / "bad.cube").write_text(text)
            self.assertIn(message, self.refused("filter", "clip.mkv", "-o", "o.png", "--filter", "lookup:table=file:bad.cube"))
        self.assertIn("'source.png' is 64x48 grey; a table is 512x512 in colour, or a .cube",
                      self.refused("filter", "clip.mkv", "-o", "o.png", "--filter", "lookup:table=file:source.png"))

    def test_a_template_from_a_frame(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        self.glint("track", "clip.mkv", "-o", "t.csv")
        first = rows(self.dir / "t.csv")[0]
        left, top = round(float(first["x"])) - 4, round(float(first["y"])) - 4
        look = f"template:look=file:clip.mkv#0:part={left},{top},9,9"
        self.glint("filter", "clip.mkv", "-o", "seen.pgm", "--filter", look, "--frames", "1")
        pixels = (self.dir / "seen.pgm").read_bytes()[-64 * 48:]
        self.assertEqual(pixels[(top + 4) * 64 + left + 4], 255)  # The template finds itself.
        self.glint("track", "clip.mkv", "-o", "sought.csv", "--filter", look, "--set", "detect.threshold=0.6")
        self.assertGreaterEqual(len(rows(self.dir / "sought.csv")), 4)
        for name, message in (("clip.mkv#9", "'clip.mkv' has no frame 9"), ("clip.mkv#x", "has no frame number after #")):
            self.assertIn(message, self.refused("track", "clip.mkv", "--filter", f"template:look=file:{name}"))

    def test_how_a_template_fits(self):
        mark = [[90, 120, 30], [120, 255, 90], [160, 255, 120], [30, 120, 30]]  # The mark differs from itself when it is turned.
        size, count = 64, 6

        def frame(n):
            pixels = [[30] * size for _ in range(size)]
            turned = mark if n % 2 == 0 else [[mark[3 - i][j] for i in range(4)] for j in range(3)]  # The mark is turned clockwise by a quarter.
            for y, row in enumerate(turned):
                for x, value in enumerate(row):
                    for k in range(16):
                        pixels[20 + 4 * y + k // 4][20 + n + 4 * x + k % 4] = value
            return b"P5\n%d %d\n255\n" % (size, size) + bytes(v for row in pixels for v in row)

        for n in range(count):
            (self.dir / f"f_{n}.pgm").write_bytes(frame(n))
        look = "template:look=file:f_0.pgm:part=20,20,12,16:angle_from=-90:angle_to=90:angle_step=90"
        run = ("track", "f_%d.pgm", "--set", "detect.threshold=0.9", "--set", "track.confirm=1")
        self.glint(*run, "-o", "t.csv", "-o", "t.jsonl", "--detections", "d.csv", "--filter", look)
        for name in ("t.csv", "d.csv"):
            table = rows(self.dir / name)
            self.assertEqual(list(table[0])[-3:], ["angle", "scale", "score"])
            self.assertEqual([row["angle"] for row in table if row.get("state") != "predicted"], ["0.000", "90.000"] * (count // 2))
            self.assertEqual({row["scale"] for row in table}, {"1.0000"})
        self.assertEqual([json.loads(line)["angle"] for line in self.text("t.jsonl").splitlines()],
                         [float(row["angle"]) for row in rows(self.dir / "t.csv")])
        self.glint(*run, "-o", "plain.csv")
        self.assertNotIn("angle", self.text("plain.csv"))

    def test_a_picture_is_found_where_it_matches(self):
        wide, high, size, count = 21, 17, 112, 5
        dice = random.Random(4)
        rough = [[dice.random() for _ in range(wide + 4)] for _ in range(high + 4)]
        picture = [[round(60 + 150 * sum(rough[y + j][x + i] for j in range(3) for i in range(3)) / 9) for x in range(wide)] for y in range(high)]
        places = [(8, 9), (70, 12), (20, 70), (81, 83)]

        def pgm(rows_):
            return b"P5\n%d %d\n255\n" % (len(rows_[0]), len(rows_)) + bytes(min(max(v, 0), 255) for row in rows_ for v in row)

        for n in range(count):
            scene = [[round(110 + 0.5 * x + dice.gauss(0, 3)) for x in range(size)] for _ in range(size)]
            for left, top in places:
                for y in range(high):
                    for x in range(wide):
                        scene[top + y][left + x + n] = round(picture[y][x] + dice.gauss(0, 3))
            (self.dir / f"s_{n}.pgm").write_bytes(pgm(scene))
        (self.dir / "t.pgm").write_bytes(pgm(picture))
        seek = ("--filter", "template:look=file:t.pgm", "--set", "detect.threshold=0.75")
        self.glint("track", "s_%d.pgm", *seek, "-o", "t.csv", "-o", "t.jsonl", "--detections", "d.csv", "--rejected", "r.csv")
        found, tracks = rows(self.dir / "d.csv"), rows(self.dir / "t.csv")
        self.assertEqual(len(found), 4 * count)
        for row in found:
            n = int(row["frame"])
            near = [(left + n + 10 - float(row["x"]), top + 8 - float(row["y"])) for left, top in places]
            x, y = min(near, key=lambda d: d[0] ** 2 + d[1] ** 2)
            self.assertLess(abs(x), 5 * float(row["sigma_x"]))
            self.assertLess(abs(y), 5 * float(row["sigma_y"]))
            self.assertLess(float(row["sigma_x"]), 0.05)
            self.assertGreater(float(row["score"]), 0.9)
            self.assertEqual((int(row["peak_x"]), int(row["peak_y"])), (round(float(row["x"])), round(float(row["y"]))))
        self.assertEqual(len({row["track"] for row in tracks}), 4)
        self.assertEqual([float(row["score"]) for row in tracks], [json.loads(line)["score"] for line in self.text("t.jsonl").splitlines()])
        self.assertIn(",nearest_rank,candidates,score\n", self.text("r.csv"))
        # Places with too low a score are listed with their score.
        least = sorted(float(row["score"]) for row in found)[4]
        self.glint("track", "s_%d.pgm", *seek, "--set", f"detect.min_score={least}", "--detections", "d.csv", "--rejected", "r.csv")
        low = [row for row in rows(self.dir / "r.csv") if row["reason"] == "low_score"]
        self.assertEqual(len(low) + len(rows(self.dir / "d.csv")), 4 * count)
        self.assertTrue(low and all(float(row["score"]) <= least for row in low))
        # Without a template there is no such column.
        self.glint("track", "s_%d.pgm", "--rejected", "r.csv", "--detections", "d.csv")
        self.assertNotIn("score", self.text("r.csv") + self.text("d.csv"))

    def test_marks_from_tracks(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        self.glint("track", "clip.mkv", "-o", "t.csv")
        self.glint("filter", "clip.mkv", "-o", "m_%d.pgm", "--filter", "circle:marks=file:t.csv:radius=0:red=1:green=1:blue=1")
        table = rows(self.dir / "t.csv")
        for row in table:
            pixels = (self.dir / f"m_{row['frame']}.pgm").read_bytes()[-64 * 48:]
            self.assertEqual(pixels[int(float(row["y"]) + 0.5) * 64 + int(float(row["x"]) + 0.5)], 255)

    def test_what_is_refused(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        (self.dir / "c.toml").write_text('[filter]\nuse = "box"\n')
        self.assertIn("c.toml, line 1: write filters as [[filter]]", self.refused("track", CLIP, "--config", "c.toml"))
        (self.dir / "c.toml").write_text('[[filter]]\nid = "x"\n')
        self.assertIn('c.toml, line 1: a [[filter]] needs use = "NAME"', self.refused("track", CLIP, "--config", "c.toml"))
        (self.dir / "c.toml").write_text('[[filter]]\nuse = "box"\nradius = 99\n')
        self.assertIn("'radius' of the filter 'box' cannot be 99; allowed is 0 to 63 px", self.refused("track", CLIP, "--config", "c.toml"))
        for arguments, message in (
                (["--filter", "box", "--set", "filter.bax.radius=2"], "no filter with the id 'bax'; did you mean 'box'?"),
                (["--filter", "box", "--set", "filter.box.radios=2"], "the filter 'box' has no 'radios'; did you mean 'radius'?"),
                (["--filter", "box:radius"], "write ID=NAME:PARAMETER=VALUE"),
                (["--filter", "blend:over=file:no.png"], "cannot open 'no.png'"),
                (["--filter", "chroma_key"], "the filter 'chroma_key' needs colour, but the frames are grey"),
                (["--filter", "box", "--dark"], "the filter 'invert'"),
                (["--filter", "crosshatch", "--filter", "box"], "no markers can be found after the filter 'crosshatch'"),
                (["--filter", "blend:over=frame:-17"], "write source, frame:-1 (to -16), an earlier id or file:NAME"),
                (["--filter-dir", str(ROOT / "tests/filters/own/bad_code"), "--filter", "box"], "wrong.comp, line 4: 'brightness'")):
            self.assertIn(message, self.refused("track", CLIP, *arguments))
        for arguments, message in (
                (["-o", "o.mkv"], "give a --filter"),
                (["-o", "clip.mkv", "--filter", "box"], "'clip.mkv' is read by this run"),
                (["-o", "o.mkv", "--filter", "box", "--plane", "bex"], "no filter has the id 'bex'"),
                (["-o", "o_%s.png", "--filter", "box"], "'o_%s.png' has no number such as %04d"),
                (["-o", "o.webm", "--filter", "box"], "o.webm")):
            self.assertIn(message, self.refused("filter", "clip.mkv", *arguments))
        self.glint("filter", "clip.mkv", "-o", "one.png", "--filter", "box", "--frames", "1")

    def test_a_filter_of_ones_own(self):
        own = str(ROOT / "tests/filters/own/good")
        self.assertIn("my_stripes", self.glint("filters", "--filter-dir", own).stdout)
        self.glint("filter", CLIP, "-o", "o_%d.png", "--filter-dir", own, "--filter", "my_stripes:period=2", "--frames", "1")
        self.assertTrue((self.dir / "o_0.png").exists())


if __name__ == "__main__":
    unittest.main()
