"""The GigE Vision camera that Aravis simulates on loopback. A machine can have only one at a time, since it has one port."""

import fcntl
import pathlib
import shutil
import subprocess
import tempfile

CAMERA = shutil.which("arv-fake-gv-camera-0.8")


def lock(add_cleanup):
    """Reserves the camera of this machine until the cleanup."""
    file = open(pathlib.Path(tempfile.gettempdir()) / "glint_gige_test.lock", "a")
    add_cleanup(file.close)
    fcntl.flock(file, fcntl.LOCK_EX)


def plug_in(test):
    """Starts a camera of 512 x 512 pixels of 8 bits, whose picture grows brighter with exposure and gain. Returns a function
    that unplugs it."""
    camera = subprocess.Popen([CAMERA, "-i", "127.0.0.1", "-s", "GLINT1"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.PIPE)

    def unplug():
        camera.kill()
        camera.wait()
        camera.stdin.close()
    test.addCleanup(unplug)
    return unplug
