"""Holds what the tests of the program share: functions that run it and read its files.

The first argument of a test is the program, GLINT.
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

GLINT = os.path.abspath(sys.argv.pop(1))
SANITIZED = b"__asan_init" in pathlib.Path(GLINT).read_bytes()
THREADS_CHECKED = b"__tsan_init" in pathlib.Path(GLINT).read_bytes()  # The program was built with the thread sanitizer.
TIMEOUT = 300  # The limit in seconds. It suits programs with sanitizers on a busy machine.

if THREADS_CHECKED:
    suppressions = pathlib.Path(__file__).resolve().parent.parent / "tsan.supp"
    os.environ.setdefault("TSAN_OPTIONS", f"detect_deadlocks=0 history_size=5 suppressions={suppressions}")


def glint(*arguments, cwd, status=0, env=None, **keywords):
    """Runs glint. Checks its exit status, and that a failure is reported in one sentence without a full stop at its end."""
    result = subprocess.run(
        [GLINT, *map(str, arguments)], cwd=cwd, text=True, errors="replace",
        env={**os.environ, **(env or {})}, timeout=TIMEOUT,
        **({"capture_output": True} | keywords if "stdout" not in keywords
           else {"stderr": subprocess.PIPE} | keywords))
    if result.returncode != status:
        raise AssertionError(f"exit status {result.returncode} for {status}: {arguments}\n"
                             f"{result.stdout}\n{result.stderr}")
    if status != 0 and result.stderr.count("\n") != 1:
        raise AssertionError(f"not one sentence: {result.stderr!r}")
    if status != 0 and result.stderr.endswith(".\n") and not result.stderr.endswith("..\n"):
        raise AssertionError(f"errors end without a full stop: {result.stderr!r}")
    return result


def preload(library):
    """Returns LD_PRELOAD for a library in front of Glint. A sanitizer wants to be first."""
    if not SANITIZED:
        return library
    libraries = subprocess.run(["ldd", GLINT], text=True, capture_output=True, check=True).stdout
    return " ".join([*re.findall(r"=> (\S*lib(?:asan|ubsan)\S*)", libraries), library])


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def wait_until(condition, what):
    """Waits until condition() is true."""
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never: {what}")
        time.sleep(0.02)


def asking(process):
    """Returns a function that sends a request to a glint with --control -, and returns its answer."""
    def ask(**request):
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())
    return ask


class Folder(unittest.TestCase):
    """A test in an empty folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.dir = pathlib.Path(folder.name)

    def glint(self, *arguments, **keywords):
        return glint(*arguments, cwd=self.dir, **keywords)

    def start(self, *arguments, **keywords):
        """Starts glint. It is killed at the end of the test if it still runs."""
        keywords = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | keywords
        process = subprocess.Popen([GLINT, *map(str, arguments)], cwd=self.dir, **keywords)

        def end():
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.addCleanup(end)
        return process

    def text(self, name):
        return (self.dir / name).read_text()

    def assert_whole_rows(self, name):
        text = self.text(name)
        self.assertTrue(text.endswith("\n"))
        columns = text.split("\n", 1)[0].count(",")
        for line in text.splitlines():
            self.assertEqual(line.count(","), columns, line)
