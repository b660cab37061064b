"""
A folder of records as one table
================================

Records come in many formats from many archives. ``rs.read_folder`` recognises each by its content
and lists them in one table: contents, intensity, and why a file could not be read.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

import rocksteady as rs
from rocksteady.view.style import BLUE

temporary = tempfile.TemporaryDirectory()
folder = Path(temporary.name)  # the folder of your records
for number, motion in enumerate(rs.stochastic.ensemble(12, seed=2)):
    kind = "AT2" if number % 2 else "csv"
    rs.write_motion(motion, folder / f"quake-{number:02d}.{kind}")
(folder / "letter.csv").write_text("Dear colleague,\nplease find the record attached.\n")

table = rs.read_folder(folder)
print(table[["file", "format", "pga [m/s²]"]].to_string(index=False, max_colwidth=24))

# %%
# The letter is not a record. The table says so, and the other files are read.

bad = table[table["problem"] != ""]
print(bad["problem"].item())

# %%
fig, axes = plt.subplots(figsize=(6.7, 2.8), layout="constrained")
axes.plot(table["arias [m/s]"], table["pga [m/s²]"], "o", color=BLUE)
axes.set(xlabel="Arias intensity [m/s]", ylabel="peak ground acceleration [m/s²]")

# sphinx_gallery_start_ignore
assert len(table) == 13 and len(bad) == 1
strongest = table.loc[table["pga [m/s²]"].idxmax()]
assert abs(rs.read_motion(folder / strongest["file"]).pga - strongest["pga [m/s²]"]) < 1e-12
# sphinx_gallery_end_ignore
