"""Build the C kernels with ``edge/Makefile``, run their checks, and call them from Python."""

from __future__ import annotations

import ctypes
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

EDGE = Path(__file__).parents[2] / "edge"
QEMU = ("qemu-system-arm", "-M", "mps2-an386", "-display", "none", "-monitor", "none")
QEMU += ("-serial", "none", "-semihosting-config", "enable=on,target=native")
SHIFT = 6  # qemu: each instruction takes 2^6 ns, so that SysTick (25 MHz) sees every one
TICKS_PER_INSTRUCTION = 2**SHIFT * 25e6 / 1e9


def need(*tools: str) -> None:
    """Skip the test where a tool is not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"not installed here: {', '.join(missing)} (see docs/edge.md)")


def make(target: str, out: Path, **variables: str) -> str:
    """Run one target of ``edge/Makefile``; results go to ``out``."""
    settings = [f"{name}={value}" for name, value in {"OUT": str(out), **variables}.items()]
    done = subprocess.run(
        ["make", "-s", "-C", str(EDGE), target, *settings], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr  # not even a warning
    return done.stdout


def run(command: list[str | Path], seconds: float = 100) -> dict[str, float]:
    """Run the checks; what they found, by name."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    report = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)  # simavr writes in colour
    found: dict[str, float] = {}
    for name, digits in re.findall(r"^([a-z_]+(?:\.[a-z_0-9]+)*) ([0-9a-f]+)\b", report, re.M):
        bits = int(digits, 16)
        is_error = ".error." in name
        found[name] = struct.unpack("f", struct.pack("I", bits))[0] if is_error else bits
    assert done.returncode == 0 and "end" in found, report
    return found


def worst_error(found: dict[str, float], group: str, columns: range) -> float:
    """The largest relative error of the state's columns; NaN counts as infinite."""
    errors = [found[f"{group}.error.{i}"] for i in columns] + [found[f"{group}.error.peak"]]
    return max(e if e == e else float("inf") for e in errors)


# -- the library, called from Python ------------------------------------------------------------


class Library:
    """``librocksteady``, made for the numbers ``real``: states and parameters are rows of them."""

    def __init__(self, path: Path, real: type = ctypes.c_double) -> None:
        self.c = ctypes.CDLL(str(path))
        self.real = real

        class Ground(ctypes.Structure):
            _fields_ = [("h", real), ("v", real)]

        class Extremes(ctypes.Structure):
            _fields_ = [(name, real) for name in ("used", "highest", "lowest", "t_peak")]
            _fields_ += [("impacts", ctypes.c_uint16), ("steps", ctypes.c_uint16)]

        self.ground, self.extremes = Ground, Extremes

    def row(self, numbers):  # type: ignore[no-untyped-def]
        return (self.real * len(numbers))(*numbers)

    def advance(self, kernel, state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(state, used, event), as in Python; an event < 0 is an error."""
        row, used = self.row(state), self.real()
        event = getattr(self.c, f"{kernel}_advance")(
            row,
            self.row(params),
            self.ground(*ground0),
            self.ground(*ground1),
            self.real(dt),
            ctypes.byref(used),
        )
        return tuple(row), used.value, event

    def interval(self, kernel, state, params, ground0, ground1, dt):  # type: ignore[no-untyped-def]
        """(state, extremes, event)."""
        row, extremes = self.row(state), self.extremes()
        event = getattr(self.c, f"{kernel}_interval")(
            row,
            self.row(params),
            self.ground(*ground0),
            self.ground(*ground1),
            self.real(dt),
            ctypes.byref(extremes),
        )
        return tuple(row), extremes, event

    def deform(self, point, params, u1):  # type: ignore[no-untyped-def]
        """(point, event)."""
        row = self.row(point)
        event = self.c.masonry_deform(row, self.row(params), self.real(u1))
        return tuple(row), event

    def check(self, kernel, params):  # type: ignore[no-untyped-def]
        return getattr(self.c, f"{kernel}_check")(self.row(params))

    def rectangle(self, height, width, mass, eta, g):  # type: ignore[no-untyped-def]
        """(parameters of the block, 0 or an error)."""
        row = (self.real * 15)()
        numbers = (self.real(v) for v in (height, width, mass, eta, g))
        error = self.c.housner_rectangle(row, *numbers)
        return tuple(row), error
