"""The answers as ``object.toml``, which ``rocksteady assess`` takes."""

from pathlib import Path
from typing import Any

from rocksteady.files import write_whole
from rocksteady.specs.as_toml import lines
from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.asking.words import PER_STOREY, RETURN_PERIOD, SLOPE

HEAD = """\
# An object to assess, as asked in Rocksteady Studio. The same report again:
#
#     rocksteady assess object.toml --out report.html
#
# SI units (m, kg, s); accelerations in g.
"""


def written(asked: AskRequest, path: Path) -> Path:
    """Write it; the path."""
    return write_whole(path, text(asked))


def text(asked: AskRequest) -> str:
    tables = asked.tables()
    said = _about(asked)
    parts = [HEAD, lines({"name": tables.pop("name"), "years": tables.pop("years")})]
    for name, table in tables.items():
        many: list[dict[str, Any]] = table if isinstance(table, list) else [table]
        head = f"[[{name}]]" if isinstance(table, list) else f"[{name}]"
        parts += [f"{head}{said.get(name, '')}\n{lines(one)}" for one in many]
    return "\n".join(parts)


def _about(asked: AskRequest) -> dict[str, str]:
    """A comment for the tables whose numbers were not typed in."""
    said = {"motions": "  # generated, like strong motions on firm ground away from the fault"}
    if asked.place.levels is None:
        word = "" if asked.place.strength is None else f'"{asked.place.strength}": '
        said["hazard"] = (
            f"  # {word}PGA {asked.place.at_475():g} g once in {RETURN_PERIOD:g} years; the slope "
            f"k = {SLOPE:g} is that of EN 1998-1, 2.1(4)"
        )
    if asked.storey and asked.period is None:
        said["floor"] = f"  # period by rule of thumb: {PER_STOREY:g} s for each storey"
    return said
