"""The command lab: JupyterLab on the tour, in a folder that has the notebooks."""

import importlib.util
import os
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

import designlab
from designlab.cards import DataError, Words
from designlab.cli import options as o

TOUR = "00_tour.ipynb"
NEW_FOLDER = "designlab-lab"
HOST = "127.0.0.1"
LEFT_OUT = {"__pycache__", ".ipynb_checkpoints"}


def lab(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            show_default=False,
            help=f"Where to work. If left out: notebooks/ of the checkout, or ./{NEW_FOLDER} without one.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and open no browser.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", parser=o.whole_number, help="Port; a free one from 8888 on if left out."),
    ] = None,
) -> None:
    """JupyterLab with the notebooks, opened on the tour.

    Only this computer can reach it, and only with the token. A folder other than the checkout's own gets copies of the
    notebooks and of card_data, which then is what its notebooks and terminals play with (another shell does so with
    DESIGNLAB_CARD_DATA set to that folder). What exists is never overwritten. Ctrl-C ends it.

    \b
    Examples:
      designlab lab
      designlab lab my_ideas --no-browser --port 9000
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise DataError("lab: found no JupyterLab beside designlab; allowed: after pip install jupyterlab")
    if port is not None:
        _check_port(port)
    source, checkout = sources()
    where = folder or (source / "notebooks" if checkout else Path(NEW_FOLDER))
    environment = dict(os.environ)
    # so that `designlab` is found in the lab's own terminals and cells, with no virtual environment activated
    environment["PATH"] = os.pathsep.join(
        [str(Path(sys.executable).parent), environment.get("PATH", os.defpath)]
    )
    if checkout and (source / "notebooks").resolve().is_relative_to(where.resolve()):
        tour = (source / "notebooks" / TOUR).resolve()  # the checkout itself: nothing to copy
        if not where.is_dir():
            raise DataError(
                f"folder: found no notebooks/ in {source}; allowed: a checkout with it, or another FOLDER"
            )
    else:
        _fill(where, source)
        tour = where.resolve() / TOUR
        if (where / "card_data").is_dir():
            environment.setdefault("DESIGNLAB_CARD_DATA", str(where.resolve() / "card_data"))
    start(_command(where.resolve(), tour, no_browser, port), environment)


def sources() -> tuple[Path, bool]:
    """The folder that holds notebooks and card_data, and whether it is a checkout rather than the package.

    Told apart as `cards.card_data` does.
    """
    package = Path(designlab.__file__).resolve().parent
    checkout = package.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / "card_data").is_dir():
        return checkout, True
    return package, False


def start(command: list[str], environment: Mapping[str, str]) -> None:
    """Become JupyterLab, so that Ctrl-C and signals are its own."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], command, environment)


def _command(folder: Path, tour: Path, no_browser: bool, port: int | None) -> list[str]:
    # -P: a file in the current folder must not be imported in place of a module of JupyterLab
    command = [sys.executable, "-P", "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command.append(f"--ServerApp.ip={HOST}")
    if tour.is_file():
        command.append(f"--LabApp.default_url=/lab/tree/{quote(tour.relative_to(folder).as_posix())}")
    if port is not None:
        command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # JupyterLab refuses root otherwise
    return command


def _check_port(port: int) -> None:
    if not 1 <= port <= 65535:
        raise DataError.of("port", port, "1..65535")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as JupyterLab does
        try:
            probe.bind((HOST, port))
        except PermissionError:
            raise DataError(f"port: found {port}, which takes more rights; allowed: 1024..65535") from None
        except OSError:
            raise DataError(
                f"port: found {port}, which is taken; allowed: a free one, or none to have one chosen"
            ) from None


def _fill(folder: Path, source: Path) -> None:
    """Copy notebooks and card_data into a folder, where they are not yet, and say so."""
    if folder.exists() and not folder.is_dir():
        raise DataError.of("folder", Words(f"the file {folder}"), "a folder, or a new name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(0, "no right to write there")
        copied = sum(_copy(file, folder / name) for file, name in _originals(source))
    except OSError as error:
        where = error.filename or folder
        raise DataError(f"folder: cannot use {folder}: {where}: {error.strerror or error}") from None
    if copied:
        print(f"designlab: copied {copied} files of notebooks and card_data to {folder}", file=sys.stderr)


def _originals(source: Path) -> Iterator[tuple[Path, Path]]:
    """(file, its place in the new folder): notebooks at the top, cards in card_data."""
    for top, inside in (("notebooks", Path()), ("card_data", Path("card_data"))):
        for file in sorted((source / top).rglob("*")):
            if file.is_file() and not LEFT_OUT.intersection(file.parts):
                yield file, inside / file.relative_to(source / top)


def _copy(file: Path, target: Path) -> bool:
    """Whether the file was copied; one that exists, or a link of that name, stays as it is."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with target.open("xb") as copy:
            try:
                copy.write(file.read_bytes())
            except BaseException:
                with suppress(OSError):
                    target.unlink()
                raise
    except FileExistsError:
        return False
    return True
