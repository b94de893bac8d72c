"""What the tests of towns share: the printed tiles' town table."""

import pytest

from designlab.games.panic import shelf
from designlab.games.panic.tiles import read_tiles


@pytest.fixture(scope="session")
def printed_table():
    """The town table of the printed tiles, from the user's shelf: `make setup` has made it there by simulating.

    Tables are kept by the code that counts them, so this is not what other code has counted.
    """
    return shelf.town_table(read_tiles())
