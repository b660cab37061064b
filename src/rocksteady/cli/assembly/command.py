"""`rocksteady assembly`: its commands, one file each (`info.py`, …), all light to import."""

from rocksteady.cli import COMMANDS
from rocksteady.cli.assembly import makers
from rocksteady.cli.assembly.forces import forces
from rocksteady.cli.assembly.fragility import fragility
from rocksteady.cli.assembly.info import info
from rocksteady.cli.assembly.limit import limit, push
from rocksteady.cli.assembly.report import report
from rocksteady.cli.assembly.simulate import simulate
from rocksteady.cli.common.options import new_app

app = new_app(COMMANDS["assembly"])

for maker in makers.MAKERS:
    app.command(no_args_is_help=True)(maker)
for command in (info, simulate, forces, limit, push, fragility, report):
    app.command(no_args_is_help=True)(command)
