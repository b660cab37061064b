"""A body: its kind, and its parameters by their names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import AliasChoices, Field, model_validator

from rocksteady.bodies import SYSTEMS, System
from rocksteady.bodies.presets import warn_of_assumed
from rocksteady.bodies.support import Polygon
from rocksteady.bodies.units import WRITTEN
from rocksteady.errors import InputError, unknown, with_article
from rocksteady.registry import Registry
from rocksteady.specs.named import Named


class BodySpec(Named):
    """A body of any registered kind, or of your own: ``kind = "my_module:Statue"``.

    The parameters are those of the class, or another form that its ``from_values`` takes: a block
    may be given by ``p`` and ``alpha``, a building by a ``preset`` and its mass.
    """

    registry: ClassVar[Registry] = SYSTEMS
    key: ClassVar[str] = "kind"
    units: ClassVar[Mapping[str, str]] = WRITTEN
    kind: str = Field("Block", validation_alias=AliasChoices("kind", "type"))
    preset: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_parameters(self.kind, self.values)
        return self

    def build(self, folder: Path = Path()) -> System:
        """The body; files that its parameters name are looked for in ``folder``."""
        kind = body_class(self.kind)
        warn_of_assumed(self.preset)
        return kind.from_values(self.values | in_folder(kind, self.values, folder), self.preset)

    @property
    def outline(self) -> Polygon:
        """The outline in which it is drawn, from the middle of its base [m]; empty for a box."""
        return body_class(self.kind).drawn(self.values, self.preset)

    @property
    def told(self) -> dict[str, Any]:
        return ({"preset": self.preset} if self.preset else {}) | super().told


def body_class(kind: str) -> type[System]:
    """The class of a kind of body."""
    found = SYSTEMS.named(kind)
    if not (isinstance(found, type) and issubclass(found, System)):
        raise InputError(f"{kind} is not a kind of body: it does not inherit from rs.Block or the "
                         "like.")  # fmt: skip
    return found


def in_folder(kind: type[System], values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Those of the values that name files, as paths that begin in ``folder``."""
    return {name: folder / values[name] for name in kind.files if isinstance(values.get(name), str)}


def check_parameters(kind: str, values: Any) -> None:
    """Refuse a parameter that a kind of body does not have."""
    names = body_class(kind).parameter_names()
    for name in values:
        if name not in names:
            raise ValueError(f"{name} {unknown(name, names, f'for {with_article(kind)}')}")
