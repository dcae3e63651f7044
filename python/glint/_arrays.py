"""Hands images that a program has to a session, one by one."""

import itertools
import os

import numpy

from glint._arguments import MOST_PIXELS
from glint._images import as_images

USUAL_RATE = 30.0  # frames a second of images without times, as of a folder of images

EXPECTED = ("expected the name of a recording or a camera, an array of the shape (frames, h, w) or (frames, h, w, 3), or an iterable of images "
            "(h, w) or (h, w, 3)")


def is_name(source):
    return isinstance(source, (str, bytes, os.PathLike))


def is_array(source):
    return hasattr(source, "shape") and hasattr(source, "dtype")


class Feed:
    """The images of one camera, each with its time (s).

    images  an iterable of arrays (h, w) or (h, w, 3), all of one size and type
    count   how many there are, or None
    times   s, of each image; or None: `rate` says them
    rate    images a second
    """

    def __init__(self, images, count, times, rate):
        self._images, self._times, self.count, self._rate = iter(images), times, count, rate
        self._taken, self.failure = 0, None
        first = next(self._images, None)
        if first is None:
            raise ValueError("there is no image")
        self._first, self._colour = self._checked(first), False
        array, self._colour = self._first
        height, width = array.shape[:2]
        if max(height, width) > MOST_PIXELS:
            raise ValueError(f"an image has at most {MOST_PIXELS} pixels a side, not {width}x{height}")
        self._shape, self._type = array.shape, array.dtype
        self.format = (width, height, 3 if self._colour else 1, 8 * array.dtype.itemsize)

    @property
    def native(self):
        return self, list(self.format), self.count, 0.0 if self._times is not None else self._rate

    @staticmethod
    def _checked(image):
        array, colour = as_images(image)
        if array.ndim - colour != 2:
            raise ValueError(f"an image has the shape (h, w) or (h, w, 3), not {array.shape}; several cameras are several arguments")
        return array, colour

    def __iter__(self):
        return self

    def __next__(self):
        try:
            if self._first is not None:
                (array, _), self._first = self._first, None
            else:
                array, _ = self._checked(next(self._images))
            if array.shape != self._shape or array.dtype != self._type:
                raise ValueError(f"image {self._taken} is {array.dtype} of the shape {array.shape}, but image 0 is {self._type} of {self._shape}")
            return array, self._time()
        except StopIteration:
            raise
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self._taken += 1

    def _time(self):
        if self._times is None:
            return self._taken / self._rate
        if self._taken >= len(self._times):
            raise ValueError(f"there are {len(self._times)} times, and more images")
        return float(self._times[self._taken])


def _times_of(times):
    """Returns times as an array of numbers that rise, or None. Raises TypeError and ValueError."""
    if times is None:
        return None
    array = numpy.asarray(times)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise TypeError(f"times: expected a list of times in s, one for each image, not {type(times).__name__}")
    if not (numpy.isfinite(array).all() and (numpy.diff(array) > 0).all()):
        raise ValueError("times: they must be finite and rise")
    return array


def _rate_of(fps):
    if fps is None:
        return USUAL_RATE
    if isinstance(fps, (bool, str)) or not hasattr(fps, "__float__"):
        raise TypeError(f"fps: expected a number of images a second, not {type(fps).__name__}")
    if not 1e-6 <= float(fps) <= 1e6:
        raise ValueError(f"fps: {fps!r} is not a number from 1e-6 to 1e6")
    return float(fps)


def _stack(array):
    """Returns the images of an array of several, and their number. Raises ValueError for other shapes."""
    colour = array.ndim >= 3 and array.shape[-1] == 3
    if array.ndim - colour == 2:
        raise ValueError(f"an array of the shape {tuple(array.shape)} is one image: glint.detect() measures it, and image[None] is a recording of it")
    if array.ndim - colour != 3:
        raise ValueError(f"images have the shape (frames, h, w) or (frames, h, w, 3), not {tuple(array.shape)}")
    return (array[i] for i in range(array.shape[0])), int(array.shape[0])


def split(sources, fps, times):
    """Returns the names and the feeds among the sources of glint.track(), of which one list is empty.

    Raises TypeError for sources that are neither, or of both kinds, and for fps and times without images.
    """
    names, feeds, times, rate = [], [], _times_of(times), _rate_of(fps)
    for source in sources:
        if is_name(source):
            names.append(source)
        elif is_array(source):
            feeds.append(Feed(*_stack(source), times, rate))
        else:
            try:
                items = iter(source)
            except TypeError:
                raise TypeError(f"sources: {EXPECTED}, not {type(source).__name__}") from None
            first = next(items, None)
            if first is None:
                continue
            if is_name(first):
                rest = list(items)
                if not all(map(is_name, rest)):
                    raise TypeError(f"sources: {EXPECTED}; a list of names holds names alone")
                names += [first, *rest]
            elif is_array(first):
                feeds.append(Feed(itertools.chain([first], items), len(source) if hasattr(source, "__len__") else None, times, rate))
            else:
                raise TypeError(f"sources: {EXPECTED}, not one of {type(first).__name__}")
    if names and feeds:
        raise TypeError("sources: give names or images, not both")
    if names and (fps is not None or times is not None):
        raise TypeError("fps and times are for images; a recording has its own")
    return names, feeds
