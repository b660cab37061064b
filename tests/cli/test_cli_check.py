"""`rocksteady check`: what it prints equals what the package returns; errors speak of options."""

import csv
import json
import math

import pytest

import rocksteady as rs
from rocksteady.analysis import codes
from rocksteady.analysis.codes.settings import Settings
from rocksteady.cli.check import CODES
from rocksteady.errors import InputError
from rocksteady.motion.code_spectra import Eurocode8, Ntc2018
from rocksteady.specs import CodesSpec

PARAPET = ("check", "--height", 1.2, "--width", 0.25, "--soil", "b")
AG = ("--ag", 0.25)


def test_prints_hand_calculations_and_the_table(rocksteady):
    out = rocksteady(*PARAPET, *AG)
    assert out.code == 0 and not out.err
    found = codes.check(rs.Block(1.2, 0.25), Eurocode8(ag=0.25 * 9.81, soil="B"))
    for line in found.lines:
        assert line.text() in out.out
    assert "0.1286  not satisfied  C8.7.1.2.1.8" in out.out
    assert "Not checked, fema" in out.out and "--pfv" in out.out


def test_table_only(rocksteady):
    out = rocksteady(*PARAPET, *AG, "--table").out
    assert "T_SLV" not in out and "our derivation after ASCE 43" in out


def test_json_equals_the_package(rocksteady):
    about = json.loads(rocksteady(*PARAPET, *AG, "--mu", 0.2, "--json").out)
    block, ground = rs.Block(1.2, 0.25), Eurocode8(ag=0.25 * 9.81, soil="B")
    same = codes.compare(block, ground, friction=0.2).summary()
    assert about.pop("files") == []
    assert about == json.loads(json.dumps(same, allow_nan=False))


def test_on_a_floor_by_the_italian_spectrum(rocksteady):
    floor = ("--storeys", 4, "--period", 0.5, "--level", 3, "--damping", 0.1)
    italian = ("--spectrum", "ntc2018", "--f0", 2.4, "--tc-star", 0.35)
    about = json.loads(rocksteady(*PARAPET, *AG, *floor, *italian, "--json").out)
    ground = Ntc2018(ag=0.25 * 9.81, F0=2.4, Tc_star=0.35, soil="B")
    stands = rs.Floor(0.5, 0.1, 4, 3)
    found = codes.check(rs.Block(1.2, 0.25), ground, floor=stands)
    assert about["floor"] == str(stands)
    assert about["checks"][0]["limits"][2]["a_g at the limit [g]"] == found.limits[2].bears


def test_time_histories_and_files(rocksteady, tmp_path):
    motions = ("-m", "pulse:sine,a=0.3g,T=0.5", "-m", "pulse:sine,a=0.3g,T=0.9")
    out = rocksteady(*PARAPET, *AG, *motions, "--match", "--code", "histories", "-o", "results/")
    assert out.code == 0, out.err
    assert "2 motions are few" in out.out and "In our own runs" in out.out
    rows = list(csv.DictReader((tmp_path / "results/check.csv").open(encoding="utf-8")))
    assert {"T_C", "N_0", "mean d"} <= {row["symbol"] for row in rows}
    assert "C8.7.1.2.1.9" in (tmp_path / "results/check.md").read_text(encoding="utf-8")
    assert (tmp_path / "results/check.png").stat().st_size > 5000
    again = rocksteady(*PARAPET, *AG, "-o", "results/check.csv")  # recognises its own table
    assert again.code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "--ag is missing: give the ground acceleration on rock in g"),
        ((*AG, "--code", "nzsee"), "--code nzsee is not known: choose from circolare"),
        ((*AG, "--fc", 1.2), "--fc 1.2 is not allowed"),
        ((*AG, "--spectrum", "ntc2018"), "lacks --f0"),
        ((*AG, "--spectrum", "ibc"), "--spectrum ibc is not allowed: choose ec8 or ntc2018"),
        ((*AG, "--f0", 2.4), "--f0 belongs to the NTC 2018 spectrum"),
        ((*AG, "--soil", "X"), "--soil X is not allowed"),
        ((*AG, "--mu", -1), "--mu -1 is not allowed"),
        ((*AG, "--match"), "--match needs motions"),
        ((*AG, "--code", "histories"), "give several with -m"),
        ((*AG, "--code", "asce43-sliding"), "give --mu"),
        ((*AG, "--item", "sofa", "--pfv", 0.3), "--item sofa is not allowed"),
        ((*AG, "--level", 2), "--level needs --period"),
        ((*AG, "-o", "check.txt"), "--out check.txt cannot be written"),
    ],
)
def test_errors(rocksteady, options, words):
    out = rocksteady(*PARAPET, *options)
    assert out.code == 2 and words in " ".join(out.err.split()), out.err


def test_metres_per_second_squared_are_suspected(rocksteady):
    out = rocksteady(*PARAPET, "--ag", 2.45, "--quiet")
    assert "would be --ag 0.25" in " ".join(out.err.split())


def test_names_are_those_of_the_package():
    assert list(CODES) == list(codes.CODES)
    own = {"spectrum", "use", "match"}
    assert set(CodesSpec.model_fields) - own == set(Settings.__dataclass_fields__)


def test_description_in_a_file():
    table = {"spectrum": {"ag": 0.25, "soil": "B"}, "use": ["ec8"], "importance": 1.5}
    built = CodesSpec.checked(table).build()
    found = codes.compare(rs.Block(1.2, 0.25), built.pop("spectrum"), **built)
    assert [check.code for check in found.checks] == ["ec8"]
    assert math.isclose(found["ec8"].limits[0].bears, 0.17361111 / 1.5, rel_tol=1e-6)
    italian = {"kind": "NTC2018", "ag": 0.2, "F0": 2.5, "Tc_star": 0.3, "topography": "T2"}
    assert CodesSpec.checked({"spectrum": italian}).build()["spectrum"].topography == "T2"
    for wrong, words in (
        ({"spectrum": {"ag": 0.2, "F0": 2.5}}, "belongs to the NTC"),
        ({"spectrum": {"kind": "NTC2018", "ag": 0.2, "F0": 2.5}}, "lacks Tc_star"),
        ({"spectrum": {**italian, "type": 2}}, "belongs to the EC8"),
        ({"spectrum": {"ag": 0.2}, "use": ["nz"]}, "circolare"),
        ({"spectrum": {"ag": 0.2}, "colour": 1}, "colour"),
    ):
        with pytest.raises(InputError, match=words):
            CodesSpec.checked(wrong).build()
