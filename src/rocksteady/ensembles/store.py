"""A study on disk that survives a power cut: a folder of whole parts and a manifest.

    manifest.json          what is run: formulation, versions, digests of the inputs, the parts
    inputs/*.parquet       what lies along each axis: systems, motions, scales
    runs/000000000000.parquet …   the results, a file per part, named after its first run
    histories/*.nc         responses of the runs that `keep` chose

A part is complete and on the disk before it gets its name (see `rocksteady.files`): it is there or
it is not. After a crash only the missing parts are made.
"""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any, Self

import numpy as np

from rocksteady.ensembles.digests import digest
from rocksteady.ensembles.layout import AXES, Layout
from rocksteady.ensembles.many import Columns, ManyRuns
from rocksteady.ensembles.plan import Part, Plan
from rocksteady.errors import InputError
from rocksteady.extras import load
from rocksteady.files import sweep, write_durably
from rocksteady.formulations.contract import Quantity
from rocksteady.marks import parquet
from rocksteady.version import environment, version

FORMAT = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Store:
    """A folder of results, of one study only."""

    folder: Path
    plan: Plan
    layout: Layout
    manifest: dict[str, Any]

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
        if (folder / MANIFEST).is_file():
            store = cls.open(folder)
            store._check_same(manifest)
            return store
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            _refuse_strangers(folder)
        store = cls(folder, plan, layout, manifest)
        store._write_inputs()
        text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
        write_durably(folder / MANIFEST, text)  # last: all that it lists is there
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """The store in ``folder``, complete or not."""
        load("pyarrow", "A store of results")
        folder = Path(folder)
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if manifest["format"] != FORMAT:
                raise InputError(
                    f"{folder} was written by rocksteady {manifest['rocksteady']} in a format that "
                    f"this version ({version()}) does not know: open it with that version."
                )
            axes = tuple(manifest["axes"])
            tables = AXES if axes == ("run",) else axes  # paired runs have one axis, three tables
            layout = Layout(
                tuple(manifest["shape"]),
                axes,
                {name: _read_table(folder / "inputs" / f"{name}.parquet") for name in tables},
                {name: Quantity(*what) for name, what in manifest["quantities"].items()},
                manifest["about"],
            )
            return cls(folder, Plan(*manifest["plan"]), layout, manifest)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise InputError(
                f"{folder} is not an ensemble store: it has no {MANIFEST} with its inputs. Give "
                "the folder that was store= of rs.ensemble, or that a study file names."
            ) from error
        except InputError:
            raise
        except (KeyError, TypeError, ValueError) as error:  # also of inputs that are no Parquet
            raise InputError(
                f"The store {folder} is damaged: {MANIFEST} or a file in inputs cannot be read "
                f"({error}). Make it anew, in another folder."
            ) from error

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
            folder = self.folder / name
            sweep(folder)
            for stray in folder.glob(".*.*"):  # as version 0.1 named them
                if stray.suffix in (".parquet", ".json", ".nc"):
                    stray.unlink(missing_ok=True)

    # -- parts ----------------------------------------------------------------------------------

    def missing(self) -> list[Part]:
        return [part for part in self.plan if not self.has(part)]

    def done(self) -> int:
        """How many runs are safe here."""
        return self.plan.runs - sum(part.runs for part in self.missing())

    def has(self, part: Part) -> bool:
        """Whether this part is there and whole. (A file system may lose what it had promised.)"""
        import pyarrow
        import pyarrow.parquet

        try:
            rows = pyarrow.parquet.read_metadata(part_path(self.folder, part)).num_rows
        except (OSError, pyarrow.ArrowInvalid):
            return False
        return bool(rows == part.runs)

    def write(self, study: ManyRuns, part: Part, columns: Columns) -> None:
        """Put a part in place, safe from a crash when this returns."""
        write_part(part_path(self.folder, part), study, part, columns, self.layout.quantities)

    def read(self, name: str, part: Part) -> Any:
        """One column of a part."""
        import pyarrow.parquet

        label = _label(name, self.layout.quantities[name].units)
        table = pyarrow.parquet.read_table(
            part_path(self.folder, part), columns=[label], memory_map=True
        )
        return table[label].to_numpy()

    # -- inputs ---------------------------------------------------------------------------------

    def _write_inputs(self) -> None:
        import pyarrow

        for axis, columns in self.layout.tables.items():
            table = pyarrow.table(
                {_label(name, unit): values for name, (values, unit) in columns.items()}
            )
            path = self.folder / "inputs" / f"{axis}.parquet"
            write_durably(path, parquet(table))


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
        "notes": notes,
    }


def part_path(folder: Path, part: Part) -> Path:
    return folder / "runs" / f"{part.start:012d}.parquet"


def write_part(
    path: Path, study: ManyRuns, part: Part, columns: Columns, kept: dict[str, Quantity]
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
    write_durably(path, parquet(table, **small))


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
