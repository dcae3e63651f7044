#!/usr/bin/env python3
"""Draws and tabulates what `glint bench --json` measured.

usage: bench.py [RESULTS.json...] [-o FOLDER]     (needs matplotlib)

Of the files given, makes FOLDER/speed.png: time against pixels, and time against markers. With no
files, of all in docs/speed, makes docs/images/speed.png and the tables in docs/measurements/speed.md.
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 (the back end is chosen first)

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
    """The frame, and what differs from one camera, grey, 8 bit and 50 markers."""
    name = f"{case['width']}x{case['height']}" + (f" x{case['layers']}" if case["layers"] > 1 else "")
    unusual = ["colour"] if case["channels"] != 1 else []
    unusual += [f"{case['bits']} bit"] if case["bits"] != 8 else []
    unusual += [f"{case['markers']} marker" + ("s" if case["markers"] != 1 else "")] if case["markers"] != 50 else []
    return ", ".join([name, *unusual])


def table(head, rows):
    if not rows:
        return []
    return ["|" + " |".join(head) + "|", "|---|" + "---:|" * (len(head) - 1), *("|" + " |".join(row) + "|" for row in rows), ""]


def detections(all_results):
    """A row a frame, two columns a device: its times of the whole detection, and of the statistics alone."""
    head, rows = ["frame"], {}
    for number, results in enumerate(all_results):
        measured = [case for case in results["cases"] if "skipped" not in case]
        parts = {"device": "device_us", "upload": "upload_us", "wall": "wall_us"}
        if not any(case["detection"]["upload_us"] for case in measured):
            del parts["upload"]
        head += [f"{short(results['device']['name'])}: {', '.join(parts)}", "statistics: device, wall"]
        for case in results["cases"]:
            row = rows.setdefault(describe(case), ["-"] * (2 * len(all_results)))
            if "skipped" in case:
                row[2 * number] = f"skipped: {case['skipped']}"
            else:
                row[2 * number] = ", ".join(us(case["detection"][part]) for part in parts.values())
                row[2 * number + 1] = ", ".join(us(case["statistics"][part]) for part in ("device_us", "wall_us"))
    return table(head, [[name, *row] for name, row in rows.items()])


def growth(all_results):
    """A row a goal, a column a device."""
    rows = {}
    for number, results in enumerate(all_results):
        for one in results["growth"]:
            what = one["what"].replace(" grey 8 bit", "").replace(", 50 markers", "")
            row = rows.setdefault(what, [f"{one['goal']:g}"] + ["-"] * len(all_results))
            row[1 + number] = f"{one['ratio']:.2f}" if one["ratio"] < one["goal"] else f"**{one['ratio']:.2f}**"
    names = [short(results["device"]["name"]) for results in all_results]
    return table(["growth of device time", "goal: below", *names], [[name, *row] for name, row in rows.items()])


def passes(results):
    for _, case in selected(results, "markers"):
        if case["markers"] == 50:
            times = ", ".join(f"{one['name']} {us(one['device_us'])}" for one in case["detection"]["passes"])
            return [f"Its passes at {describe(case)}: {times}."]
    return []


def peers(results):
    """A row a frame, a column an OpenCV function; how many times as long Glint takes, in brackets."""
    names, rows = [], []
    for _, case in selected(results, "pixels"):
        names += [peer["name"] for peer in case["peers"] if peer["name"] not in names]
    for _, case in selected(results, "pixels"):
        cells = dict.fromkeys(names, "-")
        for peer in case["peers"]:
            own, wall = case[peer["compares_with"]], peer["wall_us"]
            ratios = [f"{own[part]['median'] / wall['median']:.2f}" for part in ("device_us", "wall_us") if own[part]]
            found = peer["found"] if peer["compares_with"] == "detection" else case["markers"]
            cells[peer["name"]] = f"{us(wall)} ({', '.join(ratios)})" + (f", found {found}" if found != case["markers"] else "")
        rows.append([describe(case), *cells.values()])
    return table([f"OpenCV, {results['peer_threads']} threads", *names], rows) if names else []


def loop(results):
    rate, share = results["frames"] / results["loop_seconds"], 100 * results["decode_share"]
    return [f"`glint track` of {results['frames']} grey {results['bits']}-bit PNG images of {results['width']}x{results['height']}: "
            f"{rate:.1f} frames/s.",
            f"Decoding alone takes {share:.0f} % of that time; detection takes {results['device_us'] / 1000:.1f} ms a frame beside it.", ""]


def document(files):
    measured = [(path, results) for path, results in files if "cases" in results]
    lines = ["![Time against pixels and against markers](../images/speed.png)", "",
             "Medians, us: 50 markers in one grey 8-bit frame unless a row says otherwise; x4 is four cameras.", ""]
    lines += detections([results for _, results in measured]) + growth([results for _, results in measured])
    for path, results in measured:
        device = results["device"]
        lines += [f"**{short(device['name'])}** ({device['driver']}; `docs/speed/{path.name}`).", *passes(results), ""]
        if compared := peers(results):
            lines += ["OpenCV on the same frames, wall time, us; in brackets Glint's device and wall time over it.",
                      "Each function finds all markers unless its cell says otherwise.", "", *compared]
        for other, extra in files:
            if other.name == f"{path.stem}-loop.json":
                lines += loop(extra)
            if other.name == f"{path.stem}-processor.json":
                lines += [f"`glint track` of the bundled clip: {extra['glint_s']:.2f} s of processor time, {extra['ratio']:.2f} times that of "
                          "`scripts/measure_processor`'s reference.", ""]
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
        page = DOCS / "measurements" / "speed.md"
        text = page.read_text()
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        page.write_text(before + BEGIN + document(files) + END + after)


if __name__ == "__main__":
    main()
