"""What share of the runs falls, and how well is that share known?"""

from rocksteady.analysis.shares.interval import LEVEL, interval
from rocksteady.analysis.shares.table import write_ensemble_table

__all__ = ["LEVEL", "interval", "write_ensemble_table"]
