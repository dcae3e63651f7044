"""glint reconstruct from outside: dots with labels become points with labels.

usage: labels_test.py GLINT [unittest arguments]   (under a Python with NumPy)
"""

import unittest

import numpy as np

from harness import Folder, rows
from rigs import pixel, random_rig, write_toml

LABELS = ["nose", "left ear", "tail, tip"]
FRAMES = 50


class Labels(Folder):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(6)
        self.rig = random_rig(4)
        write_toml(self.rig, self.dir / "rig.toml")
        walk = np.cumsum(self.random.normal(0, 6, (FRAMES, 1, 3)), axis=0)
        self.at = walk + np.array([[0, 0, 0], [40, 0, 10], [-200, 30, 0]])  # mm, (frame, label, axis)

    def seen(self, camera, frame, label, noise):
        return pixel(self.rig[camera], self.at[frame, label]) + self.random.normal(0, noise, 2)

    def table(self, noise=0.5, hidden=(), wrong=(), extra=""):
        """A table of all cameras. `hidden`, `wrong`: (camera, frame, label)."""
        text = "camera,frame,time_s,x,y,sigma_x,sigma_y,label\n"
        for camera in range(4):
            for frame in range(FRAMES):
                for label, name in enumerate(LABELS):
                    if (camera, frame, label) in hidden:
                        continue
                    x, y = self.seen(camera, frame, label, noise) + (np.array([60, -40]) if (camera, frame, label) in wrong else 0)
                    quoted = f'"{name}"' if "," in name else name
                    text += f"{camera},{frame},{frame / 60:.6f},{x:.4f},{y:.4f},{noise},{noise},{quoted}\n"
        (self.dir / "d.csv").write_text(text + extra)

    def reconstruct(self, *arguments, detections=("d.csv",), status=0):
        return self.glint("reconstruct", "--rig", "rig.toml", "--detections", *detections, "--points", "p.csv", *arguments, status=status)

    def places(self):
        """Returns the places that p.csv has, (frame, label, axis), NaN where there is none."""
        places = np.full(self.at.shape, np.nan)
        for row in rows(self.dir / "p.csv"):
            self.assertEqual(int(row["point"]), LABELS.index(row["label"]) + 1)
            places[int(row["frame"]), LABELS.index(row["label"])] = [float(row[key]) for key in ("x_mm", "y_mm", "z_mm")]
        return places

    def test_labels_go_through_to_points_with_true_sigmas(self):
        self.table()
        said = self.reconstruct()
        self.assertEqual(said.stderr, "glint: rig.toml has no covariance: sigmas of points lack the rig's share\n")
        self.assertIn("50 sets; 3 points, 150 rows", said.stdout)
        off = self.places() - self.at
        self.assertFalse(np.isnan(off).any())
        stated = np.array([[float(row[key]) for key in ("sigma_x", "sigma_y", "sigma_z")] for row in rows(self.dir / "p.csv")])
        ratio = np.sqrt(np.mean((off.reshape(-1, 3) / stated) ** 2))
        self.assertTrue(0.85 < ratio < 1.15, ratio)  # 450 numbers: 3.3 % standard deviation
        self.assertEqual({row["rays"] for row in rows(self.dir / "p.csv")}, {"4"})
        self.assertEqual({row["vx_mm_s"] for row in rows(self.dir / "p.csv")}, {""})

    def test_other_formats_name_the_markers(self):
        self.table()
        self.glint("reconstruct", "--rig", "rig.toml", "--detections", "d.csv", "--points", "p.wide.csv")
        header = (self.dir / "p.wide.csv").read_text().splitlines()[0]
        self.assertEqual(header.split(",")[2:5], ["nose_x_mm", "nose_y_mm", "nose_z_mm"])
        self.assertIn('"tail, tip_x_mm"', header)

    def test_wrong_and_hidden_dots(self):
        wrong = {(camera, frame, frame % 3) for frame in range(0, FRAMES, 5) for camera in [frame % 4]}
        hidden = {(camera, 7, 0) for camera in range(3)} | {(camera, 8, 1) for camera in range(4)} | {(0, 9, 2), (1, 9, 2)}
        self.table(hidden=hidden, wrong=wrong, extra="3,49,0.816667,20,30,0.5,0.5,\n")
        said = self.reconstruct().stderr
        self.assertIn(f"{len(wrong)} rays left out that the other rays of its label do not meet", said)
        self.assertIn("1 label in a frame of one camera alone: no point", said)
        self.assertIn("1 dot without a label left out", said)
        places = self.places()
        gone = np.argwhere(np.isnan(places[:, :, 0])).tolist()
        self.assertEqual(gone, [[7, 0], [8, 1]])
        self.assertLess(np.nanmax(np.abs(places - self.at)), 6)
        self.table(hidden={(c, f, 0) for c in (2, 3) for f in range(FRAMES)}, wrong={(1, 4, 0)})
        self.assertIn("1 label in a frame whose rays do not meet: no point", self.reconstruct().stderr)
        self.assertEqual(np.argwhere(np.isnan(self.places()[:, :, 0])).tolist(), [[4, 0]])

    def test_deeplabcut(self):
        for individuals in (None, ["m1", "m1", "single"]):
            for camera in range(4):
                parts = [part for part in ("nose", "left ear", "tail") for _ in range(3)]
                text = "scorer" + ",DLC_resnet50" * 9 + "\n"
                if individuals:
                    text += "individuals," + ",".join(name for name in individuals for _ in range(3)) + "\n"
                text += "bodyparts," + ",".join(parts) + "\ncoords" + ",x,y,likelihood" * 3 + "\n"
                for frame in range(FRAMES):
                    cells = []
                    for label in range(3):
                        x, y = self.seen(camera, frame, label, 1)
                        likelihood = 0.1 if (camera, frame, label) == (0, 3, 1) else 0.99
                        cells += [f"{x + 500 * (likelihood < 0.6)}", f"{y}", f"{likelihood}"] if (frame, label) != (5, 2) else ["", "", ""]
                    text += f"{frame}," + ",".join(cells) + "\n"
                (self.dir / f"cam{camera}.csv").write_text(text)
            files = [f"cam{camera}.csv" for camera in range(4)]
            said = self.reconstruct("--rate", "30", detections=files).stderr
            self.assertIn("cam0.csv: 1 position whose likelihood is below 0.6 is left out", said)
            self.assertIn("3 px are assumed", said)
            found = rows(self.dir / "p.csv")
            self.assertEqual(len(found), 3 * FRAMES - 1)
            self.assertEqual({row["label"] for row in found}, {"nose", "left ear", "tail"} if not individuals else {"m1:nose", "m1:left ear", "tail"})
            self.assertEqual(found[-1]["time_s"], f"{49 / 30:.6f}")
            self.assertEqual([row["rays"] for row in found if row["frame"] == "3"], ["4", "3", "4"])
        whole = (self.dir / "cam0.csv").read_text()
        for damage, words in ((whole.replace("coords,x,y", "coords,x,z", 1), "not x, y and likelihood of body parts"),
                              (whole[:whole.index("coords")], "no line coords"), (whole.replace("\n7,", "\nimg07.png,"), "not the number of a frame"),
                              (whole.replace("0.99", "sure", 1), '"sure" is not a number'), (whole.rsplit(",", 1)[0] + "\n", "where 10 are expected")):
            (self.dir / "bad.csv").write_text(damage)
            self.assertIn(words, self.reconstruct("--rate", "30", detections=["bad.csv", *files[1:]], status=1).stderr)

    def test_what_does_not_fit_is_refused(self):
        self.table(extra="3,49,0.816667,20,30,0.5,0.5,nose\n")
        self.assertIn('camera 3 has the label "nose" twice in frame 49', self.reconstruct(status=1).stderr)
        self.table()
        self.assertIn("--refine-rig is for dots that Glint assigns itself", self.reconstruct("--refine-rig", "r.toml", status=2).stderr)
        self.assertFalse((self.dir / "p.csv").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
