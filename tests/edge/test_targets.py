"""The same checks on emulated microcontrollers: a Cortex-M4F (qemu) and an ATmega328P (simavr).

Where the cross compilers or the emulators are missing, these tests are skipped.
"""

from __future__ import annotations

import pytest

from edge.building import QEMU, SHIFT, TICKS_PER_INSTRUCTION, make, need, run, worst_error
from edge.vectors import SUBJECTS, write_header

KERNELS = sorted(SUBJECTS)
CORTEX_TOOLS = ("make", "arm-none-eabi-gcc", "qemu-system-arm")
AVR_TOOLS = ("make", "avr-gcc", "simavr")

# columns of the state: what moves, and energies
MOVES = {"housner": range(2), "masonry": range(6)}
ENERGIES = {"housner": range(3, 5), "masonry": range(7, 10)}
RESULTS = [f"{group}.unequal" for group in ("cases", "runs")]
RESULTS += [f"{group}.error.{i}" for group in ("cases", "runs") for i in (0, 1, 3, 4, "peak")]


@pytest.fixture(scope="module", params=KERNELS)
def vectors(request, tmp_path_factory):
    """(kernel, folder): 200 intervals and four motions of 4 s."""
    need(*CORTEX_TOOLS)
    folder = tmp_path_factory.mktemp(f"{request.param}-cortex-m4")
    write_header(folder, request.param, 200, 400)
    return request.param, folder


@pytest.fixture(scope="module", params=KERNELS)
def few_vectors(request, tmp_path_factory):
    """(kernel, folder): what fits into 32 KiB of flash beside the kernel and the check."""
    need(*AVR_TOOLS)
    folder = tmp_path_factory.mktemp(f"{request.param}-atmega328p")
    write_header(folder, request.param, 28, 120)
    return request.param, folder


def cortex_m4(folder, real):
    make("cortex-m4", folder, REAL=real)
    return run([*QEMU, "-icount", f"shift={SHIFT}", "-kernel", folder / f"cortex-m4-{real}.elf"])


def sound(found):
    """Nothing took another way, mirrored motion gave the mirrored answer, bad input was refused."""
    assert found["cases.other_way"] == found["runs.other_way"] == 0
    assert found["cases.asymmetric"] == found["input.bad_accepted"] == 0
    assert found["cases.compared"] > 0 < found["runs.compared"]


def test_cortex_m4_in_double(vectors):
    """Rocking: the very findings of the host without fused operations, for newlib's fma() rounds
    the product, too. Masonry: newlib's exp and pow round otherwise now and then."""
    kernel, folder = vectors
    found = cortex_m4(folder, "double")
    sound(found)
    columns = [*MOVES[kernel], *ENERGIES[kernel]]
    assert worst_error(found, "cases", columns) < 1e-12
    assert worst_error(found, "runs", columns) < 1e-10
    if kernel == "masonry":
        assert found["cases.unequal"] < 0.05 * found["cases.compared"]
    elif found["cases.unequal"]:
        make("host", folder, FUSED="0")
        plain = run([folder / "host-double"])
        assert {n: found[n] for n in RESULTS} == {n: plain[n] for n in RESULTS}


def test_cortex_m4_in_float(vectors):
    kernel, folder = vectors
    found = cortex_m4(folder, "float")
    sound(found)
    assert worst_error(found, "cases", MOVES[kernel]) < (1e-5 if kernel == "housner" else 1e-3)
    assert worst_error(found, "cases", ENERGIES[kernel]) < (1e-4 if kernel == "housner" else 1e-2)
    assert worst_error(found, "runs", MOVES[kernel]) < 2e-3
    # instructions, see docs/edge.md
    assert 1_000 < found["cases.worst_step"] / TICKS_PER_INSTRUCTION < 12_000
    mean = found["runs.time"] / found["runs.intervals"] / TICKS_PER_INSTRUCTION
    assert 500 < mean < 2_000
    assert 0 < found["cases.worst_stack"] <= 1024


def test_atmega328p(few_vectors):
    kernel, folder = few_vectors
    make("atmega328p", folder, REAL="float")
    found = run(["simavr", "-m", "atmega328p", "-f", "16000000", folder / "atmega328p.elf"])
    sound(found)
    assert worst_error(found, "cases", MOVES[kernel]) < (1e-5 if kernel == "housner" else 1e-3)
    assert worst_error(found, "cases", ENERGIES[kernel]) < (1e-4 if kernel == "housner" else 1e-2)
    assert worst_error(found, "runs", MOVES[kernel]) < 2e-3
    # docs/edge.md: at 16 MHz a step takes at most 16 ms, an ordinary interval 5 ms
    assert 1_000 < found["cases.worst_step"] < 16e-3 * 16e6
    assert 1_000 < found["runs.time"] / found["runs.intervals"] < 5e-3 * 16e6
    assert 0 < found["cases.worst_stack"] <= 1024  # of 2048 bytes of RAM


@pytest.mark.parametrize("kernel", KERNELS)
def test_flash_and_static_memory(tmp_path, kernel):
    """What a kernel adds to a program, libm included: flash, and no RAM but its own structs."""
    need(*AVR_TOOLS, "avr-size")
    text, data, bss = _size(make("size-atmega328p", tmp_path, REAL="float", KERNEL=kernel.upper()))
    assert 4_000 < text < 20_000
    assert data == 0
    assert bss <= 128  # state, parameters and extremes of this program


def _size(report: str) -> tuple[int, int, int]:
    text, data, bss = report.splitlines()[-1].split()[:3]
    return int(text), int(data), int(bss)
