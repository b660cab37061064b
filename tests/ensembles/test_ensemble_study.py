"""Study files: what they say is what is run, and what is wrong in them is named with its line."""

from __future__ import annotations

import itertools
import json
import re
import signal
import subprocess
import sys
from functools import partial

import numpy as np
import pandas
import pytest

import rocksteady as rs
from rocksteady.analysis.shares.summary import of_dataset
from rocksteady.cli.common.output import errors
from rocksteady.cli.common.progress import Work
from rocksteady.cli.ensemble.tables import print_run
from rocksteady.ensembles import plan
from rocksteady.ensembles.api import ensemble, open_ensemble
from rocksteady.ensembles.progress import in_words, shown, spaced, span
from rocksteady.ensembles.study_file import example, read_study
from rocksteady.specs.toml_lines import key_lines, line_of

MOTION = '[[motions]]\npulse = "sine,a=0.4g,T=0.8"\n'
BLOCK = "[systems]\nheight = 1.8\nwidth = 0.5\n"


@pytest.fixture
def study_of(tmp_path):
    def read(text, **changes):
        path = tmp_path / "study.toml"
        path.write_text(text, encoding="utf-8")
        return read_study(path, **changes)

    return read


# -- systems -----------------------------------------------------------------------------------


def test_every_combination(study_of):
    text = "[systems]\nheight = [1.0, 2.0]\nwidth = {from = 0.2, to = 0.4, count = 3}\ng = 9.8\n"
    study = study_of(text + MOTION).study
    sizes = [(block.height, block.width) for block in study.systems]
    want = list(itertools.product([1.0, 2.0], [0.2, 0.3, 0.4]))
    assert np.array(sizes) == pytest.approx(np.array(want))
    assert {block.g for block in study.systems} == {9.8}


def test_ranges_of_equal_ratios(study_of):
    text = "scales = {from = 0.1, to = 10, count = 3, log = true}\n" + BLOCK + MOTION
    assert study_of(text).study.scales == pytest.approx([0.1, 1.0, 10.0])


def test_random_systems_follow_their_distributions(study_of):
    """By their means and spreads, within four standard errors of 4000 draws."""
    text = (
        "[systems]\nsample = 4000\nseed = 3\np = {uniform = [1.0, 3.0]}\n"
        "alpha = {lognormal = [0.2, 0.1]}\n" + MOTION
    )
    systems = study_of(text).study.systems
    p, log_alpha = (
        np.array([f(s) for s in systems]) for f in (lambda s: s.p, lambda s: np.log(s.alpha))
    )
    n = np.sqrt(4000)
    assert abs(p.mean() - 2.0) < 4 * (2 / np.sqrt(12)) / n
    assert p.min() >= 1.0 and p.max() <= 3.0
    assert abs(log_alpha.mean() - np.log(0.2)) < 4 * 0.1 / n
    assert abs(log_alpha.std() - 0.1) < 4 * 0.1 / n / np.sqrt(2)
    assert abs(np.corrcoef(p, log_alpha)[0, 1]) < 4 / n  # drawn apart


def test_random_systems_are_reproducible_one_parameter_at_a_time(study_of):
    draw = "[systems]\nsample = 5\nseed = {}\nheight = {{uniform = [1.0, 3.0]}}\nwidth = {}\n"
    one = study_of(draw.format(1, "0.5") + MOTION).study.systems
    two = study_of(draw.format(1, "{choice = [0.5, 0.6]}") + MOTION).study.systems
    other = study_of(draw.format(2, "0.5") + MOTION).study.systems
    assert [b.height for b in one] == [b.height for b in two] != [b.height for b in other]


def test_the_other_distributions(study_of):
    text = (
        "[systems]\nsample = 50\nheight = {normal = [2.0, 0.1]}\n"
        "width = {loguniform = [0.3, 0.6]}\ndensity = {choice = [2000, 2600]}\n" + MOTION
    )
    systems = study_of(text).study.systems
    assert {b.density for b in systems} == {2000.0, 2600.0}
    assert all(0.3 <= b.width <= 0.6 and 1.4 < b.height < 2.6 for b in systems)


def test_a_table_in_another_unit_is_refused(study_of, tmp_path):
    (tmp_path / "statues.csv").write_text("height [cm],width [m]\n180,0.5\n")
    with pytest.raises(rs.InputError, match=r"height \[cm\].*must be in m"):
        study_of('[systems]\ntable = "statues.csv"\n' + MOTION)


def test_a_column_that_is_not_read_is_refused_until_it_is_said_to_be_of_no_account(
    study_of, tmp_path
):
    """A statue on the second floor would be computed on the ground."""
    table = "Name,height,width,floor,room,value\n Nike ,1.8,0.5,2,Sala,90000\n"
    (tmp_path / "statues.csv").write_text(table)
    with pytest.raises(rs.InputError) as error:
        study_of('[systems]\ntable = "statues.csv"\n' + MOTION)
    for said in (
        "statues.csv: the column 'room' is not known for a Block. Allowed are height, width",
        'If no answer depends on them, write ignore = ["room", "value"].',
    ):
        assert said in str(error.value)
    floor = r"the column 'floor' cannot be used. All bodies of a study stand on the same floor"
    with pytest.raises(rs.InputError, match=floor):
        study_of('[systems]\ntable = "statues.csv"\nignore = ["room", "value"]\n' + MOTION)
    ignoring = '[systems]\ntable = "statues.csv"\nignore = ["floor", "room", "value"]\n'
    with pytest.warns(rs.RocksteadyWarning, match="the column 'floor' is ignored"):
        assert study_of(ignoring + MOTION).study.system_names == ("Nike",)
    with pytest.raises(rs.InputError, match="column 'rom' is not known in statues"):
        study_of(ignoring.replace("room", "rom") + MOTION)
    with pytest.raises(rs.InputError, match="ignore names columns of a table, and there is none"):
        study_of(BLOCK + 'ignore = ["room"]\n' + MOTION)
    (tmp_path / "statues.csv").write_text(table + "Zeus,2.0,0.6,1,Sala,90000\n")
    with pytest.raises(rs.InputError, match=floor):
        study_of(ignoring + MOTION)
    (tmp_path / "statues.csv").write_text("height,width,offest\n1.8,0.5,0.1\n")
    with pytest.raises(rs.InputError, match=r"'offest' .*; did you mean offset\?"):
        study_of('[systems]\ntable = "statues.csv"\n' + MOTION)


def test_a_table_may_name_its_systems(study_of, tmp_path):
    (tmp_path / "statues.csv").write_text("height,name,width\n1.5,Venus,0.4\n2.5,,0.5\n2,Venus,1\n")
    study = study_of('[systems]\ntable = "statues.csv"\n' + MOTION).study
    assert study.system_names == ("Venus", "system 2", "Venus (2)")
    assert [block.height for block in study.systems] == [1.5, 2.5, 2.0]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_systems_from_a_table(study_of, tmp_path, suffix):
    import pandas

    table = pandas.DataFrame({"id": ["a", "b"], "height [m]": [1.5, 2.5], "width [m]": [0.4, 0.5]})
    path = tmp_path / f"statues.{suffix}"
    table.to_csv(path, index=False) if suffix == "csv" else table.to_parquet(path)
    text = f'[systems]\ntable = "statues.{suffix}"\nignore = ["id"]\ndensity = 2000\n' + MOTION
    systems = study_of(text).study.systems
    assert systems == (
        rs.Block(height=1.5, width=0.4, density=2000.0),
        rs.Block(height=2.5, width=0.5, density=2000.0),
    )


def test_sizes_in_centimetres_are_suspected_once(study_of):
    text = "[systems]\nheight = [180, 2, 250]\nwidth = [0.5, 0.6]\n" + MOTION
    with pytest.warns(rs.RocksteadyWarning) as told:
        systems = study_of(text).study.systems
    assert [str(one.message) for one in told] == [
        "The body is 180 m high. Sizes are in metres: 180 cm would be height = 1.8. "
        "(The same holds for 4 of 6 systems.)"
    ]
    assert len(systems) == 6  # a warning, not an error


def test_other_kinds_of_body(study_of):
    text = '[systems]\nkind = "MasonryBuilding"\npreset = "casalotti2025"\nmass = [2e4, 4e4]\n'
    study = study_of(text + MOTION).study
    assert study.systems == tuple(rs.MasonryBuilding.casalotti2025(m) for m in (2e4, 4e4))
    assert study.formulation.name == "Masonry"


# -- motions -----------------------------------------------------------------------------------


def test_motions_of_all_sources(study_of, tmp_path):
    record = rs.Motion(np.sin(np.arange(400) / 10), 0.01, name="record")
    (tmp_path / "records").mkdir()
    for name in ("b.AT2", "a.AT2", "c.csv"):
        rs.write_motion(record, tmp_path / "records" / name)
    text = (
        BLOCK
        + (
            '[[motions]]\nfile = "records/b.AT2"\nname = "first"\n'
            '[[motions]]\nfolder = "records"\npattern = "*.AT2"\npga = 0.3\n'
            "[[motions]]\nstochastic = {count = 3, seed = 4}\n"
        )
        + MOTION
    )
    study = study_of(text).study
    assert study.motion_names[0] == "first" and len(study.motions) == 7
    assert [m.pga for m in study.motions[1:3]] == pytest.approx([0.3 * 9.80665] * 2)
    made = rs.stochastic.ensemble(3, 4)
    assert list(study.motions[3:6]) == made
    assert study.motion_names[3:6] == ("stochastic 1", "stochastic 2", "stochastic 3")


def test_a_folder_with_more_than_records_says_how_to_choose(study_of, tmp_path):
    (tmp_path / "records").mkdir()
    rs.write_motion(rs.Motion(np.ones(9), 0.01), tmp_path / "records" / "a.AT2")
    (tmp_path / "records" / "README.md").write_text("Records of the town.\n")
    with pytest.raises(rs.InputError, match=r'README.md.* pattern = "\*.AT2"'):
        study_of(BLOCK + '[[motions]]\nfolder = "records"\n')
    study_of(BLOCK + '[[motions]]\nfolder = "records"\npattern = "*.AT2"\n')


def test_stochastic_motions_with_given_parameters(study_of):
    text = (
        BLOCK + "[[motions]]\nstochastic = {count = 2, arias = 1.0, d5_95 = 10.0, t_mid = 8.0, "
        "frequency_mid = 3.0, frequency_rate = -0.05, damping = 0.3}\n"
    )
    parameters = rs.stochastic.Parameters(1.0, 10.0, 8.0, 3.0, -0.05, 0.3)
    assert list(study_of(text).study.motions) == rs.stochastic.ensemble(2, 0, parameters)


# -- all of it ---------------------------------------------------------------------------------


def test_formulation_and_options(study_of):
    text = 'paired = true\nuntil = "motion"\n' + BLOCK + MOTION
    text += '[formulation]\nname = "Nonsmooth"\nfriction = 0.5\n[run]\nstore = "out"\nkeep = [0]\n'
    read = study_of(text)
    assert read.study.formulation == rs.Nonsmooth(friction=0.5)
    assert read.study.paired and read.study.until == "motion"
    assert read.store is not None and read.store.name == "out" and read.run.keep == (0,)
    assert study_of(text, store="elsewhere").store.name == "elsewhere"


RANGE = "{{from = 0.1, to = 0.5, count = {:.0f}}}"
FOUR_RANGES = "[systems]\n" + "".join(
    f"{name} = {RANGE.format(2**16)}\n" for name in ("height", "width", "density", "thickness")
)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (BLOCK.replace("0.5", "'wide'") + MOTION, 3, "systems.width"),
        (BLOCK.replace("0.5", "-0.5") + MOTION, 1, "width = -0.5 m is not allowed"),
        (BLOCK + "colour = 3\n" + MOTION, 4, "is not known for a Block. Allowed are height, width"),
        (BLOCK + MOTION + "speed = 1\n", 6, "motions.0.speed = 1: this key is not known"),
        (BLOCK + MOTION + "fiel = 1\n", 6, "did you mean file? Allowed are file, folder, pulse"),
        (BLOCK + MOTION + "[run]\nstroe = 1\n", 7, "did you mean store? Allowed are store"),
        (BLOCK.replace("0.5", "{form = 1, to = 2, count = 3}") + MOTION, 3, "did you mean from?"),
        (BLOCK + MOTION + "pga = '0.3g'\n", 6, "in g and without the unit: pga = 0.3 is 0.3 g"),
        ("[systems]\ntabel = 'a.csv'\n" + MOTION, 2, "did you mean table? Allowed are kind"),
        (BLOCK + "[[motions]]\nstochastic = {cuont = 2}\n", 5, "did you mean count? Allowed are"),
        ("scale = 2\n" + BLOCK + MOTION, 1, "did you mean scales? Allowed are name, systems"),
        (BLOCK.replace("0.5", "'50cm'") + MOTION, 3, "width = '50cm': a number is needed, in SI"),
        (BLOCK + MOTION + MOTION + 'file = "x.AT2"\n', 6, "give one of file, folder, pulse"),
        (BLOCK + '[[motions]]\npulse = "sine,a=0.4g"\n' + MOTION, 4, "motions.0"),
        (BLOCK, None, "motions: this is missing"),
        (MOTION, None, "systems: this is missing"),
        ("scales = []\n" + BLOCK + MOTION, 1, "scales = []: at least one is needed"),
        ("scales = [1.0, inf]\n" + BLOCK + MOTION, 1, "finite number"),
        ("scales = {from = 0, to = 1, count = 3, log = true}\n" + BLOCK + MOTION, 1, "above zero"),
        (BLOCK.replace("0.5", "{uniform = [0.3, 0.5]}") + MOTION, 3, "say how many systems"),
        (BLOCK.replace("0.5", "{uniform = [0.5, 0.3]}") + MOTION, 3, "lowest value must come"),
        (BLOCK.replace("0.5", "{choice = []}") + MOTION, 3, "choice = []: at least one is needed"),
        (BLOCK.replace("0.5", "{normal = [0.5, -0.1]}") + MOTION, 3, "deviation is not negative"),
        (BLOCK.replace("0.5", RANGE.format(1e12)) + MOTION, 3, "less than or equal to 10000000"),
        (FOUR_RANGES + MOTION, 1, f"{2**64} combinations are too many"),
        (BLOCK + "sample = 3\nseed = -1\n" + MOTION, 5, "systems.seed = -1"),
        (BLOCK.replace("0.5", "[0.5, 0.6]") + "sample = 3\n" + MOTION, 3, "has several values"),
        (BLOCK + MOTION + '[formulation]\nname = "Hausner"\n', 6, "no formulation 'Hausner'"),
        (BLOCK + MOTION + '[formulation]\nname = "Housner"\nmu = 1\n', 6, "mu is not known"),
        (BLOCK + MOTION + '[formulation]\nname = "Housner"\neta = 2\n', 6, "eta = 2 is not"),
        (BLOCK + MOTION + '[formulation]\nname = "Housner"\neta = "x"\n', 6, "eta = 'x' is not"),
        (BLOCK + MOTION + '[formulation]\nname = "Masonry"\nupdate = [1]\n', 6, "with update ="),
        (BLOCK + MOTION + '[run]\nbackend = "gpu"\n', 7, "run.backend = 'gpu'"),
        (BLOCK + MOTION + "pga = 1\npgv = 1\n", 7, "motions.0.pgv = 1 and pga = 1 were both given"),
        ('[systems]\ntable = "none.csv"\n' + MOTION, 1, "There is no file"),
        ("[systems]\nheight = 1.8\n" + MOTION, 1, "System 0: The block lacks width: give its full"),
    ],
)  # fmt: skip
def test_errors_name_key_and_line(study_of, text, line, words):
    with pytest.raises(rs.InputError) as caught:
        study_of(text)
    message = str(caught.value)
    assert words in message
    assert "study.toml" in message
    if line is not None:
        assert f"line {line}:" in message
    assert "\n" not in message


def test_broken_toml_and_missing_files(study_of, tmp_path):
    with pytest.raises(rs.InputError, match=r"is not TOML: .*line 2"):
        study_of("[systems]\nheight = \n")
    with pytest.raises(rs.InputError, match="--example"):
        read_study(tmp_path / "none.toml")
    with pytest.raises(rs.InputError, match="backend = 'gpu': it must be 'cpu' or 'cuda'"):
        study_of(BLOCK + MOTION, backend="gpu")


def test_lines_of_keys():
    text = 'a = 1\n[b]\nc.d = {e = 1}\n[[f]]\ng = 1\n[[f]]\n# g = 0\ng = 2\n[f.h]\n"i j" = 1\n'
    assert key_lines(text) == {
        ("a",): 1,
        ("b",): 2,
        ("b", "c", "d"): 3,
        ("f",): 4,
        ("f", 0): 4,
        ("f", 0, "g"): 5,
        ("f", 1): 6,
        ("f", 1, "g"): 8,
        ("f", 1, "h"): 9,
    }  # "i j" is beyond it: its table is named instead
    assert line_of(text, ("b", "c", "d", "e")) == 3
    assert line_of(text, ("f", 1, "h", "i j")) == 9
    assert line_of(text, ("z",)) is None


# -- the command -------------------------------------------------------------------------------


@pytest.fixture
def rocksteady_ensemble(command_line, monkeypatch, tmp_path):
    """`rocksteady ensemble` in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return partial(command_line, "ensemble")


SMALL = BLOCK.replace("1.8", "[1.2, 1.8]") + MOTION + '[run]\nstore = "out"\n'
SMALL = 'name = "small"\nscales = [0.5, 1.0, 4.0]\n' + SMALL


def test_the_example_runs(rocksteady_ensemble, tmp_path):
    text = rocksteady_ensemble("--example").out
    assert text == example()
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    done = rocksteady_ensemble("study.toml", "--json")
    about = json.loads(done.out)
    data = open_ensemble(tmp_path / "museum")
    assert about["runs"] == about["made_now"] == data.peak.size == 12 * 21 * 6
    assert about["fallen_share"] == float((data.status == 2).mean())
    by_scale = [row["share"] for row in about["fallen_by_scale"]]
    assert by_scale == pytest.approx((data.status == 2).mean(("system", "motion")).values)
    by_motion = [row["share"] for row in about["fallen_by_motion"]]
    assert by_motion == pytest.approx((data.status == 2).mean(("system", "scale")).values)
    by_system = [row["share"] for row in about["fallen_by_system"]]
    assert by_system == pytest.approx((data.status == 2).mean(("motion", "scale")).values)
    assert about["fallen_by_system"][0]["system"] == "1.2 × 0.3 m"


def test_shares_are_of_the_runs_that_gave_an_answer():
    motions = [rs.pulses.sine(amplitude=3 + 0.5 * i, period=0.8) for i in range(6)]
    statues = [rs.Block(1.8, width) for width in (0.3, 0.5)]
    data = rs.ensemble(statues, motions, scales=[1.0, 2.0], progress=False).copy(deep=True)
    data.status[0, :2, 0] = data.status[1, :, 1] = list(rs.Status).index(rs.Status.FAILED)
    data.peak[0, :2, 0] = 99.0  # what a run reached before it failed is no result
    about = of_dataset(data)
    fell, told = data.status == 2, data.status != 4
    assert about["failed"] == about["status"]["failed"] == 8
    assert about["fallen_share"] == pytest.approx(float(fell.sum() / told.sum()))
    for axis, others in (
        ("system", ("motion", "scale")),
        ("motion", ("system", "scale")),
        ("scale", ("system", "motion")),
    ):
        rows = about[f"fallen_by_{axis}"]
        shares = (fell.sum(others) / told.sum(others)).values
        assert [row["share"] for row in rows] == pytest.approx(shares)
        assert [row["failed"] for row in rows] == (~told).sum(others).values.tolist()
    first, second = about["fallen_by_system"]
    assert first["by_scale"][0] == pytest.approx(float(fell[0, :, 0].sum() / 4))
    assert first["peak_by_scale"][0] == pytest.approx(float(data.peak[0, 2:, 0].max()))
    assert first["failed_by_scale"] == [2, 0]
    assert second["by_scale"][1] is None and second["peak_by_scale"][1] is None


def test_runs_without_an_answer_on_the_screen(capsys):
    """They are told, are in no share, and are not called flat."""
    cells = {"by_scale": [0.0, None, 0.5], "peak_by_scale": [0.4, None, 2.0]}
    other = {"by_scale": [None, 0.0, 1.0], "peak_by_scale": [None, 0.3, 3.0]}
    about = {
        "name": "",
        "system_type": "Block",
        "systems": 2,
        "motions": 4,
        "scales": 3,
        "runs": 24,
        "failed": 9,
        "made_now": 24,
        "seconds": 1.0,
        "compiled": False,
        "pga_g": 0.5,
        "files": [],
        "store": None,
        "status": {"at rest": 9, "overturned": 6, "failed": 9},
        "standing_peak_mean": None,
        "fallen_by_system": [
            {"system": "a", "share": 0.3, **cells, "failed_by_scale": [1, 4, 0]},
            {"system": "b", "share": 0.5, **other, "failed_by_scale": [4, 0, 0]},
        ],
        "fallen_by_scale": [
            {"scale": scale, "share": share, "failed": 0}
            for scale, share in ((0.4, 0.0), (1.0, 0.0), (2.0, 0.75))
        ],
    }
    print_run(about)
    out = capsys.readouterr().out
    words = [line.split() for line in out.splitlines()]
    assert ["a", "0", "–", "50"] in words and ["b", "–", "0", "100"] in words
    assert "60.00 %  9" in out and "40.00 %  6" in out  # of 15
    assert "9 of 24: no answer, and in no share" in out and "flat" not in out
    assert "0 is none of 3 or more" in out and "up to 63 %" in out
    assert "9 of 24 runs have no answer: shares are of the others." in out


@pytest.mark.parametrize(
    ("scales", "heads", "by"),
    [((0.4, 1.0, 2.0), ["0.2", "0.5", "1"], "PGA"), ((-1.0, 1.0), ["-1", "1"], "scale")],
)
def test_strengths_have_one_name_on_the_screen(rocksteady_ensemble, tmp_path, scales, heads, by):
    """In the grid and in the shares below it; mirrored motions are named by the scale."""
    text = f"scales = {list(scales)}\n" + BLOCK + '[[motions]]\npulse = "sine,a=0.5g,T=0.8"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    out = rocksteady_ensemble("study.toml").out
    grid, shares = out[out.index("by system and ") :].split("fallen, by ", 1)
    assert grid.startswith(f"by system and {by}") and shares.startswith(by)
    rows = [line.split()[0] for line in shares.splitlines() if "%" in line]
    assert rows == heads
    assert ("scale" in grid + shares) == (by == "scale")


def test_a_figure_of_the_study_and_of_its_store(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    done = rocksteady_ensemble("study.toml", "-o", "study.svg")
    assert done.code == 0 and "wrote study.svg" in done.out
    again = rocksteady_ensemble("status", "out", "--out", "store.svg", "--json")
    assert json.loads(again.out)["files"] == ["store.svg"]
    assert (tmp_path / "study.svg").read_bytes() == (tmp_path / "store.svg").read_bytes()
    assert "small: " in (tmp_path / "store.svg").read_text(
        encoding="utf-8"
    )  # a comment of the text


def test_a_figure_that_cannot_be_written_stops_before_the_work(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    for name, says in (("figure.gif", "must end in .png"), ("study.toml/a.png", "not a folder")):
        done = rocksteady_ensemble("study.toml", "-o", name)
        assert done.code == 2 and says in " ".join(done.err.split())
    assert not (tmp_path / "out").exists()


def test_tables_of_the_study_and_of_its_store(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    done = rocksteady_ensemble("study.toml", "-o", "a.md", "-o", "a.csv", "-o", "a.svg", "--json")
    assert json.loads(done.out)["files"] == ["a.md", "a.csv", "a.svg"]
    assert (tmp_path / "a.md").read_text(encoding="utf-8").startswith("## small")
    rocksteady_ensemble("status", "out", "-o", "b.csv", "-q")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_no_table_of_a_paired_study_and_no_work_for_one(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text("paired = true\n" + BLOCK + MOTION, encoding="utf-8")
    done = rocksteady_ensemble("study.toml", "-o", "a.csv", "--store", "out")
    assert done.code == 2 and "to_dataframe" in done.err
    assert not (tmp_path / "out").exists()


SEVERAL = """
scales = [0.1, 0.3, 0.6]
[systems]
height = 1.8
width = [0.2, 0.6]
[[motions]]
stochastic = { count = 4, seed = 1 }
pga = 1.0
"""


def test_each_body_at_each_strength(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SEVERAL, encoding="utf-8")
    about = json.loads(rocksteady_ensemble("study.toml", "--json", "--store", "out").out)
    data = open_ensemble(tmp_path / "out")
    fell = (data.status == 2).mean("motion").values
    shares = [row["by_scale"] for row in about["fallen_by_system"]]
    assert shares == pytest.approx(fell) and fell.max() > 0
    peaks = [row["peak_by_scale"] for row in about["fallen_by_system"]]
    assert peaks == pytest.approx(data.peak.max("motion").values)
    out = rocksteady_ensemble("study.toml").out
    lines = {line.split("  ")[1]: line.split()[-3:] for line in out.splitlines() if " m " in line}
    told = [["flat" if p == 0 else f"{100 * s:.0f}" for s, p in zip(*both, strict=True)]
            for both in zip(shares, peaks, strict=True)]  # fmt: skip
    assert list(lines.values()) == told and "flat" in told[1]
    assert "fallen [% of 4 motions], by system and PGA" in out and "0.3 g" in out
    assert "0 is none of 4: if they are a fair sample, the true share may be up to 53 %." in out


def test_of_one_motion_each_body_tells_how_far_it_leaned(rocksteady_ensemble, tmp_path):
    text = "scales = [0.1, 1, 9]\n" + BLOCK.replace("0.5", "[0.4, 0.5]") + MOTION
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    out = rocksteady_ensemble("study.toml").out
    assert "largest lean |θ|/α, or fallen, by system and PGA" in out
    assert "flat: its base never left the ground." in out and "none of" not in out


def test_a_store_is_no_study_file(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    rocksteady_ensemble("study.toml", "-q")
    done = rocksteady_ensemble("out")
    assert done.code == 2 and "rocksteady ensemble status out" in " ".join(done.err.split())


def test_without_a_store_nothing_was_there_already(rocksteady_ensemble, tmp_path):
    one = BLOCK + MOTION
    (tmp_path / "study.toml").write_text(one, encoding="utf-8")
    done = rocksteady_ensemble("study.toml")
    assert "already" not in done.out + done.err
    assert "1 system × 1 motion × 1 scale: 1 run by Housner" in done.err
    assert json.loads(rocksteady_ensemble("study.toml", "--json").out)["made_now"] == 1


def test_buildings_collapse_and_bodies_fall(rocksteady_ensemble, tmp_path):
    houses = '[systems]\nkind = "MasonryBuilding"\npreset = "casalotti2025"\nmass = [2e4, 9e4]\n'
    (tmp_path / "study.toml").write_text("scales = [0.1, 2]\n" + houses + MOTION)
    out = rocksteady_ensemble("study.toml").out
    assert "or collapsed, by system and PGA" in out and "fallen" not in out
    assert "20 t" in out and "first slip" in " ".join(out.replace("│", " ").split())


def test_brackets_in_names_are_no_markup(rocksteady_ensemble, tmp_path):
    (tmp_path / "statues.csv").write_text("name,height,width\n[/x] Nike,1.8,0.3\n[red],2,0.3\n")
    text = 'name = "[bold] and [/bold]"\n[systems]\ntable = "statues.csv"\n' + MOTION
    (tmp_path / "study.toml").write_text(text + '[run]\nstore = "out"\n')
    out = rocksteady_ensemble("study.toml").out
    assert "[/x] Nike" in out and "[red]" in out and "[bold] and [/bold]" in out
    assert "[bold] and [/bold]" in rocksteady_ensemble("status", "out").out


def test_the_table_and_going_on(rocksteady_ensemble, tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "PART_SECONDS", 1e-9)
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    first = rocksteady_ensemble("study.toml")
    assert "2 systems × 1 motion × 3 scales: 6 runs by Housner" in first.err
    assert "small" in first.out and "overturned" in first.out and "wrote out" in first.out
    (tmp_path / "out" / "runs" / f"{2:012d}.parquet").unlink()
    status = rocksteady_ensemble("status", "out")
    assert "5 of 6, 83.3 %" in status.out and "goes on from here" in status.out
    assert json.loads(rocksteady_ensemble("status", "out", "--json").out)["done"] == 5
    again = rocksteady_ensemble("study.toml")
    assert "5 of 6 runs were there already" in again.err
    assert "6, 1 of them now" in again.out
    assert "complete" in rocksteady_ensemble("status", "out").out
    assert "all there already" in rocksteady_ensemble("study.toml").out


def test_the_store_may_be_named_on_the_command_line(rocksteady_ensemble, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "study.toml").write_text(SMALL, encoding="utf-8")
    rocksteady_ensemble("deep/study.toml", "-q")
    rocksteady_ensemble("deep/study.toml", "-q", "--store", "mine")
    assert (tmp_path / "deep" / "out" / "manifest.json").is_file()  # beside the file
    manifest = json.loads((tmp_path / "mine" / "manifest.json").read_text())  # from where one is
    assert manifest["notes"]["file"] == SMALL and manifest["notes"]["name"] == "small"


def test_what_the_file_says_is_what_the_call_gives(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    rocksteady_ensemble("study.toml", "-q")
    blocks = [rs.Block(height=h, width=0.5) for h in (1.2, 1.8)]
    pulse = rs.pulses.sine(amplitude=0.4 * 9.80665, period=0.8)
    called = ensemble(blocks, pulse, scales=[0.5, 1.0, 4.0], progress=False)
    assert np.array_equal(open_ensemble(tmp_path / "out").peak, called.peak)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Give a study file"),
        (("status",), "Which store?"),
        (("status", "nowhere"), "is not an ensemble store"),
        (("none.toml",), "Cannot read the study file"),
        (("a.toml", "b"), "one word too many"),
    ],
)
def test_wrong_words(rocksteady_ensemble, arguments, words):
    done = rocksteady_ensemble(*arguments)
    assert done.code == 2
    assert words in done.err.replace("\n", " ")


def by_hand(*arguments, **options):
    """Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # may be off: background
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("rocksteady.ensembles.study_file._study", "still being read: nothing was run."),
        ("rocksteady.ensembles.run.Store.begin", "No run was finished: there is no store out yet"),
    ],
)
def test_stopped_before_the_store_exists(tmp_path, monkeypatch, rocksteady_ensemble, where, words):
    """Nothing is kept then, and it says so."""
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(where, by_hand)
    done = rocksteady_ensemble("study.toml")
    assert done.code == 130 and not (tmp_path / "out").exists()
    said = done.err.replace("\n", " ")
    assert words in said and "Stopped." in said and "kept in" not in said


def test_stopped_by_hand_says_what_is_kept_and_how_to_go_on(
    tmp_path, monkeypatch, rocksteady_ensemble
):
    monkeypatch.setattr(plan, "PART_SECONDS", 1e-9)  # a run in each part
    (tmp_path / "study.toml").write_text(SMALL, encoding="utf-8")
    from rocksteady.ensembles.shake import Together

    made, columns = [], Together.columns

    def stopped_at_the_fourth(runs, start, stop):
        made.append(start)
        return by_hand() if len(made) == 4 else columns(runs, start, stop)

    monkeypatch.setattr(Together, "columns", stopped_at_the_fourth)
    done = rocksteady_ensemble("study.toml")
    assert done.code == 130
    kept = len(list((tmp_path / "out" / "runs").glob("[0-9]*.parquet")))
    assert 2 <= kept <= 3  # the third may have been on its way to the disk
    said = done.err.replace("\n", " ")
    assert f"{kept} of 6 runs are kept in out: the same command resumes from there." in said
    monkeypatch.setattr(Together, "columns", columns)
    assert f"{kept} of 6 runs were there already" in rocksteady_ensemble("study.toml").err


def test_without_a_store_nothing_is_kept(tmp_path, monkeypatch, rocksteady_ensemble):
    (tmp_path / "study.toml").write_text(BLOCK + MOTION, encoding="utf-8")
    monkeypatch.setattr("rocksteady.ensembles.shake.shake", by_hand)
    done = rocksteady_ensemble("study.toml")
    assert done.code == 130 and "the study has no store" in done.err


# -- what fits on the screen -------------------------------------------------------------------


@pytest.mark.parametrize("width", [200, 80, 50, 36])
@pytest.mark.parametrize("count", [5, 12, 90])
def test_no_column_is_lost_without_a_word(rocksteady_ensemble, tmp_path, monkeypatch, width, count):
    """Strengths that do not fit stand below; where there are too many of them it is said."""
    text = f"scales = {{from = 0.1, to = 2.0, count = {count}}}\n"
    text += BLOCK.replace("1.8", "[1.2, 1.8]") + MOTION + '[run]\nstore = "out"\n'
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("COLUMNS", str(width))
    out = rocksteady_ensemble("study.toml").out
    grid = out[out.index("by system and PGA") :].split("fallen, by PGA")[0]
    scales = np.linspace(0.1, 2.0, count)
    shown = [f"{0.4 * scale:.3g} g" for scale in scales]
    shown = [label for label in shown if f" {label} " in grid]
    if len(shown) < count:
        assert f"{len(shown)} of {count} strengths are shown" in grid
    assert len(shown) == count or count == 90 or width < 80
    assert max(map(len, grid.splitlines()[2:10])) <= width and "…" not in grid


def test_of_many_strengths_the_shares_say_how_many_are_shown(rocksteady_ensemble, tmp_path):
    text = "scales = {from = 0.1, to = 2.0, count = 90}\n" + BLOCK + MOTION * 2
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert "fallen, by PGA: 23 of 90 strengths" in rocksteady_ensemble("study.toml").out


# -- by peak velocity --------------------------------------------------------------------------


BY_VELOCITY = SEVERAL.replace("pga = 1.0", "pgv = 1.0")


def test_strengths_may_be_peak_velocities(rocksteady_ensemble, tmp_path):
    (tmp_path / "study.toml").write_text(BY_VELOCITY, encoding="utf-8")
    done = rocksteady_ensemble(
        "study.toml", "--store", "out", "-o", "a.csv", "-o", "a.md", "-o", "a.svg"
    )
    assert "by system and PGV" in done.out and "0.3 m/s" in done.out and " g " not in done.out
    about = json.loads(rocksteady_ensemble("study.toml", "--store", "out", "--json").out)
    assert about["pga_g"] is None and about["pgv"] == pytest.approx(1.0)
    data = open_ensemble(tmp_path / "out")
    assert data.pgv.values == pytest.approx(np.ones(4)) and data.pgv.attrs["units"] == "m/s"
    stored = pandas.read_parquet(tmp_path / "out" / "inputs" / "motion.parquet")
    assert stored["pgv [m/s]"].to_numpy() == pytest.approx(np.ones(4))
    table = pandas.read_csv(tmp_path / "a.csv")
    assert table["PGV [m/s]"].to_numpy() == pytest.approx([0.1, 0.3, 0.6] * 3)
    assert "PGA [g]" not in table
    assert "| 0.3 m/s |" in (tmp_path / "a.md").read_text(encoding="utf-8")
    figure = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "peak velocity of the ground [m/s]" in figure and "acceleration" not in figure


# -- getting ready -----------------------------------------------------------------------------


def test_making_many_motions_is_told_where_there_is_no_terminal(
    rocksteady_ensemble, tmp_path, monkeypatch
):
    """A line every half minute, by a clock that runs fast."""
    clock = itertools.count(step=4.0)
    monkeypatch.setattr(
        "rocksteady.cli.ensemble.progress.time.monotonic", lambda: float(next(clock))
    )
    six = "arias = 1, d5_95 = 9, t_mid = 8, frequency_mid = 3, frequency_rate = 0, damping = 0.3"
    text = BLOCK + f"[[motions]]\nstochastic = {{count = 20, seed = 1, {six}}}\n"
    (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    err = rocksteady_ensemble("study.toml").err
    assert re.search(r"Making stochastic motions: \d+ of 20, \d+ s left", err)
    clock = itertools.count(step=4.0)
    assert "Making" not in rocksteady_ensemble("study.toml", "-q").err


def test_stochastic_motions_count_as_they_are_made():
    told = []
    rs.stochastic.ensemble(3, 1, progress=lambda *done: told.append(done))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_help_imports_nothing_heavy():
    program = (
        "import sys, typer.main\n"
        "from rocksteady.cli.ensemble.command import app\n"
        "typer.main.get_command(app).main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'numba', 'pydantic', 'xarray', 'pandas', 'pyarrow', 'dask'}\n"
        "print('heavy:', sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("heavy: []\n"), done.stderr


# -- progress ----------------------------------------------------------------------------------


def test_progress_in_words(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("rocksteady.ensembles.progress.time.monotonic", lambda: clock[0])
    words = in_words(already=1000)
    assert words(1000, 10_000) == "1 000 of 10 000 runs"
    clock[0] = 2.0
    assert words(4000, 10_000) == "4 000 of 10 000 runs, 1 500/s, 4 s left"  # not of those before


def test_without_a_terminal_progress_is_a_line_now_and_then(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr("rocksteady.cli.common.progress.time.monotonic", lambda: clock[0])
    errors.cache_clear()  # the error stream of this test
    with Work() as work:
        work.on("Running …")
        for clock[0], done in ((10.0, 100), (33.0, 300), (40.0, 400), (70.0, 700)):
            work.progress(f"{done} of 1000 runs", done, 1000)
    errors.cache_clear()
    assert capsys.readouterr() == ("", "300 of 1000 runs\n700 of 1000 runs\n")


def test_numbers_and_times_as_one_says_them():
    assert [spaced(x) for x in (12, 1234567, 0.25)] == ["12", "1 234 567", "0.25"]
    assert [span(x) for x in (5, 89, 600, 12_000)] == ["5 s", "89 s", "10 min", "3 h 20 min"]


def test_no_bar_without_a_terminal(capsys):
    with shown(True, 10) as tell:
        tell(5, 10)
    assert capsys.readouterr() == ("", "")
