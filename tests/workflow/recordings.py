"""What the tests of the workflow share: short recordings, and what is left of a run."""

import os
import pathlib
import subprocess
import unittest

from harness import GLINT, TIMEOUT, Folder, rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Snakemake asks a cluster every second then, not every ten.
QUICK = {"CI": "true"}


def synth(folder, count, **options):
    """count videos of 3 markers each, with their truth."""
    folder.mkdir(exist_ok=True)
    for i in range(count):
        scene = "&".join(f"{key}={value}" for key, value in {"size": "64x48", "frames": 12, "markers": 3, "seed": i + 1, **options}.items())
        subprocess.run([GLINT, "synth", f"spots?{scene}", "-o", folder / f"r{i:02}.mkv", "--truth", folder / f"r{i:02}.truth.csv"],
                       check=True, capture_output=True, timeout=TIMEOUT)


class BatchFolder(Folder):
    """A test with a folder of recordings, rec, and one of results, out."""

    def batch(self, *words, status=0, source="rec", env=None):
        done = subprocess.run([GLINT, "batch", source, "-o", "out", *words], cwd=self.dir, env={**os.environ, **QUICK, **(env or {})},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def summary(self):
        """Rows by name, in their order."""
        return {row["name"]: row for row in rows(self.dir / "out/summary.csv")}

    def times(self, file="tracks.csv"):
        """When the results of each recording were written."""
        return {path.parent.name: path.stat().st_mtime_ns for path in self.dir.glob(f"out/*/{file}")}

    def assert_tracked(self, name):
        """As `glint track` does it alone."""
        source = rows(self.dir / "out/recordings.csv")
        recording = next(row["recording"] for row in source if pathlib.Path(row["recording"]).stem == name)
        self.glint("track", recording, "-o", "alone.csv")
        self.assertEqual(self.text(f"out/{name}/tracks.csv"), self.text("alone.csv"))


def processes_in(folder):
    """Command lines of what runs in it, or was started with it as an argument."""
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
