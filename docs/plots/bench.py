#!/usr/bin/env python3
"""Draws and tabulates what `glint bench --json` measured.

usage: bench.py [RESULTS.json...] [-o FOLDER]     (needs matplotlib)

Of the files given, makes FOLDER/speed.png: time against pixels, and time against markers. With no
files, of all in docs/speed, makes docs/images/speed.png and the tables in docs/measurements.md.
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

DOCS = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- speed: begin, written by docs/plots/bench.py -->\n", "<!-- speed: end -->\n"
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


def plot(all_results, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 6.4), sharey=True)
    draw(left, all_results, "pixels")
    left.set_xlabel("megapixels (50 markers, 8 bit grey, one camera)")
    draw(right, all_results, "markers")
    right.set_xlabel("markers (1920x1080, 8 bit grey, one camera)")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=2, fontsize=8, frameon=False)
    rows = (len(labels) + 1) // 2
    figure.tight_layout(rect=(0, 0.035 * rows, 1, 1))
    figure.savefig(path, dpi=110)
    print(path)


def us(time):
    return f"{time['median']:.0f}" if time and time["median"] >= 100 else f"{time['median']:.1f}" if time else "-"


def describe(case):
    layers = f" x{case['layers']}" if case["layers"] > 1 else ""
    kind = "grey" if case["channels"] == 1 else "colour"
    return f"{case['width']}x{case['height']}{layers}, {kind} {case['bits']} bit, {case['markers']}"


def table(head, rows):
    if not rows:
        return []
    return ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1),
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def detections(results):
    rows = []
    for case in results["cases"]:
        if "skipped" in case:
            rows.append([describe(case), "skipped: " + case["skipped"], "", "", "", "", ""])
            continue
        whole, alone = case["detection"], case["statistics"]
        passes = ", ".join(f"{one['name']} {us(one['device_us'])}" for one in whole["passes"])
        rows.append([describe(case), us(whole["device_us"]), us(whole["upload_us"]), us(whole["wall_us"]),
                     us(alone["device_us"]), us(alone["wall_us"]), passes])
    head = ["frame, markers", "device", "upload", "wall", "statistics alone: device", "wall", "passes"]
    return table(head, rows)


def peers(results):
    rows = []
    for _, case in selected(results, "pixels"):
        for peer in case["peers"]:
            own = case[peer["compares_with"]]
            ratios = [f"{own[part]['median'] / peer['wall_us']['median']:.2f}" if own[part] else "-"
                      for part in ("device_us", "wall_us")]
            rows.append([describe(case), peer["name"], us(peer["wall_us"]), str(peer["found"]), *ratios])
    threads = results["peer_threads"]
    return table(["frame, markers", f"OpenCV, {threads} threads", "wall", "found", "Glint's device / peer",
                  "Glint's wall / peer"], rows)


def growth(results):
    rows = [[one["what"], f"{one['ratio']:.2f}", f"below {one['goal']:g}"] for one in results["growth"]]
    return table(["growth of device time", "ratio", "goal"], rows)


def loop(results):
    rate, share = results["frames"] / results["loop_seconds"], 100 * results["decode_share"]
    return [f"The whole loop of `glint track` on {results['frames']} PNG images of {results['width']}x{results['height']}, "
            f"grey, {results['bits']} bit: {rate:.1f} frames/s; decoding alone takes {share:.0f} % of that time, "
            f"detection {results['device_us'] / 1000:.1f} ms a frame beside it.", ""]


def document(files):
    lines = ["![Time against pixels and against markers](images/speed.png)", ""]
    for path, results in files:
        if "cases" not in results:
            continue
        device = results["device"]
        lines += [f"### {device['name']}", "", f"{device['driver']}; `docs/speed/{path.name}`; microseconds, medians.", ""]
        lines += detections(results) + peers(results) + growth(results)
        for other, extra in files:
            if other.name == f"{path.stem}-loop.json":
                lines += loop(extra)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="*", type=pathlib.Path)
    parser.add_argument("-o", "--output", default=DOCS / "images", type=pathlib.Path)
    options = parser.parse_args()
    paths = options.results or sorted((DOCS / "speed").glob("*.json"))
    files = [(path, json.loads(path.read_text())) for path in paths]
    plot([results for _, results in files if "cases" in results], options.output / "speed.png")
    if not options.results:
        text = (DOCS / "measurements.md").read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        (DOCS / "measurements.md").write_text(before + BEGIN + document(files) + END + after)


if __name__ == "__main__":
    main()
