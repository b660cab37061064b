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
from rocksteady.cli.masonry.command import _write_building
from rocksteady.text_tables import read_table_file

KINDS = ["motion.csv", "motion.AT2", "stones.json", "stones.compas.json", "stones.dxf",
         "stones.svg", "building.json", "building.toml", "town.parquet"]  # fmt: skip


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
        elif path.stem == "town":
            read_table_file(path)
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
