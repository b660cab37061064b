"""What a first user reads: nothing cut off, nothing misleading, every hint a thing to type."""

from __future__ import annotations

import os
import re
from importlib import import_module

import numpy as np
import pytest
from rich.table import Table
from typer.main import get_command

import rocksteady as rs
from rocksteady.cli import COMMANDS
from rocksteady.cli.common import files, output, progress
from rocksteady.cli.common.records import as_options
from rocksteady.cli.common.summary import print_run
from rocksteady.cli.ensemble.tables import MOST_SCALES
from rocksteady.motion.upwards import is_vertical

STATUE = ("simulate", "--height", "1.8", "--width", "0.5")


# -- help -----------------------------------------------------------------------------------------


def helps(command, path: str):
    """(What to type, help) of a command and of those below it."""
    yield path, command.help or ""
    for name, below in getattr(command, "commands", {}).items():
        yield from helps(below, f"{path} {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_an_example_is_one_line_to_copy(name):
    """In 80 columns, two of them margin: a command that is broken there cannot be copied."""
    command = get_command(import_module(f"rocksteady.cli.{name}").app)
    for path, text in helps(command, name):
        for line in text.splitlines():
            if "[cyan]" in line:
                shown = line.replace("[cyan]", "").replace("[/cyan]", "")
                assert "[/cyan]" in line and len(shown) <= 78, f"{path}: {shown}"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_not_broken_within_a_line(name):
    """Only the first paragraph is filled anew: longer lines of the others leave one-word lines."""
    command = get_command(import_module(f"rocksteady.cli.{name}").app)
    for path, text in helps(command, name):
        for line in text.partition("\n\n")[2].splitlines():
            shown = line.replace("[cyan]", "").replace("[/cyan]", "")
            assert len(shown) <= 78, f"{path}: {shown}"


# -- a run ----------------------------------------------------------------------------------------


def test_a_lean_beyond_balance_that_comes_back_is_explained(rocksteady):
    """Held by the ground a block may lean beyond α and return: no contradiction to AT REST."""
    push = np.zeros(400)
    push[:60] = 1.0  # m/s² to the right, for 0.3 s: brings it back from a lean to the right
    rs.write_motion(rs.Motion(push, 0.005), "push.csv")
    out = rocksteady(*STATUE, "--theta0", "1.05a", "-m", "push.csv").out
    assert "AT REST" in out and "105 % of its balance angle" in out
    assert ": past it, and back" in out


def test_a_hardly_visible_lean_is_not_zero(rocksteady):
    out = rocksteady(*STATUE, "--theta0", "0.001a").out
    assert "0.10 % of its balance angle" in out and "0.016° at" in out
    out = rocksteady(*STATUE, "--theta0", "1e-5a").out
    assert "< 0.01 % of its balance angle" in out and "0.00016° at" in out


def test_a_stocky_block_keeps_nothing(rocksteady):
    """Housner's formula gives it a negative velocity after an impact, which means that it rests."""
    out = rocksteady("simulate", "--height", 0.5, "--width", 1.8, "-m", "pulse:sine,a=1g,T=1").out
    assert "nothing: so stocky a block comes to rest" in out and "-0.39" not in out


def test_who_types_m_s2_for_g_is_asked(rocksteady):
    err = rocksteady(*STATUE, "-m", "pulse:sine,a=0.3g,T=1", "--pga", 3).err
    assert "Warning: --pga 3 is in g" in err and "3 m/s² would be --pga 0.306" in err
    assert not rocksteady(*STATUE, "-m", "pulse:sine,a=0.3g,T=1", "--pga", 0.8).err
    err = rocksteady("motion", "generate", "ec8", "--ag", 2.5, "--dt", 0.02, "-o", "a.csv").err
    assert "2.5 m/s² would be --ag 0.255" in err


def test_a_comparison_says_of_what(rocksteady):
    column = ("compare", "--height", 4.2, "--width", 0.6)
    out = rocksteady(*column, "-m", "pulse:sine,a=0.21g,T=0.8").out
    assert out.startswith("4.2 × 0.6 m block under sine pulse, PGA 0.21 g\n")
    out = rocksteady(*column, "--theta0", "0.5a", "--duration", 1).out
    assert out.startswith("4.2 × 0.6 m block, rocking freely\n")
    rs.write_motion(rs.pulses.sine(2.0, 0.8), "a [bold] one.csv")
    out = rocksteady(*column, "-m", "a [bold] one.csv").out
    assert out.startswith("4.2 × 0.6 m block under a [bold] one, PGA")


def test_what_never_lifts_off_is_not_told_to_look_at_its_peak(rocksteady):
    out = rocksteady(*STATUE, "-m", "pulse:sine,a=0.1g,T=1").out
    assert "It stands and does not lift off." in out
    assert "no margin" not in out and "How often does it fall?" not in out


def test_a_slippery_base_slides_before_it_lifts(rocksteady):
    how = ("--formulation", "nonsmooth", "--friction")
    slides = rocksteady(*STATUE, "-m", "pulse:sine,a=0.25g,T=1", *how, 0.2).out
    assert "(g tan α); it slides before, from 0.2 g" in slides
    rocks = rocksteady(*STATUE, "-m", "pulse:sine,a=0.25g,T=1", *how, 0.5).out
    assert "slides before" not in rocks


def test_factors_are_shown_with_few_digits(rocksteady):
    out = rocksteady(*STATUE, "-m", "pulse:sine,a=0.3,T=1", "--pga", 0.1).out
    assert "scaled(3.26888)" in out
    out = rocksteady(*STATUE, "-m", "pulse:sine,a=0.7,T=1", "--pga", 0.1).out
    assert "scaled(1.40095)" in out


def test_a_comparison_fits_into_80_columns(rocksteady):
    done = rocksteady("compare", "--height", 4.2, "--width", 0.6, "-m", "pulse:sine,a=0.3g,T=0.5")
    assert "…" not in done.out and "[mm]" in done.out and "[ms]" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


# -- files ----------------------------------------------------------------------------------------


def test_a_place_that_cannot_be_written_is_refused_before_the_run(rocksteady, tmp_path):
    (tmp_path / "file").write_text("mine")
    for words in (
        (*STATUE, "--theta0", "0.1", "-o", "file/x.png"),
        ("compare", *STATUE[1:], "--theta0", "0.1", "-o", "file/x.png"),
        ("masonry", "pushover", "--preset", "casalotti2025", "--mass", 4e4, "--to", 2,
         "-o", "file/x.png"),
        ("reproduce", "prieto2005", "-o", "file"),
    ):  # fmt: skip
        code, out, err = rocksteady(*words)
        assert (code, out) == (2, "")
        assert err.startswith("Error: --out file") and "is a file, not a folder" in err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_read_only_place_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda place, mode: False)  # root may write anywhere
    with pytest.raises(rs.InputError, match=rf"{tmp_path} is read-only; try another place"):
        files.check_writable(tmp_path / "new" / "x.png")


def test_an_old_file_may_be_written_again(tmp_path):
    (tmp_path / "x.png").write_text("old")
    files.check_writable(tmp_path / "x.png")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("say which it is, unit='g' for example", "say which it is, --unit g for example"),
        ("no time column: say dt=0.01 [s].", "no time column: say --dt 0.01."),
        ("choose one with component='NS'.", "choose one with --component NS."),
        ("pulse:sine,a=0.45g,T=0.8", "pulse:sine,a=0.45g,T=0.8"),
    ],
)
def test_errors_speak_of_options(said, meant):
    assert as_options(said) == meant


def test_a_file_without_step_or_unit_says_which_options(rocksteady, tmp_path):
    (tmp_path / "bare.txt").write_text("0.0\n0.1\n-0.1\n0.0\n")
    for words in ((*STATUE, "-m"), ("motion", "info"), ("motion", "plot")):
        err = rocksteady(*words, "bare.txt").err
        assert "--dt 0.01" in err and "dt=" not in err


# -- studies --------------------------------------------------------------------------------------

STUDY = """
scales = {{ from = 0.5, to = 3.0, count = {scales} }}
[systems]
kind = "Block"
height = 1.8
width = 0.5
[[motions]]
{motions}
[run]
store = "out"
"""
PULSE = 'pulse = "sine,a=0.4g,T=0.5"'


def study(tmp_path, scales: int = 3, motions: str = PULSE) -> str:
    (tmp_path / "study.toml").write_text(STUDY.format(scales=scales, motions=motions))
    return "study.toml"


@pytest.mark.parametrize("scales", [3, 20, 200])
def test_a_fragility_curve_is_read_from_weak_to_strong(rocksteady, tmp_path, scales):
    out = rocksteady("ensemble", study(tmp_path, scales)).out
    rows = out[out.index("fallen, by PGA") :].split("\n\n")[0].splitlines()
    shown = [float(row.split(" g ")[0]) for row in rows if "%" in row]
    assert shown == sorted(shown)
    assert shown[-1] == 1.2  # g: 3 times 0.4
    assert min(scales, MOST_SCALES // 2) <= len(shown) <= MOST_SCALES


def test_the_rate_is_not_that_of_the_compiler(rocksteady, tmp_path, monkeypatch):
    """Who plans a million runs divides by it."""
    rocksteady("ensemble", study(tmp_path))  # from here on nothing is compiled
    quick = rocksteady("ensemble", study(tmp_path, 4), "--store", "other").out
    assert "runs/s" not in quick and "compiling" not in quick  # a rate of getting ready: not told
    on = progress.Work.on

    def compiles(work, text):
        if text == "Running …":
            work.compiling()
        return on(work, text)

    monkeypatch.setattr(progress.Work, "on", compiles)
    assert "compiling included" in rocksteady("ensemble", study(tmp_path), "--store", "third").out


def test_results_say_how_to_open_them(rocksteady, tmp_path):
    out = rocksteady("ensemble", study(tmp_path)).out
    call = out.split("to go on in Python: ")[1].strip()
    assert call == "rs.open_ensemble('out')"
    assert eval(call, {"rs": rs}).peak.shape == (1, 1, 3)


def test_vertical_records_in_a_folder_are_noticed(rocksteady, tmp_path):
    shake = rs.pulses.sine(amplitude=3.0, period=0.5, dt=0.01)
    folder = tmp_path / "records"
    folder.mkdir()
    written = rs.write_motion(shake.with_vertical(0.5 * shake.accel), folder / "event.AT2")
    assert len(written) == 2  # AT2 files hold one component each
    err = rocksteady("ensemble", study(tmp_path, motions='folder = "records"'), "-q").err
    up = next(path.stem for path in written if path.stem != "event")
    assert err.startswith(f"Warning: 1 vertical component left out ({up}.AT2): ")
    assert err.count("\n") == 1
    chosen = 'folder = "records"\npattern = "event.AT2"'
    assert rocksteady("ensemble", study(tmp_path, 4, chosen), "--store", "2", "-q").err == ""


@pytest.mark.parametrize(
    ("vertical", "words"),
    [(True, "UP -UP DWN Down U-D UD2 HNZ HGZ Vert. V"), (False, "0 228 N-S EW1 HNE S16W WE North")],
)
def test_vertical_components_in_the_words_of_archives(vertical, words):
    for word in words.split():
        assert is_vertical(rs.Motion([0.0, 1.0], 0.01, meta={"component": word})) is vertical, word
    assert not is_vertical(rs.Motion([0.0, 1.0], 0.01))


def test_a_vertical_record_given_by_name_is_noticed(rocksteady, tmp_path):
    shake = rs.pulses.sine(amplitude=3.0, period=0.5, dt=0.01)
    along, up = rs.write_motion(shake.with_vertical(0.5 * shake.accel), tmp_path / "event.AT2")
    said = f"Warning: {up.stem} is a vertical component, used as a horizontal one here: "
    town = ("mass,contact_area,stiffness,threshold,hardening_rate,hardening_limit,wear_energy",
            "4e4,16.07,6.438e6,3734,500,2489,4")  # fmt: skip
    (tmp_path / "town.csv").write_text(f"x,y,wear_exponent,{town[0]}\n0,0,2,{town[1]}\n")
    for words in (STATUE, ("compare", *STATUE[1:]), ("masonry", "portfolio", "town.csv")):
        assert said in rocksteady(*words, "-q", "-m", up.name).err
        assert "vertical" not in rocksteady(*words, "-q", "-m", along.name).err
    assert said in rocksteady("ensemble", study(tmp_path, motions=f'file = "{up.name}"'), "-q").err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("[[motions]]", "[motions]", "begins with [[motions]], in double brackets"),
        ('store = "out"', "store = 3", "run.store = 3: a path is needed, in quotation marks"),
        ("scales = { from = 0.5, to = 3.0, count = 3 }", "scales = []", "at least one is needed"),
        ("scales = { from = 0.5, to = 3.0, count = 3 }", 'scales = "2"', "as in [0.5, 1.0]; or a"),
    ],
)
def test_wrong_studies_in_plain_words(rocksteady, tmp_path, old, new, says):
    path = tmp_path / study(tmp_path)
    path.write_text(path.read_text().replace(old, new))
    code, out, err = rocksteady("ensemble", "study.toml")
    assert (code, out) == (2, "")
    assert err.startswith("Error: study.toml, line ") and says in err


# -- the table of a run, as a whole ----------------------------------------------------------------

BLOCK = {
    "height": 1.8, "width": 0.5, "com_height": 0.9, "b": 0.25, "R": 0.934077, "p": 2.80633,
    "alpha": 0.270947, "alpha_left": 0.270947, "alpha_right": 0.270947, "g": 9.80665,
    "uplift_acceleration": 2.72407,
}  # fmt: skip
BODY = {
    "height": 0.62, "base": [[0, 0]] * 4, "base_x": 0.2, "base_y": 0.3, "radius": None, "mass": 40,
    "centre": [0.003, -0.004, 0.31], "alpha": 0.312, "weakest": 359.97, "axisymmetric": False,
    "p": 4.5678, "g": 9.80665, "uplift_acceleration": 3.1628,
}  # fmt: skip
MOTION = {
    "name": "Norcia", "floor": None, "history": ["cut", "× 1.23456789"], "pga": 3.9226,
    "pga_g": 0.4, "duration": 30.0, "dt": 0.005, "vertical": False, "transverse": False,
}  # fmt: skip
RUN = {
    "formulation": {"name": "Housner"}, "keeps_at_impact": "what the shape says",
    "has_impacts": True, "motion": MOTION, "floor": None, "theta0": 0.0, "omega0": 0.0,
    "coordinate": {"name": "lean", "over": "balance angle", "unit": "rad"}, "status": "at rest",
    "advice": "Look.", "outcome": "It stands.", "peak": 0.37, "peak_angle": -0.1,
    "time_of_peak": 3.456, "impacts": 7, "duration": 32.345678, "fell_to": None, "fell_at": None,
    "away": False, "slide": 0.0, "files": [],
}  # fmt: skip


def printed(capsys, monkeypatch, **changed):
    """The rows of the table, headings in capitals as they are, a bar as its full share."""
    monkeypatch.setenv("COLUMNS", "150")
    print_run({**RUN, **({} if "body" in changed else {"block": BLOCK}), **changed})
    lines = [line.strip("│").split("│") for line in capsys.readouterr().out.splitlines()]
    rows = [" | ".join(map(str.strip, line)) for line in lines if len(line) == 2]
    return [re.sub(r"█*░*  ", lambda bar: f"{bar[0].count('█')}/24 ", row) for row in rows]


HEAD = [
    "Block | 1.8 m high, 0.5 m wide",
    " | h = 0.9 m, b = 0.25 m, R = 0.9341 m, p = 2.806 rad/s",
    "balances at | α = 15.52° (0.2709 rad)",
    "lifts off at | 0.278 g (g tan α)",
    "keeps at an impact | what the shape says",
]
SHAKEN = [
    "Motion | Norcia",
    "made by | cut → × 1.23457",
    "largest acceleration | 0.4 g, 1.44 times what lifts it off",
    "length | 30 s in steps of 0.005 s",
]
LEANS = [
    "Result | AT REST",
    " | Look.",
    "largest lean | 9/24 37 % of its balance angle",
    " | |θ|/α = 0.37, 5.73° at 3.46 s",
    "impacts | 7 in 32.35 s",
]


def test_the_table_of_a_block_that_is_shaken(capsys, monkeypatch):
    assert printed(capsys, monkeypatch) == HEAD + SHAKEN + LEANS
    others = printed(
        capsys,
        monkeypatch,
        block=BLOCK | {"alpha_left": 0.3},
        formulation={"name": "Housner", "eta": 0.91234, "r": None, "friction": 0.2},
        motion=MOTION | {"name": "", "floor": "roof", "history": [], "vertical": True},
        floor={"words": "roof of a house", "pfa": 5.8840, "pfa_g": 0.6},
        theta0=0.001,
        away=True,
        slide=-0.01234,
        has_impacts=False,
    )
    assert others == [
        *HEAD[:2],
        "balances at | α = 15.52° (0.2709 rad) to the right, 17.19° (0.3 rad) to the left",
        "lifts off at | 0.278 g (g tan α, to the right); it slides before, from 0.2 g",
        "Motion | without a name",
        "of the | roof",
        "largest acceleration | 0.4 g on the ground",
        "length | 30 s in steps of 0.005 s, with vertical",
        "Floor | roof of a house",
        "largest there | 0.6 g, 3 times what makes it slide",
        "let go at | θ = 0.057° (0.001 rad), ω = 0 rad/s",
        *LEANS[:4],
        "slides | -12.3 mm (+ to the right)",
    ]
    left = printed(
        capsys,
        monkeypatch,
        block=BLOCK | {"alpha_right": 0.3},
        formulation={"name": "Housner", "r": 0.8},
    )
    assert left[2:5] == [
        "balances at | α = 17.19° (0.3 rad) to the right, 15.52° (0.2709 rad) to the left",
        "lifts off at | 0.278 g (g tan α, to the left)",
        "keeps at an impact | r = 0.8 of its kinetic energy (given)",
    ]
    for away, slide in ((False, 0.003), (True, 0.0), (True, None)):  # in place, or only walked away
        rows = printed(capsys, monkeypatch, away=away, slide=slide)
        assert rows == HEAD + SHAKEN + LEANS
    given = printed(capsys, monkeypatch, formulation={"name": "Housner", "eta": 0.91234, "r": None})
    assert given[4] == "keeps at an impact | η = 0.9123 of its angular velocity (given)"


@pytest.mark.parametrize(
    ("changed", "result"),
    [
        ({"motion": None, "omega0": -0.5}, [" | Let go, it rocked until it stood still."]),
        (
            {"motion": None, "status": "overturned", "fell_at": 1.25, "fell_to": "left"},
            [" | Let go like this, it falls without any earthquake.", "falls | 24/24 to the left",
             " | past its balance angle for good at 1.25 s, the run ends at 32.35 s"],
        ),
        (
            {"status": "overturned", "fell_at": 1.25, "fell_to": "right"},
            [" | Look.", "falls | 24/24 to the right",
             " | past its balance angle for good at 1.25 s, the run ends at 32.35 s"],
        ),
        ({"peak": 0}, [" | It stands.", "largest lean | none: it does not lift off"]),
        ({"peak": 0.01}, [" | Look.", "largest lean | 0/24 1 % of its balance angle"]),
        ({"peak": 0.0099}, [" | Look.", "largest lean | 0/24 0.99 % of its balance angle"]),
        ({"peak": 4e-5}, [" | Look.", "largest lean | 0/24 < 0.01 % of its balance angle"]),
        (
            {"peak": 1.02, "away": True},
            [" | Look.", "largest lean | 24/24 102 % of its balance angle",
             " | |θ|/α = 1.02, 5.73° at 3.46 s: past it, and back"],
        ),
        (
            {"coordinate": {"name": "drift", "over": "", "unit": "m"}, "peak": 0.0123456},
            [" | Look.", "largest drift | 0.01235 m at 3.46 s", "impacts | 7 in 32.35 s"],
        ),
        (
            {"coordinate": {"name": "drift", "over": "", "unit": "m"}, "peak": 0},
            [" | Look.", "largest drift | none: it does not move"],
        ),
    ],
)  # fmt: skip
def test_the_result_of_a_run_in_its_table(changed, result, capsys, monkeypatch):
    rows = printed(capsys, monkeypatch, **changed)
    begins = 1 + next(i for i, row in enumerate(rows) if row.startswith("Result"))
    assert rows[begins - 1] == f"Result | {changed.get('status', 'at rest').upper()}"
    assert rows[begins : begins + len(result)] == result
    if changed.get("motion", MOTION) is None:
        assert rows[5] == "Motion | none: it rocks freely"
        thrown = ["let go at | θ = 0.00° (0 rad), ω = -0.5 rad/s"] * ("omega0" in changed)
        assert rows[6 : begins - 1] == thrown


def test_the_table_of_a_body_in_space(capsys, monkeypatch):
    space = MOTION | {"vertical": True, "transverse": True, "pga_transverse_g": 0.31234,
                      "pga_vertical_g": 0.2}  # fmt: skip
    moved = {"motion": space, "peak_angle": 0.1, "walked": 0.0123, "turned": -0.5, "away": True}
    assert printed(capsys, monkeypatch, body=BODY, **moved) == [
        "Body | 0.62 m high, base 0.2 × 0.3 m",
        " | 40 kg, centre of mass 0.31 m high, 5 mm beside the middle, p = 4.568 rad/s",
        "balances at | α = 17.88° (0.312 rad) towards 0°",
        "lifts off at | 0.323 g there (g tan α)",
        "keeps at an impact | what the shape says",
        *SHAKEN[:2],
        "largest acceleration | 0.4 g, 1.24 times what lifts it off; 0.312 g along y, "
        "0.2 g upwards",
        SHAKEN[3],
        *LEANS[:4],
        "moves | 12.3 mm over the floor",
        "turns | 28.6° clockwise, seen from above",
        LEANS[4],
    ]
    drum = BODY | {"radius": 0.25, "axisymmetric": True, "centre": [4e-5, 0.0, 0.31]}
    fell = {"status": "overturned", "fell_at": 2.0, "fell_to": "over the rim", "walked": None,
            "turned": None, "away": True}  # fmt: skip
    rows = printed(
        capsys, monkeypatch, body=drum, theta0=0.2, direction=30.0, **fell,
        formulation={"name": "Spatial", "friction": 0.5},
    )  # fmt: skip
    assert rows[:6] == [
        "Body | 0.62 m high, on a round base, 0.5 m in diameter",
        " | 40 kg, centre of mass 0.31 m high, p = 4.568 rad/s",
        "balances at | α = 17.88° (0.312 rad) in every direction",
        "lifts off at | 0.323 g (g tan α)",
        "keeps at an impact | what the shape says",
        "friction | 0.5 (Coulomb)",
    ]
    assert rows[10] == "let go at | θ = 11.46° (0.2 rad) towards 30°, ω = 0 rad/s"
    assert rows[13:] == [
        "falls | 24/24 over the rim",
        " | past its balance angle for good at 2.00 s, the run ends at 32.35 s",
        LEANS[4],
    ]
    still = {"walked": 0.0123, "turned": 0.5, "away": False}
    six = printed(capsys, monkeypatch, body=BODY | {"base": [[0, 0]] * 6}, **still)
    assert six[0] == "Body | 0.62 m high, base 0.2 × 0.3 m, 6 corners"
    assert six[-2:] == ["turns | 28.6° counter-clockwise, seen from above", LEANS[4]]


# -- narrow terminals ------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [100, 80, 60, 40, 20])
def test_a_table_never_loses_a_column(monkeypatch, capsys, width):
    """Rich drops or empties columns for which there is no room."""
    monkeypatch.setenv("COLUMNS", str(width))
    table = Table()
    for i in range(8):
        table.add_column(f"head{i}", no_wrap=True)
    table.add_row(*(f"cell{i}{i}" for i in range(8)))
    output.out().print(table)
    shown = capsys.readouterr().out
    assert all(f"head{i}" in shown and f"cell{i}{i}" in shown for i in range(8))
    assert "…" not in shown
    output.out().print("a sentence that is longer than twenty characters")
    assert max(map(len, capsys.readouterr().out.splitlines())) <= width


def test_a_comparison_in_a_narrow_terminal_is_whole(rocksteady, monkeypatch):
    monkeypatch.setenv("COLUMNS", "44")
    words = ("compare", "--height", 4.2, "--width", 0.6, "-m", "pulse:sine,a=0.21g,T=0.8")
    out = rocksteady(*words).out
    assert "took" in out and "Numerical dissipation" in out and "…" not in out
