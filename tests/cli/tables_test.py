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
        self.assertIn("1 spot without a track is left out", self.glint("convert", "export.csv", "again.csv").stderr)
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
        for words in ("1 spot without a track is left out", "1 branch becomes a track of its own", "divided by the size of a pixel, 0.5",
                      "counts tracks from 0"):
            self.assertIn(words, said)
        self.assert_places("again.csv", {(0, 1): (2, 4), (1, 1): (4, 6), (2, 1): (6, 8), (3, 1): (8, 10), (2, 2): (18, 18)})
        for damage, words in ((text[:-30], "line 1"), (text.replace('SPOT_TARGET_ID="14"', 'SPOT_TARGET_ID="99"'), "one of them is not there"),
                              (text.replace('FRAME="3"', 'FRAME="-3"'), "no valid FRAME"), ("<a/>", "no file of TrackMate's"), ("", "line 1"),
                              (text.replace('POSITION_X="9"', 'POSITION_X="far"'), "which is no number"), (text.replace('ID="13"', 'ID="12"', 1), "twice")):
            (self.dir / "o.xml").write_text(damage, encoding="utf-8")
            self.assertIn(words, self.glint("convert", "o.xml", "b.csv", status=1).stderr)
        self.assertFalse((self.dir / "b.csv").exists())

    @staticmethod
    def trackmate(model="", tracks=((0, 1, 2), (1, 3, 4)), kept=None, unit="pixel", time="sec", image='pixelwidth="1" pixelheight="1" timeinterval="0.5"'):
        """A file of TrackMate with two spots for each of `tracks` (id, spot, spot), the first in frame 0, the second in frame 1."""
        def spot(number, frame):
            return (f'<Spot ID="{number}" POSITION_X="{number}" POSITION_Y="{10 * number}" POSITION_T="{frame * 40.0}" FRAME="{frame}" '
                    'QUALITY="1" RADIUS="2" />')
        frames = "".join(f'<SpotsInFrame frame="{n}">' + "".join(spot(track[1 + n], n) for track in tracks) + "</SpotsInFrame>" for n in (0, 1))
        edges = "".join(f'<Track TRACK_ID="{i}"><Edge SPOT_SOURCE_ID="{a}" SPOT_TARGET_ID="{b}" /></Track>' for i, a, b in tracks)
        shown = "" if kept is None else "<FilteredTracks>" + "".join(f'<TrackID TRACK_ID="{i}" />' for i in kept) + "</FilteredTracks>"
        return (f'<TrackMate version="7"><Model spatialunits="{unit}" timeunits="{time}"><AllSpots>{frames}</AllSpots><AllTracks>{edges}'
                f"</AllTracks>{shown}</Model><Settings><ImageData {image} /></Settings></TrackMate>")

    def test_trackmate_hides_what_its_filters_hide(self):
        for kept, expected, words in ((None, {1, 3}, ""), ((0, 1), {1, 3}, ""), ((1,), {3}, "1 track that TrackMate's filters hide is left out")):
            (self.dir / "o.xml").write_text(self.trackmate(kept=kept))
            said = self.glint("convert", "o.xml", "again.csv").stderr
            self.assertEqual({float(row["x"]) for row in rows(self.dir / "again.csv") if row["frame"] == "0"}, {float(x) for x in expected})
            self.assertIn(words, said)
            self.assertNotIn("without a track", said)
        (self.dir / "o.xml").write_text(self.trackmate(kept=()))
        said = self.glint("convert", "o.xml", "none.csv", status=1).stderr
        self.assertIn("2 tracks that TrackMate's filters hide are left out", said)
        self.assertIn("'o.xml' holds no track", said)
        self.assertFalse((self.dir / "none.csv").exists())

    def test_trackmate_has_its_units(self):
        for time, seconds in (("sec", 40), ("s", 40), ("ms", 0.04), ("msec", 0.04), ("\u00b5s", 40e-6), ("min", 2400)):
            (self.dir / "o.xml").write_text(self.trackmate(time=time, image='pixelwidth="1" pixelheight="1" timeinterval="40"'), encoding="utf-8")
            said = self.glint("convert", "o.xml", "again.csv")
            self.assertEqual({float(row["time_s"]) for row in rows(self.dir / "again.csv")}, {0, seconds}, time)
            self.assertIn(f"at {1 / seconds:.6g} Hz", said.stdout)
            self.assertNotIn("unit of time", said.stderr)
        (self.dir / "o.xml").write_text(self.trackmate(time="frame"))
        self.assertIn('its times are in "frame", which is no unit of time', self.glint("convert", "o.xml", "again.csv").stderr)
        (self.dir / "o.xml").write_text(self.trackmate(unit="nm", image='pixelwidth="0.5" pixelheight="0.25" timeinterval="1"'))
        self.assertIn("positions in nm are divided", self.glint("convert", "o.xml", "again.csv").stderr)
        self.assertEqual([(row["x"], row["y"], row["radius"]) for row in rows(self.dir / "again.csv")][0], ("2.0000", "40.0000", "4.000"))
        for image in ("", 'pixelwidth="0" pixelheight="0"'):
            (self.dir / "o.xml").write_text(self.trackmate(unit="nm", image=image))
            self.assertIn("its positions are in nm, and it does not say how large a pixel is", self.glint("convert", "o.xml", "b.csv", status=1).stderr)

    def test_a_single_row_is_no_track_in_xml(self):
        (self.dir / "one.csv").write_text("frame,track,x,y\n0,1,1,1\n0,2,5,5\n1,2,6,6\n")
        self.assertIn("one.xml cannot hold 1 track of a single row", self.glint("convert", "one.csv", "one.xml").stderr)

    def test_names_that_no_track_can_have(self):
        (self.dir / "n.csv").write_bytes(b"frame,track,x,y,name\n0,1,1,1,K\xf6r\n0,2,5,5,fine\n0,3,5,9," + b"n" * 300 + b"\n")
        self.assertIn("2 names are changed", self.glint("convert", "n.csv", "again.csv").stderr)
        self.assertEqual([row["name"] for row in rows(self.dir / "again.csv")], ["K\u00f6r", "fine", "n" * 200])

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
        self.assertIn("cannot hold 1 row that was predicted", said.stderr)
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
               'two columns "x"': "frame,track,x,y,x\n0,1,1,1,1\n", 'two columns "POSITION_X"': "FRAME,TRACK_ID,POSITION_X,POSITION_Y,POSITION_X\n",
               "beyond the 64": "camera,frame,track,x,y\n70,0,1,1,1\n", "is not a valid particle": "frame,particle,x,y\n0,1.5,1,1\n",
               "times do not rise": "Time,a/0/X,a/0/Y\n1,2,3\n0.5,2,3\n", "has one coordinate alone": "Time,a/0/X,a/0/Y\n1,2,\n"}
        for words, text in bad.items():
            (self.dir / "bad.csv").write_text(text)
            self.assertIn(words, self.glint("convert", "bad.csv", "b.csv", status=1).stderr)
        self.assertFalse((self.dir / "b.csv").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
