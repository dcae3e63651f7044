"""Tests the page of `glint report` as a browser shows it: headless Chromium loads it without a network.

usage: report_page_test.py GLINT [unittest arguments]
"""

import csv
import html
import json
import math
import random
import re
import shutil
import subprocess
import unittest
import zlib

from harness import Folder

CHROMIUM = shutil.which("chromium")
CHARTS = ["presence", "x", "y", "steps", "gaps", "sigma", "phase", "times"]
EVIL = "left <b>&\"'</script><script>document.title='bad'</script>.mkv"

# This script runs inside the page after it is loaded, and leaves its results as JSON in the document.
PROBE = r"""<script>addEventListener("load", () => {
  const style = (selector, property) => {
    const found = document.querySelector(selector);
    return found ? getComputedStyle(found)[property] : null;
  };
  const outside = [];
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    for (const mark of svg.querySelectorAll("path, text, circle")) {
      const box = mark.getBoundingClientRect();
      if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 ||
          box.bottom > frame.bottom + 2)
        outside.push(svg.closest("figure").id + ": " + mark.outerHTML.slice(0, 80));
    }
  }
  const figures = [...document.querySelectorAll("figure")].map(figure => ({
    camera: figure.closest("section").dataset.camera, chart: figure.dataset.chart,
    count: +figure.dataset.count, aid: figure.querySelector("figcaption p").textContent,
    marks: [...figure.querySelectorAll("svg > path, svg > g:not(.axis) path")]
      .filter(mark => (mark.getAttribute("d") || "").length > 5).length,
    drops: figure.querySelectorAll(".drop:not(.key-line)").length,
    text: figure.textContent }));
  const tracks = [...document.querySelectorAll("#camera0-presence [data-t]")]
    .map(row => row.dataset.t);
  document.querySelector("#camera0-presence [data-t] path")?.dispatchEvent(
    new PointerEvent("pointerover", {bubbles: true}));
  const found = { title: document.title, figures, outside, tracks,
    heading: document.querySelector("h1").textContent,
    figuresHead: document.querySelector("dl").innerText,
    notes: [...document.querySelectorAll(".note")].map(note => note.textContent),
    picked: [...document.querySelectorAll(".on")].map(mark => mark.closest("figure").dataset.chart),
    scrollWidth: document.documentElement.scrollWidth, width: innerWidth,
    requests: performance.getEntriesByType("resource").map(entry => entry.name),
    page: style("body", "backgroundColor"), card: style("figure", "backgroundColor"),
    texts: [style("body", "color"), style("figcaption p", "color"), style(".axis text", "fill")],
    strokes: [".presence .measured", ".presence .predicted", ".lines .t0", ".lines .t1",
      ".lines .t2", ".lines .t3", ".lines .t4", ".lines .t5", ".lines .t6", ".lines .t7"]
      .map(selector => style(selector, "stroke")) };
  const place = document.createElement("pre");
  place.id = "probe";
  place.textContent = JSON.stringify(found);
  document.body.append(place);
});</script>"""


def write_tracks(path, tracks, frames, cameras, seed):
    """Writes markers on circles with single misses. Every fifth marker has a longer gap. Returns the rows."""
    rng = random.Random(seed)
    markers = [(rng.uniform(100, 1180), rng.uniform(100, 620), rng.uniform(5, 60),
                rng.uniform(0.1, 3), rng.uniform(0, 6)) for _ in range(tracks)]
    rows = []
    for frame in range(frames):
        for camera in range(cameras):
            for index, (x, y, radius, speed, phase) in enumerate(markers):
                inside = 0 < frame < frames - 1
                if inside and index % 5 == 0 and frames // 3 <= frame < frames // 3 + 7:
                    continue
                state = "predicted" if inside and rng.random() < 0.03 else "measured"
                angle = speed * frame / 50 + phase
                rows.append([camera, frame, f"{frame / 50:.6f}", index + 1, state,
                             f"{x + radius * math.cos(angle) + rng.gauss(0, 0.05):.4f}",
                             f"{y + radius * math.sin(angle) + rng.gauss(0, 0.05):.4f}",
                             f"{math.exp(rng.gauss(-4, 0.4)):.4f}", "0.0200"])
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow("camera,frame,time_s,track,state,x,y,sigma_x,sigma_y".split(","))
        writer.writerows(rows)
    return rows


def channels(colour):
    return [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]


def contrast(a, b):
    """Returns the contrast ratio of two colours by WCAG 2.1."""
    def luminance(colour):
        linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4
                  for c in channels(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def first_pixel(png):
    """Returns the top left pixel of a PNG file. Its neighbours count as 0, so no PNG filter changes it."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    return list(zlib.decompress(packed)[1:4])


class ReportPage(Folder):
    def chromium(self, page, *arguments, width=1200, dark=False):
        if CHROMIUM is None:
            self.fail("Chromium is missing; scripts/install tests installs it.")
        result = subprocess.run(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--proxy-server=127.0.0.1:9", f"--user-data-dir={self.dir / 'profile'}",
             "--enable-logging=stderr", f"--window-size={width},1000",
             f"--blink-settings=preferredColorScheme={0 if dark else 1}", *arguments,
             page.as_uri()], text=True, capture_output=True, timeout=120)
        self.assertEqual(result.returncode, 0, result.stderr)
        errors = [line for line in result.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(errors, [])
        return result.stdout

    def probe(self, name, **keywords):
        """Returns what the browser finds in the page, and checks what must be true of every page."""
        source = (self.dir / name).read_text()
        self.assertLess(len(source.encode()), 2_000_000)
        for loading in ("<link", "src=", "href=", "@import", "url("):
            self.assertNotIn(loading, source)
        copy = self.dir / "probe.html"
        copy.write_text(source.replace("</body>", PROBE + "</body>"))
        document = self.chromium(copy, "--dump-dom", **keywords)
        found = json.loads(html.unescape(
            re.search(r'<pre id="probe">(.*?)</pre>', document, re.S).group(1)))
        self.assertEqual(found["requests"], [])
        self.assertLessEqual(found["scrollWidth"], found["width"])
        self.assertEqual(found["outside"], [])
        return found

    def check_charts(self, found, cameras):
        self.assertEqual([(figure["camera"], figure["chart"]) for figure in found["figures"]],
                         [(str(camera), chart) for camera in range(cameras) for chart in CHARTS])
        for figure in found["figures"]:
            self.assertGreater(figure["marks"], 0, figure)
            self.assertGreater(len(figure["aid"]), 20, figure)

    def test_a_run_is_shown(self):
        """Goes from tracking to the page, with the files beside it. The page is checked light, dark and narrow."""
        self.glint("track", "synth:dancer?size=320x240&frames=40&seed=3&cameras=2",
                   "-o", "tracks.csv", "--stats", "stats.csv", "--set", "detect.separation=4")
        self.assertEqual(self.glint("report", "tracks.csv").stdout, "the report of tracks.csv -> report.html\n")
        with open(self.dir / "tracks.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        record = json.loads((self.dir / "tracks.json").read_text())
        cameras = len(record["cameras"])
        found = self.probe("report.html")
        self.check_charts(found, cameras)
        for camera in range(cameras):
            mine = [row for row in rows if int(row["camera"]) == camera]
            figures = {f["chart"]: f for f in found["figures"] if f["camera"] == str(camera)}
            tracks = len({row["track"] for row in mine})
            self.assertEqual([figures[c]["count"] for c in ("presence", "x", "y")], [tracks] * 3)
            self.assertEqual(figures["sigma"]["count"],
                             sum(row["state"] == "measured" for row in mine))
            self.assertEqual(figures["times"]["count"], 39)
        self.assertIn("detect.separation = 4.0", (self.dir / "report.html").read_text())
        self.assertRegex(found["figuresHead"], r"Frames\s+40\b")
        self.assertRegex(found["figuresHead"], r"Dropped\s+0\b")
        self.assertEqual(found["notes"], [])

        narrow = self.probe("report.html", width=420)
        self.assertLess(narrow["width"], 600)
        dark = self.probe("report.html", dark=True)
        for scheme in (found, dark):
            for text in scheme["texts"]:
                self.assertGreaterEqual(contrast(text, scheme["card"]), 4.5, text)
            for stroke in scheme["strokes"]:
                self.assertGreaterEqual(contrast(stroke, scheme["card"]), 3, stroke)
        for scheme, is_dark in ((found, False), (dark, True)):
            self.chromium(self.dir / "report.html", f"--screenshot={self.dir / 'page.png'}",
                          dark=is_dark)
            pixel = first_pixel(self.dir / "page.png")
            self.assertEqual(pixel, channels(scheme["page"]))
            self.assertEqual(sum(pixel) < 200, is_dark)

    def test_ten_tracks_point_at_each_other(self):
        rows = write_tracks(self.dir / "ten.csv", 10, 200, 1, seed=1)
        self.glint("report", "ten.csv", "-o", "ten.html")
        found = self.probe("ten.html")
        self.check_charts(found, 1)
        self.assertEqual(found["tracks"], [str(track) for track in range(1, 11)])
        self.assertEqual(found["picked"], ["presence", "x", "y"])
        figures = {figure["chart"]: figure for figure in found["figures"]}
        gaps, seen = 0, {}
        for row in rows:
            if row[4] == "measured":
                gaps += row[1] > seen.get(row[3], row[1]) + 1
                seen[row[3]] = row[1]
        self.assertEqual(figures["gaps"]["count"], gaps)
        self.assertIn("stats.csv", figures["times"]["aid"])
        self.assertIn("Median 20.0 ms", figures["times"]["aid"])

    def test_five_hundred_tracks_of_two_cameras(self):
        write_tracks(self.dir / "many.csv", 500, 120, 2, seed=2)
        self.glint("report", "many.csv", "-o", "many.html")
        found = self.probe("many.html")
        self.check_charts(found, 2)
        self.assertEqual(len(found["tracks"]), 500)

    def test_drops_and_names_with_markup(self):
        write_tracks(self.dir / "tracks.csv", 3, 50, 1, seed=3)
        with open(self.dir / "stats.csv", "w") as file:
            file.write("camera,frame,time_s,dropped_before\n")
            file.writelines(f"0,{frame},{frame / 50:.6f},{4 if frame in (10, 30) else 0}\n"
                            for frame in range(50))
        self.glint("track", "synth:spots?size=64x64&frames=2&markers=3", "-o", "run.csv")
        record = json.loads((self.dir / "run.json").read_text())
        record["cameras"][0]["source"] = EVIL
        record["counts"]["tracks"] = 3
        record["failure"] = "cannot write '<x>'"
        (self.dir / "tracks.json").write_text(json.dumps(record))
        self.glint("report", "tracks.csv")
        found = self.probe("report.html")
        self.check_charts(found, 1)
        self.assertEqual(found["figures"][-1]["drops"], 2)
        self.assertRegex(found["figuresHead"], r"Dropped\s+8\b")
        self.assertEqual(found["notes"], ["The run failed: cannot write '<x>'"])
        self.assertNotEqual(found["title"], "bad")
        self.assertIn(EVIL, html.unescape((self.dir / "report.html").read_text()))

    def test_no_rows(self):
        write_tracks(self.dir / "empty.csv", 0, 0, 1, seed=4)
        self.glint("report", "empty.csv", "-o", "empty.html")
        found = self.probe("empty.html")
        self.assertEqual(found["notes"], ["The file holds no rows: nothing was tracked."])
        self.assertEqual(found["figures"], [])

    def test_one_row(self):
        write_tracks(self.dir / "one.csv", 1, 1, 1, seed=4)
        self.glint("report", "one.csv", "-o", "one.html")
        found = self.probe("one.html")
        self.assertEqual([figure["chart"] for figure in found["figures"]], CHARTS)
        texts = {figure["chart"]: figure["text"] for figure in found["figures"]}
        self.assertIn("No track has a gap.", texts["gaps"])
        self.assertIn("No track was measured in two successive frames.", texts["steps"])

    def test_points_in_space_are_drawn(self):
        scene = "dancer?cameras=3&size=320x256&frames=8&diameter=30"
        self.glint("synth", scene, "-o", "d.mkv", "--rig", "rig.toml")
        self.glint("track", *(f"d_cam{n}.mkv" for n in range(3)), "--rig", "rig.toml", "--points", "points.csv", "-o", "tracks.csv")
        self.glint("report", "tracks.csv")
        page = (self.dir / "report.html").read_text()
        for name in ("cameras", "points", "residuals"):
            self.assertIn(f'id="space-{name}"', page)
        record = json.loads((self.dir / "tracks.json").read_text())
        del record["space"]["camera_doubts"], record["space"]["corrections"]  # This is the record of a run without doubts or corrections.
        (self.dir / "tracks.json").write_text(json.dumps(record))
        self.glint("report", "tracks.csv")
        self.assertEqual((self.dir / "report.html").read_text(), page)
        rows = (self.dir / "points.csv").read_text().splitlines()
        (self.dir / "points.csv").write_text("\n".join(rows[:-1]) + "\n")
        self.glint("report", "tracks.csv")
        page = (self.dir / "report.html").read_text()
        self.assertIn("points.csv does not belong to the run that wrote tracks.csv", page)
        self.assertNotIn('id="space-points"', page)

    def test_refusals(self):
        write_tracks(self.dir / "tracks.csv", 1, 3, 1, seed=4)
        before = (self.dir / "tracks.csv").read_bytes()
        (self.dir / "link.csv").symlink_to("tracks.csv")
        for output in ("tracks.csv", "link.csv", "tracks.json", "./stats.csv"):
            refused = self.glint("report", "tracks.csv", "-o", output, status=2)
            self.assertIn(output, refused.stderr)
        self.assertEqual((self.dir / "tracks.csv").read_bytes(), before)
        self.assertIn("none.csv", self.glint("report", "none.csv", status=1).stderr)
        (self.dir / "bad.csv").write_text("a,b\n1,2\n")
        self.assertIn('no column "camera"', self.glint("report", "bad.csv", status=1).stderr)
        (self.dir / "points.csv").write_text("frame,time_s,point,state,x_mm,y_mm,z_mm\n")
        self.assertIn("points.csv has places in space; a report is made of the tracks.csv of the same run",
                      self.glint("report", "points.csv", status=1).stderr)
        self.assertFalse((self.dir / "report.html").exists())
        refused = self.glint("report", "tracks.csv", "-o", "none/report.html", status=1)
        self.assertIn("none/report.html", refused.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
