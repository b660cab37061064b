"""The door "Ask": its numbers are those of `rs.ensemble` and `rs.analysis`, and what it advises
does what it says."""

from __future__ import annotations

import dataclasses
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import rocksteady as rs
from rocksteady.analysis.assessment import build
from rocksteady.analysis.hazard import Hazard, risk
from rocksteady.analysis.hazard.bodies import on_plinth
from rocksteady.analysis.stripes import stripes
from rocksteady.errors import InputError
from rocksteady.motion.units import GRAVITY_UNIT
from rocksteady.specs.assessment import AssessmentSpec
from rocksteady.specs.case import CaseSpec
from rocksteady.specs.motion import MotionSpec
from rocksteady.specs.motion_sources import silent
from rocksteady.studio.asking.helps import round_sizes
from rocksteady.studio.asking.motions import kept_motions
from rocksteady.studio.asking.question import AskRequest
from rocksteady.studio.asking.shares import Share
from rocksteady.studio.jobs.kinds.ask import run
from rocksteady.studio.jobs.tell import Tell

MOTIONS = 50  # in place of 300: the same code, quicker
ASKED = {
    "what": "statue",
    "height": 1.6,
    "width": 0.4,
    "material": "marble",
    "storey": 2,
    "storeys": 3,
    "place": {"strength": "very strong"},
    "name": "Apollo",
    "motions": MOTIONS,
}


@pytest.fixture(scope="module", autouse=True)
def fewer_bodies() -> Iterator[None]:
    """Which uncertainty matters most takes as long as all else; `tests/analysis/test_assess.py`
    tests it. Here it is found from fewer runs of each body."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "MOTIONS_VARIED", 10)
        yield


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A job run to its end: its result, what it told, and its folder."""
    folder = tmp_path_factory.mktemp("studio") / "jobs" / "0123456789abcdef"
    folder.mkdir(parents=True)
    told: list[dict[str, Any]] = []
    result = run(ASKED, folder, Tell(folder, told.append))
    return result, told, folder


@pytest.fixture(scope="module")
def setting(job: Any) -> Any:
    """Block, motions, floor and hazard, made by hand."""
    marble = round(2700 * 1600 / 2600, 1)  # the box as full as that of a statue of stone
    block = rs.Block(1.6, 0.4, com_height=0.832, density=marble, thickness=0.4)
    motions = rs.stochastic.ensemble(MOTIONS, 1)
    floor = rs.Floor(period=0.3, storeys=3, level=2)
    return block, motions, floor, Hazard.power(0.35, 1 / 475, 3.0)


# -- the numbers --------------------------------------------------------------------------------


def test_the_count_is_that_of_an_ensemble(job, setting):
    """Run without any of our analysis: scaled to 0.35 g, on the floor, to the outcome."""
    share, (block, motions, floor, _) = job[0]["share"], setting
    scaled = [motion.scaled_to(pga=0.35 * GRAVITY_UNIT) for motion in motions]
    data = rs.ensemble(block, scaled, floor=floor, until="outcome", progress=False)
    fell = int(data["fell"].values.sum())
    assert 0 < fell < MOTIONS
    assert (share["count"], share["of"], share["pga"]) == (fell, MOTIONS, 0.35)
    ends = binomtest(fell, MOTIONS).proportion_ci(0.9, "exact")
    assert (share["low"], share["high"]) == pytest.approx((ends.low, ends.high), rel=1e-9)
    per_hundred = [round(100 * part) for part in (fell / MOTIONS, ends.low, ends.high)]
    assert share["sentence"] == (
        "In 100 earthquakes of this strength {} overturn it, between {} and {}.".format(
            *per_hundred
        )
    )


def test_the_risk_is_that_of_the_analysis(job, setting):
    result, (block, motions, floor, hazard) = job[0], setting
    direct = risk(stripes(block, motions, floor=floor, levels=40, progress=False), hazard)
    assert result["risk"]["probability"] == direct.probability
    assert result["answer"] == direct.sentence


def test_half_of_the_risk_is_left_with_what_is_advised(job, setting):
    """Each advised size as a body of its own, at the levels of the comparison."""
    result, (block, motions, floor, hazard) = job[0], setting
    made = {
        "plinth": on_plinth,
        "width": lambda body, w: dataclasses.replace(body, width=w),
        "centre": lambda body, z: dataclasses.replace(body, com_height=z),
    }
    cards = {card["key"]: card for card in result["helps"]}
    assert [*cards] == ["plinth", "width", "centre", "anchor"]
    found = rs.analysis.measures(
        block, motions, hazard, levels=24, floor=floor, progress=False
    )  # fmt: skip
    levels = found.base.stripes.levels
    for key, make in made.items():
        changed = make(block, cards[key]["value"])
        runs = stripes(changed, motions, floor=floor, levels=levels, progress=False)
        left = risk(runs, hazard).rate / found.base.rate
        assert cards[key]["left"] == pytest.approx(left, rel=1e-12)
        assert left <= 0.5
    pull = cards["anchor"]
    ratio = np.median([floor.motion(motion).pga / motion.pga for motion in motions])
    a = pull["holds_to"] * ratio * GRAVITY_UNIT
    assert pull["pull"] == pytest.approx(block.mass * (a * 0.832 - 9.81 * 0.2) / 0.4)
    ballast = cards["centre"]["ballast"]
    assert block.mass * 0.832 == pytest.approx((block.mass + ballast) * cards["centre"]["value"])


def test_an_earthquake_of_the_count_can_be_looked_at(job, setting):
    share, (block, motions, _, _) = job[0]["share"], setting
    for how, fell in (("falls", True), ("stands", False)):
        one = share["examples"][how]
        built = CaseSpec.checked(one["case"]).build()[0]
        assert rs.simulate(**built).fell is fell
        assert built["system"] == block
        ground = CaseSpec.checked(one["case"]).motion.build()
        same = motions[one["number"] - 1].scaled_to(pga=0.35 * GRAVITY_UNIT)
        assert ground.accel == pytest.approx(same.accel, rel=1e-13)


# -- the job ------------------------------------------------------------------------------------


def test_the_report_and_its_file_are_there(job):
    folder: Path = job[2]
    text = (folder / "files" / "object.toml").read_text(encoding="utf-8")
    said = AssessmentSpec.checked(tomllib.loads(text))
    assert said == AskRequest.checked(ASKED).assessment()
    assert "period by rule of thumb" in text and '"very strong": PGA 0.35 g' in text
    report = (folder / "files" / "report.html").read_text(encoding="utf-8")
    assert "Apollo" in report and job[0]["answer"] in report


def test_it_tells_in_stages_and_nothing_twice(job, tmp_path):
    result, told, folder = job
    words = [message["words"] for message in told if "words" in message]
    assert words[0] == "Making earthquakes" and words[-1] == "Writing the report"
    assert sum("announced" in message for message in told) == 2
    stopped = tmp_path / "jobs" / folder.name  # killed before the report was written
    shutil.copytree(folder, stopped)
    shutil.rmtree(stopped / "files")
    again: list[dict[str, Any]] = []
    assert run(ASKED, stopped, Tell(stopped, again.append)) == result
    assert not any("announced" in message for message in again)
    assert (stopped / "files" / "report.html").is_file()


def test_motions_are_kept_bit_for_bit(tmp_path):
    source = MotionSpec.checked({"stochastic": {"count": 5, "seed": 9}})
    made = kept_motions(source, tmp_path, silent)
    read = kept_motions(source, tmp_path, lambda *_: pytest.fail("made again"))
    assert [*made] == [*read] and all(read[name] == made[name] for name in made)
    assert [one.meta for one in read.values()] == [one.meta for one in made.values()]
    (only,) = tmp_path.iterdir()
    only.write_bytes(b"half a file")
    assert kept_motions(source, tmp_path, silent) == made


# -- one object on another ------------------------------------------------------------------------


def test_a_vase_that_stands_free_is_two_bodies(tmp_path, monkeypatch):
    """Each count is that of an ensemble of the two stones, or of the one block."""
    few = list(rs.stochastic.ensemble(9, 1))[6:]
    monkeypatch.setattr(
        "rocksteady.studio.asking.motions.kept_motions", lambda *_: dict(enumerate(few))
    )
    monkeypatch.setattr("rocksteady.studio.asking.free.RISK_LEVELS", [0.3, 0.6])
    monkeypatch.setattr("rocksteady.studio.asking.free.LOOKED_AT", 1)
    asked = {"what": "vase_on_plinth", "height": 1.4, "width": 0.35, "motions": MOTIONS}
    asked |= {"storey": 2, "storeys": 3, "place": {"strength": "very strong"}}
    folder = tmp_path / "jobs" / "0123456789abcdef"
    folder.mkdir(parents=True)
    result = run(asked | {"fixing": "free"}, folder, Tell(folder, lambda _: None))
    floor = rs.Floor(period=0.3, storeys=3, level=2)
    scaled = [floor.motion(one.scaled_to(pga=0.35 * GRAVITY_UNIT)) for one in few]
    pair = rs.Assembly.vase_on_plinth(1.4, 0.35)
    fell = sum(rs.simulate(pair, motion, until="outcome").fell for motion in scaled)
    together = AskRequest.checked(asked | {"fixing": "fixed"}).assessment().object.build()
    fixed = sum(rs.simulate(together, motion).fell for motion in scaled)
    (card,) = result["helps"]
    assert (result["share"]["count"], card["count"]) == (fell, fixed) and fell > fixed
    assert any("free on its plinth" in sentence for sentence in result["limits"])
    assert sorted(path.name for path in (folder / "files").iterdir()) == result["files"]
    assert pair.mass == pytest.approx(together.mass, rel=1e-6)
    saved = rs.read_assembly(folder / "files" / "stones.json")
    assert [stone.name for stone in saved.stones] == ["ground", "plinth", "vase"]


# -- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "of", "sentence"),
    [
        (23, 100, "In 100 earthquakes of this strength 23 overturn it, between 16 and 31."),
        (0, 300, "None of 300 earthquakes of this strength overturns it: at most 1 in 100 would."),
        (
            300,
            300,
            "All of 300 earthquakes of this strength overturn it: at least 99 in 100 would.",
        ),
        (1, 300, "In 1000 earthquakes of this strength 3 overturn it, between 0 and 16."),
    ],
)
def test_sentences(count, of, sentence):
    ends = binomtest(count, of).proportion_ci(0.9, "exact")
    assert Share(count, of, count / of, ends.low, ends.high, of).sentence == sentence


def test_round_sizes():
    assert round_sizes(0.486, downwards=False) == [0.49, 0.5, 0.51, 0.52]
    assert round_sizes(0.791, downwards=True) == [0.79, 0.78, 0.77, 0.76]
    assert round_sizes(3.02, downwards=False) == [3.05, 3.1, 3.15, 3.2]


# -- the question -------------------------------------------------------------------------------


def test_storeys_give_the_period():
    assert AskRequest(storey=2, storeys=4).floor == {"period": 0.4, "storeys": 4, "level": 2}
    assert AskRequest(storey=2, storeys=4, period=0.7).floor["period"] == 0.7
    assert AskRequest(storeys=4).floor is None


def test_a_hazard_table_gives_the_strength():
    table = {"levels": [0.1, 0.2, 0.4], "rates": [0.01, 1 / 475, 0.0003]}
    asked = AskRequest.checked({"place": table})
    assert asked.place.at_475() == pytest.approx(0.2)
    assert asked.assessment().hazard.levels == [0.1, 0.2, 0.4]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"what": "vase_on_plinth"}, 'fixing = "free" or "fixed" says how'),
        ({"what": "vase_on_plinth", "fixing": "wax"}, "fixing"),
        ({"what": "statue", "fixing": "free"}, "Other objects take no fixing"),
        ({"what": "vase_on_plinth", "fixing": "free", "com_height": 0.5}, "goes with one body"),
        ({"mass": 400, "material": "stone"}, "mass and material were both given"),
        ({"what": "cabinet", "material": "wood"}, "weighs what is in it: give its mass"),
        ({"storey": 5, "storeys": 3}, "above the roof of a building of 3 storeys"),
        ({"place": {}}, "give one of strength, pga"),
        ({"place": {"pga": 0.2, "strength": "weak"}}, "give one of strength, pga"),
        ({"place": {"pga": 25}}, "pga"),
        ({"place": {"levels": [0.1, 0.2], "rates": [0.1, 0.01]}}, "must reach over once in 475"),
        ({"place": {"levels": [0.1, 0.2], "rates": [0.001, 0.01]}}, "stronger shaking is rarer"),
        ({"com_height": 2.5}, "above the top of the object, 1.8 m"),
        ({"height": 0.4, "width": 0.5}, "Lower ones slide"),
        ({"height": 10, "width": 0.2}, "more slender ones bend"),
        ({"motions": 1_000_000}, "motions"),
        ({"height": -1}, "height"),
        ({"height": 1e9}, "height"),
    ],
)
def test_nonsense_is_refused(wrong, why):
    with pytest.raises(InputError, match=why):
        AskRequest.checked(wrong)
