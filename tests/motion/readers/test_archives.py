"""Compressed files, archives (also hostile ones) and folders of records."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from rocksteady.errors import InputError, MotionFormatError, RocksteadyWarning
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.catalogue import files_in, read_folder
from rocksteady.motion.readers.common import unpack
from standins import RECORDS

DATA = Path(__file__).parents[2] / "data"
AT2 = DATA / "npts_equals.AT2"


def zipped(path: Path, files: dict[str, bytes], **options: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:  # type: ignore[arg-type]
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def peak_memory(action: Callable[[], object]) -> float:
    """MiB that Python and NumPy allocated at most."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


# -- compressed files and archives ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_compressed_files(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / f"record.AT2{suffix}"
    path.write_bytes(pack(AT2.read_bytes()))
    motion = read_motion(path)
    assert isinstance(motion, Motion) and motion == read_motion(AT2)
    assert motion.name == "record" and motion.meta["file"] == "record.AT2"
    path.write_bytes(pack(AT2.read_bytes())[:-20])
    with pytest.raises(MotionFormatError, match=rf"^record\.AT2{suffix}: is damaged or cut"):
        read_motion(path)
    path.write_bytes(pack(AT2.read_bytes().replace(b"NPTS=     23", b"NPTS=     24")))
    with pytest.raises(MotionFormatError, match=r"^record\.AT2, line 4: .*NPTS = 24"):
        read_motion(path)
    path.write_bytes(pack(pack(AT2.read_bytes())))
    assert read_motion(path) == read_motion(AT2)
    path.write_bytes(pack(pack(pack(pack(pack(AT2.read_bytes()))))))
    with pytest.raises(MotionFormatError, match="nested more than 4 deep"):
        read_motion(path)
    path.write_bytes(pack(b""))
    with pytest.raises(MotionFormatError, match="is empty"):
        read_motion(path)


def test_a_zip_with_one_record_is_that_record(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"folder/a.AT2": AT2.read_bytes(), "__MACOSX/._a": b"x"})
    assert read_motion(path) == read_motion(AT2)
    assert read_motion(path, "90") == read_motion(AT2)


def test_a_zip_with_several(tmp_path: Path) -> None:
    """As PEER sends them: records, their velocities, a licence."""
    files = {
        "one.AT2": AT2.read_bytes(),
        "two.V2A": (DATA / "hand_made.V2A").read_bytes(),
        "one.VT2": (DATA / "hand_made.VT2").read_bytes(),
        "terms.txt": b"Terms of use\n",
        "three.AT2.gz": gzip.compress((DATA / "npts_bare.AT2").read_bytes()),
    }
    path = zipped(tmp_path / "a.zip", files)
    with pytest.warns(RocksteadyWarning, match=r"a\.zip: 2 of its files .* one\.VT2: .*velocity"):
        found = read_motion(path)
    assert isinstance(found, dict)
    assert list(found) == ["one.AT2", "two.V2A/S16W", "two.V2A/Up", "three.AT2.gz"]
    assert found["one.AT2"] == read_motion(AT2)
    with pytest.warns(RocksteadyWarning):
        assert read_motion(path, "two.v2a/UP") == read_motion(DATA / "hand_made.V2A", "Up")


def test_a_tar_as_nied_sends_them(tmp_path: Path) -> None:
    names = ["HND0019901021231.EW", "HNDH019901021231.NS1"]
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.add(DATA / name, name)
    found = read_motion(path)
    assert isinstance(found, dict) and list(found) == names
    assert found[names[0]] == read_motion(DATA / names[0])
    path.write_bytes(gzip.decompress(path.read_bytes())[:1700])
    with pytest.raises(MotionFormatError, match=r"^a\.tar\.gz: .*(cut|can be read)"):
        read_motion(path)


def test_miniseed_and_its_stationxml_in_one_zip(tmp_path: Path) -> None:
    pytest.importorskip("obspy")
    files = {name: (DATA / name).read_bytes() for name in ("hand_made.mseed", "hand_made.xml")}
    with pytest.warns(RocksteadyWarning, match="StationXML"):
        assert read_motion(zipped(tmp_path / "a.zip", files)) == read_motion(
            DATA / "hand_made.mseed"
        )


@pytest.mark.parametrize("name", ["../../evil.AT2", "/etc/passwd", "a/../../b", "..\\b", "C:\\b"])
def test_path_traversal_is_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.zip", {"good.AT2": AT2.read_bytes(), name: AT2.read_bytes()})
    with pytest.raises(MotionFormatError, match=r"^a\.zip: has a file named .*points outside"):
        read_motion(path)
    assert [file.name for file in tmp_path.rglob("*")] == ["a.zip"]


def test_a_bomb_is_refused_quickly_and_without_memory(tmp_path: Path) -> None:
    # 400 MiB of zeros as a table of numbers: a MiB on disk.
    row = b"0.0 0.0 0.0 0.0\n" * 2**16
    path = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.txt", "w", force_zip64=True) as member,
    ):
        for _ in range(400):
            member.write(row)
    assert path.stat().st_size < 2 * 2**20
    start = time.perf_counter()

    def read() -> None:
        with pytest.raises(MotionFormatError, match=r"^bomb\.zip: .*looks like a zip bomb"):
            read_motion(path, dt=0.01, unit="g")

    assert peak_memory(read) < 1
    assert time.perf_counter() - start < 5
    packed = tmp_path / "bomb.txt.gz"
    with zipfile.ZipFile(path) as archive, gzip.open(packed, "wb", compresslevel=9) as out:
        out.write(archive.open("a.txt").read(100 * 2**20))

    def read_packed() -> None:
        with pytest.raises(MotionFormatError, match=r"^bomb\.txt: unpacks to more than 50 times"):
            read_motion(packed, dt=0.01, unit="g")

    assert peak_memory(read_packed) < 64


def test_a_zip_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.txt": b"0.0\n" * 2**20})
    raw = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = raw.find(mark) + at
        raw[place : place + 4] = (100).to_bytes(4, "little")
    path.write_bytes(raw)
    with pytest.raises(MotionFormatError, match="damaged or cut"):  # the checksum does not fit
        read_motion(path, dt=0.01, unit="g")


def test_many_small_bombs_are_refused_by_their_total(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {f"{i}.AT2": AT2.read_bytes() for i in range(5)})
    raw = bytearray(path.read_bytes())
    place = raw.find(b"PK\x01\x02")
    while place >= 0:  # what the directory says of the unpacked size
        raw[place + 24 : place + 28] = (2**31 - 1).to_bytes(4, "little")
        place = raw.find(b"PK\x01\x02", place + 4)
    path.write_bytes(raw)
    with pytest.raises(MotionFormatError, match="unpacks to more than 2 GiB"):
        read_motion(path)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpack, "MEMBERS", 3)
    path = zipped(tmp_path / "a.zip", {f"{i}.AT2": AT2.read_bytes() for i in range(4)})
    with pytest.raises(MotionFormatError, match="more than 3 files"):
        read_motion(path)


def test_other_bad_archives(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {})
    with pytest.raises(MotionFormatError, match=r"^a\.zip: is an archive without files"):
        read_motion(path)
    path = zipped(path, {"inner.zip": zipped(tmp_path / "b.zip", {"a": b"x"}).read_bytes()})
    with pytest.raises(MotionFormatError, match=r"inner\.zip/a: a: has no known format"):
        read_motion(path)
    good = zipped(path, {"a.AT2": AT2.read_bytes()}).read_bytes()
    path.write_bytes(good[: len(good) // 2])
    with pytest.raises(MotionFormatError, match="damaged or cut zip archive"):
        read_motion(path)
    damaged = bytearray(good)
    damaged[60] ^= 0xFF
    path.write_bytes(damaged)
    with pytest.raises(MotionFormatError, match=r"a\.AT2: is damaged or cut"):
        read_motion(path)
    locked = bytearray(good)
    for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + flag] |= 1
    path.write_bytes(locked)
    with pytest.raises(MotionFormatError, match=r"a\.AT2: is encrypted"):
        read_motion(path)


def test_an_xz_file_that_asks_for_gigabytes(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 2**30}]
    path = tmp_path / "a.xz"
    try:
        path.write_bytes(lzma.compress(AT2.read_bytes(), filters=filters))
    except MemoryError:
        pytest.skip("not enough memory to make the file")
    with pytest.raises(MotionFormatError, match=r"a\.xz: is damaged or cut .*limit"):
        read_motion(path)


def test_a_huge_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "huge.AT2"
    with path.open("wb") as file:
        file.write(AT2.read_bytes())
        file.truncate(3 * 2**30)  # a sparse file
    monkeypatch.setattr(unpack, "LIMIT", 2**20)
    with pytest.raises(MotionFormatError, match=r"huge\.AT2: is larger than 1 MiB"):
        read_motion(path)


@pytest.mark.parametrize("npts", [2_000_000_000, 10**17])
def test_a_huge_claim_costs_nothing(tmp_path: Path, npts: int) -> None:
    path = tmp_path / "claim.AT2"
    path.write_bytes(AT2.read_bytes().replace(b"NPTS=     23", b"NPTS= %d" % npts))

    def read() -> None:
        with pytest.raises(MotionFormatError, match=rf"line 4: .*NPTS = {npts}, but 23"):
            read_motion(path)

    read()
    assert peak_memory(read) < 1


def test_a_binary_file_is_told_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    with path.open("wb") as file:
        file.write(b"\0\0\0\x20ftypisom" + bytes(range(256)) * 32)
        file.truncate(2**31)
    start = time.perf_counter()

    def read() -> None:
        with pytest.raises(MotionFormatError, match="binary file of no known format"):
            read_motion(path)

    assert peak_memory(read) < 1
    assert time.perf_counter() - start < 1


# -- folders --------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for name in ("npts_equals.AT2", "hand_made.V2A", "hand_made.VT2"):
        (tmp_path / "deep" / name).write_bytes((DATA / name).read_bytes())
    (tmp_path / "plain.txt").write_text("0\n1\n-2\n")
    (tmp_path / ".hidden").write_text("0")
    (tmp_path / "station.xml").write_text("<FDSNStationXML/>")
    zipped(tmp_path / "a.zip", {"x.ASC": (DATA / "hand_made.ASC").read_bytes(), "no.txt": b"no"})
    return tmp_path


def test_a_folder_is_a_table(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    table = read_folder(folder, progress=lambda *done: seen.append(done))
    assert list(table["file"]) == [
        "a.zip/x.ASC", "a.zip/no.txt", "deep/hand_made.V2A", "deep/hand_made.V2A",
        "deep/hand_made.VT2", "deep/npts_equals.AT2", "plain.txt",
    ]  # fmt: skip
    assert seen == [(i, 5) for i in range(1, 6)]
    read = table[table["problem"] == ""]
    assert list(read["component"]) == ["HNE", "S16W", "Up", "90"]
    assert list(read["format"].str[:3]) == ["ESM", "Geo", "Geo", "PEE"]
    assert list(read["npts"]) == [23] * 4 and list(read["dt [s]"]) == [0.005, 0.02, 0.02, 0.005]
    motion = read_motion(AT2)
    assert isinstance(motion, Motion)
    row = table[table["file"] == "deep/npts_equals.AT2"].iloc[0]
    assert row["pga [m/s²]"] == motion.pga
    assert row["pgv [m/s]"] >= np.abs(motion.velocity).max()  # also between samples
    assert row["arias [m/s]"] > 0 and row["event"] == "Nowhere, 1/2/1999"
    problems = dict(zip(table["file"], table["problem"], strict=True))
    assert problems["deep/hand_made.VT2"].startswith("hand_made.VT2: holds a velocity")
    assert "plain.txt: no time step is stated" in problems["plain.txt"]
    assert "a.zip: no.txt: has no known format" in problems["a.zip/no.txt"]


def test_options_are_for_those_files_of_an_archive_that_need_them(tmp_path: Path) -> None:
    pytest.importorskip("obspy")
    names = ("hand_made.mseed", "hand_made.sac", "hand_made.xml")
    zipped(tmp_path / "a.zip", {name: (DATA / name).read_bytes() for name in names})
    table = read_folder(tmp_path, measures=False, sensitivity=7.0)
    stated = read_motion(DATA / names[0])  # as its StationXML has it
    counts = read_motion(DATA / names[1], "HNE", unit="m/s2")
    assert isinstance(stated, dict)
    wanted = [*(motion.pga for motion in stated.values()), counts.pga / 7]
    assert list(table["pga [m/s²]"])[:3] == pytest.approx(wanted)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that opens unread")
def test_a_file_that_cannot_be_read_does_not_spoil_the_table(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").symlink_to("/proc/self/mem")  # opens, and fails to be read
    (tmp_path / "good.AT2").write_bytes(AT2.read_bytes())
    table = read_folder(tmp_path, measures=False)
    assert list(table["file"]) == ["broken.xml", "good.AT2"]
    assert list(table["problem"]) == ["broken.xml: cannot be opened: Input/output error.", ""]


def test_a_record_that_cannot_be_measured_does_not_spoil_the_table(tmp_path: Path) -> None:
    (tmp_path / "good.AT2").write_bytes(AT2.read_bytes())
    (tmp_path / "slow.csv").write_text("t [s],a [m/s2]\n0,0\n30,1\n60,-2\n90,0\n")
    table = read_folder(tmp_path)
    good, slow = (row for _, row in table.iterrows())
    assert good["problem"] == "" and good["arias [m/s]"] > 0
    assert slow["problem"].startswith("slow.csv: cannot be measured: ")
    assert (slow["pga [m/s²]"], slow["dt [s]"], slow["npts"]) == (2.0, 30.0, 4)
    assert np.isnan(slow["arias [m/s]"])


def test_names_are_relative_to_the_folder_however_it_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = list(read_folder(folder, measures=False)["file"])
    monkeypatch.chdir(folder / "deep")
    for path in ("..", f"{folder}/", "../deep/.."):
        assert list(read_folder(path, measures=False)["file"]) == names
    here = sorted(path.name for path in Path.cwd().iterdir())
    assert list(read_folder(".", measures=False)["file"].unique()) == here
    for file in ("npts_equals.AT2", "./npts_equals.AT2", folder / "deep" / "npts_equals.AT2"):
        assert list(read_folder(file, measures=False)["file"]) == ["npts_equals.AT2"]


def test_files_are_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b/a", "a.x", "a/z", "a/b/c", "a-", "B", "a/.no", ".no/a", "c.xml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    found = [path.relative_to(tmp_path) for path in files_in(tmp_path)]
    assert found == sorted(found, key=lambda path: path.parts)
    assert [str(path) for path in found] == ["B", "a/b/c", "a/z", "a-", "a.x", "b/a", "c.xml"]


def test_options_are_for_those_files_that_need_them(folder: Path) -> None:
    table = read_folder(folder, dt=0.01, unit="m/s2", differentiate=True, measures=False)
    assert list(table[table["problem"] != ""]["file"]) == ["a.zip/no.txt"]
    plain = table[table["file"] == "plain.txt"].iloc[0]
    assert (plain["pga [m/s²]"], plain["dt [s]"]) == (2.0, 0.01)
    assert "pgv [m/s]" not in table


def test_one_thread_and_many_give_the_same_table(folder: Path) -> None:
    one, many = (read_folder(folder, workers=n, measures=False) for n in (1, 7))
    assert one.equals(many)
    assert threading.active_count() < 20


def test_folders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a folder"):
        read_folder(tmp_path / "nothing")
    with pytest.raises(InputError, match="workers = 0"):
        read_folder(tmp_path, workers=0)
    empty = read_folder(tmp_path)
    assert len(empty) == 0 and "problem" in empty
    assert len(read_folder(AT2, measures=False)) == 1


def test_an_interrupted_reading_stops(tmp_path: Path) -> None:
    for i in range(40):
        (tmp_path / f"{i:02}.AT2").write_bytes(AT2.read_bytes())

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_folder(tmp_path, measures=False, progress=interrupt)


def test_all_records_in_one_table(any_records: Path) -> None:
    if "obspy" not in sys.modules:
        pytest.importorskip("obspy")
    with pytest.warns(RocksteadyWarning, match="U-D is a copy of N-S"):
        dt = 0.02 if any_records == RECORDS else 0.005  # of the SAC files and the plain ones
        table = read_folder(any_records, unit="g", dt=dt, measures=False)
    problems = table[table["problem"] != ""]
    assert list(problems["file"]) == ["INDEX.tsv", "README.md"]
    index = (any_records / "INDEX.tsv").read_text().splitlines()
    assert len(table) - 2 == len(index) - 2  # a line of names, and one for StationXML


def test_a_stream_of_bytes_is_no_archive_by_accident() -> None:
    assert unpack.packing(AT2.read_bytes()) is None
    assert unpack.packing(b"") is None
    assert unpack.packing(b"PK\x03\x04") == "zip"


# -- archives within archives ---------------------------------------------------------------------


def in_memory(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def test_a_zip_of_zips_is_read(tmp_path: Path) -> None:
    """As data centres deliver: a zip for each event or station, all in one."""
    v2a = (DATA / "hand_made.V2A").read_bytes()
    path = zipped(
        tmp_path / "delivery.zip",
        {
            "one.zip": in_memory({"a.AT2": AT2.read_bytes()}),
            "two/two.tar.gz": tarred({"b.V2A": v2a, "c.AT2": AT2.read_bytes()}),
            "three.AT2": AT2.read_bytes(),
        },
    )
    found = read_motion(path)
    assert isinstance(found, dict)
    assert list(found) == [
        "one.zip/a.AT2", "two/two.tar.gz/b.V2A/S16W", "two/two.tar.gz/b.V2A/Up",
        "two/two.tar.gz/c.AT2", "three.AT2",
    ]  # fmt: skip
    assert found["one.zip/a.AT2"] == read_motion(AT2) == found["three.AT2"]
    table = read_folder(path, measures=False)
    assert table["file"].iloc[0] == "delivery.zip/one.zip/a.AT2"
    assert not table["problem"].any()


def test_one_record_two_zips_deep_is_that_record(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"b.zip": in_memory({"c.AT2": AT2.read_bytes()})})
    assert read_motion(path) == read_motion(AT2)


def test_station_xml_is_found_in_the_inner_archive(tmp_path: Path) -> None:
    pytest.importorskip("obspy")
    names = ("hand_made.mseed", "hand_made.xml")
    inner = in_memory({name: (DATA / name).read_bytes() for name in names})
    with pytest.warns(RocksteadyWarning, match="StationXML"):
        found = read_motion(zipped(tmp_path / "a.zip", {"inner.zip": inner}))
    expected = read_motion(DATA / names[0])
    assert isinstance(found, dict) and isinstance(expected, dict)
    assert list(found.values()) == list(expected.values())


def test_a_bad_inner_archive_does_not_spoil_the_others(tmp_path: Path) -> None:
    inner = in_memory({"a.AT2": AT2.read_bytes()})
    members = {"bad.zip": inner[: len(inner) // 2], "good.zip": inner}
    with pytest.warns(RocksteadyWarning, match=r"bad\.zip: is a damaged or cut zip"):
        assert read_motion(zipped(tmp_path / "a.zip", members)) == read_motion(AT2)


def test_bombs_are_counted_over_all_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each archive alone is within the limits; together they are not."""
    inner = in_memory({f"{i}.txt": b"words\n" * 20 for i in range(6)})
    path = zipped(tmp_path / "a.zip", {f"{i}.zip": inner for i in range(6)})
    monkeypatch.setattr(unpack, "MEMBERS", 20)
    with pytest.raises(MotionFormatError, match=r"^a\.zip: has more than 20 files"):
        read_motion(path)
    monkeypatch.setattr(unpack, "MEMBERS", 1000)
    monkeypatch.setattr(unpack, "TOTAL", 3000)
    with pytest.raises(MotionFormatError, match=r"^a\.zip: unpacks to more than .* bomb"):
        read_motion(path)
    deep = in_memory({"a.AT2": AT2.read_bytes()})
    for _ in range(6):
        deep = in_memory({"in.zip": deep})
    path.write_bytes(deep)
    with pytest.raises(MotionFormatError, match="nested more than 4 deep"):
        read_motion(path)
