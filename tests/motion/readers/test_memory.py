"""Motions that were read share memory: none may ever see another's samples."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path, PurePath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocksteady.motion import Motion, _memory, read_motion
from rocksteady.motion._memory import room_for
from rocksteady.motion.readers.common.source import FileName

G = 9.80665
HUGE_PAGES = pytest.mark.skipif(not _memory._HUGE_PAGES, reason="this system has no huge pages")


def write_at2(path: Path, values: list[float]) -> Path:
    rows = [values[i : i + 5] for i in range(0, len(values), 5)]
    path.write_text(
        "PEER NGA STRONG MOTION DATABASE RECORD\nNowhere, 1/2/1999, Hand Made, 90\n"
        f"ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {len(values)}, DT= .01 SEC\n"
        + "".join("".join(f"{v:15.7E}" for v in row) + "\n" for row in rows)
    )
    return path


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, np.ndarray]:
    """Files of different lengths, and what is in them [m/s²]."""
    folder = tmp_path_factory.mktemp("records")
    made = {}
    for i in range(30):
        values = [float(f"{i + np.sin(k):.7E}") for k in range(400 + 731 * i)]
        made[write_at2(folder / f"{i:02}.AT2", values)] = np.array(values) * G
    return made


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 29), st.booleans()), min_size=1, max_size=60))
def test_what_is_kept_stays_as_it_was(
    records: dict[Path, np.ndarray], order: list[tuple[int, bool]]
) -> None:
    """Whatever is read before and after, and whichever motions are let go."""
    files, kept = list(records), []
    for i, keep in order:
        motion = read_motion(files[i], any_peak=True)
        assert isinstance(motion, Motion)
        np.testing.assert_array_equal(motion.accel, records[files[i]])
        if keep:
            kept.append((files[i], motion))
        elif len(kept) > 3:
            kept.pop(i % len(kept))
    for file, motion in kept:
        np.testing.assert_array_equal(motion.accel, records[file])


def test_threads_do_not_share(records: dict[Path, np.ndarray]) -> None:
    files = list(records) * 4
    with ThreadPoolExecutor(8) as executor:
        for file, motion in zip(
            files, executor.map(partial(read_motion, any_peak=True), files), strict=True
        ):
            assert isinstance(motion, Motion)
            np.testing.assert_array_equal(motion.accel, records[file])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.skipif(os.name != "posix", reason="no fork")
def test_a_forked_process_does_not_share(tmp_path: Path) -> None:
    """Parent and child go on from the same place: what the child reads is not the parent's."""
    for name in ("first", "parents", "childs"):
        write_at2(tmp_path / name, [len(name) * 0.1] * 50)
    code = f"""
import os
from pathlib import Path
from rocksteady.motion import read_motion
os.chdir({str(tmp_path)!r})
first = read_motion("first")
child = os.fork()
if child == 0:
    while not Path("go").exists(): pass
    os._exit(read_motion("childs").pga != 0.6 * {G})
second = read_motion("parents")
Path("go").touch()
assert os.waitpid(child, 0)[1] == 0
assert first.pga == 0.5 * {G} and abs(second.accel - 0.7 * {G}).max() < 1e-12, second.accel
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_arrays_never_overlap() -> None:
    rng = np.random.default_rng(3)
    kept = [room_for(int(rng.integers(0, 40_000))) for _ in range(300)]
    for i, array in enumerate(kept):
        array[:] = i
    assert all((array == i).all() for i, array in enumerate(kept))
    for array in kept:
        assert array.ctypes.data % 16 == 0 and array.flags.writeable


@HUGE_PAGES
def test_a_piece_is_shared_and_goes_when_nothing_in_it_is_left() -> None:
    arrays = [room_for(8000) for _ in range(40)]  # more than a piece holds
    pieces = [array.base for array in arrays]
    assert len({id(piece) for piece in pieces}) in (2, 3)
    gone = weakref.ref(pieces[0])
    del arrays, pieces
    gc.collect()
    assert gone() is None


def test_large_arrays_have_memory_of_their_own() -> None:
    assert room_for(2**20).flags.owndata
    assert room_for(0).size == 0


def test_a_read_motion_is_read_only_and_not_copied(records: dict[Path, np.ndarray]) -> None:
    motion = read_motion(next(iter(records)))
    assert isinstance(motion, Motion)
    with pytest.raises(ValueError, match="read-only"):
        motion.accel[0] = 1.0
    assert Motion(motion.accel, 0.1).accel is motion.accel
    part = motion.accel[1:]
    assert not np.shares_memory(Motion(part, 0.1).accel, part)


@given(st.text(st.sampled_from("ab. ~é"), min_size=1, max_size=8).filter(lambda t: t.strip(".")))
def test_names_have_the_parts_that_pathlib_says(name: str) -> None:
    ours, theirs = FileName(name), PurePath(name)
    assert (ours.name, ours.stem, ours.suffix) == (theirs.name, theirs.stem, theirs.suffix)
