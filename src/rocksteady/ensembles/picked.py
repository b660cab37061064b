"""Some of the runs of a study, picked by their numbers: for maps that are refined where needed."""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Self

import numpy as np

from rocksteady.engine.ground import Runs
from rocksteady.ensembles.digests import digest
from rocksteady.ensembles.layout import Table
from rocksteady.ensembles.many import Index
from rocksteady.ensembles.study import Study

SHARED = ("ground", "felt", "tables", "time_steps", "limits", "motion_digests", "step")


@dataclass(frozen=True, eq=False)
class Picked(Study):
    """The runs of a study with these numbers, along one axis ``picked``."""

    numbers: Index = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def from_study(cls, study: Study, numbers: Index) -> Self:
        """Those with these numbers; what the study has worked out already is shared."""
        given = {each.name: getattr(study, each.name) for each in fields(Study)}
        picked = cls(**given, numbers=np.asarray(numbers, dtype=np.int64))
        known = vars(study)
        vars(picked).update({name: known[name] for name in SHARED if name in known})
        return picked

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self.numbers),)

    @property
    def axes(self) -> tuple[str, ...]:
        return ("picked",)

    @cached_property
    def runs(self) -> Runs:
        whole = Runs.grid(len(self.systems), len(self.motions), self.scales)
        lists = zip(whole[:3], whole.every.tolist(), strict=True)
        parts: list[Any] = [
            entries[self.numbers // every % len(entries)] for entries, every in lists
        ]
        return Runs(*parts)

    def inputs(self) -> dict[str, Table]:
        return {"picked": {"picked": (self.numbers, "")}}

    def description(self) -> dict[str, Any]:
        return {**super().description(), "picked": digest(self.numbers)}
