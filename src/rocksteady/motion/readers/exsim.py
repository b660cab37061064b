"""Output of EXSIM, which simulates accelerograms of finite faults: rows of time and acceleration.

Lines of words such as ``65536 samples``, ``dt:  0.002 sec`` and ``maximum absolute acceleration:
353.45`` come before ``time(s) acc(cm/s**2)`` and the rows.
"""

import re

from rocksteady.motion.motion import Motion
from rocksteady.motion.readers.common.agreement import peak_in, require_same_step, rounding
from rocksteady.motion.readers.common.motions import measured
from rocksteady.motion.readers.common.options import Options, settled_dt
from rocksteady.motion.readers.common.rows import Rows, require_times, rows, rows_begin
from rocksteady.motion.readers.common.source import Source
from rocksteady.motion.readers.common.words import found_in, number_in
from rocksteady.numbers import NUMBER

NAME = "EXSIM"

_MOST_LINES = 60
_COLUMNS = re.compile(r"^ *time ?\( ?s\w* ?\) +acc\w* ?\( ?([^)\s]+) ?\) *$", re.M | re.I)
_PEAK = re.compile(r"^ *maximum absolute acc\w* *[:=] *(?P<value>[-+.\dE]+)", re.I)


def sniff(source: Source) -> bool:
    """The line of the columns, below the words that EXSIM writes."""
    begin = source.content[:4000].lower()
    if b"acceleration time series" not in begin and b"exsim" not in begin:
        return False
    return _COLUMNS.search(source.head[:4000]) is not None


def read(source: Source, options: Options) -> dict[str, Motion]:
    """The file's one motion: a horizontal component."""
    text = "\n".join(source.header(1, _MOST_LINES))
    columns = _COLUMNS.search(text)
    if columns is None:
        raise source.failure("has no line 'time(s) acc(cm/s**2)' above its numbers.")
    line = 1 + text.count("\n", 0, columns.end())
    first = rows_begin(source, line + 1, _MOST_LINES)
    count = found_in(text, r"^ *(\d{1,9}) +samples\b", re.M | re.I)
    table = rows(source, first, 2, int(count) if count else None)
    dt = settled_dt(source, _step(source, text, table, options), options, line)
    require_times(source, table, 0, dt)
    facts = {
        "magnitude": number_in(found_in(text, r"^ *Mag\.? *=(.*)$", re.M | re.I)),
        "station": found_in(text, r"\bSite *# *(\d+)", re.I),
        "trial": found_in(text, r"\btrial *#? *(\d+)", re.I),
        "component": "horizontal",
        "note": table.note,
    }
    values, peak = table.values[:, 1].copy(), peak_in(text.split("\n"), _PEAK)
    return {"horizontal": measured(source, values, dt, columns[1], options, facts, peak=peak)}


def _step(source: Source, text: str, table: Rows, options: Options) -> float | None:
    """The time step [s] in the words, or that of the times, which have more digits."""
    line, printed = _printed_step(text)
    stated, times = number_in(printed), table.values[:, 0]
    if len(times) < 2:
        return stated
    mean = float(f"{(times[-1] - times[0]) / (len(times) - 1):.6g}")
    if stated and abs(stated - mean) * (len(times) - 1) < stated / 2:
        return stated
    if stated and abs(stated - mean) > rounding(printed):
        require_same_step(source, mean, stated, options, line)
    return mean


def _printed_step(text: str) -> tuple[int, str]:
    """The line and the number of ``dt:  0.002 sec``; 0 and nothing if there is none."""
    for number, words in enumerate(text.split("\n"), start=1):
        match = re.match(rf" *dt *[:=] *({NUMBER})", words, re.I)
        if match:
            return number, match[1]
    return 0, ""
