"""Alarm hooks: told at least once, not endlessly, and never in the monitor's way."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.errors import InputError
from rocksteady.monitor import Feed, Monitor, messages, outbox
from rocksteady.monitor import settings as begin
from rocksteady.monitor import watch as watching
from rocksteady.monitor.exact import write_json
from rocksteady.monitor.hooks import HookError, Hooks, environment
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.outbox import Outbox
from rocksteady.monitor.outcome import WORST, Outcome, worst
from rocksteady.monitor.service import ServiceLog
from rocksteady.monitor.settings import Settings, resumed
from rocksteady.monitor.state_log import StateLog, saved_state
from rocksteady.monitor.watch import Watch

HOUSE = MasonryBuilding.casalotti2025(40e3, damping=2e3)
HERE = ("--preset", "casalotti2025", "--mass", "40e3", "--damping", "2e3", "--dt", "0.01")
GRACE = 60.0  # s within which anything must have happened


def test_a_name_with_control_characters_does_not_keep_a_command_from_running(tmp_path):
    message = {"kind": "alarm", "building": "a\0b\x1b[31m", "text": "caf\udce9"}
    Hooks(command=f'echo "$ROCKSTEADY_BUILDING" > {tmp_path}/name').senders()["command"](message)
    assert (tmp_path / "name").read_text() == "a\\x00b\\x1b[31m\n"
    assert environment(message)["ROCKSTEADY_TEXT"] == "caf\\xe9"


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch):
    monkeypatch.setattr(outbox, "PAUSE", 0.0)


def message(number: int = 1, kind: str = "alarm") -> dict:
    return {"id": f"{kind}@{number}", "kind": kind, "building": "house", "text": "house: wear"}


def noted(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "service.jsonl").open()]


def post_by(folder: Path, **how) -> Outbox:
    return Outbox(Hooks(**how), folder, ServiceLog(folder))


# -- a command ------------------------------------------------------------------------------------


def test_a_command_gets_the_details(tmp_path):
    told = Monitor(HOUSE, dt=0.01, alarms={"drift": 1e-4})
    (alarm,) = told.push_block(np.full(20, 2.0)).raised
    message = messages.of_alarm("town hall", told, alarm)
    script = f'cat > {tmp_path}/in.json; echo "$ROCKSTEADY_TEXT $ROCKSTEADY_VALUE" > {tmp_path}/env'
    post = post_by(tmp_path, command=script)
    post.post(message)
    assert post.close(GRACE) == 0
    about = json.loads((tmp_path / "in.json").read_text())
    assert about == message
    assert about["quantity"] == "drift" and about["value"] >= about["threshold"] == 1e-4
    assert about["building"] == "town hall" and about["certain"] is True
    assert (tmp_path / "env").read_text() == f"{about['text']} {about['value']}\n"


def test_a_command_that_fails_is_tried_again_and_says_why(tmp_path):
    tries = tmp_path / "tries"
    script = f"echo >> {tries}; [ $(wc -l < {tries}) -ge 3 ] || (echo no >&2; exit 5)"
    post = post_by(tmp_path, command=script)
    post.post(message())
    wait_for(lambda: not post.undelivered())
    assert post.close(GRACE) == 0
    assert [line["kind"] for line in noted(tmp_path)] == ["not delivered"] * 2 + ["delivered"]
    assert noted(tmp_path)[0]["why"] == "exit status 5: no"


def test_a_command_that_hangs_is_killed_with_all_it_started(tmp_path):
    script = f"sleep 600 & echo $! > {tmp_path}/pid; wait"
    start = time.monotonic()
    with pytest.raises(HookError, match=r"not done after 1 s: killed"):
        Hooks(script, timeout=1.0)._run(message())
    assert time.monotonic() - start < GRACE
    child = int((tmp_path / "pid").read_text())
    wait_for(lambda: not alive(child))


def test_a_command_that_prints_without_end_is_no_danger():
    with pytest.raises(HookError, match="not done"):
        Hooks("yes >&2", timeout=0.5)._run(message())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().split(") ")[1][:1]


def wait_for(condition):
    end = time.monotonic() + GRACE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_monitor_never_waits_for_a_hook(tmp_path):
    released = threading.Event()
    post = post_by(tmp_path, command="true")
    post._senders["command"] = lambda message: released.wait(GRACE)
    for number in range(50):
        post.post(message(number))  # returns at once, although nothing is delivered
    assert post.undelivered() == 50
    released.set()
    assert post.close(GRACE) == 0


# -- at least once, not endlessly -----------------------------------------------------------------


def test_what_was_not_delivered_is_told_by_the_next_start(tmp_path, monkeypatch):
    monkeypatch.setattr(outbox, "PAUSE", 3600.0)
    first = post_by(tmp_path, command="exit 1")
    first.post(message())
    assert first.close(GRACE) == 1
    second = post_by(tmp_path, command=f"cat >> {tmp_path}/told")
    assert second.close(GRACE) == 0
    assert json.loads((tmp_path / "told").read_text()) == message()
    third = post_by(tmp_path, command=f"cat >> {tmp_path}/told")
    third.post(message())  # the same alarm, found in the state again
    assert third.close(GRACE) == 0
    assert (tmp_path / "told").read_text().count("alarm@1") == 1


def test_killed_between_telling_and_noting_it_tells_again(tmp_path):
    """At least once: the file still has it as waiting."""
    first = post_by(tmp_path, command=f"echo >> {tmp_path}/told")
    first.post(message())
    assert first.close(GRACE) == 0
    about = json.loads((tmp_path / "hooks.json").read_text())
    waiting = {"command alarm@1": {"message": message(), "tries": 1}}
    write_json(tmp_path / "hooks.json", {**about, "told": {}, "waiting": waiting})
    assert post_by(tmp_path, command=f"echo >> {tmp_path}/told").close(GRACE) == 0
    assert (tmp_path / "told").read_text() == "\n\n"


def test_it_is_given_up_after_so_many_tries_and_not_begun_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(outbox, "TRIES", 4)
    script = f"echo >> {tmp_path}/tries; exit 1"
    post = post_by(tmp_path, command=script)
    post.post(message())
    wait_for(lambda: not post.undelivered())
    post.close(GRACE)
    again = post_by(tmp_path, command=script)
    again.post(message())
    again.close(GRACE)
    assert (tmp_path / "tries").read_text().count("\n") == 4
    assert noted(tmp_path)[-1]["kind"] == "given up"


def test_pauses_double_up_to_the_longest(tmp_path, monkeypatch):
    for name, value in {"PAUSE": 0.001, "SLOWEST": 0.006, "TRIES": 6}.items():
        monkeypatch.setattr(outbox, name, value)
    post = post_by(tmp_path, command="exit 1")
    post.post(message())
    wait_for(lambda: not post.undelivered())
    post.close(GRACE)
    pauses = [line["again_in"] for line in noted(tmp_path) if line["kind"] == "not delivered"]
    assert pauses == [0.001, 0.002, 0.004, 0.006, 0.006]


def test_a_crash_does_not_begin_the_count_of_tries_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(outbox, "PAUSE", 3600.0)
    for _ in range(3):
        post = post_by(tmp_path, command="exit 1")
        post.post(message())
        assert post.close(GRACE) == 1
    about = json.loads((tmp_path / "hooks.json").read_text())
    assert about["waiting"]["command alarm@1"]["tries"] == 3


def test_a_sensor_that_comes_and_goes_is_told_once_an_hour(tmp_path):
    post = post_by(tmp_path, command=f"cat >> {tmp_path}/told; echo >> {tmp_path}/told")
    for number in range(20):
        post.post(message(number, "silent"))
        post.post(message(number, "heard"))
        post.post(message(number, "alarm"))
    assert post.close(GRACE) == 0
    told = [json.loads(line)["kind"] for line in (tmp_path / "told").open()]
    assert told.count("alarm") == 20 and told.count("silent") == told.count("heard") == 1


def test_a_hook_works_while_the_disk_is_full(tmp_path, monkeypatch):
    told = []
    post = Outbox(Hooks(command="true"), tmp_path / "missing", ServiceLog(tmp_path / "missing"))
    post._senders["command"] = told.append
    post.post(message())
    assert post.close(GRACE) == 0 and told == [message()]


# -- a web address --------------------------------------------------------------------------------


@pytest.fixture
def server():
    """A server on this machine that answers as it is told to."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.got.append((self.path, dict(self.headers), json.loads(body)))
            status = server.answers.pop(0) if server.answers else 200
            if status == 0:
                return  # hangs up without a word
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.got, server.answers = [], []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_webhook_gets_it_in_the_end(server, tmp_path):
    server.answers = [500, 0, 302, 404, 200]
    address = f"http://127.0.0.1:{server.server_port}/alarm"
    post = post_by(tmp_path, webhook=address, headers={"Authorization": "Bearer 7"})
    post.post(message())
    wait_for(lambda: not post.undelivered())
    assert post.close(GRACE) == 0
    assert [(path, body) for path, _, body in server.got] == [("/alarm", message())] * 5
    assert all(heads["Authorization"] == "Bearer 7" for _, heads, _ in server.got)
    assert {heads["Content-Type"] for _, heads, _ in server.got} == {"application/json"}
    whys = [line["why"] for line in noted(tmp_path) if line["kind"] == "not delivered"]
    assert whys[0] == "answered 500 Internal Server Error" and "302" in whys[2]
    assert "Bearer" not in (tmp_path / "service.jsonl").read_text()


def test_a_webhook_that_nobody_answers_does_not_stop_the_command(tmp_path):
    post = post_by(tmp_path, command=f"touch {tmp_path}/told", webhook="http://127.0.0.1:9/x")
    post.post(message())
    wait_for((tmp_path / "told").exists)
    post.close(GRACE)


class Dripping:
    """A server that sends a byte now and then, before its status line, in its headers or after
    them, until the other side hangs up; the second request gets a good answer."""

    def __init__(self, begin: bytes):
        self.begin, self.got, self.hung_up = begin, [], threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        drips = True
        while True:
            client = self.listener.accept()[0]
            self.got.append(client.recv(65536))
            if drips:
                threading.Thread(target=self.drip, args=(client,), daemon=True).start()
            else:
                client.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
                client.close()
            drips = False

    def drip(self, client):
        try:
            client.sendall(self.begin)
            while True:
                client.sendall(b"x")
                time.sleep(0.02)
        except OSError:
            self.hung_up.set()


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.0 200 OK\r\nA: "])
def test_a_server_that_drips_takes_no_longer_than_the_timeout(begin, tmp_path, monkeypatch):
    """The timeout is that of the whole attempt, and the next alarm is delivered."""
    monkeypatch.setattr(outbox, "PAUSE", 3600.0)
    server = Dripping(begin)
    post = post_by(tmp_path, webhook=server.address, timeout=0.3)
    started = time.monotonic()
    post.post(message(1))
    post.post(message(2))
    wait_for(lambda: post.undelivered() == 1)
    assert time.monotonic() - started < 10.0
    assert post.close(GRACE) == 1  # the first one is repeated in an hour
    (failed,) = [line for line in noted(tmp_path) if line["kind"] == "not delivered"]
    assert failed["why"] == "no answer after 0.3 s" and failed["id"] == "alarm@1"
    (done,) = [line for line in noted(tmp_path) if line["kind"] == "delivered"]
    assert done["id"] == "alarm@2"
    assert server.hung_up.wait(GRACE)  # nothing goes on reading


def test_the_end_of_a_run_waits_for_an_attempt_at_each_message(tmp_path, monkeypatch):
    """However slow the first one is."""
    monkeypatch.setattr(outbox, "PAUSE", 3600.0)
    server = Dripping(b"")
    log = StateLog(Monitor(HOUSE, dt=0.01), None)
    post = Outbox(Hooks(webhook=server.address, timeout=1.5), tmp_path, ServiceLog(tmp_path))
    one = Watch("house", Feed(log), log, outbox=post)
    assert post.needs == 1.0
    post.post(message(1))
    post.post(message(2))
    assert post.needs == 4.0 and one.close() == 1
    assert [line["id"] for line in noted(tmp_path) if line["kind"] == "delivered"] == ["alarm@2"]
    many = Outbox(Hooks(command="true", timeout=10.0), None, ServiceLog(None))
    many._senders["command"] = lambda message: time.sleep(0.01)
    for number in range(20):
        many.post(message(number))
    assert many.needs == 61.0
    many.close(GRACE)


def test_an_answer_is_a_good_one_when_its_status_is(tmp_path):
    """What a server sends after that need not come."""
    server = Dripping(b"HTTP/1.0 200 OK\r\n\r\n")
    post = post_by(tmp_path, webhook=server.address, timeout=30.0)
    post.post(message())
    wait_for(lambda: not post.undelivered())
    assert post.close(GRACE) == 0 and len(server.got) == 1


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"webhook": "call me"}, "'call me' is not a web address"),
        ({"webhook": "file:///etc/passwd"}, "is not a web address"),
        ({"webhook": "ftp://192.168.1.5/alarm"}, "is not a web address"),
        ({"webhook": "http:///alarm"}, "is not a web address"),
        ({"command": " "}, "command is empty"),
        ({"command": "true", "timeout": 0}, "timeout = 0 s is not allowed"),
    ],
)
def test_bad_hooks(how, sentence):
    with pytest.raises(InputError, match=sentence):
        Hooks(**how)


# -- of a watch -----------------------------------------------------------------------------------


class Clock:
    """Time that passes when it is told to."""

    now = 100.0

    def monotonic(self):
        return self.now

    def time(self):
        return 1e9 + self.now


class Told:
    """A outbox that only listens."""

    def __init__(self):
        self.messages, self.failures = [], {}

    def post(self, message):
        self.messages.append(message)


@pytest.mark.parametrize("line", [b"", b"rubbish\n"], ids=["nothing", "nonsense"])
def test_a_silent_sensor_is_told_once_and_so_is_its_return(tmp_path, monkeypatch, line):
    """One that only talks nonsense is silent, too. Its fourth bad sample is more than the three
    that are allowed, and is told when it comes, not only when a good one does."""
    clock = Clock()
    monkeypatch.setattr(watching, "time", clock)
    log = StateLog(Monitor(HOUSE, dt=0.01), tmp_path)
    one = Watch("house", Feed(log), log, silent_after=60.0, outbox=Told())
    reader = LineReader(("time", "a_h"))
    one.take(reader.read(b"0.00,0.1\n"))
    told = []
    for seconds in (0.0, 59.0, 2.0, 1000.0):
        clock.now += seconds
        one.take(reader.read(line))
        one.tick(reader.to_dict, False)
        told.append([m["text"] for m in one.outbox.messages])
    silent = "house: no sample for 61 s: the sensor is silent"
    why = "more than 1 % of the samples of a minute were left out or filled in"
    lost = [f"house: uncertain since 0.010 s: {why}"] * bool(line)
    assert one.silent and told == [[], [], [silent], [silent, *lost]]

    one.take(reader.read(b"1061.00,0.1\n1061.01,0.1\n"))
    one.tick(reader.to_dict, False)
    assert not one.silent and [m["text"] for m in one.outbox.messages] == [
        silent,
        *lost,
        "house: uncertain since 0.010 s: data were missing, and the ground was taken to be at rest",
        "house: the sensor sends samples again",
    ]
    log.close()


def test_a_sensor_that_was_never_there_is_told_before_the_time_step_is_known(monitor, tmp_path):
    """Without --dt the samples say it, and there is no log to speak of until they do."""
    late = ("--follow", "late.csv", "--patience", "0.3", "--silent-after", "0.1", "--log", "log")
    told = ("--on-alarm", "cat >> told; echo >> told")
    _, err = monitor(*late, *told, here=HERE[:-2], code=3)
    assert "Warning: no sample for 0 s: the sensor is silent" in err
    assert "No samples came: there is no file late.csv." in err
    (about,) = map(json.loads, Path("told").read_text().splitlines())
    assert about["kind"] == "silent" and about["status"].startswith("no samples")
    assert not Path("log").exists()

    Path("late.csv").write_text("".join(f"{0.01 * i:.2f},0.0\n" for i in range(50)))
    monitor(*late, *told, here=HERE[:-2], code=6)  # the same command goes on


def test_a_sensor_that_comes_late_is_told_to_be_heard(tmp_path, monkeypatch):
    clock = Clock()
    monkeypatch.setattr(begin, "time", clock)
    hooks = Hooks(command=f"cat > {tmp_path}/told")
    settings = Settings(system=HOUSE, silent_after=60, hooks=hooks)
    silence = begin.FirstSilence("house", settings, settings.monitor(0.01))
    assert not silence.due()
    clock.now += 61
    assert silence.due() and not silence.due()  # once
    silence.close(GRACE)
    about = json.loads((tmp_path / "told").read_text())
    assert about["text"] == "house: no sample for 61 s: the sensor is silent"
    never = dataclasses.replace(settings, silent_after=0)
    silence = begin.FirstSilence("house", never, settings.monitor(0.01))
    clock.now += 1e6
    assert not silence.due()


def test_an_alarm_raised_before_a_crash_is_told_after_it(tmp_path):
    """Raised and durable, but nobody came to tell it."""
    log = StateLog(Monitor(HOUSE, dt=0.01, alarms={"drift": 1e-4}), tmp_path)
    one = Watch("house", Feed(log), log)
    reader = LineReader(("a_h",))
    one.commit(reader.to_dict())
    one.take(reader.read(b"2.0\n" * 20))
    one.commit(reader.to_dict())
    log.close()
    script = f"cat >> {tmp_path}/told; echo >> {tmp_path}/told"
    for _ in range(2):
        again = resumed("house", Settings(hooks=Hooks(script)), saved_state(tmp_path), tmp_path)
        again.start()
        assert again.close(GRACE) == 0
    (line,) = (tmp_path / "told").read_text().splitlines()
    assert json.loads(line)["id"].startswith("drift>=0.0001@")


# -- the command ----------------------------------------------------------------------------------


@pytest.fixture
def monitor(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, a_h=(), here=HERE, code: int = 0):
        Path("samples").write_text("".join(f"{a!r}\n" for a in np.asarray(a_h).tolist()))
        with Path("samples").open() as stdin, pytest.raises(SystemExit) as stop:
            monkeypatch.setattr(sys, "stdin", stdin)
            words = ["monitor", *here, *map(str, arguments)]
            get_command(cli.app).main(words, prog_name="rocksteady")
        out, err = capsys.readouterr()
        assert int(stop.value.code or 0) == code, err
        return out, err

    return call


def test_a_collapse_is_told_and_is_the_exit_status(monitor):
    strong = 6.0 * np.random.default_rng(0).standard_normal(1000)
    hook = "cat >> told; echo >> told"
    out, _ = monitor("--log", "log", "-a", "wear=0.5", "--on-alarm", hook, a_h=strong, code=5)
    assert "collapsed" in out
    lines = Path("told").read_text().splitlines()  # by two commands at once, in either order
    told = sorted((json.loads(line) for line in lines), key=lambda message: message["kind"])
    assert [message["kind"] for message in told] == ["alarm", "collapsed"]
    assert told[1]["text"].startswith("40 t masonry building: collapsed")
    monitor("--log", "log", "--on-alarm", hook, a_h=strong, code=5)
    assert len(Path("told").read_text().splitlines()) == 2  # not again


def test_an_alarm_is_the_exit_status_of_the_run_that_raised_it(monitor):
    a_h = 0.5 * np.random.default_rng(0).standard_normal(300)
    options = ("--log", "log", "-a", "drift=1e-4")
    monitor(*options, a_h=a_h, code=4)
    monitor(*options, a_h=a_h, code=0)


def test_it_says_whether_it_rests_or_moves(monitor):
    """Status.AT_REST of a building means that no more damage will come, not that it is still."""
    out, _ = monitor(a_h=0.05 * np.random.default_rng(0).standard_normal(500))
    assert "standing, vibrating: amplitude" in out and "v = " in out and "at rest" not in out
    about = json.loads(monitor("--json", a_h=np.full(500, 0.05))[0])
    assert abs(about["state"]["v [m/s]"]) > 1e-4 or abs(about["state"]["u [m]"]) > 1e-6
    assert about["status"] == "standing, vibrating"
    assert "standing, at rest" in monitor(a_h=np.zeros(100))[0]


def test_the_worst_is_told():
    assert worst([]) is Outcome.FINE
    assert worst([Outcome.SILENT, Outcome.ALARM, Outcome.NO_SAMPLES]) is Outcome.ALARM
    assert worst([Outcome.BROKEN, Outcome.FALLEN, Outcome.FINE]) is Outcome.FALLEN
    assert set(Outcome) - {Outcome.REFUSED} == set(WORST)


def test_signals_are_not_outcomes():
    assert not {128 + signal.SIGINT, 128 + signal.SIGTERM} & set(Outcome)
