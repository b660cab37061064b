"""Results of the public names, each as the bits of its numbers: one table of calls."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import xarray

import rocksteady as rs
from pins import questions, runs
from pins.runs import Call

DIGITS = 16  # of the digest that is kept
REFUSED = "refused: "
FAILED = "failed: "  # is never pinned


def pinned(call: Call) -> str:
    """The digest of what a call returns; the type of the error where it refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = call()
        except rs.InputError as error:
            return f"{REFUSED}{type(error).__name__}"
        except Exception as error:  # the others of its group are compared all the same
            return f"{FAILED}{error!r}"
    return digest(result)


def digest(result: Any) -> str:
    """Of all numbers in a result, as 64-bit floats with their shapes."""
    numbers = list(arrays(result))
    assert any(array.size for array in numbers), f"no numbers in {result!r}"
    text = hashlib.sha256()
    for array in numbers:
        text.update(str(array.shape).encode())
        text.update(np.ascontiguousarray(array + 0.0).tobytes())  # + 0.0: no negative zeros
    return text.hexdigest()[:DIGITS]


def arrays(result: Any) -> Iterator[Any]:
    """The numbers of a response (states and events), a dataset (each variable, by name), or of
    numbers, arrays and sequences of these."""
    if isinstance(result, rs.Response):
        yield from arrays((result.states, result.events, float(result.status)))
    elif isinstance(result, rs.Motion):
        yield from arrays([part for part in (result.accel, result.vertical, result.transverse)
                           if part is not None])  # fmt: skip
    elif isinstance(result, xarray.Dataset):
        for name in sorted(map(str, result.data_vars)):
            if result[name].dtype.kind in "fiub":
                yield from arrays(result[name].values)
    elif isinstance(result, list | tuple) and not all(isinstance(v, float) for v in result):
        for part in result:
            yield from arrays(part)
    else:
        yield np.asarray(result, dtype=np.float64)


GROUPS: dict[str, Callable[[], Iterator[tuple[str, Call]]]] = {
    "alone": runs.alone,
    "free": runs.free,
    "ensembles": runs.ensembles,
    "blocks": questions.of_blocks,
    "complex plane": questions.of_the_complex_plane,
    "buildings": questions.of_buildings,
    "stones": questions.of_stones,
    "space": questions.of_bodies_in_space,
    "motions": questions.of_motions,
}


def results(group: str) -> dict[str, str]:
    """The digest of every result of a group."""
    return {name: pinned(call) for name, call in GROUPS[group]()}
