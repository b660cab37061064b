"""Hazard curves from files of our own making; broken ones are refused with file, place and why."""

from __future__ import annotations

import json
import math
import re
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rocksteady as rs
from rocksteady.analysis.hazard import Hazard, poe_of_rate
from rocksteady.analysis.hazard.files import example_text
from rocksteady.errors import InputError
from rocksteady.specs import HazardSpec

LEVELS = [0.05, 0.1, 0.2, 0.4, 0.8]
RATES = [0.05, 0.02, 0.005, 0.001, 0.0001]


def openquake(levels=LEVELS, sites=None, years=50.0, imt="PGA", kind="mean") -> str:
    """As the engine exports it; ``sites``: longitude, latitude and rates of each."""
    comment = (
        "#,,,,,\"generated_by='OpenQuake engine 3.20.0', start_date='2026-01-01T00:00:00', "
        f"checksum=1234, kind='{kind}', investigation_time={years}, imt='{imt}'\""
    )
    heading = "lon,lat,depth," + ",".join(f"poe-{level:.7f}" for level in levels)
    rows = [
        f"{lon:.5f},{lat:.5f},0.00000," + ",".join(f"{p:.6E}" for p in poe_of_rate(rates, years))
        for lon, lat, rates in sites or [(13.4, 42.35, RATES)]
    ]
    return "\n".join([comment, heading, *rows]) + "\n"


def usgs(curves=None, old=False) -> str:
    """In the form of today, or in that of before; ``curves``: levels and rates by measure."""
    curves = curves or {"PGA": (LEVELS, RATES)}
    if old:
        response = [
            {
                "metadata": {"imt": {"value": imt, "display": imt}, "xvalues": xs, "vs30": 760},
                "data": [{"component": "Total", "yvalues": ys},
                         {"component": "Fault", "yvalues": [y / 3 for y in ys]}],
            }
            for imt, (xs, ys) in curves.items()
        ]  # fmt: skip
    else:
        response = {
            "metadata": {"server": "ours"},
            "hazardCurves": [
                {
                    "imt": {"value": imt, "display": imt},
                    "data": [
                        {"component": "Fault", "values": {"xs": xs, "ys": [y / 3 for y in ys]}},
                        {"component": "Total", "values": {"xs": xs, "ys": ys}},
                    ],
                }
                for imt, (xs, ys) in curves.items()
            ],
        }
    return json.dumps({"status": "success", "response": response}, indent=1)


@pytest.fixture
def read(tmp_path):
    def read(text, name="curve.csv", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Hazard.read(path, **options)

    return read


# -- what can be read ---------------------------------------------------------------------------


def test_openquake(read):
    found = read(openquake())
    assert found.levels == pytest.approx(LEVELS)
    assert found.rates == pytest.approx(RATES, rel=1e-5)  # six digits in the file
    assert found.measure.short == "PGA" and found.notes == () and found.name == "curve.csv"
    once = read(openquake(years=1.0))
    assert once.rates == pytest.approx(RATES, rel=1e-5)


def test_cells_in_quotation_marks(read):
    quoted = re.sub(r"^([\d.]+),([\d.]+),", r'"\1","\2",', openquake(), flags=re.MULTILINE)
    assert '\n"13.40000","42.35000",0.0' in quoted
    assert read(quoted, site=(13.4, 42.35)).rates == pytest.approx(RATES, rel=1e-5)


def test_the_engine_manuals_own_numbers(read):
    """poe 0.4553861 in one year at 0.1 g is a rate of 0.6076782; zeros end the curve."""
    text = (
        "#,,,,,\"generated_by='x', kind='mean', investigation_time=1.0, imt='PGA'\"\n"
        "lon,lat,depth,poe-0.1000000,poe-0.4000000,poe-0.6000000\n"
        "0.00000,0.00000,-0.10000,4.553861E-01,5.754043E-02,6.354517E-03\n"
        "0.10000,0.00000,-0.10000,1.522632E-01,3.000000E-02,0.000000E+00\n"
        "0.30000,0.00000,-0.10000,0.000000E+00,0.000000E+00,0.000000E+00\n"
    )
    first = read(text, site=(0, 0))
    assert first.rates[0] == pytest.approx(0.6076782, rel=1e-6)
    second = read(text, site=(0.11, 0.0))
    assert second.levels.tolist() == [0.1, 0.4]
    assert "From 0.6 g on the file gives a rate of zero: the curve ends at 0.4 g." in second.notes
    with pytest.raises(
        rs.InputError, match=r"curve.csv, line 5, column poe-0.1000000: two or more"
    ):
        read(text, site=(0.3, 0))


def test_the_nearest_site_and_how_far(read):
    sites = [(13.4, 42.35, RATES), (13.6, 42.35, [r / 2 for r in RATES]), (14.5, 43.0, RATES)]
    found = read(openquake(sites=sites), site=(13.55, 42.35))
    assert found.rates[0] == pytest.approx(RATES[0] / 2, rel=1e-5)
    away = 6371 * math.radians(0.05) * math.cos(math.radians(42.35))
    assert found.notes == (
        f"The nearest site of the hazard file, longitude 13.6, latitude 42.35, is {away:.1f} km "
        "away.",
    )
    assert "that is far" in read(openquake(sites=sites), site=(13.0, 42.35)).notes[0]
    with pytest.raises(rs.InputError, match=r"it has 3 sites, longitude 13.4 to 14.5, .*say which"):
        read(openquake(sites=sites))
    with pytest.raises(
        rs.InputError, match=r"site = 13.4 is no place: give longitude and latitude"
    ):
        read(openquake(sites=sites), site=13.4)
    with pytest.raises(rs.InputError, match=r"site = \(42, 130\) is no place"):
        read(openquake(sites=sites), site=(42, 130))


def test_other_measures_and_kinds_of_openquake(read):
    speed = read(openquake(levels=[1, 5, 20, 50, 100], imt="PGV"))
    assert speed.measure.unit == "m/s" and speed.levels == pytest.approx([0.01, 0.05, 0.2, 0.5, 1])
    spectral = read(openquake(imt="SA(0.3)"))
    assert spectral.measure.period == 0.3 and spectral.measure.unit == "g"
    assert (
        "of the kind 'quantile-0.84': a yearly rate asks for the mean"
        in read(openquake(kind="quantile-0.84")).notes[0]
    )
    old = re.sub(r"^#,+\"(.*)\"$", r"# \1", openquake(), flags=re.M).replace(
        "imt='PGA'", 'imt="PGA"'
    )
    assert read(old).rates == pytest.approx(RATES, rel=1e-5)


def test_certain_levels_say_no_rate(read):
    """Over a hundred years a weak level is exceeded for sure: a probability of 1 has no rate."""
    found = read(openquake(sites=[(0, 0, [5.0, 0.02, 0.005, 0.001, 0.0001])], years=100.0))
    assert found.levels.tolist() == LEVELS[1:]
    assert "Up to 0.05 g the file gives a probability of 1" in found.notes[0]


@pytest.mark.parametrize("old", [False, True])
def test_usgs_in_both_forms(read, old):
    found = read(usgs(old=old), "curve.json")
    assert found.levels.tolist() == LEVELS and found.rates.tolist() == RATES
    several = {"PGA": (LEVELS, RATES), "SA1P0": (LEVELS, [r / 2 for r in RATES]),
               "PGV": ([1, 10, 100], [0.1, 0.01, 0.0001])}  # fmt: skip
    text = usgs(several, old)
    assert read(text, measure="SA(1.0)").rates.tolist() == [r / 2 for r in RATES]
    assert read(text, measure="pgv").levels.tolist() == pytest.approx([0.01, 0.1, 1.0])
    with pytest.raises(rs.InputError, match=r"there are curves of PGA, SA\(1.0\), PGV: say which"):
        read(text)
    with pytest.raises(rs.InputError, match=r"a curve of SA\(2 s\) was expected, and there are"):
        read(text, measure="SA(2.0)")


@pytest.mark.parametrize(
    ("heading", "factor", "unit"),
    [
        ("pga [g],rate [1/year]", 1, "g"),
        ("PGA (g), annual rate", 1, "g"),
        ("pga [m/s2],rate", 9.80665, "g"),
        ("pga [cm/s²],rate", 980.665, "g"),
        ("pgv [cm/s],rate", 100, "m/s"),
        ("PGV,rate", 1, "m/s"),
        ("SA(1.0) [g],rate", 1, "g"),
        ("SA(0.3),rate", 1, "g"),
    ],
)
def test_plain_tables_with_units(read, heading, factor, unit):
    rows = "".join(f"{factor * x!r},{y!r}\n" for x, y in zip(LEVELS, RATES, strict=True))
    found = read(f"# a comment\n{heading}\n\n{rows}")
    assert found.levels == pytest.approx(LEVELS) and found.rates == pytest.approx(RATES)
    assert found.measure.unit == unit


def test_plain_tables_of_periods_and_probabilities(read):
    """As national codes give them: return periods; or probabilities in 50 years."""
    periods = "".join(f"{x};{1 / y}\n" for x, y in zip(LEVELS, RATES, strict=True))
    assert read(f"ag [g];return period [years]\n{periods}".replace("ag", "pga")).rates == (
        pytest.approx(RATES)
    )
    poes = "".join(f"{x},{poe_of_rate(y, 50)}\n" for x, y in zip(LEVELS, RATES, strict=True))
    for name in ("poe [50 years]", "poe in 50 years", "probability [in 50 years]", "POE_50"):
        assert read(f"pga [g],{name}\n{poes}").rates == pytest.approx(RATES)
    upside_down = "\n".join(reversed(periods.split()))
    assert read(f"pga [g];return period\n{upside_down}").levels == pytest.approx(LEVELS)


def test_decimal_commas_and_other_encodings(read):
    rows = "".join(f"{x};{y}\n".replace(".", ",") for x, y in zip(LEVELS, RATES, strict=True))
    assert read(f"pga [g];rate [1/year]\n{rows}").levels == pytest.approx(LEVELS)
    utf16 = f"pga [g];rate\r\n{rows}".replace("\n", "\r\n").encode("utf-16")
    assert read(utf16).levels == pytest.approx(LEVELS)


def test_the_measure_may_be_given(read):
    rows = "".join(f"{x},{y}\n" for x, y in zip(LEVELS, RATES, strict=True))
    assert read(f"im,rate\n{rows}", measure="pgv").measure.short == "PGV"
    with pytest.raises(rs.InputError, match="line 1: the heading 'im' does not say which measure"):
        read(f"im,rate\n{rows}")
    with pytest.raises(rs.InputError, match="its curve is one of PGA, and one of PGV is wanted"):
        read(f"pga [g],rate\n{rows}", measure="pgv")


def test_the_example_can_be_read(read):
    found = read(example_text())
    assert found.measure.short == "PGA" and len(found.levels) == 14
    assert 300 < 1 / found.rate(0.25) < 500


# -- what cannot --------------------------------------------------------------------------------

PLAIN = "pga [g],rate [1/year]\n0.1,0.02\n0.2,0.005\n0.4,0.001\n"
BROKEN = {
    "empty": ("", "curve.csv: the file is empty: OpenQuake's CSV"),
    "blank": (" \n\n", "curve.csv: the file is empty"),
    "xml": ("<?xml version='1.0'?><nrml/>", "curve.csv, line 1: this is XML"),
    "no heading": ("0.1,0.02\n0.2,0.01\n", "line 1: '0.1,0.02': a heading such as pga [g],rate"),
    "one column": ("pga\n0.1\n", "line 1: 'pga': a heading such as"),
    "three": (PLAIN.replace("year]", "year],x", 1), "line 1: .*with two columns, was expected"),
    "unknown": (PLAIN.replace("pga", "mmi"), "its curve is one of mmi, which is unknown here"),
    "unit": (PLAIN.replace("[g]", "[cm/s]"), "line 2: the unit 'cm/s' does not fit PGA: g, m/s2"),
    "values": (PLAIN.replace("rate [1/year]", "hazard"), "line 1: 'hazard': rate [1/year], return"),
    "rate unit": (PLAIN.replace("1/year", "1/s"), "line 1: .*rate [1/year] was expected"),
    "poe years": (PLAIN.replace("rate [1/year]", "poe"), "line 1: 'poe': the years were expected"),
    "word": (PLAIN.replace("0.005", "often"), "line 3, column rate [1/year]: 'often': a number"),
    "missing": (PLAIN.replace(",0.005", ""), "line 3: 1 values: 2 were expected"),
    "extra": (PLAIN.replace("0.005", "0.005,7"), "line 3: 3 values: 2 were expected"),
    "rising": (PLAIN.replace("0.005", "0.05"), "line 3: the rate 0.05 at 0.2 g after 0.02"),
    "unsorted": (PLAIN.replace("0.2,", "0.02,"), "line 3: the level 0.02 after 0.1: levels that"),
    "negative": (PLAIN.replace("0.005", "-1"), "line 3: -1: a rate, not below 0, was expected"),
    "nan": (PLAIN.replace("0.005", "nan"), "line 3: nan: a rate, not below 0, was expected"),
    "zero level": (PLAIN.replace("0.1,", "0,"), "line 2: the level 0: a number above zero"),
    "hole": (PLAIN.replace("0.005", "0"), "line 3: the rate 0 at 0.2 g: a number above zero"),
    "one point": (PLAIN[:31], "line 2: two or more levels with a rate above zero were expected"),
    "no rows": ("pga [g],rate\n", "line 1: a heading such as .* and rows of numbers"),
    "oq time": (openquake().replace("investigation_time", "time"), "line 1: investigation_time=50"),
    "oq years": (openquake(years=0.0001).replace("0.0001", "soon"), "line 1: investigation_time="),
    "oq never": (openquake().replace("time=50.0", "time=0"), "investigation_time=50.0 .* is '0'"),
    "oq words": (openquake().replace("time=50.0", "time='x'"), "investigation_time=50.0 .* is 'x'"),
    "oq inf": (openquake().replace("time=50.0", "time=1e999"), "in years, .* and there is '1e999'"),
    "oq no": (re.sub(r"9\.\d+E-01", "nan", openquake()), "column poe-0.0500000: 'nan': a number"),
    "oq imt": (openquake().replace("imt=", "x="), "line 1: imt='PGA' or the like was expected"),
    "oq measure": (openquake(imt="MMI"), "its curve is one of MMI, which is unknown here"),
    "oq level": (openquake().replace("poe-0.1000000", "poe-x"), "line 2, column 5: 'poe-x': poe-"),
    "oq short": (openquake()[:-14] + "\n", "line 3: 7 values: 8 were expected, as in the heading"),
    "oq word": (re.sub(r"9\.\d+E-01", "x", openquake()), "line 3, column poe-0.0500000: 'x': a"),
    "oq poe": (re.sub(r"9\.\d+E-01", "1.2", openquake()), "line 3, column poe-0.0500000: 1.2: a"),
    "oq none": (openquake().rsplit("\n", 2)[0] + "\n", "line 2: rows of numbers were expected"),
    "oq comment": (openquake().split("\n")[0], "a heading lon,lat,depth,poe-0.1, … was expected"),
    "json": ('{\n "response": [1, \n}', "line 3, column 1: JSON was expected"),
    "json key": ('{"answer": 1}', "the outermost level: a key 'response' with the response of a"),
    "json list": ("[1, 2]", "the outermost level: a key 'response'"),
    "json type": ('{"response": 5}', "response: the response of a USGS .*, and there is 5"),
    "json none": ('{"response": []}', "response: a curve was expected, and there is none"),
    "json curves": ('{"response": {}}', "response: a key 'hazardCurves' with a list of curves"),
    "json imt": (usgs().replace('"imt"', '"im"'), "hazardCurves[0]: a key 'imt' with a measure"),
    "json total": (usgs().replace("Total", "Grid"), 'data: a component "Total" was expected'),
    "json ys": (usgs().replace('"ys"', '"y"'), "data[1].values: a key 'ys' with a list of numbers"),
    "json text": (usgs().replace("0.005", '"x"'), 'data[1].values.ys[2]: "x": a number was'),
    "json nan": (usgs().replace("0.005", "NaN"), "data[1].values.ys[2]: nan: a rate, not below 0"),
    "json short": (usgs().replace("0.4,", ""), "ys: 5 rates for 4 levels: as many were expected"),
    "json old": (usgs(old=True).replace("xvalues", "x"), "response[0].metadata: a key 'xvalues'"),
    "json deep": ("[" * 100_000, "JSON was expected"),
    "json digits": ('{"response": ' + "9" * 100_000 + "}", "response: the response of a USGS"),
    "json large": (usgs().replace("0.005", "9" * 100_000), "values.ys[2]: inf: a rate, not"),
    "json huge": (usgs().replace("0.005", "9" * 900), "values.ys[2]: inf: a rate, not"),
    "large level": (PLAIN.replace("0.4,", "1e299,"), "line 4: the level 1e+299 g: at most 100 g"),
    "large rate": (PLAIN.replace("0.02", "1e299"), "the rate 1e+299 at 0.1 g: at most 1"),
    "oq place": (openquake().replace("13.4", "1300", 1), "line 3, column lon: 1300"),
    "many rows": (PLAIN + "0.5,0.0001\n" * 10_000, "it has 10003 rows, and the curve of one site"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused_with_the_place(read, case):
    text, why = BROKEN[case]
    pattern = re.escape(why).replace(r"\.\*", ".*")
    with pytest.raises(rs.InputError, match=pattern) as error:
        read(text)
    said = str(error.value)
    assert "curve.csv" in said and said.endswith(".") and "Traceback" not in said


def test_a_file_of_many_sites_is_read_in_seconds(read):
    """Rows but the one that is wanted are not turned into numbers."""
    head, heading, row = openquake().split("\n")[:3]
    tail = row.split(",", 2)[2]
    rows = [f"{x / 100:.5f},{y / 100:.5f},{tail}" for x in range(1000, 1200) for y in range(100)]
    begin = time.perf_counter()
    found = read("\n".join([head, heading, *rows, ""]), site=(11.234, 0.567))
    assert time.perf_counter() - begin < 3  # some 0.1 s
    assert "longitude 11.23, latitude 0.57" in found.notes[0]
    with pytest.raises(rs.InputError, match=r"it has 20000 sites, longitude 10 to 11\.99"):
        read("\n".join([head, heading, *rows, ""]))


def test_levels_and_rates_that_no_site_has():
    for call in (
        lambda: Hazard([0.1, 1e299], [0.1, 0.05]),
        lambda: Hazard.power(1e299, 0.1, 2.0),
        lambda: Hazard([0.1, 0.2], [1e9, 0.05]),
    ):
        with pytest.raises(rs.InputError, match=r"at most 1\S+ .*was expected|at most 10000 was"):
            call()


def test_no_file_and_no_text(read, tmp_path):
    with pytest.raises(rs.InputError, match="There is no file"):
        Hazard.read(tmp_path / "none.csv")
    with pytest.raises(rs.InputError, match="is a folder: give the file of a hazard curve"):
        Hazard.read(tmp_path)
    with pytest.raises(rs.InputError, match="is not a text"):
        read(bytes(range(256)) * 4)


WHOLE = (PLAIN, openquake(), usgs(), usgs(old=True))


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(WHOLE),
    st.lists(
        st.tuples(
            st.integers(0, 2000),
            st.sampled_from(("cut", "drop", "double", "put")),
            st.text(alphabet="0123456789.,-eE;[]{}\"'#: \n\tNaNpoeg/µ\x00", max_size=5),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_damaged_files_give_a_sentence_or_a_curve(read, text, damage):
    """Whatever is cut, dropped, doubled or put in: never another error, never a curve that cannot
    be one."""
    for where, how, what in damage:
        at = where % max(len(text), 1)
        if how == "cut":
            text = text[:at]
        elif how == "drop":
            text = text[:at] + text[at + len(what) :]
        elif how == "double":
            text = text[:at] + text[max(at - 20, 0) :]
        else:
            text = text[:at] + what + text[at:]
    try:
        found = read(text)
    except rs.InputError as error:
        said = str(error)
        assert "curve.csv" in said and said.endswith(".") and len(said) < 500
        return
    assert (np.diff(found.levels) > 0).all() and (np.diff(found.rates) <= 0).all()
    assert (found.levels > 0).all() and (found.rates > 0).all() and np.isfinite(found.rates).all()


# -- descriptions -------------------------------------------------------------------------------


def test_descriptions(tmp_path):
    (tmp_path / "site.csv").write_text(openquake(), encoding="utf-8")
    by_file = HazardSpec.checked({"file": "site.csv", "site": [13.4, 42.3], "measure": "pga"})
    found = Hazard.from_spec(by_file, tmp_path)
    assert found.rates == pytest.approx(RATES, rel=1e-5) and "5.6 km away" in found.notes[0]
    points = HazardSpec.checked({"levels": [0.1, 0.3], "rates": [0.01, 0.001], "measure": "pgv"})
    assert Hazard.from_spec(points).measure.short == "PGV"
    law = HazardSpec.checked({"power": {"level": 0.25, "rate": 1 / 475, "k": 2.5}})
    assert Hazard.from_spec(law).rate(0.5) == pytest.approx(0.5**2.5 / 475)
    again = HazardSpec.model_validate_json(by_file.model_dump_json())
    assert again == by_file


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "give one of file, levels with rates, or power"),
        ({"file": "a", "power": {"level": 1, "rate": 1, "k": 1}}, "give one of file"),
        ({"levels": [0.1, 0.2]}, "levels and rates belong together"),
        ({"levels": [0.1, 0.2], "rates": [0.1]}, "rates"),
        ({"levels": [0.1, 0.2, 0.3], "rates": [0.1, 0.2]}, "rates has 2 numbers for 3 levels"),
        ({"power": {"level": 1, "rate": 1, "k": 1}, "site": [1, 2]}, "site is for files"),
        ({"power": {"level": 1, "rate": 1}}, "power.k: this is missing"),
        ({"power": {"level": 1, "rate": 1, "k": -1}}, "greater than 0"),
        ({"files": "a"}, "did you mean file"),
    ],
)
def test_descriptions_that_are_none(values, why):
    with pytest.raises(rs.InputError, match=why):
        HazardSpec.checked(values)


def test_a_quoted_cell_may_hold_a_comma(read):
    """A name of the site before its place: the values are counted as they are meant."""
    lines = openquake().splitlines()
    lines[1], lines[2] = f"name,{lines[1]}", f'"Rieti, centre",{lines[2]}'
    named = read("\n".join(lines) + "\n")
    assert named.levels.tolist() == read(openquake()).levels.tolist()
    lines[2] = lines[2].replace('"Rieti, centre"', "Rieti, centre")
    with pytest.raises(InputError, match=rf"{len(LEVELS) + 5} values: {len(LEVELS) + 4} were"):
        read("\n".join(lines) + "\n")
