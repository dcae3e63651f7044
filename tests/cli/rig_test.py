"""glint rig from outside: rigs of other programs, read and written by their own conventions.

usage: rig_test.py GLINT [unittest arguments]   (under a Python with NumPy)
"""

import re
import tomllib
import unittest

import numpy as np

from harness import Folder, rows
from rigs import (FORMS, matrix_of, pixel, random_rig, read_toml, rotation_of, write_caliscope, write_colmap, write_qualisys, write_toml,
                  yaml_matrix)


class Rigs(Folder):
    def assert_same(self, found, rig, label, tolerance=1e-9):
        self.assertEqual([(c["name"], c["size"]) for c in found], [(c["name"], c["size"]) for c in rig], label)
        random = np.random.default_rng(5)
        for a, b in zip(found, rig):
            for point in random.uniform(-400, 400, (20, 3)):
                np.testing.assert_allclose(pixel(a, point), pixel(b, point), atol=1e-7, err_msg=label)
            for key in ("f", "distortions", "R", "T"):
                np.testing.assert_allclose(a[key], b[key], rtol=tolerance, atol=tolerance, err_msg=label)

    def test_every_format_is_read_and_written(self):
        for count in (1, 3, 12):
            rig = random_rig(count, seed=count)
            if count > 10:
                for n, camera in enumerate(rig):
                    camera["name"] = f"cam_{n:02}"
            for form, (suffix, write, read) in FORMS.items():
                write(rig, self.dir / ("in" + suffix))
                self.glint("rig", "in" + suffix, "-o", "rig.toml")
                expected = [{**c, "name": f"cam_{n}"} for n, c in enumerate(rig)] if form in ("caliscope", "opencv", "opencv ") else rig
                self.assert_same(read_toml(self.dir / "rig.toml"), expected, form)
                write_toml(rig, self.dir / "rig.toml")
                said = self.glint("rig", "rig.toml", "--as", form.strip(), "-o", "out" + suffix).stderr
                self.assertEqual(said, "", form)
                names = [f"cam_{n}" for n in range(count)] if form == "caliscope" else [c["name"] for c in rig]
                self.assert_same(read(self.dir / ("out" + suffix)), [{**c, "name": name} for c, name in zip(rig, names)], form)
                # There and back no digit is lost but to rounding.
                self.glint("rig", "out" + suffix, "-o", "back.toml")
                self.assert_same(read_toml(self.dir / "back.toml"), [{**c, "name": name} for c, name in zip(rig, names)], form, 1e-12)

    def test_points_are_the_same_with_every_format(self):
        rig, random = random_rig(4), np.random.default_rng(3)
        text = "camera,frame,time_s,x,y,sigma_x,sigma_y\n"
        path = np.cumsum(random.normal(0, 8, (40, 3)), axis=0)
        for n, camera in enumerate(rig):
            for frame, point in enumerate(path):
                x, y = pixel(camera, point)
                text += f"{n},{frame},{frame / 60:.6f},{x:.6f},{y:.6f},0.05,0.05\n"
        (self.dir / "d.csv").write_text(text)
        tables = {}
        for form, (suffix, write, _) in FORMS.items():
            write(rig, self.dir / ("in" + suffix))
            said = self.glint("reconstruct", "--rig", "in" + suffix, "--detections", "d.csv", "--points", "p.csv").stderr
            if form.startswith("opencv"):
                self.assertIn("does not say its unit of length: mm are assumed", said)
            tables[form] = [{key: row[key] for key in ("frame", "point", "x_mm", "y_mm", "z_mm")} for row in rows(self.dir / "p.csv")]
        found = np.array([[float(row[key]) for key in ("x_mm", "y_mm", "z_mm")] for row in tables["anipose"]])
        self.assertLess(np.abs(found - path).max(), 1)
        for form, table in tables.items():
            self.assertEqual(len(table), len(path))
            other = np.array([[float(row[key]) for key in ("x_mm", "y_mm", "z_mm")] for row in table])
            self.assertLess(np.abs(other - found).max(), 2e-4, form)

    def test_older_and_other_writers(self):
        rig = random_rig(3)
        write_caliscope(rig, self.dir / "old.toml", old=True)
        self.glint("rig", "old.toml", "-o", "rig.toml")
        self.assert_same(read_toml(self.dir / "rig.toml"), rig, "old caliscope")
        text = (self.dir / "old.toml").read_text()
        (self.dir / "old.toml").write_text(text.replace("port = 1\nrotation_count = 0\nerror = 0.2\nignore = false",
                                                        "port = 1\nrotation_count = 0\nignore = true"))
        self.assertIn("1 camera that caliscope ignores is left out", self.glint("rig", "old.toml", "-o", "rig.toml").stderr)
        self.assertEqual(len(read_toml(self.dir / "rig.toml")), 2)
        # QTM: a part of the sensor, and other units.
        for units, left in ((64, 100), (1, 0), (32, 12)):
            write_qualisys(rig, self.dir / "q.qca.txt", units, left)
            self.glint("rig", "q.qca.txt", "-o", "rig.toml")
            self.assert_same(read_toml(self.dir / "rig.toml"), rig, (units, left))
        (self.dir / "q.qca.txt").write_text((self.dir / "q.qca.txt").read_text().replace('viewrotation="0"', 'viewrotation="90"', 1))
        self.assertIn("camera 0 has the viewrotation 90", self.glint("rig", "q.qca.txt").stderr)
        # OpenCV's calibration sample writes one camera without a pose.
        c = rig[0]
        head = f"%YAML:1.0\n---\nimage_width: {c['size'][0]}\nimage_height: {c['size'][1]}\n"
        (self.dir / "one.yml").write_text(head + yaml_matrix("camera_matrix", matrix_of(c)) +
                                          yaml_matrix("distortion_coefficients", np.array(c["distortions"]).reshape(5, 1)))
        self.glint("rig", "one.yml", "-o", "rig.toml")
        self.assert_same(read_toml(self.dir / "rig.toml"), [{**c, "R": np.eye(3), "T": np.zeros(3)}], "one camera")
        # COLMAP's smaller models.
        write_colmap(rig, self.dir / "sparse")
        for model, keep in (("SIMPLE_PINHOLE", "0 2 3"), ("PINHOLE", "0 1 2 3"), ("SIMPLE_RADIAL", "0 2 3 4"),
                            ("RADIAL", "0 2 3 4 5"), ("OPENCV", "0 1 2 3 4 5 6 7")):
            lines = []
            for n, c in enumerate(rig):
                fx, fy, cx, cy = c["f"]
                lens = [fx, fy, cx + 0.5, cy + 0.5, *c["distortions"][:4]]
                lines.append(" ".join(map(str, [n + 7, model, *c["size"], *(lens[int(i)] for i in keep.split())])))
            (self.dir / "sparse/cameras.txt").write_text("\n".join(lines) + "\n")
            self.glint("rig", "sparse", "-o", "rig.toml")
            kept = [int(i) for i in keep.split()]
            expected = [{**c, "f": (c["f"][0], c["f"][1 if 1 in kept else 0], *c["f"][2:]),
                         "distortions": tuple(d if 4 + i in kept else 0 for i, d in enumerate(c["distortions"]))} for c in rig]
            self.assert_same(read_toml(self.dir / "rig.toml"), expected, model)
        (self.dir / "sparse/images.txt").write_text((self.dir / "sparse/images.txt").read_text().replace("# UNIT mm\n", ""))
        self.assertIn("lengths in arbitrary", self.glint("rig", "sparse").stdout)
        (self.dir / "d.csv").write_text("camera,frame,x,y\n0,0,1,1\n")
        self.assertIn("say its scale with `glint rig --scale`",
                      self.glint("reconstruct", "--rig", "sparse", "--detections", "d.csv", "--points", "p.csv", status=2).stderr)

    def test_fisheye_lenses(self):
        """Wide lenses by OpenCV's fisheye model, in every format that has it, and points that they see."""
        rig, random = random_rig(4), np.random.default_rng(3)
        for camera in rig:
            camera["f"] = (330.5, 331.25, 640.125, 500.75)
            camera["distortions"] = tuple(random.normal(0, [0.03, 0.01, 3e-3, 1e-3]))
        write_toml(rig, self.dir / "f.toml")
        (self.dir / "f.toml").write_text(re.sub(r"(translation = .*\n)", r"\1fisheye = true\n", (self.dir / "f.toml").read_text()))
        self.assertIn("fisheye, k1", self.glint("rig", "f.toml").stdout)

        text = "camera,frame,time_s,x,y,sigma_x,sigma_y\n"
        path = np.cumsum(random.normal(0, 40, (60, 3)), axis=0)  # mm; as far as 70 degrees from the axes
        for n, camera in enumerate(rig):
            for frame, point in enumerate(path):
                a, b, ahead = camera["R"] @ point + camera["T"]
                across = np.hypot(a, b)
                angle = np.arctan2(across, ahead)
                bent = angle + sum(k * angle ** (2 * i + 3) for i, k in enumerate(camera["distortions"]))
                fx, fy, cx, cy = camera["f"]
                text += f"{n},{frame},{frame / 60:.6f},{cx + fx * a / across * bent:.6f},{cy + fy * b / across * bent:.6f},0.05,0.05\n"
        (self.dir / "d.csv").write_text(text)

        mark = {"anipose": "fisheye = true", "caliscope": "fisheye = true", "opencv": "fisheye_model_3: 1", "colmap": "OPENCV_FISHEYE"}
        for form, words in mark.items():
            out = "out" + FORMS[form][0]
            self.glint("rig", "f.toml", "--as", form, "-o", out)
            written = self.dir / out
            self.assertEqual((written / "cameras.txt" if form == "colmap" else written).read_text().count(words), 1 if form == "opencv" else 4)
            self.glint("rig", out, "-o", "back.toml")
            for found, camera in zip(read_toml(self.dir / "back.toml"), rig):
                for key in ("f", "distortions", "R", "T"):
                    np.testing.assert_allclose(found[key], camera[key], rtol=1e-9, atol=1e-9, err_msg=form)
            self.assertEqual((self.dir / "back.toml").read_text().count("fisheye = true"), 4)
            self.glint("reconstruct", "--rig", out, "--detections", "d.csv", "--points", "p.csv")
            found = np.array([[float(row[key]) for key in ("x_mm", "y_mm", "z_mm")] for row in rows(self.dir / "p.csv")])
            self.assertEqual(found.shape, path.shape)
            self.assertLess(np.abs(found - path).max(), 3)
        self.assertIn("no fisheye lenses", self.glint("rig", "f.toml", "--as", "qualisys", "-o", "q.qca.txt", status=2).stderr)
        self.assertIn("fisheye", self.glint("calibrate", "--detections", "d.csv", "--point", "--intrinsics", "f.toml", "-o", "c.toml", status=2).stderr)

    def test_a_board_shows_a_fisheye_lens(self):
        """One camera sees a board all over its image, by the definition of OpenCV's fisheye model."""
        random = np.random.default_rng(4)
        fx, fy, cx, cy, k = 330.5, 331.25, 641.5, 478.25, (0.03, -0.01, 0.002, -0.0004)
        windows = range(4, 9)
        text = "camera,time_s,interval_s,marker_mm,corner," + ",".join(f"x{w},y{w}" for w in windows) + "\n"
        for view in range(60):
            turn = rotation_of(random.normal(0, 0.4, 3))
            # The board stands up to 60 degrees off the axis.
            angle, around = random.uniform(0, 1.05), random.uniform(0, 2 * np.pi)
            middle = 700 * np.array([np.sin(angle) * np.cos(around), np.sin(angle) * np.sin(around), np.cos(angle)])
            corners = [middle + turn @ [40 * (n % 9 - 4), 40 * (n // 9 - 2.5), 0] for n in range(54)]
            pixels = []
            for a, b, ahead in corners:
                across = np.hypot(a, b)
                t = np.arctan2(across, ahead)
                bent = t + sum(c * t ** (2 * i + 3) for i, c in enumerate(k))
                pixels.append((cx + fx * a / across * bent + random.normal(0, 0.1), cy + fy * b / across * bent + random.normal(0, 0.1)))
            if all(1 < x < 1278 and 1 < y < 958 for x, y in pixels):
                for n, (x, y) in enumerate(pixels):
                    text += f"0,{view},1,0,{n}" + f",{x:.4f},{y:.4f}" * len(windows) + "\n"
        (self.dir / "corners.csv").write_text(text)
        board = ["calibrate", "--detections", "corners.csv", "--size", "1280x960", "--board", "chessboard:9x6:40mm", "-o", "c.toml"]
        said = self.glint(*board, "--lens", "fisheye").stdout
        self.assertIn("accuracy: excellent", said)
        camera = tomllib.loads((self.dir / "c.toml").read_text())["cam_0"]
        self.assertTrue(camera["fisheye"])
        np.testing.assert_allclose([camera["matrix"][0][0], camera["matrix"][1][1]], [fx, fy], atol=0.6)
        np.testing.assert_allclose([camera["matrix"][0][2], camera["matrix"][1][2]], [cx, cy], atol=0.6)
        # The lens shows angles up to 60 degrees where the true one does, within 0.5 px.
        found = camera["distortions"]
        for t in np.arange(0, 1.05, 0.05):
            bent, true = (t + sum(c * t ** (2 * i + 3) for i, c in enumerate(terms)) for terms in (found, k))
            self.assertLess(abs(camera["matrix"][0][0] * bent - fx * true), 0.5)
        # The rig is not called good if it is calibrated with another lens model.
        said = self.glint(*board)
        self.assertNotRegex(said.stdout, "accuracy: (excellent|good)")
        said = self.glint("calibrate", "--detections", "corners.csv", "--size", "1280x960", "--wand", "500", "--lens", "fisheye", "-o", "d.toml", status=2)
        self.assertIn("--lens fisheye needs --board", said.stderr)

    def test_what_a_format_cannot_hold_is_said(self):
        rig = random_rig(2)
        write_toml(rig, self.dir / "rig.toml")
        text = (self.dir / "rig.toml").read_text()
        (self.dir / "rig.toml").write_text(text.replace('"cam_1"', '"left"') + "[metadata]\ntime_offset_s = [0, 0.01]\n[metadata.covariance]\n"
                                           "parameters = [\"cam_0.fx\"]\nlower_triangle = [[4]]\n")
        for form, suffix, lost in (("colmap", "", "the covariance, time offsets and the names of cameras"), ("opencv", ".yml", "the covariance"),
                                   ("qualisys", ".qca.txt", "the covariance and time offsets"), ("anipose", ".toml", "the covariance"),
                                   ("caliscope", ".toml", "the covariance, time offsets and the names of cameras")):
            said = self.glint("rig", "rig.toml", "--as", form, "-o", "out" + suffix).stderr
            self.assertEqual(said, f"glint: out{suffix} cannot hold {lost}\n")
        self.glint("rig", "out.yml", "-o", "back.toml")
        self.assertEqual(tomllib.loads((self.dir / "back.toml").read_text())["metadata"]["time_offset_s"], [0, 0.01])
        self.assertEqual([c["name"] for c in read_toml(self.dir / "back.toml")], ["cam_0", "left"])

    def test_what_cannot_be_read_is_refused_in_one_sentence(self):
        rig = random_rig(2)
        for _, (suffix, write, _) in FORMS.items():
            write(rig, self.dir / ("good" + suffix))

        def refused(name, text, words):
            (self.dir / name).write_text(text)
            said = self.glint("rig", name.split("/")[0], status=1).stderr
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(words, said)

        yml, xml, qca = ((self.dir / ("good" + suffix)).read_text() for suffix in (".yml", ".xml", ".qca.txt"))
        refused("bad.yml", "", "bad.yml")
        refused("bad.yml", "camera_matrix: 1\n", "OpenCV")
        refused("bad.yml", yml.replace("image_width_1", "image_with_1"), "bad.yml: camera 1 has no number image_width_1")
        refused("bad.yml", yml.replace("---\n", "---\ncamera_count: 3\n"), "camera_count is 3, but it has 2 cameras")
        refused("bad.yml", yml.replace("---\n", "---\nfisheye_model: 1\n"), "has 5 distortion coefficients, but a fisheye has four")
        refused("bad.yml", yml.replace(yaml_matrix("distortion_coefficients_0", [rig[0]["distortions"]]),
                                       yaml_matrix("distortion_coefficients_0", [[0.1] * 8])),
                "has 8 distortion coefficients, but Glint's lens has five")
        refused("bad.yml", yml.replace(yaml_matrix("R_1", rig[1]["R"]), yaml_matrix("R_1", rig[1]["R"] * 1.1)), "is no rotation matrix")
        refused("bad.xml", xml[:len(xml) // 2], "bad.xml")
        refused("bad.qca.txt", qca[:len(qca) // 2], "bad.qca.txt, line")
        refused("bad.qca.txt", qca.replace('active="1"', 'active="0"'), "no camera that is active")
        refused("bad.qca.txt", qca.replace("radialDistortion2=", "radialDistortionX=", 1), "camera 0 has no number radialDistortion2 of its intrinsic")
        refused("bad.qca.txt", qca.replace('skew="0"', 'skew="2"', 1), "has a skew")
        refused("bad.qca.txt", '<!DOCTYPE a [<!ENTITY b "c">]>' + qca.split("?>\n")[1], "bad.qca.txt")
        colmap = {name: (self.dir / "good" / name).read_text() for name in ("cameras.txt", "images.txt")}
        (self.dir / "bad").mkdir()
        self.assertIn("folder without cameras.txt", self.glint("rig", "bad", status=1).stderr)
        (self.dir / "bad/images.txt").write_text(colmap["images.txt"])
        refused("bad/cameras.txt", colmap["cameras.txt"].replace("FULL_OPENCV", "RADIAL_FISHEYE"), "the model RADIAL_FISHEYE is another fisheye")
        refused("bad/cameras.txt", colmap["cameras.txt"].replace("FULL_OPENCV", "OPENCV", 1), "the model OPENCV has 8 parameters, not 12")
        refused("bad/cameras.txt", colmap["cameras.txt"].replace("\n7 ", "\n70 "), "cameras.txt has no camera 7")
        (self.dir / "bad/cameras.txt").write_text(colmap["cameras.txt"])
        refused("bad/images.txt", colmap["images.txt"].replace("\n4 ", "\n3 "), "the image 3 is there twice")
        refused("bad/images.txt", "# nothing\n", "has no image")
        caliscope = (self.dir / "good.toml")
        write_caliscope(rig, caliscope)
        refused("bad.toml", caliscope.read_text().replace("ignore = false", "fisheye = true", 1), "but a fisheye has four: k1 to k4")
        refused("bad.toml", re.sub(r"rotation = .*\n", 'rotation = "null"\n', caliscope.read_text(), count=1), "[cam_0] has a rotation")


if __name__ == "__main__":
    unittest.main(verbosity=2)
