"""Stack, frame and wall as tables."""

from __future__ import annotations

from benchmarks.peers.assemblies.runs import Error, Outcome
from benchmarks.peers.roster import Absent
from benchmarks.peers.tables import NONE, WORDS, Sheet, number, seconds

COLUMNS = (
    "stack: drift, m",
    "time",
    "frame: error, α",
    "time ",
    "wall: drift, m",
    "time  ",
)  # the same heading, three times, but a table needs them apart


def sheet(outcomes: list[Outcome]) -> Sheet:
    """A row per peer and setting."""
    rows = []
    for one in outcomes:
        cells: list[str] = []
        for problem in ("stack", "frame", "wall"):
            cells += _cells(one.found.get(problem, NONE))
        rows.append((one.name, one.setting.name, *cells))
    return Sheet("Stones: a stack, a frame and a wall", ("peer", "setting", *COLUMNS), rows)


def _cells(found: Error | str) -> tuple[str, str]:
    if isinstance(found, str):  # it took too long, or it stopped
        return NONE, found
    error = found.drift if found.turn is None else found.turn
    part = "" if found.shortened is None else f" for {found.shortened:g} s"
    return number(error), seconds(found.seconds) + part


def words(outcomes: list[Outcome], absent: list[Absent], machine: str) -> dict[str, str]:
    """What goes between the markers of the page."""
    missing = "".join(f"\n- {one.name}: {one.reason}" for one in absent)
    rows = [(one.name, one.version, one.setting.name, one.setting.words) for one in outcomes]
    return {
        "stones": sheet(outcomes).markdown(),
        "stones-settings": Sheet("Versions and settings", WORDS, rows).markdown(),
        "stones-machine": f"{machine}\n\nNot there:\n{missing}" if missing else machine,
    }
