"""What becomes of a town of masonry buildings?"""

from rocksteady.analysis.portfolio.assess import DamageStates, PortfolioResult, portfolio
from rocksteady.analysis.portfolio.table import read_buildings, write_table

__all__ = ["DamageStates", "PortfolioResult", "portfolio", "read_buildings", "write_table"]
