"""Glint finds bright markers in images and recordings, and follows them.

>>> import glint
>>> tracks = glint.track("recording.mp4", detect_separation=8)   # a pandas.DataFrame, as tracks.csv
>>> markers = glint.detect(image, threshold=0.3)                 # of one image, a NumPy array

Settings are those of the program. They are given by keyword, with _ for the point (detect_separation), the last part alone
where only one setting has it (separation); or as a dict, settings={"detect.separation": 8}. `glint settings` lists them all.
A setting that is unknown or out of range is a ValueError; a device, camera or file that fails is a glint.Error.
"""

from glint import _native, filters
from glint._calibrate import Rig, calibrate
from glint._files import convert, link, read
from glint._images import Detector, detect
from glint._measures import distance, evaluate, probe
from glint._native import Error
from glint._reconstruct import reconstruct
from glint._session import Camera, Frame, Session
from glint._track import track

__version__ = _native.version
__all__ = ["Camera", "Detector", "Error", "Frame", "Rig", "Session", "calibrate", "convert", "detect", "distance", "evaluate",
           "filters", "link", "probe", "read", "reconstruct", "track"]
