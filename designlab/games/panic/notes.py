"""Nine Tiles Panic: a variant and its files in words, and what a person should know about its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from designlab.cards import DataError, FileError, listed, read_table
from designlab.games.panic.readings import READINGS
from designlab.games.panic.themes import ALLOWED as THEME_COLUMNS
from designlab.games.panic.themes import read_themes
from designlab.games.panic.tiles import ALLOWED as TILE_COLUMNS
from designlab.games.panic.tiles import OFF_ROAD, THINGS, read_tiles

if TYPE_CHECKING:
    from designlab.games.panic.themes import Theme
    from designlab.games.panic.tiles import Side
    from designlab.games.panic.variant import PanicVariant

# The only count of a town that a reading changes
READ_BY = {
    "captures": "burgers_ahead",
    "food_chain": "food_chains",
    "abduction": "aliens_towards_agents",
    "eat_it_up_stops_at": "burgers_ahead",
    "surrounded": "surrounded_aliens",
}


# What a person should know of the knobs of a group
ABOUT_GROUPS = {
    "readings": "What the rules leave open. The first of each is the printed game's; for another one its own towns are "
    "counted first, which takes some seconds.",
    "time": "How long builders take and how often they err is invented: every number here is a guess.",
}


def card_words(theme: Theme) -> tuple[str, str]:
    """A theme card's number, name and star, and its rule.

    >>> from designlab.games.panic.themes import read_themes
    >>> card_words(read_themes()[1])
    ('2 Surrounded ★', 'Most aliens between two agents of one road who look at each other.')
    """
    return f"{theme.no} {theme.name}{' ★' if theme.starred else ''}", theme.rule


def file_words(path: Path, check: Callable[[tuple[Theme, ...]], object]) -> str:
    """What is in a tile or theme file; `check` refuses themes that no game can be played with."""
    header = set(read_table(path)[0])
    if len(header & {*TILE_COLUMNS}) >= len(header & {*THEME_COLUMNS}):
        return tile_words(read_tiles(path))
    themes = read_themes(path)
    try:
        check(themes)
    except DataError as error:
        raise FileError(f"{path.name}: {str(error).removeprefix('themes: ')}") from None
    return theme_words(themes)


def theme_words(themes: Iterable[Theme], copies: Mapping[int, int] | None = None) -> str:
    """A deck of theme cards, with so many copies by number, or one of each.

    >>> from designlab.games.panic.themes import read_themes
    >>> theme_words(read_themes()), theme_words(read_themes(), {4: 2})
    ('26 theme cards, 11 of them starred', '2 theme cards, none of them starred')
    """
    counts = [(theme, 1 if copies is None else copies.get(theme.no, 0)) for theme in themes]
    starred = sum(count for theme, count in counts if theme.starred)
    return f"{many(sum(count for _, count in counts), 'theme card')}, {starred or 'none'} of them starred"


def tile_words(sides: Sequence[Side]) -> str:
    """What a set of tiles shows, both sides of each tile together.

    >>> from designlab.games.panic.tiles import read_tiles
    >>> tile_words(read_tiles()[:2])
    '1 tile; on 3 roads 1 burger, 1 agent; beside them 1 boy, 1 dog'
    """
    roads = [road for side in sides for road in side.roads]
    met = [road.object for road in roads]
    on = {str(thing): met.count(thing) for thing in THINGS}
    off = {name: sum(getattr(side, name) for side in sides) for name in OFF_ROAD}
    tiles = many(len({side.tile for side in sides}), "tile")
    return f"{tiles}; on {many(len(roads), 'road')} {_all(on)}; beside them {_all(off)}"


def threshold_words(thresholds: Sequence[int], players: Sequence[int]) -> str:
    """When the game ends.

    >>> threshold_words((10, 15), (2, 3))
    '10/15 points end the game for 2/3 players'
    """
    if len({*thresholds}) == 1:
        return f"{thresholds[0]} points end the game"
    each, for_ = ("/".join(map(str, numbers)) for numbers in (thresholds, players))
    return f"{each} points end the game for {for_} players"


def notes_on(variant: PanicVariant, players: Sequence[int]) -> list[str]:
    """Sentences on numbers of a variant that do less than they seem to, if there are any."""
    points, most = variant.numbers("points"), players[-1]
    last = points[-1]
    ends = [count for count in players if variant.threshold(count) <= _sure(variant, count)]
    found = [
        ("No rank scores a point, so nobody ever reaches win_threshold.", points[0] == 0),
        (f"Every rank scores {last}, so no town is better than another.", points[0] == last > 0),
        (
            f"points ends at rank {len(points)}: lower ranks score {last} as well.",
            points[0] > last and len(points) < most,
        ),
        (
            f"With {listed(ends)} players a round that all finish ends the game, whoever is best: "
            "win_threshold is so low that lower numbers would do the same.",
            bool(ends) and points[0] > 0,
        ),
        (
            "The deck has just the cards of one round, so every round has the same themes.",
            len(variant.theme_deck) == variant.themes_per_round,
        ),
    ]
    counted = {theme.counts for theme in variant.themes if theme.no in variant.theme_deck}
    for name, count in READ_BY.items():
        idle = f"{name} changes no score: no theme in the deck counts {count}."
        found.append((idle, getattr(variant, name) != READINGS[name][0] and count not in counted))
    return [sentence for sentence, holds in found if holds]


def _sure(variant: PanicVariant, players: int) -> int:
    """Points that somebody is sure to have after a round that all finish: at least the mean."""
    return -(-variant.themes_per_round * sum(variant.points_for(players)) // players)


def many(number: int, word: str) -> str:
    """A number of things.

    >>> many(1, "captured_alien"), many(0, "dog")
    ('1 captured alien', '0 dogs')
    """
    return f"{number} {word.replace('_', ' ')}{'' if number == 1 else 's'}"


def _all(amounts: Mapping[str, int]) -> str:
    return ", ".join(many(number, word) for word, number in amounts.items() if number) or "nothing"
