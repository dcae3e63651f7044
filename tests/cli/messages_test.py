"""Tests the errors about misspelt commands, options and settings, and about files of the wrong kind.

usage: messages_test.py GLINT [unittest arguments]
"""

import re
import unittest

from harness import Folder

SCENE = "synth:spots?frames=2&size=64x48&markers=2"


class Messages(Folder):
    def refused(self, *arguments, status=2):
        return self.glint(*arguments, status=status).stderr

    def test_a_misspelt_command_leads_to_the_right_one(self):
        self.assertIn("there is no command 'trak'; did you mean 'track'? (see `glint --help`)", self.refused("trak", "x.mp4"))
        self.assertIn("there is no command 'replya'; did you mean 'replay'?", self.refused("replya"))
        far = self.refused("zebra", "x.mp4")
        self.assertIn("there is no command 'zebra'", far)
        self.assertNotIn("did you mean", far)

    def test_a_file_in_place_of_a_command(self):
        (self.dir / "x.mp4").write_bytes(b"")
        self.assertIn("'x.mp4' is no command; `glint track x.mp4` tracks it, `glint replay x.mp4` shows it", self.refused("x.mp4"))

    def test_a_misspelt_option_leads_to_the_right_one(self):
        self.assertIn("`glint track` has no option '--overlya'; did you mean '--overlay'? (see `glint track --help`)",
                      self.refused("track", SCENE, "--overlya", "o.mp4"))
        self.assertIn("'--marker_radius'; did you mean '--marker-radius'?", self.refused("track", SCENE, "--marker_radius=3"))
        far = self.refused("track", SCENE, "--zebra")
        self.assertIn("`glint track` has no option '--zebra'", far)
        self.assertNotIn("did you mean", far)

    def test_a_setting_in_place_of_an_option(self):
        for arguments in (("--separation", "5"), ("--separation=5",), ("--seperation", "5"), ("--detect.separation", "5")):
            self.assertIn("did you mean '--set detect.separation=5'?", self.refused("track", SCENE, *arguments), arguments)
        self.assertIn("did you mean '--set detect.min_radius=VALUE'?", self.refused("track", SCENE, "--min-radius"))
        self.assertNotIn("--set", self.refused("report", "t.csv", "--separation", "5"))  # this command has no settings

    def test_a_password_is_not_repeated(self):
        said = self.refused("track", SCENE, "--separation=rtsp://me:secret@host/")
        self.assertNotIn("secret", said)
        self.assertNotIn("secret", self.refused("rtsp://me:secret@host/"))

    def test_a_misspelt_setting_leads_to_the_right_one(self):
        for given in ("seperation=8", "detect.seperation=8", "separation=8"):
            self.assertIn("did you mean 'detect.separation'?", self.refused("track", SCENE, "--set", given), given)
        for given in ("output=x", "foo=1", "=1"):
            said = self.refused("track", SCENE, "--set", given)
            self.assertIn("there is no setting", said)
            self.assertNotIn("did you mean", said)

    def test_a_table_in_place_of_a_rig_or_of_settings(self):
        (self.dir / "t.csv").write_text("# glint\nframe,time_s,track,x,y\n0,0,1,2,3\n")
        self.assertIn("'t.csv' is a CSV table, not a settings file (TOML)", self.refused("track", SCENE, "--config", "t.csv"))
        self.assertIn("'t.csv' is a CSV table, not a rig (TOML)", self.refused("track", SCENE, "--rig", "t.csv", "--points", "p.csv", status=1))
        for text in (b"\x01\x02,\x03;\n", b'{"a": [1, 2]}\n'):  # neither TOML nor CSV
            (self.dir / "other").write_bytes(text)
            self.assertNotIn("CSV", self.refused("track", SCENE, "--config", "other"))
        (self.dir / "one.toml").write_text("# a comment, with commas; and more\n\n[detect]\nseparation = 5\n")
        self.glint("track", SCENE, "--config", "one.toml", "-o", "o.csv", "--quiet")

    def test_why_a_file_cannot_be_read(self):
        (self.dir / "folder").mkdir()
        for name, rig, reason in (("none.toml", "cannot read the rig 'none.toml': No such file or directory", "No such file or directory"),
                                  ("folder", "'folder' is a folder without cameras.txt, so it is no text model of COLMAP", "it is a folder")):
            self.assertIn(rig, self.refused("track", SCENE, "--rig", name, "--points", "p.csv", status=1))
            self.assertIn(f"cannot read the settings file '{name}': {reason}", self.refused("track", SCENE, "--config", name))

    def test_help_begins_with_the_options_that_most_people_need(self):
        first = {}
        for command in re.findall(r"^  ([a-z]+) ", self.glint("--help").stdout.partition("Subcommands:")[2], re.M):
            text = self.glint(command, "--help").stdout
            sections = dict(re.findall(r"^(Options[a-z ]*):\n((?:.+\n)*)", text, re.M))
            names = {heading: re.findall(r"^  (?:-\w,)?(--[a-z][\w-]*)", body, re.M) for heading, body in sections.items()}
            first[command] = names["Options"] if "Options" in names else []
            self.assertLessEqual(len(set(first[command]) - {"--help"}), 10, command)
            every = [name for some in names.values() for name in some]
            self.assertEqual(sorted(set(every)), sorted(every), command)
        self.assertEqual(set(first["track"]), {"--help", "--output", "--rig", "--points", "--overlay", "--record", "--marker-radius", "--dark",
                                               "--set", "--config", "--frames"})
        self.assertGreater(len(first), 20)


if __name__ == "__main__":
    unittest.main()
