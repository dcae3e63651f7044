#!/usr/bin/env python3
"""Runs the commands of the tutorials in their order: all of docs/first-recording.md except building and the window, those of docs/first-camera.md
that need no camera, and all of docs/connect.md. The results must be as the pages say.

usage: tutorial_test.py GLINT [unittest arguments]
"""

import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import unittest

import harness
from harness import GLINT, TIMEOUT

ROOT = pathlib.Path(__file__).parents[2]
WINDOW = ("glint replay", "glint live", "scripts/run")
# Samples of output, both of commands and behind Python code. samples_test.py compares them.
SAMPLES = re.compile(r"^<!-- prints: [^\n]*\n```\n.*?^```$|(?<=^```\n\n)```\n.*?^```$", re.M | re.S)


class Tutorials(harness.Folder):
    def setUp(self):
        super().setUp()
        (self.dir / "assets").symlink_to(ROOT / "assets")
        (self.dir / "out").mkdir()
        self.environment = os.environ | {"PATH": f"{pathlib.Path(GLINT).parent}:{os.environ['PATH']}"}

    def blocks(self, page, heading=""):
        """Returns the blocks of code of a page from this heading on, without samples of output: language and text of each."""
        text = (ROOT / "docs" / page).read_text()
        return re.findall(r"^```(\w*)\n(.*?)^```", SAMPLES.sub("", text[text.index(heading):]), re.M | re.S)

    def run_block(self, language, text):
        """Runs a block without the lines that open a window. Returns what it prints."""
        text = "".join(line for line in text.splitlines(True) if not line.startswith(WINDOW))
        command = [sys.executable, "-c", text] if language == "python" else ["bash", "-e", "-c", text]
        done = subprocess.run(command, cwd=self.dir, env=self.environment, capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def test_first_recording(self):
        said = "\n".join(self.run_block(language, text) for language, text in self.blocks("first-recording.md", "## 2."))
        page = " ".join((ROOT / "docs/first-recording.md").read_text().split())
        names, values = (re.split(r"  +| (?=median)", line) for line in re.search(r"^(camera .*)\n(.*)$", said, re.M).groups())
        score = dict(zip(names, values))
        recall, median = re.search(r"found ([\d.]+) of them \(recall\), with a median error of ([\d.]+) pixels", page).groups()
        self.assertEqual((recall, median), (f"{float(score['recall']):.3f}", score["median px"]))
        for promised, found in ((r"finds (\d+) markers in each", r"(\d+)\.0 markers a frame, \d+ tracks -> out/spots"),
                                (r"--set (detect.max_markers=\d+) -o", r"^glint track .*--set (detect.max_markers=\d+)$")):
            self.assertEqual(re.search(promised, page)[1], re.search(found, said, re.M)[1], said)
        self.assertIn("400.0 markers a frame", said)
        self.assertEqual({path.name for path in (self.dir / "out").iterdir()} & {"picture.png", "report.html", "seen.png", "stats.csv"},
                         {"picture.png", "report.html", "seen.png", "stats.csv"})

    def test_first_camera_without_a_camera(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        (_, sender), (_, receiver) = [(language, text.replace("5000", port)) for language, text in
                                      self.blocks("first-camera.md", "## Without a camera")]
        with subprocess.Popen(["bash", "-c", "exec " + sender.rstrip().rstrip("&")], cwd=self.dir, start_new_session=True) as ffmpeg:
            try:
                self.assertIn("300 frames in", self.run_block("", receiver))
            finally:
                os.killpg(ffmpeg.pid, signal.SIGKILL)
        self.run_block(*self.blocks("first-camera.md", "## 5.")[0])
        self.assertEqual((self.dir / "out/again.csv").read_bytes(), (self.dir / "out/live.csv").read_bytes())

    def test_connect(self):
        """What the page shows is what the program prints, and pandas reads the tables as the page says."""
        for _, text in self.blocks("connect.md"):
            if not text.startswith("$ "):
                self.run_block("", text)
                continue
            for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
                command, expected = part.split("\n", 1)
                done = subprocess.run(["bash", "-c", command + " 2>&1"], cwd=self.dir, env=self.environment, capture_output=True, text=True,
                                      timeout=TIMEOUT)
                self.assertEqual(done.returncode, 0, done.stdout)
                if expected:
                    self.assertEqual(done.stdout, expected)
        page = (ROOT / "docs/connect.md").read_text()
        for call in re.findall(r"`(?:pandas\.)?(read_csv\(.*?\))`", " ".join(page.split())):
            self.run_block("python", f"from pandas import read_csv\ntable = {call}\nassert len(table) == 60 and len(table.columns) > 150")


if __name__ == "__main__":
    unittest.main()
