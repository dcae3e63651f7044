"""glint convert of tracks in the image: to trackpy, TrackMate, Kinovea and QTM, and back.

usage: tables_test.py GLINT [unittest arguments]   (under a Python with pandas)
"""

import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd

from harness import Folder, rows

HEADER = "camera,frame,time_s,track,state,x,y,vx,vy,peak,mass,radius,eccentricity,sigma_x,sigma_y,flags\n"


def random_tracks(random, tracks, frames, rate=50.0):
    """Rows (frame, track, x, y, peak, mass, radius) of tracks with gaps; every track has two rows or more, and every frame one."""
    all_rows = []
    for track in range(1, tracks + 1):
        first, last = sorted(random.choice(frames, 2, replace=False)) if track > 1 else (0, frames - 1)
        for frame in range(first, last + 1):
            if track == 1 or frame in (first, last) or random.random() > 0.2:
                x, y = np.round(random.uniform(0, 1000, 2), 4)
                all_rows.append((frame, track, x, y, int(random.integers(20, 250)), round(random.uniform(100, 900), 1), round(random.uniform(1, 5), 3)))
    return sorted(all_rows)


def tracks_csv(all_rows, rate=50.0, camera=0):
    text = ""
    for frame, track, x, y, peak, mass, radius in all_rows:
        text += f"{camera},{frame},{frame / rate:.6f},{track},measured,{x:.4f},{y:.4f},1.000,2.000,{peak},{mass:.1f},{radius:.3f},0.100,0.0100,0.0200,0\n"
    return text


class Tables(Folder):
    def setUp(self):
        super().setUp()
        self.rows = random_tracks(np.random.default_rng(50), 12, 60)
        (self.dir / "t.csv").write_text(HEADER + tracks_csv(self.rows))
        self.places = {(frame, track): (x, y) for frame, track, x, y, *_ in self.rows}

    def assert_places(self, name, places=None):
        found = {(int(row["frame"]), int(row["track"])): (float(row["x"]), float(row["y"])) for row in rows(self.dir / name)}
        self.assertEqual(found, self.places if places is None else places)

    def test_trackpy_there_and_back(self):
        self.glint("convert", "t.csv", "t.trackpy.csv")
        table = pd.read_csv(self.dir / "t.trackpy.csv")
        self.assertEqual({(f, p): (x, y) for f, p, x, y in zip(table.frame, table.particle, table.x, table.y)}, self.places)
        said = self.glint("convert", "t.trackpy.csv", "again.csv", "--rate", "50")
        self.assertEqual(said.stderr, "")
        self.assertIn(f"12 tracks, {len(self.rows)} rows at 50 Hz -> again.csv", said.stdout)
        self.assert_places("again.csv")
        again = rows(self.dir / "again.csv")
        for row, given in zip(again, self.rows):
            self.assertEqual((int(row["peak"]), float(row["mass"])), given[4:6])
            self.assertEqual((row["vx"], row["time_s"]), ("", f"{given[0] / 50:.6f}"))
            self.assertAlmostEqual(float(row["radius"]), given[6], delta=6e-4)
        # A table as pandas writes it: an index, ids from 0 as real numbers, other columns.
        table["particle"] = (table["particle"] - 1).astype(float)
        table["more"] = "a, b"
        table.to_csv(self.dir / "own.csv")
        said = self.glint("convert", "own.csv", "again.csv").stderr
        self.assertIn("counts tracks from 0", said)
        self.assertIn("60 frames a second are assumed", said)
        self.assert_places("again.csv")

    def test_trackmate_csv_there_and_back(self):
        self.glint("convert", "t.csv", "t.trackmate.csv")
        table = pd.read_csv(self.dir / "t.trackmate.csv", skiprows=[1, 2, 3])
        self.assertEqual(len(table), len(self.rows))
        self.assertEqual(self.glint("convert", "t.trackmate.csv", "again.csv").stderr, "")
        self.assert_places("again.csv")
        text = self.text("t.trackmate.csv") + "ID999,999,,1,5,5,0,0.1,5,1,1,\n"
        (self.dir / "export.csv").write_text(text)
        self.assertIn("1 spots without a track are left out", self.glint("convert", "export.csv", "again.csv").stderr)
        self.assert_places("again.csv")

    def test_trackmate_xml_there_and_back(self):
        self.glint("convert", "t.csv", "t.xml")
        root = ElementTree.parse(self.dir / "t.xml").getroot()
        spots = {spot.get("ID"): spot for spot in root.iter("Spot")}
        self.assertEqual(int(root.find("Model/AllSpots").get("nspots")), len(spots))
        found = {}
        for track in root.iter("Track"):
            ids = set()
            for edge in track.iter("Edge"):
                a, b = spots[edge.get("SPOT_SOURCE_ID")], spots[edge.get("SPOT_TARGET_ID")]
                self.assertLess(int(a.get("FRAME")), int(b.get("FRAME")))
                ids |= {edge.get("SPOT_SOURCE_ID"), edge.get("SPOT_TARGET_ID")}
            for spot in (spots[i] for i in ids):
                found[int(spot.get("FRAME")), int(track.get("TRACK_ID"))] = (float(spot.get("POSITION_X")), float(spot.get("POSITION_Y")))
        self.assertEqual(found, self.places)
        for frame in root.iter("SpotsInFrame"):
            self.assertEqual({spot.get("FRAME") for spot in frame}, {frame.get("frame")})
        self.assertEqual(self.glint("convert", "t.xml", "again.csv").stderr, "")
        self.assert_places("again.csv")
        self.assertEqual([row["time_s"] for row in rows(self.dir / "again.csv")], [f"{row[0] / 50:.6f}" for row in self.rows])

    def test_trackmate_xml_of_others(self):
        def spot(number, frame, x, y):
            return (f'<Spot ID="{number}" name="ID{number}" QUALITY="7.5" POSITION_X="{x}" POSITION_Y="{y}" POSITION_Z="0.0" '
                    f'POSITION_T="{frame * 0.5}" FRAME="{frame}" RADIUS="1.5" VISIBILITY="1" />')
        places = [(10, 0, 1, 2), (11, 1, 2, 3), (12, 2, 3, 4), (13, 2, 9, 9), (14, 3, 4, 5), (20, 1, 8, 8)]
        frames = "".join(f'<SpotsInFrame frame="{n}">' + "".join(spot(*p) for p in places if p[1] == n) + "</SpotsInFrame>" for n in range(4))
        edges = "".join(f'<Edge SPOT_SOURCE_ID="{a}" SPOT_TARGET_ID="{b}" LINK_COST="1" />' for a, b in ((10, 11), (11, 12), (11, 13), (12, 14)))
        text = ('<?xml version="1.0" encoding="UTF-8"?><TrackMate version="7.7.1"><Log>a &lt; b</Log><Model spatialunits="µm" timeunits="sec">'
                f'<AllSpots nspots="6">{frames}</AllSpots><AllTracks><Track name="Track_0" TRACK_ID="0">{edges}</Track></AllTracks></Model>'
                '<Settings><ImageData pixelwidth="0.5" pixelheight="0.5" timeinterval="0.5" /></Settings></TrackMate>')
        (self.dir / "o.xml").write_text(text, encoding="utf-8")
        said = self.glint("convert", "o.xml", "again.csv").stderr
        for words in ("1 spots without a track are left out", "1 branches become tracks of their own", "divided by the size of a pixel, 0.5",
                      "counts tracks from 0"):
            self.assertIn(words, said)
        self.assert_places("again.csv", {(0, 1): (2, 4), (1, 1): (4, 6), (2, 1): (6, 8), (3, 1): (8, 10), (2, 2): (18, 18)})
        for damage, words in ((text[:-30], "line 1"), (text.replace('SPOT_TARGET_ID="14"', 'SPOT_TARGET_ID="99"'), "one of them is not there"),
                              (text.replace('FRAME="3"', 'FRAME="-3"'), "no valid FRAME"), ("<a/>", "no file of TrackMate's"), ("", "line 1"),
                              (text.replace('POSITION_X="9"', 'POSITION_X="far"'), "which is no number"), (text.replace('ID="13"', 'ID="12"', 1), "twice")):
            (self.dir / "o.xml").write_text(damage, encoding="utf-8")
            self.assertIn(words, self.glint("convert", "o.xml", "b.csv", status=1).stderr)
        self.assertFalse((self.dir / "b.csv").exists())

    def test_kinovea_and_qtm_there_and_back(self):
        for suffix in (".kinovea.csv", ".tsv"):
            self.glint("convert", "t.csv", "t" + suffix)
            self.glint("convert", "t" + suffix, "again.csv")
            self.assert_places("again.csv")
            self.assertFalse((self.dir / f"t{suffix}.rows").exists())
            self.assertEqual([row["time_s"] for row in rows(self.dir / "again.csv")], [f"{row[0] / 50:.6f}" for row in self.rows])
        # Names of others stay.
        text = self.text("t.tsv").replace("Track3", "left hand")
        (self.dir / "n.tsv").write_bytes(text.replace("\n", "\r\n").encode())
        self.glint("convert", "n.tsv", "again.csv")
        self.assertEqual({row["name"] for row in rows(self.dir / "again.csv")}, {"", "left hand"})
        self.glint("convert", "n.tsv", "again.kinovea.csv")
        self.assertIn('"left hand/0/X"', self.text("again.kinovea.csv"))

    def test_several_cameras_and_predicted_rows(self):
        text = HEADER + tracks_csv(self.rows) + tracks_csv(self.rows[:40], camera=1)
        (self.dir / "two.csv").write_text(text.replace("measured", "predicted", 1))
        said = self.glint("convert", "two.csv", "two.trackpy.csv")
        self.assertIn("cannot hold 1 rows that were predicted", said.stderr)
        self.assertIn("-> two_cam0.trackpy.csv, two_cam1.trackpy.csv", said.stdout)
        self.assertEqual(len(pd.read_csv(self.dir / "two_cam1.trackpy.csv")), 40)
        self.assertIn("can hold one camera, and there are 2", self.glint("convert", "two.csv", "two.xml", status=2).stderr)
        self.glint("convert", "two.csv", "again.csv")
        self.assertEqual(sorted(self.text("again.csv").splitlines()), sorted(self.text("two.csv").splitlines()))

    def test_what_is_wrong_is_said(self):
        self.assertIn("does not show the format of the tracks", self.glint("convert", "t.csv", "t.c3d", status=2).stderr)
        self.assertIn("--up, --unit and --from-up are for points", self.glint("convert", "t.csv", "t.tsv", "--up", "y", status=2).stderr)
        bad = {"track 1 is there twice in frame 0": "frame,track,x,y\n0,1,1,1\n0,1,2,2\n", "is not a valid x": "frame,track,x,y\n0,1,,1\n",
               "is it a number of a frame": "frame,track,x,y\n0,1,1,1\n4000000000,1,1,1\n", "is not a valid camera": "camera,frame,track,x,y\n-1,0,1,1,1\n",
               "beyond the 64": "camera,frame,track,x,y\n70,0,1,1,1\n", "is not a valid particle": "frame,particle,x,y\n0,1.5,1,1\n",
               "times do not rise": "Time,a/0/X,a/0/Y\n1,2,3\n0.5,2,3\n", "has one coordinate alone": "Time,a/0/X,a/0/Y\n1,2,\n"}
        for words, text in bad.items():
            (self.dir / "bad.csv").write_text(text)
            self.assertIn(words, self.glint("convert", "bad.csv", "b.csv", status=1).stderr)
        self.assertFalse((self.dir / "b.csv").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
