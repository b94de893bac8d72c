"""What tests/conformance needs to know of this game: variants to try, and what a record must share with frames.

All samples are of the printed tiles and first readings, so one town table does for all.
"""

from itertools import accumulate, pairwise
from typing import Any

import pandas as pd
from games.panic import match_referee

from designlab.games.panic.variant import PanicVariant

PRINTED = PanicVariant()
TINY = PRINTED.but(name="tiny", win_threshold=4, themes_per_round=1, looks=2, aspiration=40)
SLOW_UNJITTED = ("follower", "aspiring", "climber")
SAMPLES = (
    PRINTED,
    PRINTED.but(
        name="fast", look_seconds=2, look_spread=1.5, timer_seconds=5, broken_percent=30, win_threshold=12
    ),
    PRINTED.but(
        name="shared",
        theme_ties="shared",
        points=(5, 1),
        themes_per_round=6,
        theme_copies={4: 3, 1: 0},
        seat_speed=50,
    ),
)


def check_replay(record: dict[str, Any], frames: dict[str, pd.DataFrame]) -> None:
    """`frames` holds the rows of the recorded play only; every figure that both have must agree."""
    match_referee.check(record)
    (play,) = frames["plays"].to_dict("records")
    rounds, seats = record["rounds"], len(record["seats"])
    assert play["winner"] == (-1 if record["winner"] is None else record["winner"])
    assert (play["ended"], play["rounds"], play["players"]) == (record["ended"], len(rounds), seats)
    totals = [score["total"] for score in record["scores"]]
    best = sorted(totals, reverse=True)
    assert play["margin"] == best[0] - best[1]
    for seat, row in enumerate(frames["seats"].to_dict("records")):
        mine = [now["seats"][seat] for now in rounds]
        assert (row["seat"], row["policy"], row["total"]) == (seat, record["seats"][seat], totals[seat])
        assert row["rank"] == record["scores"][seat]["rank"]
        assert row["finished"] == sum(its["complete"] for its in mine)
        assert row["first"] == sum(its["marker"] == 1 for its in mine)
        assert row["first_points"] == sum(sum(its["points"]) for its in mine if its["marker"] == 1)
        assert row["broken"] == sum(its["marker"] is not None and not its["complete"] for its in mine)
        assert row["looks"] == sum(its["looks"] for its in mine)
        assert abs(row["seconds"] - sum(its["seconds"] for its in mine)) < 0.01 * len(mine)
        assert row["plain"] + row["starred"] == row["total"]
    _check_rounds(record, frames["rounds"], play)
    _check_themes(record, frames["themes"])


def _check_rounds(record: dict[str, Any], rounds: pd.DataFrame, play: dict[str, Any]) -> None:
    gains = [[sum(its["points"]) for its in now["seats"]] for now in record["rounds"]]
    leaders = []
    for points in accumulate(gains, lambda sums, more: [a + b for a, b in zip(sums, more, strict=True)]):
        best = [seat for seat, total in enumerate(points) if total == max(points)]
        leaders.append(best[0] if len(best) == 1 else -1)
    assert rounds["round"].tolist() == list(range(1, len(gains) + 1))
    assert rounds.leader.tolist() == leaders
    assert play["first_leader"] == leaders[0]
    alone = [leader for leader in leaders if leader >= 0]
    assert play["lead_changes"] == sum(a != b for a, b in pairwise(alone))
    for row, now in zip(rounds.to_dict("records"), record["rounds"], strict=True):
        assert row["complete"] == sum(its["complete"] for its in now["seats"])
        first = [seat for seat, its in enumerate(now["seats"]) if its["marker"] == 1]
        assert row["first"] == (first[0] if first else -1)


def _check_themes(record: dict[str, Any], themes: pd.DataFrame) -> None:
    told = [
        (
            number,
            no,
            seat,
            its["marker"] or 0,
            its["complete"],
            its["values"][str(no)] or 0,
            rank or 0,
            points,
        )
        for number, now in enumerate(record["rounds"], 1)
        for i, no in enumerate(now["themes"])
        for seat, its in enumerate(now["seats"])
        for rank, points in [(its["ranks"][i], its["points"][i])]
    ]
    columns = ["round", "theme", "seat", "marker", "complete", "value", "rank", "points"]
    assert [tuple(row) for row in themes[columns].itertuples(index=False)] == told
