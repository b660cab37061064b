"""`rocksteady masonry`: identify buildings, push them, run a town of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocksteady.cli.common.building import PRESETS, BuildingOptions
from rocksteady.cli.common.files import keep_sources
from rocksteady.cli.common.inputs import RESULTS, Json, Quiet, grouped
from rocksteady.cli.common.runs import HERE, Backend, RunOptions, say_what_is_kept, when_stopped
from rocksteady.cli.masonry import inputs as typed
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.analysis.identification.identification import Identification

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    no_args_is_help=True,
    help="Masonry buildings: identify them, push them, run a town of them.",
)

FIGURES = (".png", ".svg", ".pdf")
_RESULTS: dict[str, Any] = dict(RESULTS)
_MASS: dict[str, Any] = {"rich_help_panel": "The mass, in one of three ways"}
_FIT: dict[str, Any] = {"rich_help_panel": "The fit"}
_PUSH: dict[str, Any] = {"rich_help_panel": "The push"}
_TOWN: dict[str, Any] = {"rich_help_panel": "Scenarios and damage"}


@app.callback()
def masonry() -> None:
    """Masonry buildings: identify them, push them, run a town of them."""


def _out(text: str) -> Any:
    return typer.Option("--out", "-o", metavar="FOLDER|FILE", help=text, **_RESULTS)


# -- identify --------------------------------------------------------------------------------------


@app.command()
def identify(
    curve: Annotated[
        Path, typer.Argument(metavar="CURVE", help="CSV: displacement \\[mm], force \\[kN].")
    ],
    contact_area: Annotated[
        float, typer.Option("--contact-area", help="Contact area, m²: it cannot be fitted.", **_FIT)
    ],
    fix: Annotated[
        list[str] | None,
        typer.Option("--fix", metavar="NAME=VALUE", help="A parameter that is known.", **_FIT),
    ] = None,
    bound: Annotated[
        list[str] | None,
        typer.Option("--bound", metavar="NAME=LOW:HIGH", help="Bounds of a parameter.", **_FIT),
    ] = None,
    displacement_unit: Annotated[
        str | None,
        typer.Option("--displacement-unit", help="If the file names none: m, mm.", **_FIT),
    ] = None,
    force_unit: Annotated[
        str | None, typer.Option("--force-unit", help="If the file names none: N, kN.", **_FIT)
    ] = None,
    mass: Annotated[float | None, typer.Option("--mass", help="Mass, kg.", **_MASS)] = None,
    frequency: Annotated[
        float | None, typer.Option("--frequency", help="Measured frequency, Hz.", **_MASS)
    ] = None,
    plan_area: Annotated[
        float | None, typer.Option("--plan-area", help="Area of a floor, m².", **_MASS)
    ] = None,
    storeys: Annotated[float | None, typer.Option("--storeys", help="Storeys.", **_MASS)] = None,
    unit_weight: Annotated[
        float | None,
        typer.Option(
            "--unit-weight", help="Weight per floor area, N/m²; 10e3 unless given.", **_MASS
        ),
    ] = None,
    out: Annotated[
        list[Path] | None,
        _out("Figure (.png .svg .pdf) or the building (.toml, .json) for --building; repeatable."),
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
    from rocksteady.cli.common.progress import Work, follow_engine
    from rocksteady.cli.masonry import tables as show

    files = typed.planned(out, (*FIGURES, ".toml", ".json"), folder=("identification.png",))
    keep_sources(files, [curve])
    fixed = {
        name: typed.number(text, f"--fix {name}") for name, text in typed.named_values(fix, "--fix")
    }
    bounds = {
        name: typed.bounds_of(text, name) for name, text in typed.named_values(bound, "--bound")
    }
    _one_way(mass, frequency, plan_area, storeys, unit_weight)
    weighed = any(value is not None for value in (mass, frequency, plan_area))
    for path in files:
        if path.suffix not in FIGURES and not weighed:
            raise InputError(
                f"{path.name} needs the mass: give --mass, --frequency, or --plan-area and "
                "--storeys."
            )
    with Work(quiet=quiet) as work:
        follow_engine()
        u, force = ident.read_curve(curve, displacement_unit, force_unit)
        found = ident.identify(
            u,
            force,
            contact_area=contact_area,
            fixed=fixed,
            bounds=bounds,
            progress=work.on("Fitting the law …"),
        )
        if frequency is not None:
            mass = found.mass_from_frequency(frequency)
        elif plan_area is not None and storeys is not None:
            weight = {} if unit_weight is None else {"unit_weight": unit_weight}
            mass = ident.mass_from_plan(plan_area, storeys, **weight)
        for path in files:
            work.on(f"Writing {path.name} …")
            if path.suffix in FIGURES:
                found.plot(path)
            elif mass is not None:
                _write_building(found, mass, path)
    about = show.of_identification(found, mass, files)
    show.show(about, show.print_identification, as_json, quiet)


def _one_way(
    mass: float | None,
    frequency: float | None,
    area: float | None,
    storeys: float | None,
    weight: float | None,
) -> None:
    ways = {"--mass": mass, "--frequency": frequency, "--plan-area": area}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"{given[0]} and {given[1]} were both given: say the mass in one way.")
    if (area is None) != (storeys is None):
        raise InputError("--plan-area and --storeys go together: the mass needs both.")
    if weight is not None and area is None:
        raise InputError("--unit-weight needs --plan-area and --storeys.")


def _write_building(found: Identification, mass: float, path: Path) -> None:
    """The building in a file that ``--building`` reads."""
    import dataclasses
    import json

    from rocksteady.files import write_whole
    from rocksteady.marks import MARK

    values = dataclasses.asdict(found.building(mass))
    text = json.dumps({"comment": MARK, **values}, indent=2)
    if path.suffix == ".toml":
        text = "\n".join([f"# {MARK}", *(f"{name} = {value!r}" for name, value in values.items())])
    write_whole(path, text + "\n")


# -- pushover --------------------------------------------------------------------------------------


@app.command()
@grouped
def pushover(
    building: BuildingOptions,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="MM[,MM…]",
            help="Displacement to push to, mm; several, one after the other: 2,-2,4,-4.",
            **_PUSH,
        ),
    ] = None,
    points: Annotated[
        int, typer.Option("--points", min=2, help="Points between two of them.", **_PUSH)
    ] = 200,
    out: Annotated[
        list[Path] | None, _out("Figure (.png .svg .pdf) or the curve (.csv); repeatable.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Push a building slowly and follow force, slip, hardening and wear.

    \b
    [cyan]rocksteady masonry pushover --preset casalotti2025 --mass 4e4 --to 18 -o p.png[/cyan]
    [cyan]rocksteady masonry pushover -b house.toml --to 2,-2,4,-4,0 -o cycles.csv[/cyan]
    """
    from rocksteady.analysis.pushover import pushover as push
    from rocksteady.cli.common.progress import Work, follow_engine
    from rocksteady.cli.masonry import tables as show

    files = typed.planned(out, (*FIGURES, ".csv"), folder=("pushover.png", "pushover.csv"))
    keep_sources(files, [building.building])
    if to is None:
        raise InputError("Give --to: the displacement to push to, in mm, as in --to 18.")
    body = building.build()
    with Work(quiet=quiet) as work:
        follow_engine()
        work.on("Pushing the building …")
        response = push(body, typed.history(to, points))
        for path in files:
            if path.suffix in FIGURES:
                response.plot(path)
            else:
                show.write_pushover(response, path)
    show.show(show.of_pushover(response, files), show.print_pushover, as_json, quiet)


# -- portfolio -------------------------------------------------------------------------------------


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
            "--preset",
            metavar="NAME",
            help="A building from the literature that supplies the parameters the table does not "
            f"give: {', '.join(PRESETS)}. The table must give the mass.",
        ),
    ] = None,
    motion: Annotated[
        list[str] | None,
        typer.Option(
            "--motion",
            "-m",
            metavar="[NAME=]FILE|pulse:…",
            help="A scenario: a record or a pulse. May be repeated.",
            **_TOWN,
        ),
    ] = None,
    intensity: Annotated[
        str | None,
        typer.Option(
            "--intensity",
            metavar="COLUMN",
            help="The column that scales the motion at each building: a peak acceleration in the "
            "unit of its name, 'pga \\[g]' (m/s² unless named), a peak velocity, 'pgv \\[m/s]', or "
            "factors, 'scale'.",
            **_TOWN,
        ),
    ] = None,
    wear_limits: Annotated[
        str | None,
        typer.Option("--wear-limits", help="Slight … complete; 0.01,0.05,0.2,0.5.", **_TOWN),
    ] = None,
    drift_limits: Annotated[
        str | None,
        typer.Option("--drift-limits", help="The same; 0.001,0.002,0.004,0.0053.", **_TOWN),
    ] = None,
    height: Annotated[
        float,
        typer.Option("--height", help="Height, m, where the table has none: for drift.", **_TOWN),
    ] = 3.0,
    runs: RunOptions = HERE,
    backend: Backend = "cpu",
    crs: Annotated[
        str | None,
        typer.Option("--crs", help="Coordinate system of x and y: EPSG:32633.", **RESULTS),
    ] = None,
    out: Annotated[
        list[Path] | None,
        _out("A folder, or .geojson, .parquet, .csv, .png .svg .pdf (map); repeatable."),
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
    from rocksteady.cli.common.progress import Work, follow_engine
    from rocksteady.cli.masonry import tables as show

    if example:
        typer.echo(town.example(), nl=False)
        return
    if buildings is None or not motion:
        what = "a table of buildings" if buildings is None else "a scenario with --motion"
        raise InputError(
            f"Give {what}, as in rocksteady masonry portfolio town.csv -m record.AT2; --example "
            "prints a table."
        )
    kinds = (".geojson", ".parquet", ".csv", *FIGURES)
    files = typed.planned(
        out, kinds, folder=("damage.geojson", "damage.parquet", "districts.csv", "map.png")
    )
    keep_sources(files, [buildings, *(text.rpartition("=")[2] for text in motion)])
    given = {"wear": wear_limits, "drift": drift_limits}
    limits: dict[str, Any] = {
        name: typed.numbers(text, name) for name, text in given.items() if text is not None
    }
    states = town.DamageStates(**limits)
    with Work(quiet=quiet) as work:
        follow_engine()
        work.on("Reading …")
        shocks = dict(typed.scenario(text) for text in motion)
        table = town.read_buildings(buildings)
        with when_stopped(lambda: say_what_is_kept(runs.store)):
            result = town.portfolio(
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
                result.plot(path)
            elif path.name == "districts.csv":
                town.write_table(result.summary(), path)
            else:
                result.save(path, crs)
    show.show(show.of_portfolio(result, files), show.print_portfolio, as_json, quiet)
