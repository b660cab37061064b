"""A body or a theory: a class of a registry by its name, and its parameters by theirs."""

import inspect
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, ConfigDict, model_validator

from rocksteady.bodies import fields_of
from rocksteady.bodies.units import UNITS
from rocksteady.errors import InputError
from rocksteady.registry import Registry, class_of
from rocksteady.specs.spec import Spec, shown

_TYPES = {"float": "number", "int": "integer", "bool": "boolean", "str": "string"}
_UNIT = re.compile(r"\[(?!0|-)([^\]]+)\]")


def _unhexed(value: Any) -> Any:
    """A float from the hexadecimal form in which monitors keep it: ``{"hex": "0x1p-1"}``."""
    return float.fromhex(value["hex"]) if isinstance(value, dict) and [*value] == ["hex"] else value


class Named(Spec):
    """A class of a registry by its name, and its parameters by theirs."""

    model_config = ConfigDict(extra="allow")
    registry: ClassVar[Registry]
    key: ClassVar[str]
    """The field that holds the name."""
    units: ClassVar[Mapping[str, str]] = {}
    """Those of the parameters, as people write them."""
    __pydantic_extra__: dict[str, Annotated[Any, BeforeValidator(_unhexed)]]

    @model_validator(mode="after")
    def _truths_and_nulls_fit(self) -> Self:
        """Python would take false for 0, and null would be found out only by a run."""
        odd = {name: v for name, v in self.values.items() if v is None or isinstance(v, bool)}
        if not odd or ":" in self.type_name:
            return self
        try:
            taken = inspect.signature(self.registry.named(self.type_name)).parameters
        except InputError:  # whoever builds it is told which names there are
            return self
        for name in odd.keys() & taken.keys():
            if odd[name] is None and taken[name].default is not None:
                raise ValueError(f"{name} = null is not a value: leave it out, or give one")
            if odd[name] is not None and "bool" not in str(taken[name].annotation):
                raise ValueError(f"{name} = {str(odd[name]).lower()} is not a number")
        return self

    @classmethod
    def of(cls, thing: Any) -> Self:
        """The description of a body or theory, from which `build` makes the same again."""
        return cls.model_validate({"type": cls.registry.name_of(type(thing)), **fields_of(thing)})

    @property
    def type_name(self) -> str:
        """Its name in the registry, or "module:Class"."""
        return str(getattr(self, self.key))

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

    def summary(self) -> str:
        """Such as "Block: height = 1.8 m, width = 0.5 m"."""
        told = self.told
        words = [f"{n} = {shown(v)} {self.units.get(n, '')}".rstrip() for n, v in told.items()]
        return f"{self.type_name}: {', '.join(words)}" if words else self.type_name

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        """The schema also says which parameters go with each name. Names of classes elsewhere,
        "module:Class", may have any."""
        names = cls.registry.names()
        own = [_alternative(cls.key, name, cls.registry.named(name)) for name in names]
        elsewhere = {"properties": {cls.key: {"type": "string", "pattern": ":"}}}
        return {**handler(core), "anyOf": [*own, elsewhere]}


# -- the parameters in JSON schemas: type, unit, default, what they mean --------------------------


def _alternative(key: str, name: str, made_by: Any) -> dict[str, Any]:
    taken = inspect.signature(made_by).parameters
    told = documented(class_of(made_by))
    each = _one_or_each(made_by)
    properties = {n: _parameter(p, *told.get(n, ("", "")), n in each) for n, p in taken.items()}
    for other in getattr(made_by, "parameter_names", list)():  # other forms, such as p and alpha
        about: dict[str, Any] = {"type": "number", "unit": UNITS.get(other, "1")}
        if other in getattr(made_by, "words", ()):
            about = {"type": "string"}
        if other in getattr(made_by, "lists", ()):
            about = {"type": ["array", "string"]}
        properties.setdefault(other, about)
    return {"title": name, "properties": {key: {"const": name}, **properties}}


def _one_or_each(made_by: Any) -> list[str]:
    """The parameters that are a number, or a list of one for each edge, whatever their type is
    called."""
    try:
        taken = inspect.signature(made_by, eval_str=True).parameters.values()
    except NameError:  # a type that is known only to those who check types
        return []
    kinds = {one.name: str(one.annotation) for one in taken}
    return [n for n, kind in kinds.items() if re.match(r"float \|.*Sequence\[float\]", kind)]


def _parameter(taken: inspect.Parameter, meaning: str, unit: str, each: bool) -> dict[str, Any]:
    kinds = [_TYPES[word] for word in re.findall(r"\w+", str(taken.annotation)) if word in _TYPES]
    about: dict[str, Any] = {"type": kinds[0]} if kinds else {}
    if re.search("tuple|Sequence", str(taken.annotation)):
        about["type"] = "array"
    if each:
        about |= {"type": ["number", "array"], "items": {"type": "number"}}
    if each or kinds[:1] == ["number"]:
        about["unit"] = UNITS.get(taken.name, unit) or "1"
    if meaning:
        about["description"] = meaning
    if taken.default not in (inspect.Parameter.empty, None):
        about["default"] = taken.default
    if taken.default is None and "type" in about:  # the same as leaving it out
        about["type"] = [*(about["type"] if each else [about["type"]]), "null"]
    return about


def documented(kind: type) -> dict[str, tuple[str, str]]:
    """What the docstring of a class says of each parameter, and the unit in brackets there."""
    text = inspect.getdoc(kind) or ""
    section = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    found: dict[str, tuple[str, str]] = {}
    for entry in re.split(r"\n(?=\S)", section):
        names, _, meaning = entry.partition("\n")
        words = " ".join(meaning.split())
        unit = _UNIT.search(words) if "," not in names else None
        found |= {name.strip(): (words, unit[1] if unit else "") for name in names.split(",")}
    return found
