"""Two stored experiments side by side: what was asked differently, and what came out differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from designlab.cards import DataError, shown
from designlab.experiments.store.stored import Experiment

if TYPE_CHECKING:
    import pandas as pd

SETTINGS = ("rules_version", "code", "seed", "plays", "mirror", "frames")


@dataclass(frozen=True)
class Difference:
    """What `difference` found.

    settings  frame: what, first, second (texts); a row for each setting, variant, seating and knob that differs
    outcomes  frame: as `stats.compare` and `stats.adjusted` (Holm, all rows together), before them the columns
              `variant` and `pairing`; what the second has more than the first, for every variant and seating of both.
              Deal by deal where both played the same deals
    same_plays  whether each play that both have came out the same
    common_deals  how many deals both played, over all variants and seatings of both
    """

    settings: pd.DataFrame
    outcomes: pd.DataFrame
    same_plays: bool
    common_deals: int


def difference(first: Experiment, second: Experiment, level: float = 0.95) -> Difference:
    """Compare two experiments of one game, of other rules or other code too: each keeps its own plays.

    Variants are matched by label; two experiments of one variant each are matched whatever the labels. DataError where
    the games differ or nothing matches.
    """
    import pandas as pd

    for each in (first, second):
        if "seats" not in each.plan.frames:
            raise DataError(f"{each.folder}: found no frame seats; allowed: experiments that keep it")
    if first.game.name != second.game.name:
        raise DataError(
            f"{second.folder}: found game {second.game.name} beside {first.game.name}; allowed: one game"
        )
    pairs = [(label, label) for label in first.variants if label in second.variants]
    if not pairs and len(first.variants) == len(second.variants) == 1:
        pairs = [(next(iter(first.variants)), next(iter(second.variants)))]
    seatings = [seating for seating in first.plan.seatings if seating in second.plan.seatings]
    if not pairs or not seatings:
        what = (
            ("variants", first.variants, second.variants)
            if not pairs
            else ("seats", map(", ".join, first.plan.seatings), map(", ".join, second.plan.seatings))
        )
        raise DataError(
            f"{what[0]}: found {shown([*what[1]])} in one, {shown([*what[2]])} in the other; allowed: one in both"
        )
    rows, same, common = [], True, 0
    for mine, theirs in pairs:
        for seating in seatings:
            table, equal, deals = _compared(first, second, mine, theirs, seating, level)
            rows.append(table)
            same = same and equal
            common += deals
    from designlab import stats

    return Difference(
        settings=pd.DataFrame(_settings(first, second, pairs), columns=["what", "first", "second"]),
        outcomes=stats.adjusted(pd.concat(rows, ignore_index=True)),
        same_plays=same and common > 0,
        common_deals=common,
    )


def _compared(
    first: Experiment, second: Experiment, mine: str, theirs: str, seating: tuple[str, ...], level: float
) -> tuple[pd.DataFrame, bool, int]:
    """The rows of one variant and seating, whether all plays of both came out the same, and how many these are."""
    import pandas as pd

    from designlab import stats

    frames = [each.frame("seats", label, seats=seating) for each, label in ((first, mine), (second, theirs))]
    for frame, experiment in zip(frames, (first, second), strict=True):
        if not len(frame):
            raise DataError(
                f"{experiment.folder}: found no plays yet; allowed: a part or more of every variant"
            )
    same, common = _same(*frames)
    both = pd.concat(
        [frame.assign(variant=name) for frame, name in zip(frames, ("first", "second"), strict=True)],
        ignore_index=True,
    )
    table = stats.compare(both, level=level).drop(columns=["variant", "baseline"])
    label = mine if mine == theirs else f"{mine} and {theirs}"
    table.insert(0, "variant", label)
    return table.astype({"pairing": str, "measure": str}), same, common


def _same(first: pd.DataFrame, second: pd.DataFrame) -> tuple[bool, int]:
    """Whether the plays that both have are alike, by deal and mirroring, and how many deals they are."""
    key = ["deal", "mirrored", "seat"]
    one, other = (
        frame.drop(columns=["variant", "play"]).astype({"policy": str}) for frame in (first, second)
    )
    shared = one[key].merge(other[key])
    mine, theirs = (shared.merge(frame, on=key, how="left") for frame in (one, other))
    return mine.equals(theirs), int(shared["deal"].nunique())


def _settings(
    first: Experiment, second: Experiment, pairs: list[tuple[str, str]]
) -> list[tuple[str, str, str]]:
    rows = []
    for name in SETTINGS:
        mine, theirs = getattr(first.plan, name), getattr(second.plan, name)
        if mine != theirs:
            words = [", ".join(each) if isinstance(each, tuple) else str(each) for each in (mine, theirs)]
            rows.append((name.replace("_", " "), words[0], words[1]))
    for what, here, there in (
        ("variant", [*first.variants], [*second.variants]),
        ("seats", [",".join(s) for s in first.plan.seatings], [",".join(s) for s in second.plan.seatings]),
    ):
        rows += [(what, name, "-") for name in here if name not in there]
        rows += [(what, "-", name) for name in there if name not in here]
    for mine, theirs in pairs:
        one, other = first.variants[mine], second.variants[theirs]
        for knob in one.knobs():
            texts = one.knob_text(knob), other.knob_text(knob)
            if texts[0] != texts[1]:
                rows.append((f"{mine}: {knob}", texts[0], texts[1]))
        if one.key != other.key and one.dump() == other.dump():
            rows.append((f"{mine}: cards", one.key[:8], other.key[:8]))
    return rows
