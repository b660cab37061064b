"""Jobs that count, crash or hang, for the tests of the framework. Run in processes of their own."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError
from rocksteady.specs import Spec
from rocksteady.studio.jobs.kinds import Kind
from rocksteady.studio.jobs.tell import Tell


class Request(Spec):
    """How far to count, how long to wait at each, and what else to do."""

    count: int = 0
    wait: float = 0.0
    do: str = ""


def run(request: dict[str, Any], folder: Path, tell: Tell) -> dict[str, Any]:
    known = [found["number"] for found in tell.known()]
    print("this must not disturb anybody")
    for number in range(len(known), request["count"]):
        tell.progress("counting", number, request["count"])
        tell.partial({"number": number, "pid": os.getpid()})
        time.sleep(request["wait"])
    DOES[request["do"]]()
    return {"sum": sum(range(request["count"])), "known": known}


def _start_another() -> None:
    """A process of its own, which must end with the job."""
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"], check=False)


def _refuse() -> None:
    raise InputError(f"The file {Path.cwd()}/secret.csv is not a motion.")


def _fail() -> None:
    raise KeyError("of all things")


def _divide() -> None:
    raise ZeroDivisionError("division by zero")


def _fill_memory() -> None:
    whole = bytearray(1 << 40)
    print(len(whole))


def _write_half_a_message() -> None:
    os.write(1, b'{"announced": 12')
    os._exit(0)


DOES = {
    "": lambda: None,
    "abort": os.abort,
    "exit": lambda: os._exit(3),
    "leave": lambda: sys.exit(0),
    "refuse": _refuse,
    "fail": _fail,
    "divide": _divide,
    "memory": _fill_memory,
    "another": _start_another,
    "half": _write_half_a_message,
}

KINDS = {"count": Kind(Request, "job_kinds:run", None)}
