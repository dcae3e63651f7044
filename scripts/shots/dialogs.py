"""Pictures of dialogs, menus and the window's messages."""

from shots import CAMERAS, CLIP, Shots


class Dialogs(Shots):
    def test_open(self):
        self.glint("synth", "dancer?size=320x240&frames=4&seed=5&cameras=1", "-o", "walk.mkv")
        (self.dir / "shots").mkdir()
        window = self.paused()
        window.keys("ctrl+o")
        window.click("source")
        window.type(f"{self.dir}/")
        window.keys("Return")
        window.click("entry:walk.mkv")
        self.shoot_opened(window, "open_file")
        window.click("source")
        window.type("nowhere.mkv")
        window.keys("Return")
        window.until(lambda s: "nowhere.mkv" in s.get("open_says", ""), "a word about it")
        self.shoot(window, "open_problem")
        window.quit()

    def test_welcome(self):
        (self.dir / "bad.mp4").write_text("no video\n")
        window = self.large("replay", "bad.mp4", shows=False)
        window.until(lambda s: s["empty"] and "toast:0" in s["widgets"], "why nothing is open")
        self.shoot_opened(window, "welcome_error", still=False)
        window.keys("ctrl+q")
        window.ended(status=1)

    def test_presets(self):
        window = self.paused()
        window.click("presets")
        for name in ("dim lab", "sunlight"):
            window.click("preset_name")
            window.type(name)
            window.keys("Return")
            window.until(lambda s: f"preset:{name}" in s["widgets"], "it is saved")
        window.click("preset_x:dim lab")
        window.click("preset_name")
        window.type("../lab")
        window.keys("Return")
        window.until(lambda s: "preset_problem" in s["widgets"], "no name for a file")
        self.shoot_opened(window, "presets")
        window.keys("Escape")
        window.until(lambda s: "preset_name" not in s["widgets"], "closed")
        window.quit()

    def test_propose(self):
        window = self.paused(CLIP, "--set", "detect.threshold=0.95")
        window.click("propose")
        window.until(lambda s: s["proposing"] and s["proposed"] and "proposed_picture" in s["widgets"], "something is proposed")
        self.shoot(window, "propose")
        window.keys("Escape")
        window.until(lambda s: not s["proposing"], "given up")
        window.quit()

    def test_log_and_messages(self):
        window = self.paused(CLIP, "--set", "detect.max_markers=8")
        window.until(lambda s: s["banner"], "the cap is told")
        self.shoot_opened(window, "banner")
        window.keys("r")
        window.until(lambda s: s["recording"], "it records")
        window.keys("Right", "Right", "r")
        window.until(lambda s: not s["recording"] and "glint-" in s["toasts"] and "toast:0" in s["widgets"], "what was recorded")
        self.go_to(window, "Log")
        self.shoot_opened(window, "log")
        window.quit()

    def test_exporting(self):
        window = self.large("replay", "synth:dancer?size=320x240&frames=100000&seed=3", "--paused")
        self.unhinted(window)
        window.keys("ctrl+e")
        window.click("export_ok")
        window.until(lambda s: s["exporting"] and "export_cancel" in s["widgets"], "it is exported")
        self.shoot_opened(window, "export_running")
        window.keys("ctrl+q")
        window.until(lambda s: "export_leave" in s["widgets"], "it asks")
        self.shoot_opened(window, "export_asked")
        window.click("export_stay")
        window.click("export_cancel")
        window.until(lambda s: not s["exporting"] and "cancelled" in s["export_says"], "it was cancelled")
        self.shoot_opened(window, "export_cancelled")
        window.keys("Escape")
        window.quit()

    def test_record_options(self):
        window = self.paused()
        window.click("record_options")
        window.until(lambda s: "stream_start" in s["widgets"], "formats and streams")
        self.shoot_opened(window, "record_options")
        window.keys("Escape")
        window.quit()

    def test_quit(self):
        window = self.paused()
        window.drag("set:detect.separation", (0.4, 0.5), (0.5, 0.5))
        window.until(lambda s: s["unsaved"] and s["applied"], "another setting")
        window.keys("ctrl+q")
        window.until(lambda s: "leaving_save" in s["widgets"], "whether to save it")
        self.shoot(window, "quit")
        window.click("leaving_discard")
        window.ended()

    def test_settings(self):
        window = self.paused()
        window.move(*window.place("label:detect.separation"))
        window.until(lambda s: s.get("explained") == "detect.separation", "its help")
        self.shoot_opened(window, "settings")
        window.click("search_settings")
        window.type("radius")
        window.until(lambda s: "label:detect.max_radius" in s["widgets"], "found")
        self.shoot_opened(window, "search")
        window.quit()

    def test_intensity(self):
        window = self.paused()
        window.keys("v", "v", "v")
        window.until(lambda s: s["shows"] == "Intensity" and not s["stale"], "false colours")
        self.go_to(window, "Drawing")
        self.shoot_opened(window, "intensity")
        window.quit()

    def test_exported(self):
        window = self.paused(CAMERAS[0])
        window.keys("ctrl+e")
        window.click("export_ok")
        window.until(lambda s: not s["export"] and "toast:0" in s["widgets"], "exported")
        self.shoot_opened(window, "exported")
        window.quit()

    def test_export_problems(self):
        (self.dir / "tracks.csv").write_text("mine\n")
        window = self.paused(CAMERAS[0])
        window.keys("ctrl+e")
        window.click("export_file")
        window.keys("ctrl+a")
        window.type("tracks.csv")
        window.click("export_ok")
        window.until(lambda s: s["export_asks"], "whether to replace it")
        self.shoot_opened(window, "export_replace")
        window.click("export_file")
        window.keys("ctrl+a")
        window.type("nowhere/tracks.csv")
        window.click("export_ok")
        window.until(lambda s: "nowhere" in s["export_says"] and not s["exporting"], "why not")
        self.shoot_opened(window, "export_problem")
        window.click("export_format")
        self.shoot_opened(window, "export_formats")
        window.keys("Escape", "Escape")
        window.until(lambda s: not s["export"], "closed")
        window.quit()
