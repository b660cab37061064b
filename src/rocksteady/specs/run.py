"""A run: when it ends, where and how it is computed, what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import NonNegativeInt, PositiveFloat

from rocksteady.specs.spec import Spec

Until = Literal["rest", "motion"] | PositiveFloat


class RunSpec(Spec):
    """``[run]`` of a study file."""

    store: Path | None = None
    """A folder for the results."""
    backend: Literal["cpu", "cuda"] = "cpu"
    precision: Literal["float64", "float32"] = "float64"
    executor: str | None = None
    """Address of a Dask scheduler."""
    keep: tuple[NonNegativeInt, ...] = ()
    """The numbers of runs whose histories are kept."""
    until: Until | None = None
    """When a run ends: "rest" unless given, "motion" or after so many seconds."""

    def build(self, folder: Path = Path()) -> dict[str, Any]:
        """The arguments of :func:`rocksteady.ensemble`; ``folder`` is where the store's path
        begins."""
        given = {name: getattr(self, name) for name in type(self).model_fields}
        store = None if self.store is None else folder / self.store
        return {**given, "store": store, "until": self.until or "rest"}
