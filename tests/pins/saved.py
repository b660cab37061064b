"""What stands in saved files: columns, fields, attributes and keys with their types, no numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow.parquet

import rocksteady as rs
from pins.commands import PULSES, called, folder
from pins.commands import STATUE as STATUE_TYPED

STATUE = rs.Block(1.8, 0.5)
CHANGING = re.compile(r"\b[0-9a-f]{16,}\b|\b\d+\.\d+\.\d+\S*|\b\d{4}-\d\d-\d\d\S*")
"""Seals, versions and dates."""


def file_texts() -> dict[str, str]:
    """Every file that the makers below write, described."""
    texts = {}
    with folder() as place:
        given = set(place.rglob("*"))
        for make in MAKERS:
            make()
        for path in sorted(set(place.rglob("*")) - given):
            if path.is_file() and path.suffix in DESCRIBED:
                name = path.relative_to(place).as_posix()
                texts[name] = "\n".join(DESCRIBED[path.suffix](path))
            elif path.is_file():
                texts[path.relative_to(place).as_posix()] = "not described"
    return texts


# -- what is written -------------------------------------------------------------------------------


def responses() -> None:
    push = rs.read_motion("push.csv")
    both = rs.Motion(push.accel, push.dt, vertical=0.3 * push.accel, name="both")
    runs = {
        "block": rs.simulate(STATUE, both),
        "sliding": rs.simulate(STATUE, push, rs.Nonsmooth(friction=0.3)),
        "springs": rs.simulate(rs.Block(4.2, 0.6), push, rs.RigidBodySpring()),
        "tank": rs.simulate(rs.FlexibleOscillator.giouvanidis2016(), push, until=1.0),
        "house": rs.simulate(rs.MasonryBuilding.casalotti2025(4e4), push, until=1.0),
        "solid": rs.simulate(rs.Body.box(0.45, 0.45, 1.8), rs.read_motion("three.csv"), until=1.0),
        "drums": rs.simulate(rs.Assembly.read("drums.json"), push, until=0.5),
    }
    for name, run in runs.items():
        run.save(f"{name}.nc")
        run.save(f"{name}.csv")


def ensembles() -> None:
    pulses = [rs.pulses.sine(3.0, 0.8, dt=0.01), rs.pulses.ricker(3.0, 0.8, dt=0.01)]
    bodies = {"statue": STATUE, "slim": rs.Block(4.2, 0.6)}
    more: dict[str, Any] = {"scales": [1, 2], "progress": False}
    found = rs.ensemble(bodies, pulses, store="store", keep=[0], **more)
    rs.write_ensemble_table(found, "table.csv")
    rs.write_ensemble_table(found, "table.md", "Study")
    rs.write_ensemble_runs(found, "runs.csv")
    rs.write_ensemble_runs(found, "runs.parquet")
    found.to_netcdf("ensemble.nc", engine="h5netcdf")
    houses = [rs.MasonryBuilding.casalotti2025(mass) for mass in (2e4, 4e4)]
    rs.write_ensemble_runs(rs.ensemble(houses, pulses, progress=False), "houses.csv")


def analyses() -> None:
    pulses = [rs.pulses.sine(3.0, period, dt=0.01) for period in (0.5, 0.8, 1.2)]
    quiet: dict[str, Any] = {"progress": False}
    rs.analysis.rocking_spectrum(pulses, alpha=0.2, periods=[2, 4], **quiet).save("spectrum.csv")
    axes = {"frequencies": [2.0, 4.0], "strengths": [1.0, 2.0]}
    rs.analysis.overturning_map(STATUE, "sine", **axes, **quiet).save("map.csv")
    rs.analysis.overturning_map(STATUE, "sine", **axes, **quiet).save("map.nc")


def bodies_and_motions() -> None:
    rs.Assembly.trilith(0.5, 2.0, 1.5, 0.4).save("trilith.json")
    motion = rs.read_motion("three.csv")
    rs.write_motion(motion, "motion.csv")
    rs.write_motion(rs.read_motion("push.csv"), "motion.AT2")


SILENT = 6  # the exit status where a sensor gives no more samples
WATCH = "monitor --preset casalotti2025 --mass 23e3 --follow other.csv --dt 0.01 --patience 0.1"
COMMANDS = (
    f"simulate {STATUE_TYPED} -m push.csv -o case.toml",
    f"fragility {STATUE_TYPED} {PULSES} --levels 5 -o fragility/",
    "masonry pushover --preset casalotti2025 --mass 4e4 --to 2 -o pushover.csv",
    "masonry shake --preset casalotti2025 push.csv -o shaken/",
    "assembly limit drums.json -o limit/",
    "check --height 1.2 --width 0.25 --ag 0.25 --soil B -o check.csv",
    "motion floor push.csv --period 0.4 --storeys 3 -o floor.csv",
    f"{WATCH} --log watched",
    f"overturning {STATUE_TYPED} --pulse sine --frequencies 2:4:2 --strengths 1:2:2 -o typed/",
)


def commands() -> None:
    for line in COMMANDS:
        code, out, err = called(line.split())
        assert code in (0, SILENT), f"rocksteady {line}\n{out}{err}"


MAKERS: tuple[Callable[[], None], ...] = (
    responses, ensembles, analyses, bodies_and_motions, commands,
)  # fmt: skip


# -- how it is described ---------------------------------------------------------------------------


def _table(path: Path) -> Iterator[str]:
    """Remarks, headings, and how many rows follow."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    yield from map(_steady, lines[: first + 1])
    yield f"rows: {len(lines) - first - 1}"


def _text(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield re.sub(r"-?\d+\.\d{4,}(e[-+]?\d+)?", "#", _steady(line))


def _json(path: Path) -> Iterator[str]:
    yield from _keys(json.loads(path.read_text(encoding="utf-8")))


def _lines_of_json(path: Path) -> Iterator[str]:
    """The kinds of lines, each once."""
    kinds = {
        "\n".join(_keys(json.loads(line))) for line in path.read_text(encoding="utf-8").splitlines()
    }
    yield from sorted(kinds)


def _keys(value: Any, path: str = "") -> Iterator[str]:
    """Each key with the type of its value; of a list, what its entries have."""
    if isinstance(value, dict) and path.rpartition(".")[2] != "environment":
        for key, below in value.items():
            yield from _keys(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        yield from dict.fromkeys(line for below in value for line in _keys(below, f"{path}[]"))
    elif isinstance(value, list):
        yield f"{path}: list of {' '.join(sorted({type(v).__name__ for v in value}))}"
    else:
        yield f"{path}: {type(value).__name__}"


def _netcdf(path: Path) -> Iterator[str]:
    """Variables with their dimensions, types and attributes."""
    with h5py.File(path) as file:
        yield from _attributes("", file)
        for name in sorted(file):
            yield f"{name} {file[name].dtype} {_dimensions(file[name])}"
            yield from _attributes(f"  {name}", file[name])


def _dimensions(variable: Any) -> str:
    return ", ".join(scale[0].name.strip("/") if len(scale) else "-" for scale in variable.dims)


def _attributes(name: str, thing: Any) -> Iterator[str]:
    hidden = {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME", "_Netcdf4Dimid",
              "_Netcdf4Coordinates", "_NCProperties"}  # fmt: skip
    for key in sorted(set(thing.attrs) - hidden):
        value = thing.attrs[key]
        text = value.decode() if isinstance(value, bytes) else value
        if isinstance(text, str) and text.startswith(("{", "[")):
            yield from (f"{name}@{line}" for line in _keys(json.loads(text), key))
        elif isinstance(text, str):
            yield f"{name}@{key}: {_steady(text)[:120]}"
        else:
            yield f"{name}@{key}: {np.asarray(text).dtype}"


def _parquet(path: Path) -> Iterator[str]:
    schema = pyarrow.parquet.read_schema(path)
    yield from (f"{field.name}: {field.type}" for field in schema)
    yield f"metadata: {', '.join(sorted(key.decode() for key in schema.metadata or {}))}"


def _steady(line: str) -> str:
    return CHANGING.sub("...", line)


DESCRIBED: dict[str, Callable[[Path], Iterator[str]]] = {
    ".csv": _table, ".json": _json, ".jsonl": _lines_of_json, ".nc": _netcdf,
    ".parquet": _parquet, ".toml": _text, ".md": _text, ".AT2": _text,
}  # fmt: skip
