"""What `rocksteady masonry` prints: summaries as dictionaries, and as tables for people."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from rocksteady.bodies.units import WRITTEN
from rocksteady.cli.common.output import box_table, headed_table, out, print_files

if TYPE_CHECKING:
    from rocksteady.analysis.identification.identification import Identification
    from rocksteady.analysis.portfolio.assess import PortfolioResult
    from rocksteady.analysis.pushover import PushoverResponse

Summary = dict[str, Any]
WORST = 5  # buildings that are listed by name


# -- identification --------------------------------------------------------------------------------


def of_identification(found: Identification, mass: float | None, files: list[Path]) -> Summary:
    return {
        "points": len(found.force),
        "contact_area": found.contact_area,
        "mass": mass,
        "noise": found.noise,
        "parameters": {
            name: {
                "value": found.values[name],
                "low": found.intervals[name][0],
                "high": found.intervals[name][1],
                "unit": WRITTEN.get(name, ""),
                "fixed": name in found.fixed,
            }
            for name in found.values
        },
        "undetermined": list(found.undetermined),
        "correlation": {
            a: dict(zip(found.free, row, strict=True))
            for a, row in zip(found.free, found.correlation.tolist(), strict=True)
        },
        "findings": list(found.findings),
        "files": [str(path) for path in files],
    }


def print_identification(about: Summary) -> None:
    console = out()
    table = headed_table(["parameter"], ("value", "95 % low", "high"), pad_edge=False)
    table.add_column("unit", no_wrap=True)
    for name, row in about["parameters"].items():
        cells: tuple[str, ...]
        if math.isnan(row["value"]):
            cells = ("undetermined", f"{row['low']:.4g}" if row["low"] else "–", "–")
        elif row["fixed"]:
            cells = (f"{row['value']:.5g}", "given", "")
        else:
            cells = tuple(f"{row[key]:.5g}" for key in ("value", "low", "high"))
        table.add_row(name, *cells, Text(row["unit"]))
    table.add_row("contact_area", f"{about['contact_area']:.5g}", "given", "", Text("m²"))
    if about["mass"] is not None:
        table.add_row("mass", f"{about['mass']:.5g}", "", "", Text("kg"))
    console.print(table)
    console.print(f"Scatter about the fit {about['noise'] / 1e3:.3g} kN, {about['points']} points.")
    for sentence in about["findings"]:
        console.print(Text.assemble(("• ", "yellow"), sentence))
    print_files(about["files"], console)


# -- pushover --------------------------------------------------------------------------------------


def of_pushover(response: PushoverResponse, files: list[Path]) -> Summary:
    return {
        "building": response.building.label,
        "elastic_force": response.building.elastic_force,
        "elastic_displacement": response.building.elastic_displacement,
        "peak_force": response.peak_force,
        "displacement_at_peak": response.displacement_at_peak,
        "wear": float(response.wear[-1]),
        "hardening": float(response.hardening[-1]),
        "slip": float(response.slip[-1]),
        "work": float(response.work[-1]),
        "dissipated": float(response.dissipated[-1]),
        "collapse": response.collapse,
        "files": [str(path) for path in files],
    }


def print_pushover(about: Summary) -> None:
    kN, mm, kJ = 1e3, 1e-3, 1e3
    console, table = out(), box_table()
    table.add_row("Pushover", about["building"])
    force, slip = about["elastic_force"] / kN, about["elastic_displacement"] / mm
    table.add_row("first slips at", f"{force:.4g} kN, {slip:.4g} mm")
    force, there = about["peak_force"] / kN, about["displacement_at_peak"] / mm
    table.add_row("peak", f"{force:.5g} kN at {there:.4g} mm")
    table.add_row("wear at the end", f"{about['wear']:.4g}")
    work, lost = about["work"] / kJ, about["dissipated"] / kJ
    table.add_row("work, lost", f"{work:.4g} kJ, {lost:.4g} kJ")
    if about["collapse"] is not None:
        table.add_row("COLLAPSES at", f"{about['collapse'] / mm:.4g} mm")
    console.print(table)
    print_files(about["files"], console)


def write_pushover(response: PushoverResponse, path: Path) -> None:
    """A curve that ``rocksteady masonry identify`` reads, with what else is known along it."""
    import numpy as np

    from rocksteady.files import write_whole

    columns = {
        "displacement [m]": response.displacement,
        "force [N]": response.force,
        "slip [m]": response.slip,
        "hardening [m]": response.hardening,
        "wear [-]": response.wear,
        "mode [-]": response.mode,
        "work [J]": response.work,
        "dissipated [J]": response.dissipated,
    }
    table = np.stack(list(columns.values()), axis=1)
    lines = [",".join(columns), *(",".join(f"{x:.10g}" for x in row) for row in table.tolist())]
    write_whole(path, "\n".join(lines) + "\n")


# -- portfolio -------------------------------------------------------------------------------------


def of_portfolio(result: PortfolioResult, files: list[Path]) -> Summary:
    return {
        "buildings": len(result.table) // len(result.scenarios),
        "scenarios": list(result.scenarios),
        "states": list(result.states.names),
        "limits": {"wear": list(result.states.wear), "drift": list(result.states.drift)},
        "districts": result.summary().to_dict(orient="records"),
        "worst": {name: _worst(result, name) for name in result.scenarios},
        "files": [str(path) for path in files],
    }


def _worst(result: PortfolioResult, scenario: str) -> list[dict[str, Any]]:
    """The buildings with the most damage, by name."""
    rows = result.of(scenario)
    hurt = rows[rows["damage_state"] > 0]
    order = ["damage_state", "drift [-]", "wear [-]"]
    first = hurt.sort_values(order, ascending=False, kind="stable").head(WORST)
    called = "name" if "name" in rows else "id"
    return [
        {
            "building": row[called],
            "district": row["district"],
            "damage": row["damage"],
            "wear": row["wear [-]"],
            "drift": row["drift [-]"],
        }
        for row in first.to_dict(orient="records")
    ]


def print_portfolio(about: Summary) -> None:
    console = out()
    for scenario in about["scenarios"]:
        rows = [row for row in about["districts"] if row["scenario"] == scenario]
        names = ["buildings", *about["states"], "collapsed"]
        if any(row["failed"] for row in rows):
            names.append("failed")
        console.print(Text(scenario, "bold"))
        table = _districts(rows, names)
        if console.least_width(table) <= console.width:
            console.print(table)
        else:
            _print_districts(rows, names, console)
        for i, row in enumerate(about["worst"][scenario]):
            head = "worst" if i == 0 else ""
            far = f"wear {row['wear']:.2g}, drift {100 * row['drift']:.2g} %"
            line = f"{head:5s}  {row['building']} ({row['district']}): {row['damage']}, {far}"
            console.print(Text(line), soft_wrap=True)
    print_files(about["files"], console)


def _districts(rows: list[Summary], names: list[str]) -> Table:
    """How many buildings of each district are in each state."""
    table = headed_table([], pad_edge=False, padding=(0, 1, 0, 0), show_footer=len(rows) > 1)
    table.add_column("district", "all")
    for name in names:
        table.add_column(name, str(sum(row[name] for row in rows)), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(Text(str(row["district"])), *(str(row[name]) for name in names))
    return table


def _print_districts(rows: list[Summary], names: list[str], console: Console) -> None:
    """The same in lines, for a terminal that is too narrow for the table."""
    whole = {"district": "all", **{name: sum(row[name] for row in rows) for name in names}}
    for row in [*rows, *([whole] if len(rows) > 1 else [])]:
        text = ", ".join(f"{name} {row[name]}" for name in names)
        console.print(Text(f"{row['district']}: {text}"))
