"""The command line: `designlab simulate|compare|sweep|replay|check|variants|lab|towns`.

    app       the commands together; every error becomes one line and exit status 2
    options   options that several commands share, and what they mean
    text      tables, sentences and JSON for the terminal
    files     --out: a frame to a CSV or Parquet file
    play      simulate, compare, replay
    sweep     sweep
    data      check, variants
    lab       lab
    towns     towns count|themes|best|sample|show
    progress  progress bars

Only typer is imported to show a help page; pandas and numba wait until a command needs them.
"""

import sys


def main() -> None:
    """Run the command line and end the process with its exit status."""
    try:
        from designlab.cli.app import app

        app(prog_name="designlab")
    except KeyboardInterrupt:  # before or after typer has the say
        print("designlab: interrupted", file=sys.stderr)
        sys.exit(130)
