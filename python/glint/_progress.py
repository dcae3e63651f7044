"""Shows the progress of a recording as one line in terminals and notebooks."""

import contextlib
import sys


def _line(frames, length):
    return f"{frames:,} of {length:,} frames" if length else f"{frames:,} frames"


class _Terminal:
    def __call__(self, frames, length):
        sys.stderr.write(f"\r\x1b[K{_line(frames, length)}")
        sys.stderr.flush()

    def clear(self):
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class _Notebook:
    def __init__(self):
        from IPython.display import display  # which exists in every notebook

        self._display, self._handle = display, None

    def __call__(self, frames, length):
        text = {"text/plain": _line(frames, length)}
        if self._handle:
            self._handle.update(text, raw=True)
        else:
            self._handle = self._display(text, raw=True, display_id=True)

    def clear(self):
        pass  # the last line stays visible


def _in_notebook():
    shell = sys.modules.get("IPython")
    shell = shell and shell.get_ipython()
    return hasattr(shell, "kernel")


@contextlib.contextmanager
def shown(wanted):
    """Yields a function that shows the progress, or None if it is not shown. `wanted`: see glint.track()."""
    if callable(wanted):
        yield wanted
        return
    notebook = _in_notebook()
    if wanted is False or (wanted is None and not notebook and not sys.stderr.isatty()):
        yield None
        return
    display = _Notebook() if notebook else _Terminal()
    try:
        yield display
    finally:
        display.clear()
