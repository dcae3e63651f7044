"""Code that tests of fake_camera.cpp's cameras share. The second argument of such a test is that library, after GLINT."""

import os
import sys

from harness import preload

FAKE = os.path.abspath(sys.argv.pop(1))


def cameras(*specs, **more):
    """The environment that holds the cameras."""
    return {"GLINT_FAKE_CAMERAS": ";".join(specs), "LD_PRELOAD": preload(FAKE), **more}
