"""Responses of stones that pictures are made of."""

from __future__ import annotations

import pytest

import rocksteady as rs
from view.assembly.mimic import at_rest, falling_wall, rocking_trilith, tied_trilith


@pytest.fixture(scope="session")
def responses() -> dict[str, rs.Response]:
    return {
        "rocks": rocking_trilith(),
        "hardly moves": rocking_trilith(1e-4),
        "falls": falling_wall(),
        "at rest": at_rest(),
        "tied": rocking_trilith(links=tied_trilith().links),
    }
