"""Runs whose threads the system refuses: each ends with one sentence, whichever thread it is.

usage: refused_threads_test.py GLINT REFUSED_THREADS [unittest arguments]
"""

import os
import subprocess
import sys
import unittest

from harness import GLINT, TIMEOUT, Folder, preload

LIBRARY = preload(os.path.abspath(sys.argv.pop(1)))
SCENE = "synth:spots?size=64x48&markers=3&frames=20"
REFUSED = "glint: cannot start another thread: free some memory, or raise a limit (ulimit -u, ulimit -v)\n"


class RefusedThreads(Folder):
    def attack(self, *command):
        """Refuses the first thread, the second and so on, until the command needs no more of them."""
        refusals = 0
        for thread in range(1, 100):
            # A hang is ended as users end it; one that does not end then is a fault, too.
            result = subprocess.run(["timeout", "--signal=INT", str(TIMEOUT), GLINT, *command], cwd=self.dir, text=True,
                                    capture_output=True, timeout=2 * TIMEOUT,
                                    env={**os.environ, "LD_PRELOAD": LIBRARY, "REFUSE_THREAD": str(thread)})
            if result.returncode == 0 and not result.stderr:
                self.assertGreater(refusals, 0, "no thread was refused")
                return
            self.assertEqual((result.returncode, result.stderr), (1, REFUSED), (command, thread))
            refusals += 1
        self.fail("the command never ends well")

    def test_recordings(self):
        self.attack("track", SCENE, SCENE, SCENE, "--record", "raw.mkv", "--stats", "s.csv")

    def test_live_streams(self):
        self.glint("synth", "spots?size=64x48&markers=3&frames=20", "-o", "clip.mkv")
        self.attack("track", "clip.mkv", "clip.mkv", "--realtime", "--stream", "udp:127.0.0.1:9")

    def test_sweep(self):
        self.attack("sweep", SCENE, SCENE, "--over", "detect.separation=4:6:1")


if __name__ == "__main__":
    unittest.main()
