"""A job on the disk: its folder, what was asked, where it stands, what it has found so far.

``jobs/<id>/`` has ``request.json``, ``state.json``, ``partials.jsonl`` (a line each, on the disk
before it is announced), ``result.json``, ``files/`` for downloads, ``files.json`` with their
digests, and ``runs/`` for the stores of `rocksteady.ensemble`. The server writes the request and
the state; the child all the rest. Each has a digest of its content, each partial result its own.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import orjson
from pydantic import FiniteFloat, TypeAdapter

from rocksteady.digests import (
    checked_json,
    checked_line,
    digest,
    read_checked,
    sealed_json,
    sealed_object,
    without_seal,
)
from rocksteady.errors import DamagedFileError, InputError
from rocksteady.files import write_durably
from rocksteady.version import version

State = Literal["queued", "running", "done", "failed", "cancelled"]
ENDED = ("done", "failed", "cancelled")
ID = re.compile(r"[0-9a-f]{16}")
FILE_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")


def job_id(kind: str, request: dict[str, Any]) -> str:
    """The same question to the same version is the same job."""
    asked = orjson.dumps([version(), kind, request], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(asked).hexdigest()[:16]


@dataclass
class Job:
    """Where a job stands."""

    id: str
    kind: str
    made: FiniteFloat
    """When it was first asked for: seconds since 1970."""
    title: str = ""
    """The object and the question, in words."""
    state: State = "queued"
    words: str = ""
    """What it is doing."""
    done: int = 0
    total: int = 0
    error: str | None = None
    position: int = 0
    """Of a queued job: how many are before it, counting the one that runs."""
    announced: int = field(default=0, repr=False)
    """Bytes of ``partials.jsonl`` that may be shown."""

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    def told(self) -> dict[str, Any]:
        """As it is told to pages."""
        return {name: value for name, value in asdict(self).items() if name != "announced"}


_STATE = TypeAdapter(Job)


class Store:
    """The folder of all jobs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, id: str) -> Path:
        """The folder of a job."""
        return self.folder / id

    def partials(self, id: str) -> Path:
        return self.of(id) / "partials.jsonl"

    def begin(self, job: Job, request: dict[str, Any]) -> None:
        folder = self.of(job.id)
        (folder / "result.json").unlink(missing_ok=True)  # of a damaged job
        write_durably(folder / "request.json", sealed_object(orjson.dumps(request)))
        self.keep(job)

    def keep(self, job: Job) -> None:
        """Write down where a job stands."""
        told = {name: value for name, value in asdict(job).items() if name != "position"}
        write_durably(self.of(job.id) / "state.json", sealed_object(orjson.dumps(told)))

    def request(self, id: str) -> dict[str, Any]:
        return request_in(self.of(id))

    def result(self, id: str) -> bytes | None:
        """The JSON of the result; None while there is none."""
        try:
            return without_seal(read_checked(self.of(id) / "result.json"))
        except FileNotFoundError:
            return None

    def files(self, id: str) -> list[str]:
        """The names of what can be downloaded."""
        folder = self.of(id) / "files"
        found = folder.iterdir() if folder.is_dir() else ()
        return sorted(path.name for path in found if FILE_NAME.fullmatch(path.name))

    def file(self, id: str, name: str) -> Path | None:
        """One of them; None if there is no such file."""
        path = self.of(id) / "files" / name
        if not FILE_NAME.fullmatch(name) or not path.is_file():
            return None
        check_file_of(self.of(id), name)
        return path

    def found(self) -> tuple[list[Job], list[str]]:
        """All jobs in the folder, oldest first, and the names of those that cannot be read. Jobs
        that had not ended are queued again."""
        jobs: list[Job] = []
        damaged: list[str] = []
        for path in sorted(self.folder.glob("*/state.json")):
            name = path.parent.name
            if not ID.fullmatch(name):
                continue
            try:
                jobs.append(self._read(name))
            except (OSError, ValueError, TypeError):  # damaged, or of another version
                damaged.append(name)
        return sorted(jobs, key=lambda job: (job.made, job.id)), damaged

    def _read(self, id: str) -> Job:
        """A job as it was left; any error says that something in its folder is damaged."""
        job = _STATE.validate_json(read_checked(self.of(id) / "state.json"), strict=True)
        if job.id != id:
            raise ValueError(f"the folder is named {id}, and the job {job.id}")
        self.request(id)
        done = self.result(job.id) is not None
        if job.ended or done or job.announced:
            check_partials(self.of(id))
        job.announced = sound_lines(self.partials(id))
        if done:  # perhaps killed between the result and the state
            job.state = "done"
        elif not job.ended:
            job.state, job.words = "queued", ""
        return job


def request_in(folder: Path) -> dict[str, Any]:
    """What was asked of the job in this folder."""
    return checked_json((folder / "request.json").read_bytes(), folder / "request.json")


def keep_result(folder: Path, result: bytes) -> None:
    """Write the JSON of a result, and the digests of the files that belong to it."""
    files = sorted(path for path in (folder / "files").glob("*") if path.is_file())
    digests = {path.name: digest(path.read_bytes()) for path in files}
    write_durably(folder / "files.json", sealed_json(digests))
    write_durably(folder / "result.json", sealed_object(result))


def files_of(folder: Path) -> dict[str, str]:
    """The files that belong to the result of a job, and their digests; none if it is not done."""
    path = folder / "files.json"
    try:
        return checked_json(path.read_bytes(), path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not (folder / "result.json").exists():
            return {}
        raise DamagedFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def check_file_of(folder: Path, name: str) -> None:
    """An error unless this file is as the job wrote it."""
    written, path = files_of(folder), folder / "files" / name
    if not written:  # it is not done
        return
    if not path.is_file():
        raise DamagedFileError(f"{path} is missing.")
    if digest(path.read_bytes()) != written.get(name):
        raise DamagedFileError(f"{path} is damaged or was edited: its digest does not match.")


def read_line(line: bytes, n: int, name: Path) -> dict[str, Any]:
    """The partial result number ``n``; an error unless the line is sound."""
    found = checked_line(line, name)
    if found.pop("n", None) != n:
        raise DamagedFileError(f"{name} is damaged: the line of partial result {n} is not there.")
    return found


def announced_in(folder: Path) -> int:
    """Up to which byte the job in this folder had shown its partial results when its state was
    written; 0 if that cannot be read."""
    with suppress(OSError, InputError):
        state = folder / "state.json"
        return int(checked_json(state.read_bytes(), state).get("announced", 0))
    return 0


def check_partials(folder: Path) -> None:
    """An error unless all partial results that a job has shown are there."""
    path, done = folder / "partials.jsonl", (folder / "result.json").exists()
    sound, announced = sound_lines(path), announced_in(folder)
    if announced and not path.exists():
        raise DamagedFileError(f"{path} is missing.")
    if sound < announced or sound < whole_lines(path, done=done):
        raise DamagedFileError(f"{path} is damaged: a line is missing or was changed.")


def sound_lines(path: Path) -> int:
    """The bytes up to the first line that is missing, damaged or not complete."""
    end = 0
    with suppress(FileNotFoundError, InputError), path.open("rb") as file:
        for n, line in enumerate(file):
            read_line(line, n, path)
            end += len(line)
    return end


def whole_lines(path: Path, *, done: bool = False) -> int:
    """The bytes up to the end of the last complete line: a killed process may leave half of one,
    one that is ``done`` does not."""
    try:
        with path.open("rb") as file:
            end = file.seek(0, 2)
            if done:
                return end
            while end:
                start = max(0, end - 65536)
                file.seek(start)
                last = file.read(end - start).rfind(b"\n")
                if last >= 0:
                    return start + last + 1
                end = start
    except FileNotFoundError:
        pass
    return 0
