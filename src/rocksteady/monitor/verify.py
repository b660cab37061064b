"""Check the digests of everything in the folder of a monitor's log."""

from pathlib import Path

from rocksteady.errors import InputError
from rocksteady.monitor.exact import read_json
from rocksteady.monitor.logfile import LogFile, checked_lines
from rocksteady.monitor.outbox import HOOKS
from rocksteady.monitor.service import BEFORE, SERVICE
from rocksteady.monitor.state_log import HISTORY, LOG, PREVIOUS, STATE, positions


def problems(folder: Path) -> list[str]:
    """What is damaged or missing in the log of a monitor, in sentences; nothing if all is as it was
    written. A monitor may be writing meanwhile: what is newer than its state is not checked."""
    states, found = [], []
    for name in (STATE, PREVIOUS, HOOKS):
        if not (folder / name).exists() and name != STATE:
            continue
        try:
            states.append(read_json(folder / name, "a file of a monitor"))
        except InputError as error:
            found.append(str(error))
    if lost_previous(folder):
        found.append(f"{PREVIOUS} is missing: the state before the newest.")
    about = next((state for state in states if "monitor" in state), None)
    (number, length, lines), (_, size, days) = positions(about)
    log, history = LogFile(folder / LOG), LogFile(folder / HISTORY)
    older = [path for n, path in sorted(log.closed().items()) if about is None or n <= number]
    if about is not None and number in log.closed():  # full since that state
        found += _checked([(path, None) for path in older[:-1]] + [(older[-1], length)], lines)
    else:
        end = length if about is not None else None
        found += _checked([*((path, None) for path in older), (log.path, end)], lines)
    found += _checked([(history.path, size if about is not None else None)], days)
    service = [path for name in (BEFORE, SERVICE) if (path := folder / name).exists()]
    return found + _checked([(path, None) for path in service], 0)


def lost_previous(folder: Path) -> bool:
    """Whether the state before the newest is gone: the first one is of no samples."""
    if (folder / PREVIOUS).exists():
        return False
    try:
        newest = read_json(folder / STATE, "a file of a monitor")
    except InputError:  # which is told elsewhere
        return False
    return bool(newest["durable"]["samples"])


def _checked(files: list[tuple[Path, int | None]], lines: int) -> list[str]:
    """What is wrong in these files of one log, of which the last is ``lines`` lines long with those
    before it, if that is not 0; only the bytes given of each are read."""
    found: list[str] = []
    before: int | None = None
    for path, end in files:
        try:
            data = path.read_bytes() if path.exists() else b""
        except OSError as error:
            found.append(f"{path.name} cannot be read: {error.strerror or error}.")
            continue
        if end is not None and len(data) < end:
            found.append(f"{path.name}: {end - len(data)} bytes of it are missing.")
        whole = data[:end].split(b"\n")
        if end is None and whole[-1]:
            found.append(f"{path.name}: its last line is incomplete.")
        for said in checked_lines(path, whole[:-1], before):
            if isinstance(said, str):
                found.append(said)
            else:
                before = int(said["n"])
    if lines and not found and before != lines:
        found.append(f"{files[-1][0].name}: its last lines are missing.")
    return found
