"""One card of Kimono Memories, as it lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from designlab.games.kimono.draw.shapes import MARK, PAPER, PATTERN_COLOURS, Sketch, text_width, tint
from designlab.plots.style import FAINT, INK

# at full size, in layout pixels; LAP is how far a photo covers those it rests on
WIDTH, HEIGHT, LAP = 84.0, 116.0, 27.0
CORNER = 5.0
MON = 13.5, HEIGHT - 13.5  # middle of the left Mon
MON_RADIUS = 9.5
SMALL = 0.6  # below this size a card's id is left out, and what stays is drawn larger
SEAM = 50.0  # height of the half symbols above the lower edge
HALF_RADIUS = 14.0
NO_PATTERN = {"prop": "#b9b2a3", "departure": "#8d8d8d"}


class Card:
    """A card to draw: its face, the lower left corner, and its size as a share of the full one."""

    def __init__(
        self,
        sketch: Sketch,
        face: Mapping[str, Any],
        name: str,
        left: float,
        bottom: float,
        size: float = 1,
        z: float = 1,
    ) -> None:
        self.sketch, self.face, self.name = sketch, face, name
        self.left, self.bottom, self.size, self.z = left, bottom, size, z
        self.is_small = size * sketch.scale < SMALL

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the full-size card on the sketch."""
        return self.left + x * self.size, self.bottom + y * self.size

    def draw(self, outlined: bool = False) -> None:
        """The face: colour, pattern, object or needs, half symbols; no Mon, as its look depends on where it lies."""
        s, face, size, z = self.sketch, self.face, self.size, self.z
        colour = PATTERN_COLOURS.get(face.get("pattern") or 0) or NO_PATTERN[face["kind"]]
        x, y = self.at(0.7, 0.7)
        edge, thick = (MARK, 3.2) if outlined else (tint(INK, 0.25), 1.0)
        wide, high = (WIDTH - 1.4) * size, (HEIGHT - 1.4) * size
        s.box(
            x,
            y,
            wide,
            high,
            CORNER * size,
            face=tint(colour, 0.62),
            edge=edge,
            thick=thick,
            z=z,
            label=f"card {self.name}",
        )
        if face["kind"] == "beauty":
            self._pattern(colour)
        elif face["kind"] == "prop":
            self._prop()
        else:
            self._word("start", 70, 13)
        for side, edge_at in (("left", 0.7), ("right", WIDTH - 0.7)):
            if face[side]:
                s.half(face[side], *self.at(edge_at, SEAM), HALF_RADIUS * size, side, z + 0.2)
        if face["object"]:
            where, radius = ((WIDTH / 2, 37.0), 13.5) if self.is_small else ((WIDTH / 2, 49.0), 10.5)
            if (
                face["kind"] == "prop"
            ):  # its points are in the middle: its own object goes where nothing covers it
                where, radius = (WIDTH - 10, 12.0), 7.0
            s.glyph(face["object"], *self.at(*where), radius * size, INK, tint(colour, 0.62), z + 0.2)
        if face["kind"] != "departure" and not self.is_small:
            self._word(self.name, 31.5, 9.5, tint(INK, 0.2))

    def tag(self, words: str) -> None:
        """A small number in the lower left corner: the turn that took the card, or R3."""
        x, y = self.at(2.2, 2.6)
        full = 13.0 if self.is_small else 9.5
        wide, high = (text_width(words, full) + 4) * self.size, (full + 3.5) * self.size
        self.sketch.box(x, y, wide, high, 3 * self.size, face=PAPER, edge=FAINT, thick=0.6, z=self.z + 0.4)
        middle = x + wide / 2, y + high / 2
        self.sketch.text(*middle, words, full * self.size, INK, ha="center", zorder=self.z + 0.5)

    def mon(self, side: str, points: int | None, z: float) -> None:
        """A Mon in a top corner: a badge with its points, or a dashed ring where a photo hides it."""
        x, y = self.at(MON[0] if side == "left" else WIDTH - MON[0], MON[1])
        radius = MON_RADIUS * self.size
        if points is None:
            colour = tint(INK, 0.35)
            self.sketch.disc(
                x, y, radius * 0.8, edge=colour, thick=1.1, linestyle=(0, (2, 1.6)), z=z, label="hidden Mon"
            )
        else:
            self.sketch.points(x, y, points, radius, z, "Mon")

    def plain_mon(self) -> None:
        """Both Mon of a card that lies in no album, without points."""
        for side in ("left", "right"):
            if self.face[f"mon_{side}"]:
                x, y = self.at(MON[0] if side == "left" else WIDTH - MON[0], MON[1])
                self.sketch.disc(
                    x, y, MON_RADIUS * self.size * 0.8, face=INK, edge=PAPER, thick=1, z=self.z + 0.2
                )

    def gained(self, points: int) -> None:
        """A badge with what a Prop in an album scores by now."""
        self.sketch.points(*self.at(WIDTH / 2, 46.5), points, MON_RADIUS * self.size, self.z + 0.6, "Prop")

    def _word(self, words: str, y: float, size: float, colour: Any = INK, **how: Any) -> None:
        size *= min(1, (WIDTH - 8) / max(1, text_width(words, size)))
        self.sketch.text(
            *self.at(WIDTH / 2, y), words, size * self.size, colour, ha="center", zorder=self.z + 0.2, **how
        )

    def _pattern(self, colour: str) -> None:
        radius, y = (17.5, 70.0) if self.is_small else (13.0, 74.5)
        middle = self.at(WIDTH / 2, y)
        self.sketch.disc(*middle, radius * self.size, face=colour, edge=INK, thick=0.6, z=self.z + 0.1)
        self.sketch.sign(f"p{self.face['pattern']}", *middle, radius * 1.3 * self.size, self.z + 0.2)

    def _prop(self) -> None:
        """What it needs as signs, one named twice with its number, and the points of a set."""
        needs = Counter(self.face["needs"])
        radius = min(9.5, 34.0 / len(needs) - 3)
        wides = [2 * radius + (6 if number > 1 else 0) for number in needs.values()]
        gap = min(7.0, (WIDTH - 6 - sum(wides)) / len(needs))
        x = (WIDTH - sum(wides) - gap * (len(needs) - 1)) / 2
        paper = tint(NO_PATTERN["prop"], 0.62)
        for (thing, number), wide in zip(needs.items(), wides, strict=True):
            self.sketch.glyph(thing, *self.at(x + radius, 77), radius * self.size, INK, paper, self.z + 0.2)
            if number > 1:
                at = self.at(x + 2 * radius + 3, 77)
                self.sketch.text(
                    *at, f"{number}", 9 * self.size, ha="center", weight="bold", zorder=self.z + 0.3
                )
            x += wide + gap
        each = "each" if len(self.face["needs"]) == 1 else "a set"
        self._word(f"{self.face['points']} {each}", 62, 10, weight="bold")
