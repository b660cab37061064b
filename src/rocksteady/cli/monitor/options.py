"""The options of `rocksteady monitor`: samples, log and hooks."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rocksteady.cli.common.options import panel
from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.monitor.hooks import Hooks
    from rocksteady.monitor.sources import Input

_samples, _log, _hooks = panel("The samples"), panel("The log"), panel("Alarm hooks")
LOOPBACK = ("127.", "::1", "localhost")


@dataclass(frozen=True)
class SampleOptions:
    """Where samples come from, their columns and units."""

    follow: Annotated[
        Path | None,
        _samples(
            "Read a file that grows, as tail -F does; or a FIFO or serial line.",
            "--follow",
            "-f",
            metavar="FILE",
        ),
    ] = None
    listen: Annotated[
        str | None,
        _samples(
            "Take samples from a TCP connection, from this machine only unless you give HOST. "
            "There is no encryption and no password.",
            metavar="[HOST:]PORT",
        ),
    ] = None
    once: Annotated[bool, _samples("With --listen: end with the first connection.", "--once")] = (
        False
    )
    patience: Annotated[
        float | None,
        _samples(
            "With --follow or --listen: stop with exit status 6 after this many seconds "
            "without data."
        ),
    ] = None
    dt: Annotated[float | None, _samples("Time step, s; needed for lines without a time.")] = None
    unit: Annotated[
        str | None, _samples("Unit of the accelerations: m/s2 (usual), g, cm/s2, …")
    ] = None
    columns: Annotated[
        str | None,
        _samples(
            "Columns of a line: time, a_h, a_v, a_t (transverse, for a body in space), measured "
            "(the building's own acceleration), - (ignored). Unless given: a_h, or time,a_h, or "
            "time,a_h,a_v.",
            metavar="NAME,…",
        ),
    ] = None
    max_gap: Annotated[
        float | None,
        _samples(
            "Longest gap, s, to fill with a straight line; 0.5 unless given. In a longer one "
            "the ground is taken to be at rest."
        ),
    ] = None

    full_scale: Annotated[
        float | None,
        _samples(
            "End of the sensor's range, in --unit: samples at or beyond it are counted as "
            "saturated, and make the results uncertain."
        ),
    ] = None
    silent_after: Annotated[
        float | None,
        _samples(
            "Report a silent sensor after this many seconds without a sample; 60 unless "
            "given, 0: never."
        ),
    ] = None

    def names(self) -> tuple[str, ...] | None:
        from rocksteady.monitor.lines import checked_columns

        if self.columns is None:
            return None
        try:
            return checked_columns(tuple(name.strip() for name in self.columns.split(",")))
        except InputError as error:
            raise InputError(str(error).replace("columns = ", "--columns ")) from None

    def check(self) -> None:
        """Refuse what does not go together."""
        live = self.follow is not None or self.listen is not None
        if self.follow is not None and self.listen is not None:
            raise InputError("--follow and --listen were both given: give one of them.")
        if self.patience is not None and not (live and self.patience > 0):
            raise InputError("--patience needs a positive time in s, and --follow or --listen.")
        if self.silent_after is not None and not self.silent_after >= 0:
            raise InputError(
                f"--silent-after {self.silent_after:g} is not allowed: give zero or more seconds."
            )
        if self.once and self.listen is None:
            raise InputError("--once is for --listen: other sources end by themselves.")

    def input(self) -> "Input":
        """Where samples come from."""
        from rocksteady.monitor.sources import Input

        return Input(self.follow, self.listen, standard_input(), self.patience, self.once)


def say_listening(host: str, port: int) -> None:
    """Tell the user the port, and whether anybody else can reach it."""
    from rocksteady.cli.common.output import say

    if not host.startswith(LOOPBACK):
        say(
            f"Anyone who can reach {host} can send samples: there is no password and no "
            "encryption. An SSH tunnel (ssh -L) gives both.",
            label="Warning: ",
            look="yellow",
        )
    say(f"Listening on {host}:{port}.", look="dim")


@dataclass(frozen=True)
class LogOptions:
    """Where the log is, and how it is written."""

    log: Annotated[
        Path | None,
        _log(
            "Keep a durable log in this folder, or resume the one that is there.", metavar="FOLDER"
        ),
    ] = None
    every: Annotated[
        float | None, _log("Time between two state lines in the log, s; 1 unless given.")
    ] = None
    keep: Annotated[
        float | None, _log("Largest size of the log, MB; 256 unless given. Alarms are always kept.")
    ] = None
    sync: Annotated[
        float | None,
        _log(
            "Longest time until samples are safely on the disk, s; 10 unless given. Alarms "
            "are saved at once."
        ),
    ] = None
    from_beginning: Annotated[
        bool,
        _log(
            "Standard input starts over from its first line: skip the samples already known. "
            "(Only needed if its first lines differ from those of the first run.)",
            "--from-beginning",
        ),
    ] = False

    def check(self) -> None:
        """Refuse what does not go together."""
        if self.from_beginning and self.log is None:
            raise InputError("--from-beginning needs --log, the folder of the run to resume.")
        if self.sync is not None and not self.sync >= 0:
            raise InputError(f"--sync {self.sync:g} is not allowed: give zero or more seconds.")
        if self.log is not None and self.log.exists() and not self.log.is_dir():
            raise InputError(
                f"--log {self.log} is a file, but a log is a folder: choose another name."
            )


@dataclass(frozen=True)
class HookOptions:
    """Where alarms are sent."""

    on_alarm: Annotated[
        str | None,
        _hooks(
            "Shell command to run at each alarm, at a collapse and when the sensor falls "
            "silent. It gets the details as JSON on standard input and in ROCKSTEADY_TEXT, "
            "ROCKSTEADY_KIND, ….",
            metavar="COMMAND",
        ),
    ] = None
    webhook: Annotated[str | None, _hooks("Send the same JSON by HTTP POST.", metavar="URL")] = None
    hook_timeout: Annotated[
        float | None, _hooks("Longest time for one attempt, s; 10 unless given.")
    ] = None

    def hooks(self) -> "Hooks":
        from rocksteady.monitor.hooks import TIMEOUT, Hooks

        timeout = TIMEOUT if self.hook_timeout is None else self.hook_timeout
        return Hooks(self.on_alarm, self.webhook, timeout=timeout)


GRACE = 5.0  # s that running hooks may still take after Ctrl-C or SIGTERM


class Stop:
    """Whether Ctrl-C or a service manager asked us to stop. A second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.signal = 0

    def requested(self) -> bool:
        return self.signal != 0

    def _catch(self, number: int, _frame: object) -> None:
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number

    @contextmanager
    def catching(self) -> "Iterator[Stop]":
        before = {
            number: signal.signal(number, self._catch) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def standard_input() -> int:
    """The file descriptor of standard input; 0 where what stands for it has none."""
    try:
        return sys.stdin.fileno()
    except OSError:
        return 0
