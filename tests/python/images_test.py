"""Tests glint.detect(), glint.Detector, settings, and what they refuse.

usage: images_test.py GLINT [unittest arguments]
"""

import os
import pathlib
import threading
import unittest

import glint
import numpy

from scenes import Folder, read, same, spots, write

PLACES = [(20.3, 30.6), (60.7, 20.2), (80.1, 50.9)]


class Detect(Folder):
    def written(self, image, *arguments):
        """Returns the markers that `glint track` finds in the image, which is given to it as a file."""
        write(self.dir / "image.ppm", image)
        self.glint("track", "image.ppm", "--detections", "d.csv", *arguments)
        return read(self.dir / "d.csv")

    def test_equals_the_program(self):
        grey, deep = spots(PLACES), spots(PLACES, bits=16)
        colour = numpy.dstack([grey, grey // 2, grey // 3])
        for image in (grey, deep, colour):
            same(self, glint.detect(image), self.written(image))
        same(self, glint.detect(grey, threshold=0.3), self.written(grey, "--set", "detect.threshold=0.3"))
        same(self, glint.detect(grey, filters=["gaussian:sigma=1"]), self.written(grey, "--filter", "gaussian:sigma=1"))
        same(self, glint.detect(255 - grey, dark=True), self.written(255 - grey, "--dark"))
        same(self, glint.detect(grey, marker_radius=3), self.written(grey, "--marker-radius", "3"))
        same(self, glint.detect(grey, region="0,0,50,60"), self.written(grey, "--region", "0,0,50,60"))

    def test_places(self):
        found = glint.detect(spots(PLACES)).sort_values("x")
        numpy.testing.assert_allclose(found[["x", "y"]], PLACES, atol=0.1)
        self.assertEqual(list(found.dtypes[["rank", "x", "flags"]].astype(str)), ["int64", "float64", "int64"])

    def test_cameras_and_colour(self):
        one, other = spots(PLACES), spots(PLACES[:1], seed=2)
        both = glint.detect(numpy.stack([one, other]))
        same(self, both[both.camera == 0], glint.detect(one))
        self.assertEqual(list(both.camera), [0, 0, 0, 1])
        many = glint.detect(numpy.stack([one, other] * 10))  # These are more images than one buffer has layers.
        self.assertEqual(list(many.groupby("camera").size()), [3, 1] * 10)
        wide = spots([(1, 40), (1, 10)], size=(3, 64))  # With three columns, this is a grey image, because a colour image has three axes.
        self.assertEqual(len(glint.detect(wide, max_eccentricity=1)), len(glint.detect(wide, max_eccentricity=1)))
        colours = glint.detect(numpy.stack([numpy.dstack([one] * 3), numpy.dstack([other] * 3)]))
        self.assertEqual(list(colours.camera), [0, 0, 0, 1])

    def test_colour_is_red_green_blue(self):
        luminance = []
        for channel in range(3):
            image = numpy.zeros((64, 96, 3), numpy.uint8)
            image[..., channel] = spots(PLACES[:1])
            luminance.append(int(glint.detect(image).peak[0]))
        self.assertEqual(sorted(luminance), [luminance[2], luminance[0], luminance[1]])  # The order is blue, red, green.

    def test_arrays_of_any_order(self):
        image = spots(PLACES)
        expected = glint.detect(image)
        padded = numpy.zeros((128, 192), numpy.uint8)
        padded[::2, ::2] = image
        for other in (padded[::2, ::2], numpy.asfortranarray(image), image[::-1][::-1], image.copy()):
            same(self, glint.detect(other), expected)
        deep = spots(PLACES, bits=16)
        same(self, glint.detect(deep.astype(">u2")), glint.detect(deep))
        frozen = image.copy()
        frozen.flags.writeable = False
        same(self, glint.detect(frozen), expected)

    def test_refuses_arrays(self):
        image = spots(PLACES)
        for wrong, sentence in (
            (image.astype(float), "uint8 or uint16, not float64"),
            (numpy.full((8, 8), numpy.nan), "uint8 or uint16, not float64"),
            (image.astype(numpy.int32), "not int32"),
            (image.astype(bool), "not bool"),
            (image.astype(object), "not object"),
            (image.astype(numpy.uint32), "not uint32"),
            ([[1, 2], [3, 4]], "not int64"),
            (numpy.zeros((2, 2), "datetime64[s]"), "not datetime64"),
            (image[0], "has the shape"),
            (image[None, None, None], "has the shape"),
            (numpy.uint8(3), "has the shape"),
            (image[:0], "is empty"),
            (numpy.zeros((0, 4, 3), numpy.uint8), "is empty"),
            (None, "not object"),
            ("image.png", "not <U9"),
            (numpy.zeros((65, 4, 4), numpy.uint8), "at most 64 go at once"),
        ):
            self.assert_refused(ValueError, sentence, glint.detect, wrong)

    def test_files_that_change_are_read_again(self):
        image = spots([(20, 30), (70, 30)])
        mask = self.dir / "mask.pgm"
        for side, place in enumerate((20, 70)):
            left = numpy.zeros((64, 96), numpy.uint8)
            left[:, side * 48:side * 48 + 48] = 255
            write(mask, left)
            os.utime(mask, (side + 1, side + 1))
            for name in mask, str(mask):
                found = glint.detect(image, mask=name)
                self.assertEqual(list(found.x.round()), [place])

    def test_no_marker(self):
        none = glint.detect(numpy.zeros((16, 16), numpy.uint8))
        self.assertEqual((len(none), list(none.columns)), (0, list(glint.detect(spots(PLACES)).columns)))
        self.assertEqual(len(glint.detect(numpy.zeros((1, 1), numpy.uint8))), 0)

    def test_threads(self):
        images = [spots([(20 + 5 * i, 30)], size=(96 + i % 3, 64), seed=i) for i in range(8)]
        expected = [glint.detect(image, threshold_sigma=4 + i % 2) for i, image in enumerate(images)]
        problems = []

        def work(i):
            try:
                for _ in range(5):
                    same(self, glint.detect(images[i], threshold_sigma=4 + i % 2), expected[i])
            except BaseException as problem:
                problems.append(problem)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])


class Settings(Folder):
    def test_names(self):
        image = spots(PLACES)
        expected = glint.detect(image, settings={"detect.threshold": 0.4})
        for keywords in ({"detect_threshold": 0.4}, {"threshold": 0.4}, {"threshold": numpy.float32(0.4).item()},
                         {"threshold": numpy.float64(0.4)}):
            same(self, glint.detect(image, **keywords), expected)
        self.assertEqual(len(glint.detect(image, max_markers=numpy.int16(2))), 2)
        self.assertEqual(len(glint.detect(image, {"detect.max_markers": 2}, max_markers=1)), 1)  # The keyword has precedence.
        self.assertEqual(len(glint.detect(image, max_markers=None)), 3)
        pathlib.Path(self.dir / "s.toml").write_text("[detect]\nmax_markers = 2\n")
        self.assertEqual(len(glint.detect(image, config=self.dir / "s.toml")), 2)

    def test_refuses(self):
        image = spots(PLACES)

        def refused(sentence, *arguments, **keywords):
            self.assert_refused(ValueError, sentence, glint.detect, image, *arguments, **keywords)

        refused("'detect.separation' cannot be 0.5; allowed is 1 to 65536 px", separation=0.5)
        refused("detect_separation: 'detect.separation' cannot be", detect_separation="near")
        refused("there is no argument 'detect_separatoin'; did you mean 'detect_separation'?", detect_separatoin=8)
        refused("there is no argument 'seperation'; did you mean 'separation'?", seperation=8)
        refused("there is no argument 'marker_radus'; did you mean 'marker_radius'?", marker_radus=8)
        refused("settings: there is no setting 'detect.x'", {"detect.x": 1})
        refused("radius: several settings end so: response_radius, refine_radius", radius=3)
        refused("settings is a dict", "glint.toml")
        refused("cannot be nan", threshold=float("nan"))
        refused("cannot be inf", separation=float("inf"))
        refused("cannot be true", separation=True)
        refused("cannot be '[1, 2]'", separation=[1, 2])
        refused("cannot read the settings file 'none.toml': No such file or directory", config="none.toml")
        refused("marker_radius: '0.1' is not a number from 0.5 to 500", marker_radius=0.1)
        refused("there is no filter 'gausian'", filters=["gausian"])
        refused("detect.min_radius", min_radius=5, max_radius=3)
        refused("mask", mask="none.png")
        refused("there is no Vulkan device", device="no such device")
        refused("is no text", {1: 1})
        refused("is not UTF-8", device="\udce4")
        refused("filters: 3 is no list", filters=3)
        refused("filters: 3 is no text", filters=[3])


class Detector(Folder):
    def test_as_a_recording(self):
        images = [spots([(20 + 3 * i, 30)], seed=i) for i in range(6)]
        for i, image in enumerate(images):
            write(self.dir / f"f{i}.pgm", image)
        self.glint("track", "f%d.pgm", "--no-stills", "--detections", "d.csv", "--set", "track.confirm=1000")
        expected = read(self.dir / "d.csv")
        detector = glint.Detector(size=(96, 64), bits=8)
        for i, image in enumerate(images):
            detector.submit(image, time=i / 30)
            same(self, detector.collect(), expected[expected.frame == i].reset_index(drop=True))

    def test_refuses(self):
        detector = glint.Detector((96, 64))
        self.assert_refused(glint.Error, "submit() one first", detector.collect)
        detector.submit(spots(PLACES))
        self.assert_refused(glint.Error, "collect() it before", detector.submit, spots(PLACES))
        self.assertEqual(len(detector.collect()), 3)
        self.assert_refused(ValueError, "takes uint8 of the shape (64, 96)", detector.submit, spots(PLACES, bits=16))
        self.assert_refused(ValueError, "takes uint8 of the shape (64, 96)", detector.submit, spots(PLACES, size=(64, 96)))
        self.assert_refused(ValueError, "takes uint8", glint.Detector((2, 2), cameras=2).submit, numpy.zeros((2, 2), "u1"))
        self.assert_refused(ValueError, "8 or 16", glint.Detector, (4, 4), bits=12)
        for wrong in (0, -1, 1.5, True, "4", 10**6, 2**40, float("nan"), float("inf")):
            self.assert_refused(ValueError, f"size: {wrong!r} is not a whole number from 1 to 32768", glint.Detector, (wrong, 4))
        for wrong in (4, (4, 4, 3), "4x4", None):
            self.assert_refused(ValueError, "is not (width, height)", glint.Detector, wrong)
        self.assert_refused(ValueError, "cameras: 0 is not", glint.Detector, (4, 4), cameras=0)
        self.assert_refused(ValueError, "at most 64 go at once", glint.Detector, (4, 4), cameras=10**6)
        self.assert_refused(glint.Error, "", glint.Detector, (32768, 32768), cameras=64)

    def test_threads_take_turns(self):
        detector, image = glint.Detector((96, 64)), spots(PLACES)
        problems, rows = [], []

        def work():
            for call in (lambda: detector.submit(image), lambda: rows.append(len(detector.collect()))) * 20:
                try:
                    call()
                except glint.Error as refused:
                    if "collect() it before" not in str(refused) and "submit() one first" not in str(refused):
                        problems.append(refused)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(problems, [])
        self.assertEqual(set(rows), {3})

    def test_two_devices(self):
        """One device is chosen by name and one by number, and both work at the same time."""
        other = glint.Detector((96, 64), device="0")
        one = glint.Detector((96, 64))
        one.submit(spots(PLACES))
        other.submit(spots(PLACES[:2]))
        self.assertEqual((len(other.collect()), len(one.collect())), (2, 3))

    def test_cameras(self):
        detector = glint.Detector((96, 64), colour=True, cameras=2, threshold=0.2)
        detector.submit(numpy.stack([numpy.dstack([spots(PLACES)] * 3), numpy.dstack([spots(PLACES[:1])] * 3)]))
        self.assertEqual(list(detector.collect().camera), [0, 0, 0, 1])


if __name__ == "__main__":
    unittest.main()
