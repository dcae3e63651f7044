"""glint link: tracks of markers that another program has found.

usage: link_test.py GLINT [unittest arguments]   (under a Python with pandas)
"""

import json
import unittest

import pandas as pd

from harness import Folder, rows

SCENE = "dancer?cameras=1&size=640x512&frames=90&seed=5"


class Link(Folder):
    def setUp(self):
        super().setUp()
        self.glint("synth", SCENE, "-o", "d.mkv", "--truth", "truth.csv")
        self.glint("track", "d.mkv", "-o", "t.csv", "--detections", "d.csv", "--quiet")
        self.table = pd.read_csv(self.dir / "d.csv")
        self.tracks = pd.read_csv(self.dir / "t.csv")

    def ids(self, tracks):
        """Which measured place has which id: {(frame, x, y): track}."""
        measured = tracks[tracks.state == "measured"]
        return dict(zip(zip(measured.frame, measured.x.round(3), measured.y.round(3)), measured.track))

    def link(self, table, *arguments, name="own.csv", index=False):
        table.to_csv(self.dir / name, index=index)
        said = self.glint("link", name, "-o", "linked.csv", *arguments)
        return said, pd.read_csv(self.dir / "linked.csv")

    def test_own_detections_give_the_tracks_of_the_run(self):
        said = self.glint("link", "d.csv", "-o", "linked.csv")
        self.assertEqual(said.stderr, "")
        linked = pd.read_csv(self.dir / "linked.csv")
        self.assertIn(f"{len(self.table)} markers -> {linked.track.max()} tracks, {len(linked)} rows -> linked.csv", said.stdout)
        # Detections are written with four decimals, so a rare decision may differ.
        mine, theirs = self.ids(linked), self.ids(self.tracks)
        same = sum(mine.get(place) == track for place, track in theirs.items())
        self.assertGreater(same, 0.98 * len(theirs))
        self.assertEqual(list(linked.columns), list(self.tracks.columns))
        score = [json.loads(self.glint("eval", name, "truth.csv", "--json").stdout)["all"] for name in ("t.csv", "linked.csv")]
        self.assertLess(abs(score[0]["idf1"] - score[1]["idf1"]), 0.01)

    def test_names_of_trackpy_in_any_order_of_rows(self):
        own = self.table.rename(columns={"peak": "signal"})
        own["size"] = own.radius / 2 ** 0.5
        own["ep"] = (own.sigma_x ** 2 + own.sigma_y ** 2) ** 0.5 / 2 ** 0.5
        own = own[["y", "x", "mass", "size", "signal", "ep", "frame"]].sample(frac=1, random_state=3)
        said, linked = self.link(own, "--rate", "60", index=True)
        self.assertEqual(said.stderr, "")
        mine, theirs = self.ids(linked), self.ids(self.tracks)
        groups = {}
        for place, track in theirs.items():
            groups.setdefault(track, []).append(mine.get(place))
        kept = sum(max(map(ids.count, set(ids))) for ids in groups.values())
        self.assertGreater(kept, 0.95 * len(theirs))
        self.assertTrue(linked.eccentricity.isna().all())
        self.assertFalse(linked.mass.isna().any())

    def test_places_alone_are_enough(self):
        own = self.table[["frame", "x", "y"]]
        said, linked = self.link(own)
        self.assertIn("60 frames a second are assumed", said.stderr)
        self.assertIn("0.2 px are assumed; state it with --sigma", said.stderr)
        score = json.loads(self.glint("eval", "linked.csv", "truth.csv", "--json").stdout)["all"]
        self.assertGreater(score["idf1"], 0.8)
        self.assertTrue(linked.mass.isna().all() and linked.radius.isna().all())
        said, _ = self.link(own, "--rate", "60", "--sigma", "0.05")
        self.assertEqual(said.stderr, "")

    def test_names_of_trackmate_with_its_headings(self):
        text = "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_T,FRAME,RADIUS\nLabel,Spot ID,Track ID,Quality,X,Y,T,Frame,Radius\n" \
               "Label,Spot ID,Track ID,Quality,X,Y,T,Frame,R\n,,,(quality),(pixel),(pixel),(sec),,(pixel)\n"
        for number, row in enumerate(self.table.itertuples()):
            text += f"ID{number},{number},,{row.peak},{row.x},{row.y},{row.time_s},{row.frame},{row.radius}\n"
        (self.dir / "spots.csv").write_text(text)
        self.glint("link", "spots.csv", "-o", "linked.csv", "-o", "linked.trackpy.csv")
        linked = rows(self.dir / "linked.csv")
        measured = {row["frame"] + "," + row["x"] for row in linked if row["state"] == "measured"}
        self.assertLessEqual(measured, {f"{row.frame},{row.x:.4f}" for row in self.table.itertuples()})
        self.assertGreater(len(measured), 0.9 * len(self.table))
        self.assertEqual(len(rows(self.dir / "linked.trackpy.csv")), sum(row["state"] == "measured" for row in linked))

    def test_settings_take_effect_and_cameras_stay_apart(self):
        two = pd.concat([self.table, self.table.assign(camera=1)])
        _, linked = self.link(two)
        ids = [set(linked[linked.camera == camera].track) for camera in (0, 1)]
        self.assertTrue(ids[0] and ids[1] and not ids[0] & ids[1])
        self.assertEqual(len(linked[linked.camera == 0]), len(linked[linked.camera == 1]))
        _, few = self.link(self.table, "--set", "track.confirm=30")
        self.assertLess(few.track.nunique(), len(ids[0]))
        self.glint("link", "own.csv", "-o", "l.kinovea.csv", "--no-stitch")
        self.assertFalse((self.dir / "l.kinovea.csv.rows").exists())

    def test_what_is_wrong_is_said(self):
        bad = {"frame 0 is at 0.5 s here, and at 0 s above": "frame,x,y,time_s\n0,1,1,0\n0,9,9,0.5\n",
               "frame 3 is at 0.7 s, and frame 4 after it at 0.6 s": "frame,x,y,time_s\n4,1,1,0.6\n3,9,9,0.7\n",
               'there are two columns "x"': "frame,x,y,x\n0,1,1,1\n",
               "there is no column \"x\"": "frame,y\n0,1\n", "there is no y": "frame,x,y\n0,1,\n", "is not a number": "frame,x,y\n0,1,b\n",
               "is not a whole number": "frame,x,y\n0.5,1,1\n", "is it a number of a frame": "frame,x,y\n0,1,1\n4000000000,1,1\n",
               "holds no marker": "frame,x,y\n", "is empty": "", "below 0": "frame,x,y,ep\n0,1,1,-1\n", "is beyond 63": "camera,frame,x,y\n64,0,1,1\n",
               "2 fields where the header has 3": "frame,x,y\n0,1\n"}
        for words, text in bad.items():
            (self.dir / "bad.csv").write_text(text)
            self.assertIn(words, self.glint("link", "bad.csv", "-o", "b.csv", status=1).stderr)
        self.assertFalse((self.dir / "b.csv").exists())
        self.assertIn("is read by this run", self.glint("link", "d.csv", "-o", "d.csv", status=2).stderr)
        self.assertIn("does not show the format", self.glint("link", "d.csv", "-o", "b.c3d", status=2).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
