"""Pictures of the timeline, and of the state of playing."""

import shutil

from shots import Shots


class Timelines(Shots):
    def test_part(self):
        window = self.paused()
        window.until(lambda s: not s["tracking"], "tracked to its end")
        window.keys(*["Right"] * 30, "i", *["Right"] * 30, "o")
        window.until(lambda s: s["in"] == 30 and s.get("out") == 60 and s["whole"], "a part")
        window.move(*window.place("timeline", 0.5, 0.5))
        window.until(lambda s: "marker" in s.get("timeline_told", ""), "what is there")
        self.shoot(window, "timeline_told")
        window.move(*window.place("out"))
        self.shoot_opened(window, "timeline_out")
        x, y = window.place("timeline_edge")
        seen = window.state()["releases"]
        window.move(x, y)
        window.display.xdotool("mousedown", 1)
        for step in range(1, 6):
            window.move(x, y - 20 * step)
        window.let_go(1, seen)
        for _ in range(4):
            window.click("timeline", button=4, x=0.15)
        window.until(lambda s: s["time_shown"][1] < 200, "a part of the time")
        self.shoot_opened(window, "timeline_tall")
        window.quit()

    def test_provisional(self):
        window = self.paused("synth:dancer?size=640x480&frames=200000&seed=3")
        window.click("timeline", x=0.9)
        window.until(lambda s: s["frame"] > 100000 and s["provisional"] and not s["stale"], "what precedes it is being tracked")
        window.keys(*["Right"] * 5)
        window.until(lambda s: s["provisional"] and not s["stale"] and s["rows"], "tracks of their own")
        self.shoot_opened(window, "provisional")
        window.quit()

    def test_slow(self):
        window = self.paused("synth:dancer?size=1920x1080&frames=2000&seed=3", "--speed", "100")
        window.keys("space")
        window.until(lambda s: "s behind 100x: " in s["status"], "a speed that cannot be kept")
        self.shoot_opened(window, "slow", still=False)
        window.keys("space")
        window.quit()

    def test_end(self):
        window = self.paused()
        window.keys("End", "Left", "Left", "space")
        window.until(lambda s: s["mode"] == "at_end", "played to it")
        self.shoot(window, "at_end")
        window.quit()

    def test_vanished(self):
        self.glint("synth", "dancer?size=640x480&frames=60&seed=3&cameras=1", "-o", "frames")
        window = self.large("replay", "frames/", "--paused")
        self.unhinted(window)
        window.keys("Right", "Right", "Right")
        window.until(lambda s: s["frame"] == 3 and not s["stale"], "three steps")
        shutil.rmtree(self.dir / "frames")
        window.keys("space")
        window.until(lambda s: s["mode"] == "failed" and "toast:0" in s["widgets"], "it stops, and says why")
        self.shoot_opened(window, "vanished", still=False)
        window.quit(status=1)
