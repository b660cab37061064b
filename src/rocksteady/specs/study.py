"""A study: bodies, motions and scales, the theory and the run. All that a study file can say."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, FiniteFloat, NonNegativeInt, PositiveFloat, model_validator

from rocksteady.motion import Motion
from rocksteady.motion.collection import Motions, distinct
from rocksteady.specs.bodies import BodiesSpec, Range
from rocksteady.specs.floor import FloorSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.motion_sources import Tell, silent
from rocksteady.specs.problems import Key
from rocksteady.specs.spec import Spec
from rocksteady.specs.theory import TheorySpec

Until = Literal["rest", "outcome", "motion"] | PositiveFloat
At = Callable[[Key], AbstractContextManager[None]]
"""Says of errors within it which key they are about."""


class RunSpec(Spec):
    """``[run]`` of a study file."""

    store: Path | None = None
    """A folder for the results."""
    backend: Literal["cpu", "cuda"] = "cpu"
    precision: Literal["float64", "float32"] = "float64"
    keep: tuple[NonNegativeInt, ...] = ()
    """The numbers of runs whose histories are kept."""
    until: Until | None = None
    """When a run ends: "rest" unless given, "motion" or after so many seconds; "outcome" as soon as
    it is known whether the body falls and how far it leans."""

    @model_validator(mode="before")
    @classmethod
    def _no_executor(cls, values: Any) -> Any:
        if isinstance(values, dict) and "executor" in values:
            raise ValueError(
                "a scheduler runs code on this computer, so no file may name one: give executor to "
                "rs.ensemble, or --executor on the command line"
            )
        return values

    def build(self, folder: Path = Path()) -> dict[str, Any]:
        """The arguments of :func:`rocksteady.ensemble`; ``folder`` is where the store's path
        begins."""
        given = {name: getattr(self, name) for name in type(self).model_fields}
        store = None if self.store is None else folder / self.store
        return {**given, "store": store, "until": self.until or "rest"}


class StudySpec(Spec):
    """Every body under every motion times every scale; or, paired, one of each per run."""

    name: str = ""
    systems: BodiesSpec
    motions: list[MotionSpec] = Field(min_length=1)
    scales: Annotated[list[FiniteFloat], Field(min_length=1)] | Range = Field(default=[1.0])
    paired: bool = False
    until: Until | None = None
    """The same as in ``run``."""
    formulation: TheorySpec | None = None
    floor: FloorSpec | None = None
    """Where the bodies stand; on the ground unless given."""
    run: RunSpec = RunSpec()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.until is not None and self.run.until is not None:
            raise ValueError("until says when a run ends, and run does so, too: give until once")
        return self

    @property
    def ends(self) -> str | float:
        """When a run ends, wherever that was said."""
        return self.until or self.run.until or "rest"

    def build(
        self, folder: Path = Path(), tell: Tell = silent, at: At = lambda key: nullcontext()
    ) -> dict[str, Any]:
        """The arguments of :func:`rocksteady.ensemble`. Paths begin in ``folder``; ``tell`` is
        called with what is read or made, how much of it there is already, and how much in all."""
        with at(("systems",)):
            systems = self.systems.build(folder)
        motions: list[Motion] = []
        skipped: dict[str, str] = {}
        verticals: list[str] = []
        for i, source in enumerate(self.motions):
            with at(("motions", i)):
                found = source.motions(folder, tell)
            motions += found.values()
            within = f"{source.folder or source.file}/" if len(self.motions) > 1 else ""
            skipped |= {within + name: reason for name, reason in found.skipped.items()}
            verticals += [within + name for name in found.verticals]
        formulation = None
        if self.formulation is not None:
            with at(("formulation",)):
                formulation = self.formulation.build()
        floor = None
        if self.floor is not None:
            with at(("floor",)):
                floor = self.floor.build()
        names = distinct(tuple(motion.name for motion in motions))
        return {
            **self.run.build(folder),
            "systems": systems,
            "motions": Motions(dict(zip(names, motions, strict=True)), skipped, tuple(verticals)),
            "formulation": formulation,
            "scales": self.scales.values() if isinstance(self.scales, Range) else self.scales,
            "paired": self.paired,
            "floor": floor,
            "until": self.ends,
        }

    def summary(self) -> str:
        """A line for each part."""
        run = self.run.model_copy(update={"until": None})
        lines = {
            "name": self.name,
            "systems": str(self.systems),
            **{f"motions {i}": str(source) for i, source in enumerate(self.motions, start=1)},
            "scales": f"{self.scales}{', paired' if self.paired else ''}",
            "formulation": str(self.formulation or ""),
            "floor": str(self.floor or ""),
            "run": f"until {self.ends}{', ' if str(run) else ''}{run}",
        }
        return "\n".join(f"{name}: {text}" for name, text in lines.items() if text)
