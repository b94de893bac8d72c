"""The board between the seats: ring and photographer, tracks, display, supply."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from matplotlib.axes import Axes

from designlab.games.kimono.deck import PATTERNS
from designlab.games.kimono.draw.album import when
from designlab.games.kimono.draw.card import HEIGHT, WIDTH, Card
from designlab.games.kimono.draw.key import BOARD_KEY, draw_key, key_height
from designlab.games.kimono.draw.shapes import (
    MARK,
    PAPER,
    PATTERN_COLOURS,
    SIZE,
    Sketch,
    polygon,
    text_width,
    tint,
    wrapped,
)
from designlab.games.kimono.moment import Moment
from designlab.plots.picture import axes
from designlab.plots.style import FAINT, INK, shorten

ACROSS = 980.0
RING = 470.0  # the square that the ring takes
RADIUS = 178.0
PANEL = 505.0  # left edge of what stands beside the ring
LINE = 17.0


def draw_table(moment: Moment, ax: Axes | None) -> Axes:
    """Everything between the two albums, and below it what was done and what comes next."""
    told = [
        line for words in (_done(moment), _coming(moment)) for line in wrapped(words, ACROSS - 16, SIZE + 1)
    ]
    key = key_height(BOARD_KEY, ACROSS)
    high = 34 + RING + LINE * len(told) + 14 + key
    sketch = Sketch(axes(round(ACROSS), round(high)) if ax is None else ax, ACROSS, high)
    seats = "   ".join(
        f"seat {seat}: {shorten(name, 20)}" for seat, name in enumerate(moment.record["seats"])
    )
    sketch.text(8, high - 18, f"The board {when(moment)}", 15, weight="bold")
    sketch.text(ACROSS - 8, high - 18, seats, SIZE, FAINT, ha="right")
    _ring(sketch, moment, 8 + RING / 2, high - 34 - RING / 2)
    top = high - 48
    top = _tracks(sketch, moment, top)
    top = _display(sketch, moment, top - 20)
    _supply(sketch, moment, top - 16)
    y = high - 34 - RING - LINE / 2 - 4
    for line in told:
        sketch.text(8, y, line, SIZE + 1)
        y -= LINE
    draw_key(sketch, BOARD_KEY, key)
    return sketch.ax


# The ring


def _ring(s: Sketch, moment: Moment, x: float, y: float) -> None:
    count = len(moment.ring)
    size = min(0.84, 2 * RADIUS * math.sin(math.pi / max(4, count)) / (HEIGHT + 18))
    s.disc(x, y, RADIUS, edge=tint(INK, 0.8), thick=10, z=0.5)
    reach = moment.reach(moment.seat)
    for place, card in enumerate(moment.ring):
        angle = _angle(place + 0.5, count)
        left = x + RADIUS * math.cos(angle) - WIDTH * size / 2
        bottom = y + RADIUS * math.sin(angle) - HEIGHT * size / 2
        if card is None:
            wide, high = WIDTH * size, HEIGHT * size
            s.box(left, bottom, wide, high, 4, face=PAPER, edge=FAINT, thick=0.8, linestyle=(0, (3, 3)), z=2)
            continue
        drawn = Card(s, moment.cards[card], card, left, bottom, size, 2)
        drawn.draw(outlined=place in reach)
        drawn.plain_mon()
        if place in reach:
            edge = min(
                WIDTH * size / 2 / max(abs(math.cos(angle)), 1e-9),
                HEIGHT * size / 2 / max(abs(math.sin(angle)), 1e-9),
            )
            inner = RADIUS - edge - 15
            at = x + inner * math.cos(angle), y + inner * math.sin(angle)
            s.disc(*at, 12, face=MARK, z=3)
            s.text(*at, str(reach.index(place) + 1), 15, PAPER, ha="center", weight="bold", zorder=4)
    if any(moment.ring):
        start = _angle(moment.photographer, count)
        _photographer(s, x, y, start, _angle(reach[-1] + 0.5, count) if reach else start)
    _deck(s, x, y, moment)


def _angle(place: float, count: int) -> float:
    """Clockwise from the top, where the photographer starts."""
    return math.pi / 2 - 2 * math.pi * place / count


def _photographer(s: Sketch, x: float, y: float, start: float, end: float) -> None:
    """Between two places, and the way to the last card within reach."""

    def on(radius: float, angle: float) -> tuple[float, float]:
        return x + radius * math.cos(angle), y + radius * math.sin(angle)

    if end != start:
        _way(s, on, start, end - 2 * math.pi * (end > start))
    s.disc(*on(RADIUS, start), 17, face=MARK, edge=PAPER, thick=2, z=5)
    s.glyph("camera", *on(RADIUS, start), 11, PAPER, MARK, z=6)


def _way(s: Sketch, on: Callable[[float, float], tuple[float, float]], start: float, end: float) -> None:
    arc = [on(84, start + (end - start) * i / 40) for i in range(41)]
    s.line([on(RADIUS - 17, start), *arc], tint(MARK, 0.3), thick=2, z=1)
    s.shape(polygon(on(91, end), on(84, end - 0.13), on(77, end)), face=tint(MARK, 0.3), z=1)


def _deck(s: Sketch, x: float, y: float, moment: Moment) -> None:
    left = len(moment.deck)
    for step in range(min(3, left)):
        s.box(
            x - 22 + 2 * step,
            y - 14 + 2 * step,
            40,
            54,
            4,
            face=tint(INK, 0.75),
            edge=INK,
            thick=0.8,
            z=2 + step / 10,
        )
    s.text(x, y - 30 if left else y, f"deck: {left} card{'s' if left != 1 else ''}", SIZE, ha="center")


# Beside the ring


def _tracks(s: Sketch, moment: Moment, top: float) -> float:
    """A row for each pattern, seat 0's side on the left. Returns the lower end."""
    length = moment.knobs["track_length"]
    left, right = PANEL + 30, ACROSS - 128
    cell = min(36.0, (right - left) / (2 * length + 1))
    middle = (left + right) / 2
    s.text(left, top, "seat 0's side", SIZE, FAINT)
    s.text(right, top, "seat 1's side", SIZE, FAINT, ha="right")
    s.text(ACROSS - 8, top, "scoring tile", SIZE, FAINT, ha="right")
    far = moment.knobs["sudden_space"] if moment.knobs["sudden_victory"] else length + 1
    y = top - 26.0
    for pattern in PATTERNS:
        colour = PATTERN_COLOURS[pattern]
        s.half(f"p{pattern}", PANEL + 4, y, 13, "left", 2)
        for space in range(-length, length + 1):
            x = middle - space * cell
            face = PAPER if space == 0 else tint(colour, 0.35 if abs(space) >= far else 0.72)
            s.box(
                x - cell / 2 + 1,
                y - 13,
                cell - 2,
                26,
                3,
                face=face,
                edge=FAINT if space == 0 else "none",
                thick=0.8,
            )
        x = middle - moment.markers[pattern] * cell
        radius = min(12.0, cell / 2)
        s.disc(x, y, radius, face=colour, edge=INK, thick=1.6, z=3)
        s.sign(f"p{pattern}", x, y, radius * 1.1, 4)
        s.points(ACROSS - 100, y, moment.knobs["tile_values"][str(pattern)], 11, z=2)
        s.text(ACROSS - 84, y, _tile(moment, pattern), SIZE, INK if pattern in moment.tiles else FAINT)
        y -= 32
    return y + 16


def _tile(moment: Moment, pattern: int) -> str:
    if pattern not in moment.tiles:
        return "no tile" if moment.is_over else "not yet won"
    owner = moment.tiles[pattern]
    return "nobody" if owner is None else f"seat {owner}"


def _display(s: Sketch, moment: Moment, top: float) -> float:
    """The reward display. Returns the lower end of the room kept for it."""
    count = len(moment.display)
    s.text(PANEL, top, f"reward display: {count} card{'s' if count != 1 else ''}", SIZE, FAINT)
    room = 160.0
    rows = 1 if count <= 8 else 2
    size = min(
        1.0, (room - 6) / rows / HEIGHT, (ACROSS - 8 - PANEL) / max(1, -(-count // rows)) / (WIDTH + 9)
    )
    for number, card in enumerate(moment.display):
        row, column = divmod(number, -(-count // rows))
        left = PANEL + column * (WIDTH + 9) * size
        drawn = Card(s, moment.cards[card], card, left, top - 12 - (row + 1) * (HEIGHT + 4) * size, size, 2)
        drawn.draw()
        drawn.plain_mon()
    return top - 12 - room


def _supply(s: Sketch, moment: Moment, top: float) -> None:
    s.text(PANEL, top, "tokens left", SIZE, FAINT)
    gained = moment.tokens(0) + moment.tokens(1)
    supplies = moment.knobs["pattern_tokens"]
    each = supplies if isinstance(supplies, list) else [supplies] * len(PATTERNS)
    all_there_are = {f"p{pattern}": number for pattern, number in zip(PATTERNS, each, strict=True)}
    all_there_are["cat"] = moment.knobs["cat_tokens"]
    x = PANEL + text_width("tokens left", SIZE) + 24
    for token, number in all_there_are.items():
        s.token(token, x, top, 10, 2)
        s.text(x + 18, top, str(number - gained[token]), SIZE + 1, weight="bold")
        x += 58


# In words


def _done(moment: Moment) -> str:
    made = moment.last
    if made is None:
        return "The markers stand in the middle and each album holds its Departure card."
    if "turn" in made:
        refill = (
            f"{made['refill']} fills the empty place." if made["refill"] else "No card fills the empty place."
        )
        if moment.turns == len(moment.record["turns"]):
            ended = moment.record["ended"] == "ring"
            joined = (
                "The cards left on the ring join the display."
                if moment.knobs["end_ring"]
                else "The ring is empty."
            )
            refill = joined if ended else "That wins at once: sudden victory."
        return f"Turn {made['turn']}: seat {made['seat']} went {made['steps']} ahead, took {_placed(made)}. {refill}"
    if made["winner"] is None:
        return f"Pattern {made['pattern']}: the marker is in the middle, so nobody took the tile."
    if made["card"] is None:
        return f"Pattern {made['pattern']}: seat {made['winner']} took the tile; no card is left."
    return f"Pattern {made['pattern']}: seat {made['winner']} took the tile, chose {_placed(made)}."


def _placed(made: Mapping[str, Any]) -> str:
    tokens = [
        f"a {t['token'].removeprefix('p')} token" if t["token"] != "cat" else "a cat" for t in made["tokens"]
    ]
    gained = f", gaining {' and '.join(tokens)}" if tokens else ""
    return f"{made['card']} and laid it in layer {made['layer']}{gained}"


def _coming(moment: Moment) -> str:
    following = moment.next
    if following is None:
        return ""
    if "turn" in following:
        steps = [str(i) for i in range(1, len(moment.reach(moment.seat)) + 1)]
        passed = steps[0] if len(steps) == 1 else f"{', '.join(steps[:-1])} or {steps[-1]}"
        return (
            f"Next, turn {following['turn']}: seat {following['seat']} moves the photographer past {passed} "
            f"card{'s' if passed != '1' else ''} and takes the last one passed.{_sudden(moment)}"
        )
    pattern = following["pattern"]
    winner = moment.tile_owner(pattern)
    if winner is None:
        return f"Next: pattern {pattern} is compared. Its marker is in the middle."
    chooses = "who chooses a card of the display" if moment.display else "but no card is left to choose"
    return f"Next: pattern {pattern} is compared. Its marker is on the side of seat {winner}, {chooses}."


def _sudden(moment: Moment) -> str:
    knobs = moment.knobs
    if not knobs["sudden_victory"]:
        return ""
    number = knobs["sudden_markers"]
    wins = f"{number} markers win" if number > 1 else "A marker wins"
    return f" {wins} at once on the darker spaces of one side."
