"""Damaged and invented files: nothing but a MotionFormatError may come out of any reader."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import tarfile
import time
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rocksteady.errors import MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.readers import READERS
from rocksteady.motion.readers.common.options import Options
from rocksteady.motion.readers.common.source import Source

DATA = Path(__file__).parents[2] / "data"
FILES = sorted(file for file in DATA.iterdir() if file.is_file())
OPTIONS: list[dict[str, object]] = [
    {},
    {"dt": 0.01, "unit": "g", "differentiate": True},
    {"component": "a", "sensitivity": 1e5},
    {"decimal": "comma", "any_peak": True, "dt": 0.01, "unit": "m/s2"},
]
TOKENS = [
    b"0", b"9" * 20, b"-1", b"1e999", b"nan", b"\0", b"\n", b"\r", b" ", b",", b";", b"=", b":",
    b"(", b"|", b"#", b"\xff", "٣".encode(), b"NPTS", b"DT", b"g", b"cm/s", b"End-of-data", b"/&",
]  # fmt: skip

bounded = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def must_be_told(path: Path, options: dict[str, object]) -> None:
    """The file is read, or refused by a MotionFormatError that names a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a copied component, a member that was not read
        try:
            found = read_motion(path, **options)  # type: ignore[call-overload]
        except MotionFormatError as error:
            assert ": " in str(error) and "\n" not in str(error)
            assert len(str(error)) < 1500
            return
    for motion in found.values() if isinstance(found, dict) else [found]:
        assert isinstance(motion, Motion) and motion.npts >= 2 and motion.dt > 0


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[float, int, bytes]]:
    """Up to four places, each with what is taken out there and what is put in."""
    insert = st.one_of(st.just(b""), st.sampled_from(TOKENS), st.binary(max_size=8))
    one = st.tuples(st.floats(0, 1), st.sampled_from([0, 1, 2, 5, 10, 80, 100_000]), insert)
    return draw(st.lists(one, min_size=1, max_size=4))


def damaged(good: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    for place, length, insert in changes:
        at = int(place * len(good))
        good = good[:at] + insert + good[at + length :]
    return good


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
@bounded
@given(changes=damages(), options=st.sampled_from(OPTIONS))
def test_damaged_files(
    tmp_path: Path,
    source: Path,
    changes: list[tuple[float, int, bytes]],
    options: dict[str, object],
) -> None:
    path = tmp_path / source.name
    path.write_bytes(damaged(source.read_bytes(), changes))
    must_be_told(path, options)


@pytest.mark.slow
@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
@settings(bounded, max_examples=500)
@given(changes=damages(), options=st.sampled_from(OPTIONS))
def test_files_damaged_in_many_ways(
    tmp_path: Path,
    source: Path,
    changes: list[tuple[float, int, bytes]],
    options: dict[str, object],
) -> None:
    path = tmp_path / source.name
    path.write_bytes(damaged(source.read_bytes(), changes))
    must_be_told(path, options)


@pytest.mark.parametrize("filler", [b" ", b"9", b"(", b"\t=", b"\n"], ids=repr)
@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
def test_long_lines_take_no_time(tmp_path: Path, source: Path, filler: bytes) -> None:
    """Patterns must not go through all ways to split a hundred thousand blanks."""
    lines = source.read_bytes().split(b"\n")
    path = tmp_path / source.name
    start = time.perf_counter()
    for i in range(0, min(len(lines), 70), 5):
        for word in (b"", b"=", b":", b" "):
            line = lines[i].partition(word)[0] + word if word else lines[i]
            long = [*lines[:i], line + filler * 100_000, *lines[i:]]
            path.write_bytes(b"\n".join(long))
            must_be_told(path, {"dt": 0.01, "unit": "g"})
    assert time.perf_counter() - start < 10  # for some sixty files


def words_of(path: Path) -> list[bytes]:
    return [line + b"\n" for line in path.read_bytes().split(b"\n")]


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name)
@settings(bounded, max_examples=40)
@given(data=st.data())
def test_shuffled_lines(tmp_path: Path, source: Path, data: st.DataObject) -> None:
    """Lines left out, doubled and exchanged: a header that contradicts what follows."""
    lines = words_of(source)
    order = data.draw(st.lists(st.integers(0, len(lines) - 1), min_size=1, max_size=len(lines) + 5))
    kept = data.draw(st.integers(0, len(lines)))  # the beginning stays, so that it is recognised
    path = tmp_path / "file"
    path.write_bytes(b"".join(lines[:kept]) + b"".join(lines[i] for i in order))
    must_be_told(path, {})


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.NAME)
@settings(bounded, max_examples=60)
@given(content=st.one_of(st.binary(max_size=700), st.text(max_size=300).map(str.encode)))
def test_a_reader_that_gets_anything_it_takes_for_its_own(reader: object, content: bytes) -> None:
    source = Source(Path("file"), content)
    if reader.sniff(source):  # type: ignore[attr-defined]
        with contextlib.suppress(MotionFormatError), np.errstate(all="ignore"):
            reader.read(source, Options())  # type: ignore[attr-defined]


def archives() -> dict[str, bytes]:
    at2, v2a = (DATA / "npts_equals.AT2").read_bytes(), (DATA / "hand_made.V2A").read_bytes()
    packed, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.AT2", at2)
        archive.writestr("b.V2A", v2a)
    with tarfile.open(fileobj=tarred, mode="w") as tar:
        for name in ("npts_equals.AT2", "hand_made.V2A"):
            tar.add(DATA / name, name)
    nested = io.BytesIO()
    with zipfile.ZipFile(nested, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.zip", packed.getvalue())
        archive.writestr("inner.tar.gz", gzip.compress(tarred.getvalue()))
    return {
        "nested.zip": nested.getvalue(),
        "a.zip": packed.getvalue(),
        "a.tar": tarred.getvalue(),
        "a.tar.gz": gzip.compress(tarred.getvalue()),
        "a.gz": gzip.compress(at2),
        "a.bz2": bz2.compress(at2),
        "a.xz": lzma.compress(at2),
    }


@pytest.mark.parametrize("name", sorted(archives()))
@bounded
@given(changes=damages())
def test_damaged_archives(
    tmp_path: Path, name: str, changes: list[tuple[float, int, bytes]]
) -> None:
    path = tmp_path / name
    path.write_bytes(damaged(archives()[name], changes))
    must_be_told(path, {})


ROWS = st.lists(
    st.lists(
        st.from_regex(
            r"[-+]?[0-9]{0,4}[.,]?[0-9]{0,4}([.,][0-9]{1,3})?(e-?[0-9])?", fullmatch=True
        ),
        min_size=1,
        max_size=4,
    ),
    min_size=1,
    max_size=12,
)


@settings(bounded, max_examples=100)
@given(
    rows=ROWS,
    separator=st.sampled_from([";", "\t", " ", ",", ", ", "; "]),
    heading=st.sampled_from(["", "Zeit [s];a [g]\n", "t,a\n", "# decimal: comma\n", "sep=;\n"]),
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-16-le", "latin-1"]),
    options=st.sampled_from(OPTIONS),
)
def test_numbers_written_in_any_way(
    tmp_path: Path,
    rows: list[list[str]],
    separator: str,
    heading: str,
    encoding: str,
    options: dict[str, object],
) -> None:
    text = heading + "\n".join(separator.join(row) for row in rows) + "\n"
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode(encoding))
    must_be_told(path, options)
