"""ESM and ITACA files in DYNA ASCII (.ASC): 64 lines ``KEY: value``, then one number per line."""

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import band, header_number, number_in, require_all

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
    return {component: measured(source, found, dt, unit, options, facts, quantity=kind)}


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
