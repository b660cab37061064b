"""Single blocks that move as assemblies do."""

from rocksteady.analysis.equivalents.equivalent import equivalent_block, uplift_of_two
from rocksteady.analysis.equivalents.first_motion import FirstMotion, first_motion
from rocksteady.analysis.equivalents.result import Equivalent

__all__ = ["Equivalent", "FirstMotion", "equivalent_block", "first_motion", "uplift_of_two"]
