"""`rocksteady studio`: the page on this machine."""

from pathlib import Path
from typing import Annotated

from rocksteady.cli.common.options import new_app, panel
from rocksteady.extras import load

app = new_app()
option = panel("The server")


@app.command()
def studio(
    port: Annotated[
        int, option("Port; 0 takes a free one.", min=0, max=65535, metavar="NUMBER")
    ] = 8765,
    host: Annotated[
        str, option("Address to listen at. Any but this machine's own lets others in, by a token.")
    ] = "127.0.0.1",
    folder: Annotated[
        Path | None,
        option("Where uploads and jobs are kept; a folder of your own account unless given."),
    ] = None,
    monitor: Annotated[
        Path | None,
        option(
            "Show the building whose log `rocksteady monitor` keeps in this folder, or all "
            "that are in it.",
            metavar="FOLDER",
        ),
    ] = None,
    no_browser: Annotated[bool, option("Do not open a browser.", "--no-browser")] = False,
) -> None:
    """Open a page on this machine: see it rock, ask, compare, take it with you.

    \b
    Open the page:
      [cyan]rocksteady studio[/cyan]
    On another port, with its files in a folder of the project:
      [cyan]rocksteady studio --port 9000 --folder museum[/cyan]
    For a class in the same network; the token is in the address it prints:
      [cyan]rocksteady studio --host 0.0.0.0[/cyan]
    With the buildings that `rocksteady monitor --config town.toml` watches:
      [cyan]rocksteady studio --monitor logs[/cyan]
    """
    load("fastapi", "Rocksteady Studio")
    from rocksteady.studio.serve import serve

    serve(host, port, folder, monitor, browser=not no_browser)
