"""A whole study in a file: `rocksteady ensemble study.toml`.

Errors name the file, the line and the key.
"""

from __future__ import annotations

import dataclasses
import tomllib
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
    ValidationError,
)

from rocksteady.ensembles.study import Study
from rocksteady.ensembles.study_motions import Motions
from rocksteady.ensembles.study_systems import Range, Strict, Systems
from rocksteady.ensembles.toml_lines import Key, line_of
from rocksteady.errors import InputError
from rocksteady.formulations import Formulation, formulation_named

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
        kind = formulation_named(self.name)
        names = [field.name for field in dataclasses.fields(kind)]
        unknown = [name for name in options if name not in names]
        if unknown:
            raise InputError(f"{self.name} has no {unknown[0]!r}; it has {', '.join(names)}.")
        return kind(**options)  # type: ignore[no-any-return]


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
    motions: list[Motions] = Field(min_length=1)
    scales: Annotated[list[FiniteFloat], Field(min_length=1)] | Range = Field(default=[1.0])
    paired: bool = False
    aftermath: bool = True
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


def read_study(path: str | Path, **changes: Any) -> ReadStudy:
    """Read and check a study file. ``changes`` take the place of what its ``[run]`` says."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"Cannot read the study file {path}: {why}. `rocksteady ensemble --example` prints one."
        ) from error
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}.") from error
    try:
        said = StudyFile.model_validate(values)
    except ValidationError as error:
        raise InputError(_sentence(path, text, error)) from error
    try:
        run = Run.model_validate({**said.run.model_dump(), **changes})
    except ValidationError as error:
        problem = error.errors()[0]
        name = ".".join(str(part) for part in problem["loc"])
        raise InputError(f"{name} = {problem['input']!r}: {problem['msg']}.") from error
    return ReadStudy(_study(path, text, said, run), run, _notes(said, text), path.parent)


def _study(path: Path, text: str, said: StudyFile, run: Run) -> Study:
    with _at(path, text, ("systems",)):
        systems = said.systems.build(path.parent)
    motions = []
    for i, source in enumerate(said.motions):
        with _at(path, text, ("motions", i)):
            motions += source.build(path.parent)
    formulation = None
    if said.formulation is not None:
        with _at(path, text, ("formulation",)):
            formulation = said.formulation.build()
    scales = said.scales.values() if isinstance(said.scales, Range) else said.scales
    return Study.of(
        systems,
        motions,
        formulation,
        scales=scales,
        paired=said.paired,
        aftermath=said.aftermath,
        backend=run.backend,
        precision=run.precision,
    )


def _notes(said: StudyFile, text: str) -> dict[str, Any]:
    seeds: dict[str, int] = {}
    if said.systems.sample is not None:
        seeds["systems"] = said.systems.seed
    for i, source in enumerate(said.motions):
        if source.stochastic is not None:
            seeds[f"motions.{i}"] = source.stochastic.seed
    return {"name": said.name, "seeds": seeds, "file": text}


# -- errors --------------------------------------------------------------------------------------


def _where(path: Path, text: str, key: Key) -> str:
    line = line_of(text, key)
    name = ".".join(str(part) for part in key)
    return f"{path}{f', line {line}' if line else ''}: {name}"


@contextmanager
def _at(path: Path, text: str, key: Key) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        raise InputError(f"{_where(path, text, key)}: {error}") from error


_KINDS = ("float", "int", "list", "Range", "Draw", "constrained", "function", "Stochastic")


def _sentence(path: Path, text: str, error: ValidationError) -> str:
    """The first problem in one sentence. Of a value that may be many things, pydantic tells what is
    wrong with it as each of them: the one that got farthest is meant."""
    table = error.errors()[0]["loc"][:1]
    same = [problem for problem in error.errors() if problem["loc"][:1] == table]
    problem = min(same, key=lambda p: (p["type"].endswith("_type"), -len(p["loc"])))
    key = tuple(p for p in problem["loc"] if not str(p).startswith(_KINDS))
    said = problem["msg"].removeprefix("Value error, ")
    word = said.split(" ", 1)[0]  # our own sentences begin with the key they are about
    if problem["type"] == "value_error" and line_of(text, key) != line_of(text, (*key, word)):
        key, said = (*key, word), said.partition(" ")[2]
    if problem["type"] == "extra_forbidden":
        said = "this key is not known here"
    elif problem["type"] == "missing":
        said = "this is missing"
    given = problem.get("input")
    shown = ""
    if problem["type"] not in ("missing", "value_error") and not isinstance(given, dict):
        shown = f" = {given!r}"
    more = len({p["loc"] for p in error.errors()})
    hint = "" if more < 2 else f" ({more} problems in all.)"
    return f"{_where(path, text, key)}{shown}: {said[:1].lower()}{said[1:].rstrip('.')}.{hint}"
