"""What all descriptions of inputs have in common."""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from rocksteady.errors import InputError
from rocksteady.specs.problems import Place, sentence

MOST_KEYS = 1000  # of one table: to tell what is wrong with each of very many takes long
LONG = 80  # characters of a list; a longer one is not written out


class Spec(BaseModel):
    """A table of plain values: unknown keys are errors."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, ser_json_inf_nan="constants"
    )

    inner: ClassVar[tuple[type[BaseModel], ...]] = ()
    """What the values of keys without a field of their own may be."""
    beside: ClassVar[tuple[str, ...]] = ()
    """What an error adds to the keys there are."""

    @model_validator(mode="before")
    @classmethod
    def _plain_table(cls, values: Any) -> Any:
        """A table of bounded size without truths for numbers: pydantic would take false for 0, and
        "off" for false."""
        if isinstance(values, dict):
            if len(values) > MOST_KEYS:
                raise ValueError(f"there are {len(values)} keys, and at most {MOST_KEYS} are read")
            no_truths, only_truths = _truths(cls)
            for name, value in values.items():
                if isinstance(value, bool) and name in no_truths:
                    raise ValueError(f"{name} = {str(value).lower()} is not a number")
                if not isinstance(value, bool) and name in only_truths:
                    raise ValueError(f"{name} = {value!r} must be true or false")
        return values

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


@cache
def _truths(table: type[BaseModel]) -> tuple[frozenset[str], frozenset[str]]:
    """The keys of a table that true and false do not fit, and those that nothing else fits."""

    def fits(annotation: Any) -> bool:
        return annotation in (bool, Any) or any(map(fits, get_args(annotation)))

    fields = {name: field.annotation for name, field in table.model_fields.items()}
    aliases = {field.alias: field.annotation for field in table.model_fields.values()}
    every = fields | {str(alias): kind for alias, kind in aliases.items() if alias}
    return (
        frozenset(name for name, kind in every.items() if not fits(kind)),
        frozenset(name for name, kind in every.items() if kind is bool),
    )


def shown(value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    if isinstance(value, (list, tuple)) and len(text) > LONG:
        return f"({len(value)} values)"
    return text
