"""Compare formulations: the same body under the same motion in each of them; a body in space beside
its shadows in vertical planes."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocksteady.analysis.planes import Plane, planes_of, verdict
from rocksteady.bodies import Block, Coordinate, System
from rocksteady.bodies.system import block_of
from rocksteady.errors import InputError, with_article
from rocksteady.motion import Motion
from rocksteady.registry import imported
from rocksteady.response import Response
from rocksteady.simulation import compile_for, simulate
from rocksteady.theories.contract import Formulation
from rocksteady.theories.registry import suitable, theories_for, usual

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RIGHT, LEFT = "→ ", "← "
FALL_MEANS = "→ ← direction of the fall, and the time when it finally passed its balance angle."
FALL_IN_SPACE = "falls … s: the time when it finally passed its balance angle."


@dataclass(frozen=True, eq=False)
class Entry:
    """The result of one formulation: a response, or the reason why it does not apply."""

    name: str
    response: Response | None
    seconds: float
    """Time of the run [s], without compilation."""
    reason: str = ""
    plane: Plane | None = None
    """The plane in which a body in space was run; None for the body itself."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The same body under the same motion in several formulations; the first is the reference."""

    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __getitem__(self, name: str) -> Entry:
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise KeyError(name)

    @property
    def coordinate(self) -> Coordinate:
        """The coordinate of the first formulation that applies."""
        return next(e.response.coordinate for e in self.entries if e.response is not None)

    @property
    def sentences(self) -> list[str]:
        """Of a body in space: whether a plane would have been enough, in words."""
        body = self.entries[0].response
        planes = [(e.plane, e.response) for e in self.entries if e.plane and e.response]
        return [] if body is None or not planes else verdict(body, planes)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each formulation: peak |θ|/α (or the body's own relative coordinate), impacts,
        residual slide [m], status, seconds, and the differences of peak and history from the first
        formulation that applies.

        ``moved`` is how far it stands from where it stood [m]: what a body in space has walked or
        slid, in a plane the size of the slide; None after a fall. ``in_space`` tells which.

        After a fall a peak means nothing: ``peak`` is nan, and ``peak_difference`` is None if one
        of the two fell. ``fell_to`` is the direction of the fall ("right" or "left"; of a body in
        space over which corner or edge and where to, at the end of the run), ``fell_at`` [s] the
        time at which it passed its balance angle for good; None for a body that stood."""
        first = next((e.response for e in self.entries if e.response is not None), None)
        return [_row(entry, first) for entry in self.entries]

    def __repr__(self) -> str:
        ran = [entry.response for entry in self.entries if entry.response is not None]
        peaks = sorted(response.peak for response in ran if not response.fell)
        parts = [f"{len(self.entries)} formulation{'s' * (len(self.entries) != 1)}"]
        if len(ran) < len(self.entries):
            parts.append(f"{len(self.entries) - len(ran)} of them not applicable")
        if peaks:
            rest = " of the rest" * (len(peaks) < len(ran))
            size = ran[0].coordinate.size
            parts.append(f"peak {size}{rest} from {peaks[0]:.4g} to {peaks[-1]:.4g}")
        if ran:
            parts.append(f"{len(ran) - len(peaks)} overturned")
        return f"<Comparison: {', '.join(parts)}>"

    def __str__(self) -> str:
        """A table, and what follows from it in words."""
        width = max(len(entry.name) for entry in self.entries)
        peak = f"peak {self.coordinate.size}"
        rows = self.rows()
        way = way_name(rows)
        lines = [f"{'':{width}}  {peak:>10}  impacts  {f'{way} [mm]':>10}  status"]
        for row in rows:
            text = row.get("reason", "")
            if not text:
                numbers = f"{row['impacts']:7d}  {way_in_mm(row, way):>10}"
                text = f"{peak_or_fall(row):>{len(peak)}}  {numbers}  {row['status']}"
            lines.append(f"{row['formulation']:{width}}  {text}")
        return "\n".join([*lines, *fall_means(rows), *self.sentences])

    def plot(self, path: str | Path | None = None) -> "Figure":
        """Plot all histories in one figure."""
        return imported("rocksteady.view.comparison:plot_comparison")(self, path)  # type: ignore[no-any-return]


def compare(
    system: System,
    motion: Motion | None = None,
    formulations: Mapping[str, Formulation] | None = None,
    *,
    theta0: float = 0.0,
    omega0: float = 0.0,
    x0: float = 0.0,
    v0: float = 0.0,
    direction: float = 0.0,
    until: str | float = "rest",
    duration: float | None = None,
    eta: float | None = None,
    friction: float | None = None,
) -> Comparison:
    """Run one body under one motion in every formulation that applies.

    A body in space is also run in vertical planes: along x, along y and in its weakest direction,
    each under the component of the motion in that plane and the vertical one; released from a lean,
    in the plane of the lean. ``sentences`` then say whether a plane would have been enough.

    Parameters
    ----------
    system, motion, theta0, omega0, x0, v0, direction, until, duration
        As for :func:`rocksteady.simulate`.
    formulations
        The formulations by the names to show; by default all that apply to the body, and for a body
        in space the planes.
    eta
        Ratio of angular velocities at an impact, for formulations that accept one; by default each
        uses its own.
    friction
        Coulomb's coefficient for formulations that can slide; by default they hardly slide. The
        planes of a body in space then slide, too: by :class:`~rocksteady.Nonsmooth`.
    """
    suitable(None, system)  # an error if it is not a body
    start = {"theta0": theta0, "omega0": omega0, "x0": x0, "v0": v0, "direction": direction}
    chosen = _named(formulations) if formulations is not None else _usual(system, eta, friction)
    cases = [_Case(name, system, motion, make, start) for name, make in chosen.items()]
    if system.spatial and formulations is None:
        leans = bool(theta0 or omega0)
        lean = {name: value for name, value in start.items() if name != "direction"}
        for plane in planes_of(system, motion, direction if leans else None):
            how = _planar(plane.block, friction)
            cases.append(_Case(plane.name, plane.block, plane.motion, how, lean, plane))
    ends = {"until": until, "duration": duration}
    entries = tuple(_entry(case, ends) for case in cases)
    if all(entry.response is None for entry in entries):
        # the input is wrong, not a formulation
        raise InputError("\n".join(dict.fromkeys(entry.reason for entry in entries)))
    return Comparison(entries)


class _Case(NamedTuple):
    """One run of a comparison."""

    name: str
    system: System
    motion: Motion | None
    make: Callable[[], Formulation]
    start: dict[str, Any]
    plane: Plane | None = None


def _entry(case: _Case, ends: dict[str, Any]) -> Entry:
    try:
        how = suitable(case.make(), case.system)
        compile_for(how, case.system)
        begin = time.perf_counter()
        response = simulate(case.system, case.motion, how, **case.start, **ends)
        return Entry(case.name, response, time.perf_counter() - begin, plane=case.plane)
    except InputError as error:
        return Entry(case.name, None, 0.0, str(error), case.plane)


def _named(formulations: object) -> dict[str, Callable[[], Formulation]]:
    if not isinstance(formulations, Mapping) or not formulations:
        raise InputError(
            "formulations must be a dictionary of names and formulations, at least one: "
            "{'Housner': rs.Housner()}."
        )
    return {name: partial(lambda how: how, how) for name, how in formulations.items()}


def _usual(
    system: System, eta: float | None, friction: float | None
) -> dict[str, Callable[[], Formulation]]:
    """Functions that make each: one that refuses these values must not stop the others."""
    able = theories_for(system)
    if not any(kind.compared for kind in able):
        raise InputError(
            f"A comparison of theories needs a body that several of them can move: "
            f"{with_article(type(system).__name__)} moves by "
            f"{' or '.join(kind.name for kind in able)} alone. Use rs.simulate, or give "
            f"formulations=.{block_of(system)}"
        )
    return {
        kind.title or kind.name: partial(kind.like, eta=eta, friction=friction)
        for kind in able
        if kind.compared
    }


def _planar(block: Block, friction: float | None) -> Callable[[], Formulation]:
    """How the shadow of a body in space moves: it can slide if the body can."""
    from rocksteady.theories.nonsmooth import Nonsmooth  # late: few comparisons need it

    return partial(usual, block) if friction is None else partial(Nonsmooth, friction=friction)


def _row(entry: Entry, first: Response | None) -> dict[str, Any]:
    response = entry.response
    if response is None or first is None:
        return {"formulation": entry.name, "reason": entry.reason}
    fell, alike = response.fall, response.coordinate == first.coordinate
    leans = response.rocks and first.rocks  # both are judged by θ/α
    comparable = (alike or leans) and not (response.fell or first.fell)
    return {
        "formulation": entry.name,
        "peak": response.peak if fell is None else math.nan,
        "impacts": len(response.impacts),
        "slide": response.slide,
        "moved": _moved(response),
        "in_space": response.system.spatial,
        "status": str(response.status),
        "fell_to": None if fell is None else fell.direction,
        "fell_at": None if fell is None else fell.time,
        "seconds": entry.seconds,
        "peak_difference": response.peak - first.peak if comparable else None,
        "history_difference": _history_difference(response, first) if alike else math.nan,
    }


def _moved(response: Response) -> float | None:
    if response.fell:
        return None
    return response.walked if response.system.spatial else abs(response.slide)


def way_name(rows: list[dict[str, Any]]) -> str:
    """What the column of the way over the ground holds: beside a body in space, which walks or
    slides in any direction, its size alone."""
    return "moved" if any(row.get("in_space") for row in rows) else "slide"


def way_in_mm(row: dict[str, Any], name: str) -> str:
    """The entry of that column [mm]."""
    return "–" if row[name] is None else f"{1000 * row[name]:.2f}"


def fall_means(rows: list[dict[str, Any]]) -> list[str]:
    """What the table shows of falls, in a sentence; none where nothing fell."""
    shown = [peak_or_fall(row) for row in rows if row.get("fell_at") is not None]
    if any(each.startswith((RIGHT, LEFT)) for each in shown):
        return [FALL_MEANS]
    return [FALL_IN_SPACE] if shown else []


def peak_or_fall(row: dict[str, Any]) -> str:
    """The peak of a row of :meth:`Comparison.rows`; after a fall, its direction and time."""
    if row["fell_at"] is None:
        return f"{row['peak']:.4f}"
    arrow = {"right": RIGHT, "left": LEFT}.get(row["fell_to"], "falls ")
    return f"{arrow}{row['fell_at']:.4g} s"


def _history_difference(ours: Response, theirs: Response) -> float:
    """Largest difference of the relative coordinate (θ/α) over the time that both cover."""
    end = min(ours.time[-1], theirs.time[-1])
    t = theirs.time[theirs.time <= end]
    lean = [ours.relative, theirs.relative]
    return float(np.abs(np.interp(t, ours.time, lean[0]) - lean[1][: len(t)]).max())
