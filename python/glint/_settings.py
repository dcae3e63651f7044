"""Makes settings of keywords and dicts."""

import hashlib
import operator
import os
import tempfile

import numpy

from glint import _arguments, _native

_KEYS = _native.setting_keys()
_BY_KEYWORD = {key.replace(".", "_"): key for key in _KEYS}
_BY_LAST_PART = {}
_ARGUMENTS = ("settings", "config", "device", "marker_radius", "elongated", "filters")  # of make()
_mask_folder = None  # of the masks that were given as arrays
_kept = {}  # the settings made last, by the arguments of make()
for _key in _KEYS:
    _BY_LAST_PART.setdefault(_key.rpartition(".")[2], []).append(_key)


def check(keywords, arguments=()):
    """Raises ValueError for a keyword that is neither a setting nor one of the arguments, and suggests a name of similar spelling."""
    known = (*_BY_KEYWORD, *_BY_LAST_PART, *_ARGUMENTS, *arguments)
    for keyword in keywords:
        if keyword not in known:
            raise ValueError(f"there is no argument '{keyword}'{_native.did_you_mean(keyword, list(known))}")


def _key_of(keyword):
    """Returns the setting that a keyword means."""
    check((keyword,))
    if keyword in _BY_KEYWORD:
        return _BY_KEYWORD[keyword]
    keys = _BY_LAST_PART[keyword]
    if len(keys) > 1:
        raise ValueError(f"{keyword}: several settings end so: {', '.join(key.replace('.', '_') for key in keys)}")
    return keys[0]


def _text_of(value):
    """Returns a value as a text of TOML."""
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # the value is a number of NumPy
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return _native.text(_arguments.text(value, "settings") if isinstance(value, (str, os.PathLike)) else repr(value))


def _rectangles(value, name):
    """Returns [x, y, w, h], or a list of such, as a text. Raises TypeError for other values."""
    try:
        several = [value] if numpy.ndim(value) == 1 and len(value) else value
        return ";".join(",".join(str(operator.index(number)) for number in (x, y, w, h)) for x, y, w, h in several)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected [x, y, w, h] in whole pixels, or a list of such, not {value!r}") from None


def _mask_file(array, name):
    """Writes a mask as an image that lasts as long as the process, and returns its name. Raises TypeError and ValueError."""
    mask = numpy.asarray(array)
    if mask.dtype.kind not in "buif":
        raise TypeError(f"{name}: expected an array that is not 0 where markers are, or the name of an image, not one of {mask.dtype}")
    if mask.ndim != 2 or mask.size == 0:
        raise ValueError(f"{name}: a mask has the shape (h, w), not {mask.shape}")
    pixels = numpy.where(mask != 0, 255, 0).astype(numpy.uint8).tobytes()
    head = f"P5 {mask.shape[1]} {mask.shape[0]} 255\n".encode()
    global _mask_folder
    if _mask_folder is None:
        _mask_folder = tempfile.TemporaryDirectory(prefix="glint_masks_")
    path = os.path.join(_mask_folder.name, hashlib.sha256(head + pixels).hexdigest() + ".pgm")
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(head + pixels)
    return path


def _plain(key, value, name):
    """Returns a value as a setting has it: arrays of masks become files, and rectangles texts."""
    if key in ("detect.region", "detect.ignore") and value is not None and not isinstance(value, str):
        return _rectangles(value, name)
    if key == "detect.mask" and hasattr(value, "shape"):
        return _mask_file(value, name)
    return value


def _plain_all(settings, keywords):
    """Returns settings and keywords with values of _plain()."""
    if hasattr(settings, "items"):
        settings = {key: _plain(key, value, key) for key, value in settings.items()}
    return settings, {key: _plain(_key_of(key), value, key) if key not in _ARGUMENTS else value for key, value in keywords.items()}


def _entries(settings, keywords):
    """Returns (key, value as TOML, beginning of messages) for each setting; a value of None leaves the setting as it is."""
    if settings is not None and not hasattr(settings, "items"):
        raise ValueError('settings is a dict such as {"detect.separation": 8}; a file is config="glint.toml"')
    return (*((_arguments.text(key, "settings"), _text_of(value), "settings") for key, value in (settings or {}).items() if value is not None),
            *((_key_of(key), _text_of(value), key) for key, value in keywords.items() if value is not None))


def _begin(config, marker_radius, elongated):
    """Returns the settings of a file with what is known of the markers."""
    made = _native.Settings()
    if config is not None:
        made.read(config)
    if marker_radius is not None or elongated:
        made.know(marker_radius, elongated)
    return made


def parts(settings=None, *, config=None, device=None, marker_radius=None, elongated=False, filters=(), **keywords):
    """Returns three parts of settings: the first ones, the filters, and then (key, value as TOML, beginning of messages)."""
    settings, keywords = _plain_all(settings, keywords)
    filters = [filters] if isinstance(filters, str) else filters or ()
    if not isinstance(filters, (list, tuple)):
        raise ValueError(f"filters: {filters!r} is no list of texts such as 'median:radius=2'")
    filters = [_arguments.text(one, "filters") for one in filters]
    entries = _entries(settings, keywords)
    if device is not None:
        entries += (("device.name", _text_of(str(device)), "device"),)
    radius = None if marker_radius is None else float(marker_radius)
    return _begin(None if config is None else os.fsencode(config), radius, bool(elongated)), filters, list(entries)


def _complete(made, filters, entries):
    if filters:
        made.filter(filters)
    for entry in entries:
        made.set(*entry)
    return made


def make(settings=None, **keywords):
    """Returns the settings of a call: those of a file, then what is known of the markers, filters, the dict, and keywords."""
    settings, keywords = _plain_all(settings, keywords)
    try:
        key = (repr(settings), *((name, type(value), value) for name, value in keywords.items()))
        if "config" not in keywords and key in _kept:  # settings with a file are not kept, since the file may change
            return _kept[key]
    except TypeError:  # the key has a list, such as of filters
        key = None
    made = _complete(*parts(settings, **keywords))
    if key is not None and "config" not in keywords:
        if len(_kept) >= 64:
            _kept.clear()
        _kept[key] = made
    return made


def changed(made, settings, keywords):
    """Returns a copy of `made` with other values."""
    return _complete(_native.Settings(made), (), _entries(*_plain_all(settings, keywords)))
