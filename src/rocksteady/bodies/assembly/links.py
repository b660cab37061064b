"""What holds stones together besides contact: springs, ties and tendons."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocksteady.bodies.support import Point
from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive


@dataclass(frozen=True, kw_only=True)
class Link:
    """A straight line through points of two or more stones, which pulls with

        F = pretension + stiffness · (length − length at the start).

    Parameters
    ----------
    stones
        The names or numbers of the stones that it passes, in this order.
    points
        The (x, y) of the point on each of them at the start [m]; of a fixed stone, any point that
        moves with the ground.
    stiffness
        Force per elongation [N/m].
    pretension
        Force at the start [N].
    strength
        Force at which it breaks [N].
    """

    stones: tuple[str | int, ...]
    points: tuple[Point, ...]
    stiffness: float
    pretension: float = 0.0
    strength: float = math.inf
    name: str = ""

    pushes = False  # whether it also carries compression

    def __post_init__(self) -> None:
        what = type(self).__name__
        try:
            points = tuple((finite("x", x, "m"), finite("y", y, "m")) for x, y in self.points)
            stones = tuple(self.stones)
        except TypeError:
            points, stones = (), ()
        except ValueError as error:
            raise InputError(
                f"A {what} has points {str(self.points)[:60]}: give an (x, y) [m] on each stone "
                f"({error})."
            ) from None
        strength = self.strength
        if strength != math.inf:
            strength = positive("strength", strength, "N")
        self._keep(
            stones=stones,
            points=points,
            stiffness=positive("stiffness", self.stiffness, "N/m"),
            pretension=finite("pretension", self.pretension, "N"),
            strength=strength,
        )
        if len(self.stones) != len(points) or len(points) < 2:
            raise InputError(
                f"A {what} joins two points or more, each on a stone: "
                f"{len(self.stones)} stones and {len(points)} points were given."
            )

        if self.pretension < 0 and not self.pushes:
            raise InputError(
                f"A {what} with a pretension of {self.pretension:g} N would push, and it only "
                "pulls: give 0 or more."
            )
        if self.pretension > strength:
            raise InputError(
                f"A {what} with a pretension of {self.pretension:g} N is already pulled beyond its "
                f"strength of {strength:g} N: it would break at once. Give less pretension."
            )
        if len(set(self.stones)) < 2:
            raise InputError(
                f"A {what} from stone {self.stones[0]!r} to itself holds nothing: name two stones."
            )

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)


class Spring(Link):
    """A spring between two stones, which pulls and pushes."""

    pushes = True


class Tie(Link):
    """A tie or cramp between two stones: it pulls, goes slack and breaks at its strength."""


class Tendon(Link):
    """A tendon that runs through several stones without friction, pulled by its pretension: one
    force along its whole length."""
