"""The explorer panel: what its widgets do. Sliders change a variant, plays run in the background, pictures follow."""

from __future__ import annotations

import time
from collections.abc import Callable
from html import escape
from typing import Any

import pandas as pd

from designlab import jit, stats
from designlab.variants import DataError, Variant, named_variants
from designlab.widgets import files, words
from designlab.widgets.box import WorkingBox
from designlab.widgets.comms import answer_at_once
from designlab.widgets.controls import Controls
from designlab.widgets.model import LETTERS, Model, Request
from designlab.widgets.pictures import PICTURES, sentence
from designlab.widgets.plays import Plays
from designlab.widgets.runner import Runner, Ticket
from designlab.widgets.view import START, View, everything_below

FIRST_LOOK = 0.15  # seconds of playing before the first picture
TICK = 0.2  # seconds of playing between two moves of the progress bar
MOST_WORK = 5  # times as long playing as drawing, so that refining costs little
COMPILING = "compiling the engine, once for this version (about half a minute)"


class Panel(WorkingBox):
    """What `designlab.explore` shows.

    In a cell, `panel.variant` is the variant that the sliders stand for, `panel.frame("seats")` the plays in the
    pictures, and `panel.decisions` what they decide. Only the callbacks' thread writes to controls, only the runner's
    to pictures; what both write is written while the runner's lock is held (`Ticket.deliver`).
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.plays = Plays()
        self.runner: Runner[Request] = Runner(self._work)
        self.runners = (self.runner,)
        self._shown: tuple[Request, int] | None = None  # what is in the pictures, and from how many deals
        self._progress = 0, model.plays
        self._said_of: Request | None = None  # what the words below the links are about
        self.controls = Controls(model, self._moved)
        self.view = View(
            model,
            self.controls,
            pin=self._pin,
            unpin=self._unpin,
            reset=self._reset,
            stop=self._stop,
            save=self._save,
            csv=self._csv,
            add=self._add,
        )
        run = (self.view.players, self.view.plays, self.view.seed, self.view.margin, self.view.until)
        for widget in (*self.view.seats, *run):
            widget.observe(self._run_set, "value")
        self.view.start.observe(self._started, "value")
        self.view.load.observe(self._loaded, "value")
        super().__init__(self.view.laid_out)
        self.add_class("designlab")
        answer_at_once(*everything_below(self))
        self._follow()

    # For cells

    @property
    def variant(self) -> Variant:
        """The variant that the sliders stand for."""
        return self.model.variant

    def frame(self, name: str = "seats") -> pd.DataFrame:
        """A frame of the plays in the pictures, all variants, as `simulate` makes it.

        DataError where the frame needs more than the panel keeps, or before the first picture.
        """
        if name not in self.view.frames:
            raise DataError.of("frame", name, ", ".join(self.view.frames))
        if self._shown is None:
            raise DataError("frame: found no plays yet; allowed: as soon as there are pictures")
        request, deals = self._shown
        return self.plays.frame(request, name, deals)

    @property
    def decisions(self) -> pd.DataFrame:
        """What the plays in the pictures decide, see `stats.decisions`. DataError before the first picture."""
        seats = self.frame("seats")
        request = self._shown[0] if self._shown else self.model.request()
        return PICTURES["decisions"].table(seats, request)

    # What a person does

    def _moved(self) -> None:
        self.controls.show()
        self._follow()

    def _follow(self) -> None:
        """After any change of the model: say what is refused, or play."""
        model, view = self.model, self.view
        with (
            self.controls.desk.lock
        ):  # else a change in another thread might be asked for first and shown last
            with model.lock:
                request, error, pins = model.request(), model.error, len(model.pins)
            view.error.value = words.error(error)
            if request != self._said_of:
                view.said.value = ""
            if error:
                return
            view.toml.value = files.toml_link(model.variant)
            for place, button in enumerate(view.unpin):
                button.layout.display = "" if place < pins else "none"
                button.description = f"unpin {LETTERS[place]}"
            view.stop_says("Stop", disabled=False)
            self.runner.submit(request)

    def _try(self, do: Callable[[], object]) -> None:
        try:
            do()
        except DataError as error:
            self.view.error.value = words.error(str(error), kept=False)
        else:
            self._follow()

    def _run_set(self, _: Any) -> None:
        view = self.view
        seats, margin, until = view.seated(), view.margin.value / 100, view.until.value
        view.plays.disabled = until
        numbers = int(view.plays.value), int(view.seed.value)
        self._try(lambda: self.model.set_run(seats, *numbers, margin, until))

    def _pin(self) -> None:
        self._try(self.model.pin)

    def _add(self, name: str) -> None:
        self._try(lambda: self.model.pin(named_variants(self.model.game.name)[name]))

    def _unpin(self, place: int) -> None:
        self._try(lambda: self.model.unpin(place))

    def _reset(self) -> None:
        self.model.reset()
        self.controls.show(fresh=True)
        self._follow()

    def _started(self, change: dict[str, Any]) -> None:
        if change["new"] != START:
            self.view.start.value = START
            self._take(named_variants(self.model.game.name)[change["new"]])

    def _take(self, new: Variant) -> None:
        self.model.start_from(new)
        self.controls.show(fresh=True)
        self._follow()

    def _stop(self) -> None:
        if self.view.stop.description != "Stop":
            self._follow()
            return
        self.runner.stop()
        self._say(*self._progress, "stopped")
        self.view.stop_says("Go on", disabled=False)

    # Files

    def _loaded(self, change: dict[str, Any]) -> None:
        if not change["new"]:
            return
        upload = change["new"][0]
        self.view.load.value = ()  # so that the same file can be loaded again
        try:
            self._take(files.read_upload(self.variant, str(upload["name"]), bytes(upload["content"])))
        except DataError as error:
            self.view.error.value = words.error(str(error))

    def _save(self) -> None:
        self._tell_below(lambda: f"Saved as {escape(str(files.save(self.variant, self.view.name.value)))}")

    def _csv(self) -> None:
        name = str(self.view.frame.value)

        def made() -> str:
            if self._shown and self._shown[0] != self.model.request():
                raise DataError(
                    "csv: the pictures still show the numbers before; press again when they are new"
                )
            return files.csv_link(self.frame(name), name)

        self._tell_below(made)

    def _tell_below(self, do: Callable[[], str]) -> None:
        with self.controls.desk.lock:
            self._said_of = self.model.request()
            try:
                self.view.said.value = f"<p>{do()}</p>"
            except DataError as error:
                self.view.said.value = words.error(str(error), kept=False)

    # In the background

    def _work(self, request: Request, ticket: Ticket) -> None:
        try:
            self._play(request, ticket)
        except Exception as error:  # whatever it is, a person must see it
            text = str(error) if isinstance(error, DataError) else f"{type(error).__name__}: {error}"
            ticket.deliver(lambda: self._failed(text))

    def _play(self, request: Request, ticket: Ticket) -> None:
        """Play and draw in turns: a first picture soon, then fewer and fewer, the last one of all plays."""
        if jit.is_cold(request.game.name):
            ticket.deliver(lambda: self._say(0, request.plays, COMPILING))
        for variant in request.variants:
            self._get_ready(variant, request.plays, ticket)
            if ticket.cancelled():
                return
        played, made, pause = 0.0, 0, FIRST_LOOK
        missing = self.plays.missing(request)
        while not ticket.cancelled():
            tick = min(pause - played, TICK) if played < pause else TICK
            before = missing
            deals, missing = self.plays.extend(request, tick, ticket.cancelled)
            played, made = played + tick, made + before - missing
            self._report(ticket, deals, request.plays, "playing on" if missing else "")
            nearly = missing < 2 * made  # then a picture of all plays comes almost as soon as one of these
            if not missing or (played >= pause and not nearly) or played >= 3 * pause:
                start = time.monotonic()
                is_decided = self._draw(request, deals, ticket)
                played, made, pause = 0.0, 0, MOST_WORK * (time.monotonic() - start)
                if missing and is_decided and request.until_decided:
                    self._report(ticket, deals, request.plays, "decided", ended=True)
                    break
            if not missing:
                break

    def _get_ready(self, variant: Variant, plays: int, ticket: Ticket) -> None:
        """What a variant needs before it can be played, said in words while it lasts."""

        def progress(done: int, steps: int) -> bool:
            words = f"getting ready for {variant.label}: {done / steps:.0%}"
            return ticket.deliver(lambda: self._say(0, plays, words))

        try:
            variant.get_ready(progress)
        except DataError:
            if not ticket.cancelled():
                raise

    def _draw(self, request: Request, deals: int, ticket: Ticket) -> bool:
        """All pictures, who wins first; between two of them a newer request gets its turn. Whether all is decided."""
        if ticket.cancelled():
            return False
        seats = self.plays.frame(request, "seats", deals)
        names = {each.label: name for each, name in zip(request.variants, request.names, strict=True)}
        tables: dict[str, pd.DataFrame | None] = {}
        for name, picture in PICTURES.items():
            alone = len(request.variants) < picture.least_variants
            table = tables[name] = None if alone else picture.table(seats, request)
            image = sentence(picture.instead) if table is None else picture.svg(table, names)
            if not self._put(ticket, name, image):
                return False
            if name == "decisions":
                self._tell(ticket, request, deals, seats, tables)
        decided = tables["decisions"]
        return decided is not None and bool((decided["decision"] != "open").all())

    def _report(self, ticket: Ticket, deals: int, plays: int, state: str, ended: bool = False) -> None:
        ticket.deliver(lambda: self._say(deals, plays, state, ended))

    def _put(self, ticket: Ticket, name: str, image: bytes) -> bool:
        return ticket.deliver(lambda: setattr(self.view.images[name], "value", image))

    def _tell(
        self,
        ticket: Ticket,
        request: Request,
        deals: int,
        seats: pd.DataFrame,
        tables: dict[str, pd.DataFrame | None],
    ) -> None:
        wins, comparison, decisions = tables["win_rate"], tables["compare"], tables["decisions"]
        assert wins is not None
        assert decisions is not None
        advantage = getattr(stats, request.game.advantage.statistic)(seats)
        means, watched = self._watched(request, deals)
        said = words.verdict(request, wins, advantage, comparison, watched) + words.notes(request)
        rows = words.table(request, wins, comparison, means, watched)
        decided = words.decided(request, decisions)

        def show() -> None:
            self.view.verdict.value, self.view.table.value = said, rows
            self.view.decided.value = decided
            self._shown = request, deals

        ticket.deliver(show)

    def _watched(self, request: Request, deals: int) -> tuple[pd.DataFrame | None, pd.DataFrame | None]:
        """Means and differences of what the game's variants want watched; None where there is none."""
        names = list(request.variants[0].watched)
        if not names:
            return None, None
        plays = self.plays.frame(request, "plays", deals)
        means = plays.groupby("variant", observed=True)[names].mean()
        return means, stats.compare(plays, measures=names) if len(request.variants) > 1 else None

    def _say(self, deals: int, plays: int, state: str, ended: bool = False) -> None:
        self._progress = deals, plays
        self.view.bar.value = round(1000 * deals / plays)
        self.view.status.value = words.progress(deals, plays, state)
        self.view.stop_says("Stop", disabled=ended or not state)

    def _failed(self, text: str) -> None:
        self.view.error.value = words.error(text)
        self.view.stop_says("Go on", disabled=False)
