"""The town bench: tiles to turn, flip and swap by clicks, and beside them what the town is worth."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from pathlib import Path

import ipywidgets as ipw

from designlab.games.panic import bench
from designlab.games.panic.pieces import CELLS, EMPTY
from designlab.games.panic.readings import Readings
from designlab.games.panic.themes import Theme, read_themes
from designlab.games.panic.tiles import Side, read_tiles
from designlab.games.panic.town import Town, place_name
from designlab.variants import DataError
from designlab.widgets.bench_views import said_of, table_of, tile_picture, town_picture
from designlab.widgets.box import WorkingBox
from designlab.widgets.comms import answer_at_once
from designlab.widgets.runner import Runner, Ticket
from designlab.widgets.view import action, everything_below, style_sheet, styled
from designlab.widgets.words import error as error_words

MODES = {
    "turn": "A click turns a tile clockwise.",
    "flip": "A click turns a tile over.",
    "swap": "Two clicks let two tiles change places.",
    "lift": "A click takes a tile, or lays one that is left.",
}
MOST_BACK = 200


def make_bench(
    town: Town | str | None,
    tiles: str | Path,
    readings: Readings | Mapping[str, str] | None,
    themes: str | Path,
    seed: int,
) -> TownBench:
    """See designlab.town_bench. DataError where something is not allowed."""
    cards, how = read_themes(themes), bench.readings_of(readings)
    if not isinstance(town, Town):
        sides = read_tiles(tiles)
        town = bench.first_town(sides, seed) if town is None else Town.parse(town, sides)
    return TownBench(town, tiles, how, cards, seed)


class TownBench(WorkingBox):
    """What `designlab.town_bench` shows. A click changes tile, words and values at once; the town's picture is drawn,
    and all towns are counted for percentiles, in the background."""

    def __init__(
        self, town: Town, tiles: str | Path, readings: Readings, themes: tuple[Theme, ...], seed: int
    ) -> None:
        self.town, self.tiles, self.readings, self.themes = town, tiles, readings, themes
        self.rows: list[bench.Row] = []
        self._old: list[bench.Row] = []  # of the last complete town before this one
        self._seed, self._picked = seed, -1
        self._before: list[Town] = []
        self._field = bench.known(town.sides, readings)
        self._counting: tuple[Side, ...] = ()  # the tiles whose towns are being counted
        self._lock = threading.RLock()
        self._draws: Runner[Town] = Runner(self._draw, wait=0.05)
        self._counts: Runner[tuple[Side, ...]] = Runner(self._count)
        self.runners = self._draws, self._counts
        self._make()
        super().__init__([style_sheet("panel.css", "bench.css"), self._laid_out()])
        self.add_class("designlab")
        answer_at_once(*everything_below(self))
        self._show(None)
        self._count_if_new()

    # For cells

    @property
    def values(self) -> dict[str, int]:
        """Every count of the town by name. DataError where it is not complete."""
        return self.town.values(self.readings)

    # Widgets

    def _make(self) -> None:
        self.images = [ipw.Image(format="svg+xml") for _ in range(CELLS)]
        self.buttons = [action("", "", "", partial(self._clicked, cell)) for cell in range(CELLS)]
        self.cells = [
            styled(ipw.Box([image, button]), "designlab-tile")
            for image, button in zip(self.images, self.buttons, strict=True)
        ]
        self.mode = ipw.ToggleButtons(options=list(MODES), tooltips=list(MODES.values()))
        self.mode.observe(lambda _: self._pick(-1), "value")
        self.notation = ipw.Text(
            continuous_update=False,
            layout={"width": "304px"},
            tooltip="Tile, side 0 or 1, quarter turns 0 to 3, row by row; --- is an empty place.",
        )
        self.notation.observe(lambda change: self._try(lambda: self._typed(change["new"])), "value")
        self.random = action("Random town", "random", "A complete town, all equally likely.", self._random)
        self.back = action("Back", "undo", "Take the last move back.", self._back)
        self.reload = action(
            "Read tiles", "refresh", "Read the tile file again, after it was edited.", self._reload
        )
        self.how, self.error, self.said, self.table, self.note = (ipw.HTML() for _ in range(5))
        self.picture = ipw.Image(format="svg+xml")

    def _laid_out(self) -> ipw.Box:
        left = [
            ipw.HTML('<span class="designlab-title">Town bench</span>'),
            styled(ipw.Box([self.mode]), "designlab-modes"),
            self.how,
            styled(ipw.Box(self.cells), "designlab-tilegrid"),
            styled(ipw.HBox([self.random, self.back, self.reload]), "designlab-buttons"),
            self.notation,
            self.error,
        ]
        return styled(
            ipw.Box(
                [
                    styled(ipw.VBox(left), "designlab-tiles"),
                    styled(ipw.VBox([self.said, self.picture]), "designlab-town"),
                    styled(ipw.VBox([self.table, self.note]), "designlab-themes"),
                ]
            ),
            "designlab-bench",
        )

    # What a person does

    def _try(self, do: Callable[[], object]) -> None:
        with self._lock:
            self.error.value = ""
            try:
                do()
            except DataError as error:
                self.error.value = error_words(str(error), kept=False)

    def _clicked(self, cell: int) -> None:
        with self._lock:
            mode = self.mode.value
            if mode != "swap":
                moves = {"turn": bench.turned, "flip": bench.flipped, "lift": bench.lifted}
                self._try(lambda: self._go(moves[mode](self.town, cell)))
            elif self._picked < 0:
                self._pick(cell)
            else:
                first = self._picked
                self._pick(-1)
                self._try(lambda: self._go(bench.swapped(self.town, first, cell)))

    def _pick(self, cell: int) -> None:
        """Mark the first of two tiles; -1 marks none."""
        if self._picked >= 0:
            self.cells[self._picked].remove_class("designlab-picked")
        self._picked = cell
        if cell >= 0:
            self.cells[cell].add_class("designlab-picked")
        words = MODES[self.mode.value] if cell < 0 else f"Now click where {place_name(cell)} shall go."
        self.how.value = f'<span class="designlab-quiet">{words}</span>'

    def _typed(self, text: str) -> None:
        if text != str(self.town):
            self._go(Town.parse(text, self.town.sides))

    def _random(self) -> None:
        self._seed += 1
        self._try(lambda: self._go(bench.random_town(self.town.sides, self._seed)))

    def _reload(self) -> None:
        def again() -> None:
            self._go(Town.parse(str(self.town), read_tiles(self.tiles)))

        self._try(again)

    def _back(self) -> None:
        with self._lock:
            self.error.value = ""
            if self._before:
                before, self.town = self.town, self._before.pop()
                self._show(before)
                self._count_if_new()

    def _go(self, new: Town) -> None:
        if new == self.town:
            return
        self._before = [*self._before[-MOST_BACK:], self.town]
        before, self.town = self.town, new
        self._show(before)
        self._count_if_new()

    # What is shown

    def _show(self, before: Town | None) -> None:
        """Show the town; of the tiles only those that do not lie as in the town `before`."""
        town = self.town
        same = before is not None and before.sides == town.sides
        for cell, placement in enumerate(town.placements):
            if same and before is not None and before.placements[cell] == placement:
                continue
            side = None if placement == EMPTY else town.sides[placement // 4]
            self.images[cell].value = tile_picture(side, placement % 4 if side else 0)
            self.buttons[cell].description = str(town).split()[cell]
            self.buttons[cell].tooltip = place_name(cell)
        self.notation.value = str(town)
        self.back.disabled = not self._before
        if self._picked < 0:
            self._pick(-1)
        if any(row.value is not None for row in self.rows):
            self._old = self.rows
        self._tell()
        self._draws.submit(town)

    def _tell(self) -> None:
        """Words and values."""
        with self._lock:
            self.rows = bench.rows_of(self.town, self.themes, self.readings, self._field)
            self.said.value = said_of(self.town)
            self.table.value = table_of(self.rows, {row.theme.no: row.value for row in self._old})

    # In the background

    def _draw(self, town: Town, ticket: Ticket) -> None:
        svg = town_picture(town, self.readings)
        ticket.deliver(lambda: setattr(self.picture, "value", svg))
        # then what further clicks will ask for, so that none of them waits for a drawing
        for move in (1, 4, 2, 3, 5, 6, 7):
            for placement in town.placements:
                if ticket.cancelled():
                    return
                if placement != EMPTY:
                    side = town.sides[(placement ^ (move & 4)) // 4]
                    tile_picture(side, (placement + move) % 4)

    def _count_if_new(self) -> None:
        """Have all towns counted where these tiles were not counted before."""
        sides = self.town.sides
        field = bench.known(sides, self.readings)
        if field is not None:
            self._counts.stop()
            self._counting = ()
            self._counted(field)
        elif sides != self._counting:
            self._field, self._counting = None, sides
            self._tell()
            self._note("percentiles: about to count all towns, which takes longest the first time")
            self._counts.submit(sides)

    def _count(self, sides: tuple[Side, ...], ticket: Ticket) -> None:
        def progress(done: int, steps: int) -> bool:
            words = f"percentiles: counting all towns, {done / steps:.0%}"
            return ticket.deliver(lambda: self._note(words))

        try:
            field = bench.learn(sides, self.readings, progress)
        except Exception as error:  # whatever it is, a person must see it
            words = str(error) if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
            ticket.deliver(lambda: self._note(f"percentiles: {words}"))  # and not tried again
        else:
            with self._lock:  # before the runner's own, as a click takes them
                ticket.deliver(lambda: self._counted(field))

    def _counted(self, field: bench.Distributions) -> None:
        self._field = field
        self._tell()
        towns = sum(next(iter(field.values())).values())
        self._note(
            f"range, percentile: over all {towns:,} complete towns, exact. The percentile is the share of them that "
            "are worse, and half of those that are level. In bold: changed since the last complete town."
        )

    def _note(self, words: str) -> None:
        self.note.value = f'<span class="designlab-quiet">{escape(words)}</span>'
