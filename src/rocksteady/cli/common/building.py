"""The options that describe a masonry building, and the file that can do so, too."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import rocksteady as rs
from rocksteady.cli.common.options import Options, panel
from rocksteady.cli.common.records import built
from rocksteady.errors import InputError

_building = panel("The building")
PRESETS = ("casalotti2025",)


@dataclass(frozen=True)
class BuildingOptions(Options):
    """What is watched."""

    building: Annotated[
        Path | None,
        _building(
            "Its parameters in a file, by the names below (mass = 40e3, …).",
            "--building",
            "-b",
            metavar="FILE.toml|json",
        ),
    ] = None
    preset: Annotated[
        str | None,
        _building(
            f"A building from the literature: {', '.join(PRESETS)}; 23 t unless --mass is given.",
            metavar="NAME",
        ),
    ] = None
    mass: Annotated[float | None, _building("Mass, kg.")] = None
    contact_area: Annotated[float | None, _building("Contact area, m².")] = None
    stiffness: Annotated[float | None, _building("Stiffness, N/m³.")] = None
    threshold: Annotated[float | None, _building("Stress at which it slips at first, N/m².")] = None
    hardening_rate: Annotated[float | None, _building("Rate of hardening, 1/m.")] = None
    hardening_limit: Annotated[float | None, _building("What hardening can add, N/m².")] = None
    wear_energy: Annotated[float | None, _building("Γ, N/m · m^(1/γ).")] = None
    wear_exponent: Annotated[float | None, _building("γ.")] = None
    damping: Annotated[float | None, _building("Viscous damping, N s/m; none unless given.")] = None

    def build(self) -> Any:
        """The building, from a file, a preset or its parameters."""
        values = self.given()
        file = values.pop("building", None)
        if file is not None:
            if self.preset is not None:
                raise InputError("--building and --preset were both given: give one of them.")
            values = {**_values_in(file), **values}
        if "type" not in values:
            values.setdefault("kind", "MasonryBuilding")
        try:
            return built(rs.specs.BodySpec, values, file)
        except InputError as error:
            if " lacks " not in str(error):
                raise
            raise InputError(
                f"{error} Name a file with --building, take --preset {PRESETS[0]}, or "
                "give each of its parameters."
            ) from error


def _values_in(path: Path) -> dict[str, Any]:
    """What a file of TOML or JSON says of a building; its ``comment`` is left out."""
    import json
    import tomllib

    from rocksteady.marks import warn_if_changed

    try:
        data = path.read_bytes()
        warn_if_changed(data, path)
        text = data.decode("utf-8")
        values = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is neither TOML (.toml) nor JSON ({error}).") from error
    if not isinstance(values, dict):
        raise InputError(f"{path} holds no table of parameters.")
    return {name: value for name, value in values.items() if name != "comment"}
