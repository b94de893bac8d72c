"""Albums, each with what it scores."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from designlab.games.kimono.draw.card import HEIGHT, LAP, MON, WIDTH, Card
from designlab.games.kimono.draw.card import SEAM as SEAM_HEIGHT
from designlab.games.kimono.draw.key import ALBUM_KEY, draw_key, key_height
from designlab.games.kimono.draw.shapes import SIZE, Sketch, text_width, tint
from designlab.games.kimono.moment import Moment, Photo, Term
from designlab.plots.picture import axes
from designlab.plots.style import FAINT, INK, shorten

MOST_WIDE, LEAST_WIDE = 1400.0, 680.0  # of a picture that nobody asked a size of
SIDE, GAP = 92.0, 14.0  # room for the names of the layers on the left; between parts
LINE = 17.0
NAMES = {"mon": "Mon"}


def draw_albums(moment: Moment, seats: Sequence[int], outlined: bool, ax: Axes | None) -> Axes:
    """The albums of these seats, one under the other; `outlined` marks the photo just laid."""
    size = min(
        1.0 if len(seats) == 1 else 0.8, (MOST_WIDE - SIDE - GAP) / max(_wide(moment, seat) for seat in seats)
    )
    wide = max(LEAST_WIDE, *(SIDE + GAP + _wide(moment, seat) * size for seat in seats))
    ledgers = [_Ledger(moment, seat, wide) for seat in seats]
    highs = [_high(moment, seat) * size for seat in seats]
    entries = ALBUM_KEY if outlined else ALBUM_KEY[:-1]
    key = key_height(entries, wide)
    total = (
        sum(34 + high + GAP + ledger.height + GAP for high, ledger in zip(highs, ledgers, strict=True))
        + key
        + 6
    )
    sketch = Sketch(axes(round(wide), round(total)) if ax is None else ax, wide, total)
    top = total
    for seat, high, ledger in zip(seats, highs, ledgers, strict=True):
        _title(sketch, moment, seat, top - 18)
        top -= 34 + high
        _Album(sketch, moment, seat, SIDE, top, size, outlined).draw()
        top -= GAP
        ledger.draw(sketch, top)
        top -= ledger.height + GAP
    draw_key(sketch, entries, key)
    return sketch.ax


def _span(moment: Moment, seat: int) -> tuple[int, int]:
    positions = [photo.position for photo in moment.albums[seat]]
    return min(positions), max(positions)


def _wide(moment: Moment, seat: int) -> float:
    first, last = _span(moment, seat)
    return ((last - first) / 2 + 1) * WIDTH


def _high(moment: Moment, seat: int) -> float:
    layers = max(photo.layer for photo in moment.albums[seat])
    return HEIGHT + (layers - 1) * (HEIGHT - LAP)


def _title(sketch: Sketch, moment: Moment, seat: int, y: float) -> None:
    record = moment.record
    points = moment.scores(seat)["total"]
    words = f"seat {seat}, {shorten(record['seats'][seat], 30)}: {points} point{'s' if points != 1 else ''}"
    if moment.is_over:
        words += ", a draw" if record["winner"] is None else ", wins" if record["winner"] == seat else ""
    sketch.text(8, y, words, 15, weight="bold")
    sketch.text(sketch.width - 8, y, when(moment), SIZE, FAINT, ha="right")
    begun = moment.knobs["seat_tokens"][seat]
    if begun:
        left = 28 + text_width(words, 15, bold=True)
        sketch.text(left, y, "began with", SIZE, FAINT)
        left += text_width("began with") + 14
        step = min(19.0, (sketch.width - 8 - text_width(when(moment)) - 20 - left) / begun)
        for number in range(begun):
            sketch.token("cat", left + number * step, y, 6.5, 2)


def when(moment: Moment) -> str:
    """The moment in words."""
    turns, rewards = len(moment.record["turns"]), moment.move - moment.turns
    if moment.is_over:
        return f"at the end, {turns} turns"
    if rewards:
        return f"after the reward for pattern {moment.record['rewards'][rewards - 1]['pattern']}"
    return f"after turn {moment.turns} of {turns}" if moment.turns else "before the first turn"


class _Album:
    """One album on a sketch, the lower left corner of its row at (left, bottom)."""

    def __init__(
        self,
        sketch: Sketch,
        moment: Moment,
        seat: int,
        left: float,
        bottom: float,
        size: float,
        outlined: bool,
    ) -> None:
        self.sketch, self.moment, self.seat, self.size, self.outlined = sketch, moment, seat, size, outlined
        self.left, self.bottom = left, bottom
        self.first = _span(moment, seat)[0]

    def card(self, photo: Photo) -> Card:
        x = self.left + (photo.position - self.first) / 2 * WIDTH * self.size
        y = self.bottom + (photo.layer - 1) * (HEIGHT - LAP) * self.size
        return Card(self.sketch, self.moment.cards[photo.card], photo.card, x, y, self.size, 10 * photo.layer)

    def draw(self) -> None:
        album, moment = self.moment.albums[self.seat], self.moment
        for photo in album:
            card = self.card(photo)
            card.draw(self.outlined and photo.move == moment.move > 0)
            if photo.layer > 1:
                self._edges_below(card)
            if photo.when:
                card.tag(photo.when)
            if moment.cards[photo.card]["kind"] == "prop":
                face, sets = moment.cards[photo.card], moment.sets(self.seat, photo.card)
                card.gained(sets * face["points"])
            for side, token in photo.tokens:
                x, y = card.at(0 if side == "left" else WIDTH, SEAM_HEIGHT)
                self.sketch.token(token, x, y, 15 * self.size, card.z + 5)
        for mon in moment.mon(self.seat):
            card = self.card(mon.photo)
            card.mon(mon.side, mon.points, card.z + (6 if mon.points is not None else 16))
        self._names_of_layers()

    def _edges_below(self, card: Card) -> None:
        """The hidden edges of the two photos that a photo rests on."""
        colour, how = tint(INK, 0.55), {"thick": 0.7, "linestyle": (0, (3, 2)), "z": card.z + 0.3}
        self.sketch.line([card.at(WIDTH / 2, 1), card.at(WIDTH / 2, LAP)], colour, **how)
        self.sketch.line([card.at(1, LAP), card.at(WIDTH - 1, LAP)], colour, **how)

    def _names_of_layers(self) -> None:
        worth = self.moment.knobs["mon_points"]
        for layer in range(1, max(photo.layer for photo in self.moment.albums[self.seat]) + 1):
            y = self.bottom + ((layer - 1) * (HEIGHT - LAP) + MON[1]) * self.size
            points = worth[min(layer, len(worth)) - 1]
            self.sketch.text(8, y + 2, f"layer {layer}", SIZE, INK)
            self.sketch.text(8, y - 11, f"a Mon: {points}", SIZE - 1, FAINT)


class _Ledger:
    """What a seat scores, a line or more for each source."""

    def __init__(self, moment: Moment, seat: int, width: float) -> None:
        self.moment, self.seat, self.width = moment, seat, width
        self.points = moment.points(seat)
        self.scores = moment.scores(seat)
        self.lines = {source: self._broken(terms) for source, terms in self.points.items()}
        if not moment.knobs["seat_bonus"][seat]:
            del self.lines["bonus"]
        self.height = LINE * (sum(max(1, len(lines)) for lines in self.lines.values()) + 1) + 6

    def _broken(self, terms: Sequence[Term]) -> list[list[str]]:
        """The terms of a source in lines that fit."""
        lines: list[list[str]] = []
        x = self.width
        for term in terms:
            words = f"{term.points} ({term.words})"
            wide = text_width(f"{words} + ", SIZE)
            if x + wide > self.width - 8:
                lines.append([])
                x = 116.0
            lines[-1].append(words)
            x += wide
        return lines

    def draw(self, sketch: Sketch, top: float) -> None:
        y = top - LINE / 2
        is_over, ended = self.moment.is_over, self.moment.record["ended"]
        of_tiles = "" if is_over else ", as the markers stand"
        for source, lines in self.lines.items():
            sketch.text(8, y, NAMES.get(source, source), SIZE)
            sketch.text(92, y, str(self.scores[source]), SIZE + 1, ha="right", weight="bold")
            for number, line in enumerate(lines):
                start = "= " if number == 0 else "+ "
                last = of_tiles if source == "tiles" and number == len(lines) - 1 else ""
                sketch.text(102, y, start + " + ".join(line) + last, SIZE)
                y -= LINE
            if not lines:
                if source == "tiles" and is_over and ended == "sudden_victory":
                    sketch.text(102, y, "none after a sudden victory", SIZE, FAINT)
                y -= LINE
        sketch.line([(8, y + LINE / 2 - 1), (94, y + LINE / 2 - 1)], INK, thick=0.8)
        sketch.text(8, y - 3, "total", SIZE)
        sketch.text(92, y - 3, str(self.scores["total"]), SIZE + 1, ha="right", weight="bold")
        sum_of = [str(self.scores[source]) for source in self.lines]
        sketch.text(102, y - 3, "= " + " + ".join(sum_of), SIZE)
