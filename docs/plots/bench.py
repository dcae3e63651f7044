#!/usr/bin/env python3
"""Draws what `glint bench --json` measured: time against pixels, and time against markers.

usage: bench.py RESULTS.json... [-o FOLDER]     (needs matplotlib; several files: several devices)
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

USUAL = {"layers": 1, "channels": 1, "bits": 8}


def short(name):
    return name.split(" (")[0]


def selected(results, key):
    """(x, case) of the cases that differ from the usual ones in `key` alone."""
    fixed = {**USUAL, **({"markers": 50} if key == "pixels" else {"width": 1920, "height": 1080})}
    for case in results["cases"]:
        if "skipped" in case or any(case[name] != value for name, value in fixed.items()):
            continue
        yield case["width"] * case["height"] / 1e6 if key == "pixels" else case["markers"], case


def points(results, key, work, part):
    """(x, milliseconds) in order."""
    times = [(x, case[work][part]) for x, case in selected(results, key)]
    return sorted((x, time["median"] / 1000) for x, time in times if time)


def peer_points(results, key):
    """The same for every peer: {name: points}."""
    found = {}
    for x, case in selected(results, key):
        for peer in case["peers"]:
            found.setdefault(peer["name"], []).append((x, peer["wall_us"]["median"] / 1000))
    return {name: sorted(values) for name, values in found.items()}


def draw(axes, all_results, key):
    styles = [("detection", "device_us", "whole detection, device", "-", "o"),
              ("detection", "wall_us", "whole detection, wall", "--", "o"),
              ("statistics", "device_us", "statistics alone, device", "-", "s")]
    for number, results in enumerate(all_results):
        name = short(results["device"]["name"])
        for work, part, label, line, mark in styles:
            values = points(results, key, work, part)
            if values:
                axes.plot(*zip(*values), line, marker=mark, markersize=4, color=f"C{number}",
                          alpha=0.5 if work == "statistics" else 1, label=f"{name}: {label}")
    for results in all_results:
        for number, (name, values) in enumerate(peer_points(results, key).items()):
            axes.plot(*zip(*values), ":", marker="x", markersize=4, color=f"C{5 + number % 5}",
                      label=f"OpenCV: {name}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_ylabel("ms a frame (median)")
    axes.grid(alpha=0.3, which="both")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("-o", "--output", default=pathlib.Path("."), type=pathlib.Path)
    options = parser.parse_args()
    all_results = [json.loads(path.read_text()) for path in options.results]

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 6.4), sharey=True)
    draw(left, all_results, "pixels")
    left.set_xlabel("megapixels (50 markers, 8 bit grey, one camera)")
    draw(right, all_results, "markers")
    right.set_xlabel("markers (1920x1080, 8 bit grey, one camera)")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=2, fontsize=8, frameon=False)
    rows = (len(labels) + 1) // 2
    figure.tight_layout(rect=(0, 0.035 * rows, 1, 1))
    path = options.output / "speed.png"
    figure.savefig(path, dpi=110)
    print(path)


if __name__ == "__main__":
    main()
