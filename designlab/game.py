"""A game as a value: what the simulator, the panels and the command line need to know of it.

Each folder in `designlab/games` has a `GAME` of this type in its module `game`; nothing here or elsewhere lists the
games. The functions are plain Python at the door and run kernels inside, so that no caller needs to know of records or
numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from designlab import jit
from designlab.variants import DataError, Variant, game_names

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Policy = str | Callable[[Any], Any]


@dataclass(frozen=True)
class Column:
    """One column of a frame in the data dictionary: its dtype (a "category" of texts too; "Int8" may be null) and
    what it holds."""

    dtype: str
    help: str


# What every frame begins with.
KEYS = {
    "variant": Column("category", "label of the variant"),
    "deal": Column("int32", "number of the deal, the randomness that plays share; the unit of evidence"),
    "mirrored": Column("bool", "whether the policies sit in each other's seats"),
    "play": Column("int32", "number of the play within the variant; `replay` takes it"),
}


@dataclass(frozen=True)
class Played:
    """Finished plays on their way into frames: one row each in every array.

    `policy` has shape (plays, seats) and holds indices into `policies`; `variant` holds indices into `variants`.
    `detail` is empty unless a frame that needs it was asked for.
    """

    variants: Sequence[Variant]
    policies: Sequence[str]
    variant: npt.NDArray[np.int16]
    deal: npt.NDArray[np.int32]
    mirrored: npt.NDArray[np.bool_]
    play: npt.NDArray[np.int32]
    policy: npt.NDArray[np.int8]
    summary: npt.NDArray[Any]
    detail: npt.NDArray[Any]

    def keys(self, repeat: int | npt.NDArray[np.integer] = 1) -> dict[str, Any]:
        """The columns of KEYS, each play's `repeat` times (one number for all, or one for each play)."""
        labels = [variant.label for variant in self.variants]
        return {
            "variant": (np.repeat(self.variant, repeat), labels),
            "deal": np.repeat(self.deal, repeat),
            "mirrored": np.repeat(self.mirrored, repeat),
            "play": np.repeat(self.play, repeat),
        }


@dataclass(frozen=True)
class Table:
    """One kind of frame: its data dictionary, and the function that makes its columns but the variant's name.

    `columns(played)` returns, for every column of the dictionary in its order, an array with one entry a row; a
    category column as a pair (codes, list of texts).
    """

    columns: Mapping[str, Column]
    make: Callable[[Played], dict[str, Any]]
    needs_detail: bool = False


@dataclass(frozen=True)
class Advantage:
    """What being first is worth: the question of a game, and which statistics answer it.

    statistic  name of a function in `stats`, and of its picture in `plots`
    title      what stands above its rows
    measures   measures of `stats.compare` that tell how a variant changes it, first what is asked most
    whose      a word for who has the win share of its rows of unit "share", where that is no seat
    meaning    what that word means
    """

    statistic: str
    title: str
    measures: tuple[str, ...]
    whose: str = ""
    meaning: str = ""


# The question of games in which seats take turns.
SEAT_ADVANTAGE = Advantage(
    statistic="seat_advantage",
    title="Advantage of the seat, above an equal share of the wins; 0 is fair",
    measures=("share", "total"),
)


@dataclass(frozen=True)
class Interventions:
    """What an experiment may do to the choices of a seat, said after its policy's name: "greedy forced P5".

    ways   {word: what the seat then does}
    cards  (variant, words) -> ids of the cards that the words after it stand for, DataError where there are none
    """

    ways: Mapping[str, str]
    cards: Callable[[Any, str], tuple[str, ...]]


class Intervention(NamedTuple):
    """A policy that must, or must not, take some cards."""

    policy: str
    way: str
    cards: str

    @classmethod
    def read(cls, policy: Policy, ways: Iterable[str]) -> Intervention | None:
        """The parts of a policy's text; None for a free policy, or for a Python function.

        >>> Intervention.read("greedy forced pattern 7", ["forced", "forbidden"])
        Intervention(policy='greedy', way='forced', cards='pattern 7')
        """
        words = policy.split(" ", 2) if isinstance(policy, str) else []
        return cls(*words) if len(words) == 3 and words[1] in ways and words[2].strip() else None

    def __str__(self) -> str:
        return " ".join(self)


@dataclass(frozen=True)
class Game:
    """A game's rules, as a value.

    `play(variant, policies, seed, first, count, detail)` plays the deals first .. first + count - 1 and returns
    (summary, detail) arrays; the result depends on nothing else. `policies` maps names to what they do.
    `record(variant, policies, seed, deal)` is one play in JSON's types; all else is made of such a record:
    `decisions` rows with the columns of `decision_columns`, `text` log lines, `draw(record, seat, move, ax)` a picture
    of what a seat has (None: all seats) after `move` moves (None: at the end), `draw_board(record, move, ax)` one of
    what lies between the seats; both return Axes. `read_record` checks a record from outside and fills in what may be
    left out; DataError if it is none.
    """

    name: str
    title: str
    rules_version: str
    seats: tuple[int, ...]  # numbers of players
    policies: Mapping[str, str]
    usual: str  # the policy of a seat for which none is named
    tables: Mapping[str, Table]
    play: Callable[..., tuple[npt.NDArray[Any], npt.NDArray[Any]]]
    record: Callable[[Any, Sequence[Policy], int, int], dict[str, Any]]
    read_record: Callable[[dict[str, Any]], dict[str, Any]]
    decisions: Callable[[dict[str, Any]], list[dict[str, Any]]]
    decision_columns: Mapping[str, Column]
    text: Callable[[dict[str, Any]], Iterator[str]]
    draw: Callable[[dict[str, Any], int | None, int | None, Axes | None], Axes]
    draw_board: Callable[[dict[str, Any], int | None, Axes | None], Axes]
    about: Sequence[str] = ()  # sentences a person must see beside any result
    advantage: Advantage = SEAT_ADVANTAGE
    interventions: Interventions | None = None  # None where seats take no cards
    # How plays go, beside who wins: by name, from the frames `plays` and `seats` of a run, a number or a yes or no for
    # each play; None where there is nothing to tell
    course: Mapping[str, Callable[[pd.DataFrame, pd.DataFrame], pd.Series | None]] = field(
        default_factory=dict
    )

    def usual_seats(self, players: int | None = None) -> tuple[str, ...]:
        """The usual policy in every seat, for so many players (the fewest that can play when left out).

        >>> load("kimono").usual_seats()
        ('greedy', 'greedy')
        """
        number = min(self.seats) if players is None else players
        if number not in self.seats:
            raise DataError(f"players: found {number}; allowed: {self._numbers_of_players()}")
        return (self.usual,) * number

    def _numbers_of_players(self) -> str:
        *others, last = map(str, self.seats)
        return f"{', '.join(others)} or {last}" if others else last

    def has_policy(self, policy: Any) -> bool:
        """Whether this is the name of a policy, with or without what it must or must not take.

        >>> load("kimono").has_policy("greedy forced P5"), load("panic").has_policy("steady forced 1")
        (True, False)
        """
        ways = () if self.interventions is None else self.interventions.ways
        found = Intervention.read(policy, ways)
        return isinstance(policy, str) and (policy if found is None else found.policy) in self.policies

    def check_policies(self, seats: Sequence[Policy] | None) -> tuple[Policy, ...]:
        """The policies of a seating (None: the usual ones), or a DataError that says what is allowed."""
        if seats is None:
            return self.usual_seats()
        if isinstance(seats, str):
            seats = seats.split(",")
        if not isinstance(seats, Sequence):
            raise DataError(f"seats: found {seats!r}; allowed: a policy for each seat, in a list")
        if len(seats) not in self.seats:
            found = "1 policy" if len(seats) == 1 else f"{len(seats)} policies"
            raise DataError(f"seats: found {found}; allowed: {self._numbers_of_players()}, one for each seat")
        for policy in seats:
            if not callable(policy) and not self.has_policy(policy):
                raise DataError(
                    f"seats: found {policy!r}; allowed: {', '.join(self.policies)}, or a Python function"
                )
        for policy in seats:  # a name stands for one policy, or frames could not tell them apart
            name = policy_name(policy)
            same = [other for other in seats if policy_name(other) == name and other is not policy]
            if callable(policy) and (same or name in self.policies):
                raise DataError(
                    f"seats: found two policies named {name!r}; allowed: names that differ, see designlab.named_policy"
                )
        return tuple(seats)


def load(name: str) -> Game:
    """The game of that name.

    >>> load("kimono").title
    'Kimono Memories'
    """
    if name not in game_names():
        raise DataError(f"game: found {name!r}; allowed: {', '.join(game_names())}")
    return import_module(f"designlab.games.{name}.game").GAME


def named_policy(name: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A Python policy under a name of its own: for a lambda, or for one function in several settings.

    >>> policy_name(named_policy("first", lambda view: view.options[0]))
    'first'
    """
    if not isinstance(name, str) or not name.isprintable() or not name.strip():
        raise DataError(f"policy: found name {name!r}; allowed: a line of text")
    if not callable(function):
        raise DataError(f"policy {name}: found {function!r:.80}; allowed: a function of a view")

    def policy(view: Any) -> Any:
        return function(view)

    policy.__name__ = name
    return policy


def policy_name(policy: Policy) -> str:
    """The name under which a policy stands in frames."""
    return policy if isinstance(policy, str) else getattr(policy, "__name__", type(policy).__name__)


@contextmanager
def readable_cache() -> Iterator[None]:
    """Where kernels are first called: a damaged file of the cache is named, with what to do."""
    try:
        yield
    except Exception as error:
        # numba keeps its files as pickles, and these are what a cut one raises
        if type(error).__name__ in ("EOFError", "UnpicklingError") and jit.JITTED:
            message = f"kernel cache: found a damaged file in {jit.cache_folder()}; delete that folder and run again"
            raise DataError(message) from error
        raise


def frozen(mapping: Mapping[str, Any]) -> Mapping[str, Any]:
    """A read-only copy, for the fields of a Game."""
    return MappingProxyType(dict(mapping))
