"""Variants and frames in and out of the panel: upload, download links, files beside the notebook."""

from __future__ import annotations

import base64
import re
import tempfile
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd

from designlab import variants
from designlab.cards import FileError, one_line
from designlab.variants import DataError, Variant

MOST_DOWNLOAD = 6_000_000  # bytes of a CSV file put into a link: browsers copy a link's text several times
MOST_UPLOAD = 1_000_000


def link(name: str, content: bytes, kind: str, text: str) -> str:
    """A link that saves `content` as a file of that name."""
    data = base64.b64encode(content).decode()
    return f'<a download="{escape(name)}" href="data:{kind};base64,{data}">{escape(text)}</a>'


def file_name(label: str, ending: str) -> str:
    """A plain file name made from a label.

    >>> file_name("cat_curve=linear, ring_size=9", ".toml")
    'cat_curve-linear-ring_size-9.toml'
    """
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", label).strip("-.")[:60].strip("-.")
    return f"{plain or 'variant'}{ending}"


def toml_link(variant: Variant) -> str:
    """A link that saves the variant, cards included."""
    name = file_name(variant.label, ".toml")
    return link(name, variant.to_toml().encode(), "application/toml", f"Download {name}")


def csv_link(frame: pd.DataFrame, name: str) -> str:
    """A link that saves a frame; of a large one the first deals of every variant, and words that say so."""
    sample = frame.head(2000).to_csv(index=False)
    size = len(sample) / min(len(frame), 2000) * 1.1 * len(frame)  # later deals have longer numbers
    deals = int(frame["deal"].max()) + 1
    kept = int(min(deals, deals * MOST_DOWNLOAD / size))
    part = frame if kept == deals else frame[frame["deal"] < kept]
    content = part.to_csv(index=False, lineterminator="\n").encode()
    made = link(
        f"{name}.csv",
        content,
        "text/csv",
        f"Download {name}.csv: {len(part):,} rows, {len(content) / 1e6:.1f} MB",
    )
    if kept == deals:
        return made
    words = f"The first {kept:,} of {deals:,} deals, as a link holds no more; in a cell, all of them:"
    return f"{made}. {words} <code>panel.frame({name!r})</code>"


def read_upload(now: Variant, name: str, content: bytes) -> Variant:
    """The variant in an uploaded .toml file, or `now` with the cards of a .csv file.

    DataError names the file and what is wrong with it.
    """
    game, decks = now.game, [name for name, knob in now.knobs().items() if knob.type == "file"]
    plain = re.sub(r"[^\w. -]+", "_", Path(name.replace("\\", "/")).name)[-80:] or "upload.toml"
    stem, ending = plain[:-5], plain[-5:].lower()
    if ending[1:] == ".csv" and decks:
        stem, ending = plain[:-4], ".csv"
    elif ending != ".toml":
        more = f", or of a {decks[0]}, its name ending in .csv" if decks else ""
        raise DataError.of("load", plain, f"a file of a variant, its name ending in .toml{more}")
    if len(content) > MOST_UPLOAD:
        raise DataError(f"{plain}: found {len(content):,} bytes; allowed: at most {MOST_UPLOAD:,}")
    with tempfile.TemporaryDirectory(prefix="designlab-") as folder:
        path = Path(folder) / (stem + ending)
        path.write_bytes(content)
        if ending == ".csv":
            deck: dict[str, Any] = {decks[0]: path.name}
            return now.but(folder=folder, **deck)
        try:
            return variants.variant(game, path)
        except DataError as error:  # the panel cannot ask which of several
            cell = f"in a cell designlab.explore({game!r}, '{path.name}:NAME')"
            raise DataError(str(error).replace(f"{path.name}:NAME", cell)) from None


def save(variant: Variant, name: str) -> Path:
    """Write the variant to a new file; never over another."""
    name = name.strip()
    if not name:
        raise DataError.of("save", None, "a file name ending in .toml")
    if not one_line(name):
        raise DataError.of("save", name, "a file name on one line")
    try:
        path = Path((name[:-5] if name.lower().endswith(".toml") else name) + ".toml").expanduser()
    except RuntimeError:
        raise DataError.of(
            "save", name, "a name whose ~ stands for the folder of a person there is"
        ) from None
    label = path.stem if re.fullmatch(r"[\w .,=-]{1,80}", path.stem) else None
    named: Any = variant.but(name=label, title=variant.title, tags=variant.tags) if label else variant
    try:
        named.save(path)
    except FileError as error:  # which may advise what only code can say
        raise DataError(f"save: {error}".replace(", or overwrite=True", "")) from None
    return path.absolute()
