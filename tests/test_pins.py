"""What users have stays as it is, unless a commit says otherwise: results to the last bit, help,
JSON, errors, names, the studio's API and saved files. `make pins` writes the pins anew."""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import pytest

from pins import commands, kept
from pins.__main__ import MADE_WITH, NUMERICS, TEXTS
from pins.machine import family, versions
from pins.results import GROUPS, results

ADVICE = "If this is meant, run `make pins`, read `git diff tests/pins` and say so in the commit."
pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")


@cache
def digests() -> Any:
    return kept.read_digests(family())


def skip_unless(pinned_with: str, here: str) -> None:
    if pinned_with != here:
        pytest.skip(f"pinned with {pinned_with}; here is {here}")


@pytest.mark.parametrize("group", GROUPS)
def test_results_have_the_same_bits(group):
    if digests() is None:
        pytest.skip(f"pinned for {', '.join(kept.families())}; here is {family()}")
    skip_unless(digests()[MADE_WITH][""], versions(*NUMERICS))
    changed = kept.differences(digests()[group], results(group))
    assert not changed, f"{changed}\n{ADVICE}"


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_the_same(name):
    """Long numbers only on the machines and with the packages that they were computed on."""
    make, packages = TEXTS[name]
    pins = kept.read_texts(name)
    made_with, _, machine = pins.pop(MADE_WITH).partition(", on ")
    if name != "json.txt":
        skip_unless(made_with, versions(*packages))
    now = make()
    if machine and (made_with, machine) != (versions(*packages), family()):
        pins, now = ({k: commands.without_digits(v) for k, v in it.items()} for it in (pins, now))
    changed = kept.differences(pins, now)
    assert not changed, f"{changed}\n{ADVICE}"
