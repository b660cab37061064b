"""The file that describes an object to assess: read, checked, and where its errors are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from rocksteady.analysis.assessment.motions import file_digest
from rocksteady.bodies import Assembly, System
from rocksteady.errors import InputError, heard, what_it_is
from rocksteady.files import checked_path
from rocksteady.specs.assessment import STONES_INSTEAD, AssessmentSpec
from rocksteady.specs.toml_lines import InFile, read_toml

EXAMPLE = "example_object.toml"
DRAWINGS = (".json", ".dxf", ".svg")  # files of assemblies


def example() -> str:
    """A file that runs as it is, with all that can be said in one."""
    return (files("rocksteady.analysis.assessment") / EXAMPLE).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Described:
    """A checked description, before anything is run."""

    said: AssessmentSpec
    text: str
    path: Path | None = None
    warned: tuple[str, ...] = ()
    """What was warned of when it was read."""

    @property
    def folder(self) -> Path:
        """Where its paths begin."""
        return Path() if self.path is None else self.path.parent

    @property
    def files(self) -> list[tuple[str, str]]:
        """Name and SHA-256 of what is read beside the motions, whose samples have their own."""
        paths = [] if self.path is None else [self.path]
        if self.said.hazard is not None and self.said.hazard.file is not None:
            paths.append(self.folder / self.said.hazard.file)
        return [(path.name, file_digest(path.read_bytes())) for path in paths]

    @contextmanager
    def at(self, *key: str | int) -> Iterator[None]:
        """Errors within are about this key."""
        try:
            yield
        except InputError as error:
            if self.path is None:
                raise
            file = InFile(self.path, self.text)
            raise InputError(f"{file.at(key)}: {file.words(str(error))}") from error


def read_assessment(path: str | Path) -> Described:
    """Read and check a file such as `example` prints."""
    path = Path(path)
    if path.suffix.lower() in DRAWINGS:
        raise InputError(
            f"{path.name} is no description of an object in TOML: rocksteady assess --example "
            f"prints one. {STONES_INSTEAD}"
        )
    with heard() as warned:
        text, values = read_toml(path, "the object", "rocksteady assess --example")
        said = AssessmentSpec.checked(values, InFile(path, text))
    return Described(said, text, path, tuple(warned))


def described(what: Any) -> Described:
    """What `assess` is given, as a checked description."""
    if isinstance(what, Described):
        return what
    if isinstance(what, AssessmentSpec):
        return Described(what, what.model_dump_json(indent=2, exclude_unset=True))
    if isinstance(what, Assembly):
        raise InputError(f"An assessment is of one block, not of an Assembly. {STONES_INSTEAD}")
    if isinstance(what, System):
        raise InputError(
            f"assess takes the description of an object, not {what_it_is(what)}: give the name of "
            "a file such as `rocksteady assess --example` prints, or an AssessmentSpec."
        )
    return read_assessment(Path(checked_path(what, "what")))
