"""What all descriptions of inputs have in common."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from rocksteady.errors import InputError
from rocksteady.registry import Registry
from rocksteady.specs.problems import Place, sentence
from rocksteady.systems import fields_of


class Spec(BaseModel):
    """A table of plain values: unknown keys are errors."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, ser_json_inf_nan="constants"
    )

    inner: ClassVar[tuple[type[BaseModel], ...]] = ()
    """What the values of keys without a field of their own may be."""
    beside: ClassVar[tuple[str, ...]] = ()
    """What an error adds to the keys there are."""

    @classmethod
    def key_names(cls) -> list[str]:
        """All that may stand in the table."""
        return [field.alias or name for name, field in cls.model_fields.items()]

    @classmethod
    def checked(cls, values: Mapping[str, Any], place: Place | None = None) -> Self:
        """The description with these values; an `InputError` says what is wrong with them, and
        ``place`` where that was given."""
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise InputError(sentence(error, cls, place or Place())) from error

    def summary(self) -> str:
        """In a few words, for people: what differs from the defaults."""
        given = self.model_dump(exclude_defaults=True, mode="json")
        return ", ".join(f"{name} = {shown(value)}" for name, value in given.items())

    def __str__(self) -> str:
        return self.summary()


def shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _unhexed(value: Any) -> Any:
    """A float from the hexadecimal form in which monitors keep it: ``{"hex": "0x1p-1"}``."""
    return float.fromhex(value["hex"]) if isinstance(value, dict) and [*value] == ["hex"] else value


class Named(Spec):
    """A class of a registry by its name, and its parameters by theirs."""

    model_config = ConfigDict(extra="allow")
    registry: ClassVar[Registry]
    __pydantic_extra__: dict[str, Annotated[Any, BeforeValidator(_unhexed)]]

    @classmethod
    def of(cls, thing: Any) -> Self:
        """The description of a body or theory, from which `build` makes the same again."""
        return cls.model_validate({"type": cls.registry.name_of(type(thing)), **fields_of(thing)})

    @property
    def type_name(self) -> str:
        """Its name in the registry, or "module:Class"."""
        raise NotImplementedError

    @property
    def values(self) -> dict[str, Any]:
        """The parameters by name."""
        return dict(self.__pydantic_extra__ or {})

    @property
    def told(self) -> dict[str, Any]:
        """The parameters that differ from the defaults of the class."""
        taken = inspect.signature(self.registry.named(self.type_name)).parameters
        return {n: v for n, v in self.values.items() if n not in taken or v != taken[n].default}

    def described(self, *, exact: bool = False) -> dict[str, Any]:
        """As files of results keep it: its ``type`` and its parameters; floats in hexadecimal if
        they must be ``exact`` in any reader."""
        values = {
            name: {"hex": value.hex()} if exact and isinstance(value, float) else value
            for name, value in self.values.items()
        }
        return {"type": self.type_name, **values}
