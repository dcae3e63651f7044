"""Measures distances in volumes, finds settings for a source, and scores tracks."""

import json
import os
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pandas
from numpy.typing import ArrayLike

from glint import _native, _settings
from glint._arguments import text, whole


def distance(volume: ArrayLike, metric: str = "euclidean", *, threshold: float = 0, label: int | bool | None = None,
             spacing: Sequence[float] | None = None, side: str = "outside", form: str | None = None, nearest: bool = False,
             device: str | int | None = None) -> numpy.ndarray | tuple[numpy.ndarray, numpy.ndarray]:
    """The distance of every voxel to the nearest feature, as `glint distance` finds it.

    volume     array of one to three axes, (z, y, x) or (y, x): bool, integers of 8 to 32 bits, floats of 32 or 64
    metric     "euclidean" (exact), "chamfer345", "chessboard" or "cityblock"
    threshold  features are the voxels above it; NaN is none
    label      instead: features are the voxels with this label; True: with any label but 0
    spacing    distance between voxels along x, y and z, in this order; of euclidean distances alone
    side       "outside": of every voxel to the nearest feature; "inside": of every feature to the nearest voxel that is none;
               "signed": both, inside negative
    form       "float": in the unit of the spacing; "integer": exact, squared if euclidean; "scaled": 16 bits, the largest
               distance at 65535. None: float if euclidean, else integer
    nearest    also return the nearest feature's raster index of each voxel, uint32; 4294967295 where there is none

    Returns an array of the volume's shape (float32, uint32, int32 if signed, or uint16), or with `nearest` a pair of them.
    Where there is no feature, floats are infinite and integers 4294967295.

    Raises ValueError for arrays and words that it does not take, glint.Error without a device or room on it. Ctrl-C ends it.
    """
    array = numpy.asarray(volume)
    if not 1 <= array.ndim <= 3 or array.size == 0:
        raise ValueError(f"a volume has one to three axes and no empty one, not the shape {array.shape}")
    array = numpy.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    if spacing is not None:
        spacing = [float(step) for step in numpy.atleast_1d(spacing)]
        if len(spacing) != 3:
            raise ValueError("spacing has three numbers: along x, y and z")
    if isinstance(label, (bool, numpy.bool_)):
        label = True if label else None
    elif label is not None:
        label = whole(label, "label", -(2**31), 2**32 - 1)
    metric, side, form = text(metric, "metric"), text(side, "side"), text(form or "", "form")
    distances, indices, nans = _native.distance(array, metric, side, form, float(threshold), label, spacing, bool(nearest),
                                                _settings.make(device=device))
    if nans:
        warnings.warn(f"{nans} voxels are NaN, so they are not features", stacklevel=2)
    return (distances, indices) if nearest else distances


def probe(source: str | bytes | os.PathLike, settings: Mapping[str, Any] | None = None, pick: int = 1,
          **keywords: Any) -> dict[str, Any]:
    """Looks at a few frames of a source and finds what settings track it, as `glint probe` does.

    source, settings and keywords are those of glint.track(). pick: the number of the alternative to propose, from 1.

    Returns a dict: found (whether anything looks like markers), settings (a dict for glint.track(source, settings=...)),
    dark, marker_radius (px, or None), radius (px), contrast (of full scale), markers_a_frame, frames (that were looked at),
    command_line (for a shell), alternatives (a list of all kinds of things that may be the markers, the most likely one first:
    dicts with dark, elongated, radius, contrast and markers_a_frame).

    Raises ValueError for settings that are wrong and for an alternative that does not exist, glint.Error where the source or the device fails.
    """
    before, filters, entries = _settings.parts(settings, **keywords)
    result = _native.probe(os.fsencode(source), before, filters, entries, whole(pick, "pick", 1))
    result["settings"] = {key: tomllib.loads(f"value = {text}")["value"] for key, text in result["settings"]}
    return result


def _samples(table, identity, flag):
    """Returns the rows of a DataFrame or of a file. `identity`: the column of ids; `flag`: the column of visibility, or ()."""
    if isinstance(table, (str, bytes, os.PathLike)):
        return (_native.read_truth if flag else _native.read_tracks)(os.fsencode(table))
    what = "truth" if flag else "tracks"
    for column in ("camera", "frame", identity, "x", "y", *flag):
        if column not in table:
            raise ValueError(f"{what}: there is no column '{column}'")
    return _native.Samples(*(integers(table[column], what) for column in ("camera", "frame", identity)),
                           *(numbers(table[column], what) for column in ("x", "y")),
                           numpy.ascontiguousarray(integers(table[flag[0]], what) != 0, dtype=numpy.uint8) if flag else None, what, identity)


def integers(column, what):
    """Returns a column as int64. Raises ValueError for values that are not whole numbers."""
    values = pandas.to_numeric(column).to_numpy()
    if values.dtype.kind not in "iub":
        values = numbers(column, what)
        if not (numpy.isfinite(values) & (values == numpy.floor(values))).all():
            raise ValueError(f"{what}: '{column.name}' has values that are no whole numbers")
    return numpy.ascontiguousarray(values, dtype=numpy.int64)


def numbers(column, what):
    """Returns a column as float64. Raises ValueError for values that are not numbers."""
    return numpy.ascontiguousarray(pandas.to_numeric(column).to_numpy(dtype=numpy.float64, na_value=numpy.nan))


def evaluate(tracks: pandas.DataFrame | str | os.PathLike, truth: pandas.DataFrame | str | os.PathLike,
             radius: float = 5.0) -> pandas.DataFrame:
    """Scores tracks against the truth, as `glint eval` does.

    tracks  DataFrame with camera, frame, track, x and y, such as glint.track() returns, or the name of a tracks.csv
    truth   DataFrame with camera, frame, id, x, y and visible (0 or 1), or the name of a truth.csv
    radius  px: a row is at most this far from its marker

    Returns a DataFrame with a row for each camera and "all", and the columns frames, truth, rows, ignored, matched, missed,
    spurious, switches, fragments, recall, precision, mota, idf1, hota, rmse (px) and median_error (px); NaN where there is
    nothing to count.

    The truth of frames that were not tracked does not count. glint.track() says which were tracked (attrs["frames"]), and so does the
    record beside a file. Without either, the last frame with a track counts as the last one that was tracked. attrs["truth_left_out"] is
    the number of rows of the truth that do not count, and attrs["tracked_known_from"] is "record", "tracks" or None.

    Raises ValueError for columns and values that are wrong, glint.Error for a file that cannot be read.
    """
    if isinstance(tracks, (str, bytes, os.PathLike)):
        frames = os.fsencode(tracks)
    else:
        frames = tracks.attrs.get("frames")
    scores = json.loads(_native.evaluate(_samples(tracks, "track", ()), _samples(truth, "id", ("visible",)), float(radius), frames))
    rows = {camera.pop("camera"): camera for camera in scores["cameras"]} | {"all": scores["all"]}
    made = pandas.DataFrame.from_dict(rows, orient="index").rename_axis("camera")
    made = made.astype({column: float for column in made if made[column].dtype == object})
    made.attrs |= {name: scores[name] for name in ("truth_left_out", "tracked_known_from")}
    return made
