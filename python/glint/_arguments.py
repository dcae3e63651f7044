"""What arguments of several functions may be."""

import math
import operator
import os
import pathlib

import pandas

from glint import _native

MOST_PIXELS = 32768  # along a side


def whole(value, name, least, most=2**53):
    """An int, also of 3.0 or NumPy's; what is none, or out of range, is a ValueError."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        number = math.nan
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{name}: {value!r} is not a whole number from {least}" + (f" to {most}" if most < 2**53 else ""))
    return number


def text(value, name):
    """A str that can be written as UTF-8, also of a path; what is none is a ValueError."""
    made = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(made, str):
        raise ValueError(f"{name}: {value!r} is no text")
    try:
        made.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {made!r} is not UTF-8") from None
    return made


def read_text(path):
    """A file's text; glint.Error where it cannot be read."""
    try:
        return pathlib.Path(path).read_text()
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise _native.Error(f"'{path}' is no text") from None


def read_table(path):
    """A CSV file's DataFrame; glint.Error where it cannot be read."""
    try:
        return pandas.read_csv(path)
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
