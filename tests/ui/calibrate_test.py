"""Calibration in the window: a wand in recordings of several cameras, from the first frame to the 3D view with the new
rig."""

import json
import unittest

from screen import VALIDATED, WindowTest  # imported first, because it adds the folder of the harness to the path

CAMERAS = [f"wand_cam{i}.mkv" for i in range(3)]


class Calibrating(WindowTest):
    def setUp(self):
        super().setUp()
        self.glint("synth", "wand?cameras=3&size=640x512&frames=150&seed=4", "-o", "wand.mkv")

    def begun(self):
        window = self.window("replay", *CAMERAS, "--paused", "--speed", "max", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused", "the first frame")
        window.click("tab:Calibrate")
        window.click("calibrate_begin")
        window.until(lambda s: s["calibrating"], "it records")
        return window

    def test_from_the_wand_to_space(self):
        window = self.begun()
        window.until(lambda s: "calibrate_waits" in s["widgets"], "nothing is recorded before it plays, and that is said")
        window.keys("space")
        window.until(lambda s: "calibrate_grade" in s and s["calibrating"], "a first figure while it is moved")
        window.until(lambda s: s["frame"] == 149 and s["calibrate_shared"] > 140 and not s["calibrate_solving"], "all was played")
        window.click("calibrate_solve")
        state = window.until(lambda s: not s["calibrating"] and not s["calibrate_solving"] and s["calibrate_found"] > 120, "solved")
        self.assertEqual(state["calibrate_problem"], "")
        self.assertLess(state["calibrate_error"], 0.3)
        self.assertEqual(state["calibrate_grade"], "excellent")
        self.assertIn(state["calibrate_coverage"], ("fair", "poor"))  # the markers cover little of the images
        window.display.xdotool("windowsize", window.number(), 800, 500)
        places = window.until(lambda s: (s["width"], s["height"]) == (800, 500) and "calibrate_keep" in s["widgets"], "a small window")["widgets"]
        side, keep = places["side"], places["calibrate_keep"]
        self.assertLess(keep[1] + keep[3], side[1] + side[3], "in sight")
        window.click("calibrate_keep")
        window.until(lambda s: (self.dir / "rig.toml").exists() and "rig.toml" in s["toasts"], "it is kept")
        self.glint("rig", "rig.toml")
        self.assertEqual(len(json.loads((self.dir / "rig.json").read_text())["cameras"]), 3)
        window.click("calibrate_show")  # the name is taken
        window.until(lambda s: "there already" in s["toasts"], "why not")
        (self.dir / "rig.toml").unlink()
        (self.dir / "rig.json").unlink()
        window.click("calibrate_show")
        window.until(lambda s: "space" in s["widgets"] and len(s["points"]) >= 2, "space, with the wand's ends")
        window.quit()

    def test_a_board_in_recordings(self):
        self.glint("synth", "board?frames=30", "-o", "board.mkv")
        window = self.window("replay", "board_cam0.mkv", "board_cam1.mkv", "--paused", "--speed", "max", *VALIDATED)
        window.keys("h", "Escape")
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused", "the first frame")
        window.click("tab:Calibrate")
        window.click("calibrate_kind")
        window.click("choice:Printed board")
        window.click("calibrate_board")
        window.keys("ctrl+a")
        window.type("charuco:5x7")
        window.click("calibrate_begin")
        window.until(lambda s: "write charuco" in s["toasts"] and not s["calibrating"], "what is missing")
        window.click("calibrate_board")
        window.keys("End")
        window.type(":40mm:30mm:DICT_4X4_50")
        window.click("calibrate_begin")
        window.until(lambda s: s["calibrating"], "it records")
        window.keys("Escape", "space")
        window.until(lambda s: s["frame"] == 29 and s["calibrate_shared"] >= 5, "all was played")
        window.click("calibrate_solve")
        state = window.until(lambda s: not s["calibrating"] and not s["calibrate_solving"] and s["calibrate_found"] >= 5, "solved")
        self.assertEqual(state["calibrate_problem"], "")
        self.assertLess(state["calibrate_error"], 0.3)
        window.click("calibrate_keep")
        window.until(lambda s: (self.dir / "rig.json").exists() and "rig.toml" in s["toasts"], "it is kept")
        window.quit()

    def test_what_does_not_suffice_is_said(self):
        window = self.begun()
        for frame in (1, 2, 3):
            window.keys("Right")
            window.until(lambda s: s["frame"] == frame, "a frame on")
        window.until(lambda s: s["calibrate_shared"] >= 3, "it is recorded")
        window.click("calibrate_solve")
        state = window.until(lambda s: not s["calibrating"] and s["calibrate_problem"], "why it is not solved")
        self.assertNotIn("calibrate_grade", state)
        self.assertNotIn("calibrate_keep", state["widgets"])
        window.quit()

    def test_one_camera(self):
        window = self.window("replay", CAMERAS[0], "--paused")
        window.keys("h", "Escape")
        state = window.until(lambda s: "tab:Times" in s["widgets"], "the tabs are there")
        self.assertNotIn("tab:Calibrate", state["widgets"])
        window.quit()


if __name__ == "__main__":
    unittest.main()
