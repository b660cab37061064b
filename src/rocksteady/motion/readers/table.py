"""Tables of numbers (CSV, TXT): one or more columns of accelerations, with or without time.

Columns are separated by commas, semicolons, tabs or blanks; the decimal sign is a point or a comma
(see `rocksteady.text_tables`). There may be comments above them (after ``#``, ``%``, ``!`` or
``//``) and a few lines of words: names of the columns (``time [s]``, ``a [g]``, ``vertical
(m/s2)``), ``dt = 0.01``, ``units: g``. Times may be dates and times of day, as written by loggers.

One acceleration column gives one motion; one and a vertical one (vertical, ud, z, up) a motion
with both, and so do ``a_h`` and ``a_t``, with or without a vertical one; any others give one motion
each. Columns without names that are one series, broken into rows, give one motion.
"""

import re

import numpy as np

from rocksteady.motion.kept import kept_in, without_kept
from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.clock import Clocked, is_clocked, with_seconds
from rocksteady.motion.readers.common.columns import (
    LONGEST,
    Column,
    columns_named,
    columns_unnamed,
    seconds_in,
)
from rocksteady.motion.readers.common.layout import COMMENT, Table, is_row, read_layout, uneven_row
from rocksteady.motion.readers.common.motions import motion
from rocksteady.motion.readers.common.options import (
    Options,
    missing,
    settled_dt,
    settled_unit,
    step_of,
)
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.units import stated_unit, unit_factor
from rocksteady.numbers import NUMBER
from rocksteady.numerics.types import Array

NAME = "table of numbers (CSV, TXT)"

_MOST_WORDS = 10  # lines of words above the numbers, comments aside; more is another format
_DT = re.compile(
    r"(?:\b(?:dt|delta[ _]?t|time[ _]?step|sampl(?:e|ing) interval|zeitschritt|abtastintervall|"
    r"(?:passo|intervallo)(?: temporale| di campionamento)?|pas (?:de temps|d.[eé]chantillonnage)|"
    r"(?:paso|intervalo)(?: de (?:tiempo|muestreo))?|[oö]rnekleme aral[iı][gğ][iı])|Δ ?t)"
    rf"\s*(?:[\[(]\s*(\w+)\s*[\])])?\s*[=:,;]\s*(\d+,\d+|{NUMBER})\s*(\w*)",
    re.I,
)
_RATE = re.compile(
    r"\b(?:sampl(?:e|ing) (?:rate|frequency)|abtast(?:rate|frequenz)|frequenza di campionamento|"
    r"fr[eé]quence d.[eé]chantillonnage|frecuencia de muestreo|[oö]rnekleme frekans[iı])"
    rf"\s*(?:[\[(]\s*(\w+)\s*[\])])?\s*[=:,;]\s*(\d+,\d+|{NUMBER})\s*(\w*)",
    re.I,
)
OWN_HORIZONTALS = ("a_h", "a_t")  # what `write_motion` calls the columns of both horizontals
_NUMBERS = ("n", "no", "nr", "i")  # what a column of numbers of rows may be called
_LISTED = 12  # columns in a message
_UNIFORM = 1e-3  # how much a step of the time column may differ from the others, in steps


def sniff(source: Source) -> bool:
    """A row of numbers after a few lines of words at most."""
    head = source.head
    if "\0" in head:
        return False
    words = 0
    for line in head.split("\n"):
        if is_row(line) or is_clocked(line):
            return True
        words += bool(line.strip()) and not line.lstrip().startswith(COMMENT)
        if words > _MOST_WORDS:
            return False
    return False


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The motions in the table, by column; the component asked for may be any column."""
    clocked = with_seconds(source)
    table = read_layout(clocked.source, options.decimal)
    kept = kept_in(table.header)
    table = table._replace(header=without_kept(table.header))
    columns = _columns(table, clocked)
    horizontal = [c for c in columns if c.role == "horizontal"]
    vertical = [c for c in columns if c.role == "vertical"]
    dt, line = _stated_dt(table.header)
    if dt is not None or options.dt is not None:
        dt = settled_dt(source, dt, options, line)
    if _is_one_series(table, columns, options.component, source):
        return _one_series(source, table, dt, options)
    whole = _whole(horizontal, vertical)
    component = options.component
    for role, column in (whole or {"accel": (horizontal or vertical or columns)[0]}).items():
        known = str(kept.get("component" if role == "accel" else f"{role}_component"))
        if options.component is not None and options.component.casefold() == known.casefold():
            component = column.name
    hint = ""
    if not columns[0].named and columns[0].role == "unknown" and table.order() == "unclear":
        hint = f" A series with {len(columns)} numbers to a row must be written into one column."
    wanted = _wanted(columns, component, source, hint)
    if whole and component is None:
        wanted = [whole["accel"]]
    others = {role: c for role, c in whole.items() if wanted == [whole["accel"]] and c != wanted[0]}
    parts = [*wanted, *others.values()]
    stated = {column: column.unit or stated_unit("\n".join(table.header)) for column in parts}
    timed = dt is not None or any(column.role == "time" for column in columns)
    if not timed:
        raise missing(source, dt=True, unit=options.unit is None and None in stated.values())
    units = {c: settled_unit(source, stated[c], options, f"column {c}") for c in parts}
    motions = {}
    for column in wanted:
        step = _time_step(table, columns, column, dt, source)
        meta = {"component": column.name, "azimuth": None, "unit": units[column]}
        meta |= {"direction": "up"} if column.role == "vertical" else {}
        meta |= {"start_time": clocked.start} if clocked.start else {}
        if len(wanted) == 1 and (not whole or column == whole["accel"]):
            meta |= kept
        beside = {role: _in_si(table, other, units) for role, other in others.items()}
        accel = _in_si(table, column, units)
        called = options.component or str(meta["component"])
        motions[called] = motion(source, accel, step, meta, len(wanted) > 1, **beside)
    return motions


def _whole(horizontal: list[Column], vertical: list[Column]) -> dict[str, Column]:
    """The columns of one motion by its names for them, if the table holds one with several."""
    both = tuple(column.name for column in horizontal) == OWN_HORIZONTALS
    if len(vertical) > 1 or not (both or len(horizontal) == len(vertical) == 1):
        return {}
    roles = {"accel": horizontal[:1], "vertical": vertical, "transverse": horizontal[1:]}
    return {role: columns[0] for role, columns in roles.items() if columns}


def _in_si(table: Table, column: Column, units: dict[Column, str]) -> Array:
    values: Array = table.values[:, column.place] * unit_factor(units[column])
    return values


def _is_one_series(
    table: Table, columns: list[Column], component: str | None, source: Source
) -> bool:
    """Whether the rows are one series, broken into lines: columns without names, none of them
    time, and numbers that follow each other along the rows."""
    width = table.values.shape[1]
    if width == 1 or any(column.role != "unknown" or column.named for column in columns):
        if table.rest.size:
            raise uneven_row(source, table.rest.size, width, int(table.lines[-1]) + 1)
        return False
    order = table.order()
    if order == "rows" and component is not None:
        raise source.failure(
            f"its {table.series.size} numbers look like one series, {width} to a row, of which "
            f"{component!r} would be every {width}th: leave component out. If they are columns, "
            "name them in a header: time [s], a [g]."
        )
    return order == "rows"


def _one_series(
    source: Source, table: Table, dt: float | None, options: Options
) -> dict[str, Motion]:
    """The motion of numbers that continue from row to row."""
    stated = stated_unit("\n".join(table.header))
    width = table.values.shape[1]
    what = f"holds {table.series.size} numbers that look like one series, {width} to a row; "
    no_unit = stated is None and options.unit is None
    if dt is None or no_unit:
        raise missing(source, dt is None, no_unit, before=what)
    unit = settled_unit(source, stated, options)
    meta = {"unit": unit, "layout": f"one series, {width} numbers to a row"}
    accel = table.series * unit_factor(unit)
    return {source.path.stem: motion(source, accel, dt, meta)}


def _columns(table: Table, clocked: Clocked) -> list[Column]:
    count = table.values.shape[1]
    increases = bool((np.diff(table.values[:, 0]) > 0).all())
    named = columns_named(table.header, count, table.separator)
    columns = named or columns_unnamed(count, increases)
    for column in named or ():
        if column.place == clocked.times:
            columns[column.place] = column._replace(role="time", unit=None)
        elif column.place == clocked.dates or _counts(table, column):
            columns[column.place] = column._replace(role="counter")
    return columns


def _counts(table: Table, column: Column) -> bool:
    """Whether a column only numbers the rows: 1, 2, 3 and so on."""
    numbers = column.role == "unknown" or column.name.casefold().strip(".") in _NUMBERS
    if not numbers or column.unit is not None or len(table.values) < 3:
        return False
    values = table.values[:, column.place]
    return values[0] in (0, 1) and bool((np.diff(values) == 1).all())


def _wanted(
    columns: list[Column], component: str | None, source: Source, hint: str
) -> list[Column]:
    """The columns to use: the one asked for, or all accelerations."""
    listed = ", ".join(map(str, columns[:_LISTED]))
    listed += f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
    if component is not None:
        for column in columns:
            if column.name.casefold() == component.casefold() and column.role not in (
                "time",
                "counter",
            ):
                return [column]
        raise source.failure(f"has no acceleration column {component!r}: it has {listed}.")
    unknown = [column for column in columns if column.role == "unknown"]
    accelerations = [column for column in columns if column.role in ("horizontal", "vertical")]
    if not accelerations:
        unknown += [column for column in columns if column.role == "other"]
    if unknown or not accelerations:
        what = f"cannot tell what column {unknown[0]} is" if unknown else "has no acceleration"
        example = (accelerations or unknown or columns)[0].name[:LONGEST]
        raise source.failure(
            f"{what}; the columns are {listed}. Choose the acceleration, component={example!r} for "
            f"example, or name the columns in a header: time [s], a [g].{hint}"
        )
    return accelerations


def _stated_dt(header: list[str]) -> tuple[float | None, int]:
    """The time step [s] in the words above the table, and its line."""
    for line, words in enumerate(header, start=1):
        plain = re.sub(r"\s+", " ", words)
        match = _DT.search(plain)
        if match:
            before, number, after = match.groups()
            step = float(number.replace(",", "."))
            return step * (seconds_in(before or after) or 1.0), line
        match = _RATE.search(plain)
        if match and (match[1] or match[3]).lower() == "hz":
            return step_of(float(match[2].replace(",", "."))), line
    return None, 0


def _time_step(
    table: Table, columns: list[Column], column: Column, dt: float | None, source: Source
) -> float:
    """The step [s] of the time column that ``column`` belongs to: the nearest one to its left."""
    times = [c for c in columns if c.role == "time"]
    if not times:
        assert dt is not None  # or the step would be missing
        return dt
    own = ([c for c in times if c.place < column.place] or times)[-1]
    t = table.values[:, own.place] * own.seconds
    if dt is not None:
        off = np.abs(t - t[0] - np.arange(t.size) * dt) >= dt / 2
        if off.any():
            i = int(np.argmax(off))
            raise source.failure(
                f"time {t[i]:g} s is not where dt = {dt:g} s puts it.", int(table.lines[i])
            )
        return dt
    steps = np.diff(t)
    step = float(np.median(steps)) if steps.size else 0.0
    if not step > 0:
        raise source.failure(f"the time column {own} does not increase.", int(table.lines[-1]))
    off = np.abs(steps - step) > _UNIFORM * step
    if off.any():
        i = int(np.argmax(off))
        raise source.failure(
            f"time goes from {t[i]:g} to {t[i + 1]:g} s where the step is {step:g} s elsewhere: "
            "resample the record to a uniform step. If the times are only rounded in print, say "
            f"dt={_meant_step(t):.8g} [s].",
            int(table.lines[i + 1]),
        )
    return float(f"{(t[-1] - t[0]) / (t.size - 1):.12g}")


def _meant_step(t: Array) -> float:
    """The step [s] that rounded times suggest: a whole number of samples a second, or the mean."""
    mean = float((t[-1] - t[0]) / (t.size - 1))
    if mean <= 0 or round(1 / mean) < 1:
        return mean
    whole = 1 / round(1 / mean)
    return whole if abs(whole - mean) * t.size < 0.4 * mean else mean
