"""Live cameras in the window: their health, earlier frames, and what is kept.

usage: look_test.py GLINT FAKE_CAMERA_LIBRARY [unittest arguments]
"""

import collections
import unittest

from screen import WindowTest

import fake
import lamp
from harness import rows, wait_until


class Look(WindowTest):
    """Tests that count dropped frames or lost tracks use ten frames a second, which a busy machine can follow."""

    def opened(self, *specs, extra=()):
        return self.window("live", *[spec.split("?")[0] for spec in specs], *extra, env=fake.cameras(*specs))

    def live(self, *specs, extra=()):
        window = self.opened(*specs, extra=extra)
        window.until(lambda s: s["live"] and len(s["rows"]) == 3 * len(specs) and "live_badge" in s["widgets"], "all are live")
        return window

    def remember(self, window, seconds):
        """Sets how long frames stay in memory."""
        window.click("tab:Sources")
        window.click("value:recent_seconds")
        window.type(str(seconds))
        window.keys("Return")

    def test_a_pause_freezes_the_picture_while_capture_and_recording_go_on(self):
        window = self.live("/dev/video0?fps=30")
        window.keys("r")
        window.until(lambda s: s["recording"] and s["recent_seconds"] > 1, "it records, and a second is in memory")
        window.keys("space")
        snapshot = window.until(lambda s: s["looking"] and "to_live" in s["widgets"], "an earlier frame is shown")
        frame, processed, written = snapshot["frame"], snapshot["processed"], snapshot["recording_rows"]
        snapshot = window.until(lambda s: s["processed"] > processed + 30 and s["recording_rows"] > written + 60, "all goes on")
        self.assertEqual(snapshot["frame"], frame)
        self.assertEqual(snapshot["mode"], "playing")
        # A frame or two may have arrived between the key and the look at the state.
        self.assertLessEqual(frame, snapshot["recent_last"])
        # Steps and scrubbing work as in a recording.
        window.keys("Left", "Left")
        snapshot = window.until(lambda s: s["frame"] == frame - 2, "two steps back")
        self.assertEqual(snapshot["markers"], 3)
        self.assertFalse(snapshot["stale"])
        window.keys("Right")
        window.until(lambda s: s["frame"] == frame - 1, "one on")
        window.keys("Home")
        window.until(lambda s: s["frame"] == s["recent_first"], "the oldest")
        window.drag("timeline", (0.1, 0.5), (0.5, 0.5))
        snapshot = window.until(lambda s: s["recent_first"] < s["frame"] < s["recent_last"], "where it was dragged to")
        window.click("to_live")
        snapshot = window.until(lambda s: not s["looking"] and s["frame"] > processed, "live again")
        self.assertEqual(snapshot["health_marks"], [""])
        # Without frames in memory, the picture freezes as well.
        self.remember(window, 0)
        window.until(lambda s: "recent_last" not in s and s["live"], "nothing is in memory")
        window.keys("space")
        snapshot = window.until(lambda s: s["looking"] and "to_live" in s["widgets"], "the picture stands still")
        held, processed, written = snapshot["frame"], snapshot["processed"], snapshot["recording_rows"]
        snapshot = window.until(lambda s: s["processed"] > processed + 10 and s["recording_rows"] > written + 20, "all goes on")
        self.assertEqual((snapshot["frame"], snapshot["mode"], snapshot["markers"]), (held, "playing", 3))
        window.keys("space")
        snapshot = window.until(lambda s: not s["looking"] and s["frame"] > held + 10 and "recent_last" not in s, "live again")
        button, number = (snapshot["widgets"][name] for name in ("play", "frame_number"))
        self.assertGreater(number[0], button[0] + button[2] + 6)
        window.keys("r")
        snapshot = window.until(lambda s: not s["recording"], "it is recorded")
        window.quit()
        # Every frame that came while the picture stood still is in the file, except for those that a busy machine drops.
        table = rows(next(self.dir.glob("glint-*.csv")))
        frames = sorted({int(row["frame"]) for row in table})
        self.assertLessEqual(frames[-1] + 1 - frames[0] - len(frames), snapshot["dropped"])
        self.assertLess(frames[0], frame)
        self.assertGreater(frames[-1], frame + 20)

    def test_measures_follow_live_markers(self):
        window = self.live("/dev/video0?fps=10")
        for key, words in (("i", "only recordings have in and out points"), ("o", "only recordings have in and out points"),
                           ("l", "only recordings play again"), ("bracketright", "live cameras have no speed")):
            window.keys(key)
            snapshot = window.until(lambda s: words in s["said"], words)
            self.assertEqual((snapshot["in"], snapshot["loops"]), (0, False))
        window.until(lambda s: s["recent_seconds"] > 0.5, "no track is new in what is in memory last")
        window.keys("space")  # makes markers stay where they are clicked
        snapshot = window.until(lambda s: s["looking"], "an earlier frame")
        a, b = sorted(name for name in snapshot["widgets"] if name.startswith("marker:"))[:2]
        window.keys("d")
        window.click(a)
        window.click(b)
        name = f"{a.split(':')[1]} to {b.split(':')[1]}"
        snapshot = window.until(lambda s: [one[0] for one in s["measures"]] == [name], "a distance")
        self.assertRegex(snapshot["measures"][0][1], r"^[1-9][0-9.]* px$")
        frame = snapshot["frame"]
        window.keys("space")
        window.until(lambda s: not s["looking"] and s["frame"] > frame and s["measures"][0][1].endswith(" px"), "it goes on")
        window.quit()

    def test_an_earlier_frame_is_measured_again_when_settings_change(self):
        window = self.live("/dev/video0?fps=30", extra=["--set", "detect.max_markers=16"])
        window.until(lambda s: s["recent_seconds"] > 0.5, "some is in memory")
        window.keys("space")
        window.until(lambda s: s["looking"], "an earlier frame is shown")
        window.click("group:Detection")
        window.drag("set:detect.max_markers", (0.9, 0.5), (0.0, 0.5))
        window.until(lambda s: s["markers"] < 3 and s["applied"] and not s["stale"], "it is measured anew")
        window.keys("ctrl+z")
        window.until(lambda s: s["looking"] and s["markers"] == 3 and not s["unsaved"], "and as before")
        window.quit()

    def test_settings_are_proposed_from_frames_in_memory_and_used(self):
        window = self.window("live", "/dev/video0", "--set", "detect.threshold=0.95", env=fake.cameras("/dev/video0?fps=30"))
        window.until(lambda s: s["live"] and s["recent_seconds"] > 1, "some is in memory")
        window.click("propose")
        snapshot = window.until(lambda s: s["proposing"] and "proposed_picture" in s["widgets"], "something is proposed")
        self.assertRegex(snapshot["proposed"], r"^[1-5] frames: bright markers .*, 3 a frame\.$")
        window.click("propose_use")
        snapshot = window.until(lambda s: not s["proposing"] and s["applied"] and s["detect.threshold"] == '"auto"', "they are used")
        frame = snapshot["frame"]
        window.until(lambda s: s["live"] and s["frame"] > frame and s["markers"] == 3, "and it goes on")
        # Without frames in memory, the window says what to do.
        window.click("tab:Sources")
        window.drag("set:recent_seconds", (0.5, 0.5), (0.0, 0.5))
        window.until(lambda s: s["live"] and "recent_last" not in s, "nothing is in memory")
        window.click("tab:Settings")
        window.click("propose")
        window.until(lambda s: "no frame is in memory" in s["said"], "why it cannot")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_a_lamp_that_hides_dim_markers_is_told_and_ignored(self):
        (self.dir / "film").write_bytes(lamp.lamp_picture(1))
        window = self.opened(f"/dev/video0?fps=30&size={lamp.WIDTH}x{lamp.HEIGHT}&film=film")
        snapshot = window.until(lambda s: "banner_ignore" in s["widgets"], "a lamp hides dim ones")
        self.assertRegex(snapshot["banner"], r"^The large marker at \(160, 40\) raises the threshold above 2\d dimmer markers a frame\.$")
        window.click("banner_ignore")
        window.until(lambda s: s["applied"] and s["markers"] >= lamp.SPOTS and s["banner"] == "", "they are found without it")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_the_output_of_a_filter_is_shown_live_and_of_earlier_frames(self):
        window = self.live("/dev/video0?fps=30", extra=["--filter", "light=invert", "--filter", "back=invert"])
        corner = window.place("camera0", 0.5, 0.05)

        def shown():
            return window.pixels(*corner, 1, 1, now=True)[0][0][0]
        window.until(lambda s: shown() < 100, "the image")
        window.click("filter_show:light")
        window.until(lambda s: s["shows_filter"] == "light" and shown() > 200, "the negative")
        frame = window.state()["frame"]
        window.until(lambda s: s["frame"] > frame + 10 and s["markers"] == 3 and shown() > 200, "it goes on")
        window.keys("space")
        window.until(lambda s: s["looking"], "an earlier frame")
        window.click("filter_show:back")
        window.until(lambda s: s["shows_filter"] == "back" and shown() < 100, "another one's of it")
        window.keys("Escape")
        window.until(lambda s: s["shows"] == "Source" and s["looking"] and s["markers"] == 3, "the source")
        window.quit()

    def test_the_last_seconds_are_saved_and_give_the_same_detections(self):
        window = self.live("/dev/video0?fps=30", "/dev/video1?fps=30&size=64x48")
        self.remember(window, 3)
        window.until(lambda s: 1 < s["recent_seconds"] < 4, "they are in memory")
        window.keys("space")
        snapshot = window.until(lambda s: s["looking"], "an earlier frame is shown")
        window.keys("ctrl+l")
        window.until(lambda s: "saved the last" in s["toasts"] and "_cam0.mkv, and one of each other camera" in s["toasts"], "they are saved")
        snapshot = window.state()
        count = snapshot["recent_last"] - snapshot["recent_first"] + 1
        window.quit()
        files = sorted(self.dir.glob("glint-*.mkv"))
        self.assertEqual(len(files), 2)
        self.glint("track", *files, "--detections", "d.csv", "--stats", "s.csv", "-o", "again.csv")
        # The cameras are not synchronised: a set may lack a frame of one, whose file then has one frame less.
        for camera in "01":
            frames = [row["frame"] for row in rows(self.dir / "s.csv") if row["camera"] == camera]
            markers = collections.Counter(row["frame"] for row in rows(self.dir / "d.csv") if row["camera"] == camera)
            self.assertEqual(markers, dict.fromkeys(frames, 3))
            self.assertLessEqual(len(frames), count)
            self.assertGreater(len(frames), 0.8 * count)

    def test_lights_tell_how_cameras_fare(self):
        (self.dir / "plug").touch()
        window = self.live("/dev/video0?fps=10", "/dev/video1?fps=10&file=plug")
        self.remember(window, 60)  # long enough that its last frame is still in memory on a slow machine
        (self.dir / "plug").unlink()
        snapshot = window.until(lambda s: s["health"] == ["green", "lost"] and s["health_words"][1].startswith("lost since ")
                                and len({row[0] for row in s["rows"]}) == 1, "one is lost")
        x, y, width, height = snapshot["widgets"]["camera1"]
        tiles = []
        for _ in range(2):
            snapshot = window.until(lambda s: s["frame"] > snapshot["frame"] + 1, "the other goes on")
            tiles.append(window.shown(x + 20, y + height * 0.2, width - 40, height / 2))  # no message covers this part
        self.assertEqual(window.state()["health"][1], "lost")
        self.assertEqual(tiles[0], tiles[1], "its last picture stands still")
        self.assertGreater(max(tiles[0]), 40, "and holds its markers, wherever they are")
        window.keys("space")
        snapshot = window.until(lambda s: s["looking"] and not s["stale"] and s["said"] == "", "an earlier frame, without it")
        self.assertEqual(window.shown(x + 20, y + height * 0.2, width - 40, height / 2), tiles[0], "the same there")
        window.keys("space")
        (self.dir / "plug").touch()
        snapshot = window.until(lambda s: s["health"][1] == "green" and s["health_marks"][1].startswith("was lost from "), "it is back, and that stays")
        self.assertEqual(snapshot["health_marks"][0], "")
        window.click("seen:1")
        window.until(lambda s: s["health_marks"] == ["", ""], "it was taken note of")
        window.quit()

    def test_a_slower_camera_keeps_its_markers_between_its_frames(self):
        window = self.live("/dev/video0?fps=30", "/dev/video1?fps=5")
        seen, drawn = [], set()
        while len(drawn) < 30:
            state = window.state()
            if state.get("drawn") not in drawn and "rows" in state:
                drawn.add(state["drawn"])
                seen.append((len(state["rows"]), sorted({row[0] for row in state["rows"]})))
        self.assertEqual(set(map(str, seen)), {str((6, [0, 1]))})
        self.assertIn("6 markers, 6 tracks", window.until(lambda s: s["status"], "the status")["status"])
        window.keys("space")
        window.until(lambda s: s["looking"] and len(s["rows"]) == 6, "also while it is paused")
        window.quit()

    def test_a_lost_camera_alone_is_not_called_live(self):
        (self.dir / "plug").touch()
        window = self.live("/dev/video0?fps=10&file=plug", "/dev/video1?fps=30&unplug=120:600")
        window.until(lambda s: s["health"] == ["green", "lost"] and "live_badge" in s["widgets"], "the other one is live")
        window.double_click("camera1")
        window.until(lambda s: "camera1" in s["widgets"] and "camera0" not in s["widgets"] and "live_badge" not in s["widgets"], "an old picture")
        window.double_click("camera1")
        window.until(lambda s: "camera0" in s["widgets"] and "live_badge" in s["widgets"], "both")
        (self.dir / "plug").unlink()
        window.until(lambda s: s["health"] == ["lost", "lost"] and "live_badge" not in s["widgets"], "none is left that is live")
        window.quit()

    def test_the_picture_of_a_lost_camera_is_dimmed_and_says_since_when(self):
        (self.dir / "plug").touch()
        window = self.live("/dev/video0?fps=10&file=plug")
        x, y, width, height = window.state()["widgets"]["camera0"]
        part = x + 20, y + height * 0.2, width - 40, height * 0.6

        def brightest():
            return max(max(pixel) for row in window.pixels(*part, now=True) for pixel in row)
        before = brightest()
        (self.dir / "plug").unlink()
        snapshot = window.until(lambda s: s["health"] == ["lost"] and "lost:0" in s["widgets"], "it is lost")
        left, top, wide, high = snapshot["widgets"]["lost:0"]
        self.assertTrue(left <= x + width / 2 <= left + wide and top <= y + height / 2 <= top + high, "across its middle")
        outside = [pixel for row in window.pixels(x + 20, y + height * 0.2, width - 40, top - y - height * 0.2 - 2) for pixel in row]
        self.assertLess(max(max(pixel) for pixel in outside), 0.6 * before)
        window.quit()

    def test_a_light_tells_of_dropped_and_of_late_frames(self):
        # At 3 frames a second, the camera is late for more than five seconds before it counts as lost.
        window = self.opened("/dev/video0?fps=10&halved=halved", "/dev/video1?fps=3&held=held")
        window.until(lambda s: s["health"] == ["green", "green"], "all is well")
        (self.dir / "halved").touch()
        window.until(lambda s: s["health"][0] == "dropping" and "dropping frames" in s["health_words"][0] and s["dropped"] >= 11, "frames are dropped")
        (self.dir / "halved").unlink()
        window.until(lambda s: s["health"][0] == "green", "no more")
        (self.dir / "held").touch()
        window.until(lambda s: s["health"][1] == "late", "nothing comes")
        (self.dir / "held").unlink()
        window.until(lambda s: s["health"] == ["green", "green"], "it goes on")
        window.quit()

    def test_sources_tell_the_same_as_the_lights(self):
        (self.dir / "plug").touch()
        window = self.opened("/dev/video0?fps=10&file=plug", "/dev/video1?fps=3&held=held")
        window.click("tab:Sources")

        def same(s):
            for camera, (words, mark) in enumerate(zip(s["health_words"], s["health_marks"])):
                self.assertEqual((s["words"][f"health:{camera}"], s["words"].get(f"mark:{camera}", "")), (words, mark))
            return s["words"]
        snapshot = window.until(lambda s: same(s) and s["health"] == ["green", "green"] and "source:1:rate" in s["words"], "both send")["words"]
        for camera in "01":
            self.assertRegex(snapshot[f"source:{camera}:rate"], r"^\d+\.\d\d /s$")
        self.assertRegex(snapshot["session:rate"], r"^\d+\.\d /s$")
        (self.dir / "held").touch()
        snapshot = window.until(lambda s: same(s) and s["health"][1] == "late", "nothing comes of one")["words"]
        self.assertRegex(snapshot["health:1"], r"^late: nothing for \d+\.\d s$")
        (self.dir / "plug").unlink()
        snapshot = window.until(lambda s: same(s) and s["health"][0] == "lost", "the other one is lost")["words"]
        self.assertRegex(snapshot["health:0"], r"^lost since \d\d:\d\d:\d\d$")
        (self.dir / "plug").touch()
        snapshot = window.until(lambda s: same(s) and s["health_marks"][0], "it is back")["words"]
        self.assertRegex(snapshot["mark:0"], r"^was lost from \d\d:\d\d:\d\d to \d\d:\d\d:\d\d$")
        window.quit()

    def test_the_band_tells_of_markers_and_tracks(self):
        window = self.live("/dev/video0?fps=30")
        snapshot = window.until(lambda s: s["band_tracks"] == 3 and s["band_most"] == 3 and s["frame"] > 20, "the band has counts and tracks")
        # The band has counts above and a line for each track below, up to the newest frame at the right edge.
        x, y, width, height = snapshot["widgets"]["band"]

        def colours():
            return {row[0] for row in window.pixels(x + width - 40, y, 30, height, now=True)}
        wait_until(lambda: len(colours()) == 5, "background, counts, and three tracks")
        window.quit()

    def test_cameras_that_run_freely_are_seen_together(self):
        window = self.live("/dev/video0?fps=30&trigger=1", "/dev/video1?fps=30&trigger=1&phase=0.016")
        window.until(lambda s: s["band_tracks"] >= 6 and s["band_most"] == 6 and s["frame"] > 20, "both are in the band")
        together = {}

        def watched(s):
            together[s["frame"]] = len({row[0] for row in s["rows"]}) == 2
            return len(together) >= 30
        window.until(watched, "thirty pictures")
        # A busy machine may deliver some frames late.
        self.assertGreater(sum(together.values()), 20, together)
        window.double_click("camera1")
        window.until(lambda s: "camera0" not in s["widgets"] and s["band_most"] == 3, "one alone has its own")
        window.quit()


if __name__ == "__main__":
    unittest.main()
