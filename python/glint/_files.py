"""Reads, converts and links the tables of Glint and of other programs."""

import json
import os
import pathlib
import tempfile
import warnings
from collections.abc import Mapping
from typing import Any

import numpy
import pandas
from numpy.typing import ArrayLike

from glint import _native, _settings

_UNITS = _native.column_units()


def _file(path, name):
    """Returns the bytes of a file's name. Raises TypeError for other values."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"{name}: expected the name of a file, not {type(path).__name__}")
    return os.fsencode(path)


def _choice(value, name, words):
    """Returns one of `words`, or an empty text for None. Raises ValueError for other values."""
    if value is not None and value not in words:
        raise ValueError(f"{name}: {value!r} is none of {', '.join(map(repr, words))}")
    return value or ""


def _rate(value, name):
    if value is None:
        return 0.0
    rate = float(value)
    if not 1e-6 <= rate <= 1e6:
        raise ValueError(f"{name}: {value!r} is not a number of frames a second from 1e-6 to 1e6")
    return rate


def convert(source: str | bytes | os.PathLike, target: str | bytes | os.PathLike, *, up: str | None = None, from_up: str | None = None,
            unit: str | None = None, rate: float | None = None) -> str:
    """Converts points in space, or tracks, into the format of another program, as `glint convert` does.

    source   file to read: points.csv, C3D, TRC, Motive's CSV, QTM's TSV, JSON Lines, tracks of another program, or
             labelled points of DeepLabCut or SLEAP
    target   file to write; its suffix chooses the format (docs/formats.md)
    up       "y" or "z": the axis that points up in the target
    from_up  the axis that points up in the source, if its file does not say so
    unit     "mm" or "m": the unit of lengths in the target
    rate     frames a second, instead of the rate in the file

    Returns what was converted, in one line. What was assumed, changed or left out is also a Python warning, a sentence each.
    Raises ValueError for names and options that do not fit the formats, and glint.Error for files that cannot be read or written.
    """
    summary, sentences = _native.convert(_file(source, "source"), _file(target, "target"), _choice(up, "up", ("y", "z")),
                                         _choice(from_up, "from_up", ("y", "z")), _choice(unit, "unit", ("mm", "m")), _rate(rate, "rate"))
    for sentence in sentences:
        warnings.warn(sentence, stacklevel=2)
    return summary


def _with_units(table):
    table.attrs["units"] = {column: _UNITS[column] for column in table if column in _UNITS}
    return table


def _csv(path):
    try:
        return pandas.read_csv(path, float_precision="round_trip")
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
    except (ValueError, pandas.errors.ParserError) as error:
        raise _native.Error(f"'{path}' is no table: {error}") from None


def _header(path):
    """Returns the first line of a file that is no remark. Raises glint.Error if the file cannot be read."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return next((line.rstrip("\n") for line in file if not line.startswith("# ")), "")
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None


def _is_ours(path):
    """True for CSV and JSON Lines that Glint itself writes, whose columns need no conversion."""
    name = os.fsdecode(path).lower()
    if name.endswith(".jsonl"):
        return True
    if not name.endswith(".csv") or name.endswith((".wide.csv", ".motive.csv", ".trackpy.csv", ".trackmate.csv", ".kinovea.csv")):
        return False
    header = _header(path)
    columns = header.split(",")
    wide = columns[:2] == ["frame", "time_s"] and len(columns) > 2 and columns[2].endswith(("_x_mm", "_x_m")) and columns[2] != "x_mm"
    others = header.startswith(("Format Version,", "scorer,", "track,frame_idx,")) or {"particle", "TRACK_ID"} & set(columns) or columns[0].strip('"') == "Time"
    return not wide and not others


def _lines(path):
    """Returns the tables of points and of poses, or one table of other rows, that a file of JSON Lines holds."""
    try:
        rows = [json.loads(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if line]
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
    except ValueError as error:
        raise _native.Error(f"'{path}' is no file of JSON Lines: {error}") from None
    poses = [row for row in rows if "qw" in row]
    return pandas.DataFrame([row for row in rows if "qw" not in row]), pandas.DataFrame(poses)


def read(path: str | bytes | os.PathLike, *, poses: bool = False) -> pandas.DataFrame:
    """Reads any table that Glint writes or converts.

    path  tracks, detections, statistics, points or poses of Glint (.csv, .jsonl); C3D, TRC, Motive's CSV, QTM's TSV or a wide table of
          points; trackpy's, TrackMate's (CSV and XML), Kinovea's or QTM's table of tracks; DeepLabCut's or SLEAP's labelled points (CSV, HDF5)
    poses   True: returns the poses of bodies from a file that holds points and poses

    Returns a DataFrame with Glint's columns (docs/formats.md). attrs["units"] has the unit of each column that has one, such as
    {"x_mm": "mm"}. What was assumed or left out while reading the file of another program is a Python warning, a sentence each.

    Raises glint.Error for a file that cannot be read, ValueError for one whose format Glint does not know.
    """
    name = os.fsdecode(_file(path, "path"))
    if _is_ours(name) and not name.lower().endswith(".jsonl"):
        return _with_units(_csv(name))
    if name.lower().endswith(".jsonl"):
        tables = _lines(name)
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "table.jsonl")
            _, sentences = _native.convert(os.fsencode(name), os.fsencode(made), "", "", "", 0.0)
            for sentence in sentences:
                warnings.warn(sentence, stacklevel=2)
            tables = _lines(made)
    return _with_units(tables[1] if poses or not len(tables[0]) and len(tables[1]) else tables[0])


def _table(detections):
    """Returns markers as a DataFrame. Raises TypeError for other values."""
    if isinstance(detections, pandas.DataFrame):
        return detections
    array = numpy.asarray(detections)
    if array.ndim != 2 or array.shape[1] not in (3, 4) or array.dtype.kind not in "iuf":
        raise TypeError("detections: expected a DataFrame with frame, x and y, the name of such a file, or an array with the columns frame, x, "
                        f"y or camera, frame, x, y, not {type(detections).__name__}"
                        + (f" of shape {array.shape}" if isinstance(detections, numpy.ndarray) else ""))
    names = ["camera", "frame", "x", "y"][-array.shape[1]:]
    return pandas.DataFrame({column: array[:, i].astype(int) if column in ("camera", "frame") and (array[:, i] == array[:, i].round()).all()
                             else array[:, i] for i, column in enumerate(names)})


def link(detections: pandas.DataFrame | ArrayLike | str | os.PathLike, *, rate: float | None = None, sigma: float | None = None,
         stitch: bool = True, settings: Mapping[str, Any] | None = None, **keywords: Any) -> pandas.DataFrame:
    """Tracks markers that another program has found, as `glint link` does.

    detections  DataFrame with frame, x and y (px), and camera, time_s, sigma_x, sigma_y, peak, mass, radius, size, eccentricity and flags
                where they are known, also by the names that trackpy and TrackMate give them; or the name of such a file, or of one of DeepLabCut or
                SLEAP, whose labels are not used; or an array with the columns frame, x, y or camera, frame, x, y
    rate        frames a second of a table without times
    sigma       px: standard deviation of x and y where the table does not say it
    stitch      False: do not join tracks over gaps longer than track.max_gap
    settings    dict, such as {"track.max_gap": 20}; or keywords, such as max_gap=20: only those of track matter

    Returns a DataFrame with the columns of tracks.csv (docs/formats.md); what the markers do not have is NaN there. What was assumed
    is also a Python warning, a sentence each. Raises ValueError for settings that are wrong, TypeError for other arguments that are,
    and glint.Error for a table that is.
    """
    made = _settings.make(settings, **keywords)
    if not stitch:
        made = _settings.changed(made, {"track.stitch_gap": 0.0}, {})
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "tracks.csv")
        given = isinstance(detections, (str, bytes, os.PathLike))
        source = os.fsdecode(detections) if given else os.path.join(folder, "detections.csv")
        if not given:
            _table(detections).to_csv(source, index=False)
        shown = source if given else "detections"
        try:
            sentences = _native.link(os.fsencode(source), os.fsencode(out), made, None if sigma is None else float(sigma), _rate(rate, "rate"))
        except _native.Error as error:
            raise _native.Error(str(error).replace(source, shown)) from None
        for sentence in sentences:
            warnings.warn(sentence.replace(source, shown), stacklevel=2)
        return _with_units(_csv(out))
