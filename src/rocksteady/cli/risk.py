"""`rocksteady risk`: how often a body falls at a site, and what would halve that."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import GroundOptions
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel, result
from rocksteady.cli.common.output import headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.theory import TheoryOptions
from rocksteady.errors import InputError
from rocksteady.numbers import is_number

if TYPE_CHECKING:
    from rocksteady.analysis.hazard import Hazard, Risk

app = new_app()
_site = panel("The site")
ROWS = 12  # of the table of levels, at most


@app.command()
@grouped
def risk(
    block: BlockOptions,
    grounds: GroundOptions,
    floor: FloorOptions,
    theory: TheoryOptions,
    hazard: Annotated[
        Path | None,
        _site(
            "Hazard curve: OpenQuake's CSV, the JSON of a USGS service, or a table with a heading "
            "such as pga [g],rate [1/year].",
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
        str, result("What counts: overturned, 'lifts off', or a ratio of θ/α such as 0.5.")
    ] = "overturned",
    years: Annotated[float, result("The time for which the probability is asked.")] = 50.0,
    levels: Annotated[int | None, result("How many levels of strength; 40 unless given.")] = None,
    confidence: Annotated[float, result("Of the band.")] = 0.90,
    halve: Annotated[
        bool,
        result("Also find the width, centre of mass and plinth that halve the rate.", "--halve"),
    ] = False,
    plinth_height: Annotated[
        float | None, result("Height of that plinth, m; 0.2 unless given.")
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a hazard file to be filled in.")
    ] = False,
    out: Annotated[
        list[str] | None,
        out_option("Figure: .png .svg .pdf; may be repeated. With --halve a second one.", "FILE"),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How likely a body falls in 50 years at a site, by its hazard curve and many motions.

    \b
    A hazard file to begin with, and a statue under 300 stochastic motions:
      [cyan]rocksteady risk --example > hazard.csv[/cyan]
      [cyan]rocksteady risk --height 1.8 --width 0.5 -m stochastic:300,seed=5 --hazard hazard.csv \
-o risk.png[/cyan]
    What width, plinth or centre of mass would halve it, under a folder of records:
      [cyan]rocksteady risk --height 1.8 --width 0.5 -m records --hazard hazard.csv --halve[/cyan]
    On the roof of a building of four storeys:
      [cyan]rocksteady risk --height 1.8 --width 0.5 -m records --hazard hazard.csv --storeys 4 \
--period 0.5[/cyan]
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
    files = planned(out, {"figure": FIGURES}, ("risk.png",), sources=[hazard, *grounds.sources])
    body = block.build()
    curve = _hazard(hazard, measure, site)
    asked = {"limit": _limit(limit), "years": years, "level": confidence}
    with Work(quiet=quiet or as_json) as work:
        found, better = _run(body, grounds, floor, theory, curve, levels, asked, halve,
                             plinth_height, work)  # fmt: skip
        written = _write(found, better, files, work)
    about = {"body": body.label, **found.summary(), "files": written}
    if better is not None:
        about["measures"] = better.summary()
    report(about, lambda about: _print(about, found), as_json=as_json, quiet=quiet)


def _run(
    body: Any,
    grounds: GroundOptions,
    floor: FloorOptions,
    theory: TheoryOptions,
    curve: "Hazard",
    levels: int | None,
    asked: dict[str, Any],
    halve: bool,
    plinth_height: float | None,
    work: Work,
) -> tuple["Risk", Any]:
    """The risk of the body as it is and, where asked for, what would halve it."""
    from rocksteady.analysis.stripes import stripes
    from rocksteady.cli.ensemble.progress import RunProgress

    if plinth_height is not None and not halve:
        raise InputError("--plinth-height belongs to --halve: give both, or neither.")
    work.on("Reading the motions …")
    motions = list(grounds.build(body, work).values())
    how: dict[str, Any] = {"floor": floor.build(), "levels": levels}
    work.on("Preparing the runs …")
    formulation, progress = theory.build(), RunProgress(work)
    if halve:
        plinth = {} if plinth_height is None else {"height": plinth_height}
        better = rs.analysis.measures(
            body, motions, curve, formulation, plinth=plinth, progress=progress, **how, **asked
        )
        return better.base, better
    runs = stripes(
        body, motions, formulation, measure=curve.measure, progress=progress, **how
    )  # fmt: skip
    return rs.analysis.risk(runs, curve, **asked), None


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


def _limit(text: str) -> str | float:
    return float(text) if is_number(text) else text


def _write(found: "Risk", better: Any, files: list[Path], work: Work) -> list[str]:
    """The figure of the risk; beside it, where asked for, that of what would halve it."""
    written = []
    for path in files:
        work.on(f"Writing {path.name} …")
        found.plot(path)
        written.append(str(path))
        if better is not None:
            beside = path.with_name(f"{path.stem}-halved{path.suffix}")
            better.plot(beside)
            written.append(str(beside))
    return written


def _print(about: dict[str, Any], found: "Risk") -> None:
    console = output()
    console.print(f"{about['body']}, {about['motions']} motions, {about['hazard']}", soft_wrap=True)
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
