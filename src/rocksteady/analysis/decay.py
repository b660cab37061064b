"""How rocking dies out: the swings between impacts, and the closed forms for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocksteady.engine.drivers import EVENT_FIELDS
from rocksteady.formulations.contract import Array
from rocksteady.response import Response, table

KIND, COORDINATE = EVENT_FIELDS.index("kind"), EVENT_FIELDS.index("coordinate")


def decay(response: Response) -> np.recarray[Any, Any]:
    """Peak, half period and energy ratio of each swing; see :meth:`Response.decay`."""
    impacts, block = response.impacts, response.system
    times = np.concatenate([[0.0], impacts.time])
    released = response.omega[0] == 0 and response.theta[0] != 0
    theta = np.concatenate([response.theta, response.events[:, COORDINATE]])
    at = np.concatenate([response.time, response.events[:, 0]])
    order = np.argsort(at, kind="stable")
    theta, at = theta[order], at[order]
    lean = np.where(theta > 0, theta / block.right.alpha, -theta / block.left.alpha)

    edges = np.searchsorted(at, times)
    peaks = np.maximum.reduceat(lean, edges[:-1]) if len(impacts) else np.empty(0)
    half_periods = np.diff(times)
    if released and len(half_periods):
        half_periods[0] *= 2
    to_left = impacts.omega_before < 0  # turning back from the right corner onto the left one
    inertia_before = np.where(to_left, block.right.inertia, block.left.inertia)
    inertia_after = np.where(to_left, block.left.inertia, block.right.inertia)
    ratio = inertia_after * impacts.omega_after**2 / (inertia_before * impacts.omega_before**2)
    return table(n=np.arange(len(peaks)), peak=peaks, half_period=half_periods, r=ratio)


def closed_form_peaks(theta0: float, r: float, n: NDArray[Any]) -> Array:
    """θ_n/α of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(1 - np.sqrt(1 - r**n * (1 - (1 - theta0) ** 2)))


def closed_form_half_periods(theta0: float, r: float, p: float, n: NDArray[Any]) -> Array:
    """T_n/2 [s] of a slender block released at θ0 (in units of α), after n impacts."""
    return np.asarray(2 / p * np.arctanh(np.sqrt(r**n * (1 - (1 - theta0) ** 2))))
