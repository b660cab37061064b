"""One file put in place: whole, with nothing left beside it, on systems of every kind."""

import errno
import os
import signal
import time
from pathlib import Path

import pytest

from rocksteady import files
from rocksteady.errors import InputError
from rocksteady.files import made_by, sweep, write_durably, write_streamed, write_whole

POSIX = pytest.mark.skipif(os.name != "posix", reason="asks for links, permissions or locks")


@pytest.fixture(params=["unnamed", "named"])
def system(request, monkeypatch):
    """With files that have no name until they are complete, and without them."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")
    files._sweep_once.cache_clear()
    return request.param


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_new_and_replaced(system, tmp_path):
    path = tmp_path / "deep" / "er" / "x.csv"
    assert write_whole(path, "αβ\n") == path
    assert path.read_bytes() == "αβ\n".encode()
    write_whole(path, b"other" * 100_000)
    assert path.read_bytes() == b"other" * 100_000
    write_durably(path, memoryview(b""))
    assert path.read_bytes() == b""
    assert names(path.parent) == ["x.csv"]


@POSIX
def test_permissions_and_links_are_kept(system, tmp_path):
    before = os.umask(0o027)
    try:
        path = write_whole(tmp_path / "x", "new")
        assert path.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(before)
    path.chmod(0o664)
    link = tmp_path / "link"
    link.symlink_to(path)
    write_whole(link, "through the link")
    assert (link.is_symlink(), path.read_text()) == (True, "through the link")
    assert path.stat().st_mode & 0o777 == 0o664


@POSIX
def test_what_is_no_file_is_not_replaced(tmp_path):
    with pytest.raises(InputError, match="it is a folder"):
        write_whole(tmp_path, "x")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not an ordinary file"):
        write_whole(tmp_path / "pipe", "x")
    (tmp_path / "file").write_text("a file, not a folder")
    with pytest.raises(InputError, match="Could not write"):
        write_whole(tmp_path / "file" / "x", "x")


@POSIX
def test_a_protected_file_is_not_replaced(tmp_path, monkeypatch):
    path = write_whole(tmp_path / "x", "old")
    path.chmod(0o444)
    access = os.access
    monkeypatch.setattr(  # a superuser may write all the same
        os, "access", lambda file, mode: file != path and access(file, mode)
    )
    with pytest.raises(InputError, match="write-protected"):
        write_whole(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize("broken", ["write", "fsync"])
def test_a_disk_that_fails(system, tmp_path, monkeypatch, broken):
    """In the middle of the bytes, or as late as fsync: on a network disk."""
    path = write_whole(tmp_path / "x", "old")
    write = os.write

    def fail(*given):
        if broken == "write" and len(given[1]) == 100_000:
            return write(given[0], given[1][:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, broken, fail)
    for place in (path, tmp_path / "new" / "folder" / "x"):
        with pytest.raises(InputError, match=r"No space left on device\. Nothing was changed"):
            write_whole(place, b"n" * 100_000)
    assert (names(tmp_path), path.read_text()) == (["x"], "old")


def test_interrupted_by_hand(system, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    path = write_whole(tmp_path / "x", "old")
    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, "new")
    assert (names(tmp_path), path.read_text()) == (["x"], "old")


def test_without_a_way_to_name_it(tmp_path, monkeypatch):
    """Where /proc is missing a file without a name cannot be given one."""
    if not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")

    def refuse(*_, **__):
        raise FileNotFoundError(errno.ENOENT, "no /proc")

    monkeypatch.setattr(os, "link", refuse)
    write_whole(tmp_path / "x", "old")
    assert write_whole(tmp_path / "x", "new").read_text() == "new"
    assert names(tmp_path) == ["x"]


# -- killed ----------------------------------------------------------------------------------------


def killed_while(writing):
    """Fork, and have the child kill itself where ``writing`` says so."""
    child = os.fork()
    if child == 0:
        try:
            writing(lambda *_: os.kill(os.getpid(), signal.SIGKILL))
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@POSIX
@pytest.mark.parametrize("place", ["write", "fsync", "replace"])
def test_killed_at_each_step(system, tmp_path, monkeypatch, place):
    """The old file stays whole. What is left where the system has named files only, or just before
    the name is taken over, the next writer removes."""
    path = write_whole(tmp_path / "x", "old")

    def write(kill):
        monkeypatch.setattr(Path if place == "replace" else os, place, kill)
        write_whole(path, "new")

    assert killed_while(write) == -signal.SIGKILL
    assert path.read_text() == "old"
    left = [name for name in names(tmp_path) if name != "x"]
    assert len(left) == (system == "named" or place == "replace")
    for name in left:  # as old as if it had been left a while ago
        os.utime(tmp_path / name, (time.time() - 3600,) * 2)
    files._sweep_once.cache_clear()
    write_whole(tmp_path / "y", "another")
    assert names(tmp_path) == ["x", "y"]


@POSIX
def test_nobody_sweeps_what_is_being_written(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    fsync, seen = os.fsync, []

    def meanwhile(file):
        sweep(tmp_path)
        seen.append(names(tmp_path))
        fsync(file)

    monkeypatch.setattr(os, "fsync", meanwhile)
    assert write_whole(tmp_path / "x", "new").read_text() == "new"
    assert len(seen) == 1 and len(seen[0]) == 1 and seen[0][0].startswith(".rocksteady-")
    (tmp_path / ".mine.part").write_text("nobody's business")
    (tmp_path / ".rocksteady-1.part").write_text("")  # begun just now, not locked yet
    sweep(tmp_path)
    assert names(tmp_path) == [".mine.part", ".rocksteady-1.part", "x"]


@pytest.mark.parametrize("linked", [True, False])
def test_piece_by_piece(system, tmp_path, monkeypatch, linked):
    """What writes it is called once, also where the file must be copied to get a name."""
    if not linked:
        monkeypatch.setattr(files, "_link", lambda *_: False)
    pieces = iter([b"a" * 70_000, b"b" * 70_000])
    path = write_streamed(tmp_path / "x", lambda file: file.writelines(pieces))
    assert path.read_bytes() == b"a" * 70_000 + b"b" * 70_000

    def breaks(file):
        file.write(b"c" * 70_000)
        raise OSError(errno.ENOSPC, "No space left on device")

    for place in (path, tmp_path / "new" / "x"):
        with pytest.raises(InputError, match=r"No space left on device\. Nothing was changed"):
            write_streamed(place, breaks)
    assert path.read_bytes() == b"a" * 70_000 + b"b" * 70_000
    assert names(tmp_path) == ["x"]


@pytest.mark.parametrize("memory", [True, False])
def test_programs_that_need_a_path(memory, monkeypatch, tmp_path):
    if not memory:
        monkeypatch.delattr(os, "memfd_create", raising=False)
        monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    assert made_by(lambda path: path.write_bytes(b"x" * 70_000), ".mp4") == b"x" * 70_000
    assert names(tmp_path) == []
