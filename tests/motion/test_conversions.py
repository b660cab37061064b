"""What a component is (component, azimuth, station, event, origin time) survives every conversion,
and nothing that is vertical is taken for horizontal on the way."""

from __future__ import annotations

import json
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.errors import RocksteadyWarning
from rocksteady.motion.components import rotate
from rocksteady.motion.kept import kept_in, kept_line, without_kept
from rocksteady.motion.processing import bandpass
from rocksteady.motion.upwards import is_vertical
from rocksteady.motion.writers import WRITERS, write_motion

DATA = Path(__file__).parents[1] / "data"
SUFFIXES = sorted(WRITERS)
FACTS = ("component", "azimuth", "station", "event", "origin_time", "network", "magnitude")
WORDS = st.text(st.characters(exclude_characters="\0"), max_size=40)  # NUL is escaped


def facts(motion: rs.Motion) -> dict[str, object]:
    return {key: motion.meta[key] for key in FACTS if motion.meta.get(key) not in (None, "")}


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(component=WORDS, station=WORDS, event=WORDS, time=WORDS, azimuth=st.floats(0, 360))
def test_any_words_survive(
    tmp_path_factory: pytest.TempPathFactory,
    suffix: str,
    component: str,
    station: str,
    event: str,
    time: str,
    azimuth: float,
) -> None:
    meta = {
        "component": component, "station": station, "event": event, "origin_time": time,
        "azimuth": azimuth, "components": ("a", "b"), "magnitude": 6.9,
    }  # fmt: skip
    motion = rs.Motion([0.0, 1.0, -0.5], 0.01, name=event, meta=meta)
    (file,) = write_motion(motion, tmp_path_factory.getbasetemp() / f"any{suffix}")
    again = rs.read_motion(file)
    assert isinstance(again, rs.Motion)
    for key, value in meta.items():
        if value != "":
            assert again.meta[key] == value
    assert again.dt == motion.dt and again.npts == 3
    assert again.accel == pytest.approx(motion.accel, rel=1e-15)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("component", ["U-D", "UP", "HNZ", "Vert", "UD2", "z"])
def test_a_vertical_component_stays_vertical(tmp_path: Path, suffix: str, component: str) -> None:
    motion = rs.Motion([0.0, 1.0, -0.5], 0.01, meta={"component": component, "station": "AOM008"})
    file = tmp_path / f"converted{suffix}"
    for _ in range(3):  # however often
        write_motion(motion, file)
        motion = rs.read_motion(file)
        assert is_vertical(motion) and motion.meta["station"] == "AOM008"
        assert motion.vertical is None
        assert rs.read_motion(file, component) == motion
    processed = bandpass(motion, 0.5, 20.0)
    write_motion(processed, file)
    assert is_vertical(rs.read_motion(file))


@pytest.mark.parametrize("name", ["acc_z", "Beschleunigung vertikal", "a_v", "accelerazione Z"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_vertical_column_of_a_table_stays_vertical(
    tmp_path: Path, name: str, suffix: str
) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"t [s],{name} [g]\n0,0\n0.01,0.5\n0.02,0\n")
    motion = rs.read_motion(table)
    assert is_vertical(motion)
    (file,) = write_motion(motion, tmp_path / f"converted{suffix}")
    assert is_vertical(rs.read_motion(file))


def test_other_programs_see_that_a_column_is_vertical(tmp_path: Path) -> None:
    up = rs.Motion([0.0, 1.0], 0.01, meta={"component": "U-D"})
    (file,) = write_motion(up, tmp_path / "up.csv")
    assert "\ntime [s],a_v [m/s2]\n" in file.read_text()
    file.write_text("time [s],a_v [m/s2]\n0.0,0.0\n0.01,1.0\n")  # what is left without our line
    assert is_vertical(rs.read_motion(file))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_of_two_components_each_keeps_its_own_name(tmp_path: Path, suffix: str) -> None:
    meta = {"component": "N-S", "azimuth": 0.0, "station": "AOM008"}
    both = rs.Motion([0.0, 1.0, 2.0], 0.01, [0.0, 0.5, 1.0], meta=meta)
    files = write_motion(both, tmp_path / f"both{suffix}")
    first = rs.read_motion(files[0])
    assert first.meta["component"] == "N-S" and first.meta["azimuth"] == 0.0
    if suffix == ".at2":
        up = rs.read_motion(files[1])
        assert is_vertical(up) and "azimuth" not in up.meta and up.meta["station"] == "AOM008"
    else:
        assert first.vertical is not None
        up = rs.read_motion(files[0], "a_v")
        assert is_vertical(up) and "azimuth" not in up.meta


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_peak_that_was_meant_is_not_asked_about_again(tmp_path: Path, suffix: str) -> None:
    strong = rs.pulses.sine(100.0, period=0.5, dt=0.01)
    (file,) = write_motion(strong, tmp_path / f"strong{suffix}")
    assert rs.read_motion(file).accel == pytest.approx(strong.accel, rel=1e-14)
    weak = rs.read_motion(file).scaled(0.01)
    (file,) = write_motion(weak, file)
    assert "any_peak" not in file.read_text().partition("\n0.0")[0]


def test_every_record_keeps_what_it_is(any_records: Path, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for file in sorted(any_records.rglob("*.*")):
            if file.suffix in (".tsv", ".md", ".xml", ".txt"):
                continue
            if file.suffix in (".mseed", ".sac") and not find_spec("obspy"):
                continue
            found = rs.read_motion(file, unit="m/s2" if file.suffix == ".sac" else None)
            for motion in found.values() if isinstance(found, dict) else [found]:
                short = motion.trimmed(0.0, min(0.5, motion.duration))
                for suffix in SUFFIXES:
                    (written,) = write_motion(short, tmp_path / f"m{suffix}")
                    again = rs.read_motion(written)
                    kept = {k: v for k, v in facts(again).items() if v != "-"}
                    assert kept == facts(motion), file.name
                    assert is_vertical(again) == is_vertical(motion)


def test_a_damaged_line_keeps_nothing_and_harms_nothing(tmp_path: Path) -> None:
    motion = rs.Motion([0.0, 1.0], 0.01, meta={"component": "U-D"})
    (file,) = write_motion(motion, tmp_path / "m.csv")
    text = file.read_text()
    for bad in ("{", '{"component": ', '{"component": [[1]]}', '{"dt": 5, "unit": "g", "x": NaN}'):
        start = text.index('{"component"')
        file.write_text(text[:start] + bad + text[text.index("\n", start) :])
        again = rs.read_motion(file)
        assert again == motion and again.meta["component"] == "a_v" and again.meta["unit"] == "m/s2"


def test_the_line_holds_what_it_can() -> None:
    meta = {"a": "x" * 5000, "b": object(), "c": float("nan"), "d": (1, 2), "e": "= dt: 3"}
    line = kept_line(rs.Motion([0.0, 1.0], 0.01, meta=meta), any_peak=True)
    assert kept_in([line]) == {"d": (1, 2), "e": "= dt: 3", "any_peak": True}
    assert "=" not in line and "\n" not in line
    assert without_kept(["# " + line, "t,a"]) == ["# ", "t,a"]


# -- rotation -------------------------------------------------------------------------------------


def test_a_rotated_component_is_no_longer_what_it_was() -> None:
    north = rs.Motion([0.0, 1.0], 0.01, name="n", meta={"component": "N-S", "azimuth": 0.0})
    east = rs.Motion([0.0, 2.0], 0.01, name="e", meta={"component": "E-W", "azimuth": 90.0})
    along, across = rotate(north, east, 30.0)
    assert (along.meta["component"], along.meta["azimuth"]) == ("30", 30.0)
    assert (across.meta["component"], across.meta["azimuth"]) == ("120", 120.0)
    along, across = rotate(east, north, 30.0)  # the other way round: anticlockwise
    assert (along.meta["azimuth"], across.meta["azimuth"]) == (60.0, 330.0)
    unknown = rs.Motion([0.0, 2.0], 0.01, name="x", meta={"component": "X"})
    along, _ = rotate(unknown, east, 30.0)
    assert along.meta["component"] == "X + 30°" and "azimuth" not in along.meta
    with pytest.warns(RocksteadyWarning, match="vertical component"):
        rotate(north, rs.Motion([0.0, 1.0], 0.01, name="u", meta={"component": "U-D"}), 30.0)


# -- the command ----------------------------------------------------------------------------------

KNET = (DATA / "HND0019901021231.EW").read_text()
DIRECTIONS = {"EW": "E-W", "NS": "N-S", "UD": "U-D"}


@pytest.fixture
def knet(tmp_path: Path) -> list[str]:
    names = []
    for suffix, direction in DIRECTIONS.items():
        names.append(f"AOM008.{suffix}")
        Path(tmp_path / names[-1]).write_text(KNET.replace("E-W", direction))
    return names


@pytest.mark.parametrize("to", ["csv", "at2"])
def test_files_are_named_by_their_components(rocksteady, knet: list[str], to: str) -> None:
    suffix = {"csv": ".csv", "at2": ".AT2"}[to]
    said = json.loads(
        rocksteady("motion", "convert", *knet, "--to", to, "-o", "out/", "--json").out
    )
    expected = [f"AOM008_{direction}{suffix}" for direction in DIRECTIONS.values()]
    assert [Path(file).name for file in said["files"]] == expected
    for file, direction in zip(said["files"], DIRECTIONS.values(), strict=True):
        assert rs.read_motion(file).meta["component"] == direction
        assert rs.read_motion(file).meta["station"] == rs.read_motion(knet[0]).meta["station"]
    one = json.loads(rocksteady("motion", "convert", *knet, "-o", f"k{suffix}", "--json").out)
    assert [Path(f).name for f in one["files"]] == [f"k_{d}{suffix}" for d in DIRECTIONS.values()]
    alone = json.loads(rocksteady("motion", "convert", knet[2], "--to", to, "--json").out)
    assert alone["files"] == [f"AOM008_U-D{suffix}"]  # as the next one would be AOM008, too


def test_a_converted_vertical_record_is_warned_of(rocksteady, knet: list[str]) -> None:
    rocksteady("motion", "convert", knet[2], "-o", "up.csv")
    rocksteady("motion", "convert", "up.csv", "-o", "up.AT2")
    for file in ("up.csv", "up.AT2"):
        outcome = rocksteady("simulate", "--height", 1, "--width", 0.2, "-m", file, "-q")
        assert outcome.code == 0
        assert "is a vertical component, used as a horizontal one" in outcome.err.replace("\n", " ")
