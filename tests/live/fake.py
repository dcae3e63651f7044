"""What tests of fake_camera.cpp's cameras share. The second argument of such a test is that library, after GLINT."""

import os
import re
import subprocess
import sys

from harness import GLINT, SANITIZED

FAKE = os.path.abspath(sys.argv.pop(1))


def preload():
    """The sanitizer wants to be first."""
    if not SANITIZED:
        return FAKE
    libraries = subprocess.run(["ldd", GLINT], text=True, capture_output=True, check=True).stdout
    return " ".join([*re.findall(r"=> (\S*lib(?:asan|ubsan)\S*)", libraries), FAKE])


def cameras(*specs, **more):
    """The environment that holds the cameras."""
    return {"GLINT_FAKE_CAMERAS": ";".join(specs), "LD_PRELOAD": preload(), **more}
