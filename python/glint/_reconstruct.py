"""Computes points and rigid bodies in space."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas

from glint import _native, _settings
from glint._arguments import read_text
from glint._calibrate import Rig, camera_numbers, points_of
from glint._measures import integers, numbers
from glint._tables import to_frame


def reconstruct(rig: Rig | str | os.PathLike, tables: pandas.DataFrame | str | os.PathLike | Iterable[pandas.DataFrame], *,
                bodies: str | os.PathLike | None = None, cameras: Sequence[int] = (), rate: float | None = None,
                stitch: bool = True, settings: Mapping[str, Any] | None = None,
                **keywords: Any) -> pandas.DataFrame | tuple[pandas.DataFrame, pandas.DataFrame]:
    """Computes points in space from what several cameras saw, as `glint reconstruct` does.

    rig       a Rig, or the name of a rig.toml
    tables    DataFrame with camera, frame, x and y (px), and time_s, sigma_x, sigma_y and set where they are known, such as
              pandas.read_csv of detections.csv; or the name of such a file; or a list, a camera each
    bodies    the name of a bodies.toml: rigid bodies to find among the points
    cameras   cameras of the rig in the order of the table; all by default
    rate      frames a second of tables without time_s
    stitch    False: do not join points over gaps longer than track.max_gap
    settings  dict, such as {"track.max_gap": 20}; or keywords: only those of track matter

    Returns a DataFrame with the columns of points.csv (docs/formats.md); with bodies also one of poses.csv, as a pair. They
    equal pandas.read_csv of the files that `glint reconstruct` writes, but texts that are empty there are "" here.
    Raises ValueError for arguments and values that are wrong, and glint.Error for tables that are.
    """
    rig = rig if isinstance(rig, Rig) else Rig.read(rig)
    points = points_of(tables)
    made = _settings.make(settings, **keywords)
    if not stitch:
        made = _settings.changed(made, {"track.stitch_gap": 0.0}, {})
    sigmas = "sigma_x" in points and "sigma_y" in points
    found, poses = _native.reconstruct(
        *(integers(points[column], "tables") for column in ("camera", "frame")),
        *(numbers(points[column], "tables") for column in ("x", "y")),
        numbers(points.time_s, "tables") if "time_s" in points else None,
        *(numbers(points[column], "tables") if sigmas else None for column in ("sigma_x", "sigma_y")),
        integers(points["set"], "tables") if "set" in points else None, rig.text, camera_numbers(cameras),
        read_text(bodies) if bodies is not None else "", rate or 0, made)
    return (to_frame(found), to_frame(poses)) if bodies is not None else to_frame(found)
