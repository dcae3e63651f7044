"""GigE Vision: the real program with the camera that Aravis simulates on loopback.

usage: gige_test.py GLINT [unittest arguments]
"""

import json
import math
import os
import statistics
import subprocess
import unittest

import gige
from harness import TIMEOUT, Folder, asking, rows, wait_until

# Memory that GLib and Aravis keep at the end is not Glint's.
QUIET = {"ASAN_OPTIONS": "detect_leaks=0"}


def setUpModule():
    gige.lock(unittest.addModuleCleanup)


@unittest.skipUnless(gige.CAMERA, "aravis-tools simulates the camera")
class Gige(Folder):
    def track(self, *arguments, **keywords):
        return self.glint("track", "gige:127.0.0.1", "--stats", "s.csv", *arguments, env=QUIET, **keywords)

    def wait_for_camera(self):
        wait_until(lambda: self.glint_status("--frames", "1") == 0, "a camera that answers")

    def glint_status(self, *arguments):
        try:
            self.track(*arguments)
            return 0
        except AssertionError:
            return 1

    def test_frames_are_numbered_timed_and_exposed(self):
        gige.plug_in(self)
        self.wait_for_camera()
        brightness = {}
        for exposure in ("2000", "8000"):
            self.track("--frames", "20", "--set", f"camera.exposure={exposure}", "--set", "camera.rate=20")
            record = json.loads(self.text("tracks.json"))
            given = record["cameras"][0]["given"]
            self.assertEqual([given["pixel_format"], given["size"], given["rate"], given["control.exposure"]],
                             ["Mono8", "512x512", "20", exposure])
            stats = rows(self.dir / "s.csv")
            brightness[exposure] = float(stats[-1]["mean"])
            self.assertEqual(len(stats), 20)
            dropped = 0
            if record["cameras"][0]["times_lost"] > 0:
                print(f"exposure {exposure}: the camera was away meanwhile, so its numbers are not compared")
                continue  # on a machine that does not answer in time, the camera gives up and counts anew
            for before, row in zip(stats, stats[1:]):
                step = int(row["source_frame"]) - int(before["source_frame"])
                self.assertEqual(int(row["dropped_before"]), step - 1)
                self.assertGreater(float(row["time_s"]), float(before["time_s"]))
                dropped += step - 1
            self.assertEqual(record["counts"]["dropped"], dropped + int(stats[0]["dropped_before"]))
        for exposure, mean in brightness.items():
            self.assertAlmostEqual(mean, self.mean_at(float(exposure)), delta=3)

    @staticmethod
    def mean_at(exposure):
        """Returns the mean of a ramp from 0 to 254 times 1 + log10(exposure / 10000 us), cut to whole levels, which is
        Aravis' picture."""
        return statistics.mean(int(value * (1 + math.log10(exposure / 10000))) for value in range(255))

    def test_exposure_is_changed_while_it_runs(self):
        gige.plug_in(self)
        self.wait_for_camera()
        glint = self.start("track", "gige:127.0.0.1", "--stats", "s.csv", "--control", "-", "--set", "camera.exposure=2000",
                           stdin=subprocess.PIPE, env={**os.environ, **QUIET})
        ask = asking(glint)

        def is_as_bright_as_at(exposure):
            stats = rows(self.dir / "s.csv") if (self.dir / "s.csv").exists() else []
            return len(stats) > 0 and stats[-1]["mean"] and abs(float(stats[-1]["mean"]) - self.mean_at(exposure)) < 3
        wait_until(lambda: is_as_bright_as_at(2000), "frames of the first exposure")
        self.assertTrue(ask(do="set", settings={"camera.exposure": 8000})["ok"])
        wait_until(lambda: is_as_bright_as_at(8000), "frames of the second exposure")
        ask(do="quit")
        _, errors = glint.communicate(timeout=TIMEOUT)
        self.assertEqual(glint.returncode, 0, errors)

    def test_it_is_listed_with_what_it_offers(self):
        gige.plug_in(self)
        self.wait_for_camera()
        cameras = json.loads(self.glint("cameras", "gige:GLINT1", "--json", env=QUIET).stdout)["cameras"]
        self.assertEqual([camera["name"] for camera in cameras], ["Aravis Fake"])
        camera = cameras[0]
        self.assertEqual((camera["path"], camera["bus"], camera["problem"]), ("127.0.0.1", "GLINT1", None))
        modes = {mode["format"]: mode for mode in camera["modes"]}
        self.assertEqual((modes["Mono8"]["usable"], modes["Mono8"]["width"], modes["Mono8"]["height"]), (True, 2048, 2048))
        exposure = next(control for control in camera["controls"] if control["name"] == "exposure")
        self.assertEqual(exposure["unit"], "us")
        self.assertLess(exposure["min"], exposure["max"])
        # The camera can be read by its name in the list.
        self.glint("track", camera["source"], "--frames", "3", env=QUIET)

    def test_what_cannot_be_had_is_refused_in_a_sentence(self):
        unplug = gige.plug_in(self)
        self.wait_for_camera()
        for setting, words in (("camera.format=Mono77", "has no Mono77 that Glint can read; it has "),
                               ("camera.exposure=long", "'long' is not a number"),
                               ("camera.focus=3", "set its features by their own names"),
                               ("camera.size=big", "'big' is not a size")):
            self.assertIn(words, self.track("--frames", "1", "--set", setting, status=2).stderr)
        unplug()
        self.assertIn("there is no camera 'gige:127.0.0.1'", self.track("--frames", "1", status=1).stderr)

    def test_one_that_goes_comes_back(self):
        unplug = gige.plug_in(self)
        self.wait_for_camera()
        glint = self.start("track", "gige:127.0.0.1", "--stats", "live.csv")

        def frames():
            return len(rows(self.dir / "live.csv")) if (self.dir / "live.csv").exists() else 0
        wait_until(lambda: frames() > 5, "frames")
        unplug()
        before = frames()
        gige.plug_in(self)
        wait_until(lambda: frames() > before + 10, "frames of the camera that is back")
        glint.terminate()
        _, errors = glint.communicate(timeout=TIMEOUT)
        self.assertIn("camera 0 is lost: 'gige:127.0.0.1'", errors)
        self.assertIn("'gige:127.0.0.1' is back", errors)


if __name__ == "__main__":
    unittest.main()
