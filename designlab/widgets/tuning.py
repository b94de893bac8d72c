"""The tuning panel: free knobs and targets left, the trade-off and the best so far right, then what fresh deals say."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from itertools import zip_longest

import ipywidgets as ipw

from designlab import jit, plots
from designlab.cards import DataError
from designlab.experiments.tuning import Tuned, tune
from designlab.experiments.tuning import account as told
from designlab.experiments.tuning.tuner import check_name
from designlab.game import Game
from designlab.widgets import words
from designlab.widgets.aims import KNOBS, TARGETS, Aim, offered
from designlab.widgets.box import WorkingBox
from designlab.widgets.comms import answer_at_once
from designlab.widgets.control import labelled
from designlab.widgets.model import MOST_SEED
from designlab.widgets.panel import COMPILING
from designlab.widgets.pictures import drawing, sentence
from designlab.widgets.runner import Runner, Ticket
from designlab.widgets.turnable import turnable
from designlab.widgets.view import FORM, NARROW, action, everything_below, style_sheet, styled

SHOWN = 6  # candidates in the table
PLAYS = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000)
PAUSE = 0.5  # seconds between two pictures, at least
MOST_WORK = 4  # times as long playing as drawing
WIDE, HIGH = 640, 440  # of the picture, as drawn
NONE = "(none)"
BEGIN = "Start begins the search."
FIRST = (
    "outcome",
    "target",
    "verdict",
    "fresh",
    "deals",
)  # of the table's columns: the others may be scrolled to
BAND = "A band such as 0.49..0.51, one end as in ..0.02 or 10.., or one number that every deal shall have."


class TuningPanel(WorkingBox):
    """What `designlab.tuning_panel` shows.

    In a cell, `panel.tuned` is what the picture shows; `panel.start()` and `panel.stop()` do what the button does. As
    in `Panel`, what the background writes is written while the runner's lock is held.
    """

    def __init__(self, game: Game, aim: Aim) -> None:
        self.game, self._aim = game, aim
        self._tuned: Tuned | None = None
        self._usual = turnable(aim.base) | dict(aim.free)
        self.runner: Runner[Aim] = Runner(self._work)
        self.runners = (self.runner,)
        self._make(offered(game, len(aim.seats)))
        super().__init__([style_sheet("panel.css"), self._laid_out()])
        self.add_class("designlab")
        answer_at_once(*everything_below(self))

    # For cells

    @property
    def tuned(self) -> Tuned:
        """What the picture shows, see `designlab.tune`. DataError before the first picture."""
        if self._tuned is None:
            raise DataError("tuned: found no picture yet; allowed: after the start, as soon as there is one")
        return self._tuned

    def start(self) -> None:
        """Tune what the widgets say, from the beginning; what is refused is said."""
        aim = self._read()
        try:
            aim.arguments()
        except DataError as error:
            self._failed(str(error))
            return
        with self.runner.changed:
            self._aim, self.error.value, self.said.value = aim, "", ""
            self._says_stop(True)
            self.runner.submit(aim)

    def stop(self) -> None:
        """End the work; what is there stays."""
        self.runner.stop()
        with self.runner.changed:
            self.status.value = self._quiet("stopped: the picture is that of a search")
            self._says_stop(False)

    # Widgets

    def _make(self, outcomes: Sequence[str]) -> None:
        wide = ipw.Layout(width="auto", flex="1 1 0", min_width="0")
        tip = (
            "A range such as 6..9, all, or values with commas between; whole tables with semicolons between."
        )
        self.knobs, self.values = [], []
        for _, (name, text) in zip_longest(range(KNOBS), self._aim.free, fillvalue=(NONE, "")):
            self.knobs.append(ipw.Dropdown(options=[NONE, *self._usual], value=name, layout=wide))
            self.values.append(ipw.Text(value=text, layout=wide, tooltip=tip))
        self.outcomes, self.bands = [], []
        for _, (name, text) in zip_longest(range(TARGETS), self._aim.targets, fillvalue=("", "")):
            box = ipw.Combobox(value=name, options=list(outcomes), ensure_option=False, layout=wide)
            self.outcomes.append(box)
            self.bands.append(ipw.Text(value=text, layout=wide, tooltip=BAND))
        for place, knob in enumerate(self.knobs):
            knob.observe(lambda change, place=place: self._picked(place, change["new"]), "value")
        self.plays = ipw.SelectionSlider(
            options=[(f"{step:,}", step) for step in sorted({*PLAYS, self._aim.plays})],
            value=self._aim.plays,
            description="plays",
            tooltip="Deals of the search, all candidates together; a confirmation has as many at most.",
            **FORM,
        )
        self.seed = ipw.BoundedIntText(
            value=self._aim.seed,
            max=MOST_SEED,
            description="seed",
            tooltip="The same seed, the same result.",
            **FORM,
        )
        self.go = action("Start", "play", "Search, then confirm on fresh deals.", self._pressed)
        self.bar = ipw.IntProgress(max=1000, layout={"width": "160px"})
        self.status, self.error, self.said, self.table = (ipw.HTML() for _ in range(4))
        self.picture = ipw.Image(format="svg+xml", value=sentence(BEGIN))
        self.name = ipw.Text(value="tuned", layout=wide, tooltip="Of the variant, and of its two files.")
        self.keep = action(
            "Save", "save", "Write the variant and its account beside the notebook.", self._save
        )

    def _laid_out(self) -> ipw.Box:
        about = f'<span class="designlab-title">{escape(self.game.title)}: tuning</span>{words.about(self.game.about)}'
        left = [
            ipw.HTML(about),
            ipw.HTML('<span class="designlab-title">Free</span>: knobs, and the values they may take'),
            *(ipw.HBox(pair) for pair in zip(self.knobs, self.values, strict=True)),
            ipw.HTML(
                f'<span class="designlab-title">Targets</span>: outcomes and bands. {self._quiet(BAND)}'
            ),
            *(ipw.HBox(pair) for pair in zip(self.outcomes, self.bands, strict=True)),
            self.plays,
            self.seed,
            labelled(
                "name", "Of the variant, and of its two files.", ipw.HBox([self.name, self.keep]), NARROW
            ),
        ]
        right = [
            self.error,
            styled(ipw.HBox([self.go, self.bar, self.status]), "designlab-run"),
            self.said,
            self.picture,
        ]
        parts = [
            styled(ipw.VBox(left), "designlab-controls"),
            styled(ipw.VBox(right), "designlab-results"),
            styled(ipw.VBox([self.table]), "designlab-below"),
        ]
        return styled(ipw.Box(parts), "designlab-body")

    # What a person does

    def _picked(self, place: int, name: str) -> None:
        self.values[place].value = self._usual.get(name, "")

    def _pressed(self) -> None:
        if self.go.description == "Start":
            self.start()
        else:
            self.stop()

    def _read(self) -> Aim:
        free = [(k.value, v.value.strip()) for k, v in zip(self.knobs, self.values, strict=True)]
        wanted = [(o.value.strip(), b.value.strip()) for o, b in zip(self.outcomes, self.bands, strict=True)]
        return Aim(
            base=self._aim.base,
            free=tuple(pair for pair in free if pair[0] != NONE),
            targets=tuple(pair for pair in wanted if pair[0]),
            seats=self._aim.seats,
            plays=int(self.plays.value),
            trials=self._aim.trials,
            seed=int(self.seed.value),
        )

    def _save(self) -> None:
        with self.runner.changed:
            try:
                if self.go.description != "Start":
                    raise DataError("save: found a search on its way; allowed: when it is done or stopped")
                name = self.name.value.strip()
                check_name(name)
                paths = replace(self.tuned, name=name).save(f"{name}.toml")
            except DataError as error:
                self.error.value = words.error(str(error).replace(", or overwrite=True", ""), kept=False)
            else:
                self.error.value = ""
                self.status.value = self._quiet(f"saved as {' and '.join(map(str, paths))}")

    # In the background

    def _work(self, aim: Aim, ticket: Ticket) -> None:
        try:
            self._tune(aim, ticket)
        except Exception as error:  # whatever it is, a person must see it
            text = str(error) if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
            ticket.deliver(lambda: self._failed(text))

    def _tune(self, aim: Aim, ticket: Ticket) -> None:
        if jit.is_cold(self.game.name):
            ticket.deliver(lambda: self._say(0, 1, COMPILING))
        aim.base.get_ready(
            lambda done, total: ticket.deliver(lambda: self._say(done, total, "getting ready"))
        )
        due = time.monotonic() + PAUSE

        def look(so_far: Tuned) -> bool:
            nonlocal due
            stage = (
                f"{'search' if so_far.stage == 'search' else 'fresh deals'}, {len(so_far.tried):,} candidates"
            )
            if time.monotonic() > due and so_far.chosen is not None:
                begin = time.monotonic()
                self._show(so_far, ticket)
                due = time.monotonic() + max(PAUSE, MOST_WORK * (time.monotonic() - begin))
            return ticket.deliver(lambda: self._say(*so_far.deals, stage))

        found = tune(
            aim.base,
            **aim.arguments(),
            seats=aim.seats,
            plays=aim.plays,
            trials=aim.trials,
            confirm_plays=aim.plays,
            seed=aim.seed,
            progress=look,
        )
        if not found.cancelled:
            self._show(found, ticket)
            ticket.deliver(self._done)

    def _show(self, found: Tuned, ticket: Ticket) -> None:
        with drawing:
            image = plots.to_svg(plots.trade_off(found.outcomes, ax=plots.axes(WIDE, HIGH)))
        said = self._words(found)
        header, rows = told.table_rows(found)
        order = sorted(
            range(len(header)), key=lambda i: FIRST.index(header[i]) if header[i] in FIRST else len(FIRST)
        )
        table = _table([header[i] for i in order], [[row[i] for i in order] for row in rows])
        table += _table(*told.front_rows(found, SHOWN))

        def show() -> None:
            self._tuned, self.picture.value, self.said.value, self.table.value = found, image, said, table

        ticket.deliver(show)

    def _words(self, found: Tuned) -> str:
        searching = found.stage == "search"
        line = "Nothing is confirmed yet; numbers of a search flatter." if searching else told.headline(found)
        best = f" Best so far: candidate {found.chosen.number}." if searching and found.chosen else ""
        notes = [] if searching else told.cautions(found)
        return f"<p><b>{escape(line)}</b>{escape(best)}</p>" + "".join(
            f'<p class="designlab-note">{escape(note)}</p>' for note in notes if note not in self.game.about
        )

    def _say(self, done: int, total: int, state: str) -> None:
        self.bar.value = round(1000 * done / max(1, total))
        self.status.value = words.progress(done, total, state)

    def _done(self) -> None:
        self.bar.value = 1000
        self.status.value = self._quiet("done")
        self._says_stop(False)

    def _says_stop(self, running: bool) -> None:
        self.go.description, self.go.icon = ("Stop", "stop") if running else ("Start", "play")

    def _failed(self, text: str) -> None:
        self.error.value = words.error(text, kept=self._tuned is not None)
        self._says_stop(False)

    @staticmethod
    def _quiet(text: str) -> str:
        return f'<span class="designlab-quiet">{escape(text)}</span>'


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in header)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"
