"""Taiwan's network (CWA, formerly CWB): ``#Key(unit): value``, then rows of time and components.

``#AmplitudeUnit`` states the unit, ``#DataSequence: Time U(+); N(+); E(+)`` the columns, and
``#AmplitudeMAX. U: 0.658~ -0.837`` the extremes. The lines about the earthquake may be missing, as
in files of the free-field stations. The key of a time states its zone (``#StartTime(GMT+08)``); if
it does not, as in files of the free-field stations, it is UTC. Without ``#SampleRate`` the step
comes from the column of times.
"""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.options import Options, settled_dt, step_of
from rocksteady.motion.readers.common.rows import Rows, require_times, rows, rows_begin
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import iso_time, number_in

NAME = "CWA"

_MOST_LINES = 60
_COLUMN = re.compile(r"([A-Za-z]+)\d?[ \t]*(?:\(([-+])\))?")
_TIME = "%Y/%m/%d-%H:%M:%S"
_CLOCKS = ("time", "t")  # what the column of times is called


class _Header(NamedTuple):
    values: Mapping[str, str]  # by key, in small letters
    lines: Mapping[str, int]
    hours: float  # ahead of UTC


def sniff(source: Source) -> bool:
    """The station's line and that of the columns, as comments."""
    head = source.head
    return head.lstrip().startswith("#") and all(
        re.search(rf"^#[ \t]*{key}\b", head, re.M | re.I) for key in ("StationCode", "DataSequence")
    )


def read(source: Source, options: Options) -> dict[str, Motion]:
    """One motion for each column but the time: U, N, E."""
    header = _header(source)
    columns = _COLUMN.findall(header.values["datasequence"])
    names = [name for name, _ in columns]
    table = _table(source, header, len(columns))
    clock = next((i for i, name in enumerate(names) if name.casefold() in _CLOCKS), None)
    step = _step(header, table, clock)
    dt = settled_dt(source, step, options, header.lines.get("samplerate", 0))
    if clock is not None:
        require_times(source, table, clock, dt)
    motions = {}
    for place, (name, sign) in enumerate(columns):
        if place == clock or name in motions:
            continue
        values = table.values[:, place] * (-1.0 if sign == "-" else 1.0)
        facts, peak = {**_facts(header), "component": name}, _peak(header, name)
        motions[name] = measured(
            source, values, dt, _unit(header), options, facts, peak=peak, several=True
        )
    if not motions:
        line = header.lines["datasequence"]
        raise source.failure("no components are named in '#DataSequence'.", line)
    return motions


def _header(source: Source) -> _Header:
    """The values by their keys, the component's letter included."""
    values, lines, hours = dict[str, str](), dict[str, int](), 0.0
    for number, line in enumerate(source.header(1, _MOST_LINES), start=1):
        words, colon, value = line.partition(":")
        if not (colon and words.startswith("#")):
            continue
        key = " ".join(re.sub(r"\([^)]*\)", " ", words[1:]).split()).casefold()
        if key not in values:
            values[key], lines[key] = value.strip(), number
        zone = re.search(r"\((?:GMT|UTC?)([-+]\d{1,2})?\)", words, re.I)
        if zone:
            hours = float(zone[1] or 0)
    if "datasequence" not in values:
        raise source.failure("has no line '#DataSequence: Time U(+); N(+); E(+)'.")
    return _Header(values, lines, hours)


def _table(source: Source, header: _Header, columns: int) -> Rows:
    first = rows_begin(source, header.lines["datasequence"] + 1, _MOST_LINES)
    layout = re.search(r"(\d+)F(\d+)\.", header.values.get("data", ""))
    width = int(layout[2]) if layout and int(layout[1]) == columns else 0
    table = rows(source, first, columns, width=width if width < 100 else 0)
    length, rate = (header.values.get(key, "") for key in ("recordlength", "samplerate"))
    seconds, per_second = number_in(length), number_in(rate)
    if seconds and per_second:
        # The length is rounded to its last digit.
        decimals = len(length.partition(".")[2].split()[0]) if "." in length else 0
        declared, slack = seconds * per_second, 0.5 * 10.0**-decimals * per_second + 1
        if not abs(declared - len(table.values)) <= slack:
            stated = f"{length} s of {rate} Hz, that is {declared:.0f} samples"
            line = header.lines["recordlength"]
            raise source.cut(stated, str(len(table.values)), line)
    return table


def _step(header: _Header, table: Rows, clock: int | None) -> float | None:
    """The time step [s] from the rate or, if there is none, from the column of times."""
    rate = number_in(header.values.get("samplerate"))
    if rate is not None:
        return step_of(rate)
    if clock is None or len(table.values) < 2:
        return None
    times = table.values[:, clock]
    mean = float((times[-1] - times[0]) / (len(times) - 1))
    whole = step_of(round(1 / mean)) if 0 < mean < 1 else math.nan
    # Printed to a millisecond, 1/128 s is 0.008.
    return whole if abs(whole - mean) * len(times) < mean / 2 else float(f"{mean:.12g}")


def _unit(header: _Header) -> str | None:
    """``gal`` of "gal. DCoffset(corr)"."""
    words = re.split(r"DC|[;,(]", header.values.get("amplitudeunit", ""), flags=re.I)[0]
    return words.strip(" .") or None


def _peak(header: _Header, name: str) -> Peak | None:
    """The larger of the extremes in a header's line."""
    key = next((k for k in header.values if re.fullmatch(rf"amplitudemax\.? {name}", k, re.I)), "")
    found = re.findall(r"[-+]?\d*\.?\d+", header.values.get(key, ""))
    largest = max(found, key=lambda text: abs(float(text)), default="")
    return Peak(largest, "", header.lines[key]) if found else None


def _facts(header: _Header) -> dict[str, object]:
    value = header.values.get
    return {
        "origin_time": iso_time(value("origin time"), _TIME, header.hours),
        "magnitude": number_in(value("magnitude")),
        "network": NAME,
        "station": value("stationcode"),
        "station_name": value("stationname"),
        "instrument": value("instrumentkind"),
        "start_time": iso_time(value("starttime"), _TIME, header.hours),
        "processing": "DC offset taken out" if "corr" in (value("amplitudeunit") or "") else None,
    }
