"""Stones, how they rub, and what ties them together: `Assembly`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from rocksteady.bodies.assembly import values_given
from rocksteady.bodies.assembly.description import friction_values, link_values, stone_values
from rocksteady.bodies.assembly.joints import Joint, joints
from rocksteady.bodies.assembly.links import Link
from rocksteady.bodies.assembly.made import Made
from rocksteady.bodies.assembly.stone import Stone
from rocksteady.bodies.assembly.whole_checks import (
    Pair,
    checked_friction,
    checked_frictions,
    checked_links,
    checked_stones,
    number_of,
    refuse_misplaced,
)
from rocksteady.bodies.block import STANDARD_GRAVITY
from rocksteady.bodies.system import Coordinate
from rocksteady.numbers import positive, yes_or_no
from rocksteady.status import Status

Stones = tuple[Stone, ...]
Links = tuple[Link, ...]


@dataclass(frozen=True)
class Assembly(Made):
    """Rigid stones in a vertical plane that touch, rub, rock, slide and fall.

    Most are made by :meth:`drums`, :meth:`pedestal`, :meth:`portal`, :meth:`trilith`,
    :meth:`arch`, :meth:`buttressed_arch` or :meth:`wall`, or read from a file by `read_assembly`.

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
    floating
        Whether stones may begin in the air, held by nothing.

    Examples
    --------
    >>> column = Assembly.drums(10, height=6.0, width=1.0)
    >>> len(column), column.label
    (11, 'column of 10 stones')
    """

    coordinate = Coordinate(
        "displacement", "m", "d", meaning="displacement of the stone that has moved farthest"
    )
    ends = Status.COLLAPSED
    as_block = "rs.analysis.equivalent_block(assembly).block"
    filmed = True
    posed = True
    named_by = ("name", "stone_count")
    tabulated = ("stone_count", "total_mass", "total_length", "total_height")
    long = ("description",)
    words = values_given.WORDS
    lists = values_given.LISTS
    files = ("file",)

    stones: Stones
    friction: float = 0.7
    joint_friction: Mapping[Pair, float] = None  # type: ignore[assignment]
    links: Links = ()
    name: str = ""
    g: float = STANDARD_GRAVITY
    floating: bool = False

    def __post_init__(self) -> None:
        self._keep(stones=checked_stones(self.stones), name=str(self.name))
        frictions = {} if self.joint_friction is None else self.joint_friction
        self._keep(
            friction=checked_friction("friction", self.friction),
            joint_friction=checked_frictions(frictions, self.numbers),
            links=checked_links(self.links, self.stones, self.numbers),
            g=positive("g", self.g, "m/s²"),
            floating=yes_or_no("floating", self.floating),
        )
        refuse_misplaced(self.stones, self.links, self.numbers, self.floating)

    def _keep(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash((self.stones, self.friction, self.links, self.name, self.g))

    # -- its stones -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Assembly: {self.label}, {self.mass:.4g} kg, friction {self.friction:g}>"

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
        return number_of(stone, self.numbers)

    def friction_between(self, a: int, b: int) -> float:
        """Coulomb's coefficient μ between two stones."""
        return self._frictions.get((min(a, b), max(a, b)), self.friction)

    @cached_property
    def _frictions(self) -> dict[tuple[int, int], float]:
        found = {}
        for (a, b), value in self.joint_friction.items():
            i, j = sorted((self.number(a), self.number(b)))
            found[i, j] = value
        return found

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """Where its stones meet at the start."""
        return joints(self)

    def mirrored(self) -> Self:
        """Its mirror image about the line x = 0."""
        links = tuple(
            replace(link, points=tuple((-x, y) for x, y in link.points)) for link in self.links
        )
        return replace(self, stones=tuple(stone.mirrored() for stone in self.stones), links=links)

    # -- as a whole -------------------------------------------------------------------------------

    @property
    def stone_count(self) -> int:
        """How many stones can move."""
        return sum(not stone.fixed for stone in self.stones)

    @property
    def mass(self) -> float:
        """Of the stones that move [kg]."""
        return math.fsum(stone.mass for stone in self.stones if not stone.fixed)

    @property
    def total_mass(self) -> float:
        """Of the stones that move [kg]."""
        return self.mass

    @property
    def total_length(self) -> float:
        """From the left end to the right one of the stones that move [m]."""
        return self._extent(0)

    @property
    def total_height(self) -> float:
        """From the lowest to the highest point of the stones that move [m]."""
        return self._extent(1)

    def _extent(self, axis: int) -> float:
        moving = [stone for stone in self.stones if not stone.fixed] or self.stones
        along = [corner[axis] for stone in moving for corner in stone.corners]
        return max(along) - min(along)

    @property
    def label(self) -> str:
        """In words: "wall of 105 stones"."""
        return self.size({"name": self.name, "stone_count": self.stone_count})

    @property
    def limits(self) -> tuple[float, float]:
        return 1.0, 1.0

    @property
    def free_rate(self) -> float:
        """√(g / half the diagonal of its smallest stone): the pendulum's rate that p is of
        [rad/s]."""
        moving = [stone.reach for stone in self.stones if not stone.fixed]
        return math.sqrt(self.g / min(moving or [1.0]))

    # -- as values of tables and files -------------------------------------------------------------

    @staticmethod
    def size(values: dict[str, Any]) -> str:
        count = int(values["stone_count"])
        return f"{values['name'] or 'assembly'} of {count} stone{'s' * (count != 1)}"

    @classmethod
    def parameter_names(cls) -> list[str]:
        return list(dict.fromkeys((*super().parameter_names(), *values_given.names())))

    @classmethod
    def stored_names(cls) -> tuple[str, ...]:
        return ("name", "friction", "g", "description")

    @property
    def description(self) -> str:
        """All but its name, friction and g, as a text (JSON)."""
        values = self.as_values()
        for name in ("name", "friction", "g"):
            del values[name]
        return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

    def as_values(self) -> dict[str, Any]:
        """Its parameters as plain lists, numbers and words, from which `from_values` makes the
        same again."""
        return {
            "stones": [stone_values(stone) for stone in self.stones],
            "friction": self.friction,
            "joint_friction": friction_values(self.joint_friction),
            "links": [link_values(link) for link in self.links],
            "name": self.name,
            "g": self.g,
            "floating": self.floating,
        }

    @classmethod
    def from_values(cls, values: dict[str, Any], preset: str | None = None) -> Self:
        """From the name of a ``structure``, such as "drums", and its sizes; from a ``file``; from
        the ``description`` that tables keep; or from the fields."""
        plain = values_given.plain(cls, values, preset)
        return plain if isinstance(plain, cls) else super().from_values(plain)

    @classmethod
    def made_by(
        cls, values: dict[str, Any], preset: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        return values_given.written(values, preset) or super().made_by(values, preset)

    # -- files ------------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: str | Path, **options: Any) -> Self:
        """From a file; see `read_assembly`."""
        from rocksteady.bodies.assembly.files import read_into

        made: Self = read_into(cls, path, **options)
        return made

    def save(self, path: str | Path, *, scale: float | None = None) -> Path:
        """Write it to a file that ends in ``.json`` (all of it), ``.compas.json``, ``.dxf`` or
        ``.svg`` (outlines only). ``scale`` is the unit of a drawing [m]: 0.001 for millimetres."""
        from rocksteady.bodies.assembly.files import write

        return write(self, path, scale)
