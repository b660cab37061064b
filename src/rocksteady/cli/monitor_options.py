"""The options of `rocksteady monitor`: where samples come from, and what is kept of them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from rocksteady.errors import InputError

if TYPE_CHECKING:
    from rocksteady.monitor.sources import Source

_SAMPLES = {"rich_help_panel": "The samples"}
_LOG = {"rich_help_panel": "The log"}
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
            help="Read a file that grows, as tail -F does.",
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
            help="With --follow or --listen: end after so many seconds without news.",
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
        if self.once and self.listen is None:
            raise InputError("--once is for --listen: other sources end by themselves.")

    def open(self, stop: Stop, offset: int) -> Source:
        """The source itself."""
        from rocksteady.cli.output import say
        from rocksteady.monitor import sources

        if self.follow is not None:
            if not self.follow.parent.is_dir():
                raise InputError(f"There is no folder {self.follow.parent} to follow a file in.")
            return sources.from_file(self.follow, stop.asked, offset=offset, patience=self.patience)
        if self.listen is None:
            return sources.from_descriptor(sys.stdin.fileno(), stop.asked)
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


@dataclass(frozen=True)
class LogOptions:
    """What is kept."""

    log: Annotated[
        Path | None,
        Option("--log", metavar="FOLDER", help="Keep a durable log there.", **_LOG),
    ] = None
    every: Annotated[
        float | None,
        Option(
            "--every", help="A line of state in the log every so many s; 1 unless given.", **_LOG
        ),
    ] = None
    sync: Annotated[
        float,
        Option("--sync", help="At most so many s until what came is safely on the disk.", **_LOG),
    ] = 1.0
    resume: Annotated[
        bool,
        Option("--resume", help="Go on where the run in --log ended, or was killed.", **_LOG),
    ] = False
    from_beginning: Annotated[
        bool,
        Option(
            "--from-beginning",
            help="With --resume: standard input comes again from its very first line; pass over "
            "what is known. (--follow knows by itself where to go on.)",
            **_LOG,
        ),
    ] = False

    def check(self) -> None:
        """Refuse what does not go together."""
        if self.resume and self.log is None:
            raise InputError("--resume needs --log, the folder of the run to go on with.")
        if self.from_beginning and not self.resume:
            raise InputError("--from-beginning needs --resume.")
        if not self.sync >= 0:
            raise InputError(f"--sync {self.sync:g} is not allowed: zero or more seconds.")


class Stop:
    """Whether someone asked us to end: Ctrl-C or a service manager. A second Ctrl-C insists."""

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
