"""Pictures of the tabs at the right, of their lists and explanations."""

from shots import CAMERAS, CLIP, Shots


class Panels(Shots):
    def test_tabs(self):
        window = self.paused()
        window.click("timeline", x=0.45)
        window.until(lambda s: s["frame"] > 100 and s["whole"] and not s["tracking"], "in its midst")
        for tab in ("Limits", "Drawing", "Mask", "Times", "Sources", "Log"):
            self.go_to(window, tab)
            self.shoot_opened(window, f"tab_{tab.lower()}")
        window.quit()

    def test_groups(self):
        window = self.paused(CLIP, "--set", "detect.max_radius=9", "--set", "track.gate=5")
        self.reach(window, "group:Limits of markers")
        window.click("group:Limits of markers")
        self.reach(window, "label:detect.max_radius")
        window.click("side", button=5, x=0.1)
        self.shoot_opened(window, "group_limits")
        window.click("search_settings")
        window.type("threshold")
        window.click("auto:detect.threshold")
        window.until(lambda s: s["detect.threshold"] != '"auto"' and s["applied"], "fixed")
        window.move(*window.place("label:detect.threshold_sigma"))
        window.until(lambda s: s.get("explained") == "detect.threshold_sigma" and s["why_grey"], "why it has no effect")
        self.shoot_opened(window, "setting_unused")
        window.click("search_clear")
        window.move(*window.place("undo"))
        self.shoot_rested(window, "undo")
        self.discard(window)

    def test_choices(self):
        window = self.paused()
        window.click("set:detect.method")
        window.until(lambda s: "choice:blobs" in s["widgets"], "the list")
        self.shoot_opened(window, "choices")
        window.keys("Escape")
        window.until(lambda s: "choice:blobs" not in s["widgets"], "closed")
        window.click("speed")
        window.until(lambda s: "choice:2x" in s["widgets"], "the list")
        self.shoot_opened(window, "speeds")
        window.keys("Escape")
        window.quit()

    def test_filter_list(self):
        window = self.paused()
        self.reach(window, "filters")
        window.click("filters")
        self.reach(window, "add_filter")
        window.click("add_filter")
        window.until(lambda s: "search_filters" in s["widgets"] and "add:median" in s["widgets"], "all of them")
        self.shoot_opened(window, "filter_list")
        window.type("noise")
        window.until(lambda s: "add:average" not in s["widgets"], "those sought")
        self.shoot_opened(window, "filter_search")
        window.keys("Escape", "Escape")
        window.quit()

    def test_filter_chain(self):
        window = self.paused(CLIP, "--filter", "low=gaussian:sigma=1.5", "--filter", "light=average", "--filter", "tophat=morphology:op=tophat")
        self.go_to(window, "Settings")
        window.keys("Right", "Right")
        window.until(lambda s: s["frame"] == 2 and "light mean" in s["filter_numbers"] and not s["stale"], "its number")
        self.reach(window, "filter_up:tophat")
        window.move(*window.place("filter_up:tophat"))
        self.shoot_rested(window, "filter_chain")
        self.reach(window, "filter:low")
        window.click("filter:low")
        window.until(lambda s: "filter.low.use" not in s and s["applied"], "one is off")
        self.shoot_opened(window, "filter_off")
        self.discard(window)

    def test_progress(self):
        window = self.paused("synth:dancer?size=1920x1080&frames=2000&seed=3")
        window.click("propose")
        window.until(lambda s: s["proposing"], "the dialog")
        self.shoot_opened(window, "propose_progress", still=False)
        window.keys("Escape")
        window.until(lambda s: not s["proposing"], "given up")
        window.click("try_range")
        window.click("range_try")
        window.until(lambda s: "range_progress" in s["widgets"], "it runs")
        self.shoot_opened(window, "range_progress", still=False)
        window.keys("Escape")
        window.until(lambda s: not s["ranging"], "given up")
        window.quit()

    def test_range_problem(self):
        window = self.paused(CAMERAS[0])
        window.click("label:detect.separation", button=3)
        window.until(lambda s: "try_range:detect.separation" in s["widgets"], "its menu")
        self.shoot_opened(window, "setting_menu")
        window.click("try_range:detect.separation")
        for name, value in (("range0_from", "9"), ("range0_to", "3")):
            window.click(name)
            window.type(value)
            window.keys("Return")
        window.click("range_try")
        window.until(lambda s: "range_problem" in s["widgets"], "it says so")
        self.shoot_opened(window, "range_problem")
        window.keys("Escape")
        window.quit()

    def test_looks(self):
        """Shows the window without panels, with larger text, and with many markers close together."""
        window = self.paused()
        window.keys("Tab")
        window.until(lambda s: not s["side"], "the image alone")
        self.shoot_opened(window, "no_panels")
        usual = window.state()["letters"]
        window.keys("Tab", *["ctrl+plus"] * 3)
        window.until(lambda s: s["side"] and s["letters"] > usual, "larger text")
        self.shoot_opened(window, "larger_text")
        window.keys("ctrl+0")
        window.until(lambda s: s["letters"] == usual, "usual text")
        window.quit()
        window = self.paused("synth:spots?size=640x480&markers=400&frames=4&seed=2", "--set", "track.confirm=1", "--set", "detect.max_markers=512")
        window.keys("Right", "Right")
        window.until(lambda s: s["frame"] == 2 and not s["stale"] and len(s["labels"]) > 100, "numbers")
        self.shoot_opened(window, "crowd")
        window.quit()
