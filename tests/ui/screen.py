"""A display for a test, and the window on it, with real keys and mouse as input and the state file as output.

Tests contain no place on the screen and no time. Places come from the state file, and tests wait until the window reports
what they expect.
"""

import collections
import json
import os
import pathlib
import subprocess
import time
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from harness import THREADS_CHECKED, TIMEOUT, Folder, wait_until  # noqa: E402

# The arguments with which Vulkan's validation layer watches the program. The thread sanitizer cannot see into that layer,
# and reports its locks as races.
VALIDATED = ("--set", f"device.validation={'false' if THREADS_CHECKED else 'true'}")


class Display:
    """An X server without a screen."""

    def __init__(self, size="1280x800"):
        reads, writes = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writes), "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp"],
            pass_fds=[writes], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writes)
        with os.fdopen(reads) as number:
            self.name = ":" + number.readline().strip()
        if self.name == ":":
            raise AssertionError("no X server could be started")

    def environment(self):
        return {**{k: v for k, v in os.environ.items() if k != "WAYLAND_DISPLAY"}, "DISPLAY": self.name}

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment(), check=True, timeout=TIMEOUT,
                       stdout=subprocess.DEVNULL)

    def asked(self, *arguments):
        """Returns the values that xdotool prints, by name."""
        told = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment(), check=True, timeout=TIMEOUT,
                              capture_output=True, text=True).stdout
        return dict(line.split("=") for line in told.splitlines())

    def close(self):
        self.server.terminate()
        self.server.wait()


class WindowTest(Folder):
    """A test with a display. self.window(...) opens glint's window on it."""

    @classmethod
    def setUpClass(cls):
        cls.display = Display()
        cls.addClassCleanup(cls.display.close)

    def window(self, *arguments, env=None, name="state", shows=True):
        """Starts glint. If `shows`, waits for a frame; pass False for a window that may end before."""
        return Window(self, arguments, env or {}, name, shows)


def brief(first, last):
    """Returns the last state of a window, shortened, for a message about a condition that has not come true. Settings come
    last."""
    said = {**last, "widgets": list(last.get("widgets", [])), "drawn": f"{first.get('drawn')} to {last.get('drawn')}"}
    told = [(name, value) for name, value in said.items() if value != '""' and (value or type(value) in (int, float))]
    return "".join(f"\n  {name}: {str(value)[:600]}" for name, value in sorted(told, key=lambda item: "." in item[0]))[:6000]


class Window:
    def __init__(self, test, arguments, env, name, shows):
        self.test, self.display = test, test.display
        self.file = test.dir / f"{name}.json"
        self.file.unlink(missing_ok=True)
        self.sent = collections.Counter()  # numbers that the window reports as "keys", "releases" and "wheel"
        self.process = test.start(*arguments, env={
            **self.display.environment(), "GLINT_UI_STATE": str(self.file), "XDG_STATE_HOME": str(test.dir / "state"),
            "XDG_CONFIG_HOME": str(test.dir / "config"), **env})
        if not shows:
            return
        self.until(lambda s: s.get("frame") is not None, "a frame is shown")
        views = self.state()["widgets"]["views"]
        self.move(views[0] + views[2] / 2, views[1] + views[3] / 2)

    def state(self):
        if self.process.poll() is not None and not self.file.exists():
            raise AssertionError(f"the window has ended: {self.process.communicate()}")
        try:
            return json.loads(self.file.read_text())
        except FileNotFoundError:
            return {"widgets": {}}

    def until(self, condition, what, passing=False):
        """Waits until `condition` is true for the window's state, and returns that state. The window reports no frame before
        there is one.

        States on the way do not count. The window must have processed all keys and clicks so far, the session must have
        done what they asked for, and the picture must show it. With `passing`, states on the way count, too, for messages
        that may soon disappear."""
        said, first, lacks = {}, self.state(), set()

        def holds():
            said.clear()
            said.update(self.state())
            lacks.clear()
            try:
                follows = all(said[name] >= count for name, count in self.sent.items())
                rests = passing or (said["arrived"] and said["input_shown"])
                if follows and rests and condition(said):
                    return True
            except KeyError as error:
                lacks.add(error.args[0])
            if self.process.poll() is not None:
                raise AssertionError(f"the window ended before: {what}; {self.process.communicate()}")
            return False
        try:
            wait_until(holds, what)
        except AssertionError as error:
            raise AssertionError(f"{error}; it tells nothing of {list(lacks)}, and of itself, after {dict(self.sent)}:{brief(first, said)}") from error
        return said

    def keys(self, *names):
        """Presses keys one after another. GLFW ignores a second press of a key in the same millisecond. A call of xdotool
        ends only after the X server has processed the key, which takes longer."""
        for name in names:
            self.display.xdotool("key", name)
            self.sent["keys"] += 1

    def type(self, text):
        """Types a text. For the same reason as in keys(), no call types a letter twice."""
        part = ""
        for letter in text:
            if letter.lower() in part.lower():
                self.display.xdotool("type", "--delay", "8", part)
                part = ""
            part += letter
        self.display.xdotool("type", "--delay", "8", part)
        self.sent["keys"] += sum(letter.isascii() for letter in text)  # GLFW has no number for other letters

    def press(self, button=1, *arguments):
        """Presses a button of the mouse at its present place, and releases it. Arguments are xdotool's, such as the number
        of times."""
        self.display.xdotool("click", *arguments, button)
        times = arguments[arguments.index("--repeat") + 1] if "--repeat" in arguments else 1
        self.sent["releases" if button < 4 else "wheel"] += int(times)

    def move(self, x, y):
        self.display.xdotool("mousemove", round(x), round(y))

    def move_and_wait(self, x, y):
        """Moves the mouse, and waits until a picture shows this and everything that was done before."""
        def mouse(state):
            return state["mouse_x"], state["mouse_y"]
        state = self.until(lambda s: "mouse_x" in s, "a picture")
        goal = min(round(x), state["width"] - 1), min(round(y), state["height"] - 1)
        aside = abs(goal[0] - 1), goal[1]
        self.move(*aside)  # the X server does not report a move to the mouse's present place
        if mouse(state) == goal:  # then the expected picture would look like the present one
            self.until(lambda s: mouse(s) == aside, "the mouse is beside its goal")
        self.move(*goal)
        self.until(lambda s: mouse(s) == goal and s["input_shown"], "the mouse is where it was moved to")

    def place(self, widget, x=0.5, y=0.5, passing=False):
        """Returns a place in a widget, given as shares of its width and height. `passing` is as in until()."""
        kind = widget.partition(":")[0]

        def settled(widgets):
            """Returns true unless the tabs of a bar still overlap, as they do in its first picture."""
            alike = [place for name, place in widgets.items() if name.startswith(kind + ":") and place[:2] == widgets[widget][:2]]
            return kind not in ("tab", "tracks") or len(alike) == 1
        place = self.until(lambda s: widget in s["widgets"] and settled(s["widgets"]), f"{widget} is there",
                           passing)["widgets"][widget]
        return place[0] + place[2] * x, place[1] + place[3] * y

    def point(self, widget, x=0.5, y=0.5):
        """Moves the mouse onto a widget, and waits until the widget rests, because earlier actions may still move it.
        Follows a widget that never rests for a while."""
        at = None
        for _ in range(20):
            if (now := self.place(widget, x, y)) == at:
                return
            at = now
            self.move_and_wait(*at)

    def click(self, widget, button=1, x=0.5, y=0.5):
        self.point(widget, x, y)
        self.press(button)

    def double_click(self, widget):
        self.point(widget)
        self.press(1, "--repeat", 2, "--delay", 15)

    def drag(self, widget, begin, end, button=1):
        """Drags from one place in a widget to another, in steps as a hand does."""
        seen = self.state().get("releases", 0)
        self.point(widget, *begin)
        self.display.xdotool("mousedown", button)
        for step in range(1, 6):
            share = step / 5
            # A hand does not wait.
            self.move(*self.place(widget, *(b + (e - b) * share for b, e in zip(begin, end)), passing=True))
        self.let_go(button, seen)

    def pull(self, widget, right):
        """Drags something that follows the cursor by `right` px to the right, in steps as a hand does."""
        seen = self.state().get("releases", 0)
        self.point(widget)
        x, y = self.place(widget)
        self.display.xdotool("mousedown", 1)
        for step in range(1, 6):
            self.move(x + right * step / 5, y)
        self.let_go(1, seen)

    def let_go(self, button, seen):
        """Releases the button, and waits until the window knows, so that later states show the effect of the whole drag."""
        self.display.xdotool("mouseup", button)
        self.sent["releases"] += 1
        told = self.display.asked("getmouselocation", "--shell")
        self.until(lambda s: s["releases"] > seen and (s["released_x"], s["released_y"]) == (int(told["X"]), int(told["Y"])), "it was let go")

    def number(self):
        """Returns the X server's number of the window."""
        found = subprocess.run(["xdotool", "search", "--class", "glint"], env=self.display.environment(),
                               check=True, timeout=TIMEOUT, capture_output=True, text=True)
        return found.stdout.split()[-1]

    def corner(self):
        """Returns the place of the window's upper left corner on the screen."""
        told = self.display.asked("getwindowgeometry", "--shell", self.number())
        return int(told["X"]), int(told["Y"])

    def picture(self, file):
        """Writes the contents of the screen into a PNG file."""
        subprocess.run(["import", "-window", "root", str(file)], env=self.display.environment(), check=True, timeout=TIMEOUT)

    def shown_now(self, x, y, width, height):
        """Returns the colours that the screen shows at this moment: red, green and blue of each pixel, row by row. The X
        server shows a picture some time after the window has reported it."""
        left, top = self.corner()
        x, y, width, height = round(left + x), round(top + y), round(width), round(height)
        shown = subprocess.run(["import", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-depth", "8", "rgb:-"],
                               env=self.display.environment(), check=True, timeout=TIMEOUT, capture_output=True).stdout
        self.test.assertEqual(len(shown), 3 * width * height)
        return shown

    def shown(self, x, y, width, height):
        """Returns the same colours once they no longer change."""
        seen = [self.shown_now(x, y, width, height)]

        def rests():
            time.sleep(0.2)
            seen.append(self.shown_now(x, y, width, height))
            return seen[-1] == seen[-2]
        wait_until(rests, "what is shown comes to rest")
        return seen[-1]

    def pixels(self, x, y, width, height, now=False):
        """Returns the same colours as rows of (red, green, blue). With `now`, does not wait until they stay, for parts that
        never rest."""
        shown, width = (self.shown_now if now else self.shown)(x, y, width, height), round(width)
        return [[tuple(shown[3 * i:3 * i + 3]) for i in range(row * width, (row + 1) * width)] for row in range(round(height))]

    def has_settled(self, seconds=1):
        """Waits until nothing has been drawn for this long. Returns the state at the end."""
        told = [self.state()]

        def rests():
            time.sleep(seconds)
            told.append(self.state())
            return told[-1]["drawn"] == told[-2]["drawn"]
        wait_until(rests, "nothing is drawn while nothing happens")
        return told[-1]

    def quit(self, status=0):
        """Presses Ctrl+Q. Checks how the program ends, and that Vulkan's validation had no message."""
        messages = self.state().get("messages", 0)
        self.keys("ctrl+q")
        return self.ended(messages, status)

    def ended(self, messages=0, status=0):
        out, err = self.process.communicate(timeout=TIMEOUT)
        self.test.assertEqual(self.process.returncode, status, err)
        self.test.assertNotIn("Vulkan validation", err)
        self.test.assertEqual(messages, 0)
        return out, err
