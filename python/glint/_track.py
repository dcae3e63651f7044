"""Tracks whole recordings and returns tables."""

import contextlib
import json
import os
import pathlib
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas
from numpy.typing import ArrayLike

from glint import _native, _progress, _settings
from glint._arguments import read_text, whole
from glint._arrays import is_name, split
from glint._calibrate import Rig, camera_numbers
from glint._files import read
from glint._tables import to_frame

# Sentences that are added to those of a finding, by the finding's name.
_ADDED = {"nothing_found": " glint.probe() says what settings would find any."}


def _warn_of_findings(findings):
    """Warns of findings, except notes, because a program may turn warnings into errors."""
    for finding in findings:
        if finding["severity"] != "note":
            warnings.warn(finding["text"] + _ADDED.get(finding["finding"], ""), stacklevel=3)


def _warn_of_assumptions(sources):
    """Warns of what is assumed about sources and is likely to be wrong, such as the rate of a folder of images."""
    for source in sources:
        for sentence in source["warnings"]:
            warnings.warn(f"'{source['source']}': {sentence}", stacklevel=3)


def request(sources, settings, start, frames, stills, stitch, realtime, keywords, rig=None, cameras=(), bodies=None):
    """Returns the options of `glint track` that these arguments stand for."""
    names = []
    for source in sources:
        names += [source] if is_name(source) else source
    if not all(map(is_name, names)):
        raise TypeError("sources: expected names of recordings or cameras; glint.track() takes images")
    if rig is None and (bodies is not None or len(cameras)):
        raise ValueError("bodies and cameras need a rig")
    if rig is not None and not isinstance(rig, Rig):
        rig = Rig.read(rig)
    _settings.check(keywords, ("start", "frames", "stills", "stitch", "realtime", "rig", "cameras", "bodies"))
    made = _settings.make(settings, **keywords)
    # Trials look for other kinds of markers, so they begin with all that was asked for but the kind.
    others = {key: value for key, value in keywords.items() if key not in ("marker_radius", "elongated")}
    # A name may hold any bytes.
    return _native.Request([os.fsencode(name) for name in names], made, *_settings.parts(settings, **others),
                           "" if start is None else str(start), None if frames is None else whole(frames, "frames", 1),
                           *(None if choice is None else bool(choice) for choice in (stills, stitch)), bool(realtime),
                           rig.text if rig else "", camera_numbers(cameras),
                           read_text(bodies) if bodies is not None else "")


def _details(folder):
    """Returns the tables and the record of a run that its files hold."""
    return {"statistics": read(folder / "stats.csv"), "rejected": read(folder / "rejected.csv"),
            "record": json.loads((folder / "record.json").read_text())}


Source = str | bytes | os.PathLike


def track(*sources: Source | ArrayLike | Iterable[Source] | Iterable[ArrayLike], settings: Mapping[str, Any] | None = None, start: int | str | None = None,
          frames: int | None = None, stills: bool | None = None, stitch: bool | None = None,
          progress: bool | Callable[[int, int | None], object] | None = None, rig: Rig | str | os.PathLike | None = None,
          cameras: Sequence[int] = (), bodies: str | os.PathLike | None = None, fps: float | None = None,
          times: Sequence[float] | None = None, details: bool = False, **keywords: Any) -> pandas.DataFrame | tuple[pandas.DataFrame, ...]:
    """Finds the markers of a recording and follows them, as `glint track` does.

    sources   names of a video, a folder of images, a pattern (shot_%04d.png), a camera (camera:0), a stream's address or
              synth:SCENE. Several, or a list of them, are the cameras of one session. Or images that the program has: an array
              (frames, h, w) or (frames, h, w, 3) of uint8 or uint16, also of xarray or dask; or a list or a generator of images
              (h, w) or (h, w, 3), red, green, blue. Images are taken one by one. Several arrays are several cameras.
    settings  dict, such as {"detect.separation": 8}; or keywords, such as detect_separation=8: see help(glint).
              Further keywords: config (a settings file), device (part of its name, or its number), marker_radius (px),
              elongated (bool) and filters (a list), as of `glint track`.
    start     where to begin: a frame (120) or a time ("12.5s")
    frames    stop after so many
    stills    True: the images are unrelated pictures; None: as they look
    stitch    False: do not join tracks over gaps longer than track.max_gap
    progress  True or False; None: in terminals and notebooks; or a function of (frames, length or None)
    rig       a Rig, or the name of a rig.toml: also computes points in space. Its camera N is source N
    cameras   cameras of the rig in the order of the sources; all by default
    bodies    the name of a bodies.toml: rigid bodies to find among the points
    fps       images a second, of images that the program has [30]
    times     instead: the time of each image, s
    details   True: also return what the run knows beside its tracks

    Returns a DataFrame with the columns of tracks.csv (docs/formats.md) and a row for each track and frame: camera, frame,
    time_s (s), track, state, x, y (px, from the centre of the top-left pixel, y down), vx, vy (px/s), peak, mass, radius (px),
    eccentricity, sigma_x, sigma_y (px), flags. It equals pandas.read_csv of the file that `glint track` writes. With a rig it
    returns a pair, the second being the points; with bodies three, the last being the poses: see reconstruct().

    attrs["findings"] of the tracks is the list `findings` of the run record (docs/formats.md). Where the counts of a run raise a
    doubt, a few frames are measured with other settings for it, as `glint track` does. Findings of the severities "warning" and
    "hint" are also Python warnings, with the same sentences.

    With details, the last of what is returned is a dict with the DataFrames "statistics" (the columns of stats.csv) and "rejected"
    (of rejected.csv: candidates that became no markers, and why), and the run record as a dict, "record".

    attrs["sources"] is a list with a dict for each source: what `glint info --json` says of it before its first frame.
    Its "warnings" are also given as warnings of Python.

    attrs["frames"] is a list with the first and the last frame of each camera that were tracked, or None for a camera without any.
    evaluate() leaves out the truth of other frames.

    Raises ValueError for settings that are wrong, TypeError for sources that are, and glint.Error where a source or the device
    fails. If an iterable of images raises an exception, that exception is raised. `error.tracks` then
    holds the rows from before, if there are any; with a rig `error.points` and `error.poses`, too. Ctrl-C ends it with KeyboardInterrupt.
    """
    names, feeds = split(sources, fps, times)
    asked = request(names, settings, start, frames, stills, stitch, False, keywords, rig, cameras, bodies)
    with tempfile.TemporaryDirectory() if details else contextlib.nullcontext("") as folder:
        with _progress.shown(progress) as show:
            rows, findings, failure, points, poses, about, ranges = _native.track(
                asked, show, [feed.native for feed in feeds], os.fsencode(folder))
        record = _details(pathlib.Path(folder)) if details else None
    tracks, points, poses = to_frame(rows), to_frame(points), to_frame(poses)
    tracks.attrs["findings"] = findings
    tracks.attrs["sources"] = json.loads(about)
    tracks.attrs["frames"] = ranges
    if failure:
        raised = next((feed.failure for feed in feeds if feed.failure is not None), None)
        error = _native.Error(failure) if raised is None else raised
        error.tracks = tracks
        if rig is not None:
            error.points, error.poses = points, poses
        raise error
    _warn_of_assumptions(tracks.attrs["sources"])
    _warn_of_findings(findings)
    made = (tracks, *([points] if rig is not None else []), *([poses] if bodies is not None else []), *([record] if details else []))
    return made if len(made) > 1 else tracks
