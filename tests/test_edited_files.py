"""Files of motions, stones and buildings may be edited: one that was changed is read with a
warning, or refused; never without a word."""

import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas
import pytest

import rocksteady as rs
from rocksteady.analysis.portfolio.table import write_table
from rocksteady.cli.common.building import _values_in
from rocksteady.cli.common.many import write_study
from rocksteady.cli.masonry.command import _write_building
from rocksteady.specs.toml_lines import read_toml
from rocksteady.studio.taking.files import answer
from rocksteady.text_tables import read_table_file

KINDS = ["motion.csv", "motion.AT2", "stones.json", "stones.compas.json", "stones.dxf",
         "stones.svg", "building.json", "building.toml", "town.parquet", "runs.parquet",
         "study.toml", "taken.toml"]  # fmt: skip


class Found:
    """What an identification offers."""

    def building(self, mass: float) -> rs.MasonryBuilding:
        return rs.MasonryBuilding.casalotti2025(mass)


def written(folder: Path, name: str) -> Path:
    path = folder / name
    if name.startswith("motion"):
        accel = np.random.default_rng(1).normal(0.0, 1.0, 40)
        rs.write_motion(rs.Motion(accel, 0.01, name="noise", meta={"station": "A"}), path)
    elif name.startswith("stones"):
        rs.Assembly.drums(3, height=3.0, width=0.5).save(path)
    elif name.startswith("runs"):
        block, push = rs.Block(1.8, 0.5), rs.pulses.sine(3.0, period=0.8, dt=0.02)
        rs.write_ensemble_runs(rs.ensemble(block, push, progress=False), path)
    elif name == "study.toml":
        motion = rs.pulses.sine(3.0, period=0.8, dt=0.02)
        write_study(rs.simulate(rs.Block(1.8, 0.5), motion), path)
    elif name == "taken.toml":
        case = {"body": {"kind": "Block", "height": 1.8, "width": 0.5},
                "motion": {"pulse": "sine,a=0.4g,T=0.8"}}  # fmt: skip
        path.write_bytes(answer(folder, {"what": "study", "case": case}))
    elif name.startswith("town"):
        write_table(pandas.DataFrame({"mass": np.linspace(1e4, 2e4, 9)}), path)
    else:
        _write_building(Found(), 4e4, path)  # type: ignore[arg-type]
    return path


def read(path: Path) -> list[str]:
    """The warnings about it while it is read."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if path.stem == "motion":
            rs.read_motion(path)
        elif path.stem.startswith("stones"):
            rs.read_assembly(path)
        elif path.suffix == ".parquet":
            read_table_file(path)
        elif path.stem in ("study", "taken"):
            read_toml(path, "a study", "rocksteady ensemble --example")
        else:
            _values_in(path)
    texts = [str(one.message) for one in caught if one.category is rs.RocksteadyWarning]
    return [text for text in texts if path.name in text and "digest" in text]


@pytest.mark.parametrize("flips", [30, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", KINDS)
def test_no_flipped_bit_goes_without_a_word(tmp_path, name, flips):
    path = written(tmp_path, name)
    assert read(path) == []
    data = path.read_bytes()
    for place in np.random.default_rng(2).integers(8 * len(data), size=flips):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        try:
            told = read(path)
        except rs.InputError:
            continue
        assert told, place


def test_what_was_edited_is_read_with_a_warning(tmp_path):
    path = written(tmp_path, "motion.csv")
    text = path.read_text().replace("0.01,", "0.01,1", 1)
    path.write_text(text)
    (told,) = read(path)
    assert told.startswith("motion.csv was changed since rocksteady wrote it: its digest does not")
    kept = [line for line in text.splitlines() if "rocksteady" not in line]
    path.write_text("\n".join(kept) + "\n")  # a file of one's own
    assert read(path) == []


def test_the_command_line_says_it_once(tmp_path):
    path = written(tmp_path, "stones.json")
    path.write_text(path.read_text().replace('"comment"', ' "comment"'))
    line = (sys.executable, "-m", "rocksteady", "assembly", "info", "stones.json")
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr.count("was changed since") == 1, done.stderr
