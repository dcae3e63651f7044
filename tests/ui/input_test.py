"""A slow window loses nothing that the user does: it follows, in order, once it has time."""

import contextlib
import os
import signal
import unittest

from screen import VALIDATED, WindowTest

CLIP = "synth:dancer?size=320x240&frames=60&seed=5"


class Stalled(WindowTest):
    """Everything that is done in `with self.stalled(window)` reaches the window at once, at its end."""

    @contextlib.contextmanager
    def stalled(self, window):
        window.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, window.process.pid, os.WSTOPPED)
        yield
        window.process.send_signal(signal.SIGCONT)

    def paused(self):
        window = self.window("replay", CLIP, "--paused", *VALIDATED)
        window.until(lambda s: s["frame"] == 0 and s["whole"] and not s["stale"], "the first frame")
        return window

    def selected(self, window):
        """Selects a marker, and returns its name."""
        markers = {name: place for name, place in window.state()["widgets"].items() if name.startswith("marker:")}
        marker = max(markers, key=markers.get)
        window.click(marker)
        window.until(lambda s: "selected" in s["widgets"], "its card")
        return marker

    def press(self, window, place, button=1):
        window.move(*place)
        window.press(button)

    def places(self, window, widget, *opens):
        """Returns the place of a widget that appears after a click with a button on another one. Escape closes it again."""
        window.click(*opens)
        place = window.place(widget)
        window.keys("Escape")
        window.until(lambda s: widget not in s["widgets"], "it is closed again")
        return place

    def test_presses_of_one_button(self):
        window = self.paused()
        step = window.place("step_on")
        with self.stalled(window):
            for _ in range(3):
                self.press(window, step)
        window.until(lambda s: s["frame"] == 3 and not s["stale"], "three steps")
        window.quit()

    def test_a_list_and_what_is_chosen_in_it(self):
        window = self.paused()
        blobs = self.places(window, "choice:blobs", "set:detect.method")
        method = window.place("set:detect.method")
        with self.stalled(window):
            self.press(window, method)
            self.press(window, blobs)
        window.until(lambda s: s["detect.method"] == '"blobs"' and s["applied"], "it is chosen")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()

    def test_a_dialog_and_its_button(self):
        window = self.paused()
        window.keys("ctrl+e")
        close = window.place("export_close")
        window.keys("Escape")
        window.until(lambda s: not s["export"], "closed")
        with self.stalled(window):
            window.keys("ctrl+e")
            self.press(window, close)
            window.keys("Right")
        window.until(lambda s: not s["export"] and s["frame"] == 1, "opened, closed, and a step")
        window.quit()

    def test_a_key_that_asks_for_a_name_and_the_name(self):
        window = self.paused()
        track = self.selected(window).partition(":")[2]
        with self.stalled(window):
            window.keys("F2")
            window.type("left foot")
            window.keys("Return", "Right")
        window.until(lambda s: s["summaries"].get(track, [""] * 5)[4] == "left foot" and s["frame"] == 1, "named, and a step")
        window.quit()

    def test_a_menu_that_asks_for_a_name_and_the_name(self):
        window = self.paused()
        marker = self.selected(window)
        rename = self.places(window, "menu:Rename ...", marker, 3)
        place = window.place(marker)
        with self.stalled(window):
            self.press(window, place, 3)
            self.press(window, rename)
            window.type("left foot")
            window.keys("Return", "Right")
        window.until(lambda s: s["summaries"].get(marker.partition(":")[2], [""] * 5)[4] == "left foot" and s["frame"] == 1, "named, and a step")
        window.quit()

    def test_a_field_and_its_number(self):
        window = self.paused()
        field = window.place("value:detect.separation")
        with self.stalled(window):
            self.press(window, field)
            window.type("9")
            window.keys("Return", "Right")
        window.until(lambda s: float(s["detect.separation"]) == 9 and s["applied"] and s["frame"] == 1, "it is typed, and a step")
        window.keys("ctrl+q")
        window.click("leaving_discard")
        window.ended()


class Slow(WindowTest):
    def slow(self, milliseconds, *sources):
        """Opens a window that takes this many milliseconds for each picture."""
        folders = os.environ["GLINT_TEST_LAYERS"] + ":/usr/share/vulkan/explicit_layer.d"
        return self.window("replay", *sources, "--paused", *VALIDATED,
                           env={"VK_LAYER_PATH": folders, "VK_INSTANCE_LAYERS": "VK_LAYER_GLINT_lost", "GLINT_SLOW": str(milliseconds)})

    def test_a_double_click(self):
        """A double click works even if drawing one picture takes longer than a double click may take."""
        window = self.slow(700, CLIP, CLIP)
        window.point("camera0")
        window.display.xdotool("click", "1", "sleep", "0.1", "click", "1")
        window.until(lambda s: "camera1" not in s["widgets"], "one camera, enlarged")
        window.quit()

    def test_a_tip(self):
        """A tip appears even if it becomes due while the last picture that the mouse's move has caused is being drawn."""
        window = self.slow(150, CLIP)
        window.until(lambda s: s["whole"] and not s["tracking"] and s["toasts"] == "", "nothing goes on")
        window.point("bell")
        window.until(lambda s: "hint" in s["widgets"], "what it is")
        window.quit()


if __name__ == "__main__":
    unittest.main()
