"""Checks and reads arguments of several functions."""

import math
import operator
import os
import pathlib

import pandas

from glint import _native

MOST_PIXELS = 32768  # the largest side of an image


def whole(value, name, least, most=2**53):
    """Returns an int of a whole number, also of 3.0 or of NumPy. Raises ValueError for other values and out of range."""
    try:
        number = int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
    except TypeError:
        number = math.nan
    if isinstance(value, bool) or not least <= number <= most:
        raise ValueError(f"{name}: {value!r} is not a whole number from {least}" + (f" to {most}" if most < 2**53 else ""))
    return number


def text(value, name):
    """Returns a str or a path as a str. Raises ValueError for other values and for what UTF-8 cannot express."""
    made = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(made, str):
        raise ValueError(f"{name}: {value!r} is no text")
    try:
        made.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}: {made!r} is not UTF-8") from None
    return made


def read_text(path):
    """Returns a file's text. Raises glint.Error if the file cannot be read."""
    try:
        return pathlib.Path(path).read_text()
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise _native.Error(f"'{path}' is no text") from None


def read_table(path):
    """Returns the DataFrame of a CSV file. Raises glint.Error if the file cannot be opened."""
    try:
        return pandas.read_csv(path)
    except OSError as error:
        raise _native.Error(f"cannot open '{path}': {error.strerror}") from None
