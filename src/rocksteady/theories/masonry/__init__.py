"""The masonry building that adheres, slips, hardens and wears (Casalotti et al. 2025).

interface.py     section 2: the law of the interface, Eqs. 1–4, and Algorithm 1
adhering.py      the motion while it adheres: a linear oscillator in closed form
slipping.py      the motion while it slips: Runge–Kutta, Eq. 6
motion.py        section 3: one step of the equation of motion, Eq. 5, for one building or many side
                 by side; the paper's own step
formulation.py   the theory as the engine sees it, and energies of whole histories
"""

from rocksteady.theories.masonry.formulation import Masonry

__all__ = ["Masonry"]
