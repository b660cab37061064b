"""Rocking about a corner, with instantaneous impacts (Housner 1963).

motion.py          the equation of motion between impacts, nonlinear and linearised
outcome.py         what becomes of it on still ground, by energy
../rocking.py      rest, uplift, impact and overturning, shared with other theories
formulation.py     the theory as the engine sees it, and its energy
"""

from rocksteady.formulations.housner.formulation import Housner

__all__ = ["Housner"]
