"""`rocksteady identify`: which block is it?"""

from rocksteady.cli import COMMANDS
from rocksteady.cli.common.options import new_app
from rocksteady.cli.identify.outcomes import outcomes
from rocksteady.cli.identify.rocking import rocking

app = new_app(COMMANDS["identify"])
app.command("rocking", no_args_is_help=True)(rocking)
app.command("outcomes", no_args_is_help=True)(outcomes)
