"""The units of the parameters of bodies, and checks of the units in table headings."""

import re

from rocksteady.errors import InputError, warn

TALL = 50.0  # m: no column or obelisk is taller; a larger number is probably in centimetres
MILLIMETRES = 1000.0  # or, from here on, in millimetres

UNITS = {
    "height": "m",
    "width": "m",
    "density": "kg/m3",
    "thickness": "m",
    "offset": "m",
    "com_height": "m",
    "mass": "kg",
    "top_mass": "kg",
    "base_mass": "kg",
    "column_mass": "kg",
    "inertia": "kg m2",
    "g": "m/s2",
    "base_x": "m",
    "base_y": "m",
    "diameter": "m",
    "radius": "m",
    "top_diameter": "m",
    "base_radius": "m",
    "offset_x": "m",
    "offset_y": "m",
    "centre": "m",
    "centre_x": "m",
    "centre_y": "m",
    "centre_z": "m",
    **dict.fromkeys((f"inertia_{axes}" for axes in ("xx", "yy", "zz", "xy", "xz", "yz")), "kg m2"),
    "base": "m",
    "shape": "m",
    "tolerance": "m",
    "turn": "deg",
    "weakest": "deg",
    "natural_frequency": "rad/s",
    "alpha": "rad",
    "p": "rad/s",
    "R": "m",
    "contact_area": "m2",
    "stiffness": "N/m3",
    "threshold": "N/m2",
    "hardening_rate": "1/m",
    "hardening_limit": "N/m2",
    "wear_energy": "N/m m^(1/wear_exponent)",
    "damping": "N s/m",
    "period": "s",
    **dict.fromkeys(
        (
            "top_width",
            "beam_length",
            "beam_height",
            "overhang",
            "gap",
            "lintel_height",
            "ring",
            "span",
            "rise",
            "buttress_width",
            "buttress_height",
            "length",
            "bearing",
            "total_length",
            "total_height",
        ),
        "m",
    ),
    "embrace": "deg",
    "total_mass": "kg",
    "statue_density": "kg/m3",
}
WRITTEN = {  # for people: m², N/m³
    name: re.sub("(?<=[ms])[23]", lambda power: "²³"[int(power[0]) - 2], unit)
    for name, unit in UNITS.items()
} | {"wear_energy": "N/m · m^(1/γ)"}
_SPELLINGS = {"pa": "n/m2", "kg/s": "ns/m", "m-1": "1/m"}


def split_unit(label: object) -> tuple[str, str]:
    """Name and unit of a column: "pga [g]" → ("pga", "g")."""
    match = re.fullmatch(r"\s*(.*?)\s*(?:\[\s*(.*?)\s*\])?\s*", str(label))
    return (match[1], match[2] or "") if match else (str(label), "")


def check_unit(name: str, unit: str) -> None:
    """Refuse a column in the wrong unit; ``unit`` is the one in the heading, or empty."""
    wanted = UNITS.get(name, "")
    if not unit or not wanted or name == "wear_energy":  # its unit is written in many ways
        return
    if _plain(unit) != _plain(wanted):
        raise InputError(
            f"The column '{name} [{unit}]' is in {unit}, but {name} must be in {wanted}. Convert "
            "the column and change its heading."
        )


def _plain(unit: str) -> str:
    """A unit in normal form: "N·s/m" and "N s/m" are "ns/m"."""
    plain = unit.translate(str.maketrans("²³", "23", " ^·*")).lower()
    return _SPELLINGS.get(plain, plain)


def suspect_centimetres(height: float, written: str) -> None:
    """Warn if a ``height`` [m] is probably in centimetres or millimetres; ``written`` is the text
    before the number where the user gave it, such as "--height "."""
    if height > TALL:
        unit, per_metre = ("cm", 100) if height < MILLIMETRES else ("mm", 1000)
        warn(
            f"The body is {height:g} m high. Sizes are in metres: {height:g} {unit} would be "
            f"{written}{height / per_metre:g}.",
            stacklevel=3,
        )
