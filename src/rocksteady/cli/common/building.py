"""The options that describe a masonry building, and the file that can do so, too."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from rocksteady.errors import InputError

_BUILDING: dict[str, Any] = {"rich_help_panel": "The building"}
PRESETS = ("casalotti2025",)


def _option(name: str, text: str) -> Any:
    return Option(name, help=text, **_BUILDING)


@dataclass(frozen=True)
class BuildingOptions:
    """What is watched."""

    building: Annotated[
        Path | None,
        Option(
            "--building",
            "-b",
            metavar="FILE.toml|json",
            help="Its parameters in a file, by the names below (mass = 40e3, …).",
            **_BUILDING,
        ),
    ] = None
    preset: Annotated[
        str | None,
        Option(
            "--preset",
            metavar="NAME",
            help=f"A building from the literature: {', '.join(PRESETS)}. Needs --mass.",
            **_BUILDING,
        ),
    ] = None
    mass: Annotated[float | None, _option("--mass", "Mass, kg.")] = None
    contact_area: Annotated[float | None, _option("--contact-area", "Contact area, m².")] = None
    stiffness: Annotated[float | None, _option("--stiffness", "Stiffness, N/m³.")] = None
    threshold: Annotated[
        float | None, _option("--threshold", "Stress at which it slips at first, N/m².")
    ] = None
    hardening_rate: Annotated[
        float | None, _option("--hardening-rate", "Rate of hardening, 1/m.")
    ] = None
    hardening_limit: Annotated[
        float | None, _option("--hardening-limit", "What hardening can add, N/m².")
    ] = None
    wear_energy: Annotated[float | None, _option("--wear-energy", "Γ, N/m · m^(1/γ).")] = None
    wear_exponent: Annotated[float | None, _option("--wear-exponent", "γ.")] = None
    damping: Annotated[
        float | None, _option("--damping", "Viscous damping, N s/m; none unless given.")
    ] = None

    @property
    def given(self) -> bool:
        """Whether any of them was given."""
        return any(value is not None for value in dataclasses.asdict(self).values())

    def build(self) -> Any:
        """The building, from a file, a preset or its parameters."""
        from rocksteady.systems.masonry import MasonryBuilding

        options = {k: v for k, v in dataclasses.asdict(self).items() if v is not None}
        file, preset = options.pop("building", None), options.pop("preset", None)
        if file is not None:
            if preset is not None:
                raise InputError("--building and --preset were both given: give one of them.")
            return building_from_file(file, options)
        if preset is not None:
            return _preset(preset, options)
        return _made(MasonryBuilding, options, "the options")


def _preset(name: str, options: dict[str, float]) -> Any:
    from rocksteady.systems.masonry import MasonryBuilding

    if name not in PRESETS:
        raise InputError(f"There is no preset {name!r}: there is {', '.join(PRESETS)}.")
    if "mass" not in options:
        raise InputError(f"--preset {name} needs --mass, in kg: the paper does not give it.")
    building = MasonryBuilding.casalotti2025(options["mass"])
    return dataclasses.replace(building, **options)


def building_from_file(path: Path, options: dict[str, float]) -> Any:
    """A building from TOML or JSON; ``options`` take the place of what the file says. A key
    ``type`` may name another kind of body ("Block"), ``preset`` a building from the literature; a
    ``comment`` is ignored."""
    import json
    import tomllib

    from rocksteady.systems import SYSTEMS

    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise InputError(f"{path} is neither TOML (.toml) nor JSON ({error}).") from error
    if not isinstance(values, dict):
        raise InputError(f"{path} holds no table of parameters.")
    values = {**values, **options}
    values.pop("comment", None)  # JSON has no other place for one
    if "preset" in values:
        return _preset(values.pop("preset"), values)
    return _made(SYSTEMS.named(values.pop("type", "MasonryBuilding")), values, str(path))


def _made(kind: type[Any], values: dict[str, Any], where: str) -> Any:
    names = {field.name: field for field in dataclasses.fields(kind)}
    unknown = [name for name in values if name not in names]
    needed = [n for n, f in names.items() if f.default is dataclasses.MISSING and n not in values]
    if unknown:
        raise InputError(
            f"{where}: a {kind.__name__} has no {', '.join(unknown)}; it has {', '.join(names)}."
        )
    if needed:
        raise InputError(
            f"The building lacks {', '.join(needed)}: name a file with --building, take "
            "--preset casalotti2025 with --mass, or give each of its parameters."
        )
    return kind(**values)
