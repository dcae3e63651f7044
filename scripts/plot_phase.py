#!/usr/bin/env python3
"""Draws the error of refined positions by their place within the pixel: refine_study's CSV -> docs/images/phase.svg."""
import csv
import sys
from collections import defaultdict

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the back end is chosen first)

CASES = [
    "Gaussian, sigma 1 px, amplitude 180, read noise 2",
    "Gaussian, sigma 2 px, amplitude 180, read noise 2",
    "disc, radius 5 px, read noise 2",
    "saturated disc, radius 5 px, read noise 2",
]
BINS = 20

if len(sys.argv) != 3:
    sys.exit("usage: plot_phase.py errors.csv picture.svg")
errors = defaultdict(lambda: [[] for _ in range(BINS)])
with open(sys.argv[1]) as file:
    for row in csv.DictReader(file):
        for axis in "xy":
            place = min(int((float(row["phase_" + axis]) + 0.5) * BINS), BINS - 1)
            errors[row["case"]][place].append(float(row["error_" + axis]))

plt.rcParams["svg.hashsalt"] = "glint"  # makes the file the same each time
figure, panels = plt.subplots(2, 2, figsize=(9, 5.5), sharex=True)
places = [(i + 0.5) / BINS - 0.5 for i in range(BINS)]
for panel, case in zip(panels.flat, CASES):
    means = [sum(e) / len(e) for e in errors[case]]
    spread = [(sum(v * v for v in e) / len(e)) ** 0.5 for e in errors[case]]
    standard = [s / len(e) ** 0.5 for s, e in zip(spread, errors[case])]
    panel.fill_between(places, [-s for s in spread], spread, color="0.9", label="rms of one marker")
    panel.errorbar(places, means, standard, fmt="o", ms=3, lw=1, label="mean and its standard error")
    panel.axhline(0, color="0.5", lw=0.5)
    panel.set_title(case, fontsize=9)
for panel in panels[1]:
    panel.set_xlabel("place within the pixel, px")
for panel in panels[:, 0]:
    panel.set_ylabel("error, px")
panels[0, 0].legend(fontsize=8)
figure.tight_layout()
figure.savefig(sys.argv[2], metadata={"Date": None})
