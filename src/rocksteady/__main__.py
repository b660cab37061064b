"""``python -m rocksteady``: the command line, if the command is not on the path."""

from rocksteady.cli import main

if __name__ == "__main__":
    main()
