"""Whole recordings as tables."""

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas

from glint import _native, _progress, _settings
from glint._tables import to_frame


def request(sources, settings, start, frames, stills, stitch, realtime, keywords):
    """What `glint track` would be asked for."""
    names = []
    for source in sources:
        names += [source] if isinstance(source, (str, bytes, os.PathLike)) else source
    if frames is not None and (isinstance(frames, bool) or frames != int(frames) or frames < 1):
        raise ValueError(f"frames: {frames} is not a whole number from 1")
    # A name may hold any bytes.
    return _native.Request([os.fsencode(name) for name in names], _settings.make(settings, **keywords),
                           "" if start is None else str(start), None if frames is None else int(frames),
                           stills, stitch, realtime)


Source = str | bytes | os.PathLike


def track(*sources: Source | Iterable[Source], settings: Mapping[str, Any] | None = None, start: int | str | None = None,
          frames: int | None = None, stills: bool | None = None, stitch: bool | None = None,
          progress: bool | Callable[[int, int | None], object] | None = None, **keywords: Any) -> pandas.DataFrame:
    """Finds the markers of a recording and follows them, as `glint track` does.

    sources   names of a video, a folder of images, a pattern (shot_%04d.png), a camera (camera:0), a stream's address or
              synth:SCENE. Several, or a list of them, are the cameras of one session.
    settings  dict, such as {"detect.separation": 8}; or keywords, such as detect_separation=8: see help(glint).
              Further keywords: config (a settings file), device (part of its name, or its number), marker_radius (px),
              elongated (bool) and filters (a list), as of `glint track`.
    start     where to begin: a frame (120) or a time ("12.5s")
    frames    stop after so many
    stills    True: the images are unrelated pictures; None: as they look
    stitch    False: do not join tracks over gaps longer than track.max_gap
    progress  True or False; None: in terminals and notebooks; or a function of (frames, length or None)

    Returns a DataFrame with the columns of tracks.csv (docs/formats.md) and a row for each track and frame: camera, frame,
    time_s (s), track, state, x, y (px, from the centre of the top-left pixel, y down), vx, vy (px/s), peak, mass, radius (px),
    eccentricity, sigma_x, sigma_y (px), flags. It equals pandas.read_csv of the file that `glint track` writes.

    Raises ValueError for settings that are wrong, and glint.Error where a source or the device fails. `error.tracks` then
    holds the rows from before, if there are any. Ctrl-C ends it with KeyboardInterrupt.
    """
    asked = request(sources, settings, start, frames, stills, stitch, False, keywords)
    with _progress.shown(progress) as tell:
        rows, markers, failure = _native.track(asked, tell)
    tracks = to_frame(rows)
    if failure:
        error = _native.Error(failure)
        error.tracks = tracks
        raise error
    if markers == 0:
        warnings.warn("no marker was found; glint.probe() says what settings would find any", stacklevel=2)
    return tracks
