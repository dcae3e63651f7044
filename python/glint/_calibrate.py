"""Calibrates cameras: finds where they stand and how their lenses distort."""

import json
import os
import pathlib
import tomllib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy
import pandas

from glint import _native
from glint._arguments import MOST_PIXELS, read_table, whole
from glint._measures import integers, numbers


def camera_numbers(cameras):
    """Returns cameras as a list of whole numbers. Raises ValueError for other values and below 0."""
    return [whole(camera, "cameras", 0) for camera in cameras]


class Rig:
    """Cameras that look at one space: what glint.calibrate() finds, or a file of `glint calibrate`.

    text     as rig.toml has it (docs/calibration.md)
    cameras  a dict for each: name, size (width, height; px), matrix (3, 3), distortions (k1, k2, p1, p2, k3), rotation
             (Rodrigues, rad), translation (mm): a point p of the world is seen by the camera at R p + t
    account  what the calibration is worth, in words; empty for a file
    record   the same as a dict
    """

    def __init__(self, text: str, account: str = "", record: dict[str, Any] | None = None) -> None:
        self.text, self.account, self.record = text, account, record or {}
        tables = tomllib.loads(text)
        self.cameras = [{key: numpy.array(value) if isinstance(value, list) and key != "size" else value
                         for key, value in table.items()} for key, table in tables.items() if key != "metadata"]

    @classmethod
    def read(cls, path: str | os.PathLike) -> "Rig":
        """Reads a rig.toml, or the rig of another program: see `glint rig --help`. Raises glint.Error."""
        text, remarks = _native.read_rig(os.fsencode(path))
        for remark in remarks:
            warnings.warn(remark, stacklevel=2)
        return cls(text)

    def save(self, path: str | os.PathLike) -> None:
        """Writes rig.toml, for `--rig`."""
        pathlib.Path(path).write_text(self.text)

    def __repr__(self):
        return f"<glint.Rig of {len(self.cameras)} cameras>"


def points_of(tables):
    """Returns one table of all cameras from a table or a list; in a list each table is a camera, unless it names several."""
    if isinstance(tables, (str, os.PathLike)):
        tables = read_table(tables)
    if not isinstance(tables, pandas.DataFrame):
        tables = [read_table(table) if isinstance(table, (str, os.PathLike)) else table for table in tables]
        if not tables or not all(isinstance(table, pandas.DataFrame) for table in tables):
            raise ValueError("tables: give a DataFrame or the name of a table, or a list of them, a camera each")
        # A single table with a column `camera` may be of any cameras.
        tables = pandas.concat([table if "camera" in table and (len(tables) == 1 or len(set(table.camera)) > 1)
                                else table.assign(camera=place) for place, table in enumerate(tables)], ignore_index=True)
    for column in ("camera", "frame", "x", "y"):
        if column not in tables:
            raise ValueError(f"tables: there is no column '{column}'")
    return tables[tables.state == "measured"] if "state" in tables else tables


def sizes_of(size):
    """Returns [(width, height)], one for each camera or one for all."""
    try:
        if size is None:
            return []
        return [tuple(whole(side, "size", 1, MOST_PIXELS) for side in (width, height))
                for width, height in ([size] if numpy.ndim(size) == 1 else size)]
    except (TypeError, ValueError):
        raise ValueError(f"size: {size!r} is not (width, height), such as (1280, 1024), nor a list of them") from None


def wand_of(wand):
    """Returns the lengths of a wand as a text for `--wand`; empty without a wand."""
    if wand is None:
        return ""
    try:
        if isinstance(wand, (bool, str)):
            raise TypeError
        return ",".join(format(float(length), "g") for length in ([wand] if numpy.ndim(wand) == 0 else wand))
    except (TypeError, ValueError):
        raise ValueError(f"wand: {wand!r} is not a length in mm, such as 500, nor two, such as (150, 350)") from None


def calibrate(tables: pandas.DataFrame | str | os.PathLike | Iterable[pandas.DataFrame] | Iterable[str | os.PathLike],
              size: tuple[int, int] | Sequence[tuple[int, int]] | None = None, *, wand: float | tuple[float, float] | None = None,
              point: bool = False, board: str | None = None, distance: tuple[int, int, float] | None = None,
              offsets: Mapping[int, float] | None = None, lens: str = "k1k2",
              intrinsics: Rig | str | os.PathLike | None = None, fix_intrinsics: bool = False, origin: str = "", up: str = "") -> Rig:
    """Finds cameras and lenses from a light, a wand or a board that all of them saw, as `glint calibrate` does.

    tables      DataFrame with camera, frame, x and y (px), and time_s (s), sigma_x and sigma_y (px) where they are known,
                such as glint.track() returns for several cameras; or the name of such a file; or a list, a camera each.
                With board: names of recordings or folders of images, a camera each
    size        (width, height) of the images, px; or a list of them, a camera each; not with board
    wand        mm between its two lights, or (A, B) for three on a line
    point       instead: a single light was moved
    board       instead: a printed board was shown, "chessboard:9x6:25mm" or "charuco:5x7:40mm:30mm:DICT_4X4_50"
    distance    with point: (camera, camera, mm) between two cameras; without it the scale is arbitrary
    offsets     {camera: s} to add to the times of cameras that began later
    lens        distortion to find: "none", "k1", "k1k2" or "full"
    intrinsics  a Rig, or its file, whose lenses are the starting point; fix_intrinsics=True keeps them
    origin      of space: "camera" (the first), "wand" (one of three lights that lies still in the last second), "board" (as
                first seen) or "markers:FRAME" (three at a right angle)
    up          the axis that points up: "z" or "y"

    Returns a Rig. Raises ValueError for arguments and values that are wrong, glint.Error where the recording does not suffice:
    its sentence says what is missing.
    """
    if point + (wand is not None) + (board is not None) != 1:
        raise ValueError("say what was moved: point=True for one light, wand=MM or board=BOARD")
    if distance is not None and not point:
        raise ValueError("distance is for point=True; a wand or a board has its own lengths")
    if fix_intrinsics and intrinsics is None:
        raise ValueError("fix_intrinsics needs intrinsics")
    if board is not None and size is not None:
        raise ValueError("size is for tables; with a board the recordings have their own")
    if isinstance(intrinsics, (str, os.PathLike)):
        intrinsics = Rig.read(intrinsics)
    if not isinstance(intrinsics, (Rig, type(None))):
        raise ValueError(f"intrinsics: {intrinsics!r} is neither a Rig nor the name of its file")
    sources = [] if board is None else recordings(tables)
    given = _native.CalibrationArguments(sizes_of(size), wand_of(wand), lens, distance, offsets or {},
                                         intrinsics.text if intrinsics else "", fix_intrinsics, board or "", sources, origin, up)
    if board is not None:
        rig, account, record = _native.calibrate_board(given)
        return Rig(rig, account, json.loads(record))
    points = points_of(tables)
    sigmas = "sigma_x" in points and "sigma_y" in points
    rig, account, record = _native.calibrate(
        *(integers(points[column], "tables") for column in ("camera", "frame")),
        *(numbers(points[column], "tables") for column in ("x", "y")),
        numbers(points.time_s, "tables") if "time_s" in points else None,
        *(numbers(points[column], "tables") if sigmas else None for column in ("sigma_x", "sigma_y")), given)
    return Rig(rig, account, json.loads(record))


def recordings(sources):
    """Returns the names of recordings, which may hold any bytes, as a list; a single name is one camera."""
    names = [sources] if isinstance(sources, (str, bytes, os.PathLike)) else list(sources)
    if isinstance(sources, pandas.DataFrame) or not names or not all(isinstance(name, (str, bytes, os.PathLike)) for name in names):
        raise ValueError("tables: with a board, give the names of recordings, one for each camera")
    return [os.fsencode(name) for name in names]
