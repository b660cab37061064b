"""`rocksteady spectrum`: the rocking spectrum of a motion, or the band of many."""

from __future__ import annotations

from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.files import DATA, FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import PlaneGroundOptions
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel
from rocksteady.cli.common.output import headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.ranges import ranged
from rocksteady.cli.common.runs import Store, kept_runs, when_stopped
from rocksteady.cli.common.theory import PlaneTheoryOptions
from rocksteady.errors import InputError

app = new_app()
_blocks = panel("The blocks")
_motions = panel("The ground motions")
POINTS = 91  # of a range that says none
KINDS = {"figure": FIGURES, "data": DATA}


@app.command()
@grouped
def spectrum(
    ground: PlaneGroundOptions,
    theory: PlaneTheoryOptions,
    floor: FloorOptions,
    alpha: Annotated[
        list[float] | None,
        _blocks("Slenderness angle α, rad; may be repeated: a curve each.", "--alpha"),
    ] = None,
    sizes: Annotated[
        str | None, _blocks("Sizes as 2π/p, s; 1:10 unless given.", metavar="FROM:TO[:POINTS]")
    ] = None,
    pga: Annotated[float | None, _motions("Scale each to this largest acceleration, g.")] = None,
    store: Store = None,
    out: Annotated[
        list[str] | None,
        out_option("Figure (.png .svg .pdf) or numbers (.csv .nc); may be repeated."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """How far blocks lean, by their size: the rocking spectrum of motions.

    \b
    Two curves for a record:
      [cyan]rocksteady spectrum -m record.AT2 --alpha 0.15 --alpha 0.25 -o spectrum.png[/cyan]
    Median, band and share that falls of a hundred generated motions at 0.4 g:
      [cyan]rocksteady spectrum -m stochastic:100 --pga 0.4 --alpha 0.2 -o band.png[/cyan]
    The same loss for every block, and the numbers as a table:
      [cyan]rocksteady spectrum -m record.AT2 --alpha 0.2 --eta 0.9 -o spectrum.csv[/cyan]

    A line is broken where the block falls.
    """
    from rocksteady.cli.ensemble.progress import RunProgress

    files = planned(out, KINDS, ("spectrum.png", "spectrum.csv"), sources=ground.sources)
    if not alpha:
        raise InputError(
            "Which blocks? Give their slenderness with --alpha, in rad, as in --alpha 0.25 "
            "(tan α = width over height)."
        )
    how, place = theory.build(), floor.build()
    with Work(quiet=quiet or as_json) as work, when_stopped(lambda: kept_runs(store)):
        motions: dict[str, Any] = dict(ground.build(work=work))
        if pga is not None:
            motions = {name: _scaled(motion, pga) for name, motion in motions.items()}
        work.on("Preparing the runs …")
        found = rs.analysis.rocking_spectrum(
            motions,
            alpha=alpha,
            periods=ranged("--sizes", sizes, POINTS),
            formulation=how,
            floor=place,
            store=store,
            progress=RunProgress(work),
        )
        for path in files:
            work.on(f"Writing {path.name} …")
            (found.save if path.suffix in DATA else found.plot)(path)
    about = {
        **found.summary(),
        "sentences": found.sentences,
        "store": None if store is None else str(store),
        "files": [str(path) for path in files],
    }
    report(about, _print, as_json=as_json, quiet=quiet)


def _scaled(motion: Any, pga: float) -> Any:
    """To this peak of the ground [g]."""
    if not 0 < pga < float("inf"):
        raise InputError(f"--pga {pga:g} is not allowed: give a positive number, in g.")
    from rocksteady.motion.units import GRAVITY_UNIT

    return motion.scaled_to(pga=pga * GRAVITY_UNIT)


def _print(about: dict[str, Any]) -> None:
    console = output()
    many = about["motions"] > 1
    lean = "largest median\n|θ|/α" if many else "largest\n|θ|/α"
    share = ["most that\nfall"] if many else []
    table = headed_table([], ["α\n[rad]", "\nη", "falls up to\n2π/p [s]", lean, *share])
    for row in about["curves"]:
        last, top = row["falls_up_to_s"], row["largest_median_peak"]
        most = f"{100 * row['largest_share_that_falls']:.3g} %"
        table.add_row(
            f"{row['alpha_rad']:.4g}",
            f"{row['eta']:.4g}",
            "–" if last is None else f"{last:.3g}",
            "–" if top is None else f"{top:.3g}",
            *([most] if many else []),
        )
    console.print(table)
    for sentence in about["sentences"]:
        console.print(sentence)
    print_files(about["files"], console)
