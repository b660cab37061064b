"""The heart of a study on the screen: what becomes of each body at each strength."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.analysis.shares.table import FLAT, FLAT_MEANS, UNKNOWN, how_far, none_means
from rocksteady.cli.common.output import headed_table
from rocksteady.ensembles.labels import naming_of, strength
from rocksteady.ensembles.progress import spaced

COLUMNS = 8  # strengths side by side
LINES = 3  # rows of such columns
WIDEST = 26  # characters of a name
ROWS = 12
_GAP = 3  # characters between two columns


def has_grid(about: dict[str, Any]) -> bool:
    """Whether there is something to be read across: several bodies at several strengths, or one
    motion, under which a body leans or falls and has no share."""
    if "fallen_by_system" not in about:
        return False
    systems, motions, scales = (int(about[name]) for name in ("systems", "motions", "scales"))
    return (systems > 1 and scales > 1) or (motions == 1 and systems * scales > 1)


def peak_in_words(about: dict[str, Any]) -> str:
    """What a peak is: "|θ|/α", or of stones "|d| [m]"."""
    from rocksteady.bodies import SYSTEMS

    kind = SYSTEMS.named(about["system_type"])
    if kind.rocks or not kind.coordinate.over:
        return str(kind.coordinate.size)
    return "|u| over that at the first slip"


def print_grid(about: dict[str, Any], fallen: str, console: Console) -> bool:
    """The share of motions that overturn each body at each scale, or the peaks if there is only one
    motion. Strengths that do not fit side by side follow below. Returns whether all are shown."""
    rows = about["fallen_by_system"]
    one, most = about["motions"] == 1, len(rows) > ROWS
    if most:
        rows = sorted(rows, key=lambda row: -(row["share"] or 0))[:ROWS]
    scales = [row["scale"] for row in about["fallen_by_scale"]]
    name = naming_of(about)
    labels = [strength(scale, name) for scale in scales]
    names = min(WIDEST, max(len(str(row["system"])) for row in rows))
    cell = len(fallen) if one else len(FLAT)
    room = console.width - names - 2 * _GAP
    lines = in_lines([max(len(label), cell) for label in labels], room)
    what = f"{fallen} [% of {about['motions']} motions]"
    if one:
        what = f"largest lean |θ|/α, or {fallen}"
        if fallen != "fallen":  # a building or stones
            what = f"{peak_in_words(about)}, or {fallen}"
    by = "scale" if name is None else name.measure.short
    worst = f": the {ROWS} worst" if most else ""
    title = Text(f"\n  {what}, by system and {by}{worst}", "bold")
    console.print(title, soft_wrap=True, end="")
    for shown in lines:
        console.print(_table(about, rows, shown, labels, fallen))
    every = [i for shown in lines for i in shown]
    notes = _notes(about, rows, every, one)
    if len(every) < len(scales):
        notes.append(
            f"{len(every)} of {spaced(len(scales))} strengths are shown; --out FILE.csv and --json "
            "have all."
        )
    for note in notes:
        console.print(Text(f"  {note}", "dim"), soft_wrap=True)
    return len(every) == len(scales)


def _table(
    about: dict[str, Any],
    rows: list[dict[str, Any]],
    shown: Sequence[int],
    labels: list[str],
    fallen: str,
) -> Table:
    """The bodies at some of the strengths."""
    one = about["motions"] == 1
    table = headed_table(["system"], [labels[i] for i in shown])
    table.columns[0].max_width, table.columns[0].overflow = WIDEST, "ellipsis"
    for row in rows:
        table.add_row(Text(str(row["system"])), *_cells(row, shown, fallen, one))
    if not one and about["systems"] > 1:
        means = [Text(_percent(about["fallen_by_scale"][i]["share"]), "dim") for i in shown]
        every = "all" if len(rows) == about["systems"] else f"all {spaced(about['systems'])}"
        table.add_row(Text(every, "dim"), *means)
    return table


def in_lines(widths: list[int], room: int) -> list[list[int]]:
    """Which columns to print in each of a few rows of similar length. If even these do not fit,
    some columns are left out evenly, never the last one."""
    for each in range(COLUMNS, 0, -1):
        every = -(-len(widths) // (each * LINES))
        shown = list(range(len(widths))[::-every][::-1])
        count = -(-len(shown) // each)
        even = -(-len(shown) // count)
        lines = [shown[i : i + even] for i in range(0, len(shown), even)]
        if max(sum(widths[i] + _GAP for i in line) for line in lines) <= room:
            break
    return lines


def _notes(
    about: dict[str, Any], rows: list[dict[str, Any]], shown: Sequence[int], one: bool
) -> list[str]:
    """What the words and numbers of the grid mean."""
    names = ("by_scale", "peak_by_scale", "failed_by_scale")
    cells = [tuple(row[name][i] for name in names) for row in rows for i in shown]
    notes = [f"{FLAT}: {FLAT_MEANS}"] if any(peak == 0 for _, peak, _ in cells) else []
    none_fell = [about["motions"] - failed for share, peak, failed in cells if share == 0 != peak]
    if none_fell and not one:
        fewest = min(none_fell)
        notes.append(none_means(fewest, at_least=fewest < max(none_fell)))
    if about["failed"]:
        note = f"{spaced(about['failed'])} of {spaced(about['runs'])} runs have no answer"
        notes.append(f"{note}." if one else f"{note}: shares are of the others.")
    return notes


def _cells(row: dict[str, Any], shown: Sequence[int], fallen: str, one: bool) -> list[Text]:
    cells = []
    for i in shown:
        share, peak = row["by_scale"][i], row["peak_by_scale"][i]
        if peak == 0:
            cells.append(Text(FLAT, "dim"))
        elif not one:
            cells.append(Text(_percent(share)))
        else:
            cells.append(Text(fallen, "bold red") if share else Text(how_far(peak)))
    return cells


def _percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{100 * share:.0f}"
