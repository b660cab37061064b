"""Commands write over their own results, and over nothing else."""

import pytest

import rocksteady as rs
from rocksteady.cli import COMMANDS
from rocksteady.cli.common.group import command_named
from rocksteady.ensembles.study_file import example
from rocksteady.marks import ours

BLOCK = ("--height", "1.8", "--width", "0.5")
RUN = (*BLOCK, "-m", "pulse:sine,a=0.45g,T=0.5")
HOUSE = ("--preset", "casalotti2025", "--mass", "4e4")
# For each command with --out: its words, and what it may be asked to write.
STONES = ["column.json"]
PULSE = ["-m", "pulse:sine,a=0.3g,T=1"]
MAKERS = {
    "drums": "--count 3 --height 6 --width 1",
    "pedestal": "--statue 0.5x1.8 --pedestal 0.8x1.0",
    "vase-on-plinth": "--height 1.4 --width 0.35",
    "portal": "--width 0.5 --height 2 --beam-length 4.5 --beam-height 0.25",
    "trilith": "--width 1 --height 4 --gap 2 --lintel-height 0.8",
    "arch": "--voussoirs 7 --ring 1.5 --radius 10 --embrace 157.5",
    "buttressed-arch": "--voussoirs 7 --ring 0.4 --span 3 --rise 1.2 --buttress-width 1.2 "
    "--buttress-height 3",
    "wall": "--rows 2 --columns 2 --length 0.4 --height 0.2",
}
ASKED = {
    "demo": ([], [""]),
    "simulate": (RUN, [".nc", ".csv", ".png", ".svg", ".pdf", ".gif", ".mp4", ""]),
    "compare": (RUN, [".png", ".svg", ".pdf"]),
    "assess": (["object.toml"], [".html"]),
    "fragility": (RUN, [".png", ".svg", ".pdf", ".csv", ".pelicun.csv", ".xml"]),
    "risk": ([*RUN, "--hazard", "hazard.csv"], [".png", ".svg", ".pdf"]),
    "check": ([*BLOCK, "--ag", "0.2"], [".png", ".svg", ".pdf", ".csv", ".md"]),
    "spectrum": (["-m", "record.csv", "--alpha", "0.2"], [".png", ".svg", ".pdf", ".csv", ".nc"]),
    "overturning": (RUN, [".png", ".svg", ".pdf", ".csv", ".nc"]),
    "identify rocking": (["test.csv"], [".png", ".svg", ".pdf"]),
    "identify outcomes": (
        ["tests.csv", "--p", "3:6", "--alpha", "0.1:0.3"],
        [".png", ".svg", ".pdf"],
    ),
    "calibrate measure": (["test.csv", *BLOCK], [".png", ".svg", ".pdf"]),
    "calibrate time-step": (["--campaign"], [".png", ".svg", ".pdf", ".csv"]),
    "ensemble": (["study.toml"], [".png", ".svg", ".pdf", ".csv", ".md"]),
    "masonry identify": (
        ["curve.csv", "--contact-area", "16", "--mass", "4e4"],
        [".png", ".svg", ".pdf", ".toml", ".json", ""],
    ),
    "masonry pushover": ([*HOUSE, "--to", "3"], [".png", ".svg", ".pdf", ".csv", ""]),
    "masonry shake": (
        [*HOUSE, "pulse:sine,a=0.3g,T=0.15"],
        [".png", ".svg", ".pdf", ".gif", ".mp4", ".csv", ""],
    ),
    "masonry foreshocks": (
        [*HOUSE, "pulse:sine,a=0.1g,T=0.4", "--masses", "2e4:4e4:2", "--scales", "0.2:0.4:2"],
        [".png", ".svg", ".pdf", ".csv", ""],
    ),
    "masonry portfolio": (
        ["town.csv", "-m", "pulse:sine,a=0.1g,T=0.4"],
        [".png", ".svg", ".pdf", ".csv", ".parquet", ".geojson", ""],
    ),
    **{
        f"assembly {name}": (
            words.split(),
            [".json", ".compas.json", ".dxf", ".svg", ".png", ".pdf"],
        )
        for name, words in MAKERS.items()
    },
    "assembly info": (STONES, [".png", ".svg", ".pdf"]),
    "assembly limit": (STONES, [".png", ".svg", ".pdf"]),
    "assembly forces": (STONES, [".png", ".svg", ".pdf", ".csv"]),
    "assembly push": (STONES, [".png", ".svg", ".pdf", ".csv"]),
    "assembly simulate": ([*STONES, *PULSE], [".png", ".svg", ".pdf", ".csv", ".nc", ".gif", ""]),
    "assembly fragility": ([*STONES, *PULSE], [".png", ".svg", ".pdf", ".csv"]),
    "assembly report": ([*STONES, *PULSE], [".html"]),
    "motion info": (["record.csv"], [".csv"]),
    "motion plot": (["record.csv"], [".png", ".svg", ".pdf"]),
    "motion convert": (["record.csv"], [".csv", ".AT2"]),
    "motion process": (["record.csv", "--scale", "2"], [".csv", ".AT2"]),
    "motion floor": (
        ["record.csv", "--period", "0.5"],
        [".csv", ".AT2", ".png", ".svg", ".pdf", ""],
    ),
    "motion generate": (["pulse:sine,a=0.45g,T=0.5"], [".csv", ".AT2"]),
    "validate": (["test.csv", *BLOCK], [".png", ".svg", ".pdf", ".csv", ""]),
    "reproduce": (["prieto2005", "--quick"], [""]),
}
IN_FOLDER = {  # what a folder gets: one of its files
    "demo": "figure.png",
    "simulate": "response.nc",
    "assembly simulate": "response.nc",
    "masonry identify": "identification.png",
    "masonry pushover": "pushover.csv",
    "masonry shake": "shocks.csv",
    "masonry foreshocks": "foreshocks.csv",
    "masonry portfolio": "districts.csv",
    "motion floor": "record_floor.csv",
    "validate": "validation.csv",
    "reproduce": "verdicts.csv",
}
CASES = [(name, kind) for name, (_, kinds) in ASKED.items() for kind in kinds]
THEIRS = b"time,lean\n0,1\n1,2\nthe work of a week\n"


def with_out(command, name=""):
    """The names of all commands that have an option --out."""
    for inner, there in getattr(command, "commands", {}).items():
        yield from with_out(there, f"{name} {inner}".strip())
    if any("--out" in given.opts for given in command.params):
        yield name, {option for given in command.params for option in given.opts}


def test_all_commands_with_results_are_asked_here():
    """And each of them has --overwrite."""
    found = {}
    for name in COMMANDS:
        found |= dict(with_out(command_named(name), name))
    assert set(found) == set(ASKED)
    assert all("--overwrite" in options for options in found.values())


@pytest.fixture
def inputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    push = rs.pulses.sine(5.0, period=0.6, dt=0.01)
    rs.write_motion(push, "record.csv")
    (tmp_path / "study.toml").write_text(example(), encoding="utf-8")
    rs.Assembly.drums(2, height=2.0, width=0.5).save("column.json")
    for name in ("test.csv", "curve.csv", "town.csv", "tests.csv", "hazard.csv", "object.toml"):
        (tmp_path / name).write_bytes(THEIRS)
    return tmp_path


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_others_files_are_kept(command_line, inputs, name, kind):
    """Said before the work begins, with what to do about it."""
    words, _ = ASKED[name]
    out = f"mine{kind}"
    mine = inputs / out / IN_FOLDER[name] if not kind else inputs / out
    mine.parent.mkdir(exist_ok=True)
    mine.write_bytes(THEIRS)
    there = sorted(inputs.rglob("*"))
    told = command_line(*name.split(), *words, "-o", out + "/" * (not kind))
    assert told.code == 2
    assert "was not written by rocksteady" in told.err and "--overwrite" in told.err
    assert mine.name in told.err and told.err.count("\n") == 1
    assert (mine.read_bytes(), sorted(inputs.rglob("*"))) == (THEIRS, there)


QUICK = {  # commands that take no second, with a file of each kind of mark
    "simulate": [".nc", ".csv", ".png"],
    "masonry pushover": [".csv"],
    "motion info": [".csv"],
    "motion convert": [".csv", ".AT2"],
    "motion floor": [".csv", ".png"],
    "motion generate": [".csv"],
}


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, kinds in QUICK.items() for kind in kinds]
)
def test_replaced_if_ours_or_told_to(command_line, inputs, name, kind):
    words, path = ASKED[name][0], inputs / f"result{kind}"
    command = (*name.split(), *words, "-o", path.name)
    path.write_bytes(THEIRS)
    for given, code in (((), 2), (("--overwrite",), 0), ((), 0)):
        told = command_line(*command, *given)
        assert told.code == code, told.err
        assert ours(path) == (code == 0)
    path.write_bytes(b"")  # nothing to lose
    assert command_line(*command).code == 0


@pytest.mark.parametrize("kind", [".csv", ".AT2"])
def test_the_vertical_component_replaces_nothing_either(command_line, inputs, kind):
    beside = inputs / "x-UP.AT2"
    beside.write_bytes(THEIRS)
    told = command_line("motion", "convert", "record.csv", "-o", f"x{kind}")
    assert told.code == (2 if kind == ".AT2" else 0)
    assert beside.read_bytes() == THEIRS


def test_the_table_of_many_motions_replaces_only_another(command_line, inputs):
    command = ("motion", "generate", "rezaeian", "--sample", "2", "-o", "many/")
    assert command_line(*command).code == command_line(*command).code == 0
    (inputs / "many_table.csv").write_bytes(THEIRS)
    told = command_line(*command)
    assert told.code == 2 and "many_table.csv" in told.err


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", *BLOCK, "-m", "record.csv", "-o", "record.csv"),
        ("motion", "convert", "record.csv", "-o", "record.csv"),
        ("motion", "process", "record.csv", "--scale", "2", "-o", "record.csv"),
        ("motion", "info", "record.csv", "-o", "record.csv"),
        ("masonry", "portfolio", "town.csv", "-m", "record.csv", "-o", "town.csv"),
        ("masonry", "pushover", "-b", "town.csv", "--to", "3", "-o", "town.csv"),
        ("masonry", "identify", "c.json", "--contact-area", "16", "--mass", "4e4", "-o", "c.json"),
        ("compare", *BLOCK, "-m", "r.png", "-o", "r.png"),
        ("calibrate", "measure", "r.png", *BLOCK, "-o", "r.png"),
    ],
)
def test_what_is_read_is_never_replaced(command_line, inputs, command):
    """Not even with --overwrite."""
    for name in ("c.json", "r.png"):
        (inputs / name).write_bytes(THEIRS)
    before = {path: path.read_bytes() for path in inputs.iterdir()}
    told = command_line(*command, "--overwrite")
    assert told.code == 2 and "written over what is read" in told.err
    assert {path: path.read_bytes() for path in inputs.iterdir()} == before


def test_texts_that_quote_us_are_not_ours(tmp_path):
    path = tmp_path / "report.md"
    page = "| a table |\n\n<!-- written by rocksteady 0.1.0 -->\n"
    path.write_text(page)
    assert ours(path)
    path.write_text(f"# My report\n{page}And this is what follows from it.\n" + "words\n" * 50)
    assert not ours(path)
    (tmp_path / "notes.csv").write_text("a,b\n" * 500 + "# written by rocksteady 0.1.0\n")
    assert not ours(tmp_path / "notes.csv")


def test_help_names_the_option(command_line):
    assert "--overwrite" in command_line("simulate", "--help").out
    assert "--overwrite" in command_line("motion", "convert", "--help").out
