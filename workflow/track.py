"""Tracks one recording in the folder of its results, which is the working folder then: tracks.csv and tracks.json.

usage: track.py FOLDER [--probed] GLINT track SOURCE... [OPTION...]

--probed: with the settings that `glint probe` wrote there as probe.json. Where Glint fails, what it has measured before stays as before_failure.csv, with its
record: Snakemake removes the files of steps that fail.
"""

import json
import os
import pathlib
import subprocess
import sys

KEPT = {"tracks.csv": "before_failure.csv", "tracks.json": "before_failure.json"}


def probed():
    """Returns the words that the probe proposes, to follow `glint track SOURCE` and the settings that the probe was given."""
    found = json.loads(pathlib.Path("probe.json").read_text())
    words = ["--dark"] * found["dark"] + ["--elongated"] * found["elongated"]
    if found["marker_radius"] is not None:
        words += ["--marker-radius", str(found["marker_radius"])]
    return words + [word for key_value in found["set"] for word in ("--set", key_value)]


def main(folder, *command):
    os.chdir(folder)
    for kept in KEPT.values():
        pathlib.Path(kept).unlink(missing_ok=True)
    if command[0] == "--probed":
        command = [*command[1:], *probed()]
    status = subprocess.run([*command, "-o", "tracks.csv"]).returncode
    if status != 0:
        for file, kept in KEPT.items():
            if os.path.exists(file):
                os.replace(file, kept)
    return status if status >= 0 else 128 - status


sys.exit(main(*sys.argv[1:]))
