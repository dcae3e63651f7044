"""Pictures of the tables, menus, edits, measures and curves of tracks."""

import json
import shutil

from shots import CLIP, Shots

STRAY = {"edit": "hide", "at": {"camera": 0, "frame": 3, "x": 1, "y": 1}}  # an edit of a place without a track


class Tables(Shots):
    def opened(self, edits=()):
        """Opens a copy of the clip, because edits are kept beside the file, and waits until it is tracked to its end."""
        shutil.copy(CLIP, self.dir / "clip.mp4")
        if edits:
            (self.dir / "clip.glint.json").write_text(json.dumps({"glint_edits": 1, "edits": list(edits)}))
        window = self.paused("clip.mp4")
        self.go_to(window, "Tracks")
        window.until(lambda s: not s["tracking"], "tracked to its end")
        return window

    def markers(self, window):
        """Returns the markers in the image from left to right."""
        places = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        return sorted(places, key=lambda name: places[name])

    def test_tables(self):
        window = self.opened([STRAY])
        window.until(lambda s: s["unmatched"] == 1 and "no longer" in s["toasts"] and "toast:0" in s["widgets"], "what matches nothing")
        self.shoot(window, "unmatched_told")
        window.keys("Escape")
        window.click("tracks:all")
        state = window.until(lambda s: s["all_tracks"] and s["summaries"], "all of them")
        first, second = state["all_tracks"][:2]
        window.click(f"all:{first}")
        window.until(lambda s: s.get("selected") == first, "one is selected")
        window.keys("F2")
        window.until(lambda s: s["naming"] and "rename_text" in s["widgets"], "its name")
        window.type("left shoulder")
        self.shoot(window, "rename")
        window.keys("Return")
        window.until(lambda s: s["summaries"][str(first)][4] == "left shoulder", "it has it")
        window.click(f"all:{second}")
        window.until(lambda s: s.get("selected") == second, "another one")
        window.keys("b")
        window.until(lambda s: s["summaries"][str(second)][5], "it is hidden")
        self.shoot(window, "tracks_all")
        window.click("tracks:edits")
        window.until(lambda s: "edit_drop:2" in s["widgets"], "all edits")
        self.shoot(window, "tracks_edits")
        self.go_to(window, "Tracks")
        window.click("tracks:frame")
        self.shoot_opened(window, "tracks_frame")
        window.quit()

    def test_menu(self):
        window = self.opened()
        marker = self.markers(window)[-1]
        window.click(marker, button=3)
        window.until(lambda s: "menu:Delete" in s["widgets"], "the menu")
        self.shoot(window, "track_menu")
        window.click("menu:Join with ...")
        window.until(lambda s: "picking" in s["widgets"], "which one")
        self.shoot_opened(window, "join")
        window.quit()

    def test_measures(self):
        window = self.opened()
        first, *_, middle, last = self.markers(window)
        for keys, clicks in (("d", (first, last)), ("a", (first, middle, last)), ("k", (first, middle))):
            window.keys(keys)
            for name in clicks:
                window.click(name)
        window.until(lambda s: s["asks_length"] and "length_text" in s["widgets"], "the length of a scale")
        self.shoot(window, "scale")
        window.type("300")
        window.keys("Return")
        window.click("tracks:measures")
        window.until(lambda s: s["scales"], "a scale")
        self.shoot(window, "measures")
        window.click("tracks:all")
        window.click(f"all:{first.split(':')[1]}")
        window.display.xdotool("keydown", "ctrl")
        window.click("all:2")
        window.display.xdotool("keyup", "ctrl")
        window.keys("y")
        window.until(lambda s: len(s["curves_of"]) == 2, "two curves")
        window.move(*window.place("curves", 0.4))
        window.until(lambda s: s["curves_told"], "values")
        self.shoot(window, "curves")
        window.click("camera0", x=0.98, y=0.98)
        window.keys("u")
        window.until(lambda s: "uncertainty" in s["said"] and "said" in s["widgets"], "a word")
        self.shoot_opened(window, "curves_said")
        window.quit()

    def test_tools(self):
        window = self.opened()
        markers = self.markers(window)
        window.click(markers[0])
        window.until(lambda s: "selected" in s["widgets"], "its card")
        window.keys("Escape", "a")
        window.click(markers[0])
        window.move(*window.place("camera0", 0.9, 0.9))
        window.until(lambda s: s["measuring"] and "picking" in s["widgets"], "the second place is asked for")
        self.shoot_opened(window, "angle_begun")
        window.keys("Escape")
        window.click("camera0", button=3, x=0.1, y=0.9)
        window.until(lambda s: "menu:Distance ..." in s["widgets"], "what can be measured")
        self.shoot_opened(window, "image_menu")
        window.keys("Escape")
        window.click("tracks:all")
        window.click("tracks_search")
        window.type("1")
        window.click("all_column:rows")
        window.until(lambda s: s["all_tracks"] and all("1" in str(track) for track in s["all_tracks"]), "those sought")
        self.shoot_opened(window, "tracks_sought")
        window.quit()

    def test_curves_zoomed(self):
        window = self.opened()
        window.click("tracks:all")
        window.display.xdotool("keydown", "ctrl")
        for track in window.until(lambda s: len(s["all_tracks"]) > 3, "tracks")["all_tracks"][:4]:
            window.click(f"all:{track}")
        window.display.xdotool("keyup", "ctrl")
        window.keys("y")
        window.until(lambda s: len(s["curves_of"]) == 4 and "curves" in s["widgets"], "four of them")
        for _ in range(5):
            window.click("curves", button=4, x=0.3)
        window.until(lambda s: s["time_shown"][1] < 200, "a part of the time")
        window.move(*window.place("curves", 0.7))
        window.until(lambda s: s["curves_told"], "values")
        self.shoot_opened(window, "curves_zoomed")
        window.quit()
