"""What is said of mistakes: in Python, and on the command line."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable
from typing import Any

import rocksteady as rs
from pins.bodies import BLOCK_THEORIES, BLOCKS, HOUSES, motions
from pins.commands import called, folder

STATUE = BLOCKS["statue"]
IN_PYTHON: dict[str, Callable[[], Any]] = {
    "rs.Block(-1.8, 0.5)": lambda: rs.Block(-1.8, 0.5),
    "rs.Block(1.8, 0.5, com_height=3.0)": lambda: rs.Block(1.8, 0.5, com_height=3.0),
    "rs.Block(1.8, 0.5, offset=0.4)": lambda: rs.Block(1.8, 0.5, offset=0.4),
    "rs.Block.from_parameters(p=2.0, alpha=2.0)": lambda: rs.Block.from_parameters(
        p=2.0, alpha=2.0
    ),
    "rs.Body.box(0.5, -0.5, 1.8)": lambda: rs.Body.box(0.5, -0.5, 1.8),
    "rs.Housner(eta=0.9, r=0.8)": lambda: rs.Housner(eta=0.9, r=0.8),
    "rs.Housner(eta=1.5)": lambda: rs.Housner(eta=1.5),
    "rs.Nonsmooth(epsilon=2.0)": lambda: rs.Nonsmooth(epsilon=2.0),
    "rs.Masonry(update='other')": lambda: rs.Masonry(update="other"),
    "rs.Motion([], 0.01)": lambda: rs.Motion([], 0.01),
    "rs.Motion([0.0, nan], 0.01)": lambda: rs.Motion([0.0, float("nan")], 0.01),
    "rs.Motion([0.0, 1.0], -0.01)": lambda: rs.Motion([0.0, 1.0], -0.01),
    "rs.pulses.sine(3.0, -1.0)": lambda: rs.pulses.sine(3.0, -1.0),
    "rs.motion.parse_pulse('sine,a=0.3')": lambda: rs.motion.parse_pulse("sine,a=0.3"),
    "rs.simulate(statue)": lambda: rs.simulate(STATUE),
    "rs.simulate(3)": lambda: rs.simulate(3),
    "rs.simulate(statue, theta0=2.0)": lambda: rs.simulate(STATUE, theta0=2.0),
    "rs.simulate(statue, until='noon')": lambda: rs.simulate(STATUE, theta0=0.1, until="noon"),
    "rs.simulate(statue, x0=0.1)": lambda: rs.simulate(STATUE, x0=0.1),
    "rs.simulate(statue, formulation=rs.Housner)": lambda: rs.simulate(
        STATUE, theta0=0.1, formulation=rs.Housner
    ),
    "rs.simulate(house, formulation=rs.Housner())": lambda: rs.simulate(
        HOUSES["house"], x0=1e-3, formulation=rs.Housner()
    ),
    "rs.simulate(stocky, formulation=rs.RigidBodySpring())": lambda: rs.simulate(
        BLOCKS["stocky"], theta0=0.1, formulation=rs.RigidBodySpring()
    ),
    "rs.simulate(lopsided, formulation=rs.ComplexPotential())": lambda: rs.simulate(
        BLOCKS["lopsided"], theta0=0.1, formulation=rs.ComplexPotential()
    ),
    "rs.simulate(lopsided, formulation=elastic)": lambda: rs.simulate(
        BLOCKS["lopsided"], theta0=0.1, formulation=BLOCK_THEORIES["NumericalDissipation elastic"]
    ),
    "rs.simulate(statue, with vertical, rs.Housner(slender=True))": lambda: rs.simulate(
        STATUE, motions()["with vertical"], rs.Housner(slender=True)
    ),
    "rs.ensemble(statue, sine, precision='float32')": lambda: rs.ensemble(
        STATUE, motions()["sine"], precision="float32"
    ),
    "rs.ensemble(statue, [])": lambda: rs.ensemble(STATUE, []),
    "rs.ensemble(statue, sine, scales=[])": lambda: rs.ensemble(
        STATUE, motions()["sine"], scales=[]
    ),
    "rs.ensemble(statue, sine, backend='gpu')": lambda: rs.ensemble(
        STATUE, motions()["sine"], backend="gpu"
    ),
    "rs.analysis.fragility(statue, sine)": lambda: rs.analysis.fragility(
        STATUE, motions()["sine"], progress=False
    ),
    "rs.analysis.fragility(statue, sine, levels=-1)": lambda: rs.analysis.fragility(
        STATUE, motions()["sine"], levels=-1
    ),
    "rs.analysis.limit_load(statue)": lambda: rs.analysis.limit_load(STATUE),
    "rs.Floor(-1.0)": lambda: rs.Floor(-1.0),
    "rs.read_motion('missing.csv')": lambda: rs.read_motion("missing.csv"),
    "rs.open_ensemble('missing')": lambda: rs.open_ensemble("missing"),
    "rs.Response.load('push.csv')": lambda: rs.Response.load("push.csv"),
}
TYPED = (
    "simulate --height 1.8",
    "simulate --height 1,8 --width 50cm",
    "simulate --height -1.8 --width 0.5 --theta0 0.1",
    "simulate --p 2 --alpha 2.0 --theta0 0.1",
    "simulate --height 1.8 --width 0.5 --com-height 3 --theta0 0.1",
    "simulate --height 1.8 --width 0.5",
    "simulate --height 1.8 --width 0.5 push.csv",
    "simulate --height 1.8 --width 0.5 -m missing.csv",
    "simulate --height 1.8 --width 0.5 -m pulse:sine,a=0.3g",
    "simulate --height 1.8 --width 0.5 -m push.csv --eta 0.9 --r 0.8",
    "simulate --height 1.8 --width 0.5 -m push.csv --formulation other",
    "simulate --height 1.8 --width 0.5 -m push.csv --set colour=red",
    "simulate --height 1.8 --width 0.5 -m push.csv --until noon",
    "simulate --height 1.8 --width 0.5 -m push.csv --storeys 0 --period 0.4",
    "simulate --height 1.8 --width 0.5 -m push.csv -o run.xyz",
    "simulate --base 0.45x -m push.csv --height 1.8",
    "compare --base 0.45 --height 1.8 -m push.csv",
    "assess missing.toml",
    "assess study.toml",
    "fragility --height 1.8 --width 0.5 -m push.csv --levels many",
    "risk --height 1.8 --width 0.5 -m push.csv --hazard push.csv",
    "check --height 1.2 --width 0.25",
    "spectrum -m push.csv",
    "overturning --height 1.8 --width 0.5 --frequencies 2:1",
    "ensemble object.toml",
    "identify rocking push.csv",
    "calibrate block --height 4.2 --width 0.6 --formulation springs --r 0.5",
    "motion info missing.csv",
    "motion process push.csv --lowpass -1",
    "assembly info study.toml",
    "assembly drums --count 0 --height 2 --width 0.6",
    "masonry pushover --preset other --mass 4e4 --to 2",
    "masonry shake --preset casalotti2025",
    "monitor",
    "reproduce nobody",
    "verify missing",
    "shake",
)


def error_texts() -> dict[str, str]:
    """Every sentence, by what was done."""
    with folder(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        texts = {name: _raised(call) for name, call in IN_PYTHON.items()}
        texts |= {f"rocksteady {line}": _said(line) for line in TYPED}
    return texts


def _raised(call: Callable[[], Any]) -> str:
    try:
        call()
    except (rs.InputError, TypeError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def _said(line: str) -> str:
    code, out, err = called(shlex.split(line))
    return f"{err or out}exit {code}"
