"""A theory: its name, and its options by theirs."""

import inspect
import math
from collections.abc import Callable
from typing import ClassVar

from pydantic import AliasChoices, Field

from rocksteady.errors import InputError, unknown
from rocksteady.registry import Registry, class_of
from rocksteady.specs.named import Named
from rocksteady.theories.contract import Formulation
from rocksteady.theories.registry import FORMULATIONS

OTHER_FORM: dict[str, tuple[str, Callable[[float], float]]] = {
    "eta": ("r", lambda eta: eta**2),
    "r": ("eta", lambda r: math.sqrt(max(r, 0.0))),
}
"""The loss at an impact in the other form, where a theory takes only that."""


ONLY = {
    "slender": "only a theory that can be linearised takes it, as Housner's does",
    "interfaces": "only the formulation springs takes them",
}


class TheorySpec(Named):
    """A registered theory, or one of your own: ``name = "my_module:MyTheory"``."""

    registry: ClassVar[Registry] = FORMULATIONS
    key: ClassVar[str] = "name"
    name: str = Field(validation_alias=AliasChoices("name", "type"))

    def build(self) -> Formulation:
        made_by = FORMULATIONS.named(self.name)
        theory = class_of(made_by)
        if not (isinstance(theory, type) and issubclass(theory, Formulation)):
            raise InputError(
                f"{self.name} is not a theory: a class that is one inherits from "
                "rs.theories.Formulation."
            )
        takes, given = inspect.signature(made_by).parameters, self.values
        for name in [name for name in given if name not in takes]:
            other, converted = OTHER_FORM.get(name, ("", float))
            if other not in takes:
                refusals = ONLY | dict(getattr(theory, "refusals", {}))
                if name in refusals:
                    raise InputError(f"{self.name} has no {name!r}: {refusals[name]}.")
                raise InputError(f"`{name}` {unknown(name, takes, f'for {self.name}')}.")
            if other in given:
                raise InputError(
                    f"`{name}` = {given[name]} and `{other}` = {given[other]} were both given: "
                    "they are two forms of one quantity (r = eta² for a symmetric block). Give one "
                    "of them."
                )
            given[other] = converted(given.pop(name))
        try:
            made: Formulation = made_by(**given)
            return made
        except TypeError as error:  # one is missing, or a list where a word should be
            told = ", ".join(f"{name} = {value!r}" for name, value in given.items())
            raise InputError(
                f"{self.name} cannot be made with {told or 'no options'}: {error}. It takes "
                f"{', '.join(takes)}."
            ) from error
