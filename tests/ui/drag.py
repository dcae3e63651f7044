"""Drags files onto a window, as a real X client that speaks XDND, version 5 (freedesktop.org), through libX11."""

import ctypes
import pathlib

from screen import wait_until

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
ATOM = 4  # XA_ATOM
REPLACE = 0  # PropModeReplace
# Indices of fields in events that are read as longs.
FIELD = {"window": 4, "requestor": 5, "target": 7, "property": 8, "time": 9}


def library():
    x = ctypes.CDLL("libX11.so.6")
    x.XOpenDisplay.restype = ctypes.c_void_p
    for name in ("XInternAtom", "XDefaultRootWindow", "XCreateSimpleWindow"):
        getattr(x, name).restype = ctypes.c_ulong
    return x


class Dragged:
    """Files that are being dragged to a window of a display."""

    def __init__(self, display, target, files):
        self.x = library()
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        if not self.display:
            raise AssertionError("no connection to the X server")
        self.target = ctypes.c_ulong(target)
        self.text = "".join(pathlib.Path(file).resolve().as_uri() + "\r\n" for file in files).encode()
        root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, ctypes.c_ulong(0), ctypes.c_ulong(0))
        self.window = ctypes.c_ulong(window)
        self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, ctypes.c_ulong(0))

    def atom(self, name):
        return ctypes.c_ulong(self.x.XInternAtom(self.display, name.encode(), 0))

    def send(self, to, kind, values):
        event = (ctypes.c_long * 24)(kind, 0, 0, 0, *values)
        self.x.XSendEvent(self.display, ctypes.c_ulong(to), 0, ctypes.c_long(0), event)
        self.x.XFlush(self.display)

    def tell(self, message, *values):
        """Sends a client message to the window under the cursor."""
        values = (*values, 0, 0, 0, 0)[:4]
        self.send(self.target.value, CLIENT_MESSAGE,
                  (self.target.value, self.atom(message).value, 32, self.window.value, *values))

    def next(self):
        wait_until(lambda: self.x.XPending(self.display) > 0, "the window answers what drags files onto it")
        event = (ctypes.c_long * 24)()
        self.x.XNextEvent(self.display, event)
        return event

    def wait_for(self, message):
        """Waits for the window's answer, and hands out the files meanwhile."""
        while True:
            event = self.next()
            kind = event[0] & 0xffffffff
            if kind == CLIENT_MESSAGE and event[5] == self.atom(message).value:
                return
            if kind == SELECTION_REQUEST:
                self.hand_out(event)

    def hand_out(self, event):
        requestor, target, place, time = (event[FIELD[name]] for name in ("requestor", "target", "property", "time"))
        self.x.XChangeProperty(self.display, ctypes.c_ulong(requestor), ctypes.c_ulong(place), ctypes.c_ulong(target), 8,
                               REPLACE, self.text, len(self.text))
        self.send(requestor, SELECTION_NOTIFY, (requestor, self.atom("XdndSelection").value, target, place, time))

    def drop(self, x, y):
        """Enters the window, moves to a place of the screen and drops the files there. Waits until the window has taken all
        of them."""
        self.tell("XdndEnter", 5 << 24, self.atom("text/uri-list").value)
        self.tell("XdndPosition", 0, (x << 16) | y, 0, self.atom("XdndActionCopy").value)
        self.wait_for("XdndStatus")
        self.tell("XdndDrop", 0, 0)
        self.wait_for("XdndFinished")
        self.x.XCloseDisplay(self.display)


def drop(display, target, files, x, y):
    Dragged(display, target, files).drop(x, y)
