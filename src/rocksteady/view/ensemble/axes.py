"""The axis of strength in figures of ensembles, and what its levels are called."""

from typing import Any

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from rocksteady.analysis.shares.counts import Counted
from rocksteady.ensembles.labels import common, naming
from rocksteady.numerics.types import Array

ALIKE = 0.02  # strengths that differ by less are one
WIDE = 30.0  # ratio of accelerations from which on their axis is logarithmic


def strength_axis(axes: Any, strength: Array, name: str) -> None:
    low, high = strength.min(initial=np.inf), strength.max(initial=0.0)
    if high > WIDE * low > 0:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif low >= 0:
        axes.set_xlim(0, 1.05 * high or 1.0)
    else:
        room = 0.05 * (high - low or 1.0)
        axes.set_xlim(low - room, high + room)
    axes.set_xlabel(name)


def levels(found: Counted) -> tuple[Array, str]:
    """How strong the motions are at each scale, and what that is called, by `naming`: the
    ground's peak acceleration or velocity, or the scale."""
    scales = found.data["scale"].values
    known = naming(common(found.data), scales)
    if known is None:
        return scales, f"scale of the motion{'s' * (found.motions != 1)} [–]"
    return known.at_one * scales, known.measure.axis


def level_name(found: Counted, at: int) -> str:
    scales = found.data["scale"].values
    known = naming(common(found.data), scales)
    return f"scale {scales[at]:.3g}" if known is None else known.label(float(scales[at]))
