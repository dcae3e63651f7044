"""Tests edits of tracks without a window: `glint track --edits`.

usage: edits_test.py GLINT [unittest arguments]
"""

import collections
import json
import os
import subprocess
import unittest

from harness import TIMEOUT, Folder, rows

# The scene has markers that cross and are hidden for some frames.
SCENE = "dancer?size=320x240&frames=60&seed=4&cameras=1"
FIXED = ["--set", "detect.threshold=0.3"]


def by_track(table):
    tracks = collections.defaultdict(list)
    for row in table:
        tracks[int(row["track"])].append(row)
    return tracks


def anchor(row):
    return {"camera": int(row["camera"]), "frame": int(row["frame"]), "x": float(row["x"]), "y": float(row["y"])}


def same(row):
    """Returns a row without the columns that edits change."""
    return tuple((key, value) for key, value in row.items() if key not in ("track", "name", "x_mm", "y_mm"))


class Edits(Folder):
    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "film.mkv")
        self.glint("track", "film.mkv", *FIXED, "-o", "plain.csv")
        self.plain = rows(self.dir / "plain.csv")
        self.tracks = by_track(self.plain)
        # Tracks that are there in all frames.
        self.long = [t for t, r in sorted(self.tracks.items()) if len(r) == 60][:6]
        self.assertEqual(len(self.long), 6)

    def write(self, *edits, name="film.glint.json", **more):
        text = json.dumps({"glint_edits": 1, "edits": list(edits), **more})
        (self.dir / name).write_text(text)

    def row(self, track, frame):
        return next(row for row in self.tracks[track] if int(row["frame"]) == frame)

    def edit(self, kind, track, frame, with_track=None, **more):
        edit = {"edit": kind, "at": anchor(self.row(track, frame)), **more}
        if with_track is not None:
            edit["with"] = anchor(self.row(with_track, more.get("with_frame", frame)))
        return edit

    def track(self, *arguments, **keywords):
        return self.glint("track", "film.mkv", *FIXED, "--edits", "film.glint.json", *arguments, **keywords)

    def all_edits(self):
        a, b, c, d, e, f = self.long
        self.write(self.edit("rename", a, 30, name="left hand, \"outer\""), self.edit("delete", b, 5),
                   self.edit("split", c, 20), self.edit("swap", d, 40, e), self.edit("rename", d, 45, name="knee"),
                   self.edit("hide", f, 0), scales=[{"camera": 0, "mm_per_px": 0.5}])
        return a, b, c, d, e, f

    def expected(self, row):
        a, b, c, d, e, _ = self.long
        track, frame = int(row["track"]), int(row["frame"])
        if track == b:
            return None
        if track == c and frame >= 20:
            return 1000
        if frame >= 40 and track in (d, e):
            return d + e - track
        return track

    def test_every_row_is_that_of_the_plain_run_under_its_new_id(self):
        a, b, c, d, e, _ = self.all_edits()
        self.track("-o", "edited.csv")
        edited = rows(self.dir / "edited.csv")
        want = collections.Counter((same(row), self.expected(row)) for row in self.plain if self.expected(row) is not None)
        got = collections.Counter((same({k: row[k] for k in self.plain[0]}), int(row["track"])) for row in edited)
        self.assertEqual(got, want)
        order = [(int(row["frame"]), int(row["track"])) for row in edited]
        self.assertEqual(len(set(order)), len(order))
        # The name at frame 45 belongs to the track that has the marker at that time.
        names = {a: 'left hand, "outer"', e: "knee"}
        for row in edited:
            self.assertEqual(row["name"], names.get(int(row["track"]), ""))
            self.assertAlmostEqual(float(row["x_mm"]), float(row["x"]) / 2, delta=1.1e-4)
            self.assertAlmostEqual(float(row["y_mm"]), float(row["y"]) / 2, delta=1.1e-4)

    def test_other_settings_do_not_misplace_edits(self):
        a, b, *_ = self.all_edits()
        result = self.glint("track", "film.mkv", "--set", "detect.threshold=0.25", "--set", "track.confirm=4",
                            "--edits", "film.glint.json", "-o", "other.csv")
        self.assertNotIn("not applied", result.stderr)
        other = rows(self.dir / "other.csv")
        named = [row for row in other if row["name"].startswith("left hand")]
        places = {int(row["frame"]): (float(row["x"]), float(row["y"])) for row in self.tracks[a]}
        self.assertGreater(len(named), 50)
        for row in named:
            x, y = places[int(row["frame"])]
            self.assertLess(abs(float(row["x"]) - x) + abs(float(row["y"]) - y), 2)

    def test_what_no_longer_matches_is_listed(self):
        lost = self.edit("hide", self.long[0], 10)
        lost["at"]["x"] += 500
        self.write(self.edit("rename", self.long[1], 3, name="hip"), lost)
        result = self.track("-o", "edited.csv")
        self.assertIn("edit 2 (hide, frame 10 at ", result.stderr)
        self.assertIn("is not applied: no track is there", result.stderr)
        self.assertIn("hip", {row["name"] for row in rows(self.dir / "edited.csv")})

    def test_a_join_takes_over_what_follows(self):
        c, d = self.long[2:4]
        self.write(self.edit("split", c, 20), self.edit("split", d, 20),
                   {"edit": "join", "at": anchor(self.row(c, 10)), "with": anchor(self.row(d, 30))})
        self.track("-o", "edited.csv")
        edited = by_track(rows(self.dir / "edited.csv"))
        places = [(row["frame"], row["x"]) for row in edited[c]]
        self.assertEqual(places, [(row["frame"], row["x"]) for row in self.tracks[c][:20] + self.tracks[d][20:]])
        self.assertEqual([len(edited[t]) for t in (d, 1000)], [20, 40])
        self.assertNotIn(1001, edited)

    def test_all_outputs_with_ids_have_the_same(self):
        a, b, c, d, e, f = self.all_edits()
        result = self.track("-o", "e.jsonl", "-o", "e.tsv", "-o", "e.kinovea.csv", "-o", "e.trackpy.csv",
                            "--stream", "-", "--overlay", "e.mkv", "--picture", "e.png", "--picture-frame", "30")
        lines = [json.loads(line) for line in (self.dir / "e.jsonl").read_text().splitlines()]
        ids = {line["track"] for line in lines}
        self.assertNotIn(b, ids)
        self.assertIn(f, ids)  # A hidden track is only not drawn.
        self.assertIn(1000, ids)
        self.assertEqual({line["name"] for line in lines if line["track"] == a}, {'left hand, "outer"'})
        heads = (self.dir / "e.tsv").read_text().split("\n")
        self.assertIn('left hand, "outer"', next(line for line in heads if line.startswith("MARKER_NAMES")))
        self.assertIn('"left hand, ""outer""/0/X"', (self.dir / "e.kinovea.csv").read_text().split("\n")[0])
        particles = {int(float(row["particle"])) for row in rows(self.dir / "e.trackpy.csv")}
        self.assertEqual(particles, {line["track"] for line in lines if line["state"] == "measured"})
        frames = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(frames), 60)
        for frame in frames:
            streamed = [marker["track"] for marker in frame["markers"]]
            self.assertEqual(len(streamed), frame["count"])
            self.assertEqual(len(set(streamed)), len(streamed))
            self.assertNotIn(b, streamed)
            self.assertEqual([m["name"] for m in frame["markers"] if m["track"] == a], ['left hand, "outer"'] * streamed.count(a))
        self.glint("track", "film.mkv", *FIXED, "-o", "p.csv", "--picture", "p.png", "--picture-frame", "30")
        self.assertNotEqual((self.dir / "e.png").read_bytes(), (self.dir / "p.png").read_bytes())

    def test_from_and_frames_are_kept(self):
        self.write(self.edit("rename", self.long[0], 30, name="hip"))
        self.track("--from", "20", "--frames", "20", "-o", "part.csv")
        part = rows(self.dir / "part.csv")
        named = [int(row["frame"]) for row in part if row["name"] == "hip"]
        self.assertEqual(named, list(range(20, 40)))

    def test_edits_beside_a_recording_are_told_of(self):
        result = self.glint("track", "film.mkv", *FIXED, "-o", "t.csv")
        self.assertNotIn("glint.json", result.stderr)
        self.write()
        point = {"x": 1, "y": 2}
        measured = {**json.loads(self.text("film.glint.json")), "measures": [{"measure": "distance", "camera": 0, "points": [point, point]}]}
        (self.dir / "film.glint.json").write_text(json.dumps(measured))  # A measure changes no track.
        self.assertNotIn("glint.json", self.glint("track", "film.mkv", *FIXED, "-o", "t.csv").stderr)
        self.write(self.edit("hide", self.long[0], 30))
        result = self.glint("track", "film.mkv", *FIXED, "-o", "t.csv")
        self.assertEqual(result.stderr.count("film.glint.json"), 2)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("not applied", result.stderr)
        self.assertNotIn("name", rows(self.dir / "t.csv")[0])
        self.assertEqual((self.dir / "t.csv").read_bytes(), (self.dir / "plain.csv").read_bytes())
        self.assertEqual(self.glint("track", "film.mkv", *FIXED, "-o", "t.csv", "--quiet").stderr, "")
        self.assertNotIn("not applied", self.track("-o", "t.csv").stderr)
        kept = self.text("film.glint.json")
        refused = self.glint("track", "film.mkv", *FIXED, "-o", "film.glint.csv", status=2).stderr
        self.assertIn("'film.glint.json' would be written, where edits of these tracks are kept", refused)
        self.assertEqual(self.text("film.glint.json"), kept)
        self.assertFalse((self.dir / "film.glint.csv").exists())

    def test_what_cannot_be(self):
        self.assertIn("cannot read the edits", self.track(status=2).stderr)
        for text, words in (("{", "not JSON"), ('{"glint_edits":2,"edits":[]}', "version 2")):
            (self.dir / "film.glint.json").write_text(text)
            self.assertIn(words, self.track(status=2).stderr)
        self.write()
        self.assertIn("--control", self.track("--control", "udp:9", status=2).stderr)
        os.mkfifo(self.dir / "pipe")
        with open(self.dir / "film.mkv", "rb") as film:
            feeder = subprocess.Popen(["sh", "-c", "cat > pipe"], stdin=film, cwd=self.dir, stderr=subprocess.DEVNULL)
            result = self.glint("track", "pipe", "--edits", "film.glint.json", status=2)
            feeder.wait(timeout=TIMEOUT)
        self.assertIn("only once", result.stderr)


if __name__ == "__main__":
    unittest.main()
