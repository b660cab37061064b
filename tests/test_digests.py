"""Seals: no bit of a file changes without being noticed."""

import mmap

import pytest

import rocksteady as rs
from rocksteady.digests import (
    BLANK,
    check,
    checked_json,
    checked_line,
    digest,
    read_checked,
    sealed,
    sealed_json,
    sealed_line,
)

FILES = {
    "table.csv": sealed(f"# a table, {BLANK}\ntime [s],theta [rad]\n0.0,0.1\n0.01,0.2\n".encode()),
    "state.json": sealed_json({"peak": 0.5, "words": "stands, 0.1 °"}, ensure_ascii=False),
    "line.jsonl": sealed_line({"kind": "state", "sample": 100, "drift": 1.25e-3}),
    "bytes.bin": sealed(bytes(range(256)) + BLANK.encode() + bytes(range(255, -1, -1))),
}
NOT_SOUND = (rs.DamagedFileError, rs.OtherVersionError)


@pytest.mark.parametrize("name", FILES)
def test_every_flipped_bit_is_noticed(name):
    data = FILES[name]
    check(data, name)
    for place in range(8 * len(data)):
        changed = bytearray(data)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(NOT_SOUND, match=rf"^{name} "):
            check(bytes(changed), name)


@pytest.mark.parametrize("name", FILES)
def test_every_truncation_and_addition_is_noticed(name):
    data = FILES[name]
    for length in range(len(data)):
        with pytest.raises(NOT_SOUND):
            check(data[:length], name)
    with pytest.raises(rs.DamagedFileError):
        check(data + b"\n", name)


def test_what_has_no_place_for_a_seal_stays_as_it_is():
    assert sealed(b"0.1 0.2\n") == b"0.1 0.2\n"
    with pytest.raises(rs.OtherVersionError, match=r"^old\.csv has no digest: an earlier version"):
        check(b"# written by rocksteady 0.2.0\n0.1 0.2\n", "old.csv")
    with pytest.raises(rs.DamagedFileError):
        check(f"never filled in: {BLANK}\n".encode(), "new.csv")


def test_a_file_may_quote_another():
    quoted = FILES["table.csv"].decode()
    page = sealed(f"{quoted}<!-- {BLANK} -->\n{quoted}".encode())
    check(page, "page.html")
    with pytest.raises(rs.DamagedFileError):
        check(page.replace(b"0.01,0.2", b"0.01,0.3", 1), "page.html")


def test_json_comes_back_without_its_seal():
    values = {"peak": 0.5, "names": ["a", "b"]}
    assert checked_json(sealed_json(values, indent=1), "x.json") == values
    assert checked_line(sealed_line(values), "x.jsonl") == values
    edited = sealed_json(values).replace(b"0.5", b"0.7")
    assert checked_json(edited, "x.json", verify=False)["peak"] == 0.7
    for text in (b"{", b"\xff", b"", b"[" * 100_000):
        with pytest.raises(rs.DamagedFileError, match="it is not JSON"):
            checked_json(text, "x.json", verify=False)
    with pytest.raises(rs.InputError, match="not a JSON object"):
        checked_json(b"[1, 2]", "x.json", verify=False)


def test_a_line_needs_its_end():
    line = sealed_line({"sample": 1})
    with pytest.raises(rs.DamagedFileError):
        checked_line(line.rstrip(), "log.jsonl")


def test_files_and_mapped_memory(tmp_path):
    path = tmp_path / "state.json"
    path.write_bytes(FILES["state.json"])
    assert read_checked(path) == FILES["state.json"]
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        check(mapped, path)
    path.write_bytes(b"edited" + FILES["state.json"])
    assert read_checked(path, verify=False).startswith(b"edited")
    with pytest.raises(rs.DamagedFileError, match=r"state\.json is damaged or was edited"):
        read_checked(path)


def test_the_digest_is_blake2b_of_all_parts():
    """From `b2sum -l 128` of "rocksteady" (GNU coreutils)."""
    assert digest(b"rock", b"steady") == digest(b"rocksteady") == "24e2493bb4c0003387fbef71c1d3e9af"
