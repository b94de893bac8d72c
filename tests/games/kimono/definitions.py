"""What the rulebook says that policies look for, by brute force on the referee's table."""

from __future__ import annotations

from games.kimono.referee import PATTERNS, Option, Table


def greedy_value(table: Table, option: Option) -> int:
    """The immediate change of own score minus the opponent's, both as if the game ended now."""
    seat = table.seat_to_move
    return table.after(option).lead(seat) - table.lead(seat)


def own_value(table: Table, option: Option) -> int:
    """The immediate change of own score alone."""
    seat = table.seat_to_move
    return table.after(option).score(seat) - table.score(seat)


def denier_value(table: Table, option: Option) -> int:
    """Greedy minus the best greedy reply that the choice leaves the opponent."""
    return greedy_value(table, option) - best_reply(table, option)


def best_reply(table: Table, option: Option) -> int:
    """The opponent's best greedy value after the option; 0 where the next choice is not the opponent's.

    The refill is not known yet. In the reward phase the next choice belongs to whoever wins the next pattern that is
    not in the middle.
    """
    opponent = 1 - table.seat_to_move
    after = table.after(option)
    if after.rewarding is None:
        is_last = not after.deck and len(after.ahead()) == after.knobs["end_ring"]
        if is_last or after.sudden_winner() is not None:
            return 0
    else:
        coming = [p for p in PATTERNS if p > after.rewarding and after.markers[p] != 0]
        if not coming or not after.display or after.tile_owner(coming[0]) != opponent:
            return 0
        for pattern in range(after.rewarding + 1, coming[0]):
            after.taken[pattern] = -1  # compared in the middle: its tile goes to nobody, whatever moves later
        after.rewarding = coming[0]
        after.taken[coming[0]] = opponent
    after.seat_to_move = opponent
    return max(greedy_value(after, reply) for reply in after.options())


def specialist(cats: int = 1, props: int = 1, mon: int = 1, step: int = 0):
    """Greedy with some sources counted several times, and points for marker steps.

    A step counts while its pattern is still to be compared.
    """

    def value(table: Table, option: Option) -> int:
        seat, after = table.seat_to_move, table.after(option)
        before, then = table.sources(seat), after.sources(seat)
        worth = {"tiles": 1, "cats": cats, "props": props, "mon": mon, "bonus": 1}
        total = sum(times * (then[source] - before[source]) for source, times in worth.items())
        total -= after.sources(1 - seat)["tiles"] - table.sources(1 - seat)["tiles"]
        open_ = [pattern for pattern in PATTERNS if pattern not in table.taken]
        return total + step * sum(abs(after.markers[p] - table.markers[p]) for p in open_)

    return value


VALUES = {
    "greedy": greedy_value,
    "own_score": own_value,
    "denier": denier_value,
    "cats": specialist(cats=3),
    "props": specialist(props=3),
    "tracks": specialist(step=2),
    "towers": specialist(mon=3),
}
