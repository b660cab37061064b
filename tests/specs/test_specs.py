"""One description of each input: what it describes comes back bit for bit, and it can be read."""

from __future__ import annotations

import dataclasses
import json
import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.bodies import SYSTEMS, fields_of
from rocksteady.bodies.units import UNITS
from rocksteady.ensembles.api import run_study
from rocksteady.ensembles.study import Study
from rocksteady.ensembles.study_file import read_study
from rocksteady.errors import InputError
from rocksteady.registry import class_of
from rocksteady.specs import BodySpec, CaseSpec, MotionSpec, RunSpec, StudySpec, TheorySpec
from rocksteady.specs.as_python import script
from rocksteady.theories.registry import FORMULATIONS


@dataclasses.dataclass(frozen=True)
class Statue(rs.Block):
    """A block of one's own."""

    wall: float = 0.02


class Plain(rs.Block):
    """A subclass that adds nothing."""


SIZE = st.floats(0.1, 50.0)
SHARE = st.floats(0.01, 0.99)
POSITIVE = st.floats(1e-3, 1e9)
BLOCK = {"height": SIZE, "width": SIZE, "mass": POSITIVE, "inertia": POSITIVE}
BODIES = {
    rs.Block: BLOCK,
    rs.FlexibleOscillator: {
        **dict.fromkeys(("height", "width", "top_mass", "base_mass", "column_mass"), SIZE),
        "natural_frequency": POSITIVE,
        "damping_ratio": SHARE,
    },
    rs.MasonryBuilding: dict.fromkeys(
        (field.name for field in dataclasses.fields(rs.MasonryBuilding)), POSITIVE
    ),
    rs.Body: {
        "mass": POSITIVE,
        "height": st.floats(2.0, 50.0),
        "inertia": st.tuples(*[st.floats(1.0, 1.99)] * 3),
        "centre": st.tuples(SHARE, SHARE, SHARE),
        "base": st.sampled_from(
            [((-1, -1), (3, -1), (-1, 3)), ((2, 3), (-1, 2), (-1, -1), (2, -1))]
        ),
        "shape": st.just((((0, 0, 0), (1, 0, 0.1), (0, 1, 0)), ((0, 1, 2),))),
    },
    rs.Assembly: {
        "stones": st.builds(
            lambda width, height: (
                rs.Stone.box(-width, -1.0, 3 * width, 1.0, name="ground", fixed=True),
                rs.Stone.box(0.0, 0.0, width, height),
            ),
            SIZE,
            SIZE,
        ),
        "friction": SHARE,
        "joint_friction": st.dictionaries(st.just(("ground", 1)), SHARE),
        "g": POSITIVE,
    },
    Statue: {**BLOCK, "wall": SIZE},
    Plain: BLOCK,
}
THEORIES = {
    "housner": {"eta": SHARE, "slender": st.booleans()},
    "nonsmooth": {"epsilon": SHARE, "friction": SHARE},
    "complex": {"l": st.floats(1e-7, 1e-3), "eta": SHARE, "variant": st.just("paper")},
    "springs": {"beta": SHARE, "friction": SHARE, "dt": st.floats(1e-5, 1e-3)},
    "dissipation": {"k_n": POSITIVE, "r": SHARE, "spacing": SHARE},
    "elastic": {"k_n": POSITIVE, "E": POSITIVE},
    "spatial": {},
    "blocks": {"rule": st.sampled_from(["located", "stepped"]), "step": SHARE, "share": SHARE},
    "joints": {"k_n": POSITIVE, "r": SHARE, "spacing": SHARE},
    "masonry": {"update": st.sampled_from(["accurate", "explicit"])},
}


SYSTEMS_OF_0_2 = {
    "type": "Block",
    "count": 2,
    "sha256": "eba7c99a0dd3679161eb602f8f366d3f5e9afc6c672f406546670473ff52b9ad",
}


def same(one: object, other: object) -> bool:
    """Whether they are of one class, with the same bits in every parameter."""
    bits = [[x.hex() if isinstance(x, float) else x for x in fields_of(y).values()]
            for y in (one, other)]  # fmt: skip
    return type(one) is type(other) and one == other and bits[0] == bits[1]


def test_every_registered_body_and_theory_is_tried_here():
    assert {kind.__name__ for kind in BODIES} >= {*SYSTEMS.names()}
    assert {*THEORIES} == {*FORMULATIONS.names()}


@pytest.mark.parametrize("kind", BODIES)
@given(data=st.data())
def test_bodies_come_back_bit_for_bit(kind, data):
    body = kind(**{name: data.draw(values) for name, values in BODIES[kind].items()})
    spec = BodySpec.of(body)
    assert same(spec.build(), body)
    assert same(BodySpec.model_validate_json(spec.model_dump_json()).build(), body)
    assert same(BodySpec.checked(json.loads(json.dumps(spec.described()))).build(), body)
    exact = json.loads(json.dumps(spec.described(exact=True)))
    first = next(name for name in ("mass", "height", "g") if name in exact)
    assert isinstance(exact[first]["hex"], str)
    assert same(BodySpec.checked(exact).build(), body)


@pytest.mark.parametrize("name", THEORIES)
@given(data=st.data())
def test_theories_come_back_bit_for_bit(name, data):
    given_ = {option: data.draw(values) for option, values in THEORIES[name].items()}
    theory = TheorySpec.checked({"name": name, **given_}).build()
    spec = TheorySpec.of(theory)
    assert same(spec.build(), theory)
    assert same(TheorySpec.model_validate_json(spec.model_dump_json()).build(), theory)
    assert same(TheorySpec.checked(spec.described(exact=True)).build(), theory)
    for option, value in given_.items():
        assert getattr(theory, option) == value


@given(
    accel=st.lists(st.floats(-20, 20), min_size=2, max_size=30),
    dt=st.floats(1e-4, 1.0),
    up=st.booleans(),
)
def test_motions_come_back_bit_for_bit(accel, dt, up):
    motion = rs.Motion(accel, dt, accel[::-1] if up else None, None, "m", {"station": "X"})
    spec = MotionSpec.of(motion.scaled(1.5))
    again = MotionSpec.model_validate_json(spec.model_dump_json()).build()
    assert again == motion.scaled(1.5) and again.accel.tobytes() == (1.5 * motion.accel).tobytes()
    assert (again.name, dict(again.meta)) == (motion.name, dict(motion.scaled(1.5).meta))


@pytest.mark.parametrize("value", [math.inf, 5e-324, 0.1 + 0.2, -0.0])
def test_floats_survive_json(value):
    spec = BodySpec.model_validate({"kind": "Block", "height": value})
    again = BodySpec.model_validate_json(spec.model_dump_json()).values["height"]
    assert float(again).hex() == value.hex()


# -- other forms, and classes of one's own ---------------------------------------------------------


def test_other_forms_of_a_body():
    by_p = BodySpec.checked({"p": 2.0, "alpha": 0.2}).build()
    assert by_p == rs.Block.from_parameters(p=2.0, alpha=0.2)
    preset = {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 4e4, "damping": 1.0}
    house = rs.MasonryBuilding.casalotti2025(4e4, damping=1.0)
    assert BodySpec.checked(preset).build() == house


def test_other_forms_of_a_loss():
    assert TheorySpec.checked({"name": "Dissipation", "eta": 0.9}).build().r == 0.9**2
    assert TheorySpec.checked({"name": "ComplexPotential", "r": 0.81}).build().eta == 0.9


def test_a_body_of_ones_own_by_its_module():
    statue = BodySpec.checked({"kind": f"{__name__}:Statue", "height": 1.8, "width": 0.5}).build()
    assert statue == Statue(height=1.8, width=0.5) and type(statue) is Statue


@pytest.mark.parametrize("kind", [Statue, Plain])
def test_a_body_of_ones_own_goes_through_files_stores_and_monitors(kind, tmp_path):
    statue, push = kind(height=1.8, width=0.5), rs.pulses.sine(amplitude=3.0, period=0.8)
    response = rs.simulate(statue, push)
    for name in ("run.nc", "run.csv"):
        again = rs.Response.load(response.save(tmp_path / name))
        assert type(again.system) is kind and again.system == statue
        assert again.states.tobytes() == response.states.tobytes()
    monitor = rs.Monitor(statue, dt=0.01)
    monitor.push_block(push.accel[:40])
    resumed = rs.Monitor.from_dict(json.loads(json.dumps(monitor.to_dict())))
    assert type(resumed.system) is kind and resumed.state == monitor.state
    (tmp_path / "study.toml").write_text(
        f'[systems]\nkind = "{__name__}:{kind.__name__}"\nheight = 1.8\nwidth = 0.5\n'
        '[[motions]]\npulse = "sine,a=3.0,T=0.8"\n[run]\nstore = "out"\n'
    )
    read = read_study(tmp_path / "study.toml")
    assert read.study.systems == (statue,) and type(read.study.systems[0]) is kind
    data = run_study(read.study, store=read.store, progress=False)
    assert float(data.peak[0, 0, 0]) == response.peak
    assert rs.open_ensemble(read.store).attrs["system_type"] == f"{__name__}:{kind.__name__}"


def test_what_stores_and_snapshots_keep_is_what_they_kept():
    """The words and digests of version 0.2: its stores, logs and files go on."""
    study = Study.of(
        [rs.Block(1.8, w) for w in (0.4, 0.5)], rs.pulses.sine(amplitude=4.0, period=0.8),
        rs.Housner(eta=0.9),
    )  # fmt: skip
    about = study.description()
    assert about["systems"] == SYSTEMS_OF_0_2
    assert about["formulation"] == {"name": "Housner", "eta": 0.9, "r": None, "slender": False}
    snapshot = rs.Monitor(rs.Block(1.8, 0.5), dt=0.01, formulation=rs.Housner(eta=0.9)).to_dict()
    assert snapshot["formulation"] == {
        "type": "Housner", "eta": {"hex": (0.9).hex()}, "r": None, "slender": False
    }  # fmt: skip
    assert snapshot["system"]["type"] == "Block"
    assert snapshot["system"]["height"] == {"hex": (1.8).hex()}


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "values", "says"),
    [
        (BodySpec, {"kind": "Blok"}, "There is no body 'Blok': there are Block"),
        (BodySpec, {"height": 1, "colour": 2}, "colour is not known for a Block. Allowed"),
        (BodySpec, {"kind": "os:path"}, "os:path is not a kind of body"),
        (BodySpec, {"height": 1}, "The block lacks `width`"),
        (BodySpec, {"p": 1, "height": 2}, "`p` and `height` were both given"),
        (BodySpec, {"kind": "FlexibleOscillator", "height": 1}, "lacks `width`, `top_mass`"),
        (BodySpec, {"kind": "MasonryBuilding", "preset": "ours", "mass": 1}, "no preset 'ours'"),
        (BodySpec, {"preset": "x", "height": 1, "width": 1}, "no preset 'x' of a block: use st"),
        (TheorySpec, {"name": "newton"}, "There is no formulation 'newton'"),
        (TheorySpec, {}, "name: this is missing"),
        (TheorySpec, {"name": "housner", "friction": 1}, "has no 'friction': Housner's block ne"),
        (TheorySpec, {"name": "os:path"}, "os:path is not a theory: a class that is one inherits"),
        (MotionSpec, {"pulse": "sine,a=1,T=1", "pga": 0}, "pga = 0: a number above zero is needed"),
        (MotionSpec, {"pulse": "sine,a=1,T=1", "dt": 1}, "dt is for files: write what belongs"),
        (MotionSpec, {}, "give one of file, folder, pulse, stochastic, record, records, samples"),
        (RunSpec, {"until": "noon"}, "until = 'noon': it must be 'rest', 'outcome' or 'motion'"),
        (RunSpec, {"executor": "tcp://theirs:8786"}, "no file may name one"),
        (RunSpec, {"backend": "gpu"}, "backend = 'gpu': it must be 'cpu' or 'cuda'"),
    ],
)  # fmt: skip
def test_an_error_is_one_sentence(kind, values, says):
    with rs.allow_modules("os"), pytest.raises(rs.InputError) as caught:
        kind.checked(values).build()
    assert says in str(caught.value) and "\n" not in str(caught.value)


# -- what people and pages read --------------------------------------------------------------------


def test_summaries_tell_what_differs_from_the_defaults():
    assert str(BodySpec.checked({"height": 1.8, "width": 0.5})) == (
        "Block: height = 1.8 m, width = 0.5 m"
    )
    assert str(TheorySpec.of(rs.Housner(eta=0.9))) == "Housner: eta = 0.9"
    assert str(TheorySpec.of(rs.Housner())) == "Housner"
    assert str(MotionSpec(file="a.AT2", pga=0.4)) == "file = a.AT2, pga = 0.4"
    assert str(MotionSpec.of(rs.Motion([0, 1, 0], 0.1, name="kick"))) == "3 samples of kick"
    study = StudySpec.checked(
        {
            "systems": {"height": [1, 2], "width": 0.5},
            "motions": [{"pulse": "sine,a=0.4g,T=0.8"}],
            "formulation": {"name": "housner", "r": 0.8},
            "run": {"store": "out", "until": "motion"},
        }
    )
    assert str(study).splitlines() == [
        "systems: Block: height = [1.0, 2.0], width = 0.5",
        "motions 1: pulse = sine,a=0.4g,T=0.8",
        "scales: [1.0]",
        "formulation: housner: r = 0.8",
        "run: until motion, store = out",
    ]


def test_schemas_name_every_parameter_with_its_unit():
    found = {one["title"]: one["properties"] for one in BodySpec.model_json_schema()["anyOf"][:-1]}
    assert [*found] == SYSTEMS.names()
    for name, properties in found.items():
        assert set(SYSTEMS.named(name).parameter_names()) == {*properties} - {"kind"}
        for parameter in {*properties} - {"kind"}:
            kinds = properties[parameter].get("type")  # or a list, with "null" last
            first = kinds[0] if isinstance(kinds, list) and kinds[-1] == "null" else kinds
            if first in ("number", "integer", "array"):
                assert properties[parameter]["unit"] == UNITS.get(parameter, "1")
    assert found["Block"]["density"]["default"] == 2600.0
    assert "height 2h" in found["Block"]["height"]["description"]
    assert found["Block"]["p"]["unit"] == "rad/s"
    assert found["Body"]["mesh"] == {"type": "string"}
    assert found["Body"]["inertia"]["type"] == "array"
    schema = TheorySpec.model_json_schema()["anyOf"]
    theories = {one["title"]: one["properties"] for one in schema[:-1]}
    for name in FORMULATIONS.names():
        options = {f.name for f in dataclasses.fields(class_of(FORMULATIONS.named(name)))}
        assert options == {*theories[name]} - {"name"}
    assert theories["dissipation"]["dt"]["unit"] == "s"
    for name, kinds in (
        ("epsilon", ["number", "array"]),
        ("friction", ["number", "array", "null"]),
    ):
        assert theories["nonsmooth"][name]["type"] == kinds  # one number, or one for each edge
        assert theories["nonsmooth"][name]["unit"] == "1"
    json.dumps(StudySpec.model_json_schema())


# -- the study -------------------------------------------------------------------------------------


def test_a_study_is_what_ensemble_takes(tmp_path):
    spec = StudySpec.checked(
        {
            "systems": {"height": [1.2, 1.8], "width": 0.4},
            "motions": [{"pulse": "sine,a=0.4g,T=0.8", "scale": 2.0}],
            "until": "motion",
            "run": {"store": "out"},
        }
    )
    found = rs.ensemble(**spec.build(tmp_path), progress=False)
    assert (tmp_path / "out").is_dir()
    pulse = rs.pulses.sine(amplitude=0.8 * 9.80665, period=0.8)
    wanted = rs.simulate(rs.Block(1.2, 0.4), pulse, until="motion").peak
    assert float(found.peak[0, 0, 0]) == wanted


@pytest.mark.parametrize(
    ("given_", "ends"),
    [({}, "rest"), ({"until": 3.0}, 3.0), ({"run": {"until": "motion"}}, "motion")],
)
def test_when_a_run_ends(given_, ends):
    study = {"systems": {"height": 1, "width": 1}, "motions": [{"pulse": "sine,a=1,T=1"}]}
    assert StudySpec.checked(study | given_).ends == ends
    with pytest.raises(rs.InputError, match="give until once"):
        StudySpec.checked(study | {"until": "rest", "run": {"until": "motion"}})


def test_a_record_may_be_described_in_a_study_as_on_the_command_line(tmp_path):
    strong = rs.Motion(np.array([0.0, 80.0, -80.0, 0.0]), 0.01)
    np.savetxt(tmp_path / "strong.txt", strong.accel)
    values = {"file": "strong.txt", "unit": "m/s2", "dt": 0.01, "any_peak": True, "scale": 0.5}
    found = MotionSpec.checked(values).motions(tmp_path)
    assert next(iter(found.values())) == strong.scaled(0.5)
    with pytest.raises(rs.InputError, match="both given"):
        MotionSpec.checked(values | {"pga": 0.3})


# -- without pydantic ------------------------------------------------------------------------------


def test_running_needs_no_pydantic(tmp_path):
    """Machines with a GPU need not have it; and commands show their help without it."""
    code = (
        "import sys\n"
        "sys.modules['pydantic'] = None\n"
        "import rocksteady as rs\n"
        "import rocksteady.cli\n"
        "push = rs.pulses.sine(amplitude=4.0, period=0.8)\n"
        "block = rs.Block(1.8, 0.5)\n"
        "one = rs.simulate(block, push)\n"
        "many = rs.ensemble(block, push, scales=[1.0, 2.0], progress=False)\n"
        "assert float(many.peak[0, 0, 0]) == one.peak\n"
        "print('ran')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "ran\n", done.stderr


def test_one_of_many_generated_motions_is_made_without_the_others():
    many = {"count": 12, "seed": 3}
    every = MotionSpec.checked({"stochastic": many}).motions()
    one = MotionSpec.checked({"stochastic": {**many, "only": 7}, "pga": 0.3}).build()
    same = list(every.values())[6]
    assert one.name == same.name == "stochastic 07"
    assert one == same.scaled_to(pga=0.3 * 9.80665)
    with pytest.raises(InputError, match="only is one of the count, 1 to 12"):
        MotionSpec.checked({"stochastic": {**many, "only": 13}})


@pytest.mark.parametrize(("kind", "values"), [
    (BodySpec, {"kind": "Block", "height": True, "width": 0.5}),
    (TheorySpec, {"name": "housner", "eta": True}),
    (TheorySpec, {"name": "Housner", "eta": True}),
    (MotionSpec, {"pulse": "sine,a=1,T=1", "scale": False}),
    (MotionSpec, {"file": "a.AT2", "differentiate": "off"}),
], ids=str)  # fmt: skip
def test_truths_are_no_numbers_and_words_no_truths(kind, values):
    with pytest.raises(InputError, match=r"is not a number|must be true or false"):
        kind.checked(values)


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "Block", "height": 1.8, "width": 0.5},
        {"kind": "Block", "height": 1.8, "width": 0.5, "g": 9.7},
        {"kind": "Body", "height": 1.8, "base_x": 0.45, "base_y": 0.6, "g": 9.7},
        {"kind": "MasonryBuilding", "preset": "casalotti2025", "mass": 40e3},
    ],
)
@pytest.mark.parametrize("pulse", [{"pulse": "sine,a=1,T=0.5", "pga": 0.3},
                                   {"pulse": "sine,a=0.3g,T=0.5"}])  # fmt: skip
def test_a_g_is_the_same_everywhere(body, pulse):
    """0.3 g are 0.3 · 9.80665 m/s² on the page, in a study and in the script that the page writes,
    whatever the gravity that acts on the body."""
    case = CaseSpec.checked({"body": body, "motion": pulse})
    [run] = case.build()
    assert run["motion"].pga == pytest.approx(0.3 * 9.80665, rel=1e-14)
    made: dict[str, Any] = {}
    exec(script(case, run["system"]).partition("response = ")[0], made)
    assert made["motion"] == run["motion"]
    source = MotionSpec.checked(pulse)
    assert [source.build(), *source.motions().values()] == [run["motion"]] * 2
