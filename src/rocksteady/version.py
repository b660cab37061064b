"""Which program this is, down to the commit, and what it runs on: results are kept with both.

In a checkout the commit is asked of git, once and not before it is needed. A package that was built
has the file ``commit.json`` from its build (`hatch_build.py`, which reads this file alone).
"""

import hashlib
import json
import os
import platform
import re
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

VERSION = "0.3.0"
COMMIT = "commit.json"
_HERE = Path(__file__).parent
_SHOWN = 8  # digits of the commit in the version
_PATIENCE = 5.0  # s for git

__version__: str


def __getattr__(name: str) -> str:
    if name == "__version__":  # git is asked once it is needed
        return version()
    raise AttributeError(f"{__name__} has no {name!r}")


@cache
def version() -> str:
    """The version with its commit, ``0.3.0+2cc189c6``; ``.changed`` at the end if files of the
    program were changed since; ``0.3.0+unknown`` where the commit is not known."""
    commit, changed = _commit()
    return f"{VERSION}+{commit[:_SHOWN] or 'unknown'}{'.changed' * changed}"


@cache
def environment() -> dict[str, str]:
    """What a result was computed with: version and commit of the program, Python, NumPy, Numba,
    processor and system, as words."""
    commit, changed = _commit()
    code = f"{commit}{', with local changes' * changed}" if commit else "unknown"
    return {
        "rocksteady": version(),
        "commit": code,
        "Python": platform.python_version(),
        "NumPy": _of("numpy"),
        "Numba": _of("numba"),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
    }


@cache
def _commit() -> tuple[str, bool]:
    """The commit, empty if it is not known, and whether files of the program were changed since."""
    with suppress(OSError, ValueError, KeyError):
        built = json.loads((_HERE / COMMIT).read_text(encoding="utf-8"))
        return str(built["commit"]), built["changed"] or built["digest"] != digest_of(_HERE)
    found = commit_in(_HERE.parents[1])
    return (found["commit"], found["changed"]) if found else ("", False)


def commit_in(checkout: Path) -> dict[str, Any] | None:
    """``commit`` and ``changed`` of a checkout of this program; None if it is not one, or without
    git. A new file of the program is a change, too."""
    if not (checkout / ".git").exists():
        return None
    asked = (
        *("git", "status", "--porcelain=v2", "--branch", "--untracked-files=all"),
        *("--", "src/rocksteady"),
    )
    known = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            asked,
            cwd=checkout,
            env={**known, "GIT_OPTIONAL_LOCKS": "0"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    told = done.stdout.splitlines()
    commit = re.search(r"^# branch\.oid ([0-9a-f]{40,})$", done.stdout, re.MULTILINE)
    changed = any(not line.startswith("#") for line in told)
    return {"commit": commit[1], "changed": changed} if commit else None


def digest_of(program: Path) -> str:
    """Of all Python files of a program and their names: whether one was changed since it was
    built."""
    whole = hashlib.blake2b(digest_size=16)
    for file in sorted(program.rglob("*.py"), key=lambda one: one.relative_to(program).as_posix()):
        name, content = file.relative_to(program).as_posix().encode(), file.read_bytes()
        whole.update(b"%d %s %d " % (len(name), name, len(content)) + content)
    return whole.hexdigest()


def _of(package: str) -> str:
    try:
        return installed(package)
    except PackageNotFoundError:
        return "unknown"


def _processor() -> str:
    """Its name as the system tells it, and how many cores there are."""
    name = ""
    with suppress(OSError, subprocess.SubprocessError):
        if platform.system() == "Linux":
            text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
            found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
            name = found[1].strip() if found else ""
        elif platform.system() == "Darwin":
            asked = ("sysctl", "-n", "machdep.cpu.brand_string")
            name = subprocess.run(asked, capture_output=True, text=True, timeout=_PATIENCE).stdout
    name = " ".join(name.split()) or platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores"
