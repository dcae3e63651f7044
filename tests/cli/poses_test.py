"""Labelled points of DeepLabCut and SLEAP, in the files that their own writers make: pandas writes DeepLabCut's DataFrames,
and h5py writes SLEAP's datasets, as sleap.info.write_tracking_h5 and sleap-io's page on the analysis format say.

usage: poses_test.py GLINT [unittest arguments]   (under a Python with NumPy, pandas, PyTables and h5py)
"""

import json
import random
import unittest
import warnings

import h5py
import numpy as np
import pandas as pd

from harness import Folder, rows
from rigs import pixel, random_rig, write_toml

PARTS = ["nose", "left ear", "queue \u00e9l\u00e9gante", "\u5c3e"]
ANIMALS = ["mouse1", "m\u00fcllermaus"]
FRAMES = 40


def write_deeplabcut(file, places, likelihood=None, animals=None, **keywords):
    """Writes places (frame, animal, part, axis) as DeepLabCut does."""
    frames, _, parts, _ = places.shape
    names = ["scorer", *(["individuals"] if animals else []), "bodyparts", "coords"]
    columns = [("DLC_resnet50_walkShuffle1", *([animal] if animals else []), part, coord)
               for animal in (animals or [None]) for part in PARTS[:parts] for coord in ("x", "y", "likelihood")]
    values = np.dstack([places.reshape(frames, -1, 2), np.full((frames, places.shape[1] * parts), 0.99) if likelihood is None else likelihood])
    table = pd.DataFrame(values.reshape(frames, -1), columns=pd.MultiIndex.from_tuples(columns, names=names))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTables does not like names that are no Python
        table.to_hdf(file, "df_with_missing", mode="w", **({"format": "table"} | keywords))


def write_sleap(file, places, animals, dims=None, variable=False, **more):
    """Writes places (frame, animal, part, axis) as SLEAP's analysis file."""
    order = dims or ["track", "xy", "node", "frame"]
    axes = {"frame": 0, "track": 1, "node": 2, "xy": 3}
    text = h5py.string_dtype() if variable else None
    with h5py.File(file, "w") as to:
        tracks = to.create_dataset("tracks", data=places.transpose([axes[name] for name in order]), compression="gzip", compression_opts=9)
        if dims:
            tracks.attrs["dims"] = json.dumps(dims)
        to.create_dataset("track_occupancy", data=np.isfinite(places[..., 0]).any(2).astype(np.uint8), compression="gzip")
        to.create_dataset("node_names", data=[name.encode() for name in PARTS[:places.shape[2]]], dtype=text)
        to.create_dataset("track_names", data=[name.encode() for name in animals], dtype=text, **({"shape": (0,)} if not animals else {}))
        for name, values in more.items():
            to.create_dataset(name, data=values)


def write_sleap_csv(file, places, animals):
    header = ["track", "frame_idx", "instance.score"] + [f"{part}.{end}" for part in PARTS[:places.shape[2]] for end in ("x", "y", "score")]
    lines = [",".join(header)]
    for frame in range(len(places)):
        for animal, name in enumerate(animals or [""]):
            if np.isnan(places[frame, animal]).all():
                continue
            cells = [f"{value:.6f}" if np.isfinite(value) else "" for place in places[frame, animal] for value in (*place, 0.9)]
            lines.append(f"{name},{frame},0.93," + ",".join(cells))
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


class Poses(Folder):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(8)

    def places(self, animals=2, parts=4):
        """Places in an image with gaps: (frame, animal, part, axis)."""
        places = self.random.uniform(0, 1000, (FRAMES, animals, parts, 2)).round(3)
        places[self.random.random((FRAMES, animals, parts)) < 0.2] = np.nan
        places[5:8] = np.nan
        return places

    def tracks(self, file):
        """Converts a file to tracks. Returns places (frame, animal, part, axis) by name, and what was said."""
        said = self.glint("convert", file, "tracks.csv").stderr
        found = {}
        for row in rows(self.dir / "tracks.csv"):
            found[int(row["frame"]), row["name"]] = float(row["x"]), float(row["y"])
        return found, said

    def expected(self, places, animals):
        names = [[f"{animal}:{part}" if len(animals) > 1 else part for part in PARTS] for animal in animals or [""]]
        return {(frame, names[animal][part]): tuple(places[frame, animal, part])
                for frame, animal, part in np.argwhere(np.isfinite(places[..., 0])).tolist()}

    def assert_same(self, found, expected, delta=1e-3):
        self.assertEqual(found.keys(), expected.keys())
        for key, place in expected.items():
            self.assertAlmostEqual(found[key][0], place[0], delta=delta)
            self.assertAlmostEqual(found[key][1], place[1], delta=delta)

    def test_deeplabcut(self):
        places = self.places()
        write_deeplabcut(self.dir / "d.h5", places, animals=ANIMALS)
        found, said = self.tracks("d.h5")
        self.assert_same(found, self.expected(places, ANIMALS))
        self.assertIn("d.h5 has no times: 60 frames a second are assumed", said)
        write_deeplabcut(self.dir / "one.h5", places[:, :1])
        self.assert_same(self.tracks("one.h5")[0], self.expected(places[:, :1], []))
        likelihood = np.full((FRAMES, 8), 0.9)
        likelihood[3, 2], places[3, 0, 2] = 0.4, [7, 8]
        write_deeplabcut(self.dir / "d.h5", places, likelihood, ANIMALS)
        found, said = self.tracks("d.h5")
        self.assertNotIn((3, f"{ANIMALS[0]}:{PARTS[2]}"), found)
        self.assertIn("d.h5: 1 position whose likelihood is below 0.6 is left out", said)

    def test_sleap(self):
        places = self.places()
        for dims, variable in ((None, False), (["track", "xy", "node", "frame"], True), (["frame", "track", "node", "xy"], True)):
            write_sleap(self.dir / "a.analysis.h5", places, ANIMALS, dims, variable, point_scores=np.ones(3))
            self.assert_same(self.tracks("a.analysis.h5")[0], self.expected(places, ANIMALS))
        for animals in ([], ["track_0"]):
            write_sleap(self.dir / "one.h5", places[:, :1], animals)
            self.assert_same(self.tracks("one.h5")[0], self.expected(places[:, :1], []))
        for animals in (ANIMALS, [], ["track_0"]):
            some = places if len(animals) > 1 else places[:, :1]
            write_sleap_csv(self.dir / "s.csv", some, animals)
            self.assert_same(self.tracks("s.csv")[0], self.expected(some, animals if len(animals) > 1 else []))

    def test_link_uses_no_labels(self):
        at = self.random.uniform(100, 900, (1, 1, 4, 2)) + np.cumsum(self.random.normal(0, 1, (FRAMES, 1, 4, 2)), axis=0)
        write_sleap(self.dir / "a.h5", at, [])
        said = self.glint("link", "a.h5", "-o", "linked.csv")
        self.assertIn("4 tracks", said.stdout)
        self.assertIn("0.2 px are assumed", said.stderr)
        self.assertEqual(len(rows(self.dir / "linked.csv")), 4 * FRAMES)

    def test_reconstruct(self):
        rig = random_rig(3)
        write_toml(rig, self.dir / "rig.toml")
        at = np.cumsum(self.random.normal(0, 6, (FRAMES, 1, 1, 3)), axis=0) + self.random.uniform(-200, 200, (1, 2, 4, 3))  # mm
        for camera in range(3):
            seen = np.array([pixel(rig[camera], place) for place in at.reshape(-1, 3)]).reshape(FRAMES, 2, 4, 2)
            write_deeplabcut(self.dir / f"d{camera}.h5", seen, animals=ANIMALS)
            write_sleap(self.dir / f"s{camera}.h5", seen, ANIMALS)
            write_sleap_csv(self.dir / f"c{camera}.csv", seen, ANIMALS)
        for files in ("d{}.h5", "s{}.h5", "c{}.csv"):
            said = self.glint("reconstruct", "--rig", "rig.toml", "--rate", "30", "--detections", *[files.format(i) for i in range(3)],
                              "--points", "p.csv")
            self.assertIn(f"{FRAMES} sets; 8 points, {8 * FRAMES} rows", said.stdout)
            for row in rows(self.dir / "p.csv"):
                animal, part = row["label"].split(":")
                true = at[int(row["frame"]), ANIMALS.index(animal), PARTS.index(part)]
                for axis, name in enumerate(("x_mm", "y_mm", "z_mm")):
                    self.assertAlmostEqual(float(row[name]), true[axis], delta=1e-3 if files[0] != "c" else 2e-3)

    def refused(self, file):
        said = self.glint("convert", file, "tracks.csv", status=1).stderr
        self.assertTrue(said.startswith(f"glint: {file}: "), said)
        self.assertFalse((self.dir / "tracks.csv").exists())
        return said

    def test_what_contradicts_itself_is_refused(self):
        places = self.places()
        write_deeplabcut(self.dir / "fixed.h5", places, animals=ANIMALS, format="fixed")
        self.assertIn('pandas\' format "fixed"', self.refused("fixed.h5"))
        with h5py.File(self.dir / "other.h5", "w") as to:
            to["numbers"] = [1, 2]
        self.assertIn("neither DeepLabCut's df_with_missing nor SLEAP's tracks", self.refused("other.h5"))
        with h5py.File(self.dir / "project.slp", "w") as to:
            to["instances"], to["frames"], to["points"] = [1], [2], [3]
        self.assertIn("a project of SLEAP; export an analysis file", self.refused("project.slp"))
        for name, change, words in (
                ("nodes", lambda to: to.__delitem__("node_names") or to.__setitem__("node_names", [b"a"]), "/tracks has 4 nodes, and /node_names 1"),
                ("tracks", lambda to: to.__delitem__("track_names") or to.__setitem__("track_names", [b"a"] * 3), "has 2 tracks, and /track_names 3"),
                ("same", lambda to: to.__delitem__("track_names") or to.__setitem__("track_names", [b"a"] * 2), 'the label "a:nose"'),
                ("dims", lambda to: to["tracks"].attrs.__setitem__("dims", '["track", "xy", "node", "time"]'), "does not name its axes"),
                ("text", lambda to: to.__delitem__("tracks") or to.__setitem__("tracks", np.full((2, 2, 4, 3), b"x")), "holds no numbers"),
                ("link", lambda to: to.__delitem__("tracks") or to.__setitem__("tracks", h5py.ExternalLink("other.h5", "numbers")), "neither"),
                ("flat", lambda to: to.__delitem__("tracks") or to.__setitem__("tracks", [1.0, 2.0]), "has 1 axes instead of 4"),
                ("infinite", lambda to: to["tracks"].__setitem__((0, 0, 0, 0), np.inf), "a position is infinite")):
            write_sleap(self.dir / f"{name}.h5", places, ANIMALS)
            with h5py.File(self.dir / f"{name}.h5", "r+") as to:
                change(to)
            self.assertIn(words, self.refused(f"{name}.h5"), name)
        write_sleap_csv(self.dir / "s.csv", places, ["", ""])
        self.assertIn("an instance without a track is in frame", self.glint("convert", "s.csv", "tracks.csv", status=1).stderr)

    def test_huge_claims_take_no_memory(self):
        with h5py.File(self.dir / "huge.h5", "w") as to:
            to.create_dataset("tracks", shape=(2, 2, 4, 10**12), chunks=(1, 1, 1, 1000), dtype="f8", compression="gzip")
            to["node_names"] = [b"a", b"b", b"c", b"d"]
            to["track_names"] = [b"x", b"y"]
        self.assertIn("/tracks has more than 100000000 values", self.refused("huge.h5"))
        with h5py.File(self.dir / "empty.h5", "w") as to:
            to.create_dataset("tracks", shape=(2, 2, 4, 10**6), chunks=(1, 1, 1, 1000), dtype="f8", compression="gzip")
            to["node_names"] = [b"a", b"b", b"c", b"d"]
            to["track_names"] = [b"x", b"y"]
        self.assertIn("/tracks is damaged", self.refused("empty.h5"))

    def test_truncated_and_damaged_files_are_refused_or_read(self):
        """libhdf5 may crash on damage; Glint must not."""
        places = self.places(2, 2)
        write_deeplabcut(self.dir / "d.h5", places, animals=ANIMALS)
        write_sleap(self.dir / "s.h5", places, ANIMALS)
        damage = random.Random(3)
        for file in ("d.h5", "s.h5"):
            whole = (self.dir / file).read_bytes()
            cuts = [whole[:int(len(whole) * share)] for share in (0.02, 0.1, 0.5, 0.9, 0.999)]
            for _ in range(25):
                changed = bytearray(whole)
                for _ in range(damage.choice((1, 4, 40))):
                    changed[damage.randrange(8, len(changed))] = damage.randrange(256)
                cuts.append(bytes(changed))
            for content in cuts:
                (self.dir / "bad.h5").write_bytes(content)
                (self.dir / "tracks.csv").unlink(missing_ok=True)
                try:
                    self.glint("convert", "bad.h5", "tracks.csv")
                except AssertionError:
                    said = self.glint("convert", "bad.h5", "tracks.csv", status=1).stderr
                    self.assertIn("bad.h5", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
