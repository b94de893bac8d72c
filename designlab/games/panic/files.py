"""Where the tile and theme files are, and how one is read, so that both kinds are named and refused alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from designlab.cards import DataError, FileError, card_data

GAME = "panic"

Kind = Literal["tiles", "themes"]  # what the files' names begin with
T = TypeVar("T")


def file_names(kind: Kind) -> tuple[str, ...]:
    """Names of the files of a kind in card_data/panic, that of the printed game first.

    >>> file_names("themes")[0]
    'themes'
    """
    names = [path.stem for path in (card_data() / GAME).glob(f"{kind}*.csv")]
    names = [name for name in names if name == kind or name.startswith(f"{kind}_")]
    return tuple(sorted(names))


def file_path(kind: Kind, which: str | Path, folder: str | Path = ".") -> Path:
    """Where a file is: a name in card_data/panic (`tiles_` may be left out), or a .csv path, from `folder`.

    >>> file_path("tiles", "tiles").name
    'tiles.csv'
    """
    text, names = str(which), file_names(kind)
    if text.lower().endswith(".csv"):
        return Path(folder) / text
    for name in (text, f"{kind}_{text}"):
        if name in names:
            return card_data() / GAME / f"{name}.csv"
    raise DataError.of(kind, text, ", ".join([*names, "or a path to a .csv file"]))


def in_file(read: Callable[[Path], T], path: Path) -> T:
    """What `read` makes of a file. Its DataErrors name the file already, so they become FileErrors."""
    try:
        return read(path)
    except DataError as error:
        raise FileError(str(error)) from None
