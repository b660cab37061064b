"""Stones, how they rub, and what ties them together: `Assembly`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rocksteady.errors import InputError
from rocksteady.numbers import finite, positive
from rocksteady.status import Status
from rocksteady.systems.assembly.links import Link
from rocksteady.systems.assembly.made import Made
from rocksteady.systems.assembly.stone import Stone
from rocksteady.systems.block import STANDARD_GRAVITY
from rocksteady.systems.system import Coordinate


@dataclass(frozen=True)
class Assembly(Made):
    """Rigid stones in a vertical plane that touch, rub, rock, slide and fall.

    Parameters
    ----------
    stones
        The stones, where they stand at the start. Those that are ``fixed`` move with the ground.
    friction
        Coulomb's coefficient μ of every joint.
    joint_friction
        Another μ for some joints, by the names or numbers of their two stones.
    links
        Springs, ties and tendons.
    name
        What tables and films call it.
    g
        Acceleration of gravity [m/s²].
    """

    coordinate = Coordinate(
        "displacement", "m", "d", meaning="displacement of the stone that has moved farthest"
    )
    ends = Status.COLLAPSED
    filmed = True

    stones: tuple[Stone, ...]
    friction: float = 0.7
    joint_friction: Mapping[tuple[str | int, str | int], float] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    name: str = ""
    g: float = STANDARD_GRAVITY

    def __post_init__(self) -> None:
        stones = tuple(
            stone if stone.name else replace(stone, name=str(i))
            for i, stone in enumerate(self.stones, 1)
        )
        self._keep(stones=stones, links=tuple(self.links))
        self._keep(friction=finite("friction", self.friction, minimum=0.0), g=positive("g", self.g))

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.stones)

    def __iter__(self) -> Iterator[Stone]:
        return iter(self.stones)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The place of each stone in ``stones``, by its name."""
        return {stone.name: i for i, stone in enumerate(self.stones)}

    def number(self, stone: str | int) -> int:
        """The place of a stone in ``stones``, from its name or place."""
        if isinstance(stone, str) and stone in self.numbers:
            return self.numbers[stone]
        if not isinstance(stone, str) and 0 <= stone < len(self.stones):
            return int(stone)
        raise InputError(f"There is no stone {stone!r}.")

    def friction_between(self, a: int, b: int) -> float:
        """Coulomb's coefficient μ between two stones."""
        return self._frictions.get((min(a, b), max(a, b)), self.friction)

    @cached_property
    def _frictions(self) -> dict[tuple[int, int], float]:
        found = {}
        for (a, b), value in self.joint_friction.items():
            i, j = sorted((self.number(a), self.number(b)))
            found[i, j] = float(value)
        return found

    @property
    def mass(self) -> float:
        """Of the stones that move [kg]."""
        return sum(stone.mass for stone in self.stones if not stone.fixed)

    @property
    def label(self) -> str:
        """In words: "wall of 105 stones"."""
        return f"{self.name or 'assembly'} of {len(self.stones)} stones"

    @property
    def limits(self) -> tuple[float, float]:
        return 1.0, 1.0

    def mirrored(self) -> Self:
        """Its mirror image about the line x = 0."""
        return replace(self, stones=tuple(stone.mirrored() for stone in self.stones))
