"""How does rocking die out, and what share r of its energy does an impact keep?"""

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
