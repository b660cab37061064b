"""An ensemble as one long table, a row for each run: for R, spreadsheets and databases.

Written some runs at a time, so that ten million rows need no more memory than a few.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from rocksteady.bodies import SYSTEMS
from rocksteady.digests import BLANK, KEY, seal_file, sealed
from rocksteady.ensembles.dataset import check_ensemble, dataset_of, open_store
from rocksteady.extras import load
from rocksteady.files import as_path, suffix_of, write_streamed, write_whole
from rocksteady.marks import mark, sealed_mark
from rocksteady.names import cell
from rocksteady.status import Status

if TYPE_CHECKING:
    import pyarrow
    import xarray

RUNS_TABLES = ("csv", "parquet")
AT_ONCE = 1 << 18  # rows in memory
OF_THE_GROUND = ("pga", "pgv")  # what the scale multiplies
NOT_SHOWN = ("system", "motion", "scale", "run", "sha256", "dt", "duration", *OF_THE_GROUND)
Block = tuple[slice, ...]


def write_ensemble_runs(
    data: xarray.Dataset | str | Path,
    path: str | Path,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Write an ensemble as a table with a row for each run, whole or not at all.

    ``data`` is what :func:`rocksteady.ensemble` returned, or the folder of a store; ``path`` ends
    in ``.csv`` or ``.parquet``. Columns have their units in their names: the number of the run, the
    system and its parameters, the motion and the scale, the peak acceleration ``pga [m/s2]`` and
    velocity ``pgv [m/s]`` of the ground in that run (the motion's times the scale), and the
    results, with the status as a word. Cells that do not apply are empty. ``progress`` is called
    with the number of rows written and of all.

    All stones of an assembly would make rows of many kilobytes: they are written once, to the file
    beside it that `beside` names, as JSON by the entries of the column ``system``.
    """
    path = as_path(path, "a file for the runs")
    suffix = checked_suffix(path)
    data = _opened(data)

    def write(file: BinaryIO) -> None:
        tables, done = _tables(data), 0
        if suffix == "csv":
            tables = map(_safe, tables)
        first = next(tables)
        with _writer(file, suffix, first.schema) as writer:
            for table in itertools.chain([first], tables):
                writer.write_table(table)
                done += table.num_rows
                if progress is not None:
                    progress(done, data["status"].size)
        file.flush()
        seal_file(file.fileno())

    written = write_streamed(path, write)
    if _long(data):
        write_whole(beside(path), sealed(_described(data).encode()))
    return written


def runs_files(data: xarray.Dataset | str | Path, path: Path) -> list[Path]:
    """The files that `write_ensemble_runs` writes."""
    return [path, beside(path)] if _long(_opened(data)) else [path]


def _opened(data: xarray.Dataset | str | Path) -> xarray.Dataset:
    if isinstance(data, (str, Path)):
        data = dataset_of(open_store(data), at_once=0)
    check_ensemble(data)
    return data


def beside(path: Path) -> Path:
    """Where the systems of a table of runs are described, if its rows are too short for them:
    ``runs.systems.json`` for ``runs.csv``."""
    return path.with_suffix(".systems.json")


def _long(data: xarray.Dataset) -> tuple[str, ...]:
    """The columns that are not repeated in every row."""
    long: tuple[str, ...] = SYSTEMS.named(data.attrs["system_type"]).long
    return long


def _described(data: xarray.Dataset) -> str:
    """Each system by the columns that make it, as JSON: what `from_values` of its type takes."""
    kind = SYSTEMS.named(data.attrs["system_type"])
    columns = [np.atleast_1d(data[name].values).tolist() for name in kind.stored_names()]
    lines = [
        f"{json.dumps(str(name), ensure_ascii=False)}: "
        + json.dumps(dict(zip(kind.stored_names(), row, strict=True)), ensure_ascii=False)
        for name, *row in zip(np.atleast_1d(data["system"].values).tolist(), *columns, strict=True)
    ]
    head = f'{{\n"comment": "{sealed_mark()}",\n"type": "{kind.__name__}",\n"systems": {{\n'
    return head + ",\n".join(lines) + "\n}\n}\n"


def checked_suffix(path: Path) -> str:
    """The suffix of a table of runs, or an error."""
    load("pyarrow", "A table of all runs")
    return suffix_of(path, RUNS_TABLES, "the runs")


def _writer(file: BinaryIO, suffix: str, schema: pyarrow.Schema) -> Any:
    if suffix == "csv":
        import pyarrow.csv

        return pyarrow.csv.CSVWriter(file, schema)
    import pyarrow.parquet

    marked = schema.with_metadata({"comment": mark(), KEY: BLANK})
    return pyarrow.parquet.ParquetWriter(file, marked, compression="zstd")


# -- rows ------------------------------------------------------------------------------------------


def _tables(data: xarray.Dataset) -> Iterator[pyarrow.Table]:
    """All runs in their order, some at a time."""
    import pyarrow

    axes, shape = data["status"].dims, data["status"].shape
    strides = np.cumprod([1, *shape[:0:-1]])[::-1]
    for block in blocks(shape, AT_ONCE):
        places = [np.arange(n)[part] for n, part in zip(shape, block, strict=True)]
        grid = np.meshgrid(*places, indexing="ij")
        where = {axis: index.ravel() for axis, index in zip(axes, grid, strict=True)}
        number = sum(w * stride for w, stride in zip(where.values(), strides, strict=True))
        columns = {"run": pyarrow.array(number), **_inputs(data, where)}
        for name, variable in data.data_vars.items():
            if variable.dims == axes:  # and not a history
                values = variable[block].values.ravel()
                words = name == "status"
                columns[_labelled(variable)] = _words(values) if words else _cells(values)
        yield pyarrow.table(columns)


def _safe(table: pyarrow.Table) -> pyarrow.Table:
    """A table whose words are fit for CSV: see `rocksteady.names.cell`."""
    import pyarrow

    for place, field in enumerate(table.schema):
        if field.type == pyarrow.string():
            known = table.column(place).combine_chunks().dictionary_encode()
            words = pyarrow.array([*map(cell, known.dictionary.to_pylist())], pyarrow.string())
            table = table.set_column(place, field, words.take(known.indices))
    return table.rename_columns([*map(cell, table.column_names)])


def blocks(shape: tuple[int, ...], most: int) -> Iterator[Block]:
    """Slices of every axis that together pass over an array in its order, about ``most`` numbers at
    a time."""
    inner = int(np.prod(shape[1:]))
    if inner > most:
        for i in range(shape[0]):
            for rest in blocks(shape[1:], most):
                yield (slice(i, i + 1), *rest)
        return
    whole = tuple(slice(0, n) for n in shape[1:])
    step = max(1, most // max(inner, 1))
    for start in range(0, shape[0], step):
        yield (slice(start, min(start + step, shape[0])), *whole)


def _inputs(data: xarray.Dataset, where: dict[Any, Any]) -> dict[str, Any]:
    """What is known of the system and the motion of each run."""

    def along(name: str) -> Any:
        variable = data[name]
        if not variable.dims:  # one for all of a paired study
            return np.repeat(variable.values[None], len(next(iter(where.values()))))
        return variable.values[where[variable.dims[0]]]

    columns = {"system": _cells(along("system"))}
    systems = [str(name) for name in data.coords if data[name].dims == data["system"].dims]
    for name in systems:
        if name not in (*NOT_SHOWN, *_long(data)):
            columns[_labelled(data[name])] = _cells(along(name))
    scale = along("scale")
    columns |= {"motion": _cells(along("motion")), "scale [-]": _cells(scale)}
    for name in OF_THE_GROUND:
        if name in data.coords:
            columns[_labelled(data[name])] = _cells(np.abs(scale) * along(name))
    return columns


def _labelled(variable: xarray.DataArray) -> str:
    """Name and unit: "time_of_peak [s]", "peak [-]", and "impacts", which are counted."""
    unit = variable.attrs.get("units", "1")
    if unit == "1":
        unit = "-" if variable.dtype.kind == "f" else ""
    return f"{variable.name} [{unit}]" if unit else str(variable.name)


def _cells(values: Any) -> Any:
    """As Arrow has them: what is not a number is missing."""
    import pyarrow

    if values.dtype.kind in "US":
        return pyarrow.array(values.tolist(), pyarrow.string())
    return pyarrow.array(values, from_pandas=True)


def _words(status: Any) -> Any:
    import pyarrow

    return pyarrow.array([str(status) for status in Status]).take(pyarrow.array(status))
