"""What pydantic finds wrong with a description, in one sentence for whoever wrote it."""

import re
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from rocksteady.errors import unknown

if TYPE_CHECKING:
    from pydantic import ValidationError

Key = tuple[str | int, ...]

# What pydantic adds to a key about the type it tried.
_TYPES = (
    "float",
    "int",
    "list",
    "Range",
    "Draw",
    "constrained",
    "function",
    "Stochastic",
    "literal",
)
_SAID = {
    "missing": "this is missing",
    "float_parsing": "a number is needed, in SI units (m, kg, rad, s) and without the unit",
    "float_type": "a number is needed, in SI units (m, kg, rad, s) and without the unit",
    "too_short": "at least one is needed",
    "path_type": "a path is needed, in quotation marks",
}
_A_LIST = (
    "a list is needed, as in [0.5, 1.0]; or a range, as in { from = 0.5, to = 3.0, count = 6 }"
)
_STRENGTHS = {
    "pga": "in g and without the unit: pga = 0.3 is 0.3 g",
    "pgv": "in m/s and without the unit: pgv = 0.3 is 0.3 m/s",
}


class Place:
    """How an error says where a value was given: here by its key, in a file also by its line, on
    the command line by its option."""

    def at(self, key: Key) -> str:
        """Where it is, as an error begins."""
        return ".".join(str(part) for part in key)

    def wrong(self, key: Key, given: str) -> str:
        """The same of a value that is not allowed, up to the reason."""
        return f"{self.at(key)}{given and f' = {given}'}: "

    def words(self, text: str) -> str:
        """A sentence that has names of parameters in `backquotes`, in the words of this place."""
        return text.replace("`", "")


class InOptions(Place):
    """On the command line."""

    def at(self, key: Key) -> str:
        return "--" + str(key[-1]).replace("_", "-") if key else ""

    def wrong(self, key: Key, given: str) -> str:
        return f"{self.at(key)} {given.removesuffix('.0')} is not allowed: "

    def words(self, text: str) -> str:
        text = re.sub(r"^(--[\w-]+) =", r"\1", text)
        return re.sub(r"`(\w+)`(?: =)?", lambda m: "--" + m[1].replace("_", "-"), text)


def sentence(error: "ValidationError", model: type[BaseModel], place: Place) -> str:
    """The first problem. If a value may be one of several things, pydantic says what is wrong with
    it as each of them: the one that got farthest is meant, and knew all its keys."""
    problems = error.errors()
    same = [problem for problem in problems if problem["loc"][:1] == problems[0]["loc"][:1]]
    problem = min(same, key=_how_far)
    if problem["type"] == "missing":  # a misspelt key beside it says more
        strays = [p for p in problems if p["type"] == "extra_forbidden"]
        problem = next((p for p in strays if p["loc"][:-1] == problem["loc"][:-1]), problem)
    count = len({_key_of(p)[: 2 if p["loc"][:1] == ("systems",) else None] for p in problems})
    more = "" if count < 2 else f" ({count} problems in all.)"
    return f"{_told(problem, model, place)}.{more}"


def _told(problem: Any, model: type[BaseModel], place: Place) -> str:
    key, given, kind = _key_of(problem), problem.get("input"), problem["type"]
    if kind == "value_error":  # our own sentences begin with the key they are about
        said = problem["msg"].removeprefix("Value error, ").rstrip(".")
        word, _, rest = said.partition(" ")
        if isinstance(given, dict) and word.strip("`") in given:
            return place.words(f"{place.at((*key, word.strip('`')))} {rest}")
        at = place.at(key)
        return place.words(f"{at}: {said[:1].lower()}{said[1:]}" if at else said)
    simple = kind != "missing" and not isinstance(given, dict)
    return place.wrong(key, repr(given) if simple else "") + _why(problem, key, model)


def _why(problem: Any, key: Key, model: type[BaseModel]) -> str:
    kind, table = problem["type"], table_of(model, key)
    stray = getattr(table, "beside", ()) and key[-1] not in table.key_names()
    if kind == "extra_forbidden" or stray:
        return unknown_key(key, table)
    if key and key[-1] in _STRENGTHS:
        return f"a number above zero is needed, {_STRENGTHS[str(key[-1])]}"
    if kind == "list_type":
        field = model.model_fields.get(str(key[-1])) if len(key) == 1 else None
        if field is not None and tables_in(field.annotation) and field.is_required():
            return f"each begins with [[{key[0]}]], in double brackets"
        return _A_LIST
    said: str = _SAID.get(kind, problem["msg"]).replace("Input should be", "it must be")
    return said[:1].lower() + said[1:].rstrip(".")


def _how_far(problem: Any) -> tuple[bool, bool, int]:
    """How far pydantic got with a value before this problem: the farthest first."""
    kind: str = problem["type"]
    return kind.endswith("_type"), kind in ("extra_forbidden", "missing"), -len(problem["loc"])


def _key_of(problem: Any) -> Key:
    """Where it is: without what pydantic adds about the type it tried."""
    return tuple(part for part in problem["loc"] if not str(part).startswith(_TYPES))


# -- the keys there are ----------------------------------------------------------------------------


def tables_in(annotation: Any) -> list[type[BaseModel]]:
    """The models in an annotation such as ``list[Source] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [table for part in get_args(annotation) for table in tables_in(part)]


def table_of(model: Any, key: Key) -> Any:
    """The table in which the last part of a key stands; None if nothing is known of it."""
    for part in key[:-1]:
        if isinstance(part, str):
            field = model.model_fields.get(part)
            found = tables_in(field.annotation) if field else getattr(model, "inner", ())
            if not found:
                return None
            model = found[0]
    return model


def unknown_key(key: Key, table: Any) -> str:
    """The keys there are beside an unknown one, the nearest first."""
    if table is None:
        return "this key is not known here"
    named = [field.alias or name for name, field in table.model_fields.items()]
    return f"this key {unknown(key[-1], [*named, *table.key_names(), *table.beside])}"
