"""Rocking about a corner, with instantaneous impacts (Housner 1963).

motion.py          the equation of motion between impacts, nonlinear and linearised
rocking.py         uplift, impact, rest and overturning; other theories use them, too
outcome.py         what becomes of it on still ground, by energy
formulation.py     the theory as the engine sees it, and its energy
"""

from rocksteady.theories.housner.formulation import Housner

__all__ = ["Housner"]
