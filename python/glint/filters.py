"""Glint's filters on images that you have. `glint filters` lists them; docs/filters-reference.md describes each."""

import os

import numpy
from numpy.typing import ArrayLike

from glint import _native, _settings
from glint._arguments import text
from glint._images import as_images

__all__ = ["add_folder", "apply"]


def apply(image: ArrayLike, *filters: str, plane: str = "", colour: bool = False,
          device: str | int | None = None) -> numpy.ndarray:
    """Runs an image through a chain of filters, as `glint filter` does.

    image    as of glint.detect(): uint8 or uint16, (h, w), (h, w, 3), (cameras, h, w) or (cameras, h, w, 3)
    filters  texts such as "median:radius=2", "smooth=gaussian:sigma=1.5", as of --filter; each goes on from the one before
    plane    id of the filter whose output is wanted; empty: the last one's
    colour   keep colour for every filter that takes it, not only for those that need it
    device   part of its name, or its number

    Returns an array of the same type, (h, w), or (h, w, 3) where the output is in colour; a filter may change the size.
    With each call, filters forget what they remember of earlier images.

    Raises ValueError for filters and parameters that there are not, glint.Error without a device.
    """
    array, is_colour = as_images(image)
    return _native.filter(array, is_colour, _settings.make(filters=filters, device=device), text(plane, "plane"), bool(colour))


def add_folder(folder: str | os.PathLike) -> None:
    """Adds your own filters (.comp files), as --filter-dir does. Raises ValueError naming what is wrong with them."""
    _native.add_filter_folder(os.fsencode(folder))
