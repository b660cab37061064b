"""A whole study in a file: `rocksteady ensemble study.toml`.

Errors name the file, the line and the key.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from rocksteady.ensembles.study import Study
from rocksteady.errors import InputError
from rocksteady.extras import installed, needs
from rocksteady.motion.catalogue import files_in
from rocksteady.specs.motion_sources import Tell, silent
from rocksteady.specs.problems import Key
from rocksteady.specs.study import RunSpec, StudySpec
from rocksteady.specs.toml_lines import InFile, read_toml

EXAMPLE = "example_study.toml"
STORE = 'store = "museum"'  # in the example
_OF_THE_CALL = ("store", "keep")  # what `ensemble` takes beside a study


def example() -> str:
    """A study file that runs in seconds here, with all that can be said in one. Where the package
    that stores need is not installed, the line that names one is a comment."""
    text = (files("rocksteady.ensembles") / EXAMPLE).read_text(encoding="utf-8")
    if installed("pyarrow"):
        return text
    return text.replace(STORE, f"# A store {needs('pyarrow')}\n# {STORE}", 1)


@dataclass(frozen=True)
class ReadStudy:
    """What a study file comes to."""

    study: Study
    run: RunSpec
    notes: dict[str, Any]
    """For the manifest: the name, the text of the file, the seeds in it."""
    store: Path | None
    """The folder of the results."""
    files: list[Path]
    """What the study reads: a table of systems, records."""


def read_study(path: str | Path, *, tell: Tell = silent, **changes: Any) -> ReadStudy:
    """Read and check a study file. ``changes`` take the place of what its ``[run]`` says; ``tell``
    is called with what is read or made, how much of it there is already, and how much in all."""
    path = Path(path)
    text, values = read_toml(path, "the study file", "rocksteady ensemble --example")
    said = StudySpec.checked(values, InFile(path, text))
    run = RunSpec.checked({**said.run.model_dump(), **changes})
    said = said.model_copy(update={"run": run})
    study, store = _study(InFile(path, text), said, tell), run.build(path.parent)["store"]
    return ReadStudy(study, run, _notes(said, text), store, _files(said, path.parent))


def _study(file: InFile, said: StudySpec, tell: Tell) -> Study:
    @contextmanager
    def at(key: Key) -> Iterator[None]:
        try:
            yield
        except InputError as error:
            raise InputError(f"{file.at(key)}: {file.words(str(error))}") from error

    given = said.build(file.path.parent, tell, at)
    study = Study.of(**{n: value for n, value in given.items() if n not in _OF_THE_CALL})
    study.measure_motions(lambda done, total: tell("Measuring motions", done, total))
    return study


def _notes(said: StudySpec, text: str) -> dict[str, Any]:
    seeds: dict[str, int] = {}
    if said.systems.sample is not None:
        seeds["systems"] = said.systems.seed
    for i, source in enumerate(said.motions):
        if source.stochastic is not None:
            seeds[f"motions.{i}"] = source.stochastic.seed
    return {"name": said.name, "seeds": seeds, "file": text}


def _files(said: StudySpec, folder: Path) -> list[Path]:
    named: list[Path | str | None] = [said.systems.table, *said.systems.named_files]
    for source in said.motions:
        like = source.stochastic.like if source.stochastic else None
        named += [source.file, source.record, like]
        for below in (source.folder, source.records):
            named += files_in(folder / below) if below else []
    return [folder / name for name in named if name is not None]
