#!/usr/bin/env python3
"""Compares the sample output in the pages with what the program prints.

A comment before a block of a page names the command whose output the block shows:

    <!-- prints: glint track assets/dancer.mp4 --quiet; head -n 2 tracks.csv -->

The block is all that the command writes to standard output and standard error. If it begins with a line `$ COMMAND`, that line must be the
same command. In the block, a line `...` stands for any number of lines, and `...` at the end of a line for the rest of that line. A block with
the comment `<!-- runs -->` holds commands that are run, without output. The commands of one page run in its order, in one folder of their own
that holds the bundled recordings in `assets`.

Python code that is to run has the comment `<!-- python -->`. The code of one page runs in its order, in one interpreter; if a block
without a language follows at once, it is what this code prints.

Excluded from the comparison are:

- the time, the rate and the device in the summary of a run ("in 1.38 s (218 frames/s) on llvmpipe ..."), which depend on the machine
- of numbers with decimals, a difference of 0.002 or of 3 in 100,000, whichever is more: other devices round differently

Everything else must be equal. usage: samples_test.py GLINT [unittest arguments]
"""

import math
import os
import pathlib
import re
import subprocess
import sys
import unittest

import harness
from harness import GLINT, SANITIZED, THREADS_CHECKED, TIMEOUT

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = re.compile(r"^<!-- (?:prints: (.+?)|runs) -->\n```\w*\n(.*?)^```$", re.M | re.S)
CODE = re.compile(r"^<!-- python -->\n```python\n(.*?)^```$(?:\n+^```\n(.*?)^```$)?", re.M | re.S)
MARK = re.compile(r"^<!-- (?:prints|runs|python)\b", re.M)
MACHINE = re.compile(r"in [\d.]+ (?:m?s|min) \(\d+ frames/s\) on .*")
DECIMAL = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
BETWEEN = "\x1e"  # A line that is printed after each block of Python code.
SLACK, RELATIVE_SLACK = 0.002, 3e-5
# Pages that showed output which the program no longer printed. They must have samples that are compared.
COMPARED = ("README.md", "docs/first-recording.md", "docs/formats.md", "docs/streams.md", "docs/calibration.md", "docs/space.md", "docs/control.md",
            "docs/python.md", "docs/real-footage.md")


def is_alike(shown, printed):
    """Returns True if one line of a page is what the program printed, except for what is not compared."""
    shown, printed = (MACHINE.sub("in TIME on DEVICE", line).rstrip() for line in (shown, printed))
    text = shown.removesuffix("...")
    pattern = f"({DECIMAL.pattern})".join(map(re.escape, DECIMAL.split(text)))
    found = (re.fullmatch if text == shown else re.match)(pattern, printed)
    return found is not None and all(math.isclose(float(a), float(b), abs_tol=SLACK, rel_tol=RELATIVE_SLACK)
                                     for a, b in zip(DECIMAL.findall(text), found.groups()))


def first_fault(shown, printed):
    """Returns the first line of `shown` that is not in its place in `printed`, or None. A line `...` skips any number of lines."""
    at, skips = 0, False
    for line in shown:
        if line == "...":
            skips = True
            continue
        while skips and at < len(printed) and not is_alike(line, printed[at]):
            at += 1
        if at == len(printed) or not is_alike(line, printed[at]):
            return line
        at, skips = at + 1, False
    return None if skips or at == len(printed) else f"(the page ends before) {printed[at]}"


@unittest.skipIf(SANITIZED or THREADS_CHECKED, "the optimised build prints the same in less time")
class Samples(harness.Folder):
    def setUp(self):
        super().setUp()
        (self.dir / "assets").symlink_to(ROOT / "assets")
        (self.dir / "examples").symlink_to(ROOT / "examples")
        build = pathlib.Path(GLINT).parent
        self.environment = os.environ | {"PATH": f"{build}:{os.environ['PATH']}", "PYTHONPATH": f"{build}/python", "MPLBACKEND": "Agg"}

    def run_it(self, command, text):
        done = subprocess.run(command, cwd=self.dir, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, f"{text}\n{done.stdout}")
        return done.stdout

    def compare(self, page, code, shown, printed):
        fault = first_fault(shown.splitlines(), printed.splitlines())
        if fault is not None:
            self.fail(f"{page}: {code.strip()}\nshown, but not printed: {fault}\nprinted:\n{printed[:4000]}")

    def commands_of(self, page):
        """Runs the commands of a page and compares what they print; returns how many samples there are."""
        samples = SAMPLE.findall((ROOT / page).read_text())
        for command, block in samples:
            printed = self.run_it(["bash", "-e", "-c", command or block], command or block)
            if not command:
                continue
            if block.startswith("$ "):
                first, block = block.split("\n", 1)
                self.assertEqual(first, "$ " + command, page)
            self.compare(page, command, block, printed)
        return len(samples)

    def code_of(self, page):
        """Runs the Python code of a page and compares what it prints; returns how many blocks there are."""
        blocks = CODE.findall((ROOT / page).read_text())
        if any("import glint" in code for code, _ in blocks) and not list((pathlib.Path(GLINT).parent / "python/glint").glob("*.so")):
            self.skipTest("needs the Python module")
        if blocks:
            script = "".join(f"{code}\nprint({BETWEEN!r}, flush=True)\n" for code, _ in blocks)
            printed = self.run_it([sys.executable, "-c", script], page).split(BETWEEN + "\n")
            for (code, shown), text in zip(blocks, printed):
                if shown:
                    self.compare(page, code, shown, text)
        return len(blocks)


def test_of(page):
    def test(self):
        compared = self.commands_of(page) + self.code_of(page)
        self.assertEqual(compared, len(MARK.findall((ROOT / page).read_text())), f"{page}: a comment has no block behind it")
        if page in COMPARED:
            self.assertGreater(compared, 0, f"{page} has no sample that is compared")
    return test


for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]):
    name = path.relative_to(ROOT).as_posix()
    setattr(Samples, "test_" + re.sub(r"\W", "_", name.removesuffix(".md")), test_of(name))


class TheComparisonCanFail(unittest.TestCase):
    def test_lines(self):
        self.assertTrue(is_alike("0,891.1064,x", "0,891.1066,x"))
        self.assertFalse(is_alike("0,891.1564,x", "0,891.1064,x"))
        self.assertFalse(is_alike("sigma 0.0202", "sigma 0.0155"))
        self.assertFalse(is_alike("47 tracks", "48 tracks"))
        self.assertTrue(is_alike('{"a":1, ...', '{"a":1, "b":2}'))
        self.assertFalse(is_alike('{"a":2, ...', '{"a":1, "b":2}'))
        self.assertTrue(is_alike("300 frames in 4.23 s (71 frames/s) on llvmpipe", "300 frames in 1.4 s (218 frames/s) on NVIDIA H200"))
        self.assertFalse(is_alike("300 frames in 4.23 s (71 frames/s) on llvmpipe", "299 frames in 4.23 s (71 frames/s) on llvmpipe"))

    def test_blocks(self):
        printed = ["a", "b", "c"]
        self.assertIsNone(first_fault(["a", "b", "c"], printed))
        self.assertIsNone(first_fault(["a", "..."], printed))
        self.assertIsNone(first_fault(["...", "c"], printed))
        self.assertIsNotNone(first_fault(["a", "b"], printed))
        self.assertIsNotNone(first_fault(["a", "c"], printed))
        self.assertIsNotNone(first_fault(["...", "a", "..."], ["b", "c"]))
        self.assertIsNotNone(first_fault(["a", "b", "c", "d"], printed))

    def test_pages_are_found(self):
        text = "<!-- prints: echo a -->\n```\na\n```\n<!-- runs -->\n```\ntrue\n```\n\n" \
               "<!-- python -->\n```python\nprint(1)\n```\n\n```\n1\n```\n<!-- python -->\n```python\nx = 1\n```\n"
        self.assertEqual(SAMPLE.findall(text), [("echo a", "a\n"), ("", "true\n")])
        self.assertEqual(CODE.findall(text), [("print(1)\n", "1\n"), ("x = 1\n", "")])
        self.assertEqual(len(MARK.findall(text + "<!-- prints: echo b -->\n\n```\nb\n```\n")), 5)


if __name__ == "__main__":
    unittest.main()
