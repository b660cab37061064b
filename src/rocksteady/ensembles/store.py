"""A study on disk that survives a power cut: a folder of whole parts and a manifest.

    manifest.json          what is run: formulation, versions, digests of the inputs, the parts
    inputs/*.parquet       what lies along each axis: systems, motions, scales
    runs/000000000000.parquet …   the results, a file per part, named after its first run
    histories/*.nc         responses of the runs that `keep` chose; the manifest lists them

A part is complete and on the disk before it gets its name (see `rocksteady.files`): it is there or
it is not. Every file has a digest of its content (see `rocksteady.digests`), and every table says
to which place of which study it belongs. After a crash only what is missing or damaged is made.
"""

import contextlib
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, Self

import numpy as np

from rocksteady.digests import check_file, checked_json, sealed_json
from rocksteady.ensembles.digests import digest
from rocksteady.ensembles.layout import AXES, Layout
from rocksteady.ensembles.many import Columns, ManyRuns
from rocksteady.ensembles.plan import Part, Plan
from rocksteady.errors import DamagedFileError, InputError, OtherVersionError, warn
from rocksteady.extras import load
from rocksteady.files import sweep, write_durably
from rocksteady.marks import parquet
from rocksteady.theories.contract import Quantity
from rocksteady.version import environment, version

FORMAT = 2
MANIFEST = "manifest.json"
HOME = b"belongs to"
READERS = min(8, os.cpu_count() or 1)  # threads


@dataclass(frozen=True)
class Store:
    """A folder of results, of one study only."""

    folder: Path
    plan: Plan
    layout: Layout
    manifest: dict[str, Any]
    verify: bool = True
    """Whether the digests of files are compared; without it, files that were edited are read."""
    sound: dict[Path, tuple[int, int]] = field(default_factory=dict, compare=False, repr=False)
    """Files that were found sound, with the time of their last change and their size then."""

    # -- begin, go on, open ---------------------------------------------------------------------

    @classmethod
    def begin(
        cls, folder: str | Path, study: ManyRuns, notes: dict[str, Any] | None = None
    ) -> "Store":
        """The store of ``study`` in ``folder``: a new one, or the one that is there."""
        load("pyarrow", "A store of results", "Without store= the results stay in memory.")
        folder = Path(folder)
        layout, plan = study.layout(), Plan.of(study)
        manifest = _manifest(study, plan, layout, notes or {})
        store = cls(folder, plan, layout, manifest)
        if (folder / MANIFEST).is_file():
            try:
                there = cls.open(folder)
            except (DamagedFileError, OtherVersionError) as error:
                if not store._holds_this_study():
                    raise
                warn(f"{error} It is written anew: look at the disk.", stacklevel=5)
            else:
                there._check_same(manifest)
                return there
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            _refuse_strangers(folder)
        store._write_inputs()
        store._write_manifest()  # last: all that it lists is there
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | Path, *, verify: bool = True) -> Self:
        """The store in ``folder``, complete or not."""
        load("pyarrow", "A store of results")
        folder = Path(folder)
        manifest = read_manifest(folder, verify=verify)
        if manifest.get("format") != FORMAT:
            raise OtherVersionError(
                f"{folder} was written by rocksteady {manifest.get('rocksteady')} in a format that "
                f"this version ({version()}) does not know: open it with that version."
            )
        try:
            axes = tuple(manifest["axes"])
            layout = Layout(
                tuple(manifest["shape"]),
                axes,
                {},
                {name: Quantity(*what) for name, what in manifest["quantities"].items()},
                manifest["about"],
            )
            dict(manifest["histories"])
            store = cls(folder, Plan(*manifest["plan"]), layout, manifest, verify)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DamagedFileError(
                f"{folder / MANIFEST} was edited: it is not the manifest of a store ({error!r})."
            ) from error
        tables = AXES if axes == ("run",) else axes  # paired runs have one axis, three tables
        layout.tables.update({axis: store._read_input(axis) for axis in tables})
        return store

    def _holds_this_study(self) -> bool:
        """Whether the results here are those of this study, whatever the manifest says."""
        results = (part_path(self.folder, part) for part in self.plan)
        return not any(path.exists() for path in results) or any(map(self.has, self.plan))

    def _check_same(self, wanted: dict[str, Any]) -> None:
        if self.manifest["identity"] == wanted["identity"]:
            return
        ours, theirs = wanted["study"], self.manifest["study"]
        differ = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        if differ == ["step"] or not differ:
            why = f"another version of the program began it ({self.manifest['rocksteady']})"
        else:
            why = f"it has other {', '.join(name for name in differ if name != 'step')}"
        raise InputError(
            f"{self.folder} holds another study: {why}. Give this one a folder of its own, or "
            "remove that one if nobody needs it."
        )

    # -- one writer at a time -----------------------------------------------------------------

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Only this process may write here meanwhile. A killed process leaves no lock."""
        with (self.folder / ".lock").open("w") as lock:
            try:
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(
                    f"Another process is at work in {self.folder}: wait for it, or stop it and "
                    "start again; what it has done is kept."
                ) from None
            except (ImportError, OSError):  # a system, or a network disk, without such locks
                pass
            self._sweep()
            try:
                yield
            finally:
                self._sweep()

    def _sweep(self) -> None:
        """Remove what a killed process or worker left half-written."""
        for name in ("", "inputs", "runs", "histories"):
            sweep(self.folder / name)

    # -- parts ----------------------------------------------------------------------------------

    def missing(self) -> list[Part]:
        """The parts that are not there, or not as they were written."""
        with ThreadPoolExecutor(READERS) as readers:
            there = readers.map(self.has, self.plan)
            return [part for part, found in zip(self.plan, there, strict=True) if not found]

    def damaged(self) -> list[str]:
        """A sentence about each part that is there, but not as it was written."""
        found = []
        for part in self.missing():
            if part_path(self.folder, part).exists():
                try:
                    self.check_part(part)
                except InputError as error:
                    found.append(str(error))
        return found

    def done(self) -> int:
        """How many runs are safe here."""
        return self.plan.runs - sum(part.runs for part in self.missing())

    def has(self, part: Part) -> bool:
        """Whether this part is there and sound. (A file system may lose what it had promised.)"""
        try:
            self.check_part(part)
        except InputError:
            return False
        return True

    def check_part(self, part: Part) -> None:
        """An error that says what is wrong with a part, if anything is."""
        path = part_path(self.folder, part)
        rows = self._check(path, home_of(self.manifest["identity"], part))
        if rows not in (None, part.runs):
            raise DamagedFileError(f"{path} has {rows} runs: {part.runs} belong there.")

    def write(self, study: ManyRuns, part: Part, columns: Columns) -> None:
        """Put a part in place, safe from a crash when this returns."""
        home = home_of(self.manifest["identity"], part)
        path = part_path(self.folder, part)
        write_part(path, study, part, columns, self.layout.quantities, home)

    def read(self, name: str, part: Part) -> Any:
        """One column of a part."""
        import pyarrow.parquet

        self.check_part(part)
        path, label = part_path(self.folder, part), _label(name, self.layout.quantities[name].units)
        with _in_words(path):
            table = pyarrow.parquet.read_table(path, columns=[label], memory_map=True)
            return table[label].to_numpy()

    def _check(self, path: Path, home: str) -> int | None:
        """An error unless this file is sound and belongs here; how many rows it has, or None if
        that was found before."""
        import pyarrow.parquet

        with _in_words(path):
            about = path.stat()
            now = about.st_mtime_ns, about.st_size
            if self.sound.get(path) == now:
                return None
            if self.verify:
                check_file(path)
            found = pyarrow.parquet.read_metadata(path)
            if self.verify and (found.metadata or {}).get(HOME) != home.encode():
                raise DamagedFileError(f"{path} belongs to another study or place.")
        self.sound[path] = now
        return int(found.num_rows)

    # -- histories ------------------------------------------------------------------------------

    @property
    def histories(self) -> dict[str, str]:
        """The digest of each history that belongs here, by the name of its file."""
        return dict(self.manifest["histories"])

    def list_histories(self, digests: dict[str, str]) -> None:
        """Have the manifest list these histories: one that is lost later is missed."""
        if digests != self.manifest["histories"]:
            self.manifest["histories"] = dict(sorted(digests.items()))
            self._write_manifest()

    # -- inputs ---------------------------------------------------------------------------------

    def _write_manifest(self) -> None:
        text = sealed_json(self.manifest, indent=1, ensure_ascii=False)
        write_durably(self.folder / MANIFEST, text)

    def _write_inputs(self) -> None:
        import pyarrow

        for axis, columns in self.layout.tables.items():
            table = pyarrow.table(
                {_label(name, unit): values for name, (values, unit) in columns.items()}
            )
            home = home_of(self.manifest["identity"], axis)
            write_durably(self.input_path(axis), parquet(_at(home, table)))

    def _read_input(self, axis: str) -> dict[str, Any]:
        self._check(self.input_path(axis), home_of(self.manifest["identity"], axis))
        with _in_words(self.input_path(axis)):
            return _read_table(self.input_path(axis))

    def input_path(self, axis: str) -> Path:
        return self.folder / "inputs" / f"{axis}.parquet"


def read_manifest(folder: Path, *, verify: bool = True) -> dict[str, Any]:
    """What the manifest of a store says."""
    path = folder / MANIFEST
    try:
        return checked_json(path.read_bytes(), path, verify=verify)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"{folder} is not an ensemble store: it has no {MANIFEST}. Give the folder that was "
            "store= of rs.ensemble, or that a study file names."
        ) from error
    except OSError as error:
        raise DamagedFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def _manifest(study: ManyRuns, plan: Plan, layout: Layout, notes: dict[str, Any]) -> dict[str, Any]:
    about = study.description()
    return {
        "format": FORMAT,
        "rocksteady": version(),
        "environment": {**environment(), "pyarrow": installed("pyarrow")},
        "identity": digest(about, plan.runs, plan.size),
        "runs": plan.runs,
        "shape": layout.shape,
        "axes": layout.axes,
        "plan": [plan.runs, plan.size],
        "quantities": layout.quantities,
        "about": layout.about,
        "study": about,
        "histories": {},
        "notes": notes,
    }


def part_path(folder: Path, part: Part) -> Path:
    return folder / "runs" / f"{part.start:012d}.parquet"


def home_of(identity: str, place: Part | str) -> str:
    """Where a table belongs: the study, and the runs of a part or the name of an axis."""
    return f"{identity} {place if isinstance(place, str) else f'{place.start}-{place.stop}'}"


def write_part(
    path: Path, study: ManyRuns, part: Part, columns: Columns, kept: dict[str, Quantity], home: str
) -> None:
    """A part as a table: the number of each run, its place along the axes, and its results."""
    import pyarrow

    numbers = np.arange(part.start, part.stop)
    labels = study.labels(numbers)
    results = {_label(name, what.units): columns[name] for name, what in kept.items()}
    table = pyarrow.table({"run": numbers, **labels, **results})
    small = {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": [*labels, "status"],
        "column_encoding": {"run": "DELTA_BINARY_PACKED"},
    }
    write_durably(path, parquet(_at(home, table), **small))


def _at(home: str, table: Any) -> Any:
    return table.replace_schema_metadata({HOME: home})


@contextlib.contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """What pyarrow or the system finds wrong with a file, as an error of ours."""
    import pyarrow

    try:
        yield
    except (DamagedFileError, OtherVersionError) as error:  # its store has digests
        raise DamagedFileError(str(error)) from error
    except FileNotFoundError as error:
        raise DamagedFileError(f"{path} is missing.") from error
    except (OSError, KeyError, ValueError, pyarrow.ArrowException) as error:
        raise DamagedFileError(f"{path} cannot be read as a table ({error}).") from error


def _label(name: str, unit: str) -> str:
    """Name and unit of a column: "time_of_peak [s]"."""
    return f"{name} [{unit}]" if unit not in ("", "1") else name


def _read_table(path: Path) -> dict[str, Any]:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    columns = {}
    for label in table.column_names:
        name, _, unit = label.rstrip("]").partition(" [")
        values = table[label].to_numpy()
        text = values.dtype == object
        label_only = text or name in ("system", "motion")
        columns[name] = (values.astype(str) if text else values, "" if label_only else unit or "1")
    return columns


def _refuse_strangers(folder: Path) -> None:
    if not folder.is_dir():
        raise InputError(f"store = {str(folder)!r} is a file: give a folder.")
    names = {path.name for path in folder.iterdir()}
    if names - {"inputs", ".lock"} and not all(name.startswith(".") for name in names - {"inputs"}):
        raise InputError(
            f"The folder {folder} holds other things ({', '.join(sorted(names)[:3])}): give a new "
            "or an empty one for the store."
        )
