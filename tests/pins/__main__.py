"""`make pins`: write all pins anew, those of results for this family of processors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from pins import commands, errors, faces, kept, saved
from pins.machine import family, versions
from pins.results import FAILED, GROUPS, results

MADE_WITH = "made with"
NUMERICS = ("numpy", "scipy", "numba")
LAYOUT = ("typer", "rich", "click")
TEXTS: dict[str, tuple[Callable[[], dict[str, str]], tuple[str, ...]]] = {
    "help.txt": (commands.help_texts, LAYOUT),
    "json.txt": (commands.json_texts, NUMERICS),
    "errors.txt": (errors.error_texts, LAYOUT),
    "names.txt": (faces.name_texts, ("", "pydantic")),
    "api.txt": (faces.api_texts, ("fastapi", "pydantic")),
    "files.txt": (saved.file_texts, ("xarray", "h5netcdf", "pyarrow", "pandas")),
}
"""Each file of texts: what makes it, and the packages of which other versions give other texts."""


def main() -> None:
    here = family()
    kept.FOLDER.mkdir(exist_ok=True)
    print(f"This machine: {here}. Pinned before: {', '.join(kept.families()) or 'none'}.")
    after = {MADE_WITH: {"": versions(*NUMERICS)}} | {group: results(group) for group in GROUPS}
    failed = [
        f"{group}/{name} {result}"
        for group, pins in after.items()
        for name, result in pins.items()
        if result.startswith(FAILED)
    ]
    if failed:
        sys.exit("\n".join(["Nothing is written: these must give a result first.", *failed]))
    before = kept.read_digests(here) or {}
    for group, pins in after.items():
        _tell(f"results, {group}", before.get(group, {}), pins)
    kept.write_digests(here, after)
    for name, (make, packages) in TEXTS.items():
        made_with = versions(*packages) + (f", on {here}" if name == "json.txt" else "")
        texts = {MADE_WITH: made_with, **make()}
        _tell(name, kept.read_texts(name), texts)
        kept.write_texts(name, texts)


def _tell(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    if changed := kept.differences(before, after):
        print(f"{what}: {changed}")


if __name__ == "__main__":
    main()
