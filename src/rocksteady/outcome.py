"""What became of a body in a run. One place decides it, for every kind of body and every door:
figures, films, tables, reports, the command line and the page say what `Response.outcome` says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocksteady.response import Response
from rocksteady.status import Fall, Status

IN_PLACE = 1e-4  # m: a body or stone that is nearer to where it stood is back in its place
FACES = math.radians(0.05)  # a body in space that has turned less about the vertical has not turned
LEANING = 0.01  # of α: a body that rests at less stands
STILL = 1e-6  # m: a displacement below this is what contact problems are solved to
SOON = 0.05  # s: stones that fall within this of the first fell together
FEW = 3  # names in a sentence
SIDES = {"right": "to the right (+x)", "left": "to the left (−x)"}


@dataclass(frozen=True)
class Outcome:
    """How a run ended, and where it left the body."""

    status: Status
    fall: Fall | None
    """When and where to it fell; None if it did not."""
    fallen: tuple[tuple[str, float], ...]
    """Name and time [s] of every stone that fell, the first one first."""
    moved: bool
    """Whether it lifted off, slid or bent at all, or a stone moved."""
    left: float
    """How far its base, or the stone that is farthest, is from where it stood at the end [m]; of a
    building, how far its interface has slipped. After a fall it means nothing."""
    turned: float
    """How far a body in space has turned about the vertical [rad]; 0 for others."""
    words: str
    """For a headline, after the name of the body: "stands, peak |θ|/α = 0.5, 3 impacts"."""
    sentence: str
    """The same as a sentence of its own."""
    leans: float = 0.0
    """Rotation [rad] at which a body rests against what keeps it from falling; 0 if it stands."""

    @property
    def fell(self) -> bool:
        """Whether it overturned or collapsed."""
        return self.status.fell

    @property
    def away(self) -> bool:
        """Whether its base, or a stone, is farther than 0.1 mm from where it stood at the end."""
        return self.left > IN_PLACE

    @property
    def in_place(self) -> bool:
        """Whether it is at rest, back in its place to 0.1 mm."""
        return self.status is Status.AT_REST and not self.away and not self.leans

    def __str__(self) -> str:
        return self.words


def outcome(response: Response) -> Outcome:
    """What became of the body: see `Response.outcome`."""
    how, system, states = response.formulation, response.system, response.states
    fallen = tuple(how.fallen(system, response.time, states)) if response.fell else ()
    away = how.displaced(system, states)
    left = 0.0 if away is None else float(np.abs(away[-1]))
    ends = how.at_end(system, states[-1:])
    turned = float(ends["turned"][0]) if "turned" in ends else 0.0
    metres = not response.rocks and response.coordinate.unit == "m" and not response.coordinate.over
    moved = response.peak > (STILL if metres else 0.0)
    moved |= away is not None and bool(np.nanmax(np.abs(away), initial=0.0) > STILL)
    found = _Found(response, fallen, bool(moved), left, turned, _leans(response))
    return Outcome(
        response.status, response.fall, fallen, bool(moved), left, turned, found.words,
        found.sentence, found.leans,
    )  # fmt: skip


def _leans(response: Response) -> float:
    """The rotation of a planar body that has come to rest against something."""
    if not response.rocks or response.system.spatial or response.status is not Status.AT_REST:
        return 0.0
    return float(response.theta[-1]) if abs(response.relative[-1]) > LEANING else 0.0


@dataclass(frozen=True)
class _Found:
    """What the words are made of."""

    response: Response
    fallen: tuple[tuple[str, float], ...]
    moved: bool
    left: float
    turned: float
    leans: float

    @property
    def verdict(self) -> str:
        if self.leans:
            return f"comes to rest leaning by {angle(abs(self.leans))} {SIDES[self._to]}"
        rests = self.response.status is Status.AT_REST
        return "stands" if rests else f"still moves at {self.response.time[-1]:.3g} s"

    @property
    def _to(self) -> str:
        return "right" if self.leans > 0 else "left"

    @property
    def stones(self) -> bool:
        return self.response.has("fallen")

    @property
    def words(self) -> str:
        response = self.response
        if response.fell:
            return self._fell()
        if response.status is Status.FAILED:
            return f"has no answer beyond {response.time[-1]:.3g} s"
        if self.stones:
            return f"{self.verdict}, {self._stones()}"
        return ", ".join([self.verdict, *self._peak(), *self._away()])

    @property
    def sentence(self) -> str:
        response = self.response
        if response.status is Status.FAILED:
            return (
                f"There is no answer beyond {response.time[-1]:.3g} s: this says nothing about the "
                f"{'stones' if self.stones else 'body'}."
            )
        if self.fallen:
            return f"It collapses at {self.fallen[0][1]:.3g} s: {self.falling}."
        if not self.stones or response.fell:
            still = not response.fell and not self.moved
            return f"It {' and '.join(self.words.split(', ', 1)) if still else self.words}."
        if not self.moved:
            return f"It {self.verdict}, and no stone moves."
        place = (
            "all are back in their places at the end"
            if self.left <= IN_PLACE
            else f"at the end one is {length(self.left)} from its place"
        )
        farthest = length(float(np.nanmax(response.column("displacement"))))
        return f"It {self.verdict}. No stone moves more than {farthest}; {place}."

    def _fell(self) -> str:
        response = self.response
        fall = response.fall
        assert fall is not None
        if response.rocks:
            to = SIDES.get(fall.direction, fall.direction)
            return f"overturns {to}{fall.when}{_impacts(response)}"
        count = f", {counted_fallen(self.down)}" if self.fallen else ""
        return f"collapses at {fall.time:.3g} s{count}"

    @property
    def down(self) -> int:
        """How many stones have fallen at the end."""
        return int(self.response.column("fallen")[-1])

    @property
    def falling(self) -> str:
        """Which stones fall first, and how many follow."""
        begin = self.fallen[0][1]
        first = [name for name, time in self.fallen if time <= begin + SOON]
        of = self.response.system.stone_count  # type: ignore[attr-defined]
        more = f" first; {self.down} of {of} stones have fallen at the end"
        return f"{_names(first)}{more if self.down > len(first) else ''}"

    def _stones(self) -> str:
        """How far they have moved."""
        if not self.moved:
            return "does not move"
        column = self.response.column
        most, turn = float(np.nanmax(column("displacement"))), float(np.nanmax(column("turn")))
        said = f"moved {length(most)} and turned {angle(turn)} at most"
        place = "back in place" if self.left <= IN_PLACE else f"{length(self.left)} off"
        return f"{said}, {place} at the end"

    def _peak(self) -> list[str]:
        response = self.response
        what = response.coordinate
        if response.peak == 0:
            if not self.moved or self.left <= IN_PLACE:
                return ["does not lift off" if response.rocks else "does not move"]
            return []
        if response.has("w"):
            size = f"peak |u| = {length(abs(response.peak_angle))}"
            return [size, f"wear {100 * float(response.wear[-1]):.3g} %"]
        value = f"{response.peak:.3g}" if what.over else f"{response.peak:.3g} {what.unit}"
        size = what.size if what.over else what.name
        return [f"peak {size} = {value}{_impacts(response) if response.rocks else ''}"]

    def _away(self) -> list[str]:
        """Where it has gone: in space to any side, and turned."""
        response, said = self.response, []
        if response.has("w"):
            return [f"slipped by {length(self.left)}"] if self.left > IN_PLACE else []
        if self.left > IN_PLACE and response.system.spatial:
            said.append(f"moved {length(self.left)}")
        elif self.left > IN_PLACE:
            said.append(f"slides {length(self.left)} to the {_side(response.slide)}")
        if abs(self.turned) >= FACES:
            text = f"{math.degrees(self.turned):+.1f}".replace("-", "−")
            said.append(f"turned {text}°")
        return said


def length(metres: float) -> str:
    """A displacement in the unit in which it is read easily."""
    return f"{metres:.3g} m" if metres >= 1 else f"{1e3 * metres:.3g} mm"


def angle(radians: float) -> str:
    """A rotation in degrees."""
    degrees = math.degrees(radians)
    return f"{degrees:.0f}°" if degrees >= 9.95 else f"{degrees:.2g}°"


def counted(impacts: int) -> str:
    """So many impacts, in words."""
    return "1 impact" if impacts == 1 else f"{impacts} impacts"


def counted_fallen(count: int) -> str:
    """So many stones have fallen, in words."""
    return "1 stone fallen" if count == 1 else f"{count} stones fallen"


def _impacts(response: Response) -> str:
    return f", {counted(len(response.impacts))}" if response.formulation.has_impacts else ""


def _side(slide: float) -> str:
    return "right" if slide > 0 else "left"


def _names(names: list[str]) -> str:
    """Of stones that fall together."""
    if len(names) > FEW:
        return f"{', '.join(names[:FEW])} and {len(names) - FEW} more fall"
    *some, last = names
    both = f"{', '.join(some)} and {last}" if some else last
    return f"{both} {'fall' if some else 'falls'}"
