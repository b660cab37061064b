"""What an ensemble runs: systems, motions and scales, checked once, and the number of each run."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, cast

import numpy as np

from rocksteady.bodies import SYSTEMS, System, fields_of
from rocksteady.bodies.units import split_unit
from rocksteady.engine.ground import Ground, Runs
from rocksteady.ensembles import shake
from rocksteady.ensembles.checks import checked_floor, checked_scales, named, one_formulation
from rocksteady.ensembles.digests import digest, motion_digest
from rocksteady.ensembles.layout import Table, study_tables
from rocksteady.ensembles.many import Columns, Index, ManyRuns, Report, check_backend
from rocksteady.ensembles.outcome import quantities
from rocksteady.ensembles.plan import Part, part_size, run_seconds
from rocksteady.errors import InputError, warned_once
from rocksteady.motion import Motion
from rocksteady.motion.collection import distinct
from rocksteady.motion.floors import Floor
from rocksteady.motion.upwards import warn_of_ignored, warn_of_verticals
from rocksteady.numbers import yes_or_no
from rocksteady.numerics.types import Array
from rocksteady.simulation import TO_REST, checked_until
from rocksteady.theories import Formulation
from rocksteady.theories.contract import Quantity

A_BODY = "a body such as rs.Block(height=1.8, width=0.5)"
A_MOTION = "a Motion, as rs.read_motion returns it"


@dataclass(frozen=True, eq=False)
class Study(ManyRuns):
    """Every system under every motion times every scale; or, paired, one of each per run.

    Runs are numbered as the axes (system, motion, scale) are: the scale changes fastest.
    """

    systems: tuple[System, ...]
    system_names: tuple[str, ...] | None
    """None where they have no names."""
    motions: tuple[Motion, ...]
    """Of the ground, before the scales."""
    motion_names: tuple[str, ...]
    scales: Array
    formulation: Formulation
    paired: bool = False
    until: str | float = "rest"
    """When a run ends: "rest", "outcome", "motion" or after so many seconds: `ensemble`."""
    backend: str = "cpu"
    precision: str = "float64"
    skipped: Mapping[str, str] = field(default_factory=dict)
    """Files of a folder that could not be read, with the reasons."""
    verticals: tuple[str, ...] = ()
    """Vertical components that were left out."""
    floor: Floor | None = None
    """Where the bodies stand; on the ground if None."""
    rates: bool = False
    """Whether the largest rate of each run is kept, too; the runs are then made one by one."""

    title: ClassVar[str] = "rocksteady ensemble"

    @classmethod
    def of(
        cls,
        systems: System | Sequence[System] | Mapping[str, System],
        motions: Motion | Sequence[Motion] | Mapping[str, Motion],
        formulation: Formulation | None = None,
        *,
        scales: float | Sequence[float] | Array | None = None,
        paired: bool = False,
        until: str | float = "rest",
        backend: str = "cpu",
        precision: str = "float64",
        floor: Floor | None = None,
    ) -> "Study":
        """Check all that can be checked before the first run. ``skipped`` and ``verticals`` come
        from the motions if `read_motions` read them."""
        check_backend(backend, precision)
        bodies, body_names = named(systems, (System,), "systems", A_BODY)
        shocks, shock_names = named(motions, (Motion,), "motions", A_MOTION)
        how = one_formulation(formulation, bodies)
        if "transverse" in how.components:
            shocks = tuple(motion.right_handed() for motion in shocks)
        study = cls(
            bodies,
            body_names,
            shocks,
            distinct(shock_names or tuple(motion.name for motion in shocks)),
            checked_scales(scales),
            how,
            yes_or_no("paired", paired),
            checked_until(until),
            backend,
            precision,
            dict(getattr(motions, "skipped", {})),
            tuple(getattr(motions, "verticals", ())),
            floor=checked_floor(floor),
        )
        if paired:
            study._check_pairs()
        warn_of_verticals(shocks)
        warn_of_ignored(shocks, how.name, how.components)
        _ = study.felt
        study._check_verticals()
        with warned_once(bodies):
            study._check_bodies()
        why_not = how.not_on_gpu(bodies[0]) if backend == "cuda" else None
        if why_not is not None:
            raise InputError(f"backend = 'cuda' is not for {how!r}: {why_not}. Use backend='cpu'.")
        if backend == "cuda" and study.has_workspace and study.to_rest:
            raise InputError(
                f"{how.name} keeps a workspace that does not come back from a GPU, so it cannot go "
                "on after the motion: give until='motion', and motions with still ground at the "
                "end where that matters."
            )
        return study

    # -- how many, and which ------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis: (system, motion, scale), or (run,)."""
        counts = (len(self.systems), len(self.motions), len(self.scales))
        return (max(counts),) if self.paired else counts

    @property
    def axes(self) -> tuple[str, ...]:
        return ("run",) if self.paired else ("system", "motion", "scale")

    @cached_property
    def runs(self) -> Runs:
        """System, motion and scale of every run."""
        if not self.paired:
            return Runs.grid(len(self.systems), len(self.motions), self.scales)
        return Runs(np.arange(len(self.systems)), np.arange(len(self.motions)), self.scales)

    def run(self, number: int) -> tuple[System, Motion]:
        """One run as :func:`rocksteady.simulate` takes it."""
        run = self.runs.part(number, number + 1)
        system, motion = int(run.system[0]), int(run.motion[0])
        return self.systems[system], self.shaking(system, motion, float(run.scale[0]))

    def shaking(self, system: int, motion: int, scale: float) -> Motion:
        """The ground motion of a run, at the step its formulation prescribes."""
        ground = self.felt[motion]
        if scale != 1:
            ground = ground.scaled(scale)
        dt = None if self.time_steps is None else float(self.time_steps[system])
        return ground if dt is None or dt == ground.dt else ground.resampled(dt)

    # -- what the engine needs ------------------------------------------------------------------

    @cached_property
    def felt(self) -> tuple[Motion, ...]:
        """The motions under the bodies' feet: the floor's, or the ground's. The building is
        linear, so that the scales multiply either."""
        if self.floor is None:
            return self.motions
        with warned_once(self.motions, "motions"):
            return tuple(self.floor.motion(motion) for motion in self.motions)

    @cached_property
    def ground(self) -> Ground:
        return Ground.of(self.felt, self.formulation.components)

    @property
    def to_rest(self) -> bool:
        """Whether runs go on after the motion until it is known how they end."""
        return self.until in TO_REST

    @property
    def by_energy(self) -> bool:
        """Whether energy tells, at the end of the motion, all that is asked for."""
        able = self.formulation.outcome_for(self.systems[0]) is not None
        return self.until == "outcome" and able

    @cached_property
    def tables(self) -> tuple[Any, Array | list[tuple[Any, ...]]]:
        """Start states and parameters, a row per system; a list where parameters hold arrays, or
        where states are of different lengths, as those of assemblies are."""
        how = self.formulation
        starts = (how.start(system, 0.0, 0.0) for system in self.systems)
        params = (how.parameters_like(system, self.model) for system in self.systems)
        first = next(params)
        every = chain([first], params)
        if all(isinstance(value, (int, float)) for value in first):
            return _rows(starts), _rows(every)
        states = list(starts)
        alike = len({*map(len, states)}) == 1
        return np.array(states, dtype=float) if alike else states, list(every)

    @property
    def has_workspace(self) -> bool:
        """Whether a run keeps more than its state: arrays in its parameters."""
        return isinstance(self.tables[1], list)

    @cached_property
    def time_steps(self) -> Array | None:
        """The step [s] prescribed for each system; None where motions are taken as they are."""
        step = self.formulation.time_step
        if step(self.systems[0]) is None:
            return None
        return np.array([step(system) for system in self.systems], dtype=float)

    @cached_property
    def limits(self) -> Array:
        """What the coordinate is measured by, to the right and to the left, a row per system: α
        [rad], or the displacement [m] at which a building first slips."""
        judged_by = self.formulation.coordinate
        return np.array([judged_by(system).limits(system) for system in self.systems])

    @property
    def exact_rest(self) -> bool:
        """Whether going on after a body has come to rest changes nothing."""
        return self.formulation.exact_rest(self.systems[0])

    @cached_property
    def model(self) -> System:
        """The body whose compiled step serves all."""
        return cast(System, self.formulation.model(self.systems))

    def advance(self) -> Any:
        return self.formulation.advance_for(self.model)

    def columns(self) -> tuple[str, ...]:
        """Names of the state's entries, without units."""
        return tuple(split_unit(label)[0] for label in self.formulation.columns(self.systems[0]))

    # -- what is computed and kept --------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.formulation.name

    @property
    def part_size(self) -> int:
        return part_size(run_seconds(self.formulation, self.felt), self.backend)

    def kernels(self) -> tuple[Any, ...]:
        return (self.advance(),)

    def quantities(self) -> dict[str, Quantity]:
        return quantities(self)

    def inputs(self) -> dict[str, Table]:
        return study_tables(self)

    def about(self) -> dict[str, Any]:
        about = {
            **super().about(),
            "formulation": json.dumps(self.how()),
            "system_type": SYSTEMS.name_of(type(self.systems[0])),
            "until": self.until,
            "backend": self.backend,
            "precision": self.precision,
        }
        if self.floor is not None:
            about["floor"] = str(self.floor)
        if self.skipped:
            about["skipped"] = json.dumps(dict(self.skipped), ensure_ascii=False)
        if self.verticals:
            about["verticals_left_out"] = json.dumps(self.verticals, ensure_ascii=False)
        return about

    def compute(self, numbers: Index) -> Columns:
        return shake.shake(self, numbers)

    @property
    def at_once(self) -> bool:
        return not shake.one_by_one(self)

    def compute_all(self, report: Report) -> Columns:
        return shake.shake(self, range(len(self)), report)

    def compute_parts(self, parts: Sequence[Part], deliver: Callable[[Part, Columns], Any]) -> None:
        shake.shake_parts(self, parts, deliver)

    def labels(self, numbers: Index) -> Columns:
        runs = self.runs.part(int(numbers[0]), int(numbers[-1]) + 1)
        return {
            "system": runs.system.astype(np.int32),
            "motion": runs.motion.astype(np.int32),
            "scale": runs.scale,
        }

    # -- what it is, for others ----------------------------------------------------------------

    @cached_property
    def motion_digests(self) -> tuple[str, ...]:
        """SHA-256 of each motion."""
        return tuple(motion_digest(motion) for motion in self.motions)

    def measure_motions(self, progress: Callable[[int, int], Any]) -> None:
        """Find what tables and stores ask of every motion, its digest and its peaks: of hundreds of
        thousands that takes a while. ``progress`` is called with how many are done, and all."""
        found = []
        for motion in self.motions:
            _ = motion.pga, motion.pgv
            found.append(motion_digest(motion))
            progress(len(found), len(self.motions))
        vars(self)["motion_digests"] = tuple(found)

    def how(self) -> dict[str, Any]:
        """The formulation's name and options."""
        return {"name": self.formulation.name, **fields_of(self.formulation)}

    def description(self) -> dict[str, Any]:
        """All that decides the numbers, in short: two studies with the same are the same."""
        table = [self._column(name) for name in self.systems[0].stored_names()]
        return {
            "systems": {
                "type": SYSTEMS.name_of(type(self.systems[0])),
                "count": len(self.systems),
                "sha256": digest(*table, *(self.system_names or ())),
            },
            "motions": [
                {
                    "name": name,
                    "npts": len(motion),
                    "dt": motion.dt,
                    "pga": motion.pga,
                    "vertical": motion.vertical is not None,
                    "sha256": sha256,
                }
                for name, motion, sha256 in zip(
                    self.motion_names, self.motions, self.motion_digests, strict=True
                )
            ],
            "scales": {"count": len(self.scales), "sha256": digest(self.scales)},
            "formulation": self.how(),
            "step": self.step,
            "paired": self.paired,
            "until": self.until,
            **({"rates": True} if self.rates else {}),
            **({} if self.floor is None else {"floor": self.floor.described()}),
            "backend": self.backend,
            "precision": self.precision,
        }

    def _column(self, name: str) -> Array | list[str]:
        """What all systems have in a column: numbers, or texts."""
        values = [system.stored(name) for system in self.systems]
        return values if isinstance(values[0], str) else np.array(values, dtype=float)

    # -- checks ---------------------------------------------------------------------------------

    def _check_pairs(self) -> None:
        counts = {
            "systems": len(self.systems),
            "motions": len(self.motions),
            "scales": len(self.scales),
        }
        if {*counts.values()} - {1, max(counts.values())}:
            lengths = ", ".join(f"{count} {name}" for name, count in counts.items())
            raise InputError(
                f"paired=True with {lengths}: pairs need as many of each, or one for all of them. "
                "Leave paired out to run every combination."
            )

    def _check_bodies(self) -> None:
        """What the formulation cannot take it refuses; of several, say which it was."""
        try:
            _ = self.tables, self.time_steps
        except InputError as error:
            for i, system in enumerate(self.systems if len(self.systems) > 1 else ()):
                try:
                    replace(self, systems=(system,))._check_bodies()
                except InputError as its:
                    name = f" ({self.system_names[i]})" if self.system_names else ""
                    raise InputError(f"systems[{i}]{name}: {its}") from error
            raise

    def _check_verticals(self) -> None:
        """The extremes of the vertical acceleration decide: ask the formulation about those."""
        up = {i: m.vertical for i, m in enumerate(self.motions) if m.vertical is not None}
        if not up:
            return
        ends = {i: np.array([min(a.min(), 0.0), max(a.max(), 0.0)]) for i, a in up.items()}
        if self.paired:
            every = self.runs.part(0, len(self))
            for system, motion, scale in zip(*every[:3], strict=True):
                if motion in ends:
                    self._check_vertical(system, motion, scale, ends[motion])
            return
        strengths, motions = np.array([min(self.scales), max(self.scales)]), list(ends)
        reached = np.multiply.outer(strengths, [ends[motion] for motion in motions])
        worst = [np.unravel_index(find(reached), reached.shape) for find in (np.argmin, np.argmax)]
        for system in range(len(self.systems)):
            for strength, motion, _ in worst:
                which = motions[motion]
                self._check_vertical(system, which, float(strengths[strength]), ends[which])

    def _check_vertical(self, system: int, motion: int, scale: float, ends: Array) -> None:
        """Ask about one run; the error names its motion and scale."""
        try:
            self.formulation.check_vertical(self.systems[system], scale * ends)
        except InputError as error:
            name = self.motion_names[motion]
            raise InputError(f"{name} at scale {scale:.4g}: {error}") from error


def _rows(rows: Iterable[Any]) -> Array:
    """A table from rows of numbers, one at a time: thousands of tuples at once would keep the
    garbage collector busy."""
    every = iter(rows)
    first = next(every)
    return np.fromiter(chain([first], every), dtype=np.dtype((float, len(first))))
