"""ESM and ITACA files in DYNA ASCII (.ASC): 64 lines ``KEY: value``, then one number per line."""

import re

import numpy as np

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import (
    Peak,
    ask_about_step,
    require_duration,
    require_time_of,
)
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import band, header_number, number_in, require_all
from rocksteady.numerics.types import Array

NAME = "ESM/ITACA DYNA ASCII"

_KEY = re.compile(r"([A-Z][A-Z0-9_/^]*):(.*)")
_MOST_LINES = 100  # of header; DYNA 1.2 has 64


def sniff(source: Source) -> bool:
    """The first key of DYNA's header, and its time step."""
    return source.head.startswith("EVENT_NAME:") and "\nSAMPLING_INTERVAL_S:" in source.head


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under the name of its stream (HNE, ...)."""
    header, lines = _header(source)
    stated = header_number(source, header, lines, "SAMPLING_INTERVAL_S")
    dt = settled_dt(source, stated, options, lines["SAMPLING_INTERVAL_S"])
    npts = header_number(source, header, lines, "NDATA")
    found = numbers(source, source.start_of(len(lines) + 1)).values
    require_all(source, npts, found.size, lines["NDATA"])
    _require_one_step(source, header, lines, found, dt, options)
    kind = header.get("DATA_TYPE", "").strip().lower() or "acceleration"
    if kind not in ("acceleration", "velocity", "displacement"):
        raise source.failure(f"holds {kind!r}, not an acceleration.", lines["DATA_TYPE"])
    unit = header.get("UNITS") or None
    component = header.get("STREAM") or header.get("COMPONENT") or source.path.stem
    facts = {
        "event": header.get("EVENT_NAME"),
        "event_id": header.get("EVENT_ID"),
        "origin_time": _joined(header, "EVENT_DATE_YYYYMMDD", "EVENT_TIME_HHMMSS"),
        "magnitude": number_in(header.get("MAGNITUDE_W")) or number_in(header.get("MAGNITUDE_L")),
        "network": header.get("NETWORK"),
        "station": header.get("STATION_CODE"),
        "station_name": header.get("STATION_NAME"),
        "component": component,
        "start_time": header.get("DATE_TIME_FIRST_SAMPLE_YYYYMMDD_HHMMSS"),
        "filter": _filter(header),
        "processing": header.get("PROCESSING"),
    }
    key = next((key for key in header if key.startswith("PGA_")), "")
    peak = Peak(header[key], key[4:].lower(), lines[key]) if key else None
    made = measured(source, found, dt, unit, options, facts, quantity=kind, peak=peak)
    return {component: made}


def _require_one_step(
    source: Source,
    header: dict[str, str],
    lines: dict[str, int],
    values: Array,
    dt: float,
    options: Options,
) -> None:
    """An error unless the duration, the time of the peak and the filter fit the step."""
    value, place = header.get, lines.get
    require_duration(source, value("DURATION_S"), values.size, dt, options, place("DURATION_S", 0))
    time = number_in(value("TIME_PGA_S"))
    largest = float(np.abs(values).max()) if values.size else 0.0
    require_time_of(source, values, dt, largest, time, options, place("TIME_PGA_S", 0))
    highest = number_in(value("HIGH_CUT_FREQUENCY_HZ"))
    line = lines["SAMPLING_INTERVAL_S"]
    ask_about_step(source, dt, options, line, highest=highest, usual=not value("DURATION_S"))


def _header(source: Source) -> tuple[dict[str, str], dict[str, int]]:
    """The values and the lines of the keys above the numbers."""
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in enumerate(source.header(1, _MOST_LINES), start=1):
        match = _KEY.match(line)
        if not match:
            break
        key = match[1] if match[1] not in lines else f"{match[1]} {number}"
        values[key], lines[key] = match[2].strip(), number
    return values, lines


def _joined(header: dict[str, str], *keys: str) -> str:
    return " ".join(header[key] for key in keys if header.get(key))


def _filter(header: dict[str, str]) -> str | None:
    low, high = (number_in(header.get(f"{end}_CUT_FREQUENCY_HZ")) for end in ("LOW", "HIGH"))
    passed = band(low, high)
    if passed is None:
        return None
    order = header.get("FILTER_ORDER")
    kind = header.get("FILTER_TYPE", "").capitalize()
    return " ".join(filter(None, (kind, order and f"of order {order},", passed)))
