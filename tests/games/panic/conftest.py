"""What the tests of towns share: the printed tiles' town table, made once."""

import shutil

import pytest

from designlab.games.panic import shelf
from designlab.games.panic.tiles import read_tiles


@pytest.fixture(scope="session")
def printed_table(tmp_path_factory):
    """The town table of the printed tiles, on a shelf of its own that goes when the tests end.

    xdist's workers share the shelf, so that as a rule only one of them makes the table.
    """
    folder = tmp_path_factory.getbasetemp()
    if folder.name.startswith("popen-"):
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DESIGNLAB_CACHE_DIR", str(folder / "tables"))
        table = shelf.town_table(read_tiles())
    yield table
    shutil.rmtree(folder / "tables", ignore_errors=True)  # a third of a gigabyte
