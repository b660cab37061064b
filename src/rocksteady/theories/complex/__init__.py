"""Rocking as one differential equation in the complex plane (Prieto & Lourenço 2005).

motion.py        the equation of motion, Eqs. 31–37, an adaptive Runge–Kutta step, the state
step.py          rest, uplift, turning points and impacts
formulation.py   the theory as the engine sees it; its constants, Eqs. 37–41
"""

from rocksteady.theories.complex.formulation import ComplexPotential

__all__ = ["ComplexPotential"]
