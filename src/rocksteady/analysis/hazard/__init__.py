"""How often does it fall? A site's hazard curve against what the body was seen to bear."""

from rocksteady.analysis.hazard.curve import Hazard, poe_of_rate, rate_of_poe
from rocksteady.analysis.hazard.integrals import lognormal_rate
from rocksteady.analysis.hazard.result import Risk
from rocksteady.analysis.hazard.risks import risk, yearly_rate

__all__ = ["Hazard", "Risk", "lognormal_rate", "poe_of_rate", "rate_of_poe", "risk", "yearly_rate"]
