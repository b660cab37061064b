"""A case as a Python script and as TOML: whatever is in it, it stays text and numbers."""

import ast
import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies.presets import PRESETS
from rocksteady.specs import CaseSpec
from rocksteady.specs.as_python import files_of, script
from rocksteady.specs.as_toml import lines
from rocksteady.specs.python_words import literal

STATUE = {"kind": "Block", "height": 1.8, "width": 0.5}
PULSE = {"pulse": "sine,a=0.4g,T=0.8"}
TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ['"""', "'''", '\\"', "\\", '"\n[run]\nstore = "x"', "\r\nimport os  #", "\x7f\x00", "'+1+'"]
)  # fmt: skip
PLAIN = st.recursive(
    TEXT | st.integers(-(2**62), 2**62) | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def executed(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "script.py", "exec"), names)
    return names


def written(case: dict[str, Any], folder: Path = Path()) -> str:
    spec = CaseSpec.checked(case)
    return script(spec, spec.body.build(folder))


@given(st.dictionaries(TEXT, PLAIN, max_size=4))
def test_toml_reads_back_what_was_written(table: dict[str, Any]) -> None:
    assert tomllib.loads(lines(table)) == table


@given(PLAIN)
def test_python_evaluates_to_what_was_written(value: Any) -> None:
    assert eval(literal(value), {"float": float}) == value
    assert "\n" not in literal(value)


def test_what_is_no_number_can_be_written() -> None:
    assert literal(math.inf) == 'float("inf")' and lines({"a": -math.inf}) == "a = -inf\n"
    assert literal(np.float64(0.1)) == "0.1"


@settings(max_examples=50, deadline=None)
@given(TEXT.filter(lambda text: "\0" not in text), TEXT)  # NUL is escaped in names
def test_names_stay_names(name: str, inner: str) -> None:
    """The script of a motion with any name has the same statements as that of a plain one."""
    samples = {"accel": [0.0, 1.0, 0.0], "dt": 0.01, "name": f"a{inner}"}
    text = written({"body": STATUE, "motion": {"samples": samples, "name": name}, "until": 0.1})
    plain = {"body": STATUE, "motion": {"samples": samples | {"name": "a"}, "name": "a"}}
    assert shape(text) == shape(written(plain | {"until": 0.1}))
    assert executed(text.partition("\n\nresponse")[0])["motion"].name == name


def shape(text: str) -> list[str]:
    """The kinds of everything in a program, whatever its texts are."""
    return [type(node).__name__ for node in ast.walk(ast.parse(text))]


@settings(max_examples=50, deadline=None)
@given(TEXT.filter(lambda name: "/" not in name and "\0" not in name and name not in ("", ".")))
def test_names_of_files_stay_names(name: str) -> None:
    case = CaseSpec.checked({"body": STATUE, "motion": {"file": f"uploads/{'0' * 16}/{name}"}})
    text = script(case, case.body.build())
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    read = [call for call in calls if ast.unparse(call.func) == "rs.read_motion"]
    assert [ast.literal_eval(call.args[0]) for call in read] == files_of(case) == [name]


CASES = {
    "default theory": {"body": STATUE, "motion": PULSE},
    "parameters of the block": {
        "body": {"p": 2.8, "alpha": 0.27},
        "motion": {"pulse": "ricker,a=1.7gtana,w=5.75p,kind=antisymmetric,dt=0.01"},
        "until": "motion",
    },
    "options": {
        "body": STATUE | {"offset": 0.1 + 0.2 - 0.25, "com_height": 0.7},
        "motion": PULSE | {"pga": 0.3},
        "theories": [{"name": "housner", "r": 0.8}],
    },
    "other form of an option": {"body": STATUE, "motion": PULSE,
                                "theories": [{"name": "complex", "r": 0.8}]},
    "let go": {"body": STATUE, "theta0": 0.1, "omega0": -0.01, "until": 3.0},
    "floor": {
        "body": STATUE,
        "motion": PULSE | {"scale": 0.7},
        "floor": {"period": 0.5, "storeys": 4, "level": 3},
    },
    "floor by modes": {
        "body": STATUE,
        "motion": PULSE,
        "floor": {"modes": [[0.5, 1.24], [0.17, -0.33, 0.03]]},
    },
    "by seed": {"body": STATUE, "motion": {"stochastic": {"count": 1, "seed": 7}, "pgv": 0.6}},
    "one of many": {"body": STATUE, "motion": {"stochastic": {"count": 20, "seed": 7, "only": 3}}},
    "one of many of few sets": {
        "body": STATUE,
        "motion": {"stochastic": {"count": 20, "seed": 7, "only": 9, "sets": 4}, "pga": 0.5},
    },
    "by parameters": {
        "body": STATUE,
        "motion": {
            "stochastic": {"count": 1, "arias": 0.5, "d5_95": 12.0, "t_mid": 8.0, "dt": 0.02,
                           "frequency_mid": 5.0, "frequency_rate": -0.1, "damping": 0.25},
            "pga": 0.4,
        },
    },
    "samples": {
        "body": STATUE,
        "motion": {"samples": {"accel": [1e-300, 3.0, -4.1, 1 / 3] * 20, "dt": 0.03,
                               "vertical": [0.1] * 80}, "vertical": False},
    },
    "building": {"body": {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 4e4},
                 "motion": PULSE},
    "changed building": {"body": {"kind": "MasonryBuilding", "preset": "casalotti2025",
                                  "mass": 4e4, "damping": 0.02}, "motion": PULSE},
    "box": {
        "body": {"kind": "Body", "base_x": 0.45, "base_y": 0.6, "height": 1.8, "offset_x": 0.01},
        "motion": {"stochastic": {"count": 1, "seed": 3, "components": 3}, "pga": 0.3},
        "until": 4.0,
    },
    "round": {"body": {"kind": "Body", "diameter": 0.5, "top_diameter": 0.4, "height": 2.0},
              "theta0": 0.1, "direction": 30.0, "until": 1.0},
    "preset": {"body": {"preset": "statue", "height": 2.2}, "motion": PULSE},
    "outline": {"body": {"outline": "[[-0.3, 0], [0.31, 0], [0.2, 1.9], [0, 2.3], [-0.2, 1.9]]",
                         "section": "round"}, "motion": PULSE},
    "preset in space": {"body": {"kind": "Body", "preset": "cabinet", "mass": 90.0},
                        "theta0": 0.05, "until": 1.0},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_script_has_the_same_numbers(name: str, capsys: Any) -> None:
    case = CaseSpec.checked(CASES[name])
    made = executed(written(CASES[name]))["response"]
    expected = rs.simulate(**case.build()[0])
    assert np.array_equal(made.states, expected.states)
    assert np.array_equal(made.events, expected.events)
    shown = capsys.readouterr().out
    assert f"= {expected.peak}\n" in shown and str(expected.status) in shown


def test_several_theories_are_run_in_a_loop(capsys: Any) -> None:
    theories = [{"name": "housner"}, {"name": "nonsmooth", "friction": 0.5}, {"name": "complex"}]
    case = {"body": STATUE, "motion": PULSE, "theories": theories, "until": 1.0}
    text = written(case)
    assert "rs.Nonsmooth(friction=0.5)" in text and "for theory in theories:" in text
    executed(text)
    shown = capsys.readouterr().out
    for asked in CaseSpec.checked(case).build():
        assert f"= {rs.simulate(**asked).peak}\n" in shown


def test_a_simple_case_is_a_simple_script() -> None:
    assert written({"body": STATUE | {"offset": 0.0}, "motion": PULSE}).splitlines()[3:8] == [
        "import rocksteady as rs",
        "",
        "body = rs.Block(height=1.8, width=0.5)",
        "motion = rs.pulses.sine(amplitude=3.92266, period=0.8)",
        "",
    ]


def test_a_class_of_another_module_is_imported() -> None:
    with pytest.raises(rs.InputError, match="allow_modules"):
        CaseSpec.checked({"body": {"kind": "os;x:y\nimport sys"}})
    case = {"body": {"kind": "rocksteady.bodies.block:Block", "height": 1.8, "width": 0.5}}
    text = written(case | {"theta0": 0.1})
    assert "body = " in text
    assert executed(text)["response"].peak > 0


@pytest.mark.parametrize("preset", ["facade", "parapet", "vase_fixed_on_plinth"])
def test_a_script_says_what_its_preset_takes_for_granted(preset: str) -> None:
    text = written({"body": {"kind": "Block", "preset": preset}, "motion": PULSE})
    comments = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
    assert PRESETS[preset].assumed and PRESETS[preset].assumed in comments
    assert "computed as" not in written({"body": STATUE, "motion": PULSE})
