"""Small records that stand in for real ones, which lie beside this repository and not in it.

`make` lays a folder out as the real one is: a folder for each network, an index with the peak of
every component, a page of prose. What it writes by itself it writes without the package's help; the
other formats are the hand-made files in ``tests/data``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

DATA = Path(__file__).parent / "data"
G = 9.80665

# Where the real ones are, if they are
RECORDS = Path(__file__).parents[2] / "shared" / "records"
MORE_RECORDS = Path(__file__).parents[2] / "shared" / "more_records"

# What the hand-made files hold [g]; a second component is -2 times it, a third one half.
WAVE = 0.001 * np.sin(0.7 * np.arange(23)) * np.arange(1, 24)

# In AT2/: one component with a pulse, a pair with it across, a strong one without, with their UP
PULSE = "AT2/GEN1_PULSE228.AT2"
ALONG, ACROSS, UP = "AT2/GEN2_FAULT140.AT2", "AT2/GEN2_FAULT230.AT2", "AT2/GEN2_FAULT-UP.AT2"
STRONG = "AT2/GEN3_STRONG000.AT2"
PULSE_PERIOD, PULSE_VELOCITY, PULSE_TIME = 1.2, 1.5, 2.5  # s, m/s, s: what PULSE holds
FAULT_PERIOD = 4.5  # s, of the pulse in ACROSS


class Row(NamedTuple):
    """A component in the index: the peak is in ``units``."""

    file: str
    format: str
    component: str
    units: str
    dt: float
    npts: int
    peak: float
    vertical: bool = False


# -- ground ----------------------------------------------------------------------------------------


def noise(seed: int, npts: int, dt: float, pga: float, width: float = 0.1) -> np.ndarray:
    """Shaking [m/s²] that grows and fades: noise smoothed over ``width`` [s]."""
    rng = np.random.default_rng(seed)
    window = np.hanning(round(width / dt) + 2)
    x = np.linspace(0, 1, npts)
    bell = (x / 0.2 * np.exp(1 - x / 0.2)) ** 2 * np.sin(np.pi * x) ** 0.5
    velocity = np.convolve(rng.standard_normal(npts), window, "same") * bell
    accel = np.gradient(velocity, dt)
    return np.asarray(accel * pga / np.abs(accel).max())


def pulse(npts: int, dt: float, velocity: float, period: float, centre: float) -> np.ndarray:
    """Acceleration [m/s²] of a velocity pulse of 1.5 cycles (Mavroeidis and Papageorgiou 2003)."""
    gamma, t = 1.5, np.arange(npts) * dt - centre
    bell = 0.5 * (1 + np.cos(2 * np.pi * t / (gamma * period)))
    v = np.where(np.abs(t) <= gamma * period / 2, bell * np.cos(2 * np.pi * t / period), 0.0)
    return np.asarray(np.gradient(velocity * v, dt))


# -- files -----------------------------------------------------------------------------------------


def in_rows(values: Iterable[float], layout: str, width: int) -> str:
    cells = [format(value, layout) for value in values]
    rows = (cells[i : i + width] for i in range(0, len(cells), width))
    return "\n".join("".join(row) for row in rows) + "\n"


def at2(path: Path, accel: np.ndarray, dt: float, component: str) -> Row:
    """PEER's AT2, in g with seven digits."""
    head = f"PEER STRONG MOTION DATABASE RECORD\nNowhere, 1/2/1999, Generated, {component}\n"
    head += f"ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {accel.size:6d}, DT= {dt:.4f} SEC\n"
    path.write_text(head + in_rows(accel / G, "15.7E", 5))
    peak = float(np.abs(accel).max()) / G
    return Row(path.name, "AT2", component, "g", dt, accel.size, peak, component == "UP")


def knet(path: Path, accel: np.ndarray, direction: str, station: str) -> Row:
    """K-NET and KiK-net, at 100 Hz in counts that have an offset; the header has the peak."""
    scale = 3920 / 6182761  # gal
    counts = np.round(accel * 100 / scale).astype(int) + 41272
    gal = (counts - counts.mean()) * scale
    peak = float(np.abs(gal).max())
    path.write_text(
        "Origin Time       1999/01/02 12:31:00\nLat.              36.213\n"
        "Long.             137.943\nDepth. (km)       5\nMag.              5.2\n"
        f"Station Code      {station}\nStation Lat.      36.3824\nStation Long.     137.8201\n"
        "Station Height(m) 615\nRecord Time       1999/01/02 12:31:30\nSampling Freq(Hz) 100Hz\n"
        f"Duration Time(s)  {accel.size // 100}\nDir.              {direction}\n"
        f"Scale Factor      3920(gal)/6182761\nMax. Acc. (gal)   {peak:.3f}\n"
        "Last Correction   1999/01/02 12:31:30\nMemo.             generated\n"
        + in_rows(counts, "9d", 8)
    )
    up = direction in ("U-D", "3", "6")
    return Row(path.name, "K-NET", direction, "gal", 0.01, accel.size, peak, up)


def simbad(path: Path, accel: np.ndarray, dt: float, direction: str) -> Row:
    """SIMBAD, in m/s² with eight digits."""
    peak = float(np.abs(accel).max())
    path.write_text(
        "Event Date & Time             : 1999-01-02 12:31:00\n"
        "Station Code / Name           : 7 / Generated, Nowhere\n"
        f"Network                       : HM (Made)\nOrientation                   : {direction}\n"
        "Processing Info               : None.\nFilter Cut-off Frequency (Hz) : 0.100 - 40.000\n"
        f"Time Increment (s)            : {dt}\nNumber of Data                : {accel.size}\n"
        f"PGA (m/s/s)                   : {peak:.7E}\nAccelaration time series in m/s/s\n"
        + in_rows(accel, "14.7E", 5)
    )
    return Row(path.name, "SIMBAD", direction, "m/s2", dt, accel.size, peak, direction == "UP")


def bbp(path: Path, three: list[np.ndarray], dt: float) -> list[Row]:
    """The Broadband Platform's table, in cm/s²."""
    names = ("N-S", "E-W", "U-D")
    rows = [f"# station= {path.stem}", "# units= cm/s/s"]
    rows += ["#    time(sec)   " + "   ".join(f"{name}(cm/s/s)" for name in names)]
    for i, row in enumerate(zip(*three, strict=True)):
        rows.append(f"{i * dt:.6e}   " + "   ".join(f"{100 * a:.6e}" for a in row))
    path.write_text("\n".join(rows) + "\n")
    return [
        Row(path.name, "BBP", name, "cm/s2", dt, one.size, 100 * np.abs(one).max(), name == "U-D")
        for name, one in zip(names, three, strict=True)
    ]


# Hand-made files by folder: format, step [s], and of each component its name and its factor
HAND_MADE: dict[str, tuple[str, float, dict[str, float]]] = {
    "COSMOS/hand_made.V1C": ("COSMOS", 0.01, {"360": 1, "Up": -2}),
    "COSMOS/hand_made.V2c": ("COSMOS", 0.005, {"HNZ": 1}),
    "DMG/hand_made.RAW": ("DMG", 0.005, {"90": 1, "Up": -2}),
    "ESM/hand_made.ASC": ("ESM", 0.005, {"HNE": 1}),
    "GEONET/hand_made.V2A": ("GEONET", 0.02, {"S16W": 1, "Up": -2}),
    "MSEED/hand_made.mseed": ("miniSEED", 0.005, {"HNE": 1, "HNZ": -2}),
    "SAC/hand_made.sac": ("SAC", 0.005, {"HNE": 1}),
    "SMC/hand_made.smc": ("SMC", 0.005, {"133": 1}),
}


def hand_made(folder: Path) -> list[Row]:
    rows = []
    for name, (form, dt, components) in HAND_MADE.items():
        place = folder / name
        place.parent.mkdir(exist_ok=True)
        shutil.copy(DATA / place.name, place)
        wave = WAVE - WAVE.mean() if form in ("miniSEED", "SAC") else WAVE  # bare sensors
        peak = float(np.abs(wave).max())
        rows += [
            Row(name, form, word, "g", dt, WAVE.size, abs(factor) * peak, word in ("Up", "HNZ"))
            for word, factor in components.items()
        ]
    shutil.copy(DATA / "hand_made.xml", folder / "MSEED")
    return rows


# -- the folder ------------------------------------------------------------------------------------


def make(folder: Path) -> list[Row]:
    """Lay out the folder; the rows of its index, in its order."""
    for name in ("AT2", "BBP", "KIKNET", "KNET", "SIMBAD", "plain"):
        (folder / name).mkdir(parents=True)
    weak = [noise(seed, 2000, 0.01, 1.0) for seed in range(10, 14)]
    first = pulse(2000, 0.01, PULSE_VELOCITY, PULSE_PERIOD, PULSE_TIME) + noise(1, 2000, 0.01, 2.0)
    across = pulse(4000, 0.01, 0.8, FAULT_PERIOD, 8.0) + noise(2, 4000, 0.01, 1.0)
    rows = [
        at2(folder / PULSE, first, 0.01, "228"),
        at2(folder / ALONG, noise(3, 4000, 0.01, 2.0), 0.01, "140"),
        at2(folder / ACROSS, across, 0.01, "230"),
        at2(folder / UP, noise(4, 4000, 0.01, 1.0), 0.01, "UP"),
        at2(folder / STRONG, noise(22, 1500, 0.02, 5.0, 0.4), 0.02, "0"),
        *bbp(folder / "BBP/generated.bbp", weak[:3], 0.01),
        *bbp(folder / "BBP/copied.bbp", [weak[0], weak[1], weak[0]], 0.01),
        knet(folder / "KIKNET/GENH019901021231.EW1", weak[1], "2", "GENH01"),
        knet(folder / "KIKNET/GENH019901021231.EW2", weak[2], "5", "GENH01"),
        knet(folder / "KIKNET/GENH019901021231.UD2", weak[3], "6", "GENH01"),
        knet(folder / "KNET/GEN0019901021231.EW", weak[0], "E-W", "GEN001"),
        knet(folder / "KNET/GEN0019901021231.NS", weak[1], "N-S", "GEN001"),
        knet(folder / "KNET/GEN0019901021231.UD", weak[2], "U-D", "GEN001"),
        simbad(folder / "SIMBAD/generated_H1_trim.cor.acc", weak[0], 0.01, "NS"),
        simbad(folder / "SIMBAD/generated_H2_trim.cor.acc", weak[1], 0.01, "WE"),
        simbad(folder / "SIMBAD/generated_V_trim.cor.acc", weak[2], 0.01, "UP"),
    ]
    places = {path.name: path.relative_to(folder).as_posix() for path in folder.glob("*/*")}
    rows = [row._replace(file=places[row.file]) for row in rows] + hand_made(folder)
    (folder / "plain/column.txt").write_text(in_rows(weak[0] / G, "12.6f", 1))
    peak = float(np.abs(weak[0]).max()) / G
    rows.append(Row("plain/column.txt", "plain", "", "g", 0.005, weak[0].size, peak))
    lines = ["\t".join(("file", "format", "component", "units", "dt", "npts", "PGA"))]
    lines += ["\t".join(map(str, row[:-1])) for row in rows]
    lines.append("MSEED/hand_made.xml\tStationXML\t\t\t\t\t")
    (folder / "INDEX.tsv").write_text("\n".join(lines) + "\n")
    (folder / "README.md").write_text("Generated records: they stand in for real ones.\n")
    return rows
