"""The GigE Vision camera that Aravis simulates, on loopback: one at a time on a machine, since it has one port."""

import fcntl
import pathlib
import shutil
import subprocess
import tempfile

CAMERA = shutil.which("arv-fake-gv-camera-0.8")


def lock(add_cleanup):
    """Until the cleanup nobody else on this machine has the camera."""
    file = open(pathlib.Path(tempfile.gettempdir()) / "glint_gige_test.lock", "a")
    add_cleanup(file.close)
    fcntl.flock(file, fcntl.LOCK_EX)


def plug_in(test):
    """A camera of 512 x 512 pixels of 8 bits whose picture grows brighter with exposure and gain. Gives what unplugs it."""
    camera = subprocess.Popen([CAMERA, "-i", "127.0.0.1", "-s", "GLINT1"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, stdin=subprocess.PIPE)

    def unplug():
        camera.kill()
        camera.wait()
        camera.stdin.close()
    test.addCleanup(unplug)
    return unplug
