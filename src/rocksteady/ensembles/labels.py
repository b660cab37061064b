"""What tables and figures call the bodies of an ensemble and the strengths of its motions."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady.bodies import SYSTEMS
from rocksteady.errors import InputError
from rocksteady.motion import Motion, intensity
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.numbers import NUMBER

if TYPE_CHECKING:
    import xarray

MOST = 2  # parameters that are named beside the size
SAME = 1e-9  # relative difference of peaks that were scaled to one value


def system_labels(data: "xarray.Dataset") -> list[str]:
    """Of each system its name, where it was given one; else its size, or its mass, and what else
    those of one size differ by: "1.8 × 0.5 m", "40 t, threshold 3734 N/m2". Number it where that
    is not enough.
    """
    names = data["system"].values
    if names.dtype.kind in "US":
        return [str(name) for name in names]
    kind = SYSTEMS.named(data.attrs["system_type"])
    shown = [data[name].values for name in kind.named_by]
    said = [
        kind.size(dict(zip(kind.named_by, values, strict=True)))
        for values in zip(*shown, strict=True)
    ]
    if len(set(said)) < len(said):
        own = kind.stored_names()
        _, first, which = np.unique(said, return_index=True, return_inverse=True)
        alike = first[which]  # of each, the first of its size
        differing = [
            name
            for name in own
            if name not in kind.named_by and _differ(data[name].values, data[name].values[alike])
        ]
        numbers = all(data[name].dtype.kind not in "USO" for name in differing)
        if numbers and len(differing) <= MOST:
            for name in differing:
                values, unit = data[name].values, data[name].attrs.get("units", "1").rstrip("1")
                words = [f"{name.replace('_', ' ')} {value:.6g} {unit}".strip() for value in values]
                said = [f"{label}, {word}" for label, word in zip(said, words, strict=True)]
    often = Counter(said)
    return [
        label if often[label] == 1 else f"{number}: {label}" for number, label in enumerate(said)
    ]


def _differ(values: Any, others: Any) -> bool:
    """Whether any two are not the same; what neither has is the same."""
    same = values == others
    if values.dtype.kind == "f":
        same |= np.isnan(values) & np.isnan(others)
    return not same.all()


# -- strengths: by the ground's peak acceleration or velocity where all motions share it -----------


class Measure(NamedTuple):
    """A measure of how strong a motion is."""

    short: str
    unit: str
    words: str
    coordinate: str
    """Its name in a dataset."""
    si: float
    """How much of the SI unit the unit is."""
    power: float = 1.0
    """It grows with this power of the accelerations: 2 for the Arias intensity."""
    period: float = 0.0
    """The period [s] of a spectral acceleration."""

    def of(self, motion: Motion) -> float:
        """What it is for a motion, in its unit."""
        if self.period:
            return intensity.spectral_acceleration(motion, self.period) / self.si
        value = motion.pga if self == PGA else getattr(intensity, self.coordinate)(motion)
        return float(value) / self.si

    @property
    def column(self) -> str:
        return f"{self.short} [{self.unit}]"

    @property
    def axis(self) -> str:
        return f"{self.words} [{self.unit}]"


PGA = Measure("PGA", "g", "peak acceleration of the ground", "pga", GRAVITY_UNIT)
PGV = Measure("PGV", "m/s", "peak velocity of the ground", "pgv", 1.0)
PGA_ROTD100 = Measure(
    "PGA RotD100",
    "g",
    "largest horizontal acceleration of the ground in any direction",
    "pga_rotd100",
    GRAVITY_UNIT,
)
"""For bodies in space: it does not depend on the axes."""
MEASURES = (PGA, PGV)
"""Those that name the strengths of an ensemble."""
HOUSNER = Measure(
    "Housner intensity", "m", "Housner intensity of the ground", "housner_intensity", 1.0
)
ARIAS = Measure("Arias", "m/s", "Arias intensity of the ground", "arias", 1.0, power=2.0)
CAV = Measure("CAV", "m/s", "cumulative absolute velocity of the ground", "cav", 1.0)
PGD = Measure("PGD", "m", "peak displacement of the ground", "pgd", 1.0)
_NAMED = {
    "pga": PGA,
    "pga_rotd100": PGA_ROTD100,
    "pgv": PGV,
    "pgd": PGD,
    "arias": ARIAS,
    "cav": CAV,
    "housner": HOUSNER,
    "housner_intensity": HOUSNER,
    "si": HOUSNER,
}
_SPECTRAL = re.compile(rf"sa\s*\(?\s*({NUMBER})\s*s?\s*\)?", re.IGNORECASE)


def measure_named(name: "str | Measure") -> Measure:
    """The measure called ``pga``, ``pgv``, ``housner``, ``arias``, ``cav`` or ``pgd``, those of the
    first horizontal component; ``pga_rotd100``, the largest horizontal acceleration in any
    direction; ``SA(1.0)`` is the pseudo-spectral acceleration at 1 s with 5 % of damping."""
    if isinstance(name, Measure):
        return name
    word = str(name).strip()
    if word.lower() in _NAMED:
        return _NAMED[word.lower()]
    spectral = _SPECTRAL.fullmatch(word)
    if spectral and float(spectral[1]) > 0:
        period = float(spectral[1])
        words = f"spectral acceleration of the ground at {period:g} s, 5 % damped"
        coordinate = "spectral_acceleration"
        return Measure(f"SA({period:g} s)", "g", words, coordinate, GRAVITY_UNIT, period=period)
    raise InputError(
        f"measure = {name!r} is not known: choose from pga, pgv, housner, arias, cav, pgd, for "
        "bodies in space pga_rotd100, or give a spectral acceleration by its period in seconds, as "
        "in SA(1.0)."
    )


class Naming(NamedTuple):
    """By which measure strengths are named, and what it is at a scale of 1, in its unit."""

    measure: Measure
    at_one: float

    def label(self, scale: float) -> str:
        return f"{scale * self.at_one:.3g} {self.measure.unit}"


def common(data: "xarray.Dataset") -> dict[Measure, float]:
    """The measures that all motions share, and their values: what the scales multiply."""
    found = {}
    for measure in MEASURES:
        if measure.coordinate in data.coords:
            values = np.atleast_1d(data[measure.coordinate].values) / measure.si
            if values.size and np.ptp(values) <= SAME * values.max() > 0:
                found[measure] = float(values.mean())
    return found


def naming(shared: Mapping[Measure, float | None], scales: Any) -> Naming | None:
    """The first measure that all motions share; None where strengths are named by the scale: the
    motions share none, or a scale is negative, which mirrors them, and a peak has no sign."""
    if np.min(scales) < 0:
        return None
    for measure in MEASURES:
        value = shared.get(measure)
        if value is not None:
            return Naming(measure, value)
    return None


def naming_of(about: Mapping[str, Any]) -> Naming | None:
    """The same from what `analysis.shares.summary.of_dataset` says of an ensemble."""
    scales = [row["scale"] for row in about["fallen_by_scale"]]
    return naming({PGA: about["pga_g"], PGV: about.get("pgv")}, scales)


def strength(scale: float, name: Naming | None) -> str:
    """ "0.3 g", "0.5 m/s", or the scale where that is its name."""
    return f"{scale:.4g}" if name is None else name.label(scale)
