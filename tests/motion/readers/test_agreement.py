"""What a header states twice (peak, step, duration, number) must agree, or it is refused."""

from __future__ import annotations

import math
import random
import re
import struct
from pathlib import Path

import numpy as np
import pytest

import standins
from rocksteady.errors import MotionFormatError
from rocksteady.motion import Motion, read_motion
from rocksteady.motion.writers import write_motion

DATA = Path(__file__).parents[2] / "data"
N = rb"([-+]?(?:\d+\.?\d*|\.\d+)(?:E[-+]?\d+)?)"
# Numbers of headers that the rest of the file repeats: peaks, steps, rates, durations and counts
STATED = [
    rb"Max\. Acc\. \(gal\) +" + N, rb"Sampling Freq\(Hz\) +" + N, rb"Duration Time\(s\) +" + N,
    rb"Scale Factor +" + N, rb"\(gal\)/" + N,
    rb"Time Increment \(s\) +: +" + N, rb"Number of Data +: +" + N, rb"PGA \(m/s/s\) +: +" + N,
    rb"PGA_CM/S\^2: +" + N, rb"NDATA: +" + N,
    rb"PGA= +" + N, rb"NPTS= +" + N,
    rb"No\. of Points = +" + N, rb"Record Length = *" + N, rb"\n +" + N + rb" Accelerogram points",
    rb"points at " + N + rb" pts/sec", rb"Max += +-?" + N + rb" g,",
    rb"\n +" + N + rb" +acceleration pts",
    rb"Number of points +" + N, rb"Duration " + N + rb" sec", rb"data at " + N + rb" sec interv",
    rb"Acceleration: +peak +" + N,
    rb"NO\. OF POINTS = +" + N, rb"DURATION = +(78\.080)", rb"\n  (\.200000E\+03)",
    rb"RecordLength\(sec\): " + N, rb"SampleRate\(Hz\): " + N,
    rb"AmplitudeMAX\. [UNE]: +[-\d.]+~ +(-0\.837|-2\.273)", rb"AmplitudeMAX\. E: +" + N,
    rb"NUMBER OF DATA +: " + N, rb"\((?:N-S|E-W|U-D)\) " + N,
    rb"INTERVALO DE MUESTREO, C1-C6 \(s\) +: /" + N, rb"VEL\. DE MUESTREO[^:]*: /" + N,
    rb"DURACION[^:]*: /" + N, rb"NUM\. TOTAL[^:]*: /" + N, rb"ACEL\. MAX\.\(Gal\)[^:]*: /" + N,
    rb"\n +" + N + rb" POINTS OF ACC DATA", rb"SPACED AT +" + N, rb"INTERVALS OF +" + N,
    rb"PEAK ACCELERATION = +" + N, rb"UNCOR ACCEL[^\n]*MAX += +" + N,
    rb"(0\.2000000E\+03)  0\.37", rb"\n +(7183|7165|7184) ",
    rb"(-?0\.(?:2225|2723|8452)\d*E\+0[23])",
    rb"  +(5\.000000) +(?:67|210)\.0", rb"5\.000000 +(67\.000000|210\.000000)",
    rb"(-?\d*\.\d+) +(?:31\.575|30\.085|32\.075|76\.215)000",
]  # fmt: skip
# Stated by the step alone, or added up to by it
STEPS = [
    rb"SAMPLING_INTERVAL_S: +" + N,
    rb"DURATION_S: +" + N,
    rb"TIME_PGA_S: +" + N,
    rb"DT= +" + N,
]
UNITS = [
    (rb"time series in m/s/s", rb"time series in cm/s/s"), (rb"UNITS: cm/s\^2", b"UNITS: m/s^2"),
    (rb"IN UNITS OF G", b"IN UNITS OF CM/S/S"), (rb"in units of g\.", b"in units of cm/s/s."),
    (rb"units=g\.", b"units=cm/sec2"), (rb"units=cm/sec2", b"units=g."),
    (rb"DE LOS DATOS +: Gal", b"DE LOS DATOS : g"), (rb"UNITS CM/SEC/SEC", b"UNITS MM/SEC/SEC"),
    (rb"mm/s/s at", b"cm/s/s at"),
]  # fmt: skip
# Records whose headers repeat what their numbers say, and by how much the last digit of a printed
# peak lets one differ from it
RECORDS = {
    "KNET/AOM0081801241951.EW": 0, "KNET/test.knet": 0, "KIKNET/NGNH351106302345.EW1": 0,
    "KIKNET/NGNH351106302345.NS2": 0, "SIMBAD/LAquila_16837_H1_trim.cor.acc": 0,
    "SIMBAD/LAquila_16833_V_trim.cor.acc": 0, "ESM/HI.ARS1..HNE.D.20190728.160908.C.ACC.ASC": 0,
    "ESM/HI.ARS1..HNZ.D.20190728.160908.C.ACC.ASC": 0, "AT2/IMPVALL79_ElCentroArray4_140.AT2": 0,
    "AT2/IMPVALL79_ElCentroArray4_230.AT2": 0, "COSMOS/CE23837.V1C": 0,
    "COSMOS/us1000hyfh_akbmrp_AKBMR--n.1000hyfh.BNZ.--.acc.V2c": 0, "DMG/CICCC.RAW": 0,
    "SMC/np01002p_4225a_a.smc": 0, "SMC/np01002p_4225b_a.smc": 0, "SMC/np01002p_4225c_a.smc": 0,
    "GEONET/20180212_211557_WPWS_20.V2A": 0,
    "CWA/cwa_1-EAS.dat": 0, "NSMN/nsmn_0921.txt": 0, "UNAM/unam_CUP50401.012": 0.011,
    "USC/usc_017m30bt.s0a": 0, "DMG/dmg_LA116TH.RAW": 0.017, "RENADIC/renadic_copiapo.v1": 0.125,
    "BHRC/bhrc_5520-1.V1": math.inf,  # which states no peak
}  # fmt: skip


def motions(path: Path) -> list[Motion]:
    found = read_motion(path)
    return list(found.values()) if isinstance(found, dict) else [found]


def printed_like(token: bytes, value: float) -> bytes:
    """A number in the width and with the decimals of another."""
    text = token.decode()
    mantissa, letter, _ = text.upper().partition("E")
    decimals = len(mantissa.partition(".")[2])
    new = f"{value:.{decimals}{'E' if letter else 'f'}}" if "." in text else f"{value:.0f}"
    return new.rjust(len(text)).encode()


def factor(draw: random.Random) -> float:
    """Some per cent or a power of ten, up or down."""
    return math.exp(draw.choice((-1, 1)) * draw.uniform(math.log(1.02), math.log(20)))


def data_lines(lines: list[bytes]) -> list[int]:
    numbers = re.compile(rb"[-+.\deE \t]*\d[-+.\deE \t]*\r?")
    return [i for i in range(len(lines) // 8, len(lines)) if numbers.fullmatch(lines[i])]


def mutated(raw: bytes, draw: random.Random, peak: bool) -> tuple[str, bytes]:
    """The file with one fault, and what it is."""
    kind = draw.choice(("header", "header", "header", "unit", "sample", "cut", "double"))
    if kind == "header":
        places = [m for p in STATED + STEPS for m in re.finditer(p, raw) if m.lastindex]
        match = draw.choice(places)
        changed = printed_like(match[1], float(match[1]) * factor(draw))
        what = f"{match[0].strip().decode('latin-1')} -> {changed.decode()}"
        return what, raw[: match.start(1)] + changed + raw[match.end(1) :]
    if kind == "unit":
        places_of = [(match, new) for old, new in UNITS for match in re.finditer(old, raw)]
        if places_of:
            match, new = draw.choice(places_of)
            return f"{match[0]!r} -> {new!r}", raw[: match.start()] + new + raw[match.end() :]
    lines = raw.split(b"\n")
    rows = data_lines(lines)
    if kind == "cut" or (kind == "sample" and not peak):
        begin = draw.randrange(len(rows))
        end = min(begin + draw.randrange(1, 1 + len(rows) // 2), len(rows))
        del lines[rows[begin] : rows[end - 1] + 1]
    elif kind == "double":
        begin = draw.randrange(len(rows))
        lines[rows[begin] : rows[begin]] = lines[rows[begin] : rows[begin] + 1 + len(rows) // 9]
    else:
        row = draw.choice(rows)
        tokens = list(re.finditer(rb" *[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?", lines[row]))
        token = draw.choice(tokens)
        largest = max(
            abs(float(t))
            for t in re.findall(
                rb"[-+]?\d*\.\d+(?:E[-+]?\d+)?|\d+", b" ".join(lines[i] for i in rows[::7])
            )
        )
        new = printed_like(token[0], draw.choice((-1, 1)) * largest * draw.uniform(1.05, 30))
        lines[row] = lines[row][: token.start()] + new + lines[row][token.end() :]
        return f"line {row + 1}: {token[0].decode()} -> {new.decode()}", b"\n".join(lines)
    return kind, b"\n".join(lines)


def wrongly_accepted(tmp_path: Path, count: int, seed: int) -> list[str]:
    """Files with one fault that were read with another peak, step or length."""
    draw, wrong = random.Random(seed), []
    files = {
        path: coarse
        for name, coarse in RECORDS.items()
        for path in (standins.RECORDS / name, standins.MORE_RECORDS / name)
        if path.is_file()
    }
    good: dict[Path, list[Motion]] = {}
    for _ in range(count):
        path = draw.choice(list(files))
        good[path] = good.get(path) or motions(path)
        what, raw = mutated(path.read_bytes(), draw, math.isfinite(files[path]))
        copy = tmp_path / path.name
        copy.write_bytes(raw)
        try:
            found = motions(copy)
        except MotionFormatError:
            continue
        allowed = 0.01 + min(files[path], 1)
        if len(found) != len(good[path]) or any(
            abs(one.pga / was.pga - 1) > allowed
            or abs(one.dt / was.dt - 1) > 0.01
            or abs(one.npts / was.npts - 1) > 0.01
            for one, was in zip(found, good[path], strict=True)
        ):
            wrong.append(f"{path.name}: {what}")
    return wrong


@pytest.mark.usefixtures("records", "more_records")
def test_records_with_one_fault(tmp_path: Path) -> None:
    assert wrongly_accepted(tmp_path, 25, 1) == []


@pytest.mark.slow
@pytest.mark.usefixtures("records", "more_records")
def test_many_records_with_one_fault(tmp_path: Path) -> None:
    assert wrongly_accepted(tmp_path, 400, 22) == []


# -- one contradiction at a time, in small files -------------------------------------------------

CONTRADICTIONS = [
    ("hand_made.cor.acc", b": 0.005", b": 0.085", "line 7: .*passes 50 Hz: the step must"),
    ("hand_made.cor.acc", b": 0.005", b": 0.004", r"\(250 samples per second\), which is un"),
    ("hand_made.cor.acc", b"2.0400533E-01", b"2.0700533E-01", "peak of 2.0700533E-01 m/s/s"),
    ("hand_made.ASC", b"_S: 0.005000", b"_S: 0.010000", "duration of 0.110000 s, but 23 samples"),
    ("hand_made.ASC", b"DURATION_S: 0.110000", b"DURATION_S: ", r"extreme of 20.4 at 0.2 s, but"),
    ("hand_made.ASC", b"20.400533", b"22.400533", r"line 40: .*peak of 22.400533 cm/s\^2"),
    ("hand_made.V1C", b"approx  0 secs", b"approx  7 secs", "duration of 7 s, but 23 samples"),
    ("hand_made.V1C", b"0.021 g", b"0.031 g", "line 11: .*peak of 0.031 g"),
    ("hand_made.RAW", b"at 200 pts", b"at 250 pts", r"duration of .115 s, .* 0.004 s last 0.092 s"),
    ("hand_made.V2", b"intervals of  .005", b"intervals of  .010", "two time steps, 0.005 s and"),
    ("hand_made.V2A", b"0.44 sec", b"0.88 sec", "duration of 0.88 s, but 23 samples"),
    ("hand_made.V2A", b"204.0 mm/s/s", b"214.0 mm/s/s", r"line 14: .*peak of 214.0 mm/s/s"),
    ("hand_made.V2A", b"204.0 mm/s/s", b"204.0 cm/s/s", "in cm/s/s, but velocities in mm/s"),
    ("hand_made_bhrc.V1", b"DURATION =    .115", b"DURATION =    .125", "of 0.005 s last 0.115"),
    ("hand_made_csmnc.dat", b"OF:  0.005", b"OF:  0.010", "duration of 0.115 s, but 23 samples"),
    ("hand_made_asa.012", b": /0.005", b": /0.004", "two time steps, 0.004 s and 0.005 s"),
    ("hand_made_asa.012", b"Gal (cm/s/s)", b"Gal (m/s/s)", "two units, 'Gal .m/s/s.'"),
    ("hand_made_exsim.acc", b"dt:  0.005", b"dt:  0.008", "two time steps, 0.005 s and 0.008 s"),
    ("hand_made_nsmn.txt", b": 0.005", b": 0.085", "which is unusual, and nothing else"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "stated", "other", "problem"), CONTRADICTIONS)
def test_a_small_file_that_contradicts_itself(
    tmp_path: Path, file: str, stated: bytes, other: bytes, problem: str
) -> None:
    raw = (DATA / file).read_bytes()
    assert stated in raw
    raw = raw.replace(stated, other, 1)
    if other == b"DURATION_S: ":  # then the time of the peak is all that confirms the step
        raw = raw.replace(b"TIME_PGA_S: 0.100000", b"TIME_PGA_S: 0.200000")
    path = tmp_path / file
    path.write_bytes(raw)
    with pytest.raises(MotionFormatError, match=problem):
        read_motion(path)


def test_a_step_that_the_caller_confirms(tmp_path: Path) -> None:
    path = tmp_path / "slow.cor.acc"
    path.write_bytes((DATA / "hand_made.cor.acc").read_bytes().replace(b": 0.005", b": 0.085"))
    with pytest.raises(MotionFormatError, match=r"If it is right, say dt=0\.085\."):
        read_motion(path)
    one = read_motion(path, dt=0.085)
    assert isinstance(one, Motion) and one.dt == 0.085
    with pytest.raises(MotionFormatError, match=r"but dt=0\.005 was given"):
        read_motion(path, dt=0.005)


@pytest.mark.parametrize(
    ("place", "form", "value", "problem"),
    [
        (0, "f", 0.01, "duration of 0.11 s, but 23 samples"),  # DELTA
        (2 * 4, "f", 1.0, "DEPMAX"),
        (1 * 4, "f", -9.0, "DEPMIN"),
        (6 * 4, "f", 0.5, "duration of 0.5 s"),  # E
        (316, "i", 20, "declares 20 samples, but 23 follow"),  # NPTS
    ],
)
def test_sac(tmp_path: Path, place: int, form: str, value: float, problem: str) -> None:
    pytest.importorskip("obspy")
    raw = bytearray((DATA / "hand_made.sac").read_bytes())
    assert isinstance(read_motion(DATA / "hand_made.sac", unit="m/s2"), Motion)
    step = struct.unpack_from("<f", raw, 0)[0]
    order = "<" if 0 < step < 1 else ">"
    samples = np.frombuffer(bytes(raw[632:]), f"{order}f4")
    for at, known in ((0, step), (1, samples.min()), (2, samples.max()), (5, 0.0), (6, 0.11)):
        struct.pack_into(f"{order}f", raw, 4 * at, known)
    path = tmp_path / "one.sac"
    path.write_bytes(raw)
    assert isinstance(read_motion(path, unit="m/s2"), Motion)
    struct.pack_into(order + form, raw, place, value)
    path.write_bytes(raw)
    with pytest.raises(MotionFormatError, match=problem):
        read_motion(path, unit="m/s2")


def test_speed_in_an_at2_header(tmp_path: Path) -> None:
    """PGV, where PGA is: the accelerations add up to it at the right step alone."""
    dt, samples = 0.005, np.sin(np.arange(400) * 0.05)
    speed = 100 * 9.80665 * 0.1 * dt * float(np.abs(np.cumsum(samples)).max())
    path = tmp_path / "one.AT2"
    rows = "\n".join(f"{0.1 * a: .7E}" for a in samples)

    def write(step: float) -> Path:
        path.write_text(
            "PEER\nSOMEWHERE, STATION, 90\nACCELERATION TIME HISTORY IN UNITS OF G,  "
            f"PGA=   .1000 G, PGV= {speed:8.4f} CM/SEC\nNPTS= 400, DT= {step} SEC\n{rows}\n"
        )
        return path

    one = read_motion(write(dt))
    assert isinstance(one, Motion) and one.pgv * 100 == pytest.approx(speed, rel=0.01)
    with pytest.raises(MotionFormatError, match=r"peak velocity of .* reach .*say dt=0.0051"):
        read_motion(write(0.0051))


# -- one sample alone -----------------------------------------------------------------------------


def test_a_sample_that_stands_alone(tmp_path: Path) -> None:
    values = 0.3 * np.sin(np.arange(400) * 0.1)
    path = tmp_path / "one.csv"

    def write(largest: float) -> Path:
        values[250] = largest
        rows = "".join(f"{0.01 * i:.2f},{a!r}\n" for i, a in enumerate(values.tolist()))
        path.write_text("time [s],a [m/s2]\n" + rows)
        return path

    assert isinstance(read_motion(write(-0.59)), Motion)
    with pytest.raises(
        MotionFormatError,
        match=r"sample 251 of component a, at 2.5 s, is -19.9 m/s², and no other is larger than",
    ):
        read_motion(write(-19.9))
    one = read_motion(path, any_peak=True)
    assert isinstance(one, Motion) and one.pga == 19.9
    write_motion(one, tmp_path / "kept.csv")  # which keeps that it was accepted
    again = read_motion(tmp_path / "kept.csv")
    assert isinstance(again, Motion) and again.pga == 19.9


@pytest.mark.usefixtures("records")
def test_el_centro_with_one_wrong_sample(tmp_path: Path) -> None:
    for name in ("IELC180.AT2", "ElCentro1940_NS_Peknold.AT2"):
        lines = (standins.RECORDS / "AT2" / name).read_text().split("\n")
        cells = lines[40].split()
        lines[40] = "  ".join([*cells[:2], "2.029235", *cells[3:]])  # 19.9 m/s²
        (tmp_path / name).write_text("\n".join(lines))
        with pytest.raises(MotionFormatError, match=r"is 19.9 m/s².*any_peak=True"):
            read_motion(tmp_path / name)
