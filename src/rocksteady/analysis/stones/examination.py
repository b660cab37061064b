"""An assembly examined: its collapse loads to both sides, and what motions do to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from rocksteady.analysis.limit_analysis import LimitLoad, limit_load
from rocksteady.analysis.stones.outcome import Outcome, outcome
from rocksteady.bodies import expect
from rocksteady.bodies.assembly import Assembly
from rocksteady.bodies.assembly.joints import joints
from rocksteady.ensembles.digests import digest, motion_digest
from rocksteady.errors import InputError, heard, so_far
from rocksteady.motion import Motion
from rocksteady.motion.floors import Floor
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.registry import imported
from rocksteady.response import Response
from rocksteady.simulation import simulate
from rocksteady.theories.assembly import BlockDynamics
from rocksteady.version import environment

SIDES = {"right": (1.0, 0.0), "left": (-1.0, 0.0)}
SAME = 1e-6  # relative difference of collapse loads to both sides that are called equal


class Fact(NamedTuple):
    """A row of the table that describes the assembly."""

    words: str
    value: str
    unit: str


@dataclass(frozen=True, eq=False)
class Examination:
    """An assembly, its collapse loads and its runs; see `examine`."""

    assembly: Assembly
    formulation: BlockDynamics
    limits: dict[str, LimitLoad]
    """Pushed to the "right" and to the "left"."""
    responses: tuple[Response, ...]
    outcomes: tuple[Outcome, ...]
    """What became of the stones in each run, with the error of its time step."""
    floor: Floor | None
    command: str
    warnings: tuple[str, ...] = ()
    """What was warned of since the inputs were read."""
    environment: dict[str, str] = field(default_factory=environment)
    """What computed it: version, commit, Python, NumPy, Numba, processor."""

    # -- words ------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        name = self.assembly.label
        return name[0].upper() + name[1:]

    @property
    def weakest(self) -> LimitLoad:
        """The limit load of the side to which it collapses first."""
        return min(self.limits.values(), key=lambda one: (one.stands, one.multiplier))

    @property
    def answer(self) -> str:
        """What was found, in one or two sentences."""
        if not self.weakest.stands:
            return self.weakest.words
        load = self.weakest.multiplier
        said = (
            "No horizontal push collapses it."
            if math.isinf(load)
            else f"A steady horizontal push of {load:.4g} of its weight collapses it{self._bound}."
        )
        runs = len(self.responses)
        if not runs:
            return f"{said} No motion was given."
        fell = sum(response.fell for response in self.responses)
        every = "the motion" if runs == 1 else f"{runs} motions"
        if fell == 0:
            return f"{said} It stands under {every}."
        if fell == runs:
            return f"{said} It collapses under {every if runs == 1 else f'all {every}'}."
        return f"{said} It collapses under {fell} of {every}."

    @property
    def _bound(self) -> str:
        return " at most, for joints slide" if self.weakest.sliding_joints else ""

    @property
    def limit_sentences(self) -> list[str]:
        """The collapse load to each side; once where both are the same."""
        if len(self.drawn_limits) == 1:
            return [self.limits["right"].words]
        return [f"Pushed to the {side}: {one.words}" for side, one in self.limits.items()]

    @property
    def _symmetric(self) -> bool:
        right, left = (self.limits[side].multiplier for side in SIDES)
        same = right == left or abs(right - left) <= SAME * abs(right)
        return same or not self.weakest.stands

    @property
    def drawn_limits(self) -> dict[str, LimitLoad]:
        """Those worth a figure: one, where both sides are the same."""
        return {"right": self.limits["right"]} if self._symmetric else self.limits

    @property
    def residual_sentence(self) -> str:
        """Which rule ran, the worst residual of all runs, and what their time step may have
        done."""
        if not self.responses:
            return ""
        if len(self.responses) == 1:
            return self.outcomes[0].told
        residuals = [one.computed["residual"] for one in self.outcomes]
        worst = self.formulation.told(
            self.responses[residuals.index(max(residuals))], self.step_sentence
        )
        bad = sum(one.computed["unconverged"] for one in self.outcomes)
        solves = sum(one.computed["solves"] for one in self.outcomes)
        if not bad:
            return f"In all runs: {worst}"
        count = f"{bad} of {solves} contact problems of all runs were left above 1e-4 g h"
        return f"{count}; the worst run: {worst}"

    @property
    def step_sentence(self) -> str:
        """What shorter time steps changed, over all runs."""
        steps = [one.step for one in self.outcomes if one.step is not None]
        if len(steps) < 2:
            return "".join(one.sentence for one in steps)
        other = sum(not one.settled for one in steps)
        known = [one for one in steps if one.known]
        astray = sum(one.settled and not one.converges for one in steps)
        said = []
        if other:
            said.append(
                f"With shorter steps the outcome of {other} of {len(steps)} runs is another: judge "
                "many runs, not these alone."
            )
        if known:
            which = "all runs" if len(known) == len(steps) else _runs(len(known))
            said.append(
                f"Beside runs with half and a quarter of the step, places of {which} err by less "
                f"than {1e3 * max(one.displacement for one in known):.2g} mm and turns by less "
                f"than {max(one.turn for one in known):.2g} rad."
            )
        if astray:
            said.append(
                f"In {_runs(astray)} halving the step again changes as much: the error of the step "
                "is not known, judge many runs."
            )
        lost = len(steps) - other - astray - len(known)
        if lost:
            said.append(f"In {_runs(lost)} a stone was lost: the error of the step is not known.")
        return " ".join(said)

    @property
    def facts(self) -> list[Fact]:
        """The assembly in numbers."""
        assembly = self.assembly
        every = joints(assembly)
        frictions = sorted({joint.friction for joint in every}) or [assembly.friction]
        low, high = f"{frictions[0]:g}", f"{frictions[-1]:g}"
        rows = [
            Fact("stones that move", str(assembly.stone_count), ""),
            Fact("stones that are fixed", str(len(assembly) - assembly.stone_count), ""),
            Fact("joints", str(len(every)), ""),
            Fact("mass of the stones that move", f"{assembly.mass:.5g}", "kg"),
            Fact("length", f"{assembly.total_length:.4g}", "m"),
            Fact("height", f"{assembly.total_height:.4g}", "m"),
            Fact("friction of the joints", low if low == high else f"{low} to {high}", ""),
            Fact("gravity", f"{assembly.g:g}", "m/s²"),
        ]
        if assembly.links:
            rows.append(Fact("springs, ties and tendons", str(len(assembly.links)), ""))
        return rows

    @property
    def run_rows(self) -> list[tuple[str, ...]]:
        """A row for each run: motion, PGA, outcome, largest displacement and turn, residual,
        error of the time step."""
        return [
            (
                response.motion.name or f"motion {i}",
                f"{response.motion.pga / GRAVITY_UNIT:.3g}",
                str(response.status),
                f"{1e3 * found.displacement:.3g}",
                f"{math.degrees(found.turn):.3g}",
                f"{found.computed['residual']:.1e}",
                f"{found.computed['unconverged']} of {found.computed['solves']}",
                _step_cell(found),
            )
            for i, (response, found) in enumerate(
                zip(self.responses, self.outcomes, strict=True), 1
            )
        ]

    @property
    def caveats(self) -> list[str]:
        """What the numbers do not say."""
        return [
            "Stones are rigid: they neither crush nor crack, and joints carry no tension.",
            "All happens in one vertical plane: a wall that falls out of its plane is another "
            "question.",
            "A collapse under one record says little: nearly the same motion may leave it "
            "standing. Shares of many motions say more (rocksteady assembly fragility).",
            "Friction is Coulomb's, the same at rest and in motion. There is no damping but the "
            "loss at impacts and in friction.",
        ]

    @property
    def digest(self) -> str:
        """SHA-256 of the assembly, the theory and the motions."""
        parts = [self.assembly.description, str(self.assembly.friction), repr(self.formulation)]
        return digest(*parts, *(motion_digest(one.motion) for one in self.responses))

    # -- results ----------------------------------------------------------------------------------

    def summary(self) -> dict[str, Any]:
        """Plain numbers and words."""
        return {
            "rocksteady": self.environment["rocksteady"],
            "environment": self.environment,
            "assembly": self.assembly.label,
            "answer": self.answer,
            "multipliers": {side: one.multiplier for side, one in self.limits.items()},
            "limits": {side: one.words for side, one in self.limits.items()},
            "rule": self.formulation.rule_for(self.assembly),
            "residual": max((one.computed["residual"] for one in self.outcomes), default=math.nan),
            "unconverged": sum(one.computed["unconverged"] for one in self.outcomes),
            "told": self.residual_sentence,
            "warnings": list(self.warnings),
            "runs": [
                {
                    "motion": response.motion.name,
                    "status": str(response.status),
                    "sentence": found.sentence,
                    "displacement": found.displacement,
                    "turn": found.turn,
                    "fallen": [name for name, _ in found.fallen],
                    "residual": found.computed["residual"],
                    "unconverged": found.computed["unconverged"],
                    "step_error": None if found.step is None else found.step.summary(),
                }
                for response, found in zip(self.responses, self.outcomes, strict=True)
            ],
        }

    def report(self, path: str | Path, date: date | None = None) -> Path:
        """Write a report to ``path`` (.html), whole or not at all. ``date``: today unless given."""
        written: Path = imported("rocksteady.view.report.stones:write_stones_report")(
            self, path, date
        )
        return written

    def __repr__(self) -> str:
        return f"<Examination: {self.answer}>"


def examine(
    assembly: Assembly,
    motions: Motion | Sequence[Motion] = (),
    formulation: BlockDynamics | None = None,
    *,
    floor: Floor | None = None,
    command: str = "rs.analysis.examine(...)",
    tell: Callable[[str], Any] = lambda what: None,
) -> Examination:
    """Examine an assembly: its collapse loads to both sides, and what motions do to it. Each motion
    is run again with half and a quarter of the time step, for the error of the first run.

    Parameters
    ----------
    assembly
        The stones.
    motions
        What shakes them, each in a run of its own.
    formulation
        How they move; `BlockDynamics` as it is unless given.
    floor
        What the assembly stands on, for the words: the motions are that floor's.
    command
        What the report says it was made by.
    tell
        Called with what is done next.

    Examples
    --------
    >>> import rocksteady as rs
    >>> found = examine(rs.Assembly.arch(7, 1.5, radius=10.0, embrace=157.5))
    >>> round(found.weakest.multiplier, 4)
    0.37
    """
    expect(assembly, Assembly, "An examination")
    how = BlockDynamics() if formulation is None else formulation
    expect(how, BlockDynamics, "An examination")
    every = [motions] if isinstance(motions, Motion) else list(motions)
    for i, motion in enumerate(every):
        if not isinstance(motion, Motion):
            raise InputError(f"motions[{i}] is a {type(motion).__name__}, not a Motion.")
    with heard():
        tell("Finding the collapse loads")
        limits = {side: limit_load(assembly, towards) for side, towards in SIDES.items()}
        responses, outcomes = [], []
        for i, motion in enumerate(every, 1):
            tell(f"Shaking it by {motion.name or 'a motion'} ({i} of {len(every)})")
            responses.append(simulate(assembly, motion, how))
            tell(f"Running it again with shorter steps ({i} of {len(every)})")
            outcomes.append(outcome(responses[-1], halve=True))
        told = tuple(so_far())
    return Examination(
        assembly, how, limits, tuple(responses), tuple(outcomes), floor, command, told
    )


def _runs(count: int) -> str:
    return f"{count} run{'s' * (count != 1)}"


def _step_cell(found: Outcome) -> str:
    """The bound of the error of places [mm], for the table."""
    step = found.step
    if step is not None and not step.settled:
        return "another outcome"
    return f"{1e3 * step.displacement:.2g}" if step is not None and step.known else "not known"
