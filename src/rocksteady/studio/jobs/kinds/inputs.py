"""Motions that jobs are made of, and the motion of one run as a description of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rocksteady.digests import check as check_digest
from rocksteady.digests import sealed_object, without_seal
from rocksteady.errors import InputError
from rocksteady.files import write_whole
from rocksteady.specs import MotionSpec
from rocksteady.studio.jobs.limits import MOTIONS, at_most

if TYPE_CHECKING:
    from rocksteady.motion import Motion

SOURCES = 200  # descriptions of motions in one request
Report = Callable[[str, int, int], Any]


def silent(words: str, done: int, total: int) -> None:
    """Report nothing."""


def check_count(sources: Sequence[MotionSpec]) -> None:
    """Refuse too many motions before any is made."""
    counts = (1 if each.stochastic is None else each.stochastic.count for each in sources)
    at_most(sum(counts), MOTIONS, "motions", "Take fewer.")


def motions(sources: Sequence[MotionSpec], studio: Path, tell: Report = silent) -> Any:
    """All motions by name; paths of uploads begin in ``studio``."""
    from rocksteady.motion.collection import distinct

    found: list[Motion] = []
    for source in sources:
        found += source.motions(studio, tell).values()
        at_most(len(found), MOTIONS, "motions", "Take fewer.")
    if not found:
        raise InputError("There is no motion among those given: add one.")
    names = distinct(tuple(motion.name for motion in found))
    return dict(zip(names, found, strict=True))


def check(studio: Path, request: dict[str, Any]) -> dict[str, Any]:
    """Refuse a body, floor or theory that cannot be made, or a theory that cannot take the body."""
    from rocksteady.specs import BodySpec, FloorSpec, TheorySpec
    from rocksteady.theories.registry import suitable

    body = None
    if request.get("body") is not None:
        body = BodySpec.checked(request["body"]).build(studio)
    if request.get("floor") is not None:
        FloorSpec.checked(request["floor"]).build()
    for given in [request.get("theory"), *request.get("theories", [])]:
        theory = None if given is None else TheorySpec.checked(given).build()
        if body is not None:
            suitable(theory, body)
    return {}


KEPT = "motions.jsonl"  # of a job whose single runs may be asked for


def keep_motions(made: Mapping[str, Motion], folder: Path) -> None:
    """Keep the motions of a job in its folder: to make hundreds again for one run takes long."""
    if not (folder / KEPT).exists():
        lines = (
            MotionSpec.of(motion).model_dump_json(exclude_defaults=True) for motion in made.values()
        )
        write_whole(folder / KEPT, b"".join(sealed_object(line.encode(), b"\n") for line in lines))


def motion_kept(folder: Path, number: int) -> tuple[Motion, int]:
    """One of them, and how many there are."""
    try:
        lines = (folder / KEPT).read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        raise InputError("This job has not made its motions yet: wait a moment.") from None
    if not 0 <= number < len(lines):
        raise InputError(f"motion = {number} is not one of {len(lines)}, counted from 0.")
    check_digest(lines[number], f"{KEPT}, line {number + 1},")
    return MotionSpec.model_validate_json(without_seal(lines[number])).build(), len(lines)


# -- one motion as a description ------------------------------------------------------------------


def same_motion(one: Motion, other: Motion) -> bool:
    """Whether they are the same to the last bit."""
    mine, yours = one.components, other.components
    return (
        one.dt == other.dt
        and mine.keys() == yours.keys()
        and all(mine[name].tobytes() == yours[name].tobytes() for name in mine)
    )


WRITTEN = {
    "sine": "sine,a={a!r},w={w!r},dt={dt!r}",
    "half sine": "sine,a={a!r},w={w!r},cycles=0.5,dt={dt!r}",
    "cosine": "cosine,a={a!r},w={w!r},dt={dt!r}",
    "ricker": "ricker,a={a!r},w={w!r},dt={dt!r}",
    "antisymmetric ricker": "ricker,a={a!r},w={w!r},kind=antisymmetric,dt={dt!r}",
}
"""Pulses of a map as people write them."""


def pulse_text(name: str, omega: float, strength: float, body: Any) -> MotionSpec | None:
    """A pulse of a map in a few words; None where it has none."""
    import math

    from rocksteady.analysis.overturning.axes import SAMPLES, lifting

    text = WRITTEN.get(name)
    if text is None:
        return None
    dt = 2 * math.pi / omega / SAMPLES
    return MotionSpec(pulse=text.format(a=lifting(body), w=omega, dt=dt), scale=strength)


def kept_motion(motion: Motion, studio: Path) -> MotionSpec:
    """Keep a motion among the uploads, all its digits included, and describe it by its file."""
    from rocksteady.motion.writers import write_csv
    from rocksteady.studio.uploads import make_room

    with TemporaryDirectory(prefix="rocksteady-") as folder:
        content = write_csv(motion, Path(folder, "motion.csv"))[0].read_bytes()
    name = re.sub(r"[^\w-]+", "-", motion.name).strip("-")[:60] or "motion"
    place = Path("uploads", hashlib.sha256(content).hexdigest()[:16], f"{name}.csv")
    if not (studio / place).exists():
        (studio / "uploads").mkdir(exist_ok=True)
        make_room(studio / "uploads", len(content))
        write_whole(studio / place, content)
    source = "file" if len(motion.components) == 1 else "record"
    return MotionSpec.checked({source: place})
