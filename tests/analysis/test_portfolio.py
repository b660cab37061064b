"""A town of masonry buildings: every row as the building alone, and nothing lost on the way."""

import dataclasses
import json

import numpy as np
import pandas
import pytest
from typer.testing import CliRunner

from rocksteady import open_ensemble, pulses, simulate
from rocksteady.analysis.portfolio.assess import DamageStates, portfolio
from rocksteady.analysis.portfolio.study import Town
from rocksteady.analysis.portfolio.table import PARAMETERS, read_buildings
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.cli.masonry.command import app
from rocksteady.cli.masonry.tables import of_portfolio, print_portfolio
from rocksteady.engine.batch import batch_peaks
from rocksteady.engine.cuda import batch as cuda
from rocksteady.engine.drivers import make_trace
from rocksteady.ensembles import plan
from rocksteady.errors import InputError, RocksteadyWarning
from rocksteady.motion import Motion
from rocksteady.theories.masonry.formulation import Masonry

MOTION = pulses.sine(amplitude=3.0, period=0.35, cycles=4, dt=0.01, tail=1.0)


def town(count=40, seed=0):
    rng = np.random.default_rng(seed)
    vary = lambda value, share: value * np.exp(share * rng.standard_normal(count))  # noqa: E731
    return pandas.DataFrame(
        {
            "id": [f"b{i:03d}" for i in range(count)],
            "lon": rng.uniform(13.35, 13.45, count),
            "lat": rng.uniform(42.30, 42.40, count),
            "district": rng.choice(["Centro", "Nord", "Est"], count),
            "mass [kg]": vary(40e3, 0.2),
            "contact_area [m2]": vary(16.07, 0.2),
            "stiffness": vary(6.438e6, 0.2),
            "threshold": vary(3734.0, 0.2),
            "hardening_rate": vary(500.0, 0.2),
            "hardening_limit": vary(2489.0, 0.2),
            "wear_energy": vary(4.0, 0.2),
            "wear_exponent": 2.0,
            "pga [g]": rng.uniform(0.02, 0.4, count),
        }
    )


TOWN = town()


def alone(row, scale):
    """One building by itself, through the driver that records every step."""
    names = {str(label).split(" [")[0]: label for label in row.index}
    building = MasonryBuilding(**{p: row[names[p]] for p in PARAMETERS if p in names})
    how = Masonry()
    trace = make_trace(how.advance_for(building))
    motion = MOTION.scaled(scale)
    still = np.zeros(len(motion.accel))
    states = np.empty((len(motion.accel), len(how.columns(building))))
    rows, _, _ = trace(
        how.start(building), how.parameters(building), (motion.accel, still), motion.dt, 0.0, states
    )
    return states[:rows]


@pytest.fixture(scope="module")
def result():
    return portfolio(TOWN, {"pulse": MOTION}, intensity="pga")


def test_a_column_that_is_nearly_a_parameter_is_refused():
    town = TOWN.assign(dampnig=1e5)
    with pytest.raises(InputError, match="'dampnig' is not known here; did you mean damping"):
        portfolio(town, MOTION, preset="casalotti2025")
    with pytest.warns(RocksteadyWarning, match="are not read: owner, floor"):
        portfolio(
            TOWN.assign(owner="city", floor=2), MOTION, intensity="pga", preset="casalotti2025"
        )
    with pytest.warns(RocksteadyWarning, match=r"are not read: pga \[g\]\."):
        portfolio(TOWN, MOTION, preset="casalotti2025")


def test_each_building_is_as_if_alone(result):
    for i in range(0, len(TOWN), 3):
        scale = TOWN["pga [g]"][i] * 9.80665 / MOTION.pga
        states = alone(TOWN.iloc[i], scale)
        row = result.table.iloc[i]
        assert row["id"] == TOWN["id"][i]
        last = states[-1]
        assert row["wear [-]"] == pytest.approx(last[4], rel=1e-9, abs=1e-15)
        assert row["slip [m]"] == pytest.approx(last[2], rel=1e-9, abs=1e-15)
        assert row["peak_displacement [m]"] >= np.abs(states[:, 0]).max() * (1 - 1e-12)
        assert row["pga [m/s2]"] == pytest.approx(TOWN["pga [g]"][i] * 9.80665)


def test_damage_is_what_the_limits_say(result):
    limits = DamageStates()
    for _, row in result.table.iterrows():
        wear, drift = row["wear [-]"], row["peak_displacement [m]"] / 3.0
        worst = 0
        for state in range(4):
            if wear >= limits.wear[state] or drift >= limits.drift[state]:
                worst = state + 1
        if not np.isnan(row["collapse_time [s]"]):
            worst = 4
        assert row["damage_state"] == worst
        assert row["damage"] == limits.names[worst]
    assert result.table["damage_state"].nunique() >= 4  # a town with something of each kind
    assert result.table["collapse_time [s]"].notna().any()


def test_limits_are_adjustable_and_checked():
    strict = DamageStates(wear=(1e-9, 1e-8, 1e-7, 1e-6))
    lenient = portfolio(TOWN, MOTION, intensity="pga").table["damage_state"]
    harder = portfolio(TOWN, MOTION, intensity="pga", states=strict).table["damage_state"]
    assert (harder >= lenient).all() and (harder > lenient).any()
    for wrong in ((0.1, 0.05, 0.2, 0.5), (0.1, 0.2), (0.0, 0.1, 0.2, 0.3)):
        with pytest.raises(InputError, match="numbers that do not fall"):
            DamageStates(wear=wrong)


def test_an_interrupted_town_goes_on(tmp_path, monkeypatch, result):
    """From its store, part by part; the same runs serve other limits without being made again."""
    monkeypatch.setattr(plan, "PART_SECONDS", 4e-5)  # about two runs in each part
    options = {"intensity": "pga", "store": tmp_path / "store"}

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        portfolio(TOWN, {"pulse": MOTION}, **options, progress=stop)
    calls = []
    done = portfolio(TOWN, {"pulse": MOTION}, **options, progress=lambda *a: calls.append(a))
    assert 0 < calls[0][0] < len(TOWN) and calls[-1] == (len(TOWN), len(TOWN))
    pandas.testing.assert_frame_equal(done.table, result.table)
    monkeypatch.setattr(Town, "compute", None)  # calling it would fail
    strict = DamageStates(wear=(1e-9, 1e-8, 1e-7, 1e-6))
    again = portfolio(TOWN, {"pulse": MOTION}, **options, states=strict)
    assert (again.table["damage_state"] >= done.table["damage_state"]).all()
    data = open_ensemble(tmp_path / "store")
    assert data.wear.dims == ("scenario", "building")
    assert data.building.values.tolist() == TOWN["id"].tolist()
    with pytest.raises(InputError, match="holds another study: it has other scales"):
        portfolio(TOWN, {"pulse": MOTION}, store=tmp_path / "store")


def test_a_gpu_is_asked_where_one_is_wanted(monkeypatch, result):
    """Its batch loop takes the same arguments; here the processor's stands in for it."""
    asked = []

    def stand_in(*arguments, precision, **options):
        asked.append(precision)
        return batch_peaks(*arguments, **options)

    monkeypatch.setattr(cuda, "available", lambda: (True, "pretended"))
    monkeypatch.setattr(cuda, "batch_peaks", stand_in)
    done = portfolio(TOWN, {"pulse": MOTION}, intensity="pga", backend="cuda", precision="float32")
    pandas.testing.assert_frame_equal(done.table, result.table)
    assert asked == ["float32"]


def test_the_summary_adds_up(result):
    table = result.summary()
    states = list(result.states.names)
    assert (table[states].sum(axis=1) == table["buildings"]).all() and not table["failed"].any()
    assert table["buildings"].sum() == len(TOWN)
    centro = result.table[result.table["district"] == "Centro"]
    row = table[table["district"] == "Centro"].iloc[0]
    assert row["complete"] == (centro["damage_state"] == 4).sum()
    assert row["mean wear [-]"] == pytest.approx(centro["wear [-]"].mean())


def test_scenarios_and_kinds_of_intensity():
    """g, m/s², cm/s² and factors say the same; a second scenario does not touch the first."""
    plain = TOWN.drop(columns="pga [g]")
    peaks = 9.80665 * TOWN["pga [g]"]
    wear = []
    for label, values in (
        ("pga [m/s2]", peaks),
        ("pga", peaks),
        ("pga [cm/s2]", 100 * peaks),
        ("pga [%g]", 100 * TOWN["pga [g]"]),
        ("scale", peaks / MOTION.pga),
    ):
        table = plain.assign(**{label: values})
        both = {"one": MOTION, "two": MOTION.scaled(0.5)}
        done = portfolio(table, both, intensity={"one": label.split(" [")[0]})
        wear.append(done.of("one")["wear [-]"].to_numpy())
        unscaled = portfolio(plain, MOTION.scaled(0.5)).table["wear [-]"]
        np.testing.assert_array_equal(done.of("two")["wear [-]"], unscaled)
    for other in wear[1:]:
        np.testing.assert_allclose(other, wear[0], rtol=1e-6, atol=1e-12)


def test_of_two_columns_of_one_name_the_one_that_is_meant_must_be_said():
    twice = TOWN.assign(**{"pga [m/s2]": 0.0})
    with pytest.raises(InputError, match=r"several columns 'pga': 'pga \[g\]', 'pga \[m/s2\]'"):
        portfolio(twice, MOTION, intensity="pga")
    still = portfolio(twice, MOTION, intensity="pga [m/s2]")
    assert (still.table["damage_state"] == 0).all()
    with pytest.raises(InputError, match="several columns 'mass'"):
        portfolio(TOWN.assign(mass=1.0), MOTION)


def test_parameters_in_other_units_are_not_taken_as_they_are():
    tonnes = TOWN.rename(columns={"mass [kg]": "mass [t]"})
    with pytest.raises(InputError, match=r"'mass \[t\]' is in t, but mass must be in kg"):
        portfolio(tonnes, MOTION)
    with pytest.raises(InputError, match="height must be in m"):
        portfolio(TOWN.assign(**{"Height [cm]": 600.0}), MOTION)
    spelt = {"contact_area [m2]": "contact_area [m²]", "threshold": "threshold [Pa]"}
    spelt |= {"stiffness": "stiffness [N/m^3]", "hardening_rate": "hardening_rate [m^-1]"}
    same, plain = (portfolio(table, MOTION).table for table in (TOWN.rename(columns=spelt), TOWN))
    assert same["wear [-]"].equals(plain["wear [-]"])


def test_an_intensity_for_a_scenario_that_there_is_not_is_no_wish_to_leave_it_out():
    with pytest.raises(InputError, match="no such scenario: there are 'strong'"):
        portfolio(TOWN, {"strong": MOTION}, intensity={"storng": "pga"})


def test_no_shaking_no_damage():
    still = portfolio(TOWN.assign(scale=0.0), MOTION, intensity="scale")
    assert (still.table["damage_state"] == 0).all()
    assert (still.table["peak_displacement [m]"] == 0).all()


def test_no_answer_is_no_collapse(tmp_path, capsys):
    """Two samples so far apart that only slow buildings come through the steps between them."""
    far = Motion(np.full(2, 1e-7), 3e4)
    table = TOWN.assign(**{"mass [kg]": np.where(TOWN["district"] == "Nord", 40e3, 40e9)})
    done = portfolio(table, far)
    failed = (TOWN["district"] == "Nord").to_numpy()
    assert (done.table["damage"] == "failed").to_numpy().tolist() == failed.tolist()
    assert (done.table["damage_state"] == -1).to_numpy().tolist() == failed.tolist()
    assert not done.table["collapse_time [s]"].notna().any()
    unknown = ["peak_displacement [m]", "drift [-]", "slip [m]", "hardening [m]", "wear [-]"]
    assert done.table.loc[failed, unknown].isna().all(axis=None)
    assert done.table.loc[~failed, unknown].notna().all(axis=None)
    rows = done.summary().set_index("district")
    assert rows.loc["Nord", "failed"] == rows.loc["Nord", "buildings"] == failed.sum()
    assert rows.loc["Nord", list(done.states.names)].sum() == 0
    assert rows["collapsed"].sum() == 0 and rows.loc["Est", "failed"] == 0
    assert np.isnan(rows.loc["Nord", "mean wear [-]"]) and rows.loc["Est", "mean wear [-]"] == 0
    fig = done.plot()
    assert fig.get_suptitle().endswith(f": 0 collapse, {failed.sum()} without an answer")
    labels = [text.get_text() for text in fig.legends[0].get_texts()]
    assert labels[-1] == f"failed  {failed.sum()}" and labels[4] == "complete  0"
    done.save(tmp_path / "town.geojson")
    first = json.loads((tmp_path / "town.geojson").read_text(encoding="utf-8"))["features"]
    nord = next(f["properties"] for f in first if f["properties"]["district"] == "Nord")
    assert nord["damage"] == "failed" and nord["wear [-]"] is None
    done = portfolio(table.assign(district="all"), far)
    assert done.summary()["failed"].tolist() == [failed.sum()]
    bars = done.plot().axes[1].patches
    assert sum(bar.get_width() for bar in bars) == pytest.approx(1)  # of those with an answer
    about = of_portfolio(done, [])
    print_portfolio(about)
    assert "failed" in capsys.readouterr().out
    assert about["districts"][0]["failed"] == failed.sum()


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_come_and_go_unchanged(tmp_path, result, suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
        TOWN.to_parquet(tmp_path / "town.parquet")
    else:
        TOWN.to_csv(tmp_path / "town.csv", index=False)
    again = portfolio(tmp_path / f"town{suffix}", {"pulse": MOTION}, intensity="pga")
    pandas.testing.assert_frame_equal(again.table, result.table, check_dtype=False)
    path = again.save(tmp_path / f"damage{suffix}")
    pandas.testing.assert_frame_equal(
        read_buildings(path), result.table, check_dtype=False, rtol=1e-12
    )


def test_geojson_has_a_point_for_each_building(tmp_path, result):
    data = json.loads(result.save(tmp_path / "damage.geojson").read_text(encoding="utf-8"))
    assert data["type"] == "FeatureCollection" and "crs" not in data
    assert len(data["features"]) == len(TOWN)
    first = data["features"][0]
    assert first["geometry"] == {"type": "Point", "coordinates": [TOWN["lon"][0], TOWN["lat"][0]]}
    assert first["properties"]["id"] == "b000"
    assert first["properties"]["damage"] == result.table["damage"][0]


def test_metres_need_a_reference_system(tmp_path):
    flat = TOWN.rename(columns={"lon": "x", "lat": "y"})
    done = portfolio(flat, MOTION, intensity="pga")
    with pytest.warns(RocksteadyWarning, match="says not in which system"):
        done.save(tmp_path / "a.geojson")
    data = json.loads(done.save(tmp_path / "b.geojson", crs="EPSG:32633").read_text())
    assert data["crs"]["properties"]["name"] == "EPSG:32633"


def test_the_map_is_drawn(tmp_path, result):
    fig = result.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 20_000
    assert fig.axes[0].get_xlabel() == "longitude [°]"
    with pytest.raises(InputError, match="no scenario 'x'"):
        result.plot(scenario="x")


def test_districts_are_named_as_in_the_table(tmp_path):
    done = portfolio(TOWN.replace({"district": {"Nord": "Nord $\\frac$"}}), MOTION)
    fig = done.plot(tmp_path / "map.png")  # what is no formula would raise
    ticks = [tick.get_text() for axes in fig.axes for tick in axes.get_yticklabels()]
    assert any(text.startswith("Nord $\\frac$ (") for text in ticks)


# -- bad tables ------------------------------------------------------------------------------------


def changed(column, value, row=7):
    table = TOWN.astype({column: object}) if isinstance(value, str) else TOWN.copy()
    table.loc[row, column] = value
    return table


@pytest.mark.parametrize(
    "table, sentence",
    [
        (changed("mass [kg]", -1.0), r"Building b007 \(row 8\) has mass = -1: it must be positive"),
        (changed("stiffness", np.nan), "b007 .* has stiffness = .*nan"),
        (changed("threshold", "soft"), "b007 .* has threshold = 'soft'"),
        (changed("lat", 142.0), "longitude .* latitude 142"),
        (changed("pga [g]", -0.1), "has pga = -0.1"),
        (changed("id", "b001"), "one that another building has"),
        (TOWN.drop(columns="wear_energy"), "lacks wear_energy"),
        (TOWN.drop(columns="lat"), "no coordinates"),
        (TOWN.drop(columns="pga [g]"), "no column 'pga'"),
        (TOWN.rename(columns={"pga [g]": "pga [furlong]"}), "is in 'furlong'"),
        (TOWN.iloc[:0], "no buildings"),
        (TOWN.assign(height=0.0), "height of 0 m"),
    ],
)
def test_bad_tables_get_a_sentence(table, sentence):
    with pytest.raises(InputError, match=sentence):
        portfolio(table, MOTION, intensity="pga")


def test_bad_files_and_motions_get_a_sentence(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        portfolio(tmp_path / "no.csv", MOTION)
    with pytest.raises(InputError, match=r"must end in \.csv or \.parquet"):
        portfolio(tmp_path / "town.xlsx", MOTION)
    (tmp_path / "bad.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="cannot be read"):
        portfolio(tmp_path / "bad.parquet", MOTION)
    with pytest.raises(InputError, match="is a float, not a Motion"):
        portfolio(TOWN, {"x": 1.0})
    with pytest.raises(InputError, match="cannot be scaled"):
        portfolio(TOWN, MOTION.scaled(0.0), intensity="pga")


# -- the command -----------------------------------------------------------------------------------


def test_commands_from_curve_to_town(tmp_path):
    """Push a building, identify it again from the curve, and shake a town of them."""
    run = lambda *words: CliRunner().invoke(app, [str(word) for word in words])  # noqa: E731
    curve, house = tmp_path / "curve.csv", tmp_path / "house.toml"
    done = run("pushover", "--preset", "casalotti2025", "--mass", "40e3", "--to", "18", "-o", curve)
    assert done.exit_code == 0, done.output
    done = run("identify", curve, "--contact-area", 16.07, "--mass", 40e3, "-o", house, "--json")
    assert done.exit_code == 0, done.output
    about = json.loads(done.stdout)
    assert about["parameters"]["wear_energy"]["value"] == pytest.approx(4.0, rel=1e-4)
    assert any("strongly correlated" in sentence for sentence in about["findings"])
    done = run("pushover", "-b", house, "--to", "18", "--json")
    assert json.loads(done.stdout)["peak_force"] == pytest.approx(98.485e3, rel=1e-5)  # notes, §7
    TOWN.to_csv(tmp_path / "town.csv", index=False)
    done = run(
        "portfolio", tmp_path / "town.csv", "-m", "shock=pulse:sine,a=0.3g,T=0.4",
        "--intensity", "pga", "-o", tmp_path / "map.png", "-o", tmp_path / "d.csv", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    about = json.loads(done.stdout)
    assert about["scenarios"] == ["shock"]
    assert sum(row["buildings"] for row in about["districts"]) == len(TOWN)
    assert (tmp_path / "map.png").is_file() and len(read_buildings(tmp_path / "d.csv")) == len(TOWN)


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--mass", "1", "--frequency", "2"], "say the mass in one way"),
        (["--fix", "wear_exponent"], "write NAME=VALUE"),
        (["--bound", "stiffness=3"], "write LOW:HIGH"),
        (["-o", "x.toml"], "needs the mass"),
        (["-o", "x.xyz"], "cannot be written"),
        (["--plan-area", "100"], "go together"),
    ],
)
def test_wrong_options_get_a_sentence(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    u = np.linspace(0, 0.018, 50)
    np.savetxt("c.csv", np.stack([u, 1e8 * u], axis=1), header="u [m],F [N]", comments="",
               delimiter=",")  # fmt: skip
    done = CliRunner().invoke(app, ["identify", "c.csv", "--contact-area", "16", *words])
    assert isinstance(done.exception, InputError) and sentence in str(done.exception)


# -- names, presets and an example -----------------------------------------------------------------

SHORT = pandas.DataFrame(
    {
        "Name": ["Town hall", "Mill", "Casa Rossi"],
        "x": [0.0, 30.0, 60.0],
        "y": [0.0, 10.0, 20.0],
        "mass [kg]": [95e3, 52e3, 38e3],
        "contact_area [m2]": [21.0, np.nan, np.nan],
    }
)


def test_buildings_keep_their_names(tmp_path):
    result = portfolio(SHORT, MOTION, preset="casalotti2025")
    assert list(result.table["id"]) == list(result.table["name"]) == list(SHORT["Name"])
    both = portfolio(SHORT.assign(id=[7, 8, 9]), MOTION, preset="casalotti2025").table
    assert list(both["id"]) == [7, 8, 9] and list(both["name"]) == list(SHORT["Name"])
    result.save(tmp_path / "town.csv")
    assert list(pandas.read_csv(tmp_path / "town.csv")["name"]) == list(SHORT["Name"])
    twins = SHORT.assign(Name=["Casa", "Casa", None])
    table = portfolio(twins, MOTION, preset="casalotti2025").table
    assert list(table["id"]) == [1, 2, 3] and list(table["name"]) == ["Casa", "Casa", "unknown"]
    rows = SHORT.set_index("Name")
    assert list(portfolio(rows, MOTION, preset="casalotti2025").table["id"]) == list(SHORT["Name"])


def test_an_error_names_the_building():
    with pytest.raises(InputError, match=r"Building Mill \(row 2\) has mass = -1"):
        portfolio(SHORT.assign(**{"mass [kg]": [1e4, -1.0, 1e4]}), MOTION, preset="casalotti2025")


def test_a_preset_fills_what_the_table_does_not_give():
    weak = MOTION.scaled(0.5)
    whole = portfolio(SHORT, weak, preset="casalotti2025").table
    by_row = portfolio(SHORT.assign(preset="casalotti2025"), weak).table
    pandas.testing.assert_frame_equal(whole, by_row)
    houses = [
        MasonryBuilding.casalotti2025(52e3),
        dataclasses.replace(MasonryBuilding.casalotti2025(95e3), contact_area=21.0),
    ]
    for row, house in ((1, houses[0]), (0, houses[1])):
        alone = simulate(house, weak, duration=weak.duration)
        assert whole["wear [-]"][row] == pytest.approx(alone.states[-1, 4], rel=1e-12)
        peak = whole["peak_displacement [m]"][row]
        assert peak == pytest.approx(abs(alone.peak_angle), rel=1e-12)


@pytest.mark.parametrize(
    ("table", "preset", "words"),
    [
        (SHORT, None, "lacks stiffness.*or its mass and a preset"),
        (SHORT, "casalotti", "no preset 'casalotti': use casalotti2025"),
        (SHORT.drop(columns="mass [kg]"), "casalotti2025", "lacks mass: "),
        (SHORT.assign(preset=["casalotti2025", "", "x"]), "casalotti2025", "no preset 'x'"),
        (SHORT.assign(**{"mass [kg]": [1e4, np.nan, 1e4]}), "casalotti2025", "Mill.* has mass = "),
        (TOWN.assign(**{"mass [kg]": np.nan}), None, "has mass = "),
    ],
)
def test_what_no_preset_fills_is_an_error(table, preset, words):
    with pytest.raises(InputError, match=words):
        portfolio(table, MOTION, preset=preset)


def test_motions_may_be_scaled_to_peak_velocities():
    table = portfolio(TOWN.assign(**{"pgv [cm/s]": 12.0}), MOTION, intensity="pgv").table
    assert table["pgv [m/s]"].to_numpy() == pytest.approx(0.12)
    factor = 0.12 / MOTION.pgv
    same = portfolio(TOWN.assign(scale=factor), MOTION, intensity="scale").table
    pandas.testing.assert_frame_equal(table, same)


@pytest.mark.parametrize("buildings", [None, 3, [], {"id": [1]}])
def test_what_is_no_table_gets_a_sentence(buildings):
    with pytest.raises(InputError, match="buildings is of type"):
        portfolio(buildings, MOTION)


def test_the_example_runs_and_names_the_worst(rocksteady, tmp_path):
    text = rocksteady("masonry", "portfolio", "--example").out
    (tmp_path / "town.csv").write_text(text, encoding="utf-8")
    words = ["town.csv", "--preset", "casalotti2025", "--intensity", "pga"]
    words += ["-m", "shock=pulse:ricker,a=0.3g,T=0.4"]
    done = rocksteady("masonry", "portfolio", *words, "-o", "town")
    assert done.code == 0, done.err
    found = pandas.read_parquet(tmp_path / "town" / "damage.parquet")
    worst = found.sort_values(["damage_state", "drift [-]"]).iloc[-1]
    assert found["id"][0] == "Town hall" and f"worst  {worst['name']} (" in done.out
    about = json.loads(rocksteady("masonry", "portfolio", *words, "--json").out)
    assert about["worst"]["shock"][0]["building"] == worst["name"]
    for words, says in (([], "Give a table of buildings"), (["town.csv"], "with --motion")):
        done = rocksteady("masonry", "portfolio", *words)
        assert done.code == 2 and says in done.err and "--example" in done.err


@pytest.mark.parametrize("width", [100, 80, 60, 30])
def test_the_summary_loses_no_state_in_a_narrow_terminal(rocksteady, tmp_path, monkeypatch, width):
    TOWN.to_csv(tmp_path / "town.csv", index=False)
    monkeypatch.setenv("COLUMNS", str(width))
    out = rocksteady("masonry", "portfolio", "town.csv", "-m", "pulse:sine,a=0.3g,T=0.4").out
    states = ("buildings", "none", "slight", "moderate", "extensive", "complete", "collapsed")
    assert all(word in out for word in (*states, "Centro", "Nord", "Est", "all"))
    assert "…" not in out
