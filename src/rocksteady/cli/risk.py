"""`rocksteady risk`: how often a body falls at a site, and what would halve that."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.bodies import BodyOptions, need_plane
from rocksteady.cli.common.files import FIGURES, keep_sources, planned
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
from rocksteady.numbers import is_number

if TYPE_CHECKING:
    from rocksteady.analysis.hazard import Hazard, Risk
    from rocksteady.analysis.hazard.measures import Measures

app = new_app()
_site, _asked = panel("The site"), panel("What is asked")
ROWS = 12  # of the table of levels, at most


@app.command()
@grouped
def risk(
    block: BodyOptions,
    grounds: GroundOptions,
    floor: FloorOptions,
    theory: TheoryOptions,
    hazard: Annotated[
        Path | None,
        _site(
            "Hazard curve: OpenQuake's CSV, the JSON of a USGS service, or a table with a heading "
            r"such as pga \[g],rate \[1/year].",
            metavar="FILE",
        ),
    ] = None,
    site: Annotated[
        str | None, _site("Of a file with many sites: the nearest is taken.", metavar="LON,LAT")
    ] = None,
    measure: Annotated[
        str | None,
        _site(
            "Measure of the ground: pga, pgv, SA(1.0); that of the file unless given. Of a file "
            "with several, which."
        ),
    ] = None,
    limit: Annotated[
        str, _asked("What counts: overturned, 'lifts off', or a ratio of θ/α such as 0.5.")
    ] = "overturned",
    years: Annotated[
        float, _asked("The time for which the probability is asked, in years.")
    ] = 50.0,
    levels: Annotated[str | None, _asked(LEVELS)] = None,
    confidence: Annotated[float, _asked("Of the band.")] = 0.90,
    halve: Annotated[
        bool,
        _asked("Also find the width, centre of mass and plinth that halve the rate.", "--halve"),
    ] = False,
    plinth_height: Annotated[
        float | None, _asked("Height of that plinth, m; 0.2 unless given.")
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a hazard file to be filled in.")
    ] = False,
    out: Annotated[
        list[str] | None,
        out_option("Figure: .png .svg .pdf; may be repeated. With --halve a second one.", "FILE"),
    ] = None,
    store: Store = None,
    backend: Backend = "cpu",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How likely a body is to fall in 50 years at a site, and what would halve that.

    \b
    A hazard file to begin with, and a statue under 300 stochastic motions:
      [cyan]rocksteady risk --example > site.csv[/cyan]
      [cyan]rocksteady risk --height 1.8 --width 0.5 -m stochastic:300 --hazard site.csv[/cyan]
    What would halve it, under a folder of records:
      [cyan]rocksteady risk --height 1.8 --width 0.5 -m folder --hazard site.csv --halve[/cyan]
    """
    if example:
        from rocksteady.analysis.hazard.files import example_text

        typer.echo(example_text(), nl=False)
        return
    if hazard is None:
        raise InputError(
            "There is no hazard curve: give one with --hazard FILE; rocksteady risk --example > "
            "hazard.csv writes one to fill in."
        )
    if plinth_height is not None and not halve:
        raise InputError("--plinth-height belongs to --halve: give both, or neither.")
    sources = [hazard, *files_below(grounds.sources)]
    files = planned(out, {"figure": FIGURES}, ("risk.png",), sources=sources)
    if halve:
        keep_sources([_beside(path) for path in files], sources)
    body, curve = block.build(), _hazard(hazard, measure, site)
    if halve:
        need_plane(body, "--halve", "changes the width")
    asked = _asked_for(limit, years, confidence)
    how: dict[str, Any] = {
        "formulation": theory.build(body),
        "floor": floor.build(),
        "levels": levels_of(levels),
        "store": store,
        "backend": backend,
    }
    plinth = {} if plinth_height is None else {"height": plinth_height}
    with Work(quiet=quiet or as_json) as work, when_stopped(lambda: kept_runs(store)):
        motions = list(grounds.build(body, work, how["formulation"]).values())
        work.on("Preparing the runs …")
        if halve:
            found, better = _halved(body, motions, curve, how, asked, plinth, work)
        else:
            found, better = _as_it_is(body, motions, curve, how, asked, work), None
        written = _write(found, better, files, work)
    about = {"body": body.label, **found.summary(), "files": written}
    if better is not None:
        about["measures"] = better.summary()
    report(about, lambda about: _print(about, found), as_json=as_json, quiet=quiet)


def _as_it_is(
    body: Any, motions: Any, curve: "Hazard", how: dict[str, Any], asked: Any, work: Work
) -> "Risk":
    from rocksteady.analysis.stripes import stripes
    from rocksteady.cli.ensemble.progress import RunProgress

    runs = stripes(body, motions, measure=curve.measure, progress=RunProgress(work), **how)
    return rs.analysis.risk(runs, curve, **asked)


def _halved(
    body: Any,
    motions: Any,
    curve: "Hazard",
    how: dict[str, Any],
    asked: Any,
    plinth: dict[str, float],
    work: Work,
) -> tuple["Risk", "Measures"]:
    """The risk of the body as it is, and what would halve it."""
    from rocksteady.cli.ensemble.progress import RunProgress

    better = rs.analysis.measures(
        body, motions, curve, plinth=plinth, progress=RunProgress(work), **how, **asked
    )
    return better.base, better


def _asked_for(limit: str, years: float, confidence: float) -> dict[str, Any]:
    if not 0 < confidence < 1:
        raise InputError(f"--confidence {confidence:g} is not allowed: give a share, such as 0.9.")
    if not 0 < years < float("inf"):
        raise InputError(f"--years {years:g} is not allowed: give a time above zero, such as 50.")
    from rocksteady.analysis.stripes import checked_limit

    try:
        state = checked_limit(limit)
    except InputError as error:
        raise InputError(str(error).replace("limit = ", "--limit ")) from error
    return {"limit": state, "years": years, "level": confidence}


def _hazard(path: Path, measure: str | None, site: str | None) -> "Hazard":
    from rocksteady.analysis.hazard import Hazard

    place = None
    if site is not None:
        words = [word.strip() for word in site.split(",")]
        if len(words) != 2 or not all(map(is_number, words)):
            raise InputError(
                f"--site {site} is no place: give longitude and latitude, as in --site 13.4,42.35."
            )
        place = float(words[0]), float(words[1])
    try:
        return Hazard.read(path, measure, place)
    except InputError as error:
        said = str(error).replace("give measure='pga'", "give --measure pga")
        said = said.replace("as in measure='pga'", "as in --measure pga")
        start, marked, rest = said.partition("as in site=(")
        if marked:
            said = f"{start}as in --site {rest.replace(', ', ',', 1).replace(')', '', 1)}"
        raise InputError(said) from error


def _write(found: "Risk", better: Any, files: list[Path], work: Work) -> list[str]:
    """The figure of the risk; beside it, where asked for, that of what would halve it."""
    written = []
    for path in files:
        work.on(f"Writing {path.name} …")
        found.plot(path)
        written.append(str(path))
        if better is not None:
            better.plot(_beside(path))
            written.append(str(_beside(path)))
    return written


def _beside(path: Path) -> Path:
    """Where the figure of what would halve the rate goes."""
    return path.with_name(f"{path.stem}-halved{path.suffix}")


def _print(about: dict[str, Any], found: "Risk") -> None:
    console = output()
    console.print(f"{about['body']}, {about['motions']} motions, {about['hazard']}", soft_wrap=True)
    if found.hazard.rate(found.contributions.edges[0]) > 0:  # else nothing within it contributes
        console.print(_table(found))
    for sentence in about["sentences"]:
        console.print(sentence)
    for sentence in about.get("measures", {}).get("sentences", ()):
        console.print(sentence)
    print_files(about["files"], console)


def _table(found: "Risk") -> Any:
    """Some levels: how often they are exceeded, the share, and what they add."""
    measure, parts = found.hazard.measure, found.contributions
    table = headed_table(
        [], (f"{measure.short}\n[{measure.unit}]", "exceeded\nonce in [years]",
             "share\nthere", "of the\nrate")
    )  # fmt: skip
    step = max(1, -(-len(parts.rates) // ROWS))
    from rocksteady.analysis.hazard.words import rounded

    for i in range(0, len(parts.rates), step):
        low, high = parts.edges[i], parts.edges[min(i + step, len(parts.rates))]
        middle = (low * high) ** 0.5
        share = float(found.share(middle))
        part = parts.rates[i : i + step].sum() / found.rate if found.rate else 0.0
        rate = float(found.hazard.rate(middle))
        table.add_row(f"{low:.3g} to {high:.3g}", rounded(1 / rate), f"{100 * share:.0f} %",
                      f"{100 * part:.0f} %")  # fmt: skip
    if parts.beyond > 0 and found.rate:
        share = float(found.share(parts.edges[-1]))
        table.add_row(f"above {parts.edges[-1]:.3g}", "", f"{100 * share:.0f} %",
                      f"{100 * parts.beyond / found.rate:.0f} %")  # fmt: skip
    return table
