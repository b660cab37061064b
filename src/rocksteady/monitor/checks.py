"""Samples handed over by a program: checked, or a sentence that says what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.formulations.contract import Array


def checked_samples(
    values: ArrayLike, name: str, length: int | None = None, *, finite: bool = True
) -> Array:
    """Samples as an array of their own, checked."""
    try:
        array = np.array(values, dtype=float, ndmin=1)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not a list of numbers: {error}.") from error
    if array.ndim != 1 or (length is not None and len(array) != length):
        wanted = "one dimension" if length is None else f"{length} samples, as a_h has"
        raise InputError(f"{name} of shape {array.shape} is not allowed: it must have {wanted}.")
    if finite and not np.isfinite(array).all():
        at = int(np.argmin(np.isfinite(array)))
        raise InputError(
            f"{name}[{at}] = {array[at]!r} m/s² is not finite: leave it out, or hand the samples "
            "with their times to a rocksteady.monitor.Feed, which fills the gap."
        )
    return array
