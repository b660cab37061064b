"""What is no ensemble, no body and no motion gets a sentence, not an error of Python's."""

import pytest

import rocksteady as rs

BLOCK, PUSH = rs.Block(1.8, 0.5), rs.pulses.sine(amplitude=3.0, period=0.8)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rs.plot_ensemble(None), "None is not an ensemble: give what rs.ensemble"),
        (lambda: rs.plot_ensemble([1, 2]), r"\[1, 2\] is not an ensemble"),
        (lambda: rs.write_ensemble_table(None, "a.csv"), "None is not an ensemble"),
        (lambda: rs.write_ensemble_table(None, None), "None is not a file for the table"),
        (lambda: rs.ensemble(None, None), r"systems\[0\] = None is not a body such as rs.Block"),
        (lambda: rs.ensemble(BLOCK, None), r"motions\[0\] = None is not a Motion"),
        (lambda: rs.ensemble(BLOCK, PUSH, store=3), "3 is not a folder for the store"),
        (lambda: rs.open_ensemble(None), "None is not the folder of a store"),
        (lambda: rs.compare(None, None), "None is not a body"),
        (lambda: rs.compare(BLOCK, "kobe"), "A str is not a motion"),
        (lambda: rs.portfolio(None, None), "buildings is of type NoneType"),
        (lambda: rs.stochastic.ensemble(3, 1, 4), "parameters = 4 is not allowed"),
    ],
)
def test_nonsense(tmp_path, monkeypatch, call, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rs.InputError, match=words):
        call()
    assert not list(tmp_path.iterdir())


def test_a_figure_needs_a_name():
    found = rs.ensemble(BLOCK, PUSH, progress=False)
    with pytest.raises(rs.InputError, match="3 is not a file for the figure"):
        rs.plot_ensemble(found, 3)
