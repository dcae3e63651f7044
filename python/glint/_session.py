"""Runs sessions whose frames a program takes one by one."""

import atexit
import weakref
from collections.abc import Iterable, Mapping
from typing import Any

import numpy
import pandas

from glint import _native, _settings, _track
from glint._tables import to_frame


_open = weakref.WeakSet()


@atexit.register
def _close_all():
    """Closes all sessions before the process ends, even if something still holds them."""
    for session in list(_open):
        try:
            session.close()
        except _native.Error:  # the session belongs to the process from which this one was forked
            pass


class Camera:
    """One camera in one frame of a session: frame.cameras[i]."""

    __slots__ = ("_native", "_place", "state", "index", "time", "_markers", "_tracks")

    def __init__(self, native, place):
        self._native, self._place = native, place
        self.state, self.index, self.time = native.camera(place)
        self._markers = self._tracks = None

    @property
    def markers(self) -> pandas.DataFrame:
        """The rows of Frame.markers for this camera."""
        if self._markers is None:
            self._markers = to_frame(self._native.markers(self._place))
        return self._markers

    @property
    def tracks(self) -> pandas.DataFrame:
        """The rows of Frame.tracks for this camera."""
        if self._tracks is None:
            self._tracks = to_frame(self._native.tracks(self._place))
        return self._tracks

    @property
    def image(self) -> numpy.ndarray | None:
        """The pixels: (h, w) grey or (h, w, 3) red, green, blue, uint8 or uint16; None where the camera gave no frame.

        A view without a copy, which cannot be written. A session keeps the images of its last 3 frames: keep image.copy()
        for longer. Raises glint.Error where the image is gone.
        """
        return self._native.image(self._place)


class Frame:
    """One moment of a session.

    index    which one, from 0; of a recording counted from its start
    time     s, as the source says; of several cameras the earliest
    cameras  a Camera for each source: index (its own frame), time (s), state ("frame", "none", "lost" or "ended"), markers,
             tracks, image
    """

    __slots__ = ("_native", "index", "time", "_cameras", "_markers", "_tracks")

    def __init__(self, native):
        self._native = native
        self.index, self.time = native.index, native.time
        self._cameras = self._markers = self._tracks = None

    @property
    def cameras(self) -> tuple[Camera, ...]:
        if self._cameras is None:
            self._cameras = tuple(Camera(self._native, place) for place in range(self._native.cameras))
        return self._cameras

    @property
    def markers(self) -> pandas.DataFrame:
        """Every marker found, before tracking: a DataFrame with the columns of detections.csv, of all cameras."""
        if self._markers is None:
            self._markers = to_frame(self._native.markers(None))
        return self._markers

    @property
    def tracks(self) -> pandas.DataFrame:
        """Every confirmed track as it is known at this frame: a DataFrame with the columns of tracks.csv, of all cameras.

        What comes later is not known yet: glint.track() also has the rows from before a track was confirmed, and places
        `predicted` rows between both ends of a gap.
        """
        if self._tracks is None:
            self._tracks = to_frame(self._native.tracks(None))
        return self._tracks

    @property
    def image(self) -> numpy.ndarray | None:
        """The pixels of a single camera: see Camera.image. Raises ValueError where there are several cameras."""
        if self._native.cameras != 1:
            raise ValueError(f"this frame has {self._native.cameras} cameras: frame.cameras[i].image")
        return self._native.image(0)

    def __repr__(self):
        return f"<glint.Frame {self.index} at {self.time:.6f} s>"


class Session:
    """Frames of a recording or of live cameras, one by one, measured and tracked.

    >>> with glint.Session("camera:0", detect_separation=8) as session:
    ...     for frame in session:
    ...         print(frame.index, frame.time, len(frame.tracks))

    sources, settings, start, frames, stills and stitch are those of glint.track(). realtime=True plays recordings at their
    own speed. Recordings lose no frame: the session waits. Live cameras give their newest frame.

    cameras  how many sources there are
    live     whether there is a live camera among them
    length   frames of the recording, where known, or None

    Raises ValueError for settings that are wrong, glint.Error where a source or the device fails (while frames are taken:
    after all that were measured before), and glint.Error once it is closed.
    """

    def __init__(self, *sources: _track.Source | Iterable[_track.Source], settings: Mapping[str, Any] | None = None,
                 start: int | str | None = None, frames: int | None = None, stills: bool | None = None,
                 stitch: bool | None = None, realtime: bool = False, **keywords: Any) -> None:
        asked = _track.request(sources, settings, start, frames, stills, stitch, realtime, keywords)
        self._native = _native.Session(asked)
        _open.add(self)

    @property
    def cameras(self) -> int:
        return self._native.cameras

    @property
    def live(self) -> bool:
        return self._native.live

    @property
    def length(self) -> int | None:
        return self._native.length

    def __iter__(self) -> "Session":
        return self

    def __next__(self) -> Frame:
        native = self._native.next()
        if native is None:
            raise StopIteration
        return Frame(native)

    def change(self, settings: Mapping[str, Any] | None = None, **keywords: Any) -> None:
        """Changes settings while it runs, such as detect_threshold=0.4; the others stay. device.* cannot change.

        Takes effect with one of the next frames. Raises ValueError for settings that are wrong; what only turns out later,
        such as a mask of another size, is raised when the next frame is taken.
        """
        self._native.change(_settings.changed(self._native.settings(), settings, keywords))

    def close(self) -> None:
        """Ends the session and lets go of its cameras. Frames that were taken stay usable."""
        self._native.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_):
        self.close()
