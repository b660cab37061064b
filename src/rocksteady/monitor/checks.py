"""Check samples that a program hands over."""

import numpy as np
from numpy.typing import ArrayLike

from rocksteady.errors import InputError
from rocksteady.numbers import reals
from rocksteady.numerics.types import Array

LARGEST = 1e4  # m/s², a thousand g: more comes from a broken sensor or a wrong unit


def checked_samples(
    values: ArrayLike, name: str, length: int | None = None, *, finite: bool = True
) -> Array:
    """A copy of the samples, checked; those of the ground (``finite``) also for their size."""
    try:
        array = np.atleast_1d(reals(values))
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not a list of numbers: {error}.") from error
    if array.ndim != 1 or (length is not None and len(array) != length):
        wanted = "one dimension" if length is None else f"{length} samples, as a_h has"
        raise InputError(f"{name} of shape {array.shape} is not allowed: it must have {wanted}.")
    possible = np.abs(array) <= LARGEST
    if finite and not possible.all():
        at = int(np.argmin(possible))
        wrong = f"beyond {LARGEST:g} m/s²" if np.isfinite(array[at]) else "not finite"
        raise InputError(
            f"{name}[{at}] = {float(array[at])!r} m/s² is {wrong}: leave it out, or hand the "
            "samples with their times to a rocksteady.monitor.Feed, which fills the gap."
        )
    return array
