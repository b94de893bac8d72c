"""The widgets of a panel and how they lie; what they do is in `panel`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as ipw

from designlab.game import policy_name
from designlab.variants import named_variants
from designlab.widgets import words
from designlab.widgets.control import labelled
from designlab.widgets.controls import Controls
from designlab.widgets.model import MARGINS, MOST_PINS, MOST_PLAYS, MOST_SEED, PLAYS, Model
from designlab.widgets.pictures import PICTURES, sentence

START = "start from ..."
ADD = "compare with ..."
BUTTON = {"width": "auto", "flex": "none"}
NARROW = "64px"
FORM: dict[str, Any] = {"layout": {"width": "auto"}, "style": {"description_width": NARROW}}


def styled(widget: ipw.DOMWidget, style: str) -> ipw.DOMWidget:
    """The widget with a class of the style sheet."""
    widget.add_class(style)
    return widget


def style_sheet(*names: str) -> ipw.HTML:
    """Style sheets of this folder, as a widget that is not seen."""
    texts = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in names]
    return ipw.HTML(f"<style>{''.join(texts)}</style>", layout={"display": "none"})


def action(label: str, icon: str, tooltip: str, do: Callable[[], None]) -> ipw.ToggleButton:
    """A button that springs back. While a cell runs, the clicks of an ipywidgets Button wait; a ToggleButton's
    value arrives."""
    button = ipw.ToggleButton(description=label, icon=icon, tooltip=tooltip, layout=BUTTON)

    def pressed(change: dict[str, Any]) -> None:
        if change["new"]:
            button.value = False
            do()

    button.observe(pressed, "value")
    return button


class View:
    """Every widget of a panel; `laid_out` is what the panel shows. The functions are what the buttons call."""

    def __init__(
        self,
        model: Model,
        controls: Controls,
        *,
        pin: Callable[[], None],
        unpin: Callable[[int], None],
        reset: Callable[[], None],
        stop: Callable[[], None],
        save: Callable[[], None],
        csv: Callable[[], None],
        add: Callable[[str], None],
    ) -> None:
        game = model.game
        self._make_run(model)
        self.start = ipw.Dropdown(
            options=[START, *named_variants(game.name)],
            tooltip="Put all sliders as in one of the game's own variants.",
            layout={"width": "auto", "min_width": "0", "flex": "1 1 auto"},
        )
        self.add = ipw.Dropdown(
            options=[ADD, *named_variants(game.name)],
            tooltip=f"Keep one of the game's own variants in the pictures, up to {MOST_PINS}.",
            layout={"width": "auto", "min_width": "0", "flex": "1 1 auto"},
        )
        self.add.observe(lambda change: self._added(change["new"], add), "value")
        self.pin = action("Pin", "thumb-tack", f"Keep these numbers in the pictures, up to {MOST_PINS}.", pin)
        self.reset = action("Reset", "undo", "All sliders back to where they were at first.", reset)
        self.stop = action("Stop", "stop", "Play no further; the pictures stay.", stop)
        self.unpin = [
            action("", "times", "Take this variant out of the pictures.", partial(unpin, place))
            for place in range(MOST_PINS)
        ]
        self.frames = [name for name, table in game.tables.items() if not table.needs_detail]
        self.frame = ipw.Dropdown(
            options=self.frames,
            value="seats" if "seats" in self.frames else self.frames[0],
            tooltip="Which table of the plays shown.",
            layout={"width": "96px"},
        )
        self.csv = action("CSV", "table", "Make a link to the table.", csv)
        self.load = ipw.FileUpload(
            accept=".toml,.csv",
            multiple=False,
            tooltip="A variant's .toml file, or a .csv file of cards for the variant as it is now.",
            layout=BUTTON,
        )
        self.load.add_class("designlab-load")  # whose own label counts files
        self.name = ipw.Text(
            placeholder="name of a new file", layout={"width": "auto", "flex": "1 1 0", "min_width": "0"}
        )
        self.save = action("Save", "save", "Write the variant to a new file beside the notebook.", save)
        self.toml, self.said, self.error, self.status, self.table = (ipw.HTML() for _ in range(5))
        self.decided = styled(ipw.HTML(), "designlab-decided")
        self.verdict = styled(ipw.HTML(), "designlab-verdict")
        if model.base.watched:
            self.verdict.add_class("designlab-tall")
        self.bar = ipw.IntProgress(max=1000, layout={"width": "150px", "height": "16px", "margin": "0"})
        self.images = {name: ipw.Image(value=sentence(""), format="svg+xml") for name in PICTURES}
        parts = [
            styled(self._left(model, controls), "designlab-controls"),
            styled(self._right(), "designlab-results"),
            styled(ipw.VBox([self.table, ipw.HBox(self.unpin)]), "designlab-below"),
        ]
        body = styled(ipw.Box(parts), "designlab-body")
        self.laid_out = [style_sheet("panel.css"), body]

    def _make_run(self, model: Model) -> None:
        """Who plays, how often, from which seed."""
        game, seats = model.game, model.seats
        known = [(name, name) for name in game.policies]
        own = [
            (policy_name(policy), policy) for policy in dict.fromkeys(seats) if policy not in game.policies
        ]
        told = "; ".join(f"{name}: {text}" for name, text in game.policies.items())
        wide = ipw.Layout(width="auto", flex="1 1 auto")
        self.players = ipw.Dropdown(options=game.seats, value=len(seats), layout=wide)
        self.seats = [
            ipw.Dropdown(
                options=known + own, value=seats[min(seat, len(seats) - 1)], tooltip=told, layout=wide
            )
            for seat in range(max(game.seats))
        ]
        self.run = [labelled("players", "How many play.", self.players, NARROW)]
        self.run[0].layout.display = "" if len(game.seats) > 1 else "none"
        for place, seat in enumerate(self.seats):
            self.run.append(labelled(f"seat {place}", f"Who decides for seat {place}. {told}", seat, NARROW))
        self.seated()
        self.plays = ipw.SelectionSlider(
            options=[(f"{step:,}", step) for step in sorted({*PLAYS, model.plays})],
            value=model.plays,
            description="plays",
            disabled=model.until_decided,
            tooltip="Plays of every variant. The first picture is of few and is refined while more are played.",
            **FORM,
        )
        self.seed = ipw.BoundedIntText(
            value=model.seed,
            max=MOST_SEED,
            description="seed",
            tooltip="The same seed deals the same cards to every variant.",
            **FORM,
        )
        low, high = (100 * end for end in MARGINS)
        self.margin = ipw.BoundedFloatText(
            value=100 * model.margin,
            min=low,
            max=high,
            step=low,
            description="margin",
            tooltip="Percentage points of wins that are too little to matter: within so many it is level.",
            layout={"width": "140px"},
            style=FORM["style"],
        )
        self.until = ipw.ToggleButton(
            value=model.until_decided,
            description="Play until decided",
            icon="flag-checkered",
            tooltip="Play on until the first variant's advantage and all differences to it are decided, at most "
            f"{MOST_PLAYS:,} plays each. However often one looks, all differences are right in 95 of 100 runs.",
            layout=BUTTON,
        )

    def _added(self, name: str, add: Callable[[str], None]) -> None:
        if name != ADD:
            self.add.value = ADD
            add(name)

    def seated(self) -> list[Any]:
        """The policies of the seats in play; only these are shown."""
        for place, row in enumerate(self.run[1:]):
            row.layout.display = "" if place < self.players.value else "none"
        return [seat.value for seat in self.seats[: self.players.value]]

    def stop_says(self, label: str, disabled: bool) -> None:
        """The one button that ends a run and goes on with it."""
        self.stop.description, self.stop.disabled = label, disabled
        self.stop.icon = "stop" if label == "Stop" else "play"

    def _left(self, model: Model, controls: Controls) -> ipw.VBox:
        about = (
            f'<span class="designlab-title">{escape(model.game.title)}</span>{words.about(model.game.about)}'
        )
        files = ipw.VBox(
            [
                ipw.HBox([self.load, self.name, self.save]),
                self.toml,
                ipw.HBox([self.frame, self.csv]),
                self.said,
            ]
        )
        return ipw.VBox(
            [
                ipw.HTML(about),
                *self.run,
                self.plays,
                self.seed,
                ipw.HBox([self.margin, self.until]),
                ipw.HBox([self.start, self.pin, self.reset]),
                self.add,
                controls.widget,
                ipw.Accordion([files], titles=["Save, load, download"]),
            ]
        )

    def _right(self) -> ipw.VBox:
        pictures = [
            ipw.VBox([ipw.HTML(f'<span class="designlab-title">{picture.title}</span>'), self.images[name]])
            for name, picture in PICTURES.items()
        ]
        return ipw.VBox(
            [
                self.verdict,
                self.error,
                styled(ipw.HBox([self.stop, self.bar, self.status]), "designlab-run"),
                self.decided,
                styled(ipw.Box(pictures), "designlab-pictures"),
            ]
        )


def everything_below(widget: ipw.Widget) -> list[ipw.Widget]:
    """A widget, its children and theirs, with their layouts and styles."""
    found = [widget]
    for child in getattr(widget, "children", ()):
        found += everything_below(child)
    return found + [getattr(widget, name) for name in ("layout", "style") if getattr(widget, name, None)]
