"""What tests/conformance needs to know of this game: variants to try, and what a record must share with frames."""

from itertools import pairwise
from typing import Any

import pandas as pd
from games.kimono import referee

from designlab.games.kimono.variant import KimonoVariant

PRINTED = KimonoVariant()
_FEW = {"pattern_copies": {3: 2, 4: 0, 5: 1, 6: 1, 7: 2}, "copies": {"P1": 0, "P2": 0, "P3": 0}}

# over in so few decisions that a rollout takes seconds without numba
TINY = PRINTED.but(
    name="tiny", **_FEW, keep_deck_size=False, ring_size=4, display_size=1, end_ring=3, longest_move=2
)
NAMED = "pattern 7"  # cards that a seat must or must not take
SLOW_UNJITTED = ("rollout", "denier")
SAMPLES = (
    PRINTED,
    PRINTED.but(name="sudden", deck="deck_mon_two", sudden_victory=True, sudden_space=2, seat_bonus=(-3, 5)),
    PRINTED.but(
        name="few tokens",
        pattern_tokens=1,
        cat_tokens=2,
        ring_size=3,
        end_ring=0,
        longest_move=6,
        display_size=6,
        track_length=1,
        sudden_space=1,
    ),
    PRINTED.but(
        name="odd",
        copies={"P5": 6},
        keep_deck_size=False,
        basic_mode=True,
        mon_points=(3,),
        seat_tokens=(0, 2),
        seat_cards=(2, 1),
        seat_moves=(-1, 2),
    ),
)


def check_replay(record: dict[str, Any], frames: dict[str, pd.DataFrame]) -> None:
    """`frames` holds the rows of the recorded play only; every figure that both have must agree."""
    table = referee.check(record)
    (play,) = frames["plays"].to_dict("records")
    winner = -1 if record["winner"] is None else record["winner"]
    totals = [scores["total"] for scores in record["scores"]]
    assert (play["winner"], play["ended"]) == (winner, record["ended"])
    assert (play["turns"], play["margin"]) == (len(record["turns"]), totals[0] - totals[1])
    markers = (record["rewards"] or record["turns"])[-1]["markers"]
    for seat, row in enumerate(frames["seats"].to_dict("records")):
        assert (row["seat"], row["policy"]) == (seat, record["seats"][seat])
        assert {source: row[source] for source in record["scores"][seat]} == record["scores"][seat]
        assert row["share"] == (0.5 if record["winner"] is None else float(record["winner"] == seat))
        assert row["won"] == (record["winner"] == seat)
        assert row["rank"] == (1 if record["winner"] in (seat, None) else 2)
        assert row["turns"] == sum(turn["seat"] == seat for turn in record["turns"])
        assert row["photos"] == len(table.albums[seat])
        assert row["layers"] == max(photo.layer for photo in table.albums[seat])
        assert row["cat_tokens"] == table.tokens[seat].count("cat")
        assert row["tiles_won"] == [reward["winner"] for reward in record["rewards"]].count(seat)
        for pattern in referee.PATTERNS:
            assert row[f"tokens_{pattern}"] == table.tokens[seat].count(f"p{pattern}")
            assert row[f"marker_{pattern}"] == (1 - 2 * seat) * markers[str(pattern)]
    _check_cards(record, table, frames["cards"])
    _check_turns(record, frames["turns"], play["lead_changes"], totals)


def _check_cards(record: dict[str, Any], table: referee.Table, cards: pd.DataFrame) -> None:
    assert cards.card.tolist() == record["deal"]
    assert cards.order.tolist() == list(range(len(record["deal"])))
    moves = [(0, turn["seat"], turn) for turn in record["turns"]]
    moves += [(1, reward["winner"], reward) for reward in record["rewards"] if reward["card"]]
    columns = ["reward", "seat", "turn", "steps", "card", "layer", "position"]
    told = [
        (reward, seat, move.get("turn", 0), move.get("steps", 0), *(move[name] for name in columns[-3:]))
        for reward, seat, move in moves
    ]
    taken = cards[cards.seat >= 0]
    assert sorted(taken[columns].itertuples(index=False, name=None)) == sorted(told)
    left = cards[cards.seat < 0]
    assert (left[["turn", "reward", "steps", "layer", "position"]] == 0).all(axis=None)


def _check_turns(record: dict[str, Any], turns: pd.DataFrame, lead_changes: int, totals: list[int]) -> None:
    leads = []
    table = None
    for table, option in referee.choices(record):
        if option.steps:
            leads.append(table.after(option).lead(0))
    assert turns.lead.tolist() == leads
    assert turns.turn.tolist() == [turn["turn"] for turn in record["turns"]]
    assert turns.seat.tolist() == [turn["seat"] for turn in record["turns"]]
    if record["ended"] == "ring":
        leads.append(totals[0] - totals[1])
    leaders = [lead > 0 for lead in leads if lead]
    assert lead_changes == sum(now != before for before, now in pairwise(leaders))
