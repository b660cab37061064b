"""How well a block is known: its tolerances, and blocks within them."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from rocksteady.bodies import Block, Side, fields_of
from rocksteady.bodies.units import WRITTEN
from rocksteady.errors import InputError
from rocksteady.numbers import real
from rocksteady.numerics.types import Array
from rocksteady.theories import Formulation

TOLERANCES: dict[str, float] = {"width": 0.03, "com_height": 0.05, "inertia": 0.20}
"""Two standard deviations, relative."""
LOSS = 0.05  # half the range of η about the body's own
WORDS = {
    "width": "the width",
    "height": "the height",
    "com_height": "the height of the centre of mass",
    "inertia": "the inertia",
    "mass": "the mass",
    "offset": "the offset of the centre of mass",
    "eta": "the loss at impacts η",
}


@dataclass(frozen=True)
class BlockWithLoss(Block):
    """A block whose impacts keep ``keeps`` times the angular velocity that Housner's theory gives
    it, so that bodies of one ensemble can differ in their loss."""

    keeps: float = 1.0

    def _eta(self, before: Side, after: Side) -> float:
        return self.keeps * super()._eta(before, after)


def own_eta(block: Block, how: Formulation) -> float | None:
    """The η that a theory uses for a block; None where it does not take one."""
    if not any(one.name == "eta" for one in how.loss_parameters(block)):
        return None
    told, r = getattr(how, "eta", None), getattr(how, "r", None)
    return float(told if told is not None else math.sqrt(r) if r is not None else block.eta)


def tolerated(
    block: Block, how: Formulation, tolerances: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str], set[str]]:
    """A distribution for each parameter, its range in words, and which of them are relative."""
    if not isinstance(tolerances, Mapping):
        raise InputError(
            f"tolerances = {tolerances!r} is not allowed: give a dict from parameters to their "
            "tolerances, such as {'height': 0.02}."
        )
    eta = own_eta(block, how)
    if not tolerances:
        tolerances = dict(TOLERANCES)
        if eta is not None and eta > 0:
            tolerances["eta"] = (max(eta - LOSS, 0.01), min(eta + LOSS, 1.0))
    spread, ranges = {}, {}
    for name, given in tolerances.items():
        middle = eta if name == "eta" else getattr(block, name, None)
        if middle is None or name not in WORDS:
            raise InputError(
                f"tolerances has {name!r}, which {how.name} for a block does not have: choose from "
                f"{', '.join(WORDS)}."
            )
        spread[name], ranges[name] = _distribution(name, given, float(middle))
    return spread, ranges, {name for name, given in tolerances.items() if np.ndim(given) == 0}


def _distribution(name: str, given: Any, middle: float) -> tuple[Any, str]:
    unit = f" {WRITTEN[name]}" if WRITTEN.get(name) else ""
    if np.ndim(given) == 1 and len(given) == 2:
        low, high = (real(end) for end in given)
        if low < high:
            return stats.uniform(low, high - low), f"{low:.4g} to {high:.4g}{unit}"
    elif np.ndim(given) == 0 and 0 < real(given) < 1 and middle != 0:
        width = abs(middle) * real(given)
        said = f"{middle:.4g}{unit} ± {100 * real(given):.3g} % (2σ)"
        return stats.norm(middle, width / 2), said
    raise InputError(
        f"tolerances[{name!r}] = {given!r} is not allowed: give a relative tolerance (two standard "
        "deviations) such as 0.03, or two ends such as (0.85, 0.95)."
    )


def bodies_within(
    block: Block, how: Formulation, names: tuple[str, ...], points: Array, relative: set[str]
) -> tuple[list[Block], Formulation]:
    """A block for each row, the given one for a row of nan; and the theory, told no η of its own
    where blocks differ in it. What was not given of the block follows from what is changed, and a
    ``relative`` tolerance of it refers to that: a taller block has its centre of mass higher, ± 5 %
    of that."""
    own = own_eta(block, how)
    told = getattr(how, "eta", None) is not None or getattr(how, "r", None) is not None
    own_names = [f.name for f in dataclasses.fields(Block)]  # a field follows from those before it
    given = {name: value for name, value in fields_of(block).items() if name in own_names}
    bodies: list[Block] = []
    for row in points:
        changed = {name: float(v) for name, v in zip(names, row, strict=True) if v == v}
        eta = changed.pop("eta", own if told else None)  # a theory that was told η keeps it
        values = dict(given)
        for name in (name for name in own_names if name in changed):
            about = 1.0
            if name in relative and name not in given:
                about = getattr(BlockWithLoss(**values), name) / getattr(block, name)
            values[name] = changed[name] * about
            if "com_height" in values:
                values["com_height"] = min(values["com_height"], values["height"])
        body = BlockWithLoss(**values)
        if eta is not None and body.eta > 0:
            body = dataclasses.replace(body, keeps=min(eta, 1.0) / body.eta)
        bodies.append(body)
    if own is None:
        return bodies, how
    free: dict[str, Any] = {name: None for name in ("eta", "r") if hasattr(how, name)}
    return bodies, dataclasses.replace(how, **free)  # type: ignore[type-var]
