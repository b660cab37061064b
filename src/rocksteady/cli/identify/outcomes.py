"""`rocksteady identify outcomes`: which blocks explain the tests that overturned it or not."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from rocksteady.cli.common.files import check_figure
from rocksteady.cli.common.inputs import FigureFile, Json, Quiet, grouped
from rocksteady.cli.common.options import panel
from rocksteady.cli.common.output import headed_table, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.runs import Backend
from rocksteady.cli.identify.rocking import print_sentences
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.rocking_identification import BlockPosterior

_prior = panel("What is possible")
_predict = panel("A prediction")
LOW_HIGH = "LOW:HIGH"


@grouped
def outcomes(
    tests: Annotated[
        Path,
        typer.Argument(
            metavar="TESTS.csv",
            help="Columns motion (a file), overturned (yes, no); scale, group, series, component "
            "if needed.",
        ),
    ],
    p: Annotated[str, _prior("Bounds of p, rad/s.", metavar=LOW_HIGH)],
    alpha: Annotated[str, _prior("Bounds of α, rad.", metavar=LOW_HIGH)],
    eta: Annotated[str, _prior("Bounds of η.", metavar=LOW_HIGH)] = "0.8:0.99",
    asymmetric: Annotated[
        bool, _prior("Allow different angles to the right and to the left.", "--asymmetric")
    ] = False,
    gain: Annotated[
        float | None,
        _prior("Standard deviation of an unknown factor on a series' motions: 0.05 for 5 %."),
    ] = None,
    predict: Annotated[
        list[str] | None,
        _predict(
            "A record, or FILE:SCALE: how likely it overturns the block; repeatable.",
            metavar="FILE[:SCALE]",
        ),
    ] = None,
    seed: Annotated[int, _prior("Of the points at which the posterior is computed.")] = 0,
    backend: Backend = "cpu",
    out: FigureFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find which blocks explain the outcomes of tests, and predict the next ones.

    \b
    A row per test: the record, its scale, and whether it overturned the block:
      [cyan]rocksteady identify outcomes tests.csv --p 3:6 --alpha 0.1:0.3 -o fit.png[/cyan]
    How likely is a new record to overturn it? (a.AT2:1.5: 1.5 times as strong)
      [cyan]rocksteady identify outcomes t.csv --p 3:6 --alpha 0.1:0.3 --predict a.AT2[/cyan]
    """
    from rocksteady.analysis.rocking_identification import OutcomeTests, identify_from_outcomes

    files = check_figure(out, sources=[tests])
    ahead = [_motion(text) for text in predict or ()]
    with Work(quiet=quiet or as_json) as work:
        work.on("Reading the motions …")
        table = OutcomeTests.read(tests)
        found = identify_from_outcomes(
            table,
            p=_bounds("--p", p),
            alpha=_bounds("--alpha", alpha),
            eta=_bounds("--eta", eta),
            symmetric=not asymmetric,
            gain=gain,
            seed=seed,
            backend=backend,
            progress=work.on("Shaking blocks …"),
        )
        about = {"file": str(tests), **found.summary(), "files": files}
        about["predictions"] = _predictions(found, predict or [], ahead)
        if out is not None:
            work.on(f"Writing {out.name} …")
            found.plot(out)
    report(about, _print, as_json=as_json, quiet=quiet)


def _predictions(
    found: "BlockPosterior", names: list[str], ahead: list[tuple[Any, float]]
) -> list[dict[str, Any]]:
    if not ahead:
        return []
    chances = found.predict([motion for motion, _ in ahead], [scale for _, scale in ahead])
    rows = zip(names, ahead, chances.tolist(), strict=True)
    return [
        {"motion": name, "scale": scale, "probability": chance} for name, (_, scale), chance in rows
    ]


def _bounds(option: str, text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        raise InputError(
            f"{option} {text} is not a range: give the lowest and the highest possible value, as "
            f"in {option} 0.1:0.3."
        ) from None
    return low, high


def _motion(text: str) -> tuple[Any, float]:
    """A record and its scale."""
    from rocksteady.cli.common.records import one_record

    name, _, scale = text.rpartition(":")
    try:
        return (one_record(text), 1.0) if not name else (one_record(name), float(scale))
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        return one_record(text), 1.0


def _print(about: dict[str, Any]) -> None:
    print_sentences(about)
    if not about["predictions"]:
        return
    table = headed_table(["motion"], ["scale", "overturns it with probability"])
    for row in about["predictions"]:
        table.add_row(
            Text(row["motion"]), f"{row['scale']:g}", Text(f"{row['probability']:.3f}", "bold")
        )
    output().print(table)
