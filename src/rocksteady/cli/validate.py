"""`rocksteady validate`: a theory against a table of tests, or against another theory."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import PlaneGroundOptions
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, grouped
from rocksteady.cli.common.options import Options, new_app, out_option, panel
from rocksteady.cli.common.output import box_table, headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.records import built
from rocksteady.cli.common.theory import PlaneTheoryOptions
from rocksteady.errors import InputError

app = new_app()
KINDS = {"figure": FIGURES, "test by test": (".csv",)}
FOLDER = ("validation.png", "validation.csv")
_against = panel("What it is compared with, and how")


@dataclass(frozen=True)
class AgainstOptions(Options):
    """The other side, and what is uncertain."""

    against: Annotated[
        str | None,
        _against("Another theory, under the motions of -m, instead of tests.", metavar="NAME"),
    ] = None
    spread: Annotated[
        float,
        _against(
            "How uncertain the strength of each motion is, 0.05 for 5 %: predictions are then "
            "probabilities."
        ),
    ] = 0.0
    draws: Annotated[int | None, _against("Runs of each test with --spread; 100.")] = None
    seed: Annotated[int, _against("Of these draws.")] = 1
    confidence: Annotated[float, _against("Of bands and intervals.")] = 0.90

    @property
    def how(self) -> dict[str, Any]:
        """Those of `rs.analysis.validate`."""
        own = {name: getattr(self, name) for name in ("spread", "draws", "seed")}
        return {**own, "level": self.confidence}


@app.command()
@grouped
def validate(
    block: BlockOptions,
    theory: PlaneTheoryOptions,
    other: AgainstOptions,
    ground: PlaneGroundOptions,
    floor: FloorOptions,
    tests: Annotated[
        Path | None,
        typer.Argument(
            metavar="TESTS.csv",
            help="A table of tests: motion, scale \\[-] or pga \\[g], peak \\[-], overturned.",
        ),
    ] = None,
    out: Annotated[
        list[str] | None,
        out_option(
            "A folder, or files: .png .svg .pdf (figure), .csv (seen and predicted, test by test). "
            "May be repeated."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Does a theory agree with tests, or with another theory? A verdict in words.

    Each test of the table is run by the theory. Largest rotations are compared as
    distributions (Kolmogorov and Smirnov, with bands), outcomes as yes and no.
    One history proves nothing: near overturning every test is chaotic.

    \b
    Tests of a block on a shaking table:
      [cyan]rocksteady validate tests.csv --height 1.2 --width 0.2[/cyan]
    The table's motions are known to 5 %, so that predictions are probabilities:
      [cyan]rocksteady validate tests.csv --height 1.2 --width 0.2 --spread 0.05[/cyan]
    Do springs under the block change anything, on average?
      [cyan]rocksteady validate --height 2 --width 0.5 --against springs -m records[/cyan]
    """
    files = planned(out, KINDS, FOLDER, sources=[tests, *ground.sources])
    body, how, place = block.build(), theory.build(), floor.build()
    with Work(quiet=quiet or as_json) as work:
        against: Any = _against_what(tests, other.against)
        motions = ground.build(body, work) if ground.motion or tests is None else None
        advance = work.on("Shaking the block …")
        found = rs.analysis.validate(
            body, against, how, motions=motions, floor=place, progress=advance, **other.how
        )
        for path in files:
            work.on(f"Writing {path.name} …")
            found.plot(path) if path.suffix in FIGURES else found.write(path)
    about = {**found.summary(), "rows": found.rows(), "files": [str(path) for path in files]}
    report(about, _print, as_json=as_json, quiet=quiet)


def _against_what(tests: Path | None, theory: str | None) -> Any:
    if (tests is None) == (theory is None):
        given = "neither is there" if tests is None else "both are there"
        raise InputError(
            f"Give a table of tests, or another theory with --against: {given}. A table has the "
            "columns motion, scale [-] or pga [g], and peak [-] or overturned."
        )
    if tests is not None:
        return tests
    with rs.allow_modules(str(theory).partition(":")[0]):  # typed here, not found in a file
        return built(rs.specs.TheorySpec, {"name": theory})


def _print(about: dict[str, Any]) -> None:
    console, table = output(), box_table()
    table.add_row("body", about["body"])
    table.add_row("theory", about["formulation"])
    table.add_row("against", about["against"])
    peaks, outcomes = about["peaks"], about["outcomes"]
    if peaks is not None:
        table.add_section()
        seen, said = (_lean(peaks[f"median {what} [-]"]) for what in ("observed", "predicted"))
        table.add_row("median of max |θ|/α", f"{seen} seen, {said} predicted")
        table.add_row("largest gap D", f"{peaks['gap D [-]']:.3f}")
        alone = f"{peaks['p, samples independent']:.3g} (Kolmogorov and Smirnov, two samples)"
        swaps = peaks["p, by swaps"]
        text = alone if swaps is None else f"{swaps:.3g} by swaps under each motion; {alone}"
        table.add_row("p", text)
        table.add_row("inside the band", f"{100 * peaks['inside the band [-]']:.0f} %")
    console.print(table)
    if outcomes is not None:
        console.print(_confusion(outcomes))
        if len(outcomes["bins"]) > 2:
            console.print(_calibration(outcomes))
    for sentence in about["sentences"]:
        console.print(sentence)
    print_files(about["files"], console)


def _lean(value: float) -> str:
    from rocksteady.analysis.statistics import OVERTURNED

    return "overturned" if value >= OVERTURNED else f"{value:.3g}"


def _confusion(outcomes: dict[str, Any]) -> Any:
    table = headed_table([""], ["said to stand", "said to overturn"])
    table.add_row("stood", str(outcomes["stood_as_said"]), str(outcomes["stood_unforeseen"]))
    table.add_row("overturned", str(outcomes["fell_unforeseen"]), str(outcomes["fell_as_said"]))
    return table


def _calibration(outcomes: dict[str, Any]) -> Any:
    name = f"{100 * outcomes['level']:.0f} % interval"
    table = headed_table(["predicted"], ["tests", "mean predicted", "overturned", name])
    for each in outcomes["bins"]:
        low, high = each["interval"]
        table.add_row(
            f"{each['low']:.1f} to {each['high']:.1f}",
            str(each["tests"]),
            f"{100 * each['predicted']:.0f} %",
            f"{each['fell']} ({100 * each['fell'] / each['tests']:.0f} %)",
            f"{100 * low:.0f} to {100 * high:.0f} %",
        )
    return table
