"""Answers that misbehave, for the tests of the workers."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from rocksteady.errors import InputError

CALLED: list[int] = []


def echo(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    CALLED.append(1)
    return {"folder": folder.name, "pid": os.getpid(), "called": len(CALLED), **request}


def sleeps(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    time.sleep(request["seconds"])
    return echo(folder, request)


def waits(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Until somebody has made a file in the folder."""
    while not (folder / "go").exists():
        time.sleep(0.01)
    return {}


def computes(folder: Path, request: dict[str, Any]) -> None:
    """Never ends."""
    while True:
        pass


def crashes(folder: Path, request: dict[str, Any]) -> None:
    os.abort()


def refuses(folder: Path, request: dict[str, Any]) -> None:
    raise InputError("The width must be positive.")


def fails(folder: Path, request: dict[str, Any]) -> None:
    raise KeyError("a fault")


def devours(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    return {"sum": float(np.ones(10**10).sum())}


def prints(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    print("this is no answer", flush=True)
    return {"printed": True}


def numbers(folder: Path, request: dict[str, Any]) -> dict[str, Any]:
    return {
        "exact": np.array([0.1, 1 / 3, 5e-324, 1.7976931348623157e308]),
        "odd": [float("nan"), np.inf, np.float64("-inf")],
        "columns": np.arange(6.0).reshape(3, 2).T,
        "path": Path("uploads") / "a",
    }
