"""Turns Glint's tables into those of pandas."""

import functools

import numpy
import pandas

try:  # to make a DataFrame of pandas' own parts is twenty times as fast as of columns
    from pandas.core.internals import BlockManager, make_block
except ImportError:
    BlockManager = None


@functools.lru_cache
def _layout(names, types):
    """Returns the columns, and the places of the columns of each type."""
    return pandas.Index(names), {kind: numpy.flatnonzero([t == kind for t in types]) for kind in "ift"}


def to_frame(native):
    """Returns the DataFrame of a table of _native: integers are int64, other numbers float64, texts str."""
    names, types, integers, floats, texts = native
    rows = integers.shape[1]
    columns, places = _layout(names, types)
    texts = [numpy.array(text, dtype=object) for text in texts]
    if BlockManager is None:
        values = {"i": iter(integers), "f": iter(floats), "t": iter(texts)}
        return pandas.DataFrame({name: next(values[kind]) for name, kind in zip(names, types)}, columns=columns)
    blocks = [make_block(integers, placement=places["i"]), make_block(floats, placement=places["f"])]
    if texts:
        blocks.append(make_block(numpy.stack(texts), placement=places["t"]))
    return pandas.DataFrame(BlockManager(tuple(blocks), [columns, pandas.RangeIndex(rows)], verify_integrity=False))
