"""A block identified from free rocking: its parameters, their intervals, and what is not known."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocksteady.bodies import Block
from rocksteady.bodies.block import STANDARD_GRAVITY
from rocksteady.errors import InputError
from rocksteady.numerics.types import Array
from rocksteady.registry import imported
from rocksteady.theories import Housner

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL, QUANTILE = 0.90, 1.6449
KNOWN_TO = 0.05  # relative half width of an interval of α: above, only p²α counts as known
ROUGH = 0.02  # residual without noise over motion, above which a sentence says so
LOGARITHMIC = (
    "p",
    "alpha",
    "alpha_right",
    "alpha_left",
    "p2alpha",
    "p2alpha_right",
    "p2alpha_left",
)
SYMBOLS = {
    "p": "p",
    "alpha": "α",
    "alpha_right": "α right",
    "alpha_left": "α left",
    "eta": "η",
    "p2alpha": "p²α",
    "p2alpha_right": "p²α right",
    "p2alpha_left": "p²α left",
}
UNITS = {
    "p": "rad/s",
    "alpha": "rad",
    "alpha_right": "rad",
    "alpha_left": "rad",
    "eta": "-",
    "p2alpha": "rad/s²",
    "p2alpha_right": "rad/s²",
    "p2alpha_left": "rad/s²",
    "theta0": "rad",
    "released": "s",
    "clock_drift": "1/s",
}
SIGNALS = {"angle": "rad", "displacement": "m", "rate": "rad/s"}


@dataclass(frozen=True, eq=False)
class IdentifiedBlock:
    """A block identified from a record of free rocking.

    Dictionaries have these keys: ``p`` [rad/s], ``alpha`` [rad] (``alpha_right`` and ``alpha_left``
    of an asymmetric body), ``eta`` [-], ``p2alpha`` [rad/s²] (of each side), ``theta0`` [rad], the
    time ``released`` [s], ``offset`` and ``drift`` of the sensor in units of the signal (per s),
    and ``clock_drift`` [1/s] if asked for.
    """

    time: Array
    """As measured [s]."""
    signal: Array
    """As measured [rad, m or rad/s]."""
    kind: str
    """``"angle"``, ``"displacement"`` or ``"rate"``."""
    height: float
    """Where a displacement was measured [m]."""
    values: dict[str, float]
    deviations: dict[str, float]
    """Standard deviations: relative ones of p, α and p²α."""
    correlation: Array
    """Of the values, in their order."""
    fitted: Array
    """The signal of the identified block, at each time."""
    compared: tuple[float, float]
    """From when to when it was fitted [s]."""
    impacts: int
    """Number of impacts compared."""
    noise: float
    """Standard deviation of the residual, in units of the signal."""
    misfit: float
    """Residual without noise over the motion, both as root mean squares [-]."""
    independent: bool
    """Whether the residuals look independent; if not, the intervals are wider."""
    release: str
    """How its time is known: ``"first sample"``, ``"given"`` or ``"fitted"``."""
    logarithmic: tuple[str, ...]
    """Values whose intervals are symmetric in the logarithm."""

    # -- numbers --------------------------------------------------------------------------------

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """90 % confidence intervals."""
        found = {}
        for name, value in self.values.items():
            half = QUANTILE * self.deviations[name]
            if name in self.logarithmic:
                found[name] = (value * math.exp(-half), value * math.exp(half))
            elif name == "eta":
                found[name] = (max(value - half, 0.0), min(value + half, 1.0))
            else:
                found[name] = (value - half, value + half)
        return found

    @property
    def sides(self) -> tuple[str, ...]:
        """``("alpha",)``, or the names of both angles."""
        return tuple(name for name in self.values if name.startswith("alpha"))

    @property
    def share(self) -> float:
        """θ_0/α: from which share of the balance angle it was released [-]."""
        theta0 = self.values["theta0"]
        name = self.sides[0] if theta0 > 0 else self.sides[-1]
        return abs(theta0) / self.values[name]

    @property
    def told_apart(self) -> bool:
        """Whether p and α are known, not only p²α."""
        return all(QUANTILE * self.deviations[name] <= KNOWN_TO for name in self.sides)

    @property
    def known(self) -> tuple[str, ...]:
        """The parameters of the block that the record determines."""
        products = tuple(name for name in self.values if name.startswith("p2alpha"))
        return (*(("p", *self.sides) if self.told_apart else ()), "eta", *products)

    def correlation_of(self, one: str, other: str) -> float:
        """Correlation of two values."""
        names = list(self.values)
        return float(self.correlation[names.index(one), names.index(other)])

    @property
    def residual(self) -> Array:
        """Measured minus fitted, in units of the signal."""
        return self.signal - self.fitted

    # -- the body -------------------------------------------------------------------------------

    def block(self, g: float = STANDARD_GRAVITY) -> Block:
        """The block, where p and α are known. Its sizes are those of a rectangle with this p."""
        if not self.told_apart:
            raise InputError(f"{self._only_product()} There is no block to give.")
        right, left = self.values[self.sides[0]], self.values[self.sides[-1]]
        return Block.from_sides(p=self.values["p"], alpha_right=right, alpha_left=left, g=g)

    def formulation(self) -> Housner:
        """The law of its impacts: they keep η² of the energy."""
        return Housner(r=self.values["eta"] ** 2)

    # -- words ----------------------------------------------------------------------------------

    def _only_product(self) -> str:
        known = " and ".join(
            self._with_interval(name) for name in self.values if name.startswith("p2alpha")
        )
        rho = f"{self.correlation_of('p', self.sides[0]):.3f}".replace("-", "−")
        return (
            f"Only {known} is known: released at {self.share:.2f} α, p and α cannot be told apart "
            f"(their correlation is {rho}). Release it from a larger lean, 0.5 to 0.8 α."
        )

    def _with_interval(self, name: str) -> str:
        low, high = self.intervals[name]
        unit = "" if UNITS[name] == "-" else f" {UNITS[name]}"
        return f"{SYMBOLS[name]} = {self.values[name]:.4g}{unit} (90 %: {low:.4g} to {high:.4g})"

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words."""
        lines = []
        if self.told_apart:
            names = ("p", *self.sides, "eta")
            lines.append("; ".join(self._with_interval(name) for name in names) + ".")
        else:
            lines += [self._only_product(), self._with_interval("eta") + "."]
        lean, released = math.degrees(self.values["theta0"]), self.values["released"]
        how = {
            "first sample": "the record is taken to begin with the release",
            "given": "as given",
            "fitted": "found by the fit",
        }[self.release]
        lines.append(
            f"Released at {released:.3f} s ({how}), leaning {lean:.2f}° or {self.share:.2f} α; "
            f"{self.impacts} impacts compared."
        )
        unit = SIGNALS[self.kind]
        lines.append(
            f"The sensor's zero is off by {self.values['offset']:.3g} {unit} at the release, and "
            f"drifts by {self.values['drift']:.2g} {unit}/s; the residual is {self.noise:.2g} "
            f"{unit}."
        )
        if self.misfit > ROUGH:
            asymmetric = " Is it asymmetric (symmetric=False)?" if len(self.sides) == 1 else ""
            lines.append(
                f"The record is not quite that of a rigid block: beyond noise, the residual is "
                f"{100 * self.misfit:.1f} % of the motion. The intervals allow for it in part."
                f"{asymmetric}"
            )
        return tuple(lines)

    def summary(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        signal = SIGNALS[self.kind]
        units = {**UNITS, "offset": signal, "drift": f"{signal}/s"}
        values = {
            f"{name} [{units[name]}]": {"value": value, "interval": list(self.intervals[name])}
            for name, value in self.values.items()
        }
        return {
            "signal": self.kind,
            "level": LEVEL,
            "parameters": values,
            "known": list(self.known),
            "release": self.release,
            "released_at_share_of_alpha [-]": self.share,
            "impacts": self.impacts,
            f"noise [{signal}]": self.noise,
            "misfit [-]": self.misfit,
            "independent_residuals": self.independent,
            "sentences": list(self.sentences),
        }

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot the fit over the signal, the residual, the intervals and the correlations."""
        return imported("rocksteady.view.identified_block:plot_identified")(self, path)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        known = ", ".join(f"{name} {self.values[name]:.4g}" for name in self.known)
        return f"<IdentifiedBlock: {known}>"
