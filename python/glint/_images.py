"""Finds markers in images that a program has."""

from collections.abc import Mapping
from typing import Any

import numpy
import pandas
from numpy.typing import ArrayLike

from glint import _native, _settings
from glint._arguments import MOST_PIXELS, whole
from glint._tables import to_frame


def as_images(image):
    """Returns the array in C's order and the machine's byte order, and True if it is in colour."""
    array = numpy.asarray(image)
    if array.dtype.kind != "u" or array.dtype.itemsize > 2:
        raise ValueError(f"pixels are uint8 or uint16, not {array.dtype}: scale them to the full range, then use .astype()")
    colour = array.ndim >= 3 and array.shape[-1] == 3
    if array.ndim - colour not in (2, 3):
        raise ValueError("an image has the shape (h, w), (h, w, 3), (cameras, h, w) or (cameras, h, w, 3), "
                         f"not {array.shape}")
    if array.size == 0:
        raise ValueError(f"the image is empty: its shape is {array.shape}")
    return numpy.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")), colour


def detect(image: ArrayLike, settings: Mapping[str, Any] | None = None, **keywords: Any) -> pandas.DataFrame:
    """Finds the markers in one image.

    image     NumPy array of uint8 or uint16: (h, w) grey, (h, w, 3) red, green, blue, (cameras, h, w) or
              (cameras, h, w, 3). Three axes that end in 3 are one image in colour.
    settings  dict, such as {"detect.threshold": 0.3}; or keywords, such as threshold=0.3: see help(glint).
              Further keywords: config (a settings file), device (part of its name, or its number), marker_radius (px),
              elongated (bool) and filters (a list), as of `glint track`.

    Returns a DataFrame with the columns of detections.csv and a row for each marker, the best first. x and y are in px,
    (0, 0) is the centre of the top-left pixel, y goes down; sigma_x and sigma_y are their standard deviations.
    `frame` and `time_s` are 0.

    Without detect.threshold, the image is looked at twice, first for its own threshold. The first image of a size takes
    longer than the next ones. Threads may call it at once; they take turns.

    Raises ValueError for an array of another type or shape and for settings that are wrong, glint.Error where there is no
    device or it has no room for the image.
    """
    array, colour = as_images(image)
    return to_frame(_native.detect(array, colour, _settings.make(settings, **keywords)))


class Detector:
    """Finds the markers in the frames of your own camera, while Python goes on.

    size      (width, height), px
    bits      8 (uint8) or 16 (uint16)
    colour    whether images are (h, w, 3): red, green, blue
    cameras   images in each submit(): (cameras, h, w) where there are several
    settings  as of glint.detect()

    >>> detector = glint.Detector(size=(1280, 720), bits=8)
    >>> detector.submit(image)              # copies it, and returns at once
    >>> ...                                 # the device works meanwhile
    >>> markers = detector.collect()

    The threshold of a frame follows from the frame before, as in a recording; the first frame is measured by itself.
    Raises ValueError for sizes and settings that are wrong, glint.Error without a device. Threads take turns.
    """

    def __init__(self, size: tuple[int, int], bits: int = 8, *, colour: bool = False, cameras: int = 1,
                 settings: Mapping[str, Any] | None = None, **keywords: Any) -> None:
        try:
            width, height = size
        except (TypeError, ValueError):
            raise ValueError(f"size: {size!r} is not (width, height), such as (1280, 720)") from None
        width, height = (whole(side, "size", 1, MOST_PIXELS) for side in (width, height))
        cameras, colour = whole(cameras, "cameras", 1), bool(colour)
        if bits not in (8, 16):
            raise ValueError(f"bits are 8 or 16, not {bits!r}")
        bits = int(bits)
        self._shape = (*([cameras] if cameras > 1 else []), height, width, *([3] if colour else []))
        self._type, self._colour = numpy.dtype(f"uint{bits}"), colour
        self._native = _native.Detector(_settings.make(settings, **keywords), width, height, bits, colour, cameras)

    def submit(self, image: ArrayLike, time: float = 0.0) -> None:
        """Copies the image and begins on it. `time` (s) is what its rows have as time_s.

        Raises ValueError for an image of another shape or type than the detector was made for, glint.Error while an image
        is still to be collected.
        """
        array, colour = as_images(image)
        if array.shape != self._shape or array.dtype != self._type:
            raise ValueError(f"this detector takes {self._type} of the shape {self._shape}, not {array.dtype} of {array.shape}")
        self._native.submit(array, colour, float(time))

    def collect(self) -> pandas.DataFrame:
        """Waits for the image that was submitted. Returns its markers, as glint.detect() does; `frame` counts the images.

        Raises glint.Error where none was submitted.
        """
        return to_frame(self._native.collect())
