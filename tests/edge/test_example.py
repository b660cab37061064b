"""The Arduino sketch, run on the host with samples instead of a sensor."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from edge.building import EDGE, need
from edge.vectors import single
from one_interval import make_stream
from rocksteady.theories.masonry import motion as masonry_motion

SKETCH = EDGE / "examples" / "BuildingGuard" / "BuildingGuard.ino"
SHIM = EDGE.parent / "tests" / "edge" / "arduino"
DT = 0.02
BUILDING = (60e3, 16.07, 6.438e6, 3734.0, 500.0, 2489.0, 4.0, 2.0, 0.0)

HARNESS = f"""
#include "Arduino.h"
#include "{SKETCH}"
void at_the_end() {{
    printf("w %.9g u %.9g bad %u\\n", (double)state.w, (double)state.u, bad_samples);
}}
int main() {{
    for (setup();; loop()) clock_us += 10000; /* every other loop comes too early */
}}
"""


@pytest.fixture(scope="module")
def sketch(tmp_path_factory):
    """The sketch as a program: ADC counts in, what it did out."""
    need("g++", "cc")
    folder = tmp_path_factory.mktemp("sketch")
    (folder / "main.cpp").write_text(HARNESS)
    flags = ["-Wall", "-Wextra", "-Werror", "-DARDUINO=10819", f"-I{EDGE}", f"-I{SHIM}"]
    kernel = ["cc", "-std=c99", *flags, "-O2", "-c", EDGE / "masonry.c", "-o", folder / "masonry.o"]
    whole = ["g++", *flags, folder / "main.cpp", folder / "masonry.o", "-o", folder / "sketch"]
    for command in (kernel, whole):
        subprocess.run(command, check=True, capture_output=True, text=True)

    def go(counts: np.ndarray) -> str:
        text = "\n".join(str(int(c)) for c in counts)
        done = subprocess.run(
            [folder / "sketch"], input=text, capture_output=True, text=True, timeout=20, check=True
        )
        return done.stdout

    return go


def _counts(amplitude: float) -> np.ndarray:
    """A swelling and fading tone [m/s²] as the sensor's ADC shows it."""
    t = DT * np.arange(250)
    accel = amplitude * np.sin(2 * np.pi * 1.5 * t) * np.sin(np.pi * t / t[-1])
    return np.clip(np.round(512 + accel / 9.81 * 102.4), 1, 1022)


def _python(counts: np.ndarray) -> tuple[int | None, tuple[float, ...]]:
    """(sample at which the alarm is due, last state) by the Python kernel."""
    accel = (counts - 512) / 102.4 * 9.81
    stream, state, alarm = make_stream(masonry_motion.advance), (0.0,) * 10, None
    params = single(BUILDING)
    for i in range(1, len(accel)):
        state, _used, high, low, *_rest = stream(
            state, params, (accel[i - 1], 0.0), (accel[i], 0.0), DT
        )
        if alarm is None and (state[4] > 0.05 or high > 0.006 or low < -0.006):
            alarm = i + 1  # samples are counted from one
    return alarm, state


def test_the_alarm_goes_on_when_python_says(sketch):
    counts = _counts(1.75)
    due, state = _python(counts)
    assert due is not None and 0.05 < state[4] < 0.9  # damaged, not collapsed
    out = sketch(counts)
    assert f"pin 13 1 at {due}\n" in out
    assert out.count("ALARM") == 1
    assert float(out.split("w ")[-1].split()[0]) == pytest.approx(state[4], rel=1e-4)


def test_small_shaking_raises_no_alarm(sketch):
    counts = _counts(0.3)
    assert _python(counts)[0] is None
    assert "ALARM" not in sketch(counts)


def test_a_broken_cable_is_counted_and_bridged(sketch):
    """Samples at the end of the range are no earthquake; the state survives them."""
    counts = _counts(0.3)
    counts[[0, 1, 100, 101, 180]] = (0, 0, 1023, 0, 0)
    out = sketch(counts)
    assert "ALARM" not in out
    assert out.endswith("bad 5\n") and "nan" not in out


def test_one_alarm_and_no_nonsense_through_collapse(sketch):
    counts = _counts(4.0)
    due, _state = _python(counts)
    out = sketch(counts)
    assert f"pin 13 1 at {due}\n" in out and out.count("ALARM") == 1
    assert "w 0.999" in out and "nan" not in out
