"""Seal files with a digest of their content, and check it when they are read.

A file that says who wrote it has a seal beside that: ``blake2b:`` and 32 hexadecimal digits, in
plain text. The digest is that of all bytes of the file with zeros in place of those digits, so
a change of any single bit shows. It protects against faulty disks, cables and hands, not
against forgery: whoever changes a file on purpose can seal it again.

A file is made with `BLANK` where the seal belongs; `sealed` fills it in, and `check` compares. In a
log every line is a JSON object with a seal of its own (`sealed_line`, `checked_line`).

>>> text = sealed_json({"peak": 0.5})
>>> check(text, "peak.json")
>>> check(text.replace(b"0.5", b"0.7"), "peak.json")
Traceback (most recent call last):
rocksteady.errors.DamagedFileError: peak.json is damaged or was edited: its digest does not match.
"""

import json
import mmap
import os
import re
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from rocksteady.errors import DamagedFileError, InputError, OtherVersionError

Bytes: TypeAlias = bytes | bytearray | memoryview
KEY = "digest"
"""The name of the seal in JSON."""
_SIZE = 16  # bytes
_BLANK = b"blake2b:" + b"0" * (2 * _SIZE)
_SEAL = re.compile(rb"blake2b:([0-9a-f]{%d})(?![0-9a-f])" % (2 * _SIZE))
_MOST = 16  # seals in a file: a page may quote others
_LAST = b'"%b":"%b"}' % (KEY.encode(), _BLANK)
BLANK = _BLANK.decode()
"""What a file has in place of its seal before `sealed` fills it in."""


def digest(*parts: Bytes) -> str:
    """32 hexadecimal digits of what is in these bytes, put together."""
    total = blake2b(digest_size=_SIZE)
    for part in parts:
        total.update(part)
    return total.hexdigest()


# -- whole files ----------------------------------------------------------------------------------


def sealed(data: bytes) -> bytes:
    """The same bytes with the first `BLANK` filled in; unchanged if there is none."""
    return _filled(data, data.find(_BLANK))


def _filled(data: bytes, start: int) -> bytes:
    if start < 0:
        return data
    end = start + len(_BLANK)
    return data[: end - 2 * _SIZE] + digest(data).encode() + data[end:]


def seal_file(file: int) -> None:
    """Fill in the last `BLANK` of an open file, however large; nothing if there is none."""
    if not os.fstat(file).st_size:
        return
    with mmap.mmap(file, 0) as data:
        start = data.rfind(_BLANK)
        if start >= 0:
            with memoryview(data) as whole:
                seal = digest(whole).encode()
            end = start + len(_BLANK)
            data[end - 2 * _SIZE : end] = seal


def check(data: Any, name: str | Path) -> None:
    """An error unless one of the seals in ``data`` is that of ``data``: `DamagedFileError`, or
    `OtherVersionError` if there is no seal. ``data`` may be mapped memory."""
    seals = [match for match, _ in zip(_SEAL.finditer(data), range(_MOST), strict=False)]
    if not any(_matches(data, *seal.span(1)) for seal in seals):
        if not seals:
            raise OtherVersionError(
                f"{name} has no digest: an earlier version of rocksteady wrote it, another program "
                "did, or it is damaged."
            )
        raise DamagedFileError(f"{name} is damaged or was edited: its digest does not match.")


def _matches(data: Any, start: int, end: int) -> bool:
    with memoryview(data) as whole, whole[:start] as before, whole[end:] as after:
        return digest(before, b"0" * (end - start), after).encode() == bytes(whole[start:end])


def check_file(path: Path) -> None:
    """`check` of a file, however large. An `OSError` if it cannot be read at all."""
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return check(b"", path)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return check(data, path)


def read_checked(path: Path, *, verify: bool = True) -> bytes:
    """The content of a sealed file. An `OSError` if it cannot be read at all."""
    data = path.read_bytes()
    if verify:
        check(data, path)
    return data


# -- JSON and logs --------------------------------------------------------------------------------


def sealed_json(values: Mapping[str, Any], **options: Any) -> bytes:
    """A JSON object with its seal as the last entry; ``options`` as of `json.dumps`."""
    data = json.dumps({**values, KEY: BLANK}, **options).encode()
    return _filled(data, data.rfind(_BLANK))  # values may have such a text, too


def checked_json(data: bytes, name: str | Path, *, verify: bool = True) -> dict[str, Any]:
    """What `sealed_json` made JSON of, without the seal."""
    if verify:
        check(data, name)
    try:
        values = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamagedFileError(
            f"{name} is damaged or was edited: it is not JSON ({error})."
        ) from error
    if not isinstance(values, dict):
        raise InputError(f"{name} is not a JSON object.")
    values.pop(KEY, None)
    return values


def sealed_line(values: Mapping[str, Any], **options: Any) -> bytes:
    """A line of a log: a JSON object with its seal, and the end of the line. Nothing in it tells
    whether lines before it are missing: number them."""
    data = json.dumps({**values, KEY: BLANK}, **options).encode() + b"\n"
    return _filled(data, data.rfind(_BLANK))


def sealed_object(text: bytes, end: bytes = b"") -> bytes:
    """The text of a JSON object, as `sealed_json` makes it of a mapping; ``end`` follows it."""
    data = text[:-1] + b"," * (text != b"{}") + _LAST + end
    return _filled(data, data.rfind(_BLANK))


def without_seal(text: bytes) -> bytes:
    """The text that `sealed_object` was given."""
    return text.rstrip(b"\n")[: -len(_LAST)].removesuffix(b",") + b"}"


def checked_line(line: bytes, name: str | Path, *, verify: bool = True) -> dict[str, Any]:
    """What `sealed_line` made a line of; ``line`` includes its end."""
    return checked_json(line, name, verify=verify)
