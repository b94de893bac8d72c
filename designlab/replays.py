"""One play, decision by decision: played again from its number, or read from a saved record.

At the end is what the games' checks of a record have in common: a Rule for what a key may hold, in words and as a test.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from designlab import jit
from designlab.cards import DataError, FileError, Words, listed, one_line, read_text, shown, write_text
from designlab.game import Game, Policy, load, readable_cache
from designlab.variants import Variant, game_names, variant

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_MOST = 2**63 - 1  # of seed and play


@dataclass(frozen=True, repr=False)
class Replay:
    """A play as data: `data` is the whole record in JSON's types, the rest is read from it."""

    game: Game
    data: dict[str, Any]

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """One row per decision: who took what, where it went, what it gained. `game.decision_columns` says more."""
        import pandas as pd

        rows = self.game.decisions(self.data)
        columns = {}
        for name, column in self.game.decision_columns.items():
            values = [row[name] for row in rows]
            if column.dtype == "category":
                texts = [*dict.fromkeys(value for value in values if value is not None)]
                columns[name] = pd.Series(pd.Categorical(values, pd.Index(texts, dtype="str")))
            else:
                columns[name] = pd.Series(values, dtype=column.dtype)
        return pd.DataFrame(columns)

    def text(self) -> str:
        """The play as a log for people."""
        return "\n".join(self.game.text(self.data))

    def json(self, indent: int | None = None) -> str:
        """The record as JSON text."""
        return json.dumps(self.data, indent=indent)

    def save(self, path: str | Path, overwrite: bool = False) -> Path:
        """Writes the record to a .json file, all or nothing; refuses an existing file unless `overwrite`."""
        path = Path(path)
        if path.suffix != ".json":
            raise DataError.of("path", path.name, "a file name ending in .json")
        return write_text(path, self.json(indent=1) + "\n", overwrite)

    def draw(self, seat: int | None = None, move: int | None = None, ax: Axes | None = None) -> Axes:
        """A picture of what a seat has (None: all seats) after `move` moves (None: at the end).

        A notebook shows it as the last line of a cell. `ax` are Axes to draw on; without them, new ones. DataError
        if there is no such seat or move.

        >>> import designlab
        >>> ax = designlab.replay("kimono", seed=7, play=12).draw(seat=0, move=5)
        >>> designlab.plots.to_png(ax)[1:4]
        b'PNG'
        """
        return self.game.draw(self.data, seat, move, ax)

    def draw_board(self, move: int | None = None, ax: Axes | None = None) -> Axes:
        """A picture of what lies between the seats after `move` moves (None: at the end), as `draw`."""
        return self.game.draw_board(self.data, move, ax)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Replay({next(iter(self.game.text(self.data)))})"


def replay(
    game: str,
    chosen: Variant | str = "printed",
    seats: Sequence[Policy] | None = None,
    seed: int = 7,
    play: int = 0,
    mirror: bool = False,
) -> Replay:
    """Play number `play` of a run of `simulate` with the same variant, seats, seed and mirror, in full.

    In the record `play` is the number of the deal and `seats` are as the policies sat: with these and the seed any
    play, a mirrored one too, can be had again without knowing of which run it was.

    >>> import designlab
    >>> one = designlab.replay("kimono", "printed", seats=("greedy", "denier"), seed=7, play=12)
    >>> len(one.data["turns"]), len(one.data["rewards"])
    (26, 5)
    >>> print(one.text().splitlines()[0])
    kimono, seed 7, play 12: seat 0 greedy, seat 1 denier
    """
    rules = load(game)
    what = chosen if isinstance(chosen, Variant) else variant(game, chosen)
    if what.game != game:
        raise DataError(f"variant: found one of {what.game}; allowed: variants of {game}")
    policies = rules.check_policies(seats)
    seed, play = _number("seed", seed), _number("play", play)
    deal = play
    if mirror and len(set(policies)) > 1:
        deal, mirrored = divmod(play, 2)
        policies = policies[::-1] if mirrored else policies
    with jit.compiling_said(rules.title), readable_cache():
        data = rules.record(what, policies, seed, deal)
    return Replay(rules, data)


def _number(name: str, value: int) -> int:
    """An int of numpy's will do, as a frame has them."""
    if hasattr(value, "__index__") and not isinstance(value, bool) and 0 <= value <= _MOST:
        return int(value)
    raise DataError(f"{name}: found {value!r}; allowed: a whole number from 0")


def load_replay(source: str | Path | Mapping[str, Any]) -> Replay:
    """A saved play: from a path, from JSON text, or from a record as a dict (which is copied).

    The record is checked: DataError names the place in it, what was found and what is allowed. Knobs that it leaves
    out have their printed values.

    >>> import designlab
    >>> one = designlab.replay("kimono", seed=7, play=12)
    >>> load_replay(one.json()).data == one.data
    True
    >>> load_replay('{"game": "chess"}')
    Traceback (most recent call last):
    designlab.cards.DataError: game: found "chess"; allowed: kimono...
    """
    if isinstance(source, Mapping):
        try:
            return _checked(_parsed(json.dumps(source, allow_nan=False)))
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"record: found what JSON cannot hold ({error}); allowed: JSON's types") from None
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        return _checked(_parsed(source))
    if not isinstance(source, str | Path) or not str(source).strip():
        raise DataError.of("record", source, "a path, JSON text or a dict")
    path = Path(source)
    try:
        return _checked(_parsed(read_text(path)))
    except FileError:
        raise
    except DataError as error:
        raise FileError(f"{path.name}: {error}") from None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DataError(f"record: found no JSON at {where} ({error.msg}); allowed: JSON") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError("record: found a number or a nesting too long to read; allowed: a record") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"record: found the key {shown(twice)} twice; allowed: every key once")
    return found


def _no_number(word: str) -> NoReturn:
    raise DataError.of("record", Words(word), "JSON, which has no such number")


def _checked(data: Any) -> Replay:
    if not isinstance(data, dict):
        raise DataError.of("record", data, "an object with the key game and what its game's records have")
    if data.get("game") not in game_names():
        raise DataError.of("game", data.get("game"), ", ".join(game_names()))
    rules = load(data["game"])
    return Replay(rules, rules.read_record(data))


# What the checks of every game's records share


class Rule(NamedTuple):
    """What a key may hold: in words, and as a test."""

    allowed: str
    holds: Callable[[Any], bool]

    def or_null(self) -> Rule:
        """The same, or null."""
        return Rule(f"{self.allowed}, or null", lambda value: value is None or self.holds(value))


def whole_rule(low: int, high: int) -> Rule:
    """A whole number; neither 1.0 nor true."""
    return Rule(
        f"a whole number {low}..{high}",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high,
    )


def number_rule(low: float, high: float) -> Rule:
    """A number, whole or not; neither true nor infinite."""
    return Rule(
        f"a number {low:g}..{high:,.0f}",
        lambda value: isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high,
    )


def words_rule(*values: Any) -> Rule:
    """One of some words, numbers or None, of the same type.

    >>> words_rule(0, 1, None).allowed, words_rule(0, 1).holds(False)
    ('0, 1 or null', False)
    """
    words = listed("null" if value is None else value for value in values)
    return Rule(words, lambda value: any(type(value) is type(each) and value == each for each in values))


TEXT = Rule("text on one line", lambda value: isinstance(value, str) and one_line(value))
LIST = Rule("a list", lambda value: isinstance(value, list))
OBJECT = Rule("an object with keys", lambda value: isinstance(value, Mapping))
YES_NO = Rule("true or false", lambda value: isinstance(value, bool))


def head_rules(game: str, *versions: str) -> dict[str, Rule]:
    """The keys with which a record of any game begins. `versions` are those of the rules that can be read."""
    number = whole_rule(0, _MOST)
    rules = {"game": words_rule(game), "rules_version": words_rule(*versions), "seed": number, "play": number}
    return rules | {"seats": LIST, "variant": OBJECT}


def check_keys(where: str, value: Any, rules: Mapping[str, Rule]) -> None:
    """Refuse what is no object with every key, or a key that holds what it may not. Other keys are left alone.

    >>> check_keys("seat 0", {"marker": True}, {"marker": whole_rule(1, 5).or_null()})
    Traceback (most recent call last):
    designlab.cards.DataError: seat 0, marker: found true; allowed: a whole number 1..5, or null
    """
    if not isinstance(value, Mapping):
        raise DataError.of(where, value, f"an object with the keys {', '.join(rules)}")
    for key, rule in rules.items():
        if key not in value:
            raise DataError(f"{where}: found no key {key}; allowed: {', '.join(rules)}")
        if not rule.holds(value[key]):
            raise refused(key if where == "record" else f"{where}, {key}", value[key], rule.allowed)


def check_list(where: str, values: Sequence[Any], counts: Iterable[int], rule: Rule | None = None) -> None:
    """Refuse a list that is of none of these lengths, or with an entry that may not be there."""
    lengths = list(counts)
    if len(values) not in lengths:
        raise DataError(f"{where}: found {len(values)} of them; allowed: {listed(lengths)}")
    for number, value in enumerate(values, 1):
        if rule and not rule.holds(value):
            raise refused(f"{where}, entry {number}", value, rule.allowed)


def check_knob_names(given: Mapping[str, Any], known: Iterable[str]) -> None:
    """Refuse a record's variant with a knob that its game does not have."""
    names = list(known)
    for name in given:
        if name not in names:
            raise DataError.of("variant", Words(f"an unknown knob {shown(name)}"), ", ".join(names))


def refused(where: str, found: Any, allowed: str) -> DataError:
    """The usual sentence, with JSON's word for None."""
    return DataError.of(where, Words("null") if found is None else found, allowed)
