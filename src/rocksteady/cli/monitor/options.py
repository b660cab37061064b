"""The options of `rocksteady monitor`: where samples come from, and what is kept of them."""

from __future__ import annotations

import os
import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.monitor.hooks import Hooks
    from rocksteady.monitor.lines import LineReader
    from rocksteady.monitor.sources import Source

_SAMPLES = {"rich_help_panel": "The samples"}
_LOG: dict[str, Any] = {"rich_help_panel": "The log"}
_HOOKS = {"rich_help_panel": "Alarm hooks"}
LOOPBACK = ("127.", "::1", "localhost")


@dataclass(frozen=True)
class SampleOptions:
    """Where samples come from and what they mean."""

    follow: Annotated[
        Path | None,
        Option(
            "--follow",
            "-f",
            metavar="FILE",
            help="Read a file that grows, as tail -F does; or a FIFO or serial line.",
            **_SAMPLES,
        ),
    ] = None
    listen: Annotated[
        str | None,
        Option(
            "--listen",
            metavar="[HOST:]PORT",
            help="Take samples from a TCP connection; from this machine only unless HOST says "
            "otherwise. Nothing is encrypted, and whoever connects is believed.",
            **_SAMPLES,
        ),
    ] = None
    once: Annotated[
        bool, Option("--once", help="With --listen: end with the first connection.", **_SAMPLES)
    ] = False
    patience: Annotated[
        float | None,
        Option(
            "--patience",
            help="With --follow or --listen: stop with exit status 6 after this many seconds "
            "without data.",
            **_SAMPLES,
        ),
    ] = None
    dt: Annotated[
        float | None,
        Option("--dt", help="Time step, s; needed for lines without a time.", **_SAMPLES),
    ] = None
    unit: Annotated[
        str | None,
        Option("--unit", help="Unit of the accelerations: m/s2 (usual), g, cm/s2, …", **_SAMPLES),
    ] = None
    columns: Annotated[
        str | None,
        Option(
            "--columns",
            metavar="NAME,…",
            help="What the numbers of a line are: time, a_h, a_v, measured (the building's own "
            "acceleration), - (not read). Unless given: a_h, or time,a_h, or time,a_h,a_v.",
            **_SAMPLES,
        ),
    ] = None
    max_gap: Annotated[
        float | None,
        Option(
            "--max-gap",
            help="Longest gap, s, that a straight line fills; 0.5 unless given. In a longer one "
            "the ground is taken to be at rest.",
            **_SAMPLES,
        ),
    ] = None

    full_scale: Annotated[
        float | None,
        Option(
            "--full-scale",
            help="End of the sensor's range, in --unit: samples at or beyond it are counted as "
            "saturated, and make the results uncertain.",
            **_SAMPLES,
        ),
    ] = None
    silent_after: Annotated[
        float,
        Option(
            "--silent-after",
            help="Report a silent sensor after this many seconds without a sample; 0: never.",
            **_SAMPLES,
        ),
    ] = 60.0

    def names(self) -> tuple[str, ...] | None:
        from rocksteady.monitor.lines import checked_columns

        if self.columns is None:
            return None
        try:
            return checked_columns(tuple(name.strip() for name in self.columns.split(",")))
        except InputError as error:
            raise InputError(str(error).replace("columns = ", "--columns ")) from None

    def factor(self) -> float:
        from rocksteady.motion.units import unit_factor

        return 1.0 if self.unit is None else unit_factor(self.unit)

    def check(self) -> None:
        """Refuse what does not go together."""
        live = self.follow is not None or self.listen is not None
        if self.follow is not None and self.listen is not None:
            raise InputError("--follow and --listen were both given: samples have one source.")
        if self.patience is not None and not (live and self.patience > 0):
            raise InputError("--patience is a positive time in s, for --follow and --listen.")
        if not self.silent_after >= 0:
            raise InputError(f"--silent-after {self.silent_after:g}: zero or more seconds.")
        if self.once and self.listen is None:
            raise InputError("--once is for --listen: other sources end by themselves.")

    def open(self, stop: Stop, reader: LineReader, *, again: bool, known: bool = False) -> Source:
        """The source itself; ``again`` goes on where ``reader`` was when it was kept, ``known``
        being whether what it will pass over is settled already."""
        from rocksteady.monitor import session, sources

        if self.follow is not None:
            _check_readable(self.follow)
            return sources.from_path(
                self.follow,
                stop.asked,
                offset=reader.bytes,
                mark=reader.mark,
                patience=self.patience,
            )
        if self.listen is not None:
            live = self._listening(stop)
            return session.restarted(live) if again else live
        descriptor = sys.stdin.fileno()
        if not again or known:
            return sources.from_descriptor(descriptor, stop.asked)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return sources.from_descriptor(
                descriptor, stop.asked, offset=reader.bytes, mark=reader.mark
            )
        return session.passing_over(sources.from_descriptor(descriptor, stop.asked), reader)

    def _listening(self, stop: Stop) -> Source:
        from rocksteady.cli.common.output import say
        from rocksteady.monitor import sources

        assert self.listen is not None
        host, port = sources.host_and_port(self.listen)
        listener = sources.listen(host, port)
        if not host.startswith(LOOPBACK):
            say(
                f"Whoever can reach {host} can send samples: there is no password and no "
                "encryption. A tunnel (ssh -L) would have both.",
                label="Warning: ",
                look="yellow",
            )
        say(f"Listening on {host}:{listener.getsockname()[1]}.", look="dim")
        return sources.from_socket(listener, stop.asked, patience=self.patience, once=self.once)


def _check_readable(path: Path) -> None:
    """Refuse at once what can never work; wait for a file that is not there yet."""
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {path.parent} to follow a file in.")
    if path.is_dir():
        raise InputError(f"{path} is a folder: follow a file.")
    if path.exists() and not os.access(path, os.R_OK):
        raise InputError(f"This user may not read {path}.")


@dataclass(frozen=True)
class LogOptions:
    """What is kept."""

    log: Annotated[
        Path | None,
        Option(
            "--log",
            metavar="FOLDER",
            help="Keep a durable log in this folder, or resume the one that is there.",
            **_LOG,
        ),
    ] = None
    every: Annotated[
        float | None,
        Option(
            "--every", help="A line of state in the log every so many s; 1 unless given.", **_LOG
        ),
    ] = None
    keep: Annotated[
        float,
        Option("--keep", help="Largest size of the log, MB. Alarms are always kept.", **_LOG),
    ] = 256.0
    sync: Annotated[
        float,
        Option(
            "--sync",
            help="Longest time until samples are safely on the disk, s. Alarms are saved at once.",
            **_LOG,
        ),
    ] = 10.0
    resume: Annotated[
        bool,
        Option("--resume", help="No longer needed: --log resumes by itself.", hidden=True, **_LOG),
    ] = False
    from_beginning: Annotated[
        bool,
        Option(
            "--from-beginning",
            help="Standard input starts over from its first line: skip the samples already known. "
            "(Only needed if its first lines differ from those of the first run.)",
            **_LOG,
        ),
    ] = False

    def check(self) -> None:
        """Refuse what does not go together."""
        if self.resume and self.log is None:
            raise InputError("--resume needs --log, the folder of the run to go on with.")
        if self.from_beginning and self.log is None:
            raise InputError("--from-beginning needs --log, the folder of the run to go on with.")
        if not self.sync >= 0:
            raise InputError(f"--sync {self.sync:g} is not allowed: zero or more seconds.")
        if self.log is not None and self.log.exists() and not self.log.is_dir():
            raise InputError(
                f"--log {self.log} is a file, but a log is a folder: choose another name."
            )


@dataclass(frozen=True)
class HookOptions:
    """Where alarms are sent."""

    on_alarm: Annotated[
        str | None,
        Option(
            "--on-alarm",
            metavar="COMMAND",
            help="Shell command to run at each alarm, at a collapse and when the sensor falls "
            "silent. It gets the details as JSON on standard input and in ROCKSTEADY_TEXT, "
            "ROCKSTEADY_KIND, ….",
            **_HOOKS,
        ),
    ] = None
    webhook: Annotated[
        str | None,
        Option("--webhook", metavar="URL", help="Send the same JSON by HTTP POST.", **_HOOKS),
    ] = None
    hook_timeout: Annotated[
        float,
        Option("--hook-timeout", help="Longest time for one attempt, s.", **_HOOKS),
    ] = 10.0

    def hooks(self) -> Hooks:
        from rocksteady.monitor.hooks import Hooks

        return Hooks(self.on_alarm, self.webhook, timeout=self.hook_timeout)


GRACE = 5.0  # s that running hooks may still take after Ctrl-C or SIGTERM


class Stop:
    """Whether Ctrl-C or a service manager asked us to stop. A second Ctrl-C stops at once."""

    def __init__(self) -> None:
        self.signal = 0

    def asked(self) -> bool:
        return self.signal != 0

    def _hear(self, number: int, _frame: object) -> None:
        if self.signal:
            raise KeyboardInterrupt
        self.signal = number

    @contextmanager
    def heard(self) -> Iterator[Stop]:
        before = {
            number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
