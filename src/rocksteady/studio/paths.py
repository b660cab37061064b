"""Which files a request may name, and how errors are kept from telling where things are."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rocksteady.errors import InputError

FILE_KEYS = frozenset({"file", "folder", "record", "records", "like", "table", "mesh"})
"""The keys of all descriptions under which files are named."""
UPLOADED = re.compile(r"uploads/[0-9a-f]{16}/[^/\\\x00-\x1f]+")
_ABSOLUTE = re.compile(
    r"(?<![\w/.\\])(?:[A-Za-z]:)?[/\\](?!api/)"  # our own addresses stay
    r"(?:[^\s/\\'\":]+[/\\])+([^\s/\\'\":,;)]*)"
)
_STORED = re.compile(r"uploads/[0-9a-f]{16}/")


def checked(asked: Any) -> Any:
    """The same request; an error if it names a file that was not uploaded to the studio."""
    for key, name in _files(asked):
        if not UPLOADED.fullmatch(name) or name.endswith(("/.", "/..")):
            raise InputError(
                f"{key}: the studio reads only files that were uploaded to it. Send the file to "
                "/api/uploads first and use the path given in the answer."
            )
    return asked


def without_paths(text: str, folder: Path) -> str:
    """A sentence in which files are named without the folders they are in."""
    for known in {str(folder), str(folder.resolve())}:
        text = text.replace(known + "/", "").replace(known, "the studio's folder")
    return _ABSOLUTE.sub(r"\1", _STORED.sub("", text))


def _files(asked: Any) -> Iterator[tuple[str, str]]:
    """All files that a request names, and under which key. Not recursive: requests nest deep."""
    waiting = [asked]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
            yield from (
                (str(key), str(one[key]))
                for key in one
                if key in FILE_KEYS and isinstance(one[key], (str, Path))
            )
        elif isinstance(one, (list, tuple)):
            waiting += one
