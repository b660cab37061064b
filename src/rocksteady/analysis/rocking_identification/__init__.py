"""Which block is it? From a signal of free rocking, or from tests with known outcomes."""

from rocksteady.analysis.rocking_identification.free_rocking import identify_block
from rocksteady.analysis.rocking_identification.identified import IdentifiedBlock
from rocksteady.analysis.rocking_identification.outcome_tests import OutcomeTests
from rocksteady.analysis.rocking_identification.outcomes import identify_from_outcomes
from rocksteady.analysis.rocking_identification.posterior import BlockPosterior

__all__ = [
    "BlockPosterior",
    "IdentifiedBlock",
    "OutcomeTests",
    "identify_block",
    "identify_from_outcomes",
]
