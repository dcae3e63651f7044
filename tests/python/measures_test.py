"""Tests that filters.apply(), distance(), probe(), evaluate() and calibrate() equal the program, and what they refuse.

usage: measures_test.py GLINT [unittest arguments]
"""

import json
import os
import unittest
import warnings

import glint
import numpy
import pandas

from scenes import SCENE, Folder, read, spots, write

CLIP = os.path.join(os.environ["GLINT_ASSETS"], "dancer.mp4")
BOARD = [f"synth:board?frames=12&cameras=2&camera={i}" for i in range(2)]
WAND = [f"synth:wand?frames=150&cameras=3&size=640x480&seed=1&camera={i}" for i in range(3)]


def read_image(path):
    """Returns the pixels of a PGM or PPM that the program wrote."""
    kind, size, most, pixels = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    return numpy.frombuffer(pixels, "u1" if most == b"255" else ">u2").reshape((height, width, -1)).squeeze()


class Filters(Folder):
    def test_equals_the_program(self):
        grey = spots([(20, 30), (50, 20)])
        colour = numpy.dstack([grey, grey[::-1], grey[:, ::-1]])
        for image, chain, options, keywords in (
            (grey, ["median:radius=2", "dog"], [], {}),
            (spots([(20, 30)], bits=16), ["gaussian:sigma=2"], [], {}),
            (colour, ["median"], ["--color"], {"colour": True}),
            (grey, ["a=gaussian:sigma=3", "b=median"], ["--plane", "a"], {"plane": "a"}),
        ):
            suffix = "ppm" if image.ndim == 3 else "pgm"
            write(self.dir / f"in.{suffix}", image)
            arguments = [word for name in chain for word in ("--filter", name)]
            self.glint("filter", f"in.{suffix}", "-o", f"out.{suffix}", *arguments, *options)
            made = glint.filters.apply(image, *chain, **keywords)
            numpy.testing.assert_array_equal(made, read_image(self.dir / f"out.{suffix}"))
            self.assertEqual(made.dtype, image.dtype)
            stack = glint.filters.apply(numpy.stack([image, image[::-1]]), *chain, **keywords)
            numpy.testing.assert_array_equal(stack[0], made)
            numpy.testing.assert_array_equal(stack[1], glint.filters.apply(image[::-1], *chain, **keywords))

    def test_refuses(self):
        image = spots([])
        for sentence, arguments in (("name a filter", (image,)), ("gausian", (image, "gausian")), ("radius", (image, "median:radius=99")),
                                    ("uint8 or uint16", (image * 1.0, "median")), ("is empty", (image[:0], "median"))):
            self.assert_refused(ValueError, sentence, glint.filters.apply, *arguments)
        self.assert_refused(ValueError, "no filter has the id", glint.filters.apply, image, "median", plane="none")
        self.assert_refused(ValueError, "none", glint.filters.add_folder, "none")


class Distance(Folder):
    def test_equals_the_program(self):
        volume = (numpy.random.default_rng(1).random((7, 9, 11)) > 0.98).astype(numpy.uint8)
        numpy.save(self.dir / "v.npy", volume)
        for arguments, keywords in (
            ([], {}),
            (["--metric", "chamfer345"], {"metric": "chamfer345"}),
            (["--signed", "--spacing", "1,2,3"], {"side": "signed", "spacing": (1, 2, 3)}),
            (["--as", "integer", "--inside"], {"form": "integer", "side": "inside"}),
            (["--label", "1"], {"label": 1}), (["--as", "scaled"], {"form": "scaled"}),
        ):
            self.glint("distance", "v.npy", "-o", "d.npy", "--nearest", "n.npy", *arguments) if "--metric" not in arguments else \
                self.glint("distance", "v.npy", "-o", "d.npy", *arguments)
            nearest = "metric" not in keywords
            made = glint.distance(volume, nearest=nearest, **keywords)
            distances = made[0] if nearest else made
            expected = numpy.load(self.dir / "d.npy")
            numpy.testing.assert_array_equal(distances, expected)
            self.assertEqual(distances.dtype, expected.dtype)
            if nearest:
                numpy.testing.assert_array_equal(made[1], numpy.load(self.dir / "n.npy"))

    def test_shapes_and_types(self):
        plane = numpy.zeros((4, 6), bool)
        plane[1, 2] = True
        for array in (plane, plane.astype(">i4"), plane.astype("f4"), numpy.asfortranarray(plane), plane[:, ::-1][:, ::-1]):
            self.assertEqual(glint.distance(array)[3, 5], numpy.float32(numpy.sqrt(13)))
        self.assertEqual(list(glint.distance(numpy.array([0, 0, 1], "u1"))), [2, 1, 0])
        self.assertTrue(numpy.isinf(glint.distance(plane & False)).all())
        numpy.testing.assert_array_equal(glint.distance(plane * numpy.uint8(7), label=True), glint.distance(plane))
        hole = plane.astype("f8")
        hole[0, 0] = numpy.nan
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            glint.distance(hole)
        self.assertIn("1 voxels are NaN", str(caught[0].message))

    def test_refuses(self):
        plane = numpy.ones((4, 6), bool)
        for sentence, array, keywords in (
            ("bool, integers of 8 to 32 bits", plane.astype("i8"), {}), ("bool, integers", plane.astype("f2"), {}),
            ("bool, integers", plane.astype("c8"), {}), ("bool, integers", plane.astype(object), {}),
            ("one to three axes", plane[:0], {}), ("one to three axes", plane[None, None], {}), ("one to three axes", True, {}),
            ("'taxi' is none of 'euclidean'", plane, {"metric": "taxi"}), ("'left' is none of", plane, {"side": "left"}),
            ("4096", numpy.zeros((1, 4097), bool), {}), ("three numbers", plane, {"spacing": (1, 2)}),
            ("spacing", plane, {"spacing": (1, 0, 1)}), ("spacing", plane, {"spacing": (1, float("nan"), 1)}),
            ("has no sign", plane, {"form": "scaled", "side": "signed"}), ("label: 1.5 is not a whole number", plane, {"label": 1.5}),
            ("label: 1000000000000000000000", plane, {"label": 10**21}), ("metric: 3 is no text", plane, {"metric": 3}),
            ("three numbers", plane, {"spacing": 1}),
        ):
            self.assert_refused(ValueError, sentence, glint.distance, array, **keywords)


class Evaluate(Folder):
    def test_equals_the_program(self):
        truth = CLIP.replace(".mp4", ".truth.csv")
        tracks = glint.track(CLIP, frames=60)
        self.glint("track", CLIP, "--frames", "60", "-o", "t.csv")
        expected = json.loads(self.glint("eval", "t.csv", truth, "--json", "--radius", "3"))
        for rows, true in ((tracks, pandas.read_csv(truth)), (self.dir / "t.csv", truth)):
            scores = glint.evaluate(rows, true, radius=3)
            self.assertEqual(json.loads(scores.loc["all"].to_json(double_precision=15)).keys(), expected["all"].keys())
            for name, value in expected["all"].items():
                self.assertEqual(scores.loc["all", name], value, name)
            self.assertEqual(list(scores.index), [0, "all"])

    def test_truth_of_frames_that_were_not_tracked_does_not_count(self):
        truth = pandas.read_csv(CLIP.replace(".mp4", ".truth.csv"))
        tracks = glint.track(CLIP, frames=60)
        self.assertEqual(tracks.attrs["frames"], [(0, 59)])
        known = glint.evaluate(tracks, truth)
        same = glint.evaluate(tracks, truth[truth.frame < 60])
        pandas.testing.assert_frame_equal(known, same)
        self.assertEqual((known.attrs["truth_left_out"], known.attrs["tracked_known_from"]), ((truth.frame >= 60).sum(), "record"))
        # Without tracks, the run is still known to have had 60 frames. Nothing is known of a table from elsewhere.
        nothing = glint.evaluate(tracks[:0], truth)
        self.assertEqual(nothing.loc["all", "missed"], (truth[truth.frame < 60].visible == 1).sum())
        bare = pandas.DataFrame({column: tracks[column] for column in ("camera", "frame", "track", "x", "y")})
        self.assertEqual(glint.evaluate(bare, truth).attrs["tracked_known_from"], "tracks")
        all_missed = glint.evaluate(bare[:0], truth)
        self.assertEqual((all_missed.loc["all", "missed"], all_missed.attrs["tracked_known_from"]), ((truth.visible == 1).sum(), None))

    def test_refuses(self):
        truth = pandas.DataFrame({"camera": [0], "frame": [0], "id": [1], "x": [1.0], "y": [1.0], "visible": [1]})
        tracks = truth.rename(columns={"id": "track"})
        self.assertEqual(glint.evaluate(tracks, truth).loc["all", "matched"], 1)
        self.assertEqual(glint.evaluate(tracks[:0], truth).loc["all", "missed"], 1)
        for sentence, rows in (("no column 'track'", truth), ("'x' cannot be nan", tracks.assign(x=float("nan"))),
                               ("'camera' cannot be -1", tracks.assign(camera=-1)), ("'frame' cannot be", tracks.assign(frame=2**40)),
                               ("no whole numbers", tracks.assign(track=1.5)), ("no whole numbers", tracks.assign(frame=float("inf"))),
                               ("no whole numbers", tracks.assign(frame=pandas.array([None], "Int64"))), ("twice", pandas.concat([tracks, tracks]))):
            self.assert_refused(ValueError, sentence, glint.evaluate, rows, truth)
        for visible in float("nan"), "no":
            self.assert_refused(ValueError, "", glint.evaluate, tracks, truth.assign(visible=visible))
        self.assert_refused(glint.Error, "none.csv", glint.evaluate, "none.csv", truth)
        self.assert_refused(ValueError, "radius", glint.evaluate, tracks, truth, radius=-1)


class Probe(Folder):
    def test_equals_the_program(self):
        expected = json.loads(self.glint("probe", SCENE, "--json"))
        found = glint.probe(SCENE)
        for name in ("found", "frames", "dark", "marker_radius", "radius", "contrast", "markers_a_frame", "command_line"):
            self.assertEqual(found[name], expected[name], name)
        self.assertTrue(found["found"])
        self.assertGreater(len(glint.track(SCENE, settings=found["settings"])), 100)

    def test_dark(self):
        for i in range(4):
            write(self.dir / f"f{i}.pgm", 255 - spots([(20 + 9 * k, 15 + 5 * k) for k in range(6)], seed=i))
        found = glint.probe(self.dir)
        self.assertTrue(found["dark"] and found["settings"]["response.dark"] is True)

    def test_refuses(self):
        self.assert_refused(glint.Error, "none.mp4", glint.probe, "none.mp4")
        self.assert_refused(ValueError, "'detect.separation' cannot be 0", glint.probe, SCENE, separation=0)


class Calibrate(Folder):
    def test_equals_the_program(self):
        self.glint("track", *WAND, "-o", "t.csv", "--detections", "d.csv")
        table, size = read(self.dir / "d.csv"), (640, 480)
        self.glint("calibrate", "--detections", "d.csv", "--size", f"{size[0]}x{size[1]}", "--wand", "500", "-o", "rig.toml")
        rig = glint.calibrate(table, size, wand=500)
        self.assert_like(rig, glint.Rig.read(self.dir / "rig.toml"))
        self.assertEqual(len(rig.cameras), 3)
        self.assertEqual(rig.cameras[0]["matrix"].shape, (3, 3))
        rig.save(self.dir / "saved.toml")
        self.assertEqual(glint.Rig.read(self.dir / "saved.toml").text, rig.text)
        by_camera = [rows.drop(columns="camera") for _, rows in table.groupby("camera")]
        self.assert_like(glint.calibrate(by_camera, [size] * 3, wand=500), rig)
        self.assert_like(glint.calibrate([self.dir / "d.csv"], size, wand=500), rig)
        fixed = glint.calibrate(table, wand=500, intrinsics=str(self.dir / "rig.toml"), fix_intrinsics=True)
        given = glint.Rig.read(self.dir / "rig.toml")
        numpy.testing.assert_array_equal(fixed.cameras[1]["matrix"], given.cameras[1]["matrix"])

    def test_a_board_and_the_world_equal_the_program(self):
        board = "charuco:5x7:40mm:30mm:DICT_4X4_50"
        self.glint("calibrate", *BOARD, "--board", board, "--lens", "none", "--origin", "board", "--up", "y", "-o", "rig.toml")
        rig = glint.calibrate(BOARD, board=board, lens="none", origin="board", up="y")
        self.assert_like(rig, glint.Rig.read(self.dir / "rig.toml"))
        self.assertEqual(len(rig.record["cameras"]), 2)
        self.glint("track", *WAND, "-o", "t.csv", "--detections", "d.csv")
        self.glint("calibrate", "--detections", "d.csv", "--size", "640x480", "--wand", "500", "--up", "z", "-o", "rig.toml")
        rig = glint.calibrate(self.dir / "d.csv", (640, 480), wand=500, up="z")
        self.assert_like(rig, glint.Rig.read(self.dir / "rig.toml"))

    def assert_like(self, rig, other):
        """Checks that two rigs are the same, except for rounding: a library may add in another order."""
        for one, two in zip(rig.cameras, other.cameras, strict=True):
            self.assertEqual((one["name"], one["size"]), (two["name"], two["size"]))
            for key in ("matrix", "distortions", "rotation", "translation"):
                numpy.testing.assert_allclose(one[key], two[key], rtol=1e-8, atol=1e-8)

    def test_refuses(self):
        table = pandas.DataFrame({"camera": [0, 1], "frame": [0, 0], "x": [1.0, 2.0], "y": [1.0, 2.0]})
        for kind, sentence, arguments, keywords in (
            (ValueError, "say what was moved", (table, (64, 64)), {}),
            (ValueError, "say what was moved", (table, (64, 64)), {"wand": 500, "point": True}),
            (ValueError, "size", (table,), {"wand": 500}),
            (ValueError, "size: '64x64' is not (width, height)", (table, "64x64"), {"wand": 500}),
            (glint.Error, "cannot open 'none.csv'", ("none.csv", (64, 64)), {"wand": 500}),
            (glint.Error, "cannot read the rig 'none.toml'", (table,), {"wand": 500, "intrinsics": "none.toml"}),
            (ValueError, "size: (-64, 64) is not (width, height)", (table, (-64, 64)), {"wand": 500}),
            (ValueError, "size: (inf, 64) is not (width, height)", (table, (float("inf"), 64)), {"wand": 500}),
            (ValueError, "size: 64 is not (width, height)", (table, 64), {"wand": 500}),
            (ValueError, "wand: True is not a length", (table, (64, 64)), {"wand": True}),
            (ValueError, "intrinsics: 5 is neither", (table, (64, 64)), {"wand": 500, "intrinsics": 5}),
            (ValueError, "give a DataFrame or the name", ([5],), {"wand": 500}),
            (ValueError, "no column 'camera'", (table.drop(columns="camera"), (64, 64)), {"wand": 500}),
            (ValueError, "'camera' cannot be 64", (table.assign(camera=64), (64, 64)), {"wand": 500}),
            (ValueError, "not finite", (table.assign(x=float("nan")), (64, 64)), {"wand": 500}),
            (ValueError, "is none of 'none'", (table, (64, 64)), {"wand": 500, "lens": "fisheye"}),
            (ValueError, "say what was moved", (BOARD,), {"board": "chessboard:9x6:25mm", "wand": 500}),
            (ValueError, "write chessboard:", (BOARD,), {"board": "chessboard:9x6"}),
            (ValueError, "size is for tables", (BOARD, (64, 64)), {"board": "chessboard:9x6:25mm"}),
            (ValueError, "names of recordings", (table,), {"board": "chessboard:9x6:25mm"}),
            (ValueError, "--origin floor is unknown", (table, (64, 64)), {"wand": 500, "origin": "floor"}),
            (ValueError, "--origin board is not for the wand", (table, (64, 64)), {"wand": 500, "origin": "board"}),
            (ValueError, "--up x", (table, (64, 64)), {"wand": 500, "up": "x"}),
            (glint.Error, "none.mkv", (["none.mkv"],), {"board": "chessboard:9x6:25mm"}),
            (glint.Error, "", (table, (64, 64)), {"wand": 500}),
            (glint.Error, "no measured points", (table[:0], (64, 64)), {"point": True}),
        ):
            self.assert_refused(kind, sentence, glint.calibrate, *arguments, **keywords)


if __name__ == "__main__":
    unittest.main()
