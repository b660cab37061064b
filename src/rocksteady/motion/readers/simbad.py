"""SIMBAD and older ITACA files (.cor.acc): nine lines ``Key : value``, a title, then 5E14.7."""

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import Peak, ask_about_step
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.numbers import numbers
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import header_number, number_in, require_all

NAME = "ITACA/SIMBAD cor.acc"

_DT, _NPTS = "Time Increment (s)", "Number of Data"
_WIDTH = 14  # characters of a number; negative ones touch
_MOST_LINES = 30  # of header
# "Accelaration" is how the files spell it.
_TITLE = re.compile(r"\s*(accel\w*|velocity|displacement)\s+time\s+series\s+in\s+(\S+)", re.I)


def sniff(source: Source) -> bool:
    """The time step and the number of data, as this format words them."""
    return f"\n{_DT}" in source.head and f"\n{_NPTS}" in source.head


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion, under its orientation (NS, WE, UP)."""
    header: dict[str, str] = {}
    places: dict[str, int] = {}
    for line, text in enumerate(source.header(1, _MOST_LINES), start=1):
        title = _TITLE.match(text)
        if title:
            break
        key, colon, value = text.partition(":")
        if colon:
            header[key.strip()], places[key.strip()] = value.strip(), line
    else:
        raise source.failure("has no line 'Acceleration time series in ...' above its numbers.")
    dt = settled_dt(source, header_number(source, header, places, _DT), options, places[_DT])
    cut_off = header.get("Filter Cut-off Frequency (Hz)")
    highest = number_in(cut_off.rpartition(" - ")[2]) if cut_off else None
    ask_about_step(source, dt, options, places[_DT], highest=highest, usual=True)
    npts = header_number(source, header, places, _NPTS)
    found = numbers(source, source.start_of(line + 1), width=_WIDTH).values
    require_all(source, npts, found.size, places[_NPTS])
    quantity = "acceleration" if title[1].lower().startswith("accel") else title[1].lower()
    component = header.get("Orientation") or source.path.stem
    code, _, name = header.get("Station Code / Name", "").partition(" / ")
    facts = {
        "origin_time": header.get("Event Date & Time"),
        "network": header.get("Network"),
        "station": code.strip(),
        "station_name": name.strip(),
        "component": component,
        "filter": cut_off and f"{cut_off} Hz",
        "processing": header.get("Processing Info"),
    }
    stated = next((key for key in header if re.match(r"PGA\b", key)), "")
    peak = Peak(header[stated], _unit_of(stated), places[stated]) if stated else None
    made = measured(source, found, dt, title[2], options, facts, quantity=quantity, peak=peak)
    return {component: made}


def _unit_of(key: str) -> str:
    """``m/s/s`` of "PGA (m/s/s)"."""
    return key.partition("(")[2].partition(")")[0].strip()
