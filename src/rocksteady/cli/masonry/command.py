"""`rocksteady masonry`: identify buildings, push them, shake them, run a town of them."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rocksteady.cli import COMMANDS
from rocksteady.cli.common.building import PRESETS, BuildingOptions
from rocksteady.cli.common.files import FIGURES, planned
from rocksteady.cli.common.inputs import Json, Quiet, grouped
from rocksteady.cli.common.options import new_app, out_option, panel, result
from rocksteady.cli.common.output import report
from rocksteady.cli.common.progress import Work
from rocksteady.cli.common.runs import HERE, Backend, RunOptions, kept_runs, when_stopped
from rocksteady.cli.masonry import inputs
from rocksteady.cli.masonry.foreshocks import foreshocks
from rocksteady.cli.masonry.shake import shake
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.identification.identification import Identification

app = new_app(COMMANDS["masonry"])
_mass = panel("The mass, in one of three ways")
_fit = panel("The fit")
_push = panel("The push")
_town = panel("Scenarios and damage")


# -- identify --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MassOptions:
    """The mass of an identified building: given, from its frequency or from its floors."""

    mass: Annotated[float | None, _mass("Mass, kg.")] = None
    frequency: Annotated[float | None, _mass("Measured frequency, Hz.")] = None
    plan_area: Annotated[float | None, _mass("Area of a floor, m².")] = None
    storeys: Annotated[float | None, _mass("Storeys.")] = None
    unit_weight: Annotated[
        float | None, _mass("Weight per floor area, N/m²; 10e3 unless given.")
    ] = None

    def check(self, files: list[Path]) -> None:
        """One way only, and one at least where a building is to be written."""
        ways = {"--mass": self.mass, "--frequency": self.frequency, "--plan-area": self.plan_area}
        given = [name for name, value in ways.items() if value is not None]
        if len(given) > 1:
            raise InputError(f"{given[0]} and {given[1]} were both given: say the mass in one way.")
        if (self.plan_area is None) != (self.storeys is None):
            raise InputError("--plan-area and --storeys go together: the mass needs both.")
        if self.unit_weight is not None and self.plan_area is None:
            raise InputError("--unit-weight needs --plan-area and --storeys.")
        for path in files:
            if path.suffix not in FIGURES and not given:
                raise InputError(
                    f"{path.name} needs the mass: give --mass, --frequency, or --plan-area and "
                    "--storeys."
                )

    def of(self, found: "Identification") -> float | None:
        """The mass [kg], if it was given."""
        from rocksteady.analysis.identification import mass_from_plan

        if self.frequency is not None:
            return found.mass_from_frequency(self.frequency)
        if self.plan_area is not None and self.storeys is not None:
            weight = {} if self.unit_weight is None else {"unit_weight": self.unit_weight}
            return mass_from_plan(self.plan_area, self.storeys, **weight)
        return self.mass


@app.command()
@grouped
def identify(
    curve: Annotated[
        Path, typer.Argument(metavar="CURVE", help="CSV: displacement \\[mm], force \\[kN].")
    ],
    contact_area: Annotated[float, _fit("Contact area, m²: it cannot be fitted.")],
    fix: Annotated[
        list[str] | None, _fit("A parameter that is known.", metavar="NAME=VALUE")
    ] = None,
    bound: Annotated[
        list[str] | None, _fit("Bounds of a parameter.", metavar="NAME=LOW:HIGH")
    ] = None,
    displacement_unit: Annotated[str | None, _fit("If the file names none: m, mm.")] = None,
    force_unit: Annotated[str | None, _fit("If the file names none: N, kN.")] = None,
    mass: MassOptions = MassOptions(),  # options, not a value
    out: Annotated[
        list[str] | None,
        out_option(
            "Figure (.png .svg .pdf) or the building (.toml, .json) for --building; repeatable."
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a building's parameters to its force–displacement curve, with intervals.

    \b
    [cyan]rocksteady masonry identify curve.csv --contact-area 16.07 -o fit.png[/cyan]
    [cyan]rocksteady masonry identify curve.csv --contact-area 16.07 -o house.toml[/cyan]
    What is known need not be fitted, and a frequency gives the mass:
    [cyan]rocksteady masonry identify curve.csv --contact-area 16.07 --frequency 8.1[/cyan]
    [cyan]rocksteady masonry identify c.csv --contact-area 16.07 --fix wear_exponent=2[/cyan]
    """
    from rocksteady.analysis import identification as ident
    from rocksteady.cli.masonry.tables import of_identification, print_identification

    kinds = {"figure": FIGURES, "the building": (".toml", ".json")}
    files = planned(out, kinds, ["identification.png"], sources=[curve])
    fixed = inputs.named(fix, "--fix", inputs.number)
    bounds = inputs.named(bound, "--bound", inputs.bounds)
    mass.check(files)
    with Work(quiet=quiet) as work:
        u, force = ident.read_curve(curve, displacement_unit, force_unit)
        found = ident.identify(
            u,
            force,
            contact_area=contact_area,
            fixed=fixed,
            bounds=bounds,
            progress=work.on("Fitting the law …"),
        )
        weighed = mass.of(found)
        for path in files:
            work.on(f"Writing {path.name} …")
            if path.suffix in FIGURES:
                found.plot(path)
            elif weighed is not None:
                _write_building(found, weighed, path)
    about = of_identification(found, weighed, files)
    report(about, print_identification, as_json=as_json, quiet=quiet)


def _write_building(found: "Identification", mass: float, path: Path) -> None:
    """The building in a file that ``--building`` reads."""
    import dataclasses
    import json

    from rocksteady.digests import sealed
    from rocksteady.files import write_whole
    from rocksteady.marks import sealed_mark

    values = dataclasses.asdict(found.building(mass))
    text = json.dumps({"comment": sealed_mark(), **values}, indent=2)
    if path.suffix == ".toml":
        text = "\n".join(
            [f"# {sealed_mark()}", *(f"{name} = {value!r}" for name, value in values.items())]
        )
    write_whole(path, sealed(f"{text}\n".encode()))


# -- pushover --------------------------------------------------------------------------------------


@app.command()
@grouped
def pushover(
    building: BuildingOptions,
    to: Annotated[
        str | None,
        _push(
            "Displacement to push to, mm; several, one after the other: 2,-2,4,-4.",
            metavar="MM[,MM…]",
        ),
    ] = None,
    points: Annotated[int, _push("Points between two of them.", min=2)] = 200,
    out: Annotated[
        list[str] | None, out_option("Figure (.png .svg .pdf) or the curve (.csv); repeatable.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Push a building slowly and follow force, slip, hardening and wear.

    \b
    [cyan]rocksteady masonry pushover --preset casalotti2025 --to 18 -o p.png[/cyan]
    [cyan]rocksteady masonry pushover -b house.toml --to 2,-2,4,-4,0 -o cycles.csv[/cyan]
    """
    from rocksteady.analysis.pushover import pushover as push
    from rocksteady.cli.masonry.tables import of_pushover, print_pushover, write_pushover

    kinds, folder = {"figure": FIGURES, "the curve": (".csv",)}, ("pushover.png", "pushover.csv")
    files = planned(out, kinds, folder, sources=[building.building])
    if to is None:
        raise InputError("Give --to: the displacement to push to, in mm, as in --to 18.")
    body = building.build()
    with Work(quiet=quiet) as work:
        work.on("Pushing the building …")
        response = push(body, inputs.history(to, points))
        for path in files:
            if path.suffix in FIGURES:
                response.plot(path)
            else:
                write_pushover(response, path)
    report(of_pushover(response, files), print_pushover, as_json=as_json, quiet=quiet)


app.command()(shake)
app.command()(foreshocks)


# -- portfolio -------------------------------------------------------------------------------------

TOWN = {"table": (".geojson", ".parquet", ".csv"), "map": FIGURES}
TOWN_FOLDER = ("damage.geojson", "damage.parquet", "districts.csv", "map.png")


@app.command()
@grouped
def portfolio(
    buildings: Annotated[
        Path | None,
        typer.Argument(metavar="TABLE", help="Buildings, a row each: .csv or .parquet."),
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a table of buildings that can be run.")
    ] = False,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A building from the literature that supplies the parameters the table does not "
            f"give: {', '.join(PRESETS)}. The table must give the mass.",
        ),
    ] = None,
    motion: Annotated[
        list[str] | None,
        _town(
            "A scenario: a record or a pulse. May be repeated.",
            "--motion",
            "-m",
            metavar="[NAME=]FILE|pulse:…",
        ),
    ] = None,
    intensity: Annotated[
        str | None,
        _town(
            "The column that scales the motion at each building: a peak acceleration in the "
            "unit of its name, 'pga \\[g]' (m/s² unless named), a peak velocity, 'pgv \\[m/s]', or "
            "factors, 'scale'.",
            metavar="COLUMN",
        ),
    ] = None,
    wear_limits: Annotated[str | None, _town("Slight … complete; 0.01,0.05,0.2,0.5.")] = None,
    drift_limits: Annotated[str | None, _town("The same; 0.001,0.002,0.004,0.0053.")] = None,
    height: Annotated[float, _town("Height, m, where the table has none: for drift.")] = 3.0,
    runs: RunOptions = HERE,
    backend: Backend = "cpu",
    crs: Annotated[str | None, result("Coordinate system of x and y: EPSG:32633.")] = None,
    out: Annotated[
        list[str] | None,
        out_option("A folder, or .geojson, .parquet, .csv, .png .svg .pdf (map); repeatable."),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run every building of a table under an earthquake: how many are damaged, and where?

    \b
    Start from an example table and a record:
      [cyan]rocksteady masonry portfolio --example > town.csv[/cyan]
      [cyan]rocksteady masonry portfolio town.csv --preset casalotti2025 -m record.AT2[/cyan]
    The motion scaled to each building by a column, and a folder of results:
      [cyan]rocksteady masonry portfolio town.csv -m record.AT2 --intensity pga -o town[/cyan]
    """
    from rocksteady.analysis.portfolio import assess as town
    from rocksteady.cli.masonry.tables import of_portfolio, print_portfolio

    if example:
        typer.echo(town.example(), nl=False)
        return
    if buildings is None or not motion:
        what = "a table of buildings" if buildings is None else "a scenario with --motion"
        raise InputError(
            f"Give {what}, as in rocksteady masonry portfolio town.csv -m record.AT2; --example "
            "prints a table."
        )
    sources: list[str | Path] = [buildings, *(text.rpartition("=")[2] for text in motion)]
    files = planned(out, TOWN, TOWN_FOLDER, sources=sources)
    states = town.DamageStates(**inputs.limits(wear=wear_limits, drift=drift_limits))
    with Work(quiet=quiet) as work:
        work.on("Reading …")
        shocks = dict(inputs.scenario(text) for text in motion)
        table = town.read_buildings(buildings)
        with when_stopped(lambda: kept_runs(runs.store)):
            assessed = town.portfolio(
                table,
                shocks,
                intensity=intensity,
                states=states,
                height=height,
                preset=preset,
                backend=backend,
                **vars(runs),
                progress=work.on(f"Running {len(table)} buildings …"),
            )
        for path in files:
            work.on(f"Writing {path.name} …")
            if path.suffix in FIGURES:
                assessed.plot(path)
            elif path.name == "districts.csv":
                town.write_table(assessed.summary(), path)
            else:
                assessed.save(path, crs)
    report(of_portfolio(assessed, files), print_portfolio, as_json=as_json, quiet=quiet)
