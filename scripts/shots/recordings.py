"""Pictures of the window on recordings, in the states that people see most."""

import subprocess

import shots
from shots import CAMERAS, CLIP, Shots


class Recordings(Shots):
    def test_first_start(self):
        window = self.large("replay", CLIP)
        window.until(lambda s: s["frame"] > 40, "it plays")
        self.shoot(window, "first_start")
        window.quit()

    def test_playing(self):
        window = self.paused()
        window.click("timeline", x=0.45)
        window.until(lambda s: 100 < s["frame"] < 200 and s["whole"], "in its midst")
        window.keys("space")
        window.until(lambda s: s["mode"] == "playing" and s["frame"] > 160, "it plays")
        window.keys("space")
        window.until(lambda s: s["mode"] == "paused" and not s["tracking"], "paused, and tracked to its end")
        for place in ((30, 600), (20, 660)):  # away from the timeline, whose tip would be in the picture
            drawn = window.state()["drawn"]
            window.move(*place)
            window.until(lambda s: s["drawn"] > drawn, "it has noticed")
        self.shoot(window, "playing")
        window.quit()

    def test_moving(self):
        """Makes a film of three seconds, with a picture of every fourth frame, at the speed of the recording."""
        window = self.paused()
        window.click("timeline", x=0.3)
        window.until(lambda s: 80 < s["frame"] < 100 and s["whole"], "where many are seen")
        window.move(30, 600)
        frame = window.state()["frame"]
        for number in range(45):
            window.picture(self.dir / f"{number:02}.png")
            window.keys(*["Right"] * 4)
            frame += 4
            window.until(lambda s: s["frame"] == frame and s["whole"], "four frames on")
        scaled = "fps=15,scale=800:-1:flags=area,split[a][b];[a]palettegen=max_colors=96:stats_mode=full[p];[b][p]paletteuse=dither=none"
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-framerate", "15", "-i", self.dir / "%02d.png", "-lavfi", scaled,
                        shots.SCREEN.folder / "moving.gif"], check=True)
        window.quit()

    def test_empty(self):
        window = self.paused()
        window.keys("ctrl+w")
        window.until(lambda s: s["empty"], "nothing is open")
        window.move(200, 700)
        self.shoot(window, "empty")
        window.keys("ctrl+o")
        window.until(lambda s: "open" in s["widgets"], "the chooser")
        self.shoot(window, "chooser")
        window.keys("Escape", "ctrl+q")
        window.ended()

    def test_rejected(self):
        window = self.paused(CLIP, "--set", "detect.min_significance=200")
        window.keys("c")
        self.go_to(window, "Limits")
        window.until(lambda s: any(name.startswith("rejected:") for name in s["widgets"]), "rejected ones")
        window.move(*window.place(next(name for name in window.state()["widgets"] if name.startswith("rejected:"))))
        window.until(lambda s: "tip" in s["widgets"], "its reason")
        self.shoot(window, "rejected")
        window.quit()

    def test_histogram_drag(self):
        window = self.paused()
        window.keys("c")
        self.go_to(window, "Limits")
        handle = self.reach(window, "handle:detect.min_significance")
        window.move(*handle)
        window.display.xdotool("mousedown", 1)
        for step in range(1, 8):
            window.move(handle[0] + 20 * step, handle[1])
        window.until(lambda s: s["applied"] and float(s["detect.min_significance"]) != 5, "another limit")
        self.shoot(window, "histogram_drag")
        window.display.xdotool("mouseup", 1)
        self.discard(window)

    def test_four_cameras(self):
        window = self.paused(*CAMERAS)
        self.go_to(window, "Sources")
        self.shoot(window, "four_cameras")
        window.quit()

    def test_recording(self):
        window = self.paused()
        window.keys("r", "space")
        window.until(lambda s: s["recording"] and s.get("recording_rows", 0) > 1000 and "lasts" in s["recording_room"], "it records")
        self.shoot(window, "recording")
        window.quit()

    def test_error(self):
        window = self.paused()
        window.keys("ctrl+o")
        window.click("source")
        window.display.xdotool("type", "--delay", "8", "nowhere.mkv")
        window.keys("Return")
        window.until(lambda s: "nowhere.mkv" in s.get("open_says", ""), "a word about it")
        self.shoot(window, "error")
        window.quit()

    def test_dialogs(self):
        window = self.paused()
        window.keys("i", *["Right"] * 20, "o", "ctrl+e")
        window.until(lambda s: "export_ok" in s["widgets"], "the export")
        self.shoot(window, "export")
        window.keys("Escape", "h")
        drawn = window.until(lambda s: s["help"], "the keys")["drawn"]
        window.until(lambda s: s["drawn"] > drawn + 2, "it has found its size")
        self.shoot(window, "keys")
        window.keys("Escape", "m")
        window.click("mask_brush")
        window.drag("camera0", (0.3, 0.3), (0.5, 0.35))
        window.until(lambda s: s["mask_ignored"] > 0, "painted")
        self.shoot(window, "mask")
        self.discard(window)

    def test_range(self):
        window = self.paused(CAMERAS[0])
        window.click("try_range")
        window.click("range1_setting")
        window.click("range_of:detect.threshold_sigma")
        window.until(lambda s: "range1_from" in s["widgets"], "two settings")
        window.click("range_try")
        window.until(lambda s: "range_frame" in s["widgets"], "they were tried")
        self.shoot(window, "range")
        window.keys("Escape")
        window.quit()

    def test_filters(self):
        window = self.paused(CLIP, "--filter", "low=gaussian:sigma=1.5", "--filter", "tophat=morphology:op=tophat")
        self.go_to(window, "Settings")
        self.reach(window, "filter_show:tophat")
        window.click("filter_show:tophat")
        window.move(*window.place("camera0"))
        window.until(lambda s: "filter_shown" in s["widgets"] and s["shows_filter"] == "tophat" and not s["stale"], "the output of one")
        self.shoot(window, "filters")
        window.quit()

    def test_marker(self):
        window = self.paused()
        window.click("timeline", x=0.45)
        window.until(lambda s: s["frame"] > 100 and s["whole"], "in its midst")
        self.go_to(window, "Times")
        window.keys("g", "u")
        window.keys(*["Right"] * 3)  # single steps, because a jump forgets where tracks were expected
        window.until(lambda s: s["expected"] > 0 and not s["stale"], "gates")
        window.click(min(name for name in window.state()["widgets"] if name.startswith("marker:")))
        window.until(lambda s: "selected" in s["widgets"], "its card")
        self.shoot(window, "marker")
        window.keys("Escape")
        window.until(lambda s: "selected" not in s["widgets"], "its card is gone")
        while (zoom := window.state()["zoom"]) <= 60:
            window.click("camera0", button=4, x=0.5, y=0.4)
            window.until(lambda s: s["zoom"] > zoom, "larger pixels")
        self.shoot(window, "pixels")
        window.quit()
