"""The suffix of every output chooses its format, or is refused; no file gets another format than its name says.

usage: suffix_test.py GLINT [unittest arguments]
"""

import json
import os
import re
import subprocess
import unittest

from harness import GLINT, Folder, rows

SCENE = "dancer?cameras=3&size=480x384&frames=12"
POINTS = ["d_cam0.mkv", "d_cam1.mkv", "d_cam2.mkv", "--rig", "rig.toml"]
TABLES = {"--detections": "rank", "--stats": "mean", "--rejected": "reason"}


class Suffixes(Folder):
    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "d.mkv", "--rig", "rig.toml", "--bodies", "bodies.toml")
        self.there = set(os.listdir(self.dir))

    def refused(self, *arguments, known, name):
        result = self.glint(*arguments, status=2)
        self.assertIn(f"the name '{name}' does not show the format of", result.stderr)
        self.assertIn(known, result.stderr)
        self.assertEqual(set(os.listdir(self.dir)), self.there, arguments)

    def test_unknown_suffixes_of_a_run_are_refused_with_those_that_are_known(self):
        track = ["track", *POINTS, "--bodies", "bodies.toml", "-o", "t.csv"]
        for name in ("x.bvh", "x.csv.gz", "x", "csv", "x.csv "):
            for option in ("--points", "--poses", "--rejected-points", "--detections", "--stats", "--rejected"):
                self.refused(*track, option, name, known="it must end in one of .csv, .jsonl", name=name)
            self.refused(*track, "--points", "p.csv", "--refine-rig", name, known="it must end in .toml", name=name)
        for option, name in (("--picture", "x.csv"), ("--overlay", "x.csv"), ("--record", "x.csv"), ("-o", "x.png")):
            self.assertIn("'x", self.glint(*track[:-2], option, name, status=2).stderr)
            self.assertEqual(set(os.listdir(self.dir)), self.there)

    def test_unknown_suffixes_of_reconstruct_are_refused(self):
        self.glint("track", *POINTS[:3], "-o", "t.csv", "--detections", "d.csv", "--quiet")
        self.there = set(os.listdir(self.dir))
        given = ["reconstruct", "--rig", "rig.toml", "--bodies", "bodies.toml", "--detections", "d.csv", "--points"]
        self.refused(*given, "p.bvh", known=".csv, .jsonl", name="p.bvh")
        for option in ("--poses", "--rejected-points"):
            self.refused(*given, "p.csv", option, "q.txt", known="it must end in one of .csv, .jsonl", name="q.txt")
        self.refused(*given, "p.csv", "--refine-rig", "r.yml", known="it must end in .toml", name="r.yml")

    def test_unknown_suffixes_of_other_commands_are_refused(self):
        self.glint("track", *POINTS, "-o", "t.csv", "--points", "p.csv", "--quiet")
        self.there = set(os.listdir(self.dir))
        synth = ["synth", SCENE, "-o", "e.mkv"]
        for option in ("--truth", "--truth3d", "--truth-poses"):
            self.refused(*synth, option, "x.c3d", known="it must end in .csv", name="x.c3d")
        for option in ("--rig", "--bodies"):
            self.refused(*synth, option, "x.yml", known="it must end in .toml", name="x.yml")
        self.refused("report", "t.csv", "-o", "x.pdf", known=".html", name="x.pdf")
        self.refused("rig", "rig.toml", "-o", "x.yml", known="it must end in .toml", name="x.yml")
        self.refused("rig", "rig.toml", "--as", "opencv", "-o", "x.toml", known="one of .yml, .yaml", name="x.toml")
        self.refused("bodies", "--learn", "p.csv", "-o", "x.json", known=".toml", name="x.json")
        self.refused("sweep", "d_cam0.mkv", "--over", "track.gate=3,4", "-o", "x.xlsx", known=".csv", name="x.xlsx")
        calibrate = ["calibrate", "--wand", "500", "--size", "320x256", "--detections", "t.csv", "-o"]
        self.refused(*calibrate, "x.yml", known="it must end in .toml", name="x.yml")
        self.refused(*calibrate, "r.toml", "--report", "x.pdf", known=".html", name="x.pdf")
        self.refused("bench", "--quick", "--json", "x.csv", known=".json", name="x.csv")

    def test_every_table_is_written_as_csv_and_as_json_lines(self):
        options = [*TABLES, "--points", "--poses", "--rejected-points"]
        run = ["track", *POINTS, "--bodies", "bodies.toml", "--quiet", "-o", "t.csv"]
        for suffix in (".csv", ".jsonl"):
            self.glint(*run, *(part for option in options for part in (option, option.strip("-") + suffix)))
        for option in options:
            table = rows(self.dir / (option.strip("-") + ".csv"))
            lines = [json.loads(line) for line in self.text(option.strip("-") + ".jsonl").splitlines()]
            self.assertEqual(len(table), len(lines), option)
            self.assertGreater(len(lines), 0, option)
            for row, line in zip(table, lines):
                for key, cell in row.items():
                    if isinstance(line.get(key), (int, float)):
                        self.assertEqual(float(cell), line[key], (option, key))
                    else:
                        self.assertEqual(cell, line.get(key, ""), (option, key))

    def test_capital_letters_and_streams_are_known(self):
        self.glint("track", *POINTS, "--quiet", "-o", "t.csv", "--points", "P.CSV")
        self.assertEqual(self.text("P.CSV").split(",")[0], "frame")
        printed = subprocess.run([GLINT, "track", *POINTS, "--quiet", "-o", "t.csv", "--points", "/dev/stdout"],
                                 cwd=self.dir, stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertEqual(printed, self.text("P.CSV"))

    def test_the_help_names_the_suffixes(self):
        for command in ("track", "reconstruct"):
            text = re.sub(r"\s+", " ", self.glint(command, "--help").stdout)
            self.assertRegex(text, r"--rejected-points FILE [^()]*\(\.csv, \.jsonl\)")


if __name__ == "__main__":
    unittest.main(verbosity=2)
