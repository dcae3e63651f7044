"""Pictures of space, and of the rig that it needs."""

from shots import Shots

FILMS = [f"film_cam{i}.mkv" for i in range(4)]
WANDS = [f"wand_cam{i}.mkv" for i in range(3)]


class Spaces(Shots):
    def test_space(self):
        self.glint("synth", "dancer?size=640x512&frames=40&seed=3", "-o", "film.mkv", "--rig", "rig.toml")
        window = self.large("replay", *FILMS, "--rig", "rig.toml", "--paused")
        self.unhinted(window)
        window.keys("End")
        state = window.until(lambda s: s["frame"] == 39 and not s["tracking"] and s["points"] and s["whole"], "its points")
        self.shoot(window, "space")
        places = {name: place for name, place in state["widgets"].items() if name.startswith("point:")}
        window.click(max(places, key=lambda name: places[name][0]))
        window.until(lambda s: "space_point" in s, "one is selected")
        window.keys("u")
        self.shoot_opened(window, "space_point")
        window.keys("Escape", "3")
        window.until(lambda s: "camera0" not in s["widgets"], "alone")
        self.shoot_opened(window, "space_alone")
        window.display.xdotool("keydown", "ctrl")
        places = {name: place for name, place in window.state()["widgets"].items() if name.startswith("point:")}
        order = sorted(places, key=lambda name: places[name])
        for count, name in enumerate((order[0], order[len(order) // 2], order[-1]), 1):
            window.click(name)
            window.until(lambda s: len(s["space_group"]) == count or count == 1, "one more point of a body")
        window.display.xdotool("keyup", "ctrl")
        self.shoot_opened(window, "learn_body")
        window.quit()

    def test_calibrate(self):
        self.glint("synth", "wand?cameras=3&size=640x512&frames=150&seed=4", "-o", "wand.mkv")
        window = self.large("replay", *WANDS, "--paused", "--speed", "max")
        self.unhinted(window)
        window.until(lambda s: s["frame"] == 0 and s["whole"] and s["mode"] == "paused", "the first frame")
        self.go_to(window, "Calibrate")
        self.shoot_opened(window, "calibrate_begin")
        window.click("calibrate_begin")
        window.until(lambda s: s["calibrating"], "it records")
        window.keys("space")
        window.until(lambda s: s["frame"] == 149 and s["calibrate_shared"] > 140 and not s["calibrate_solving"], "all was played")
        self.shoot(window, "calibrate_seen")
        window.click("calibrate_solve")
        window.until(lambda s: not s["calibrating"] and not s["calibrate_solving"] and s["calibrate_found"] > 120, "solved")
        self.shoot_opened(window, "calibrate_solved")
        window.click("calibrate_kind")
        window.click("choice:Printed board")
        window.until(lambda s: "calibrate_board" in s["widgets"], "another target")
        self.shoot_opened(window, "calibrate_board")
        window.quit()
