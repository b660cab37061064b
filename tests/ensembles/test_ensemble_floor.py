"""Ensembles on a floor: each run is `simulate`'s under the floor's motion, and strengths are the
ground's."""

from __future__ import annotations

import json

import numpy as np
import pytest

import rocksteady as rs
from rocksteady.ensembles.labels import PGA, common
from rocksteady.ensembles.study_file import read_study
from rocksteady.specs import FloorSpec

ROOF = rs.Floor(period=0.5, storeys=4)
STATUE = rs.Block(height=1.8, width=0.5)
PULSES = {
    "sine": rs.pulses.sine(amplitude=2.0, period=0.6),
    "ricker": rs.pulses.ricker(amplitude=3.0, period=0.9),
}


@pytest.mark.parametrize(
    "formulation", [None, rs.NumericalDissipation(dt=0.003), rs.ComplexPotential()]
)
def test_every_run_is_that_of_simulate(formulation: rs.Formulation | None) -> None:
    scales = [0.7, 1.6]
    found = rs.ensemble(
        STATUE, PULSES, formulation, scales=scales, floor=ROOF, until=4.0, progress=False
    )
    for i, pulse in enumerate(PULSES.values()):
        for j, scale in enumerate(scales):
            felt = ROOF.motion(pulse).scaled(scale)
            run = rs.simulate(STATUE, felt, formulation, until=4.0)
            assert found.peak.values[0, i, j] == run.peak
            assert found.status.values[0, i, j] == run.status
    assert found.peak.values.max() > 0


def test_strengths_are_those_of_the_ground() -> None:
    ground = [motion.scaled_to(pga=9.80665) for motion in PULSES.values()]
    found = rs.ensemble(STATUE, ground, scales=[0.2], floor=ROOF, progress=False)
    assert found.pga.values == pytest.approx(9.80665)
    assert common(found) == {PGA: pytest.approx(1.0)}
    assert found.pgv.values == pytest.approx([motion.pgv for motion in ground])
    assert found.attrs["floor"] == str(ROOF)
    plain = rs.ensemble(STATUE, ground, scales=[0.2], progress=False)
    assert "floor" not in plain.attrs
    assert (plain.peak.values != found.peak.values).any()


def test_a_store_notices_another_floor(tmp_path) -> None:  # type: ignore[no-untyped-def]
    def run(floor: rs.Floor | None, name: str) -> object:
        return rs.ensemble(
            STATUE, PULSES, scales=[1.0], floor=floor, store=tmp_path / name, progress=False
        )

    first = run(ROOF, "roof")
    assert run(ROOF, "roof").identical(first)  # type: ignore[attr-defined]
    assert run(rs.Floor(0.5, 0.05, 4, 4), "roof").identical(first)  # type: ignore[attr-defined]
    run(None, "ground")
    for floor, name in ((None, "roof"), (rs.Floor(0.6, storeys=4), "roof"), (ROOF, "ground")):
        with pytest.raises(rs.InputError, match="it has other floor"):
            run(floor, name)
    assert rs.open_ensemble(tmp_path / "roof").attrs["floor"] == str(ROOF)
    manifest = json.loads((tmp_path / "roof" / "manifest.json").read_text())
    assert manifest["study"]["floor"]["storeys"] == 4


def test_tables_and_figures_name_the_floor(tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = rs.ensemble(STATUE, PULSES, scales=[0.5, 1.0], floor=ROOF, progress=False)
    rs.write_ensemble_table(found, tmp_path / "table.md")
    assert f"stands on the {ROOF}, and lifts off" in (tmp_path / "table.md").read_text()
    rs.write_ensemble_table(found, tmp_path / "table.csv")
    assert str(ROOF) in (tmp_path / "table.csv").read_text()
    rs.plot_ensemble(found, tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").is_file()


def test_not_a_floor() -> None:
    with pytest.raises(rs.InputError, match="is not a floor"):
        rs.ensemble(STATUE, PULSES, floor=4, progress=False)  # type: ignore[arg-type]
    with pytest.raises(rs.InputError, match="already the motion of a floor"):
        rs.ensemble(STATUE, ROOF.motion(PULSES["sine"]), floor=ROOF, progress=False)


# -- study files -----------------------------------------------------------------------------------

STUDY = """\
scales = [0.3, 0.6]
[systems]
height = 1.8
width = 0.5
[[motions]]
pulse = "sine,a=0.4g,T=0.8"
pga = 1.0
[floor]
"""


def test_a_study_on_a_floor(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "study.toml"
    path.write_text(STUDY + "period = 0.5\nstoreys = 4\nlevel = 2\n")
    study = read_study(path).study
    assert study.floor == rs.Floor(0.5, storeys=4, level=2)
    assert study.motions[0].pga == pytest.approx(9.80665)
    assert study.felt[0] == study.floor.motion(study.motions[0])


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("storeys = 4\n", "line 8: .*period"),
        ("period = 0.5\nlevel = 3\n", "line 8: .*level = 3"),
        ("period = 0.5\nstories = 3\n", "line 10.*did you mean storeys"),
        ("period = 0.5\nmodes = [[0.5, 1.2]]\n", "floor.period and modes were both given"),
        ("modes = [[0.5]]\n", "is not a mode"),
        ("period = -1\n", "line 9"),
        ("period = 0.5\ndamping = 5\n", "Five per cent is 0.05"),
    ],
)
def test_wrong_floors_in_a_study(tmp_path, lines: str, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "study.toml"
    path.write_text(STUDY + lines)
    with pytest.raises(rs.InputError, match=words):
        read_study(path)


@pytest.mark.parametrize(
    "floor",
    [rs.Floor(1 / 3, 0.02, 7, 5), rs.Floor.of_modes([0.5, 0.17], [1.24, -0.33], [0.05, 0.1])],
)
def test_a_floor_through_json(floor: rs.Floor) -> None:
    spec = FloorSpec.of(floor)
    again = FloorSpec.checked(json.loads(spec.model_dump_json())).build()
    assert again == floor
    assert str(spec) == str(floor)


# -- physics ---------------------------------------------------------------------------------------


def test_a_statue_bears_less_on_the_roof_of_a_soft_building() -> None:
    """The median PGA that overturns a statue of 1.8 m is lower on the roof of a 1 s building than
    on the ground, although the floor's peak acceleration hardly exceeds the ground's."""
    ground = [motion.scaled_to(pga=9.81) for motion in rs.stochastic.ensemble(40, seed=5)]
    levels = np.geomspace(0.15, 2.0, 30)
    medians = {}
    for floor in (None, rs.Floor(period=1.0, storeys=4)):
        found = rs.ensemble(
            STATUE, ground, scales=levels, floor=floor, until="outcome", progress=False
        )
        share = found.fell.values[0].mean(axis=0)
        medians[floor] = float(levels[np.argmax(share >= 0.5)])
    on_ground, on_roof = medians.values()
    assert on_roof < 0.75 * on_ground
    moved = [rs.Floor(period=1.0, storeys=4).motion(motion).pga / motion.pga for motion in ground]
    assert np.mean(moved) < 1.6
