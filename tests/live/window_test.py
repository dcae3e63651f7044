"""The window on live cameras, which fake_camera.cpp makes beneath it.

usage: window_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import json
import unittest

from screen import WindowTest

import fake
from boards import BOARD, film


class Panel(WindowTest):
    def exposures(self):
        """Returns the exposures of the frames that the camera delivered."""
        return [int(line.split(",")[-1]) for line in self.text("log").splitlines()]

    def test_exposure_is_found_by_a_key_set_by_hand_saved_and_restored(self):
        # Markers reach full scale from an exposure of 400 on, and everything else is 0.04 + 0.1 / 400 of it. So both are as
        # they should be from 140 to 240.
        camera = "/dev/video0?fps=30&exposure=3200&ambient=0.1"
        window = self.window("replay", "synth:spots?size=64x48&markers=1&frames=3", "--paused", env=fake.cameras(camera + "&log=log"))
        window.keys("ctrl+o")
        window.click("source")
        window.type("/dev/video0")
        window.keys("Return")
        window.until(lambda s: s.get("sources") == ["/dev/video0"] and s.get("mode") == "playing" and s.get("frame", 0) > 2,
                     "it plays, although what was shown before was paused")
        snapshot = window.until(lambda s: "label:track.stitch_gap" in s["widgets"] and s["applied"], "the settings")
        self.assertNotIn("reset:track.stitch_gap", snapshot["widgets"], "nobody has changed it")
        window.keys("e")
        window.until(lambda s: "exposure changed from 320 ms" in s["toasts"] and s["unread"] == 0, "that is told, and is no warning", passing=True)
        window.until(lambda s: "exposure changed from 320 ms" in s["last_line"] and s["markers"] == 3, "an exposure was found")
        found = self.exposures()
        self.assertTrue(140 <= found[-1] <= 240, found[-1])
        self.assertEqual(found, sorted(found, reverse=True))
        window.click("tab:Sources")
        window.click("set:control:0:exposure", x=0.9)

        def chosen(s):
            return int(s["camera.0.exposure"].strip('"'))
        snapshot = window.until(lambda s: chosen(s) > 400 and s["applied"], "an exposure was chosen")
        window.until(lambda s: self.exposures()[-1] == chosen(s), "the camera has it")
        snapshot = window.state()
        window.keys("ctrl+s")
        window.until(lambda s: not s["unsaved"] and (self.dir / "glint.toml").exists(), "it is saved")
        window.quit()
        self.assertIn('0.id = "Fake Camera 0, usb-fake-1"', self.text("glint.toml"))
        self.glint("track", "/dev/video1", "/dev/video0", "--config", "glint.toml", "--set", "camera.exposure=", "--frames", 3,
                   env=fake.cameras(camera, "/dev/video1?exposure=50"))
        given = [camera["given"]["control.exposure"] for camera in json.loads(self.text("tracks.json"))["cameras"]]
        self.assertEqual(given, ["50", str(chosen(snapshot))])


class Boards(WindowTest):
    def test_a_board_shown_to_live_cameras_is_solved_and_kept(self):
        window = self.window("live", "/dev/video0", "/dev/video1", env=fake.cameras(*film(self)))
        window.keys("h", "Escape")
        window.until(lambda s: s["mode"] == "playing" and s["frame"] > 2, "it plays")
        window.click("tab:Calibrate")
        window.click("calibrate_kind")
        window.click("choice:Printed board")
        window.until(lambda s: "calibrate_board" in s["widgets"], "it asks for the board")
        window.click("calibrate_begin")
        window.until(lambda s: s["calibrating"], "it records")
        window.until(lambda s: s["calibrate_shared"] >= 15 and s["calibrate_grade"], "the board is seen, and solved meanwhile")
        window.click("calibrate_solve")
        state = window.until(lambda s: not s["calibrating"] and not s["calibrate_solving"] and s["calibrate_found"] >= 15, "solved")
        self.assertEqual(state["calibrate_problem"], "")
        window.click("calibrate_keep")
        window.until(lambda s: (self.dir / "rig.json").exists() and "rig.toml" in s["toasts"], "it is kept")
        self.assertIn(BOARD, self.text("rig.toml"))
        window.quit()


if __name__ == "__main__":
    unittest.main()
