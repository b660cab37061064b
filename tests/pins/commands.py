"""What the command line prints: all help texts, and what programs read from `--json`."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from typer.main import get_command

import rocksteady as rs
from rocksteady.cli import app
from rocksteady.cli.common.group import command_named
from rocksteady.numerics.first_use import LINE
from rocksteady.version import version as our_version

COLUMNS = "80"
FRAME = "╭╮╰╯─│"  # of panels: they are drawn by Rich, and a third of all bytes
CHANGING = {"environment", "sha256"}
SPEEDS = {"seconds", "runs_per_second", "rate"}
"""Keys whose values differ from one commit or from one call to the next."""
FIRST_USE = re.compile(re.escape(LINE).replace(re.escape("{what}"), ".+") + "\n")
"""Told where something is compiled, once on each machine."""


# -- help ------------------------------------------------------------------------------------------


EXAMPLES = ("assess", "ensemble", "masonry portfolio", "monitor", "risk")
"""Commands that print a file to begin with."""


def help_texts() -> dict[str, str]:
    """Every command and every command below one, as it is printed in 80 columns; and the examples
    that some of them print."""
    texts = {f"{path} --help": _help(path) for path in command_paths()}
    for name in EXAMPLES:
        _, out, err = called([*name.split(), "--example"])
        texts[f"rocksteady {name} --example"] = (out + err).rstrip()
    return texts


def command_paths(command: Any = None, path: str = "rocksteady") -> Iterator[str]:
    yield path
    for name, below in getattr(command or get_command(app), "commands", {}).items():
        yield from command_paths(below if command else command_named(name), f"{path} {name}")


def _help(path: str) -> str:
    _, text, _ = called([*path.split()[1:], "--help"])
    return "\n".join(filter(None, (_unframed(line) for line in text.splitlines())))


def _unframed(line: str) -> str:
    """A line of a panel without its frame; the panel's title in brackets."""
    text = line.strip()
    if text.startswith("╭"):
        return f"[{text.strip(FRAME + ' ')}]"
    return "" if text.startswith("╰") else line.strip("│ ") and line.replace("│", " ").rstrip()


# -- calls -----------------------------------------------------------------------------------------


def called(words: list[str]) -> tuple[int, str, str]:
    """Exit status, output and errors of a call of `rocksteady` in this process."""
    out, err = io.StringIO(), io.StringIO()
    quiet = {"COLUMNS": COLUMNS, "TERM": "dumb", "NO_COLOR": "1"}
    loud = ("FORCE_COLOR", "ROCKSTEADY_DEBUG", "GITHUB_ACTIONS", "TERMINAL_WIDTH")
    with patch.dict(os.environ, quiet), warnings.catch_warnings():
        for name in loud:
            os.environ.pop(name, None)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                get_command(app).main(words, prog_name="rocksteady")
            except SystemExit as stop:
                return int(stop.code or 0), out.getvalue(), FIRST_USE.sub("", err.getvalue())
    raise AssertionError(f"rocksteady {' '.join(words)} did not end as a command does")


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """An empty folder with the files that the calls below read."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        _make_files()
        yield Path(place)


STUDY = """
name = "three blocks"
scales = [0.5, 1.0, 2.0]
[systems]
kind = "Block"
width = 0.5
height = [1.2, 1.5, 1.8]
[[motions]]
pulse = "sine,a=0.3g,T=0.8"
"""
OBJECT = """
name = "Parapet"
levels = 8
[object]
preset = "parapet"
[[motions]]
pulse = "sine,a=0.3g,T=0.8"
[[motions]]
pulse = "ricker,a=0.3g,T=1.2"
[[motions]]
pulse = "cosine,a=0.3g,T=1.0"
[uncertain]
samples = 8
"""


def _make_files() -> None:
    """Small ones, of few digits: what is printed of them is the same everywhere."""
    time = np.arange(0, 2, 0.01)
    push = np.round(4.0 * np.sin(8 * time) * np.sin(np.pi * time / 2) ** 2, 4)
    rs.write_motion(rs.Motion(push, 0.01, name="push"), "push.csv")
    rs.write_motion(rs.Motion(0.5 * push[::-1], 0.01, name="other"), "other.csv")
    both = rs.Motion(push, 0.01, vertical=np.round(0.3 * push, 4), transverse=push[::-1])
    rs.write_motion(both, "three.csv")
    rs.Assembly.drums(2, height=2.0, width=0.6).save("drums.json")
    Path("study.toml").write_text(STUDY, encoding="utf-8")
    Path("object.toml").write_text(OBJECT, encoding="utf-8")
    rows = "pga [g],rate [1/year]\n0.05,0.1\n0.2,0.01\n0.5,0.001\n1,0.0001\n"
    Path("hazard.csv").write_text(rows, encoding="utf-8")
    free = rs.simulate(rs.Block(1.0, 0.2), None, rs.Housner(r=0.85), theta0=0.1)
    table = np.column_stack([free.time, np.round(free.theta, 7)])[::2]
    np.savetxt("rocking.csv", table, "%.7g", ",", header="time [s],lean [rad]", comments="")


# -- for programs ----------------------------------------------------------------------------------

STATUE = "--height 1.8 --width 0.5"
SLIM = "--height 4.2 --width 0.6"
PULSES = "-m pulse:sine,a=0.3g,T=0.8 -m pulse:ricker,a=0.3g,T=1.2 -m pulse:cosine,a=0.3g,T=1"
CALLS = (
    f"simulate {STATUE} -m push.csv",
    f"simulate {STATUE} -m pulse:sine,a=0.45g,w=5.75p --scale 1.2",
    f"simulate {STATUE} --theta0 0.5a --r 0.8",
    f"simulate {SLIM} -m push.csv --formulation springs",
    f"simulate {SLIM} -m push.csv --formulation nonsmooth --friction 0.3",
    f"simulate {STATUE} -m push.csv --storeys 3 --period 0.4",
    "simulate --base 0.45x0.45 --height 1.8 -m three.csv --until 2",
    f"compare {SLIM} -m push.csv --until 2",
    "assess object.toml",
    f"fragility {STATUE} {PULSES} --levels 6",
    f"risk {STATUE} {PULSES} --hazard hazard.csv --levels 6",
    "check --height 1.2 --width 0.25 --ag 0.25 --soil B",
    "spectrum --alpha 0.2 -m push.csv --sizes 2:8:4",
    f"overturning {STATUE} --pulse sine --frequencies 2:6:3 --strengths 1:4:3",
    "ensemble study.toml",
    "identify rocking rocking.csv",
    f"validate {SLIM} --against nonsmooth {PULSES}",
    f"calibrate block {SLIM} --formulation springs --r 0.95",
    "calibrate measure rocking.csv --height 1 --width 0.2",
    f"calibrate time-step {SLIM} --r 0.94",
    "motion info push.csv three.csv --measures",
    "motion process push.csv --scale 2 --lowpass 10 -o out.csv",
    "motion generate pulse:sine,a=0.3g,T=0.8 -o made.csv",
    "motion convert push.csv -o push.AT2",
    "motion floor push.csv --period 0.4 --storeys 3 -o floor.csv",
    "assembly info drums.json",
    "assembly limit drums.json",
    "assembly simulate drums.json -m push.csv --until 2",
    "assembly push drums.json",
    "assembly drums --count 2 --height 2 --width 0.6 -o more.json",
    "masonry pushover --preset casalotti2025 --mass 4e4 --to 2",
    "masonry shake --preset casalotti2025 push.csv push.csv",
    "monitor --preset casalotti2025 --mass 4e4 --follow push.csv --dt 0.01 --patience 0.1",
    "reproduce prieto2005 --figure 4 -o results",
    "verify drums.json",
)


def json_texts() -> dict[str, str]:
    """What each call prints with ``--json``, its exit status and its errors."""
    with folder():
        return {f"rocksteady {line} --json": _printed(line) for line in CALLS}


def _printed(line: str) -> str:
    code, out, err = called([*shlex.split(line), "--json"])
    try:
        text = json.dumps(_steady(json.loads(out)), indent=1, ensure_ascii=False)
    except json.JSONDecodeError:
        text = out
    problems = "".join(f"\n! {part}" for part in err.splitlines())
    return f"{text}{problems}\nexit {code}"


def without_digits(text: str) -> str:
    """The same with # for every number of seven digits or more: those depend on the processor."""
    return re.sub(r"-?\d+\.\d{6,}(e[-+]?\d+)?|-?\d\.\d+e[-+]?\d+", "#", text)


def _steady(value: Any) -> Any:
    """The same without what differs from call to call, or from commit to commit; to twelve digits:
    the last ones depend on how many threads add up."""
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if isinstance(value, dict):
        return {
            k: "..." if k in CHANGING or (k in SPEEDS and isinstance(v, float)) else _steady(v)
            for k, v in value.items()
        }
    if isinstance(value, str):
        return value.replace(our_version(), "...")
    return [_steady(part) for part in value] if isinstance(value, list) else value
