"""`rocksteady masonry shake`: one building through a sequence of shocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

import rocksteady as rs
from rocksteady.cli.common.building import BuildingOptions
from rocksteady.cli.common.files import FIGURES, FILMS, planned
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import Options, out_option, panel
from rocksteady.cli.common.output import report
from rocksteady.cli.common.progress import Work
from rocksteady.cli.masonry import inputs
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.sequence import SequenceResponse

_shocks = panel("The shocks")
KINDS = {
    "figure": FIGURES,
    "film of the loop": FILMS,
    "history, or shocks.csv: the table": (".csv",),
}
FOLDER = ("sequence.png", "loop.gif", "history.csv", "shocks.csv")
TABLE = "shocks.csv"
NO_ANSWER = 1  # exit status


@dataclass(frozen=True)
class SequenceOptions(Options):
    """How one shock follows the other."""

    scale: Annotated[
        str | None,
        _shocks("Multiply all shocks by one factor, or each by its own.", metavar="F[,F…]"),
    ] = None
    gap: Annotated[float, _shocks("Quiet time after each shock, s.")] = 10.0
    settle: Annotated[
        bool,
        _shocks(
            "Let the building come to rest before the next shock, as if days lay between; without "
            "it, an undamped building goes on vibrating through the gap.",
            "--settle",
        ),
    ] = False
    main: Annotated[
        int | None,
        _shocks("Number of the main shock, from 1 (default: the one with the largest PGA)."),
    ] = None
    update: Annotated[
        str, _shocks("accurate, or explicit: the paper's Algorithm 1.", "--update")
    ] = "accurate"

    def run(self, building: Any, texts: list[str]) -> SequenceResponse:
        """The building shaken by the shocks that were typed."""
        from rocksteady.analysis.sequence import sequence

        motions = self._motions(texts)
        if self.main is not None and not 1 <= self.main <= len(motions):
            raise InputError(
                f"--main {self.main} is not allowed: there are {len(motions)} shocks, the first "
                "is 1."
            )
        return sequence(
            building,
            motions,
            rs.Masonry(update=self.update),
            gap=self.gap,
            settle=self.settle,
            main=None if self.main is None else self.main - 1,
        )

    def _motions(self, texts: list[str]) -> list[rs.Motion]:
        """The shocks, scaled; equal names are numbered."""
        from rocksteady.motion.collection import distinct

        found = [inputs.scenario(text, warns=False) for text in texts]
        names = distinct(tuple(name for name, _ in found), "shock")
        factors = self._factors(len(found))
        shocks = zip(names, found, factors, strict=True)
        return [(m if f == 1.0 else m.scaled(f)).renamed(name) for name, (_, m), f in shocks]

    def _factors(self, count: int) -> list[float]:
        if self.scale is None:
            return [1.0] * count
        factors = [inputs.number(text, "--scale") for text in self.scale.split(",")]
        if len(factors) == 1:
            return factors * count
        if len(factors) != count:
            raise InputError(
                f"--scale {self.scale} has {len(factors)} factors, and there are {count} shocks: "
                "give one for all, or one for each."
            )
        return factors


@grouped
def shake(
    building: BuildingOptions,
    how: SequenceOptions,
    shocks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=]FILE|pulse:…", help="The shocks in their order: records or pulses."
        ),
    ] = None,
    out: Annotated[
        list[str] | None,
        out_option(
            "A folder for all, or one file: .png .svg .pdf (figure), .gif .mp4 (film of the "
            "force–displacement loop), .csv (history; shocks.csv: the table). May be repeated."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Shake a building by one shock after the other: how much do foreshocks add?

    \b
    Slip, hardening and wear go from each shock to the next; the last row is the
    main shock alone on the unworn building. Figure, film and tables in a folder:
      [cyan]rocksteady masonry shake --preset casalotti2025 A.AT2 B.AT2 C.AT2 -o run[/cyan]
    A weaker foreshock, then the record in full, with days between them:
      [cyan]rocksteady masonry shake --preset casalotti2025 R R --scale .4,1 --settle[/cyan]
    A building from a file under a pulse, filmed:
      [cyan]rocksteady masonry shake -b house.toml pulse:sine,a=0.5g,T=0.2 -o l.gif[/cyan]
    """
    from rocksteady.cli.masonry.shake_tables import of_shake, print_shake, write

    if not shocks:
        raise InputError(
            "Give the shocks in their order, as in rocksteady masonry shake --preset "
            "casalotti2025 A.AT2 B.AT2, or a pulse such as pulse:sine,a=0.4g,T=0.15."
        )
    sources = [building.building, *(text.rpartition("=")[2] for text in shocks)]
    files = planned(out, KINDS, FOLDER, sources=sources)
    body = building.build()
    with Work(quiet=quiet) as work:
        work.on("Shaking the building …")
        response = how.run(body, shocks)
        for path in sorted(files, key=lambda path: path.suffix in FILMS):
            write(response, path, work.on(f"Writing {path.name} …"))
    report(of_shake(response, files), print_shake, as_json=as_json, quiet=quiet)
    if response.failed is not None or response.alone.failed is not None:
        raise typer.Exit(NO_ANSWER)
