"""Deliver every message to every hook: saved on the disk, retried, given up after a day.

Each hook has its own thread, so the monitor never waits for one. A message is saved
(``hooks.json``) before the first attempt and removed after one that succeeded; if the process is
killed in between, the next start sends it again. An attempt that fails is repeated after 1, 2, 4, …
s, at most an hour apart, and given up after `TRIES` attempts, about a day. A restart does not reset
the count.
"""

import contextlib
import threading
import time
from pathlib import Path
from typing import Any

from rocksteady.digests import sealed_json
from rocksteady.monitor.disk import replace_file
from rocksteady.monitor.exact import read_json
from rocksteady.monitor.hooks import Hooks
from rocksteady.monitor.messages import CONDITIONS, Message
from rocksteady.monitor.service import ServiceLog

HOOKS = "hooks.json"
TRIES = 30
PAUSE = 1.0  # s after the first failed attempt, then twice as long each time
SLOWEST = 3600.0  # s between two attempts, and between two messages about the same condition
LONGEST_END = 60.0  # s for which the end of a run waits for hooks, or one attempt if it is longer
_KEPT = 50  # conditions remembered as sent


class Outbox:
    """Delivers messages to each hook. `post` never waits.

    Without ``folder`` nothing is saved: messages not delivered when the run ends are lost.
    """

    def __init__(self, hooks: Hooks, folder: Path | None, service: ServiceLog) -> None:
        self.folder, self.service = folder, service
        self._senders, self._timeout = hooks.senders(), hooks.timeout
        self._turn = threading.Condition()
        self._closing = False
        self._waiting: dict[str, dict[str, Any]] = {}
        """By hook and id: the message, the attempts made, and when the next one is due."""
        self._sent: dict[str, float] = {}
        """By hook and id: when it was delivered, or given up (machine's clock, s)."""
        self.failures: dict[str, str] = {}
        """By hook: why its last attempt failed, if it did."""
        self._load()
        self._threads = [
            threading.Thread(target=self._deliver, args=(name,), daemon=True, name=f"{name} hook")
            for name in self._senders
        ]
        for thread in self._threads:
            thread.start()

    def post(self, message: Message) -> None:
        """Send the message to every hook that has not received it."""
        with self._turn:
            for hook in self._senders:
                key = f"{hook} {message['id']}"
                if key in self._sent or key in self._waiting or self._too_soon(hook, message):
                    continue
                self._waiting[key] = {"message": message, "tries": 0, "due": 0.0}
            self._turn.notify_all()

    def _too_soon(self, hook: str, message: Message) -> bool:
        """Do not send a message every minute if a sensor comes and goes."""
        kind = message["kind"]
        if kind not in CONDITIONS:
            return False
        same = f"{hook} {kind}@"
        since = time.time() - SLOWEST
        recent = any(key.startswith(same) and at > since for key, at in self._sent.items())
        return recent or any(key.startswith(same) for key in self._waiting)

    def undelivered(self) -> int:
        """How many messages are waiting."""
        with self._turn:
            return len(self._waiting)

    @property
    def needs(self) -> float:
        """How long one attempt at each message may take [s], within reason."""
        most = max(self._timeout, LONGEST_END)
        return 1.0 + min(self._timeout * self.undelivered(), most)

    def close(self, grace: float) -> int:
        """Stop after one attempt at each message, at most ``grace`` s; how many are left."""
        end = time.monotonic() + grace
        with self._turn:
            self._closing = True
            self._turn.notify_all()
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        return self.undelivered()

    # -- in the thread of a hook ------------------------------------------------------------------

    def _deliver(self, hook: str) -> None:
        while True:
            with self._turn:
                key = self._next(hook)
                if key is None:
                    return
                entry = self._waiting[key]
                entry["tries"] += 1
                message, tries = entry["message"], entry["tries"]
                self._write()
            try:
                self._senders[hook](message)
                failure = ""
            except Exception as error:  # a broken hook must not stop the next message
                failure = str(error) or repr(error)
            with self._turn:
                self._tried(hook, key, message, tries, failure)
                self._write()

    def _next(self, hook: str) -> str | None:
        """Wait for the next message that is due; None when closing."""
        while True:
            own = [(e["due"], k) for k, e in self._waiting.items() if k.startswith(hook + " ")]
            if self._closing:  # failed ones are left for the next start
                own = [(due, key) for due, key in own if due == 0.0]
                if not own:
                    return None
            if own:
                due, key = min(own)
                left = due - time.time()
                if left <= 0:
                    return key
                self._turn.wait(min(left, SLOWEST))
            else:
                self._turn.wait()

    def _tried(self, hook: str, key: str, message: Message, tries: int, failure: str) -> None:
        about = {"hook": hook, "id": message["id"], "building": message["building"], "tries": tries}
        if not failure:
            self.failures.pop(hook, None)
            del self._waiting[key]
            self._sent[key] = time.time()
            self.service.note("delivered", **about)
            return
        self.failures[hook] = failure
        if tries >= TRIES:
            del self._waiting[key]
            self._sent[key] = time.time()
            self.service.note("given up", why=failure, **about)
            return
        pause = min(PAUSE * 2.0 ** (tries - 1), SLOWEST)
        self._waiting[key]["due"] = time.time() + pause
        self.service.note("not delivered", why=failure, again_in=pause, **about)

    # -- kept and restored ------------------------------------------------------------------------

    def _load(self) -> None:
        if self.folder is None:
            return
        path = self.folder / HOOKS
        if not path.exists():
            return
        try:
            about = read_json(path, "a list of messages")
            self._sent.update({str(k): float(v) for k, v in about["told"].items()})
            for key, entry in about["waiting"].items():
                tries = int(entry["tries"])
                if key.split(" ")[0] not in self._senders:
                    continue
                self._waiting[key] = {"message": dict(entry["message"]), "tries": tries, "due": 0.0}
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            why = f"{error or repr(error)} Alarms are sent again."
            self.service.note("messages not read", why=why)

    def _write(self) -> None:
        """Save what was delivered. If the disk is full, go on: the message is sent again after a
        restart."""
        if self.folder is None:
            return
        conditions = [k for k in self._sent if k.split(" ", 1)[1].split("@")[0] in CONDITIONS]
        for key in conditions[:-_KEPT]:
            del self._sent[key]
        waiting = {
            key: {"message": entry["message"], "tries": entry["tries"]}
            for key, entry in self._waiting.items()
        }
        text = sealed_json({"told": self._sent, "waiting": waiting})
        with contextlib.suppress(OSError):
            replace_file(self.folder / HOOKS, text)
