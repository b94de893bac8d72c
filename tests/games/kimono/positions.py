"""Small positions, laid out by hand: what the tests of the rules start from."""

from games.kimono.engine import beauty, hand, prop, told

BLANK = prop("fan", 0, None, None)  # no edges, nothing scored
# laid at the right end of the row they match nothing
PLAIN = {pattern: beauty(pattern, None, "cat") for pattern in range(3, 8)}


def named(*patterns):
    """Up to 15 cards with faces of their own, for tests that are about where cards lie."""
    return [beauty(3 + i % 5, "cat", None, thing=("lantern", "flower", "fan")[i // 5]) for i in patterns]


class Alone:
    """Seat 0 takes the given cards in turn, each one step ahead; seat 1 adds blanks at its right end.

    A ring of 3 refilled from the deck hands out cards in the order dealt.
    """

    def __init__(self, *cards, **knobs):
        deal = [card for mine in cards for card in (mine, BLANK)] + [BLANK] * 3
        self.engine = hand(*deal, ring_size=3, **knobs)

    def lay(self, layer, position, *gains):
        option = self.engine.take(1, layer, position, *gains)
        assert self.engine.seat == 1
        self.engine.take(1, *max(place for place in self.engine.places(1) if place[0] == 1))
        return told(option)

    def row(self, *positions):
        for position in positions:
            self.lay(1, position)
        return self


def between(left, middle, right, **knobs):
    """A photo about to be laid in layer 2 between two others, the supports below without symbols."""
    supports = [BLANK] * 3
    alone = Alone(*supports, left, right, middle, **knobs).row(2, 4, 6)
    alone.lay(2, 1)
    alone.lay(2, 5)
    return alone


def right_end(engine):
    """The place at the right end of the row of the seat to move."""
    return max(position for layer, position in engine.places(engine.seat) if layer == 1)


def push(*cards, rest=(), **knobs):
    """Seats take the cards in turn, one step ahead, each at the right end of its row; `rest` is left for rewards."""
    engine = hand(*cards, *rest, **{"end_ring": len(rest), **knobs})
    for _ in cards:
        engine.take(1, 1, right_end(engine))
    return engine
