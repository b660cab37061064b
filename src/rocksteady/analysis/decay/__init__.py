"""Decay of free rocking, and the share r of the kinetic energy left after an impact."""

from rocksteady.analysis.decay.measure import decay, measure_r
from rocksteady.analysis.decay.measured import MeasuredR
from rocksteady.analysis.decay.swings import (
    closed_form_half_periods,
    closed_form_peaks,
    decay_error,
)

__all__ = [
    "MeasuredR",
    "closed_form_half_periods",
    "closed_form_peaks",
    "decay",
    "decay_error",
    "measure_r",
]
