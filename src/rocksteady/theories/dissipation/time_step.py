"""The time step for a wanted loss at impacts, and what it is worth: `rocksteady.time_step`."""

import math
from dataclasses import dataclass, field

from rocksteady.bodies import Block
from rocksteady.bodies.system import expect
from rocksteady.errors import InputError
from rocksteady.numbers import positive, real
from rocksteady.theories.dissipation.law import BEDS, TimeStepLaw
from rocksteady.theories.dissipation.laws import law_named

FORMS = {"size": "Eq. 9, with R h/b", "frequency": "Eq. 10, with p and α"}
PRINTED = 7.851  # A1 of the paper's Eq. 10


@dataclass(frozen=True)
class TimeStep:
    """A time step, the law it comes from, and how far to trust it. `float` of it is ``dt``, so that
    it may be given where a step in seconds is asked for."""

    dt: float
    """The step [s]."""
    law: TimeStepLaw
    outside: tuple[str, ...]
    """What lies outside the range of the fit; empty where all is well."""
    advice: str
    """What to do about it, in a sentence; empty where nothing is."""
    expected_error_r: float = field(compare=False)  # nan is not equal to itself
    """Root mean square error in r to expect; nan outside the fit's range."""

    @property
    def valid(self) -> bool:
        """Whether block, bed and r are within the range of the fit."""
        return not self.outside

    def __float__(self) -> float:
        return self.dt


def time_step(
    block: Block,
    k_n: float = 5e8,
    r: float | None = None,
    *,
    law: str | TimeStepLaw = "daltri2024",
    form: str = "size",
    body: str | None = None,
) -> TimeStep:
    """Time step with which an impact of ``block`` keeps the share ``r`` of its energy: ``dt`` [s],
    ``law``, ``valid``, ``outside`` (what is beyond the range of the fit), ``expected_error_r`` and
    ``advice`` (a sentence, or empty).

    Parameters
    ----------
    block
        The block. The laws were fitted to rectangles with h/b from 4 to 10 and R from 0.6 to 6 m.
    k_n
        Normal stiffness of the bed [N/m³]; fitted from 2.5e8 to 25e8.
    r
        Ratio of kinetic energies after and before an impact, in (0, 1); Housner's for the block
        unless given. Fitted from 0.80 to 0.99.
    law
        Which law, by name: ``"daltri2024"``, the paper's; ``"rocksteady-rigid"`` and
        ``"rocksteady-elastic"``, fitted to our bodies; ``"hht-0.3"``, ``"hht-0.2"``, ``"hht-0.1"``
        and ``"hht-0.05"`` for integration with that ``alpha_hht``; or one of your own.
    form
        ``"size"``: Eq. 9, Δt = −2.238 (R h/b)^0.629 k_n^−0.205 ln r. ``"frequency"``: Eq. 10, the
        same in terms of p [rad/s] and α, −7.851 (cot α/p²)^0.629 k_n^−0.205 ln r. For a rectangle
        the paper's two differ by 0.025 %, the rounding of the printed constants.
    body
        The body for which to say what error in r to expect: ``"rigid"`` or ``"elastic"``; unless
        given the law's own, and the rigid one for the paper's law.
    """
    expect(block, Block, "A time step", ": the law was fitted to blocks")
    positive("k_n", k_n, "N/m³", BEDS)
    r = block.r if r is None else r
    if not 0 < real(r) < 1:
        raise InputError(
            f"r = {r!r} is not allowed: the law gives a time step for 0 < r < 1 only (no step can "
            "keep all energy, nor lose it all). Give r= a value measured or assumed, e.g. 0.9."
        )
    r, chosen = float(r), law_named(law)
    if body not in (None, "rigid", "elastic"):
        raise InputError(f"body = {body!r} is not known: give 'rigid' or 'elastic'.")
    if form == "size":
        dt = chosen.step(block, k_n, r)
    elif form == "frequency":
        A1 = PRINTED if chosen == law_named("daltri2024") else chosen.A1_of_frequency
        size = 1 / (math.tan(block.alpha) * block.p**2)
        dt = -A1 * size**chosen.A2 * k_n**chosen.A3 * math.log(r)
    else:
        raise InputError(f"form = {form!r} is not known: choose from {FORMS}.")
    return TimeStep(
        dt,
        law=chosen,
        outside=chosen.outside(block, k_n, r),
        advice=chosen.advice(block, k_n, r, body),
        expected_error_r=chosen.expected_error(block, k_n, r, body),
    )
