"""A whole study in a file: `rocksteady ensemble study.toml`.

Errors name the file, the line and the key.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    FiniteFloat,
    NonNegativeInt,
    PositiveFloat,
    ValidationError,
)

from rocksteady.ensembles.study import Study
from rocksteady.ensembles.study_motions import Source, Stochastic, Tell, silent
from rocksteady.ensembles.study_systems import Range, Strict, Systems, parameter_names
from rocksteady.ensembles.toml_lines import Key, in_our_words, line_of, place_of, read_toml
from rocksteady.errors import InputError
from rocksteady.formulations.contract import Formulation
from rocksteady.formulations.registry import FORMULATIONS, adopted, options_of
from rocksteady.motion import Motion
from rocksteady.systems import SYSTEMS

EXAMPLE = "example_study.toml"


def example() -> str:
    """A study file that runs in seconds, with all that can be said in one."""
    return (files("rocksteady.ensembles") / EXAMPLE).read_text(encoding="utf-8")


class How(Strict):
    """``[formulation]``: its name, and its options by their names."""

    model_config = ConfigDict(extra="allow", frozen=True)
    name: str

    def build(self) -> Formulation:
        options = self.__pydantic_extra__ or {}
        kind = FORMULATIONS.named(self.name)
        names = [*options_of(kind)]
        unknown = [name for name in options if name not in names]
        if unknown:
            raise InputError(f"{self.name} has no {unknown[0]!r}; it has {', '.join(names)}.")
        try:
            return adopted(kind(**options))
        except TypeError as error:  # a list where a word should be
            given = ", ".join(f"{name} = {value!r}" for name, value in options.items())
            raise InputError(f"{self.name} cannot be made with {given}: {error}.") from error


class Run(Strict):
    """``[run]``: where and how it is computed."""

    store: Path | None = None
    backend: Literal["cpu", "cuda"] = "cpu"
    precision: Literal["float64", "float32"] = "float64"
    executor: str | None = None
    """Address of a Dask scheduler."""
    keep: tuple[NonNegativeInt, ...] = ()


class StudyFile(Strict):
    """All that a study file can say."""

    name: str = ""
    systems: Systems
    motions: list[Source] = Field(min_length=1)
    scales: Annotated[list[FiniteFloat], Field(min_length=1)] | Range = Field(default=[1.0])
    paired: bool = False
    until: Literal["rest", "motion"] | PositiveFloat = "rest"
    aftermath: bool = True  # files of version 0.2: false means until = "motion"
    formulation: How | None = None
    run: Run = Run()


@dataclass(frozen=True)
class ReadStudy:
    """What a study file comes to."""

    study: Study
    run: Run
    notes: dict[str, Any]
    """For the manifest: the name, the text of the file, the seeds in it."""
    folder: Path
    """Where the file lies; paths in it begin there."""

    @property
    def store(self) -> Path | None:
        return None if self.run.store is None else self.folder / self.run.store


def read_study(path: str | Path, *, tell: Tell = silent, **changes: Any) -> ReadStudy:
    """Read and check a study file. ``changes`` take the place of what its ``[run]`` says; ``tell``
    is called with what is read or made, how much of it there is already, and how much in all."""
    path = Path(path)
    text, values = read_toml(path, "the study file", "rocksteady ensemble --example")
    try:
        said = StudyFile.model_validate(values)
    except ValidationError as error:
        raise InputError(_sentence(path, text, error)) from error
    try:
        run = Run.model_validate({**said.run.model_dump(), **changes})
    except ValidationError as error:
        problem = error.errors()[0]
        name = ".".join(str(part) for part in problem["loc"])
        raise InputError(
            f"{name} = {problem['input']!r}: {in_our_words(problem['msg'])}."
        ) from error
    return ReadStudy(_study(path, text, said, run, tell), run, _notes(said, text), path.parent)


def _study(path: Path, text: str, said: StudyFile, run: Run, tell: Tell) -> Study:
    with _at(path, text, ("systems",)):
        systems = said.systems.build(path.parent)
    motions: list[Motion] = []
    skipped: dict[str, str] = {}
    verticals: list[str] = []
    for i, source in enumerate(said.motions):
        with _at(path, text, ("motions", i)):
            found = source.build(path.parent, tell)
        motions += found.values()
        within = f"{source.folder or source.file}/" if len(said.motions) > 1 else ""
        skipped |= {within + name: reason for name, reason in found.skipped.items()}
        verticals += [within + name for name in found.verticals]
    formulation = None
    if said.formulation is not None:
        with _at(path, text, ("formulation",)):
            formulation = said.formulation.build()
    scales = said.scales.values() if isinstance(said.scales, Range) else said.scales
    study = Study.of(
        systems,
        motions,
        formulation,
        scales=scales,
        paired=said.paired,
        until=said.until if said.aftermath else "motion",
        backend=run.backend,
        precision=run.precision,
        skipped=skipped,
        verticals=tuple(verticals),
    )
    study.measure_motions(lambda done, total: tell("Measuring motions", done, total))
    return study


def _notes(said: StudyFile, text: str) -> dict[str, Any]:
    seeds: dict[str, int] = {}
    if said.systems.sample is not None:
        seeds["systems"] = said.systems.seed
    for i, source in enumerate(said.motions):
        if source.stochastic is not None:
            seeds[f"motions.{i}"] = source.stochastic.seed
    return {"name": said.name, "seeds": seeds, "file": text}


# -- errors --------------------------------------------------------------------------------------


@contextmanager
def _at(path: Path, text: str, key: Key) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"{place_of(path, text, key)}: {error}") from error


_KINDS = ("float", "int", "list", "Range", "Draw", "constrained", "function", "Stochastic")


_STRENGTHS = {
    "pga": "in g and without the unit: pga = 0.3 is 0.3 g",
    "pgv": "in m/s and without the unit: pgv = 0.3 is 0.3 m/s",
}
_SAID = {
    "missing": "this is missing",
    "float_parsing": "a number is needed, in SI units (m, kg, rad, s) and without the unit",
    "too_short": "at least one is needed",
    "path_type": "a path is needed, in quotation marks",
    "list_type": "a list is needed, as in [0.5, 1.0]; or a range, as in { from = 0.5, to = 3.0, "
    "count = 6 }",
}


def _sentence(path: Path, text: str, error: ValidationError) -> str:
    """The first problem in one sentence. Of a value that may be many things, pydantic tells what is
    wrong with it as each of them: the one that got farthest is meant, and knew all its keys."""
    table = error.errors()[0]["loc"][:1]
    same = [problem for problem in error.errors() if problem["loc"][:1] == table]
    problem = min(same, key=_how_far)
    if problem["type"] == "missing":  # a misspelt key beside it says more
        strays = [p for p in same if p["type"] == "extra_forbidden"]
        problem = next((p for p in strays if p["loc"][:-1] == problem["loc"][:-1]), problem)
    key = _key_of(problem)
    said = problem["msg"].removeprefix("Value error, ")
    word = said.split(" ", 1)[0]  # our own sentences begin with the key they are about
    if problem["type"] == "value_error" and line_of(text, key) != line_of(text, (*key, word)):
        key, said = (*key, word), said.partition(" ")[2]
    unknown = problem["type"] != "value_error" and _no_system_has(key)
    if unknown or problem["type"] == "extra_forbidden":
        said = f"this key is not known here{_known(key)}"
    elif problem["type"] != "value_error" and key[:1] == ("motions",) and key[-1] in _STRENGTHS:
        said = f"a number above zero is needed, {_STRENGTHS[str(key[-1])]}"
    elif problem["type"] == "list_type" and key == ("motions",):
        said = "each source of motions begins with [[motions]], in double brackets"
    else:
        said = _SAID.get(problem["type"], said)
    given = problem.get("input")
    shown = ""
    if problem["type"] not in ("missing", "value_error") and not isinstance(given, dict):
        shown = f" = {given!r}"
    more = len({_key_of(p)[: 2 if p["loc"][0] == "systems" else None] for p in error.errors()})
    hint = "" if more < 2 else f" ({more} problems in all.)"
    return f"{place_of(path, text, key)}{shown}: {in_our_words(said)}.{hint}"


def _no_system_has(key: Key) -> bool:
    """Whether it is a word for one parameter of a body or the other, misspelt."""
    return key[:1] == ("systems",) and len(key) > 1 and key[1] not in _system_keys()


def _system_keys() -> list[str]:
    """All that may stand in ``[systems]``, of any kind of body."""
    names = {name: None for kind in SYSTEMS.names() for name in parameter_names(kind)}
    return [*Systems.model_fields, *names]


def _how_far(problem: Any) -> tuple[bool, bool, int]:
    """How far pydantic got with a value before this problem: the farthest first."""
    kind: str = problem["type"]
    return kind.endswith("_type"), kind in ("extra_forbidden", "missing"), -len(problem["loc"])


def _key_of(problem: Any) -> Key:
    """Where it is in the file: without what pydantic adds about the type it tried."""
    return tuple(part for part in problem["loc"] if not str(part).startswith(_KINDS))


_TABLES: dict[Key, type[Strict]] = {
    (): StudyFile,
    ("scales",): Range,
    ("motions",): Source,
    ("motions", "stochastic"): Stochastic,
    ("run",): Run,
}


def _known(key: Key) -> str:
    """The keys there are beside an unknown one, the nearest first."""
    above = tuple(part for part in key[:-1] if isinstance(part, str))
    if above == ("systems",):
        names, told = _system_keys(), [*Systems.model_fields, "and the parameters of the body"]
    else:
        table = Range if above[:1] == ("systems",) else _TABLES.get(above)
        if table is None:
            return ""
        names = told = [field.alias or name for name, field in table.model_fields.items()]
    near = difflib.get_close_matches(str(key[-1]), names, 1)
    meant = f"; did you mean {near[0]}?" if near else ""
    return f"{meant or '.'} There are {', '.join(told)}"
