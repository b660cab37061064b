"""Where results go: what `--out` means, checked before the run, and written after it.

A file that this program did not write is replaced only with ``--overwrite``, an option of every
command that has ``--out``; what a command reads is never replaced.
"""

import itertools
import os
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path

import rocksteady as rs
from rocksteady.cli.common.progress import Work
from rocksteady.errors import InputError

OVERWRITE: ContextVar[bool] = ContextVar("overwrite", default=False)
"""Whether the current command was given ``--overwrite``."""

DATA, FIGURES, FILMS = (".nc", ".csv"), (".png", ".svg", ".pdf"), (".gif", ".mp4")
STUDY = ".toml"
RUN = {
    "figure": FIGURES,
    "film": FILMS,
    "data": DATA,
    "a study of the same body under many motions": (STUDY,),
}
FOLDER = ("figure.png", "animation.gif", "response.nc")  # what a folder gets


def planned(
    outs: Iterable[str] | None,
    kinds: Mapping[str, tuple[str, ...]] = RUN,
    folder: Iterable[str] = FOLDER,
    *,
    sources: Iterable[str | Path | None] = (),
) -> list[Path]:
    """The files to write, each once: those of ``folder`` where a folder was given. An error, before
    the run, where one can not be written, is of none of the ``kinds``, or may not be replaced."""
    paths: dict[Path, None] = {}
    for out in outs or ():
        path = Path(out)
        check_writable(path)
        if path.is_dir() or out.endswith(("/", os.sep)) or not path.suffix:
            if path.is_file():
                raise InputError(f"--out {out} is a file without a suffix: {_allowed(kinds)}")
            paths.update(dict.fromkeys(path / name for name in folder))
        elif path.suffix in itertools.chain(*kinds.values()):
            paths[path] = None
        else:
            raise InputError(f"--out {out} cannot be written: {_allowed(kinds)}")
    suffixes = {path.suffix for path in paths}
    if ".mp4" in suffixes:
        from rocksteady.view.film import find_ffmpeg

        find_ffmpeg()
    if ".parquet" in suffixes:
        from rocksteady.marks import check_parquet

        check_parquet()
    keep_sources(paths, sources)
    return list(paths)


def _allowed(kinds: Mapping[str, tuple[str, ...]]) -> str:
    *first, last = (f"{', '.join(suffixes)} ({what})" for what, suffixes in kinds.items())
    return (
        "give a folder (with a dot in its name, end it with /), or a file that ends in "
        f"{', '.join(first)}{' or ' * bool(first)}{last}."
    )


def check_figure(out: Path | None, sources: Iterable[str | Path | None] = ()) -> list[str]:
    """The figure to write, if any. An error, before the run, where it cannot be written."""
    if out is None:
        return []
    from rocksteady.view import style

    style.suffix_of(out, tuple(style.FORMATS), "a figure")
    check_writable(out)
    keep_sources([out], sources)
    return [str(out)]


def check_writable(out: Path, *, folder: bool = False) -> None:
    """Refuse a place where nothing can be written: before the run, not after it."""
    wanted = out.absolute()
    place = next(there for there in (wanted, *wanted.parents) if there.exists())
    if place.is_file():
        if folder or place != wanted:
            raise InputError(f"--out {out} cannot be written: {place} is a file, not a folder.")
        place = place.parent
    if not os.access(place, os.W_OK):
        raise InputError(f"--out {out} cannot be written: {place} is read-only; try another place.")


def keep_sources(files: Iterable[Path], sources: Iterable[str | Path | None] = ()) -> None:
    """Refuse to overwrite what is read, and, unless ``--overwrite`` was given, what this program
    did not write."""
    from rocksteady.marks import ours

    own = {Path(source).resolve() for source in sources if source is not None}
    for path in files:
        if path.resolve() in own:
            raise InputError(
                f"--out {path} would be written over what is read: give another name or a folder."
            )
        if not OVERWRITE.get() and path.is_file() and not ours(path):
            raise InputError(
                f"{path} exists and was not written by rocksteady: give another name, or "
                "--overwrite to replace it."
            )


def write(
    response: "rs.Response",
    paths: Iterable[Path],
    work: Work,
    ground: "rs.Motion | None" = None,
    floor: "rs.Floor | None" = None,
) -> None:
    """Write each file, whole or not at all; the quick ones first. ``ground`` and ``floor``: whose
    motion the response has, where it is a floor's."""
    for path in sorted(paths, key=lambda path: (path.suffix in FILMS, path.suffix in FIGURES)):
        advance = work.on(f"Writing {path.name} …")
        if path.suffix in DATA:
            response.save(path)
        elif path.suffix in FIGURES:
            response.plot(path)
        elif path.suffix == STUDY:
            from rocksteady.cli.common.many import write_study

            write_study(response, path, ground, floor)
        else:
            response.animate(path, progress=advance)
