"""`rocksteady check`: a body by several codes, as hand calculations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

import rocksteady as rs
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.floor import FloorOptions
from rocksteady.cli.common.grounds import PlaneGroundOptions
from rocksteady.cli.common.inputs import BlockOptions, Json, Quiet, grouped
from rocksteady.cli.common.options import Options, new_app, out_option, panel, result
from rocksteady.cli.common.output import headed_table, print_files, report
from rocksteady.cli.common.output import out as output
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.records import built
from rocksteady.cli.common.theory import PlaneTheoryOptions
from rocksteady.errors import InputError, warn

if TYPE_CHECKING:
    from rocksteady.analysis.codes.comparison import Comparison

app = new_app()
KINDS = {"figure": FIGURES, "calculations": (".md",), "their lines": (".csv",)}
FOLDER = ("check.md", "check.csv", "check.png")
STRONG = 1.5  # g: whoever asks for more may think of m/s²
Number = float | None
CODES = ("circolare", "histories", "ec8", "asce43", "asce43-sliding", "fema")  # for the help
_NAMES = {  # of arguments, and what the command line calls them
    "--F0": "--f0",
    "--Tc-star": "--tc-star",
    "--friction": "--mu",
    "give friction": "give --mu",
    "or pfv,": "or --pfv,",
    "crushing=True": "--crushing",
    "give motions": "give motions with -m",
    "give several that fit": "give several with -m that fit",
}
_action, _codes = panel("The code's action"), panel("The codes, and choices within them")


@dataclass(frozen=True)
class ActionOptions(Options):
    """The spectrum of the ground."""

    ag: Annotated[Number, _action("Ground acceleration on rock, g: that of the SLV.")] = None
    spectrum: Annotated[str, _action("Whose spectrum: ec8 or ntc2018.")] = "ec8"
    soil: Annotated[str, _action("Ground type, A (rock) to E.")] = "A"
    type: Annotated[int, _action("EC8: spectrum of type 1 or 2.")] = 1
    f0: Annotated[Number, _action("NTC 2018: F0 of the site.")] = None
    tc_star: Annotated[Number, _action("NTC 2018: T_C* of the site, s.")] = None
    topography: Annotated[str | None, _action("NTC 2018: T1 (level) to T4.")] = None
    ag_sld: Annotated[Number, _action("a_g of the SLD, g; without it no verdict on it.")] = None
    ag_slc: Annotated[Number, _action("a_g of the SLC, g; without it no verdict on it.")] = None

    def described(self) -> dict[str, Any]:
        """The spectrum as a study file has it."""
        if self.ag is None:
            raise InputError(
                "--ag is missing: give the ground acceleration on rock in g, such as --ag 0.25."
            )
        if self.ag > STRONG:
            warn(f"--ag {self.ag:g} is in g: {self.ag:g} m/s² would be --ag {self.ag / 9.81:.3g}.")
        kind = {"ec8": "EC8", "ntc2018": "NTC2018", "ntc": "NTC2018"}.get(self.spectrum.lower())
        if kind is None:
            raise InputError(f"--spectrum {self.spectrum} is not allowed: choose ec8 or ntc2018.")
        own = {"kind": kind, "ag": self.ag, "soil": self.soil.upper(), "type": self.type}
        given = {"F0": self.f0, "Tc_star": self.tc_star, "topography": self.topography}
        return {**own, **{name: value for name, value in given.items() if value is not None}}


@dataclass(frozen=True)
class ChoiceOptions(Options):
    """Which codes, and what the engineer chooses in them."""

    code: Annotated[
        list[str] | None,
        _codes(
            "circolare, histories (C8.7.1.2.1.9), ec8, asce43, asce43-sliding or fema; may be "
            "repeated. All that can be made unless given.",
            metavar="NAME",
        ),
    ] = None
    fc: Annotated[Number, _codes("Circolare: confidence factor; 1.35 unless given.")] = None
    crushing: Annotated[
        bool, _codes("Circolare: crushing is modelled, so --fc may be below 1.35.", "--crushing")
    ] = False
    e_star: Annotated[
        str | None, _codes("Circolare: mass lumped (e* = 1) or in slices (e* = 3/4).")
    ] = None
    curve: Annotated[str | None, _codes("Circolare: capacity curve, straight or exact.")] = None
    q: Annotated[Number, _codes("Circolare: behaviour factor; 2 unless given.", "--q-factor")] = (
        None
    )
    modulus: Annotated[
        Number, _codes("Circolare: elastic modulus, Pa, of an element free to vibrate.")
    ] = None
    importance: Annotated[Number, _codes("EC8: γ_a; 1 unless given.")] = None
    behaviour: Annotated[Number, _codes("EC8: q_a; 1 unless given.")] = None
    element_period: Annotated[Number, _codes("EC8: T_a, s; 0 (rigid) unless given.")] = None
    vertical: Annotated[Number, _codes("ASCE 43: vertical over horizontal; 0 unless given.")] = None
    mu: Annotated[Number, _codes("ASCE 43: friction, for the check of sliding.")] = None
    clearance: Annotated[Number, _codes("ASCE 43: how far it may slide, m.")] = None
    pfv: Annotated[
        Number, _codes("FEMA: peak velocity where it stands, m/s; from -m unless given.")
    ] = None
    item: Annotated[str | None, _codes("FEMA: one item, such as E.20.22.104a.")] = None

    def described(self) -> dict[str, Any]:
        """As the table ``[codes]`` has them."""
        given = self.given()
        if "code" in given:
            given["use"] = [_known(code) for code in given.pop("code")]
        if "mu" in given:
            given["friction"] = given.pop("mu")
        return given


def _known(code: str) -> str:
    if code.lower() not in CODES:
        raise InputError(f"--code {code} is not known: choose from {', '.join(CODES)}.")
    return code.lower()


@app.command()
@grouped
def check(
    block: BlockOptions,
    action: ActionOptions,
    floor: FloorOptions,
    choices: ChoiceOptions,
    grounds: PlaneGroundOptions,
    theory: PlaneTheoryOptions,
    match: Annotated[
        bool, result("Scale each motion to the spectrum, 0.15 to 2 s, first.", "--match")
    ] = False,
    table: Annotated[bool, result("Print the table only, not the calculations.", "--table")] = (
        False
    ),
    out: Annotated[
        list[str] | None,
        out_option("Calculations (.md), their lines (.csv) or a figure; repeatable."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Is it safe by the code? Hand calculations with clause numbers, beside our own runs.

    \b
    A parapet by all codes that need no motions:
      [cyan]rocksteady check --height 1.2 --width 0.25 --ag 0.25 --soil B[/cyan]
    On a roof; also --match, to scale records to the spectrum, and -o check.md:
      [cyan]rocksteady check --height 2 --width 0.5 --ag 0.2 --period 0.5 -m records[/cyan]
    """
    files = planned(out, KINDS, FOLDER, sources=grounds.sources)
    body = block.build()
    stands = floor.build()
    given = {**choices.described(), "spectrum": action.described(), "match": match}
    given |= {name: getattr(action, name) for name in ("ag_sld", "ag_slc")}
    with _as_options():
        asked = built(rs.specs.CodesSpec, given, g=body.g)
    if match and not grounds.motion:
        raise InputError("--match needs motions: give them with -m.")
    with Work(quiet=quiet) as work:
        from rocksteady.analysis import codes

        motions = list(grounds.build(body, work).values()) if grounds.motion else []
        with _as_options():
            found = codes.compare(
                body,
                asked.pop("spectrum"),
                floor=stands,
                motions=motions,
                formulation=theory.build() if motions else None,
                progress=work.on("Running the motions at many levels …"),
                **asked,
            )
        for path in files:
            work.on(f"Writing {path.name} …")
            found.plot(path) if path.suffix in FIGURES else found.write(path)
    about = {**found.summary(), "files": [str(path) for path in files]}
    report(about, lambda about: _print(found, about, table=table), as_json=as_json, quiet=quiet)


@contextmanager
def _as_options() -> Iterator[None]:
    """Errors that speak of options, not of Python's arguments."""
    try:
        yield
    except InputError as error:
        raise type(error)(_options(str(error))) from error


def _options(text: str) -> str:
    for said, option in _NAMES.items():
        text = text.replace(said, option)
    return re.sub(r"^(\w+) = (\S+)(?= is not allowed)", _option, text)


def _option(found: re.Match[str]) -> str:
    return f"--{found[1].lower().replace('_', '-')} {found[2].strip(chr(39))}"


def _print(found: Comparison, about: dict[str, Any], *, table: bool) -> None:
    console = output()
    if not table:
        for each in found.checks:
            console.print(each.text(), soft_wrap=True)
            console.print()
    console.print(_table(found))
    if found.runs is not None:
        console.print(found.sentences[-1], soft_wrap=True)
    for code, why in found.skipped.items():
        console.print(Text(f"Not checked, {code}: {_options(why)}", "dim"), soft_wrap=True)
    print_files(about["files"], console)


def _table(found: Comparison) -> Any:
    from rocksteady.analysis.codes.result import digits

    words = {
        True: Text("satisfied", "bold green"),
        False: Text("not satisfied", "bold red"),
        None: Text("–", "dim"),
    }
    table = headed_table(["method", "limit"], ["a_g [g]"], padding=(0, 1, 0, 0), pad_edge=False)
    for heading in ("verdict", "clause"):
        table.add_column(Text(heading), no_wrap=True)
    for row in found.rows:
        cells = (row.method, row.limit, digits(float(f"{row.bears:.4g}")))
        table.add_row(*cells, words[row.satisfied], row.clause)
    table.caption = f"a_g at the limit; required {digits(found.site.ag)} g"
    table.caption_justify = "left"
    return table
