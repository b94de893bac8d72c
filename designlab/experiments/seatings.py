"""Several seatings of the same variants, each on the same deals: mirrored where policies differ, else independent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

from designlab.cards import DataError
from designlab.game import Game, Policy, policy_name
from designlab.simulation import Progress, Result, progress_bar, simulate
from designlab.variants import Variant

FRAMES = ("seats",)


def seatings_of(game: Game, seatings: Any) -> list[tuple[Policy, ...]]:
    """Seatings that a game can play, all of as many seats; the usual one when there are none.

    One seating, such as ("greedy", "denier"), is taken for a list of it. Two of the same policies in two seats are one
    experiment, as its deals are played both ways.
    """
    allowed = 'seatings such as [("greedy", "greedy"), ("greedy", "denier")]'
    if seatings is None:
        return [game.check_policies(None)]
    if isinstance(seatings, str) or not isinstance(seatings, Sequence) or not seatings:
        raise DataError.of("seatings", seatings or None, allowed)
    if all(isinstance(policy, str) or callable(policy) for policy in seatings):
        seatings = [seatings]
    found: list[tuple[Policy, ...]] = []
    seen: set[tuple[str, ...]] = set()
    for seating in seatings:
        if isinstance(seating, str) or not isinstance(seating, Sequence):
            raise DataError.of("seatings", str(seating), allowed)
        policies = game.check_policies(seating)
        names = tuple(policy_name(policy) for policy in policies)
        if found and len(policies) != len(found[0]):
            raise DataError.of("seatings", f"{len(policies)} seats", f"{len(found[0])}, as in the first one")
        key = tuple(sorted(names)) if len(names) == 2 else names
        if key in seen:
            raise DataError.of("seatings", f"{', '.join(names)} twice", "each once, in whatever order")
        seen.add(key)
        found.append(policies)
    return found


def play_each(
    variants: Sequence[Variant],
    seatings: Sequence[tuple[Policy, ...]],
    plays: int,
    seed: int,
    executor: Executor | None,
    progress: Progress | bool | None,
) -> Iterator[Result]:
    """One result a seating, with the frame `seats`. After one that was stopped there is no other."""
    ways = [1 + (len(policies) == 2 and len(set(policies)) == 2) for policies in seatings]
    each, done = plays * len(variants), 0
    with progress_bar(progress, each * sum(ways)) as report:
        for policies, times in zip(seatings, ways, strict=True):

            def told(now: int, _: int, before: int = done) -> Any:
                return report(before + now, each * sum(ways)) if report is not None else None

            result = simulate(variants, policies, plays, seed, executor, told, times == 2, FRAMES)
            done += each * times
            yield result  # of a stopped run too: it has at least one deal of everything
            if result.cancelled:
                return
