"""Tests the table of recordings: what `glint batch` writes, what the workflow reads, and what both refuse.

usage: table_test.py GLINT [unittest arguments]
"""

import argparse
import importlib.util
import os
import pathlib
import sys

from snakemake import parse_config

from harness import GLINT, glint, rows
from recordings import ROOT, BatchFolder, main

spec = importlib.util.spec_from_file_location("table", ROOT / "workflow/table.py")
table = sys.modules["table"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)


class Reading(BatchFolder):
    def read(self, text):
        (self.dir / "t.csv").write_text(text)
        return table.read(self.dir / "t.csv")

    def test_a_row_becomes_the_words_of_glint(self):
        (name, row), = self.read('recording,settings,rig,options,truth,probe\n'
                                 'a/left one.mkv|a/right.mkv,s.toml,rig.toml,"--dark --set ""detect.mask=/m n.png""",t.csv,yes\n').items()
        at = str(self.dir)
        self.assertEqual(name, "left_one")
        self.assertEqual(row.track_words(), f"track '{at}/a/left one.mkv' {at}/a/right.mkv --config {at}/s.toml --rig {at}/rig.toml --dark "
                                            "--set 'detect.mask=/m n.png'")
        self.assertEqual(row.probe_words(), f"probe '{at}/a/left one.mkv' --json --config {at}/s.toml")
        self.assertEqual((row.truth, row.probe), (f"{at}/t.csv", True))

    def test_what_is_no_path_stays(self):
        rows_ = self.read("recording\nsynth:dancer?frames=3\n/x/y.mp4\nhttp://127.0.0.1/a.mjpg\n")
        self.assertEqual([row.sources[0] for row in rows_.values()], ["synth:dancer?frames=3", "/x/y.mp4", "http://127.0.0.1/a.mjpg"])

    def test_names_tell_rows_apart_and_more_rows_change_none(self):
        some = "recording,name\na/x.mp4,\nb/x.mp4,\nb/x.avi,\nc/x.mp4,own\n"
        names = list(self.read(some))
        self.assertEqual(names, ["x", "x.mp4", "x.avi", "own"])
        self.assertEqual(list(self.read(some + "c/x.mp4,\nc/x.mp4,\n???,\n-d.mp4,\n")), [*names, "c_x.mp4", "c_x.mp4_2", "recording", "d"])

    def test_files_of_all_recordings_keep_their_names(self):
        read = self.read("recording\nsummary.csv.mkv\na/summary.html.mkv\nrecordings.csv.mkv\nrecordings.csv\n")
        self.assertEqual(list(read), ["summary.csv.mkv", "summary.html.mkv", "recordings.csv.mkv", "recordings"])

    def test_names_that_snakemake_cannot_have_are_hidden_from_it(self):
        names = "a.mp4", "{x}.mp4", "b}.mp4", "c\nd.mp4", os.fsdecode(b"e\xff.mp4")
        for name in names:
            (self.dir / name).write_text("")
        with open(self.dir / "t.csv", "w", errors="surrogateescape") as file:
            file.write("recording\n" + "".join(f'"{name}"\n' for name in names))
        read = table.read(self.dir / "t.csv")
        self.assertEqual([row.sources[0] for row in read.values()], [str(self.dir / name) for name in names])
        self.assertEqual([len(row.files()) for row in read.values()], [1, 0, 0, 0, 0])

    def test_faults_are_told_in_one_sentence(self):
        for text, words in (
                ("recording,colour\nx,red\n", "unknown column 'colour'"), ("settings\nx\n", "no column 'recording'"), ("", "no column 'recording'"),
                ("recording,rig\nx\n", "line 2 has another number of cells"), ("recording\nx,y\n", "line 2 has another number of cells"),
                ("recording,rig\n,y\n", "line 2: the recording is missing"), ("recording,probe\nx,maybe\n", "line 2: probe is 'maybe'"),
                ('recording,options\nx,--set "a\n', "line 2: "), ("recording,name\nx,../y\n", "'../y' is no name of a folder"),
                ("recording,name\nx,summary.csv\n", "'summary.csv' is that of a file"),
                ("recording,name\nx,-y\n", "'-y' is no name of a folder"), ("recording,name\nx,a\ny,a\n", "line 3: the name 'a' is there twice"),
                ("recording,options\nx,\"--set 'a\"\n", "the options are not quoted as in a shell")):
            with self.subTest(text), self.assertRaisesRegex(ValueError, words.replace("(", r"\(")) as caught:
                self.read(text)
            self.assertNotIn("\n", str(caught.exception))


class Writing(BatchFolder):
    """Runs of `glint batch` with a Snakemake that does nothing."""

    def setUp(self):
        super().setUp()
        (self.dir / "bin").mkdir()
        fake = self.dir / "bin/snakemake"
        fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n')
        fake.chmod(0o755)
        self.path = {"PATH": f"{self.dir / 'bin'}:{os.environ['PATH']}"}

    def put(self, *files):
        for file in files:
            path = self.dir / "rec" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")

    def batch(self, *words, status=3, **keywords):
        return super().batch(*words, status=status, env=self.path, **keywords)

    def recordings(self):
        return [str(pathlib.Path(row["recording"]).relative_to(self.dir / "rec")) for row in rows(self.dir / "out/recordings.csv")]

    def test_a_folder_becomes_a_table(self):
        self.put("b10.mp4", "b2.MKV", "b2.truth.csv", "notes.txt", ".hidden.mp4", "shots/1.png", "shots/2.png", "mixed/a.avi", "mixed/mask.png",
                 "deep/er/x, \"y\".mov")
        os.symlink(".", self.dir / "rec/circle")
        out = self.batch("--probe", "--", "--cores", "1").splitlines()
        self.assertEqual(self.recordings(), ["b2.MKV", "b10.mp4", 'deep/er/x, "y".mov', "mixed/a.avi", "shots"])
        first, second, *_ = rows(self.dir / "out/recordings.csv")
        self.assertEqual((first["truth"], second["truth"]), (str(self.dir / "rec/b2.truth.csv"), ""))
        self.assertEqual(first["probe"], "yes")
        at = ROOT / "workflow"
        self.assertEqual(out[1:], ["--snakefile", f"{at}/Snakefile", "--directory", f"{self.dir}/out", "--profile", f"{at}/profile/local",
                                   "--config", f'table="{self.dir}/out/recordings.csv"', f"glint={GLINT}", "--cores", "1"])
        self.assertEqual(len(table.read(self.dir / "out/recordings.csv")), 5)

    def test_a_table_that_is_there_gets_new_rows_only(self):
        self.put("a.mp4")
        self.batch()
        file = self.dir / "out/recordings.csv"
        edited = "options,recording\n" + f"--dark,{self.dir}/rec/a.mp4\n"
        file.write_text(edited)
        self.batch()
        self.assertEqual(file.read_text(), edited)
        self.put("0.mp4")
        self.batch()
        self.assertEqual(file.read_text(), edited + f",{self.dir}/rec/0.mp4\n")

    def test_a_table_that_a_spreadsheet_has_saved_is_kept(self):
        self.put("a.mp4", "b.mp4")
        (self.dir / "out").mkdir()
        file = self.dir / "out/recordings.csv"
        file.write_text("")  # it has no row and no column yet
        self.batch()
        self.assertEqual(self.recordings(), ["a.mp4", "b.mp4"])
        quoted = '\ufeff"options","recording"\r\n"--dark","%s"\r\n' % (self.dir / "rec/a.mp4")
        file.write_bytes(quoted.encode())
        self.batch()
        self.assertEqual(file.read_bytes(), (quoted + f",{self.dir}/rec/b.mp4\n").encode())
        self.assertEqual([row.sources[0] for row in table.read(file).values()], [str(self.dir / "rec" / name) for name in ("a.mp4", "b.mp4")])
        for text in (quoted.replace('","', '";"'), "settings\nx\n", "recording,recording\nx,y\n", "recording,rig\nx\n"):
            file.write_bytes(text.encode())
            self.assertIn("recordings.csv, line ", glint("batch", "rec", "-o", "out", cwd=self.dir, env=self.path, status=1).stderr)
            self.assertEqual(file.read_bytes(), text.encode())

    def test_snakemake_reads_the_name_of_the_table_as_it_is(self):
        for name in ("t.csv #2", "a: b.csv", "ends with: ", "ends with #", "'q' \"r\" \\x", "é.csv", "[a].csv", "tab\t.csv", os.fsdecode(b"\xff.csv")):
            (self.dir / name).write_text("recording\n")
            config = next(word for word in self.batch(source=name).splitlines() if word.startswith("table="))
            self.assertEqual(parse_config(argparse.Namespace(config=[config]))["table"], str(self.dir / name))

    def test_results_below_the_recordings_are_none(self):
        self.put("a.mp4", "results/a/picture.png")
        os.symlink("rec/results", self.dir / "out")
        self.batch()
        self.assertEqual(self.recordings(), ["a.mp4"])

    def test_refusals(self):
        (self.dir / "rec").mkdir()
        os.mkfifo(self.dir / "rec/pipe.mkv")
        (self.dir / "clip.MKV").write_text("")
        for words, message, status in (
                (("nowhere",), "there is no 'nowhere': give a folder of recordings, or a table of them", 2),
                (("rec",), "there is no recording in 'rec': neither a video nor a folder of images", 2),
                (("clip.MKV",), "'clip.MKV' is a recording: give the folder that it is in, or a table of recordings", 2),
                ((GLINT, "--probe"), "--probe is for folders; in a table, use the column 'probe'", 2)):
            with self.subTest(words):
                self.assertIn(message, glint("batch", *words, cwd=self.dir, env=self.path, status=status).stderr)
        self.put("a|b.mp4")
        self.assertIn("has a | in its name", glint("batch", "rec", cwd=self.dir, env=self.path, status=2).stderr)

    def test_without_snakemake(self):
        self.put("a.mp4")
        (self.dir / "bin/snakemake").unlink()
        printed = glint("batch", "rec", cwd=self.dir, env={"PATH": str(self.dir / "bin")}, status=1).stderr
        self.assertIn("glint batch needs Snakemake, which is not installed: apt install snakemake brings it", printed)


if __name__ == "__main__":
    main()
