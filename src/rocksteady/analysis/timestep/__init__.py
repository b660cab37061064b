"""Which time step gives which loss: the campaign of D'Altri et al. 2024, section 3."""

from rocksteady.analysis.timestep.bootstrap import Bootstrap
from rocksteady.analysis.timestep.fitting import (
    BLOCKS,
    LONG_STEPS,
    RATIOS,
    STEPS,
    STIFFNESSES,
    VALIDATION_BLOCKS,
    VALIDATION_STIFFNESSES,
    campaign,
    error_curves,
)
from rocksteady.analysis.timestep.result import Campaign

__all__ = [
    "BLOCKS",
    "LONG_STEPS",
    "RATIOS",
    "STEPS",
    "STIFFNESSES",
    "VALIDATION_BLOCKS",
    "VALIDATION_STIFFNESSES",
    "Bootstrap",
    "Campaign",
    "campaign",
    "error_curves",
]
