"""Holds what the tests of the workflow share: short recordings, and functions that read the results of a run."""

import os
import pathlib
import subprocess
import unittest

from harness import GLINT, TIMEOUT, Folder, rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
# With this variable, Snakemake asks a cluster every second instead of every ten seconds.
QUICK = {"CI": "true"}


def synth(folder, count, **options):
    """Writes `count` videos of 3 markers each, with their truth."""
    folder.mkdir(exist_ok=True)
    for i in range(count):
        scene = "&".join(f"{key}={value}" for key, value in {"size": "64x48", "frames": 12, "markers": 3, "seed": i + 1, **options}.items())
        subprocess.run([GLINT, "synth", f"spots?{scene}", "-o", folder / f"r{i:02}.mkv", "--truth", folder / f"r{i:02}.truth.csv"],
                       check=True, capture_output=True, timeout=TIMEOUT)


class BatchFolder(Folder):
    """A test with a folder of recordings, rec, and a folder of results, out."""

    def batch(self, *words, status=0, source="rec", env=None):
        done = subprocess.run([GLINT, "batch", source, "-o", "out", *words], cwd=self.dir, env={**os.environ, **QUICK, **(env or {})},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="surrogateescape",
                              timeout=TIMEOUT)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def summary(self):
        """Returns the rows of the summary by name, in their order."""
        return {row["name"]: row for row in rows(self.dir / "out/summary.csv")}

    def times(self, file="tracks.csv"):
        """Returns the time at which the results of each recording were written."""
        return {path.parent.name: path.stat().st_mtime_ns for path in self.dir.glob(f"out/*/{file}")}

    def assert_tracked(self, name):
        """Checks that a recording's tracks equal those of `glint track` alone."""
        source = rows(self.dir / "out/recordings.csv")
        recording = next(row["recording"] for row in source if pathlib.Path(row["recording"]).stem == name)
        self.glint("track", recording, "-o", "alone.csv")
        self.assertEqual(self.text(f"out/{name}/tracks.csv"), self.text("alone.csv"))


def processes_in(folder):
    """Returns the command lines of processes that run in the folder, or that were started with it as an argument."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_text(errors="replace")
            inside = pathlib.Path(os.readlink(process / "cwd")).is_relative_to(folder)
        except OSError:
            continue
        if (inside or str(folder) in command) and int(process.name) != os.getpid():
            found.append(command.replace("\0", " "))
    return found


main = unittest.main
