"""Rocking in a statistical sense: does a theory agree with tests, or with another theory?

`rocksteady.analysis.validate` answers it for a table of tests, or for two theories under the same
motions: by the distributions of the largest rotation, and by who overturns.
"""

from rocksteady.analysis.statistics.daltri2024 import (
    CLASSICAL_R,
    COARSE,
    SPECIMEN,
    TESTED_R,
    StatisticalValidation,
    stochastic_motions,
    validate_statistically,
)
from rocksteady.analysis.statistics.distributions import (
    ABSCISSAE,
    OVERTURNED,
    Band,
    confidence_band,
    distribution,
    largest_rotations,
    share_inside,
)
from rocksteady.analysis.statistics.outcomes import Outcomes, compare_outcomes
from rocksteady.analysis.statistics.peaks import Peaks, compare_peaks
from rocksteady.analysis.statistics.validation import Validation, validate

__all__ = [
    "ABSCISSAE",
    "CLASSICAL_R",
    "COARSE",
    "OVERTURNED",
    "SPECIMEN",
    "TESTED_R",
    "Band",
    "Outcomes",
    "Peaks",
    "StatisticalValidation",
    "Validation",
    "compare_outcomes",
    "compare_peaks",
    "confidence_band",
    "distribution",
    "largest_rotations",
    "share_inside",
    "stochastic_motions",
    "validate",
    "validate_statistically",
]
