"""The sweep panel: one knob or two, turned through their values, and what an outcome does meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as ipw

from designlab import jit, plots
from designlab.cards import DataError
from designlab.experiments.sweeps import sweep
from designlab.game import Game, Policy
from designlab.simulation import check_run
from designlab.variants import Variant
from designlab.widgets import words
from designlab.widgets.box import WorkingBox
from designlab.widgets.comms import answer_at_once
from designlab.widgets.control import labelled
from designlab.widgets.model import MOST_SEED
from designlab.widgets.panel import COMPILING
from designlab.widgets.pictures import drawing, sentence
from designlab.widgets.runner import Runner, Ticket
from designlab.widgets.turnable import Wish, turnable, typed
from designlab.widgets.view import FORM, NARROW, action, everything_below, style_sheet, styled

if TYPE_CHECKING:
    import pandas as pd

    from designlab.experiments import Sweep

FIRST, GROWTH = 50, 5  # deals of each point in the first picture; how many times more in the next
PLAYS = (200, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000)
WIDE, HIGH = 520, 390  # of the picture, as drawn
NONE = "(no second knob)"


class SweepPanel(WorkingBox):
    """What `designlab.sweep_panel` shows: knobs to pick left, a heat map or a line right, refined as plays come in.

    In a cell, `panel.sweep` is what the picture shows. As in `Panel`, what the background writes is written while the
    runner's lock is held.
    """

    def __init__(self, game: Game, wish: Wish, outcomes: Sequence[str]) -> None:
        self.game, self._wish = game, wish
        self._sweep: Sweep | None = None
        self._lock = threading.RLock()
        self._usual = turnable(wish.base) | dict(wish.axes)
        self.runner: Runner[Wish] = Runner(self._work, wait=0.3)
        self.runners = (self.runner,)
        self._make(outcomes)
        super().__init__([style_sheet("panel.css"), self._laid_out()])
        self.add_class("designlab")
        answer_at_once(*everything_below(self))
        self._follow()

    # For cells

    @property
    def sweep(self) -> Sweep:
        """What the picture shows, see `designlab.sweep`. DataError before the first picture."""
        if self._sweep is None:
            raise DataError("sweep: found no picture yet; allowed: as soon as there is one")
        return self._sweep

    # Widgets

    def _make(self, outcomes: Sequence[str]) -> None:
        wish = self._wish
        picked = [*wish.axes, (NONE, "")][:2]
        wide = ipw.Layout(width="auto", flex="1 1 auto", min_width="0")
        names = list(self._usual)
        self.knobs = [
            ipw.Dropdown(options=names, value=picked[0][0], layout=wide),
            ipw.Dropdown(options=[NONE, *names], value=picked[1][0], layout=wide),
        ]
        tip = "A range such as 6..9 or 30..90/15, all, or values with commas between."
        self.values = [
            ipw.Text(value=text, continuous_update=False, layout=wide, tooltip=tip) for _, text in picked
        ]
        self.outcome = ipw.Combobox(
            value=wish.outcome,
            options=list(outcomes),
            ensure_option=False,
            continuous_update=False,
            layout=wide,
            tooltip="share.0: how often seat 0 wins; total.1, draws, turns, cats/total, ...",
        )
        self.plays = ipw.SelectionSlider(
            options=[(f"{step:,}", step) for step in sorted({*PLAYS, wish.plays})],
            value=wish.plays,
            description="plays",
            tooltip="Plays of every point. The first picture is of few and is refined while more are played.",
            **FORM,
        )
        self.seed = ipw.BoundedIntText(
            value=wish.seed,
            max=MOST_SEED,
            description="seed",
            tooltip="The same seed deals the same cards to every point.",
            **FORM,
        )
        self.stop = action("Stop", "stop", "Stop playing; what is there stays.", self._stop)
        self.bar = ipw.IntProgress(max=1000, layout={"width": "160px"})
        self.status, self.error, self.said = (ipw.HTML() for _ in range(3))
        self.picture = ipw.Image(format="svg+xml", value=sentence("The first picture comes in a moment."))
        for place, knob in enumerate(self.knobs):
            knob.observe(lambda change, place=place: self._picked(place, change["new"]), "value")
        for field in (*self.values, self.outcome, self.plays, self.seed):
            field.observe(self._changed, "value")

    def _laid_out(self) -> ipw.Box:
        game = self.game
        left = [
            ipw.HTML(
                f'<span class="designlab-title">{escape(game.title)}: sweep</span>{words.about(game.about)}'
            ),
            labelled("knob", "What is turned, left to right.", self.knobs[0], NARROW),
            labelled("values", "What it may be.", self.values[0], NARROW),
            labelled("second", "What is turned, upwards.", self.knobs[1], NARROW),
            labelled("values", "What it may be.", self.values[1], NARROW),
            labelled("outcome", "What is looked at.", self.outcome, NARROW),
            self.plays,
            self.seed,
        ]
        right = [
            self.error,
            styled(ipw.HBox([self.stop, self.bar, self.status]), "designlab-run"),
            styled(self.picture, "designlab-sweep"),
            self.said,
        ]
        parts = [
            styled(ipw.VBox(left), "designlab-controls"),
            styled(ipw.VBox(right), "designlab-results"),
        ]
        return styled(ipw.Box(parts), "designlab-body")

    # What a person does

    def _picked(self, place: int, name: str) -> None:
        with self._lock:
            new = self._usual.get(name, "")
            if self.values[place].value == new:
                self._changed()
            else:
                self.values[place].value = new  # which is observed

    def _changed(self, _: Any = None) -> None:
        with self._lock:
            self._follow()

    def _follow(self) -> None:
        """Play what the widgets say, or say what is refused."""
        old = self._wish
        pairs = [
            (knob.value, field.value.strip()) for knob, field in zip(self.knobs, self.values, strict=True)
        ]
        self.values[1].disabled = pairs[1][0] == NONE
        axes = tuple(pair for pair in pairs if pair[0] != NONE)
        outcome = self.outcome.value.strip()
        wish = Wish(old.base, axes, outcome, old.seats, int(self.plays.value), int(self.seed.value))
        try:
            if len({name for name, _ in axes}) < len(axes):
                raise DataError.of("second", axes[1][0], "another knob than the first")
            wish.values()
        except DataError as error:
            self.error.value = words.error(str(error), kept=self._sweep is not None)
            return
        self._wish, self.error.value = wish, ""
        self._stop_says("Stop", disabled=False)
        self.runner.submit(wish)

    def _stop(self) -> None:
        if self.stop.description != "Stop":
            self._changed()
            return
        self.runner.stop()
        with self.runner.changed:
            self.status.value = self.status.value.replace("playing on", "stopped")
            self._stop_says("Go on", disabled=False)

    def _stop_says(self, label: str, disabled: bool) -> None:
        self.stop.description, self.stop.disabled = label, disabled
        self.stop.icon = "stop" if label == "Stop" else "play"

    # In the background

    def _work(self, wish: Wish, ticket: Ticket) -> None:
        try:
            self._play(wish, ticket)
        except Exception as error:  # whatever it is, a person must see it
            text = str(error) if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
            ticket.deliver(lambda: self._failed(text))

    def _play(self, wish: Wish, ticket: Ticket) -> None:
        """Sweep with few deals, then with more and more; the last picture is of all."""
        if jit.is_cold(self.game.name):
            ticket.deliver(lambda: self._say(0, 1, COMPILING))
        values = wish.values()
        self._get_ready(wish, ticket)
        plays = min(FIRST, wish.plays)
        while not ticket.cancelled():
            played = plays

            def told(done: int, total: int, played: int = played) -> bool:
                share = played * done // max(1, total)
                return ticket.deliver(lambda: self._say(share, wish.plays, "playing on"))

            found = sweep(
                wish.base,
                values,
                "grid",
                wish.outcome,
                wish.seats,
                plays=plays,
                seed=wish.seed,
                progress=told,
            )
            if found.cancelled or ticket.cancelled():
                return
            image, said = self._drawn(found), self._words(found)
            ticket.deliver(lambda: self._show(found, image, said, wish.plays))  # noqa: B023 - called at once
            if plays == wish.plays:
                return
            plays = min(plays * GROWTH, wish.plays)

    def _get_ready(self, wish: Wish, ticket: Ticket) -> None:
        def progress(done: int, steps: int) -> bool:
            text = f"getting ready for {wish.base.label}: {done / steps:.0%}"
            return ticket.deliver(lambda: self._say(0, 1, text))

        try:
            wish.base.get_ready(progress)
        except DataError:
            if not ticket.cancelled():
                raise

    def _drawn(self, found: Sweep) -> bytes:
        with drawing:
            ax = plots.axes(WIDE, HIGH)
            two = len(found.axes) > 1
            rows: pd.DataFrame = found.two_way() if two else found.rows()
            x, y = (found.axes[0].name, found.axes[-1].name)
            return plots.to_svg(plots.heat_map(rows, x, y, ax) if two else plots.line(rows, x, ax))

    def _words(self, found: Sweep) -> str:
        """What is told apart from the base, and what a person should know."""
        rows = found.rows()
        count, different = int(rows["found"].sum()), int((rows["difference"].abs() > 0).sum())
        said = f"{count:,} of {different:,} other points are told apart from {found.base.label}, all read together."
        if len(found.axes) > 1 and all(len(axis.values) > 1 for axis in found.axes):
            try:
                together = found.interaction()
            except DataError:
                pass  # the corner that all are held against cannot be played
            else:
                said += f" Both knobs together do more or less than each alone in {int(together['found'].sum()):,} of "
                said += f"{len(together):,} places."
        notes = "".join(f'<p class="designlab-note">{escape(note)}</p>' for note in found.notes)
        return f"<p>{escape(said)}</p>{notes}"

    def _show(self, found: Sweep, image: bytes, said: str, plays: int) -> None:
        self._sweep, self.picture.value, self.said.value = found, image, said
        self._say(found.plays, plays, "" if found.plays == plays else "playing on")

    def _say(self, deals: int, plays: int, state: str) -> None:
        self.bar.value = round(1000 * deals / plays)
        self.status.value = words.progress(deals, plays, state)
        self._stop_says("Stop", disabled=not state)

    def _failed(self, text: str) -> None:
        self.error.value = words.error(text, kept=self._sweep is not None)
        self._stop_says("Go on", disabled=False)


def make_sweep_panel(
    game: Game,
    base: Variant,
    x: str | None,
    y: str | None,
    outcome: str | None,
    seats: Sequence[Policy],
    plays: int,
    seed: int,
) -> SweepPanel:
    """See designlab.sweep_panel. DataError where something is not allowed."""
    policies = game.check_policies(seats or None)
    check_run([base], plays, seed)
    usual = turnable(base)
    axes = [typed(usual, text) for text in (x, y) if text]
    if not axes:
        axes = list(usual.items())[:1]
    outcomes = [f"{name}.{seat}" for name in ("share", "total") for seat in range(len(policies))]
    outcomes += ["total", "draws", "turns", "margin"]
    wish = Wish(base, tuple(axes), outcome or outcomes[0], policies, int(plays), int(seed))
    wish.values()
    return SweepPanel(game, wish, outcomes)
