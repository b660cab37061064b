"""What the `rocksteady motion` commands share: reading files, writing files, reporting failures."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.files import check_writable, keep_sources
from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.output import print_files, print_json, say
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.records import as_options, read_file
from rocksteady.errors import InputError, MotionFormatError

UNREADABLE = 1  # exit status

_option = panel("The files")
Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE|FOLDER...", help="Records in any known format, or folders."),
]


@dataclass(frozen=True)
class Record:
    """A motion, where it came from, and what to name files made from it."""

    file: str
    component: str | None
    """None if it is the only one in the file."""
    motion: "rs.Motion"

    @property
    def label(self) -> str:
        """A name for files: the file's, and the component's if the file has several or is named
        after its component (``AOM008.EW``)."""
        component = self.component
        if component is None and _same(Path(self.file).suffix, self.known_component):
            component = self.known_component
        joined = self.motion.name if "files" in self.motion.meta else _stem(self.file)
        return _for_a_name("_".join(filter(None, (joined, component))))

    @property
    def known_component(self) -> str:
        """The component's name in the file, empty if it has none."""
        return str(self.motion.meta.get("component", ""))


@dataclass
class Records:
    """The motions that were read, and the files that could not be."""

    found: list[Record] = field(default_factory=list)
    failures: list[dict[str, str]] = field(default_factory=list)


def finish(failures: Sequence[dict[str, str]]) -> None:
    """Report the files that failed, on the error stream; if there are any, exit with an error."""
    for failure in failures:
        say(as_options(failure["error"]), label="Error: ")
    if failures:
        raise typer.Exit(UNREADABLE)


@dataclass(frozen=True)
class ReadOptions:
    """Which components to read, and facts that the files do not state."""

    component: Annotated[
        list[str] | None, _option("Only this component of each file; repeatable.")
    ] = None
    record: Annotated[
        bool, _option("Join the components of each station into one motion.", "--record")
    ] = False
    dt: Annotated[float | None, _option("Time step, s, for files that state none.")] = None
    unit: Annotated[str | None, _option("Unit for files that state none: g, m/s2, cm/s2, …")] = None
    decimal: Annotated[
        str | None, _option("Decimal sign for ambiguous tables: comma or point.", metavar="SIGN")
    ] = None
    sensitivity: Annotated[float | None, _option("Counts per m/s² (miniSEED, SAC, COSMOS).")] = None
    differentiate: Annotated[
        bool, _option("Turn velocities or displacements into accelerations.", "--differentiate")
    ] = False
    any_peak: Annotated[
        bool, _option("Accept peaks above 5 g, otherwise refused.", "--any-peak")
    ] = False

    @property
    def options(self) -> dict[str, Any]:
        """The options of `read_motion` and `read_folder`, except the component."""
        names = ("dt", "unit", "decimal", "sensitivity", "differentiate", "any_peak")
        return {name: getattr(self, name) for name in names}

    def read(self, files: Sequence[str], progress: Callable[[int, int], None]) -> Records:
        """All motions in files and folders. A file that cannot be read does not stop the rest."""
        records = Records()
        paths: list[str] = []
        for file in files:
            inside = expanded(file)
            paths += inside
            if not inside:
                records.failures.append(empty_folder(file))
        joined: set[Path] = set()  # files whose components are in a record already
        for done, path in enumerate(paths, start=1):
            try:
                if Path(path) not in joined:
                    records.found += self.read_one(path)
                    others = records.found[-1].motion.meta.get("files", ())
                    joined |= {Path(path).with_name(name) for name in others}
            except (InputError, OSError) as error:
                records.failures.append({"file": path, "error": str(error)})
            progress(done, len(paths))
        return records

    def read_one(self, file: str) -> list[Record]:
        """The motions in a file."""
        if self.record:
            return [self._whole(file)]
        records = []
        chosen: list[str | None] = [*self.component] if self.component else [None]
        for component in chosen:
            found = read_file(file, component=component, **self.options)
            motions: dict[Any, rs.Motion] = found if isinstance(found, dict) else {component: found}
            records += [Record(file, name, motion) for name, motion in motions.items()]
        return records

    def _whole(self, file: str) -> Record:
        """All components of the station in one motion."""
        if self.component:
            raise InputError(
                "--record takes all components and --component one of them: leave one out."
            )
        try:
            motion = rs.read_record(file, **self.options)
        except MotionFormatError as error:
            raise MotionFormatError(as_options(str(error))) from error
        return Record(file, None, motion)

    def words(self, records: Iterable[Record]) -> list[str]:
        """The options used to read these, as words of a command line."""
        words = ["--record"] if self.record else []
        for name in dict.fromkeys(one.component for one in records if one.component is not None):
            words += ["--component", name]
        for name, value in self.options.items():
            if value not in (None, False):
                words.append(f"--{name.replace('_', '-')}")
                words += [] if value is True else [str(value)]
        return words


def empty_folder(file: str) -> dict[str, str]:
    """The failure reported for a folder without files."""
    return {"file": file, "error": f"{file}: there are no files in this folder."}


def expanded(file: str) -> list[str]:
    """The file itself, or the records in a folder."""
    from rocksteady.motion.catalogue import files_in

    return [str(path) for path in files_in(Path(file))] if Path(file).is_dir() else [file]


def names_file(out: str | None) -> bool:
    """Whether ``out`` means one file, not a folder."""
    if out is None or Path(out).is_dir() or out.endswith(("/", os.sep)):
        return False
    return bool(Path(out).suffix)


def endings(records: Sequence[Record]) -> list[str]:
    """What distinguishes the records: components of one file, or else their labels."""
    if len({one.file for one in records}) == 1:
        return [_for_a_name(one.component or one.label) for one in records]
    components = [_for_a_name(one.known_component) for one in records if one.known_component]
    if len({_stem(one.file) for one in records}) == 1 and len(set(components)) == len(records):
        return components
    return labels(records)


def labels(records: Sequence[Record]) -> list[str]:
    """A name for each record; equal names get their components added, if these differ."""
    plain = [one.label for one in records]
    made = []
    for one, label in zip(records, plain, strict=True):
        same = [other.known_component for other in records if other.label == label]
        if len(same) > 1 and all(same) and len(set(same)) == len(same):
            label = _for_a_name(f"{label}_{one.known_component}")
        made.append(label)
    return made


def _for_a_name(words: str) -> str:
    return re.sub(r"[^\w.+-]+", "_", words).strip("_") or "motion"


def _same(suffix: str, component: str) -> bool:
    """Whether a file's suffix names its component: .EW and E-W."""
    letters, own = (re.sub(r"[^a-z0-9]", "", text.lower()) for text in (suffix, component))
    return bool(own) and letters == own


def targets(
    labels: Sequence[str],
    out: str | None,
    suffix: str,
    sources: Iterable[str] = (),
    endings: Sequence[str] = (),
) -> list[Path]:
    """The path to write for each of ``labels``, all different.

    ``out`` is a file (with several labels, ``endings`` are added to its name), a folder, or None
    for the current folder. ``suffix`` is that of files in a folder. ``sources``, the files read,
    are never overwritten.
    """
    if out is not None and names_file(out):
        file = Path(out)
        paths = [file.with_name(f"{file.stem}_{end}{file.suffix}") for end in endings or labels]
        paths = [file] if len(labels) == 1 else paths
    else:
        paths = [Path(out or "") / f"{label}{suffix}" for label in labels]
    paths = _apart(paths)
    written = [file for path in paths for file in (path, *_beside(path))]
    keep_sources(written, sources)
    if paths:
        check_writable(paths[0].parent, folder=True)
    return paths


def write_each(
    files: Sequence[str],
    reading: ReadOptions,
    out: str | None,
    suffix: str,
    doing: str,
    write: "Callable[[rs.Motion, Path], Iterable[Path]]",
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Read all files, ``write`` each motion to a file of its own, and report them."""
    with Work(quiet=quiet or as_json) as work:
        records = reading.read(files, work.on("Reading …"))
        found = records.found
        sources = [*files, *(one.file for one in found)]
        paths = targets(labels(found), out, suffix, sources, endings(found))
        advance = work.on(doing)
        written: list[Path] = []
        for done, (one, path) in enumerate(zip(found, paths, strict=True), start=1):
            written += write(one.motion, path)
            advance(done, len(paths))
    if as_json:
        print_json({"files": [str(path) for path in written], "failures": records.failures})
    elif not quiet:
        print_files(written, output())
    finish(records.failures)


def _beside(path: Path) -> list[Path]:
    """The files written with it, if there are more components."""
    from rocksteady.motion.writers import at2_files

    return [*at2_files(path).values()] if path.suffix.lower() == ".at2" else []


def _apart(paths: list[Path]) -> list[Path]:
    """The same paths, with a number added to repeated ones."""
    seen: dict[Path, int] = {}
    different = []
    for path in paths:
        seen[path] = seen.get(path, 0) + 1
        number = seen[path]
        different.append(path if number == 1 else path.with_stem(f"{path.stem}_{number}"))
    return different


def _stem(file: str) -> str:
    """A file's name without the endings for its compression and its format."""
    name = Path(file).name
    for packed in (".gz", ".bz2", ".xz", ".zip", ".tar", ".tgz"):
        name = name.removesuffix(packed)
    return Path(name).stem
