"""Ensembles of assemblies: different numbers of stones, a store, what is kept of each run."""

import json

import numpy as np
import pytest

import rocksteady as rs

PULSES = [rs.pulses.sine(9.81, period=period, dt=0.01) for period in (0.8, 1.5)]
SCALES = [0.1, 0.2, 0.35]
COLUMNS = {f"{count} drums": rs.Assembly.drums(count, 6.0, 1.0) for count in (1, 3)}


@pytest.fixture(scope="module")
def data():
    return rs.ensemble(COLUMNS, PULSES, scales=SCALES, progress=False)


def test_columns_of_different_counts_run_together(data):
    assert dict(data.sizes) == {"system": 2, "motion": 2, "scale": 3}
    assert data["stone_count"].values.tolist() == [1, 3]
    assert data["fell"].values.any() and not data["fell"].values.all()
    assert {"fallen", "turn", "residual", "unconverged", "time_of_collapse"} <= set(data)
    assert ((data["fallen"] > 0) == data["fell"]).all()
    assert float(data["residual"].max()) < 1e-4 and not data["unconverged"].any()


def test_each_run_is_that_of_simulate(data):
    for i, column in enumerate(COLUMNS.values()):
        response = rs.simulate(column, PULSES[1].scaled(SCALES[2]))
        run = data.isel(system=i, motion=1, scale=2)
        assert float(run["peak"]) == response.peak
        assert float(run["turn"]) == response.column("turn")[-1]
        assert int(run["status"]) == response.status


def test_a_store_resumes_with_the_same_numbers(data, tmp_path):
    for _ in range(2):
        kept = rs.ensemble(COLUMNS, PULSES, scales=SCALES, store=tmp_path / "s", progress=False)
        for name in ("peak", "status", "fallen", "residual"):
            np.testing.assert_array_equal(kept[name].values, data[name].values)


def test_assemblies_come_back_from_their_table(data):
    for i, column in enumerate(COLUMNS.values()):
        names = rs.Assembly.stored_names()
        row = {name: data[name].values[i].item() for name in names}
        assert rs.Assembly.from_values(row) == column


@pytest.mark.parametrize("named", [True, False])
def test_a_table_of_runs_has_the_stones_once_beside_it(tmp_path, named):
    columns = COLUMNS if named else list(COLUMNS.values())
    data = rs.ensemble(columns, PULSES, scales=SCALES, progress=False)
    path = rs.write_ensemble_runs(data, tmp_path / "runs.csv")
    head, *rows = path.read_text().splitlines()
    assert "description" not in head and "total_mass [kg]" in head and len(rows) == 12
    assert max(map(len, rows)) < 400
    described = json.loads((tmp_path / "runs.systems.json").read_text())
    assert [*map(str, data["system"].values)] == list(described["systems"])
    made = [rs.Assembly.from_values(values) for values in described["systems"].values()]
    assert made == list(COLUMNS.values())


def test_fragility_counts_collapses():
    column, levels = COLUMNS["3 drums"], [0.1, 0.2, 0.5, 1.0]
    found = rs.analysis.fragility(column, PULSES, levels=levels, progress=False)
    assert list(found.states) == ["overturned"] and found.main.words == "collapsed"
    fell = [
        sum(rs.simulate(column, one.scaled_to(pga=level * 9.81)).fell for one in PULSES)
        for level in levels
    ]
    assert found.main.shares.count.tolist() == fell and 0 < sum(fell) < 8
    assert np.isnan(found.stripes.gate)  # no threshold of lift-off
    with pytest.raises(rs.InputError, match="has no threshold at which a body lifts off"):
        rs.analysis.fragility(found.stripes, limits="lifts off")


@pytest.mark.parametrize("until", ["motion", 0.4])
def test_runs_that_end_with_the_motion_or_before(until):
    column = rs.Assembly.drums(2, height=2.0, width=0.4)
    push = rs.pulses.sine(amplitude=3.0, period=0.6, dt=0.005)
    found = rs.ensemble([column], [push], until=until)
    alone = rs.simulate(column, push, until=until)
    assert float(found.peak.squeeze()) == alone.peak
    assert int(found.impacts.squeeze()) == len(alone.impacts)
