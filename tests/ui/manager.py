"""Acts on windows as a window manager and a desktop do, through libX11: minimises, restores, and asks for another scale."""

import ctypes

from drag import CLIENT_MESSAGE, REPLACE, library

STRING = 31  # XA_STRING
NORMAL, ICONIC = 1, 3  # WM_STATE, ICCCM 4.1.3.1


class Manager:
    """A manager of the windows of a display that has no other one."""

    def __init__(self, display):
        self.x = library()
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(display.encode()))
        if not self.display:
            raise AssertionError("no connection to the X server")

    def close(self):
        self.x.XCloseDisplay(self.display)

    def set_state(self, window, state):
        atom = ctypes.c_ulong(self.x.XInternAtom(self.display, b"WM_STATE", 0))
        values = (ctypes.c_long * 2)(state, 0)
        self.x.XChangeProperty(self.display, ctypes.c_ulong(window), atom, atom, 32, REPLACE, values, 2)

    def minimise(self, window):
        self.x.XUnmapWindow(self.display, ctypes.c_ulong(window))
        self.set_state(window, ICONIC)
        self.x.XSync(self.display, 0)

    def restore(self, window):
        self.set_state(window, NORMAL)
        self.x.XMapWindow(self.display, ctypes.c_ulong(window))
        self.x.XSync(self.display, 0)

    def ask_to_close(self, window):
        """Asks a window to close, as the cross in its title does."""
        def atom(name):
            return self.x.XInternAtom(self.display, name, 0)
        event = (ctypes.c_long * 24)(CLIENT_MESSAGE, 0, 0, 0, window, atom(b"WM_PROTOCOLS"), 32, atom(b"WM_DELETE_WINDOW"))
        self.x.XSendEvent(self.display, ctypes.c_ulong(window), 0, ctypes.c_long(0), event)
        self.x.XSync(self.display, 0)

    def set_dots_per_inch(self, dpi):
        """Sets the resolution for programs that are started from now on; 0 sets none."""
        root, name = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display)), b"RESOURCE_MANAGER"
        atom = ctypes.c_ulong(self.x.XInternAtom(self.display, name, 0))
        text = f"Xft.dpi:\t{dpi}\n".encode() if dpi else b""
        self.x.XChangeProperty(self.display, root, atom, ctypes.c_ulong(STRING), 8, REPLACE, text, len(text))
        self.x.XSync(self.display, 0)
