"""Many buildings in one process, from one file."""

from __future__ import annotations

import json
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command

from rocksteady import cli
from rocksteady.bodies import Block
from rocksteady.bodies.masonry import MasonryBuilding
from rocksteady.cli.monitor import many as cli_many
from rocksteady.errors import InputError
from rocksteady.monitor import Monitor, config, many
from rocksteady.monitor.config import example, read_config
from rocksteady.monitor.lines import LineReader
from rocksteady.monitor.session import Session
from rocksteady.monitor.sources import SILENT, Break
from rocksteady.monitor.state_log import saved_state
from rocksteady.monitor.watch import Watch
from rocksteady.theories import Housner

DT = 0.01
RNG = np.random.default_rng(1)
X, Y, Z = 0.05 * RNG.standard_normal((3, 600))  # g
N, E = 0.5 * RNG.standard_normal((2, 600))  # m/s²

TOWN = """
name = "Old town"
logs = "logs"
sync = 0

[[sources]]
name = "square"
follow = "square.csv"
columns = "time,x,y,z"
unit = "g"
dt = 0.01
patience = 0.2

[[sources]]
name = "hill"
follow = "hill.csv"
columns = "channel,time,a_h"
dt = 0.01
patience = 0.2

[[buildings]]
name = "town hall"
source = "square"
a_h = "x"
body = { kind = "MasonryBuilding", preset = "casalotti2025", mass = 40e3, damping = 2e3 }
alarms = { drift = 1e-4 }

[[buildings]]
name = "statue"
source = "square"
a_h = "y"
a_v = "z"
body = { kind = "Block", height = 1.8, width = 0.5 }
formulation = { name = "Housner" }

[[buildings]]
name = "church"
source = "hill"
channel = "N"
body = { kind = "MasonryBuilding", preset = "casalotti2025", mass = 90e3 }

[[buildings]]
name = "school"
source = "hill"
channel = "E"
body = { kind = "MasonryBuilding", preset = "casalotti2025", mass = 90e3 }
"""


def square(count: int = 600) -> str:
    rows = zip(X.tolist(), Y.tolist(), Z.tolist(), strict=True)
    lines = [f"{i * DT:.2f},{x!r},{y!r},{z!r}\n" for i, (x, y, z) in enumerate(rows)]
    return "time,x,y,z\n" + "".join(lines[:count])


def hill(count: int = 600) -> str:
    lines = [
        f"{channel},{i * DT:.2f},{values[i].item()!r}\n"
        for i in range(600)
        for channel, values in (("N", N), ("E", E))
    ]
    return "".join(lines[: 2 * count])


@pytest.fixture
def town(capsys, monkeypatch, tmp_path):
    """Run `rocksteady monitor --config` in an empty folder; what it says."""
    monkeypatch.chdir(tmp_path)
    Path("square.csv").write_text(square())
    Path("hill.csv").write_text(hill())

    def call(text: str = TOWN, code: int | None = None, stdin: str = ""):
        Path("town.toml").write_text(text)
        Path("stdin").write_text(stdin)
        with Path("stdin").open() as file, pytest.raises(SystemExit) as stop:
            monkeypatch.setattr(sys, "stdin", file)
            words = ["monitor", "--config", "town.toml", "--json"]
            get_command(cli.app).main(words, prog_name="rocksteady")
        out, err = capsys.readouterr()
        got = int(stop.value.code or 0)
        assert code is None or got == code, err
        about = json.loads(out) if out else {}
        return {one["name"]: one for one in about.get("buildings", [])}, got, err

    return call


def states() -> dict[str, tuple[float, ...]]:
    """What each building comes to on its own."""
    g = 9.80665
    house = MasonryBuilding.casalotti2025(40e3)
    bodies = {
        "town hall": (Monitor(MasonryBuilding(**{**vars(house), "damping": 2e3}), dt=DT), g * X),
        "statue": (Monitor(Block(1.8, 0.5), dt=DT, formulation=Housner()), g * Y),
        "church": (Monitor(MasonryBuilding.casalotti2025(90e3), dt=DT), N),
        "school": (Monitor(MasonryBuilding.casalotti2025(90e3), dt=DT), E),
    }
    out = {}
    for name, (monitor, a_h) in bodies.items():
        monitor.push_block(a_h, g * Z if name == "statue" else None)
        out[name] = monitor.state
    return out


def test_each_building_gets_its_own_samples(town):
    about, _, _ = town(code=4)  # the town hall's alarm
    assert {name: tuple(one["state"].values()) for name, one in about.items()} == states()
    assert all(one["samples"] == 600 and one["certain"] for one in about.values())
    assert about["town hall"]["alarms"][0]["sample"] is not None
    assert sorted(path.name for path in Path("logs").iterdir()) == sorted(states())
    again, _, _ = town(code=6)  # the same command again: nothing new
    assert again == about


def test_it_goes_on_where_each_building_was(town):
    """Killed between two buildings' commits: one knows more of the file than the other."""
    Path("square.csv").write_text(square(300))
    Path("hill.csv").write_text(hill(300))
    town()
    shutil.copytree("logs/town hall", "before")
    shutil.copytree("logs/church", "church")
    Path("square.csv").write_text(square(450))
    Path("hill.csv").write_text(hill(450))
    town()
    shutil.rmtree("logs/town hall")
    shutil.rmtree("logs/church")
    shutil.move("before", "logs/town hall")
    shutil.move("church", "logs/church")
    Path("square.csv").write_text(square())
    Path("hill.csv").write_text(hill())
    about, _, _ = town()
    assert {name: tuple(one["state"].values()) for name, one in about.items()} == states()
    assert {one["counts"]["late"] for one in about.values()} == {0}


def test_a_building_that_fails_does_not_stop_the_others(town, monkeypatch):
    real = many.Session._hand_out

    def failing(self, lines, report):
        for watch in self.watches:
            if watch.name == "statue":
                watch.feed.take = lambda *_, **__: 1 / 0
        return real(self, lines, report)

    monkeypatch.setattr(many.Session, "_hand_out", failing)
    about, code, err = town()
    assert code == 8 and "statue: no longer watched: division by zero" in err
    expected = states()
    for name in ("town hall", "church", "school"):
        assert tuple(about[name]["state"].values()) == expected[name]


def test_a_log_that_is_refused_does_not_stop_the_others(town):
    town()
    about, code, err = town(TOWN.replace("mass = 40e3", "mass = 41e3"))
    assert code == 8 and set(about) == {"statue", "church", "school"}
    words = " ".join(err.split())
    assert "town hall is not watched" in words and "mass is 40000 there and 41000 here" in words


def test_a_source_that_cannot_be_opened_does_not_stop_the_others(town, monkeypatch):
    """Its port is taken; until it is free."""
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    text = TOWN.replace('follow = "hill.csv"', f'listen = ":{port}"')
    monkeypatch.setattr(many, "AGAIN", 0.05)
    real, tell, said = Watch.tick, cli_many._report_unopened, threading.Event()

    def report_unopened(buildings, told):
        tell(buildings, told)
        if told:
            said.set()

    def tick(self, position, raised):
        if self.name == "town hall" and self.monitor.samples == 600:
            said.wait(30)
            taken.close()
        return real(self, position, raised)

    monkeypatch.setattr(cli_many, "_report_unopened", report_unopened)

    monkeypatch.setattr(Watch, "tick", tick)
    about, code, err = town(text)
    assert code == 4 and "hill cannot be opened" in " ".join(err.split())
    assert tuple(about["statue"]["state"].values()) == states()["statue"]
    assert about["church"]["status"] == "no samples"


def test_a_bad_sensor_is_its_buildings_own(town):
    bad = square().splitlines(keepends=True)
    for i in range(100, 400):
        time, _, y, z = bad[i].split(",")
        bad[i] = f"{time},ERR,{y},{z}"
    Path("square.csv").write_text("".join(bad))
    about, _, _ = town()
    assert tuple(about["statue"]["state"].values()) == states()["statue"]
    assert not about["town hall"]["certain"] and about["town hall"]["counts"]["outages"] == 1
    assert about["statue"]["certain"]


def test_standard_input_with_channels(town):
    text = TOWN.replace('follow = "hill.csv"', "stdin = true").replace(
        'dt = 0.01\npatience = 0.2\n\n[[buildings]]', "dt = 0.01\n\n[[buildings]]"
    )  # fmt: skip
    about, _, _ = town(text, stdin=hill())
    assert {name: tuple(one["state"].values()) for name, one in about.items()} == states()
    again, _, _ = town(text, stdin=hill())  # the same file again: it is known
    assert again == about


def test_a_block_of_any_theory_shares_a_process(town):
    """Compiled before the threads begin; none of them runs a parallel loop."""
    text = TOWN
    for i, theory in enumerate(("RigidBodySpring", "Housner")):
        text += f"""
[[buildings]]
name = "statue {i}"
source = "square"
a_h = "y"
body = {{ kind = "Block", height = 1.8, width = 0.5 }}
formulation = {{ name = "{theory}" }}
"""
    about, code, _ = town(text)
    assert code == 4 and len(about) == 6


# -- the file -------------------------------------------------------------------------------------


def test_the_example_is_whole(tmp_path, capsys):
    with pytest.raises(SystemExit):
        get_command(cli.app).main(["monitor", "--example"], prog_name="rocksteady")
    text = capsys.readouterr().out
    assert text == example()
    (tmp_path / "town.toml").write_text(text)
    town = read_config(tmp_path / "town.toml")
    assert list(town.settings) == ["town hall", "statue", "church"]
    for line in text.splitlines():  # what is commented out is right, too
        stripped = line.removeprefix("# ")
        if stripped != line and " = " in stripped and not stripped.startswith(" "):
            (tmp_path / "town.toml").write_text(text.replace(line, stripped))
            read_config(tmp_path / "town.toml")


def test_the_file_in_the_documents_is_right(tmp_path):
    page = Path(__file__).parents[2] / "docs" / "monitor.md"
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "town.toml").write_text(text)
    assert list(read_config(tmp_path / "town.toml").settings) == ["town hall", "statue"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('logs = "logs"', "", "logs: this is missing"),
        ('logs = "logs"', 'logs = "logs"\nlog = 1', "log = 1: this key is not known here; did you"),
        ("dt = 0.01", "dt = -1", r"line 11: sources.0.dt = -1: it must be greater than 0"),
        ('name = "hill"', 'nme = "hill"', "sources.1.nme = 'hill': this key .* did you mean name"),
        ("dt = 0.01", 'dt = "fast"', "sources.0.dt = 'fast': a number is needed"),
        ('unit = "g"', 'unit = "feet"', "not a unit of acceleration"),
        ('follow = "square.csv"', "", "give one of follow"),
        (
            'source = "hill"\nchannel = "N"',
            'source = "hil"',
            "'hil' is not a source: choose from square, hill",
        ),
        ('channel = "N"\n', "", "say which channel it is: hill has the columns channel,time"),
        ('"time,x,y,z"', '"time,x,x,z"', "'time,x,x,z': each needs a name, and no name twice"),
        ('"time,x,y,z"', '"time,x,,z"', "'time,x,,z': each needs a name"),
        ('a_h = "x"', 'a_h = "w"', "a_h = 'w': square has the columns time,x,y,z"),
        ('a_h = "x"\n', "", "a_h = 'a_h': square has the columns time,x,y,z"),
        ('a_h = "x"', 'a_h = "x"\na_v = "up"', "a_v = 'up': square has the columns time,x,y,z"),
        ("mass = 40e3", "mass = -1", r"buildings.0 \(town hall\): .*mass"),
        ("drift = 1e-4", "rust = 1", "'rust' cannot be watched"),
        ('name = "Housner"', 'name = "Masonry"', "Masonry moves a MasonryBuilding"),
        ('name = "statue"', 'name = "town hall"', "two have this name"),
        ('name = "statue"', 'name = "../statue"', "its log is a folder of that name"),
        ('[[buildings]]\nname = "town hall"', '[buildings]\nname = "town hall"', "TOML|double"),
    ],
)
def test_errors_name_the_line_and_the_key(old, new, sentence, tmp_path):
    assert old in TOWN
    (tmp_path / "town.toml").write_text(TOWN.replace(old, new, 1))
    with pytest.raises(InputError, match=sentence):
        read_config(tmp_path / "town.toml")


def test_options_beside_the_file_are_refused(capsys, tmp_path):
    (tmp_path / "town.toml").write_text(TOWN)
    words = ["monitor", "--config", str(tmp_path / "town.toml"), "--dt", "0.01"]
    with pytest.raises(SystemExit) as stop:
        get_command(cli.app).main(words, prog_name="rocksteady")
    assert stop.value.code == 2 and "write --dt into the file" in capsys.readouterr().err


def test_every_hook_of_a_building_is_its_own(tmp_path):
    text = TOWN.replace(
        '[[sources]]\nname = "square"', '[hooks]\ncommand = "a"\n\n[[sources]]\nname = "square"'
    ).replace('channel = "N"', 'channel = "N"\nhooks = { webhook = "http://127.0.0.1:1/x" }')
    (tmp_path / "town.toml").write_text(text)
    settings = read_config(tmp_path / "town.toml").settings
    assert list(settings["statue"].hooks.senders()) == ["command"]
    assert list(settings["church"].hooks.senders()) == ["webhook"]
    assert (
        config.EXAMPLE and saved_state(tmp_path / "logs" / "statue") is None
    )  # reading begins nothing


@pytest.mark.parametrize(
    ("given", "waits"), [(None, [21.0, 13.0, 5.0, 0.5]), (9.0, [9.0, 1.0, 0.5, 0.5])]
)
def test_all_buildings_share_the_time_for_their_last_messages(given, waits, monkeypatch):
    """As long as the slowest hook needs, since all work at once; each takes 8 s of it here, and has
    half a second at least."""
    clock, asked = SimpleNamespace(now=100.0), []

    def close(grace):
        asked.append(grace)
        clock.now += 8.0
        return 2

    monkeypatch.setattr(many, "time", SimpleNamespace(monotonic=lambda: clock.now))
    boxes = [SimpleNamespace(needs=11.0), None, SimpleNamespace(needs=21.0), None]
    watches = [SimpleNamespace(outbox=box, close=close) for box in boxes]
    assert many.ManyBuildings.close(SimpleNamespace(watches=watches), given) == 8
    assert asked == waits


class Listener:
    """A building that only writes down what it is given."""

    def __init__(self, position, known):
        self.position, self.heard, self.broken = position, list(known), []

    def start(self):
        pass

    def commit(self, position):
        self.position = position

    def tick(self, position, raised):
        self.position = position()

    def take(self, lines):
        self.heard += lines.column("a_h").tolist()
        return ()

    def interrupted(self, piece, *, torn, timed):
        self.broken.append((piece.why, torn, timed))

    def finish(self):
        pass


@settings(max_examples=60)
@given(
    read=st.lists(st.integers(0, 30), min_size=1, max_size=4),
    edges=st.lists(st.integers(0, 200), max_size=6),
)
def test_each_building_joins_where_it_stopped_reading(read, edges):
    """After a crash some have read more lines of a file than others."""
    lines = [f"{k}.5\n".encode() for k in range(30)]
    listeners, offsets = [], []
    for count in read:
        reader = LineReader(("a_h",))
        reader.read(b"".join(lines[:count]))
        listeners.append(Listener(reader.to_dict(), np.arange(count) + 0.5))
        offsets.append(reader.bytes)
    session = Session.at_positions(listeners, offsets)
    assert {id(each) for each in session.all_watches} == {id(each) for each in listeners}
    rest = b"".join(lines)[min(offsets) :]
    cuts = sorted({min(edge, len(rest)) for edge in edges})
    pieces = [rest[a:b] for a, b in zip([0, *cuts], [*cuts, len(rest)], strict=True)]
    session.run(iter(pieces), lambda watch, raised: None)
    session.finish(lambda watch, raised: None)
    for each in listeners:
        assert each.heard == [k + 0.5 for k in range(30)]
        if each in session.watches:  # all but those that had read everything, when nothing came
            assert each.position["bytes"] == len(b"".join(lines))


def test_who_has_not_joined_when_a_file_is_replaced_joins_the_new_one():
    """What it has read is gone with the old file; an incomplete line of it is dropped."""
    known = LineReader(("a_h",))
    known.read(b"1\n2\n")
    behind, ahead = Listener(known.to_dict(), []), Listener({}, [])
    session = Session.at_positions([behind, ahead], [4, 100])
    new = [b"3\n4", Break("rotated"), b"5\n", b"6", Break("disconnected"), b"7\n", SILENT, b"8\n"]
    session.run(iter(new), lambda watch, raised: None)
    assert (behind.heard, ahead.heard) == ([3.0, 5.0, 7.0], [5.0, 7.0])
    assert session.ended == "silent" and session.reader.bytes == len(b"5\n7\n")
    assert behind.broken == [("rotated", True, False), ("disconnected", True, False)]
    assert ahead.broken == behind.broken


@pytest.mark.slow
def test_many_buildings_killed_at_random_goes_on_bit_for_bit(tmp_path):
    """kill -9, the same command again, and so on: as if nothing had happened, and every alarm told
    at least once."""
    a_h = 0.04 * np.random.default_rng(2).standard_normal(60_000)
    a_h[:300] *= 15
    lines = [f"{i * DT:.2f},{a!r}\n" for i, a in enumerate(a_h.tolist())]
    (tmp_path / "samples.csv").write_text("".join(lines))
    text = 'logs = "LOGS"\nsync = 0\nhooks.command = "echo $ROCKSTEADY_ID >> LOGS.told"\n'
    text += '[[sources]]\nname = "s"\nfollow = "samples.csv"\ndt = 0.01\npatience = 1\n'
    for i in range(3):
        text += f'[[buildings]]\nname = "{i}"\nsource = "s"\nalarms = {{ drift = [1e-4, 1e-3] }}\n'
        text += (
            f'body = {{ kind = "MasonryBuilding", preset = "casalotti2025", mass = {4 + i}0e3 }}\n'
        )
    for logs in ("alone", "killed"):
        (tmp_path / f"{logs}.toml").write_text(text.replace("LOGS", logs))
    call = [sys.executable, "-m", "rocksteady", "monitor", "-q", "--config"]
    subprocess.run([*call, tmp_path / "alone.toml"], cwd=tmp_path, check=False)
    seed = random.SystemRandom().randrange(10**6)
    chance = random.Random(seed)

    def durable() -> int:
        known = [saved_state(tmp_path / "killed" / str(i)) for i in range(3)]
        return max(about["durable"]["samples"] if about else 0 for about in known)

    for _ in range(6):
        goal = durable() + chance.randrange(1, 9000)
        process = subprocess.Popen([*call, tmp_path / "killed.toml"], cwd=tmp_path)
        end = time.monotonic() + 120
        while process.poll() is None and durable() < goal and time.monotonic() < end:
            time.sleep(0.002)
        time.sleep(0.01 * chance.random())
        process.kill()
        process.wait()
    subprocess.run([*call, tmp_path / "killed.toml"], cwd=tmp_path, check=False)
    for i in range(3):
        for name in ("state.json", "log.jsonl", "history.jsonl"):
            ours, theirs = (tmp_path / logs / str(i) / name for logs in ("killed", "alone"))
            assert ours.read_bytes() == theirs.read_bytes(), f"{name} of {i}, seed {seed}"
    told = {logs: (tmp_path / f"{logs}.told").read_text().split() for logs in ("alone", "killed")}
    assert set(told["killed"]) == set(told["alone"]) and len(told["alone"]) == 6
