"""Pictures of cameras that are chosen and watched in the window: fake_camera.cpp makes them."""

import fake
from boards import filmed
from shots import Shots


class Live(Shots):
    def cameras(self, *more):
        """Returns cameras that film a dancer, one for each of `more`, the events that happen to it."""
        films = filmed(self, f"dancer?size=640x480&frames=60&seed=3&cameras={len(more)}", len(more))
        return [f"/dev/video{c}?size=640x480&fps=30&film={name}&{what}" for c, (name, what) in enumerate(zip(films, more))]

    def live(self, *cameras):
        window = self.large("live", *[camera.split("?")[0] for camera in cameras], env=fake.cameras(*cameras))
        self.unhinted(window)
        window.until(lambda s: s["live"] and s["rows"] and "live_badge" in s["widgets"], "all are live")
        return window

    def test_welcome(self):
        cameras = self.cameras("exposure=400", "busy=0", "file=plug")
        window = self.large("replay", "synth:spots?size=64x48&markers=3&frames=2",
                            env=fake.cameras(*cameras, "/dev/video3?formats=0", "/dev/video4?denied=1"))
        window.keys("ctrl+w")
        window.until(lambda s: s["empty"] and "camera:0" in s["cameras"] and "camera:2" not in s["cameras"], "cameras are listed")
        self.shoot_opened(window, "welcome", still=False)
        (self.dir / "plug").touch()
        window.until(lambda s: "plugged:camera:2" in s["widgets"], "another one is offered")
        for camera in ("camera:1", "camera:0"):  # the only ones that can be ticked
            window.click(f"camera:{camera}", x=0.05)
            window.until(lambda s: s["previewed"] == camera, "it is ticked")
        window.until(lambda s: "preview" in s["widgets"], "its picture")
        self.shoot_opened(window, "welcome_cameras", still=False)
        window.click("size:camera:0")
        self.shoot_opened(window, "welcome_sizes", still=False)
        window.keys("Escape")
        window.quit()

    def test_live(self):
        window = self.live(*self.cameras("exposure=400", "unplug=200:4"))
        self.go_to(window, "Sources")
        window.until(lambda s: s["recent_seconds"] > 2, "some is in memory")
        self.shoot(window, "live", still=False)
        window.until(lambda s: s["health"][1] == "lost", "one is lost")
        self.shoot(window, "live_lost", still=False)
        window.until(lambda s: s["health"][1] == "green" and s["health_marks"][1], "it is back")
        window.keys("r")
        window.until(lambda s: s["recording"] and s["recording_rows"] > 50, "it records")
        window.keys("space")
        window.until(lambda s: s["looking"] and "to_live" in s["widgets"], "an earlier frame")
        window.keys("Left", "Left")
        self.shoot_opened(window, "looking_back", still=False)
        window.keys("ctrl+l")
        window.until(lambda s: "saved the last" in s["toasts"] and "toast:0" in s["widgets"], "they are saved")
        self.shoot_opened(window, "latest_saved", still=False)
        window.keys("Escape", "ctrl+o")
        window.until(lambda s: s["choosing"] and "camera:1" in s["cameras"], "the chooser")
        self.shoot_opened(window, "open_cameras", still=False)
        window.keys("Escape", "r")
        window.until(lambda s: not s["recording"], "it is recorded")
        window.quit()

    def test_times(self):
        window = self.live("/dev/video0?fps=30&size=640x480")
        self.go_to(window, "Times")
        window.until(lambda s: s["frame"] > 120, "there is something to tell")
        self.shoot(window, "live_times", still=False)
        window.quit()

    def test_lights(self):
        """Shows a camera that is late, one that drops frames, and one that is lost and shown alone."""
        window = self.live(*self.cameras("stall=150:600", "skip=155-160", "unplug=150:600"))
        window.until(lambda s: s["health"] == ["late", "dropping", "lost"], "three lights")
        self.shoot(window, "lights", still=False)
        self.go_to(window, "Sources")
        self.shoot_opened(window, "lights_told", still=False)
        window.double_click("camera2")
        window.until(lambda s: "camera0" not in s["widgets"], "one alone")
        self.shoot_opened(window, "lost_alone", still=False)
        window.quit()

    def test_exposure(self):
        window = self.live(*self.cameras("exposure=2000", "exposure=1500"))
        window.keys("e")
        window.until(lambda s: s["said"], "it seeks")
        self.shoot_opened(window, "exposure", still=False)
        window.until(lambda s: "toast:0" in s["widgets"] or s["unsaved"], "it was found")
        self.shoot_opened(window, "exposure_found", still=False)
        self.discard(window)

    def test_addresses(self):
        window = self.large("replay", "synth:spots?size=64x48&markers=3&frames=2", env=fake.cameras("/dev/video0?busy=1"))
        window.keys("ctrl+w")
        window.click("camera:camera:0", x=0.05)
        window.click("address")
        window.type("rtsp://127.0.0.1:9/none")
        window.click("add_address")
        window.until(lambda s: len(s["ticked"]) > 0, "it is listed")
        self.shoot_opened(window, "welcome_address", still=False)
        window.click("cameras_go")
        window.until(lambda s: "toast:0" in s["widgets"], "it cannot be opened")
        self.shoot_opened(window, "welcome_refused", still=False)
        window.quit()
