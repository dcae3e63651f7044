"""Shares among all pictures of the window: the screen, and functions to reach a state."""

import pathlib
import time
import typing

from manager import Manager
from screen import Display, WindowTest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLIP = str(ROOT / "assets/dancer.mp4")
CAMERAS = [f"synth:dancer?size=640x480&frames=120&cameras=4&camera={i}" for i in range(4)]


class Screen(typing.NamedTuple):
    folder: pathlib.Path  # where the pictures are written
    size: tuple
    dpi: int  # 0: the usual number


SCREEN = None  # scripts/shoot_window sets it


class Shots(WindowTest):
    @classmethod
    def setUpClass(cls):
        cls.display = Display("{}x{}".format(*SCREEN.size))
        cls.addClassCleanup(cls.display.close)
        manager = Manager(cls.display.name)
        cls.addClassCleanup(manager.close)
        manager.set_dots_per_inch(SCREEN.dpi)

    def shoot(self, window, name, still=True):
        """Takes a picture of the window; if `still`, once nothing in it is faint any more."""
        if still:
            window.until(lambda s: not s.get("stale"), "nothing is faint")
        window.picture(SCREEN.folder / f"{name}.png")

    def large(self, *arguments, **keywords):
        """Opens a window as large as the screen."""
        window = self.window(*arguments, **keywords)
        window.until(lambda s: s["width"], "it is there")
        window.display.xdotool("windowmove", window.number(), 0, 0)
        window.display.xdotool("windowsize", window.number(), *SCREEN.size)
        window.until(lambda s: (s["width"], s["height"]) == SCREEN.size, "its size")
        return window

    def unhinted(self, window):
        """Shows and hides the keys, so that the hint for beginners is gone."""
        window.keys("h")
        window.until(lambda s: s["help"], "the keys")
        window.keys("Escape")
        window.until(lambda s: not s["help"], "no keys")

    def paused(self, *arguments):
        window = self.large("replay", *(arguments or [CLIP]), "--paused")
        self.unhinted(window)
        window.until(lambda s: s.get("whole") and s["mode"] == "paused", "tracked")
        return window

    def go_to(self, window, tab):
        """Opens a tab."""
        window.click(f"tab:{tab}")

    def reach(self, window, widget):
        """Scrolls the panel until a widget is in sight, and returns the widget's place."""
        side = window.state()["widgets"]["side"]
        while True:
            state = window.until(lambda s: widget in s["widgets"], f"{widget} is there")
            place = state["widgets"][widget]
            above_rows = state["widgets"].get("search_settings", [0, side[1], 0, 0])
            above = place[1] < above_rows[1] + above_rows[3]
            if not above and place[1] + place[3] < side[1] + side[3]:
                time.sleep(0.2)
                if window.state()["widgets"].get(widget) == place:
                    return window.place(widget)
                continue
            window.click("side", button=4 if above else 5)
            window.until(lambda s: s["widgets"].get(widget, place) != place, "it has moved")

    def shoot_rested(self, window, name):
        """Takes a picture once the mouse has rested so long that there is a tip, and the tip has found its size."""
        before, drawn = None, window.until(lambda s: "hint" in s["words"], "a tip")["drawn"]
        while before != drawn:
            time.sleep(0.2)
            before, drawn = drawn, window.state()["drawn"]
        self.shoot(window, name)

    def shoot_opened(self, window, name, still=True):
        """Takes a picture once a part that has just opened has found its size; a move of the mouse makes the window draw."""
        drawn = window.state()["drawn"]
        window.display.xdotool("mousemove_relative", 1, 0)
        window.until(lambda s: s["drawn"] > drawn + 1, "it has found its size")
        self.shoot(window, name, still)

    def discard(self, window):
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()
