"""Filters on the command line: what they write, what `glint track` makes of them, and what is refused."""

import json
import os
import pathlib
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
        # Neutral filters and numbers that nobody uses change nothing; the measured plane is the luminance.
        self.glint("track", CLIP, "-o", "plain.csv")
        self.glint("track", CLIP, "-o", "neutral.csv", "--filter", "brightness", "--filter", "average", "--filter", "contrast")
        self.assertEqual(self.text("neutral.csv"), self.text("plain.csv"))

    def test_dark_markers_by_invert_are_those_of_dark(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        self.glint("filter", "clip.mkv", "-o", "dark.mkv", "--filter", "invert")
        self.glint("track", "dark.mkv", "-o", "a.csv", "--filter", "invert")
        self.glint("track", "dark.mkv", "-o", "b.csv", "--dark")
        self.glint("track", "clip.mkv", "-o", "c.csv")
        self.assertEqual(self.text("a.csv"), self.text("b.csv"))
        self.assertEqual(self.text("a.csv"), self.text("c.csv"))

    def test_what_is_refused(self):
        self.glint("synth", CLIP[6:], "-o", "clip.mkv")
        (self.dir / "c.toml").write_text('[filter]\nuse = "box"\n')
        self.assertIn("c.toml, line 1: filters stand in [[filter]]", self.refused("track", CLIP, "--config", "c.toml"))
        (self.dir / "c.toml").write_text('[[filter]]\nid = "x"\n')
        self.assertIn('c.toml, line 1: a [[filter]] needs use = "NAME"', self.refused("track", CLIP, "--config", "c.toml"))
        (self.dir / "c.toml").write_text('[[filter]]\nuse = "box"\nradius = 99\n')
        self.assertIn("'radius' of the filter 'box' cannot be 99; allowed is 0 to 63 px", self.refused("track", CLIP, "--config", "c.toml"))
        for arguments, message in (
                (["--filter", "box", "--set", "filter.bax.radius=2"], "no filter with the id 'bax'; did you mean 'box'?"),
                (["--filter", "box", "--set", "filter.box.radios=2"], "the filter 'box' has no 'radios'; did you mean 'radius'?"),
                (["--filter", "box:radius"], "write ID=NAME:PARAMETER=VALUE"),
                (["--filter", "blend:over=file:no.png"], "cannot open 'no.png'"),
                (["--filter", "chroma_key"], "the filter 'chroma_key' needs colour, and the frames are grey"),
                (["--filter", "box", "--dark"], "the filter 'invert'"),
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
