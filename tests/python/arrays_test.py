"""Tests glint.track() of images that a program has, masks and regions as arrays, and what they refuse.

usage: arrays_test.py GLINT [unittest arguments]
"""

import threading
import unittest

import glint
import numpy

from scenes import Folder, read, same, spots, write

FRAMES = 24


def film(seed=1, bits=8, colour=False):
    """Returns images of three spots that move."""
    images = [spots([(12 + 2 * n, 20 + 0.5 * n), (70 - 1.5 * n, 44), (40, 50 - n)], bits=bits, seed=seed + n) for n in range(FRAMES)]
    return numpy.stack([numpy.dstack([image, image, image // 2]) if colour else image for image in images])


class Lazy:
    """An array whose images are only made when they are asked for, as dask and xarray have them."""

    def __init__(self, array):
        self._array, self.shape, self.ndim, self.dtype, self.made = array, array.shape, array.ndim, array.dtype, []

    def __getitem__(self, index):
        self.made.append(index)
        owner = self

        class One:
            shape, dtype = owner._array[index].shape, owner._array.dtype

            def __array__(self, dtype=None, copy=None):
                return owner._array[index]
        return One()


class Arrays(Folder):
    def written(self, stack, *arguments):
        """Returns what `glint track` says of the images as files."""
        (self.dir / "images").mkdir(exist_ok=True)
        for n, image in enumerate(stack):
            write(self.dir / "images" / f"{n:03}.ppm", image)
        self.glint("track", "images", "-o", "t.csv", "--quiet", "--no-stills", *arguments)
        return read(self.dir / "t.csv")

    def test_equals_a_folder_of_images(self):
        for bits, colour in ((8, False), (16, False), (8, True)):
            stack = film(bits=bits, colour=colour)
            expected = self.written(stack)
            self.assertGreater(expected.track.nunique(), 2)
            for images in (stack, list(stack), tuple(stack), (image for image in stack), iter(stack), Lazy(stack), numpy.asfortranarray(stack)):
                same(self, glint.track(images), expected)

    def test_times_and_rates(self):
        stack = film()
        slow = glint.track(stack, fps=25)
        self.assertEqual(list(slow.time_s[slow.frame == 10])[0], 0.4)
        times = numpy.cumsum(numpy.random.default_rng(2).uniform(0.01, 0.02, FRAMES))
        timed = glint.track(stack, times=times)
        numpy.testing.assert_allclose(timed.time_s, times[timed.frame].round(6), atol=1e-9)

    def test_several_cameras(self):
        one, other = film(), film(seed=100)
        both = glint.track(one, other)
        alone = glint.track(one)
        mine = both[both.camera == 0]
        self.assertEqual(len(mine), len(alone))
        numpy.testing.assert_array_equal(mine[["frame", "x", "y"]], alone[["frame", "x", "y"]])
        self.assertEqual(set(both.camera), {0, 1})

    def test_images_are_taken_one_by_one(self):
        stack, alive = film(), set()

        def images():
            for n in range(FRAMES):
                image = stack[n].copy()
                alive.add(n)
                yield image
                alive.discard(n)
        glint.track(images())
        self.assertLessEqual(len(alive), 1)
        lazy = Lazy(stack)
        glint.track(lazy, frames=5)
        self.assertLess(max(lazy.made), 12)

    def test_an_exception_of_the_images_is_raised_with_the_rows_before(self):
        def images():
            yield from film()[:15]
            raise KeyError("the disk")
        with self.assertRaises(KeyError) as raised:
            glint.track(images())
        self.assertGreater(raised.exception.tracks.frame.max(), 8)
        odd = [*film()[:5], film()[5][:, :-1]]
        self.assert_refused(ValueError, "image 5 is uint8 of the shape (64, 95), but image 0 is uint8 of (64, 96)", glint.track, odd)
        self.assert_refused(ValueError, "there are 3 times, and more images", glint.track, film(), times=[0, 1, 2])

    def test_threads(self):
        expected, found = glint.track(film()), []
        threads = [threading.Thread(target=lambda: found.append(glint.track(iter(film())))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 3)
        for tracks in found:
            same(self, tracks, expected)

    def test_regions_and_masks(self):
        stack = film()
        image = stack[0]
        self.written(stack, "--region", "0,0,50,60")
        expected = read(self.dir / "t.csv")
        for region in ([0, 0, 50, 60], [[0, 0, 50, 60]], numpy.array([0, 0, 50, 60]), "0,0,50,60", (0, 0, 50, 60)):
            same(self, glint.track(stack, region=region), expected)
        two = glint.detect(image, region=[[0, 0, 20, 64], [60, 0, 36, 64]])
        self.assertTrue(((two.x < 20) | (two.x >= 60)).all())
        self.assertEqual(len(two), 2)
        self.assertEqual(len(glint.detect(image, settings={"detect.ignore": [[0, 0, 20, 64]]})), 2)
        mask = numpy.zeros(image.shape, bool)
        mask[:, :50] = True
        for values in (mask, mask.astype(numpy.uint8), mask * 0.5):
            same(self, glint.detect(image, mask=values), glint.detect(image, region=[0, 0, 50, 64]))
        same(self, glint.detect(image, mask=~mask), glint.detect(image, region=[50, 0, 46, 64]))  # Another mask is another file.
        self.assert_refused(TypeError, "region: expected [x, y, w, h] in whole pixels, or a list of such, not [1, 2]", glint.detect, image, region=[1, 2])
        self.assert_refused(TypeError, "not 7", glint.detect, image, region=7)
        self.assert_refused(ValueError, "a mask has the shape (h, w), not (2, 2, 2)", glint.detect, image, mask=numpy.ones((2, 2, 2)))
        self.assert_refused(TypeError, "one of <U1", glint.detect, image, mask=numpy.array([["a"]]))

    def test_what_is_wrong_is_said(self):
        stack = film()
        for wrong, kind, sentence in (
            (7, TypeError, "expected the name of a recording or a camera, an array of the shape (frames, h, w) or (frames, h, w, 3)"),
            ([7], TypeError, "not one of int"),
            (None, TypeError, "not NoneType"),
            (["a.mp4", stack], TypeError, "a list of names holds names alone"),
            (stack[0], ValueError, "is one image: glint.detect() measures it, and image[None]"),
            (numpy.dstack([stack[0]] * 3), ValueError, "is one image"),
            (stack[None], ValueError, "not (1, 24, 64, 96)"),
            (stack.astype(float), ValueError, "uint8 or uint16, not float64"),
            (stack[:0], ValueError, "there is no image"),
            ([stack, stack], ValueError, "several cameras are several arguments"),
        ):
            self.assert_refused(kind, sentence, glint.track, wrong)
        self.assert_refused(TypeError, "give names or images, not both", glint.track, "a.mp4", stack)
        self.assert_refused(TypeError, "fps and times are for images", glint.track, "a.mp4", fps=3)
        self.assert_refused(TypeError, "fps: expected a number of images a second, not str", glint.track, stack, fps="fast")
        self.assert_refused(ValueError, "must be finite and rise", glint.track, stack, times=numpy.zeros(FRAMES))
        self.assert_refused(TypeError, "glint.track() takes images", glint.Session, [stack])

    def test_details_are_those_of_the_files(self):
        stack = film()
        self.written(stack, "--stats", "s.csv", "--rejected", "r.csv", "--set", "detect.separation=40")
        tracks, details = glint.track(stack, details=True, separation=40)
        same(self, tracks, read(self.dir / "t.csv"))
        same(self, details["statistics"], read(self.dir / "s.csv"))
        same(self, details["rejected"], read(self.dir / "r.csv"))
        self.assertEqual(details["record"]["counts"]["frames"], FRAMES)
        self.assertEqual(details["record"]["settings"]["detect"]["separation"], 40)
        self.assertEqual(details["statistics"].attrs["units"]["mean"], "counts")

    def test_only_near_spellings_are_suggested(self):
        image = film()[0]
        for keyword, meant in (("detect_separatoin", "detect_separation"), ("sepration", "separation"), ("threshhold", "threshold")):
            self.assert_refused(ValueError, f"did you mean '{meant}'?", glint.detect, image, **{keyword: 8})
        for keyword in ("colour_of_the_sky", "wings", "detect_zzzzzzzz"):
            with self.assertRaises(ValueError) as refused:
                glint.detect(image, **{keyword: 8})
            self.assertIn("there is no argument", str(refused.exception))
            self.assertNotIn("did you mean", str(refused.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
