"""Show in one line that this installation works: `python -m designlab.selfcheck`.

`make setup` ends with it. It finds card_data and simulates each game, which also compiles the engine into
numba's cache, so that the first simulation in a notebook does not wait for the compiler.
"""

import platform
import sys
import time
from importlib.metadata import version

# the packages whose release matters most when somebody reports a fault
SHOWN = ("numpy", "numba", "pandas", "jupyterlab")
PLAYS = 200


def line() -> str:
    """Check this installation and return the line that says so.

    Raises whatever the first thing that does not work raises.
    """
    import designlab
    from designlab.cards import card_data
    from designlab.game import load
    from designlab.variants import game_names

    python = f"Python {platform.python_version()}"
    releases = ", ".join([python, *(f"{name} {version(name)}" for name in SHOWN)])
    folder = card_data()
    if not folder.is_dir():
        raise FileNotFoundError(f"card_data is not in {folder}")
    games = game_names()
    if not games:
        raise RuntimeError("designlab.games holds no game")
    start = time.perf_counter()
    for game in games:
        printed = designlab.variant(game, "printed")
        result = designlab.simulate(printed, plays=PLAYS, seed=1)
        if len(result.plays) != PLAYS:
            raise RuntimeError(f"{game}: {len(result.plays)} plays in the result of {PLAYS}")
        for policy in load(game).policies:  # some have kernels of their own
            designlab.simulate(printed, seats=(policy,) * min(load(game).seats), plays=2, seed=1)
    seconds = time.perf_counter() - start
    return (
        f"designlab {designlab.__version__} ready: {releases}; cards in {folder}; "
        f"{PLAYS} plays of {' and '.join(games)} in {seconds:.1f} s"
    )


def main() -> int:
    """Print the line, or one line on stderr that says what does not work, and return the exit code."""
    try:
        print(line())
    except Exception as error:  # whatever it is, the person gets one line
        reason = str(error).splitlines()[0] if str(error) else "no reason given"
        print(f"designlab is not ready: {type(error).__name__}: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
