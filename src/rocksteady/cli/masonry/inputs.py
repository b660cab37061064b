"""What is typed after `rocksteady masonry`: files to write, numbers, histories, scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rocksteady.cli.common.files import check_writable
from rocksteady.cli.common.records import OR_A_PULSE, converted_first, read_file, warn_if_vertical
from rocksteady.errors import InputError
from rocksteady.marks import check_parquet

if TYPE_CHECKING:
    from rocksteady.motion import Motion


def planned(out: list[Path] | None, kinds: tuple[str, ...], folder: tuple[str, ...]) -> list[Path]:
    """The files to write; a path without a suffix is a folder."""
    files: dict[Path, None] = {}
    for path in out or ():
        check_writable(path)
        if path.is_dir() or not path.suffix:
            files.update(dict.fromkeys(path / name for name in folder))
        elif path.suffix in kinds:
            files[path] = None
        else:
            raise InputError(
                f"--out {path} cannot be written: give a folder, or a file that ends in "
                f"{', '.join(kinds)}."
            )
    if any(path.suffix == ".parquet" for path in files):
        check_parquet()
    return list(files)


def named_values(texts: list[str] | None, option: str) -> list[tuple[str, str]]:
    pairs = []
    for text in texts or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise InputError(f"{option} {text} is not understood: write NAME=VALUE.")
        pairs.append((name.strip().replace("-", "_"), value))
    return pairs


def number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{what}: {text!r} is no number.") from None


def numbers(text: str, what: str) -> tuple[float, ...]:
    return tuple(number(part, f"--{what}-limits") for part in text.split(","))


def bounds_of(text: str, name: str) -> tuple[float, float]:
    low, mark, high = text.partition(":")
    if not mark:
        raise InputError(f"--bound {name}={text} is not understood: write LOW:HIGH.")
    return number(low, f"--bound {name}"), number(high, f"--bound {name}")


def history(to: str, points: int) -> Any:
    import numpy as np

    targets = [1e-3 * number(text, "--to") for text in to.split(",")]
    parts, last = [np.zeros(1)], 0.0
    for target in targets:
        parts.append(np.linspace(last, target, points + 1)[1:])
        last = target
    return np.concatenate(parts)


def scenario(text: str) -> tuple[str, Motion]:
    from rocksteady.motion import parse_pulse

    name, mark, source = text.partition("=")
    if not mark or ":" in name or Path(text).exists():
        name, source = "", text
    if source.startswith("pulse:"):
        return name or source, parse_pulse(source)
    with converted_first(source):
        motion = read_file(source, also=OR_A_PULSE)
    if isinstance(motion, dict):
        raise InputError(
            f"{source} has several components, {', '.join(motion)}: save one of them as a file, "
            f"with rocksteady motion convert {source}."
        )
    warn_if_vertical(motion)
    return name or motion.name or Path(source).stem, motion
