"""`rocksteady fragility`: how likely a body is to fall, by the strength of the shaking."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.bodies import BodyOptions, need_plane
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import GroundOptions, files_below
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel
from rocksteady.cli.common.output import headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.ranges import LEVELS, levels_of
from rocksteady.cli.common.runs import Backend, Store, kept_runs, when_stopped
from rocksteady.cli.common.theory import TheoryOptions
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.fragilities import Fragility
    from rocksteady.analysis.fragilities.measures import MeasureTable
    from rocksteady.analysis.fragilities.uncertainty import Uncertainty

app = new_app()
KINDS = {"figure": FIGURES, "table, or …pelicun.csv": (".csv",), "OpenQuake's NRML": (".xml",)}
FOLDER = ("fragility.png", "fragility.csv", "fragility.xml")
SHOWN = 14  # levels on the screen
_asked = panel("What is asked")


@app.command()
@grouped
def fragility(
    block: BodyOptions,
    grounds: GroundOptions,
    floor: FloorOptions,
    theory: TheoryOptions,
    measure: Annotated[
        str,
        _asked(
            "Strength of the ground: pga, pgv, housner, arias, cav, pgd or SA(1.0), of its first "
            "component; for a body in space also pga_rotd100, the largest in any direction."
        ),
    ] = "pga",
    limit: Annotated[
        list[str] | None,
        _asked(
            "'lifts off', a ratio θ/α such as 0.5, or overturned; may be repeated. Lifts off, 0.1, "
            "0.5, 1 and overturned unless given."
        ),
    ] = None,
    levels: Annotated[str | None, _asked(LEVELS)] = None,
    confidence: Annotated[float, _asked("Of intervals and bands.")] = 0.90,
    measures: Annotated[
        bool, _asked("Compare measures of the ground: efficiency, sufficiency.", "--measures")
    ] = False,
    tolerance: Annotated[
        list[str] | None,
        _asked(
            "How well the body is known, to see what of it matters: width=0.03 (±3 %, two standard "
            "deviations), eta=0.85:0.95 (between these), or usual; may be repeated.",
            metavar="NAME=VALUE",
        ),
    ] = None,
    curve: Annotated[
        bool, _asked("Write the lognormal curves, not the shares, to .xml.", "--curve")
    ] = False,
    out: Annotated[
        list[str] | None,
        out_option(
            "Figure (.png .svg .pdf), table (.csv), a row for pelicun (…pelicun.csv) or NRML for "
            "OpenQuake (.xml); may be repeated."
        ),
    ] = None,
    store: Store = None,
    backend: Backend = "cpu",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How likely is it to fall? Shares of many motions at many strengths, a curve.

    \b
    A statue under 300 earthquakes; 300 sets of parameters take a while to make:
      [cyan]rocksteady fragility --height 1.8 --width 0.5 -m stochastic:300 -o f.png[/cyan]
    By peak velocity, under records of your own, on a floor of a building:
      [cyan]rocksteady fragility --p 2.6 --alpha 0.25 -m rec --measure pgv --period 0.5[/cyan]
    For OpenQuake; a name such as pelicun.csv makes a row for pelicun:
      [cyan]rocksteady fragility --height 2 --width 0.5 -m records -o openquake.xml[/cyan]
    Which property of the body matters most; --measures: which of the ground:
      [cyan]rocksteady fragility --p 2.8 --alpha 0.27 -m rec --tolerance usual[/cyan]
    """
    files = planned(out, KINDS, FOLDER, sources=files_below(grounds.sources))
    body, stands = block.build(), floor.build()
    how = theory.build(body)
    at, known_within = levels_of(levels), _tolerances(tolerance)
    if not 0 < confidence < 1:
        raise InputError(f"--confidence {confidence:g} is not allowed: give a share, such as 0.9.")
    if known_within is not None:
        need_plane(body, "--tolerance", "varies the width and height")
        from rocksteady.analysis.fragilities.tolerances import tolerated

        tolerated(body, how, known_within)  # before the runs, not after them
    with Work(quiet=quiet or as_json) as work:
        from rocksteady.cli.ensemble.progress import RunProgress

        motions = grounds.build(body, work, how)
        work.on("Preparing the runs …")
        with when_stopped(lambda: kept_runs(store)):
            found = rs.analysis.fragility(
                body,
                motions,
                how,
                limits=limit,
                levels=at,
                measure=measure,
                floor=stands,
                level=confidence,
                backend=backend,
                store=store,
                progress=RunProgress(work),
            )
        table = None
        if measures:
            work.on("Comparing measures …")
            table = found.measures(found.main.limit)
        matters = None
        if known_within is not None:
            work.on("Finding which tolerance matters …")
            matters = rs.analysis.uncertainty(
                found.stripes, known_within, backend=backend, progress=RunProgress(work)
            )
        for path in files:
            work.on(f"Writing {path.name} …")
            write_fragility(found, path, curve)
    about = found.summary() | {"files": [str(path) for path in files]}
    if table is not None:
        about["measures"] = table.table()
    if matters is not None:
        about["uncertainty"] = matters.summary()
    report(
        about,
        lambda about: print_fragility(found, table, matters, about["files"]),
        as_json=as_json,
        quiet=quiet,
    )


def _tolerances(given: list[str] | None) -> dict[str, Any] | None:
    """``width=0.03``, ``eta=0.85:0.95``; the usual ones for "usual"."""
    if given is None:
        return None
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if text.strip().lower() == "usual" and len(given) == 1:
            return {}
        try:
            ends = tuple(float(end) for end in value.split(":"))
        except ValueError:
            ends = ()
        if not equals or len(ends) not in (1, 2):
            raise InputError(
                f"--tolerance {text} is not allowed: write width=0.03 for ±3 % (two standard "
                "deviations), eta=0.85:0.95 for two ends, or usual alone."
            )
        found[name.strip().replace("-", "_")] = ends if len(ends) == 2 else ends[0]
    return found


def write_fragility(found: Fragility, path: Path, curve: bool) -> None:
    """A figure, a table, or a row for another program, as the suffix says."""
    if path.suffix.lower() in FIGURES:
        found.plot(path)
    else:
        from rocksteady.analysis.fragilities.export import write

        write(found, path, curve=curve)


# -- on the screen ----------------------------------------------------------------------------


def print_fragility(
    found: Fragility, table: MeasureTable | None, matters: Uncertainty | None, files: list[str]
) -> None:
    """What was found, in sentences and tables."""
    console = output()
    for sentence in found.sentences:
        console.print(sentence)
    console.print(_states(found))
    _print_shares(found, console)
    if table is not None:
        _print_measures(found, table, console)
    if matters is not None:
        _print_uncertainty(matters, found.measure, console)
    print_files(files, console)


def _states(found: Fragility) -> Any:
    unit = found.measure.unit
    table = headed_table(
        ["limit state"],
        [
            f"median\n[{unit}]",
            f"{100 * found.level:.0f} %\n[{unit}]",
            "β\n[-]",
            f"first fall (IDA)\n[{unit}]",
            "survives a\nstronger one",
        ],
    )
    for state in found.states.values():
        curve, first = state.curve, state.first
        cells = ["–", "–", "–"]
        if curve is not None:
            low, high = curve.median_interval
            band = f"{low:.3g} – {high:.3g}" if low == low else "–"
            cells = [f"{curve.median:.3g}", band, f"{curve.beta:.2f}"]
        median = f"{first.median:.3g}" if first.median == first.median else "–"
        table.add_row(state.words, *cells, median, str(first.stands_again))
    reasons = [f"{state.words}: {state.why}" for state in found.states.values() if state.why]
    if reasons:
        table.caption, table.caption_justify = "\n".join(reasons), "left"
    return table


def _print_shares(found: Fragility, console: Console) -> None:
    state, at = found.main, found.stripes.levels
    every = max(-(-len(at) // SHOWN), 1)
    shown = range(len(at))[::-every][::-1]
    counted, percent = state.shares, f"{100 * found.level:.0f} %"
    table = headed_table(
        [], [found.measure.column, "beyond", "of", "share [%]", f"{percent} [%]", "curve [%]"]
    )
    for j in shown:
        p = "–" if state.curve is None else f"{100 * float(state.curve.probability(at[j])):.1f}"
        table.add_row(
            f"{at[j]:.3g}",
            str(counted.count[j]),
            str(counted.of[j]),
            f"{100 * counted.share[j]:.1f}",
            f"{100 * counted.low[j]:.1f} – {100 * counted.high[j]:.1f}",
            p,
        )
    console.print(Text(f"\n  {state.words}, by {found.measure.words}", "bold"))
    console.print(table)
    if every > 1:
        note = f"  {len(shown)} of {len(at)} levels are shown; -o FILE.csv and --json have all."
        console.print(Text(note, "dim"), soft_wrap=True)


def _print_measures(fragility: Fragility, found: MeasureTable, console: Console) -> None:
    from rocksteady.analysis.fragilities.measures import SMALL

    others = [one.on for one in found.rows[0].dependence]
    table = headed_table(
        ["measure"],
        [
            "median\nat first fall",
            "σ of its\nlogarithm",
            "log loss\nper run",
            *(f"slope on\n{on}" for on in others),
            "sufficient",
        ],
    )
    for row in found.rows:
        starred = [(one.slope, "*" * (one.p_value < SMALL)) for one in row.dependence]
        table.add_row(
            row.name,
            f"{_number(row.median, '.3g')} {row.unit if row.unit != '1' else ''}".strip(),
            _number(row.sigma, ".2f"),
            _number(row.log_loss, ".3f"),
            *(f"{_number(slope, '+.2f')}{star}" for slope, star in starred),
            ("not refuted" if row.sufficient else "no") if row.tested else "not tested",
        )
    console.print(Text("\n  measures of the ground, at first falls", "bold"))
    console.print(table)
    console.print(found.sentence)
    try:
        console.print(fragility.two_measures(found.limit).sentence)
    except InputError as error:  # one motion, or all alike
        console.print(Text(str(error), "dim"))
    console.print(Text("  *: p-value below 0.05, standard errors by cluster.", "dim"))


def _print_uncertainty(found: Uncertainty, measure: Any, console: Console) -> None:
    table = headed_table(["known within"], ["", "first order", "total"])
    for i in found.order:
        name = found.names[i]
        indices = f"{found.first[i]:.2f}", f"{found.total[i]:.2f}"
        table.add_row(name.replace("_", " "), found.ranges[name], *indices)
    low, high = found.interval()
    console.print(Text(f"\n  Sobol indices of {found.outcome}", "bold"))
    console.print(table)
    console.print(found.sentence)
    console.print(
        f"For 90 % of bodies within these tolerances the median {measure.short} lies between "
        f"{math.exp(low):.3g} and {math.exp(high):.3g} {measure.unit}; for the body as given it is "
        f"{math.exp(found.nominal):.3g} {measure.unit}, of the motions and levels used for this."
    )


def _number(value: float, digits: str) -> str:
    """A dash where there is none."""
    return f"{value:{digits}}" if value == value else "–"
