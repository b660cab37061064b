"""Pins on disk: how they are written, read and compared."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent / "kept"
HEAD = "=== "  # begins an entry of a text
MOST = 40  # lines of a difference that are shown


def read_texts(name: str) -> dict[str, str]:
    """The entries of a file of texts, by their headings."""
    path = FOLDER / name
    if not path.is_file():
        return {}
    entries = path.read_text(encoding="utf-8").split(f"\n{HEAD}")
    pairs = (entry.removeprefix(HEAD).partition("\n") for entry in entries)
    return {heading: text.rstrip("\n") for heading, _, text in pairs}


def write_texts(name: str, texts: Mapping[str, str]) -> None:
    entries = (f"{HEAD}{heading}\n{text.rstrip()}\n" for heading, text in texts.items())
    (FOLDER / name).write_text("\n".join(entries), encoding="utf-8", newline="\n")


def read_digests(family: str) -> dict[str, dict[str, str]] | None:
    """The results of a family of processors, by group; None if there are none."""
    path = _digests(family)
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def write_digests(family: str, digests: Mapping[str, Mapping[str, str]]) -> None:
    text = json.dumps(digests, indent=0, sort_keys=False, ensure_ascii=False)
    _digests(family).write_text(text + "\n", encoding="utf-8", newline="\n")


def families() -> list[str]:
    return sorted(path.stem.removeprefix("results-") for path in FOLDER.glob("results-*.json"))


def _digests(family: str) -> Path:
    return FOLDER / f"results-{family}.json"


def differences(pinned: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What has changed, in words, with the lines that differ; empty if nothing has."""
    lines: list[str] = []
    for name in [*pinned, *(name for name in now if name not in pinned)]:
        before, after = pinned.get(name), now.get(name)
        if before is None:
            lines.append(f"{name}: new, not pinned yet")
        elif after is None:
            lines.append(f"{name}: is gone")
        elif before != after:
            lines += [f"{name}: changed", *_lines_that_differ(before, after)]
    if not lines:
        return ""
    shown = "\n".join(lines[:MOST])
    more = f"\n… and {len(lines) - MOST} lines more" if len(lines) > MOST else ""
    return f"not as pinned\n{shown}{more}"


def _lines_that_differ(before: str, after: str) -> list[str]:
    compared = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [f"    {line}" for line in compared if not line.startswith(("---", "+++", "@@"))]
