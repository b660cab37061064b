"""The heart of a study on the screen: what becomes of each body at each strength."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.view.ensemble_table import FLAT, FLAT_MEANS, how_far, none_means, strength

COLUMNS = 8  # strengths side by side
WIDEST = 26  # characters of a name
ROWS = 12
_QUIET = "dim"


def has_grid(about: dict[str, Any]) -> bool:
    """Whether there is something to be read across: several bodies at several strengths, or one
    motion, under which a body leans or falls and has no share."""
    if "fallen_by_system" not in about:
        return False
    systems, motions, scales = (int(about[name]) for name in ("systems", "motions", "scales"))
    return (systems > 1 and scales > 1) or (motions == 1 and systems * scales > 1)


def print_grid(about: dict[str, Any], fallen: str, console: Console) -> None:
    """The share of motions that overturn each body at each scale; of one motion the peaks."""
    rows = about["fallen_by_system"]
    one, most = about["motions"] == 1, len(rows) > ROWS
    if most:
        rows = sorted(rows, key=lambda row: -row["share"])[:ROWS]
    scales = [row["scale"] for row in about["fallen_by_scale"]]
    every = -(-len(scales) // COLUMNS)
    shown = range(len(scales))[::-every][::-1]  # the last one always
    what = f"{fallen} [% of {about['motions']} motions]"
    if one:
        what = f"largest lean |θ|/α, or {fallen}"
        if fallen != "fallen":  # a building
            what = f"|u| over that at the first slip, or {fallen}"
    by = "scale" if about["pga_g"] is None else "PGA"
    worst = f": the {ROWS} worst" if most else ""
    title = Text(f"\n  {what}, by system and {by}{worst}", "bold")
    console.print(title, soft_wrap=True, end="")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), border_style=_QUIET, header_style="bold")
    table.add_column("system", no_wrap=True, max_width=WIDEST, overflow="ellipsis")
    for i in shown:
        table.add_column(strength(scales[i], about["pga_g"]), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(Text(str(row["system"])), *_cells(row, shown, fallen, one))
    if not one and not most and len(rows) > 1:
        means = [Text(f"{100 * about['fallen_by_scale'][i]['share']:.0f}", _QUIET) for i in shown]
        table.add_row(Text("all", _QUIET), *means)
    console.print(table)
    cells = [(row["by_scale"][i], row["peak_by_scale"][i]) for row in rows for i in shown]
    if any(peak == 0 for _, peak in cells):
        console.print(Text(f"  {FLAT}: {FLAT_MEANS}", _QUIET), soft_wrap=True)
    if not one and any(share == 0 and peak != 0 for share, peak in cells):
        console.print(Text(f"  {none_means(about['motions'])}", _QUIET), soft_wrap=True)


def _cells(row: dict[str, Any], shown: Sequence[int], fallen: str, one: bool) -> list[Text]:
    cells = []
    for i in shown:
        share, peak = row["by_scale"][i], row["peak_by_scale"][i]
        if peak == 0:
            cells.append(Text(FLAT, _QUIET))
        elif not one:
            cells.append(Text(f"{100 * share:.0f}"))
        else:
            cells.append(Text(fallen, "bold red") if share else Text(how_far(peak)))
    return cells
