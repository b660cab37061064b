"""The motion of a floor: what the ground's motion becomes on an upper storey of a building.

The building is linear elastic. It is given by its number of storeys, fundamental period, damping
and the level in question, or by its modes. The absolute acceleration of a floor is

    a(t) = Σ_k Γ_k φ_k A_k(t) + (1 − Σ_k Γ_k φ_k) a_g(t),

where A_k is the absolute acceleration of an oscillator with the period and damping of mode k, and
Γ_k φ_k is the mode's participation times its shape at that floor. Modes that are not given are
taken as rigid: that is the last term, zero where all modes are.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rocksteady.errors import InputError, warn
from rocksteady.motion._checks import damping_ratio, exact, steps
from rocksteady.motion.motion import Motion, checked_motion
from rocksteady.motion.provenance import Step, step
from rocksteady.numbers import number_row, positive, whole
from rocksteady.numerics.types import Array

LEFT = 0.01  # of the amplitude, when a floor's motion ends
LEAST_DAMPING = 0.001
MOST_STOREYS = 200
FINEST = 10  # samples in the fundamental period, below which peaks between them are missed


class Mode(NamedTuple):
    """One mode of a building, as a floor feels it."""

    period: float
    """[s]"""
    participation: float
    """Γ_k φ_k [-]: participation factor times the mode's shape at the floor."""
    damping: float = 0.05
    """Damping ratio [-]."""

    def __str__(self) -> str:
        return ":".join(exact(value) for value in self)


@dataclass(frozen=True)
class Floor:
    """A floor of a linear elastic building; `Floor.of_modes` makes one from given modes.

    Parameters
    ----------
    period
        Fundamental period T₁ of the building [s].
    damping
        Damping ratio of every mode [-].
    storeys
        Number of storeys n. They are alike: equal masses at the floors, equal shear stiffnesses
        between them.
    level
        The floor in question, from 1 to ``storeys``, which is the roof; the roof unless given. 0 is
        the ground.

    Examples
    --------
    >>> roof = Floor(period=0.5, storeys=4)
    >>> [round(mode.participation, 4) for mode in roof.modes]
    [1.2411, -0.3333, 0.1199, -0.0277]
    >>> print(roof)
    roof of a 4-storey building, T1 0.5 s, damping 5 %
    """

    period: float
    damping: float = 0.05
    storeys: int = 1
    level: int | None = None
    given: tuple[Mode, ...] = field(default=(), kw_only=True)
    """The modes, where they were given."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "period", positive("period", self.period, "s"))
        object.__setattr__(self, "damping", _damping(self.damping))
        storeys = whole("storeys", self.storeys, 1, MOST_STOREYS)
        object.__setattr__(self, "storeys", storeys)
        if self.level is not None:
            object.__setattr__(self, "level", whole("level", self.level, 0, storeys))

    @classmethod
    def of_modes(
        cls,
        periods: Sequence[float] | Array,
        participations: Sequence[float] | Array,
        dampings: float | Sequence[float] | Array = 0.05,
    ) -> "Floor":
        """A floor by the modes of its building, as a program for frames prints them.

        Parameters
        ----------
        periods
            Of each mode [s].
        participations
            Γ_k φ_k of each mode [-]: its participation factor times its shape at the floor, with
            its sign. What all of them lack to 1 is added as rigid motion with the ground.
        dampings
            Damping ratio of each mode [-], or one for all.
        """
        T, weights = (
            number_row("periods", periods, "s"),
            number_row("participations", participations),
        )
        ratios = number_row("dampings", np.atleast_1d(dampings))
        if not (T.size == weights.size and ratios.size in (1, T.size) and T.size):
            raise InputError(
                f"{T.size} periods, {weights.size} participations and {ratios.size} dampings were "
                "given: give one of each for every mode (one damping may serve all)."
            )
        rows = zip(T, weights, np.broadcast_to(ratios, T.shape), strict=True)
        return cls._of([Mode(*map(float, row)) for row in rows])

    @classmethod
    def _of(cls, modes: Sequence[Mode]) -> "Floor":
        for mode in modes:
            positive("periods", mode.period, "s")
            _damping(mode.damping)
            if not math.isfinite(mode.participation):
                raise InputError(f"participations: {mode.participation!r} is not a finite number.")
        slowest = max(modes, key=lambda mode: mode.period)
        return cls(slowest.period, slowest.damping, given=tuple(modes))

    @classmethod
    def parsed(cls, text: str) -> "Floor":
        """A floor from its modes in words, "T:Γφ" or "T:Γφ:ξ", a blank between them.

        >>> Floor.parsed("0.5:1.24 0.17:-0.33:0.03").modes[1]
        Mode(period=0.17, participation=-0.33, damping=0.03)
        """
        modes = []
        for word in text.split():
            values = [real_text(part) for part in word.split(":")]
            if len(values) not in (2, 3) or not all(map(math.isfinite, values)):
                raise InputError(
                    f"{word!r} is not a mode: write period:participation or "
                    'period:participation:damping, as in "0.5:1.24 0.17:-0.33:0.03".'
                )
            modes.append(Mode(*values))
        if not modes:
            raise InputError('There are no modes: give them as in "0.5:1.24 0.17:-0.33:0.03".')
        return cls._of(modes)

    # -- the building ---------------------------------------------------------------------------

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """All modes, those of a uniform shear building in closed form:
        ω_k ∝ sin((2k−1)π/(2(2n+1))), φ_jk = sin(j(2k−1)π/(2n+1)), Γ_k = Σ_j φ_jk/Σ_j φ_jk²."""
        if self.given:
            return self.given
        n, j = self.storeys, self.height
        odd = (2 * np.arange(1, n + 1) - 1) * math.pi / (2 * n + 1)
        periods = self.period * math.sin(odd[0] / 2) / np.sin(odd / 2)
        shapes = np.sin(np.arange(1, n + 1)[:, None] * odd)
        factors = shapes.sum(axis=0) / (shapes**2).sum(axis=0)
        weights = factors * np.sin(j * odd)
        return tuple(
            Mode(float(T), float(w), self.damping) for T, w in zip(periods, weights, strict=True)
        )

    @property
    def height(self) -> int:
        """The level as a number; the roof's is that of the storeys."""
        return self.storeys if self.level is None else self.level

    @property
    def relative_height(self) -> float | None:
        """z/H [-], the storeys being equally high; None where modes were given."""
        return None if self.given else self.height / self.storeys

    @property
    def residual(self) -> float:
        """1 − ΣΓφ [-]: the part of the floor's acceleration that follows the ground's."""
        return 1.0 - math.fsum(mode.participation for mode in self.modes)

    @property
    def ringing(self) -> float:
        """How long the building rings after the ground stands still [s], until 1 % is left:
        4.6 T/(2πξ) of the mode that takes longest."""
        longest = max(mode.period / mode.damping for mode in self.modes)
        return -math.log(LEFT) * longest / (2 * math.pi)

    # -- its motion -----------------------------------------------------------------------------

    def motion(self, motion: Motion) -> Motion:
        """The motion of this floor when the ground moves by ``motion``.

        Every horizontal component is filtered by the same building, exactly for an acceleration of
        the ground that is linear between samples. A vertical component is passed through as it is:
        columns and walls are taken as rigid upwards. The motion goes on for `ringing` after the
        ground's. Name and ``meta`` are kept; ``meta["floor"]`` and the history say what was done.
        """
        ground = checked_motion(motion)
        if "floor" in ground.meta:
            raise InputError(
                f"{ground!r} is already the motion of a floor ({ground.meta['floor']}): give the "
                "motion of the ground, or leave the floor out."
            )
        if self.period < FINEST * ground.dt:
            warn(
                f"The building's period of {self.period:g} s has fewer than {FINEST} samples of "
                f"{ground.name or 'the motion'} (dt = {ground.dt:g} s), so peaks between them are "
                f"missed. Use motion.resampled({self.period / 20:.2g}) first."
            )
        longer = _longer(ground, steps(self.ringing, ground.dt))
        moved = {
            name: own if name == "vertical" else self._filtered(own, ground.dt)
            for name, own in longer.components.items()
        }
        history = (*ground.meta.get("history", ()), str(self.as_step()))
        meta = {**ground.meta, "floor": str(self), "history": history}
        up, across = moved.get("vertical"), moved.get("transverse")
        return Motion(moved["accel"], ground.dt, up, across, ground.name, meta)

    def _filtered(self, a: Array, dt: float) -> Array:
        from rocksteady.motion._oscillator import modal_acceleration  # Numba imports slowly

        T, weights, damping = (np.array(column) for column in zip(*self.modes, strict=True))
        moved: Array = modal_acceleration(np.array(a), dt, T, weights, damping)
        # All modes of a building add up to 1 except for rounding: then nothing is rigid.
        rigid = self.residual if abs(self.residual) > 1e-12 else 0.0
        return moved + rigid * a

    # -- in words and plain values --------------------------------------------------------------

    def as_step(self) -> Step:
        """As an entry of a motion's history, from which it can be repeated."""
        if self.given:
            return step("floor-modes", " ".join(map(str, self.given)))
        return step("floor", self.period, self.damping, self.storeys, self.level)

    def described(self) -> dict[str, Any]:
        """Plain values, as files of results keep them: those that `Floor` takes, or the modes."""
        if self.given:
            return {"modes": [list(mode) for mode in self.given]}
        return {
            "period": self.period,
            "damping": self.damping,
            "storeys": self.storeys,
            "level": self.height,
        }

    def __str__(self) -> str:
        if self.given:
            count = len(self.given)
            return f"floor by {count} mode{'s' * (count > 1)}, T1 {self.period:g} s"
        where = "roof" if self.height == self.storeys else f"floor at level {self.height}"
        building = f"a {self.storeys}-storey building"
        return f"{where} of {building}, T1 {self.period:g} s, damping {100 * self.damping:g} %"


def floor_motion(
    motion: Motion,
    *,
    period: float,
    damping: float = 0.05,
    storeys: int = 1,
    level: int | None = None,
) -> Motion:
    """The motion of a floor of a linear elastic building of equal storeys.

    Parameters
    ----------
    motion
        Of the ground.
    period
        Fundamental period of the building [s].
    damping
        Damping ratio of its modes [-].
    storeys
        Their number.
    level
        The floor, from 1 to ``storeys``; the roof unless given.

    Returns
    -------
    Motion
        See `Floor.motion`. `Floor.of_modes` takes the modes of any other building.

    Examples
    --------
    >>> import rocksteady as rs
    >>> ground = rs.pulses.sine(amplitude=1.0, period=0.5, dt=0.001)
    >>> roof = floor_motion(ground, period=0.5, storeys=4)
    >>> round(roof.pga, 6)
    3.391455
    """
    return Floor(period, damping, storeys, level).motion(motion)


def floor(
    motion: Motion, period: float, damping: float = 0.05, storeys: int = 1, level: int | None = None
) -> Motion:
    """`floor_motion` as a processing step."""
    return Floor(period, damping, storeys, level).motion(motion)


def floor_modes(motion: Motion, modes: str) -> Motion:
    """The motion of a floor by the modes of its building, as a processing step."""
    return Floor.parsed(modes).motion(motion)


def real_text(text: str) -> float:
    """A number in a text; nan for anything else."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _longer(motion: Motion, count: int) -> Motion:
    return motion.mapped(lambda a: np.concatenate([a, np.zeros(count)]))


def _damping(value: float) -> float:
    ratio = damping_ratio(value)
    if ratio < LEAST_DAMPING:
        raise InputError(
            f"damping = {value!r} is not allowed: give at least {LEAST_DAMPING:g}, or the building "
            "would ring on without end. Five per cent is 0.05."
        )
    return ratio
