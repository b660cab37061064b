"""Shared by all tests: real records where they are at hand, and Hypothesis without a stopwatch."""

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("rocksteady", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("rocksteady")

RECORDS = Path(__file__).parents[2] / "shared" / "records"


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of real accelerograms beside the repository."""
    if not RECORDS.is_dir():
        pytest.skip("no real records beside this repository (../shared/records)")
    return RECORDS
