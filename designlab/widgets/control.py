"""Widgets for a knob, made from its declaration; and what the controls of a panel share.

A control shows what the model says and tells the model what a person wishes. Controls are only written by the
thread that handles a person's move, under one lock; `showing` tells their handlers that a value was set by the
panel, not by a person.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ipywidgets as ipw

from designlab.variants import Knob, Variant
from designlab.widgets.model import Model

LABEL_WIDTH = "124px"


def words(name: str) -> str:
    """A knob's name as a label.

    >>> words("ring_size")
    'ring size'
    """
    return name.replace("_", " ")


class Desk:
    """What all controls of a panel share: the model, the lock, and what to do after a move."""

    def __init__(self, model: Model, moved: Callable[[], None]) -> None:
        self.model, self.moved = model, moved
        self.lock = threading.RLock()
        self._setting = threading.local()

    @contextmanager
    def showing(self) -> Iterator[None]:
        """While the panel itself sets values in this thread."""
        with self.lock:
            before = getattr(self._setting, "on", False)
            self._setting.on = True
            try:
                yield
            finally:
                self._setting.on = before

    def wish(self, tell: Callable[[], None]) -> None:
        """Handle a person's move: tell the model, then let the panel follow."""
        if getattr(self._setting, "on", False):
            return
        with self.lock:
            tell()
            self.moved()


class Control:
    """One knob's widgets. `widget` is what a tab shows."""

    widget: ipw.Widget
    rank = 2  # place on its tab: sliders in rows first, so that narrow ones stand side by side

    def __init__(self, knob: Knob, desk: Desk) -> None:
        self.knob, self.desk = knob, desk
        self.make()

    def make(self) -> None:
        """Make the widgets and watch them."""
        raise NotImplementedError

    def show(self, variant: Variant) -> None:
        """Show the knob's value in a variant. Called within `desk.showing()`."""
        raise NotImplementedError

    def mark(self, changed: bool, refused: bool) -> None:
        """Let a person see that the knob is not as it was, or that its value is refused."""
        for on, name in ((changed, "designlab-changed"), (refused, "designlab-refused")):
            (self.widget.add_class if on else self.widget.remove_class)(name)


class Single(Control):
    """A knob with one value: a slider, a tick box or a list to choose from."""

    def make(self) -> None:
        """One ipywidgets control, by the knob's type."""
        knob = self.knob
        value = getattr(self.desk.model.variant, knob.name)
        common: dict[str, Any] = {
            "description": words(knob.name),
            "tooltip": f"{knob.help} {words(knob.name)}: {knob.allowed}",
            "layout": {"width": "auto"},
        }
        label: dict[str, Any] = {**common, "style": {"description_width": LABEL_WIDTH}}
        if knob.type == "bool":
            self.widget = ipw.Checkbox(value=value, indent=False, **common)
        elif knob.type == "int":
            low, high = int(knob.low or 0), int(knob.high or 0)
            self.widget = ipw.IntSlider(value=value, min=low, max=high, **label)
        elif knob.type == "float":
            span = float(knob.high or 0) - float(knob.low or 0)
            bounds = {"min": knob.low, "max": knob.high, "step": span / 100}
            self.widget = ipw.FloatSlider(value=value, **bounds, **label)
        else:
            options = list(dict.fromkeys([*knob.choices, value]))
            self.widget = ipw.Dropdown(options=options, value=value, **label)
        self.widget.observe(self._told, "value")

    def _told(self, change: dict[str, Any]) -> None:
        self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, change["new"]))

    def show(self, variant: Variant) -> None:
        """Set the control."""
        value = getattr(variant, self.knob.name)
        if self.widget.value == value:
            return
        if isinstance(self.widget, ipw.Dropdown) and value not in self.widget.options:
            self.widget.options = [*self.widget.options, value]
        self.widget.value = value
