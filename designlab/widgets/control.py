"""Widgets for a knob, made from its declaration; and what the controls of a panel share.

A control shows what the model says and tells the model what a person wishes. Controls are only written by the
thread that handles a person's move, under one lock; `showing` tells their handlers that a value was set by the
panel, not by a person.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import ipywidgets as ipw

from designlab.variants import Knob, Variant
from designlab.widgets.model import Model

LABEL_WIDTH = "120px"


def words(name: str) -> str:
    """A knob's name as a label.

    >>> words("ring_size")
    'ring size'
    """
    return name.replace("_", " ")


def label(text: str, tip: str, width: str = "auto") -> ipw.HTML:
    """Words that show a tip under the mouse: the labels of an ipywidgets list or tick box do not."""
    span = f'<span class="designlab-label" title="{escape(tip)}">{escape(text)}</span>'
    return ipw.HTML(span, layout={"width": width, "margin": "0"})


def quiet(text: str) -> ipw.HTML:
    """A sentence in small type."""
    return ipw.HTML(f'<span class="designlab-quiet">{escape(text)}</span>')


def labelled(text: str, tip: str, field: ipw.DOMWidget, width: str = LABEL_WIDTH) -> ipw.HBox:
    """A field with its label before it."""
    row = ipw.HBox([label(text, tip, width), field])
    row.add_class("designlab-labelled")
    return row


def round_step(low: float, high: float, default: float) -> float:
    """The step of a slider: 1, 2 or 5 times a power of ten, about a hundredth of the range or less, that meets
    the default and the end of the range.

    >>> round_step(1, 600, 90), round_step(0, 2, 0.5), round_step(0, 100, 3)
    (1.0, 0.02, 1.0)
    """
    power = math.floor(math.log10(max(high - low, 1e-9) / 100))
    for place in range(power, power - 4, -1):
        for factor in (5, 2, 1):
            step = float(f"{factor}e{place}")
            steps = [(number - low) / step for number in (default, high)]
            if step <= (high - low) / 100 and all(abs(each - round(each)) < 1e-6 for each in steps):
                return step
    return (high - low) / 100


def decimals(step: float, value: float) -> str:
    """How a slider of that step writes a value: with as many decimals as one of the two has, at most four.

    >>> decimals(1.0, 90.0), decimals(1.0, 90.5), decimals(0.02, 0.5)
    ('.0f', '.1f', '.2f')
    """
    return f".{max(len(f'{number:.4f}'.rstrip('0').partition('.')[2]) for number in (step, value))}f"


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
        """One ipywidgets field, by the knob's type."""
        knob, name = self.knob, words(self.knob.name)
        value = getattr(self.desk.model.variant, knob.name)
        tip = f"{knob.help} {name}: {knob.allowed}"
        wide = {"width": "auto", "flex": "1 1 auto"}
        slider: dict[str, Any] = {"value": value, "description": name, "tooltip": tip, "layout": wide}
        slider["style"] = {"description_width": LABEL_WIDTH}
        if knob.type == "bool":
            self.field = ipw.Checkbox(value=value, description=name, indent=False, layout={"width": "auto"})
            help_ = quiet(knob.help)
            help_.add_class("designlab-below-tick")
            self.widget = ipw.VBox([self.field, help_])
        elif knob.type == "int":
            self.field = self.widget = ipw.IntSlider(
                min=int(knob.low or 0), max=int(knob.high or 0), **slider
            )
        elif knob.type == "float":
            low, high = float(knob.low or 0), float(knob.high or 0)
            step = round_step(low, high, float(knob.default))
            self.field = self.widget = ipw.FloatSlider(
                min=low, max=high, step=step, readout_format=decimals(step, value), **slider
            )
        else:
            options = list(dict.fromkeys([*knob.choices, value]))
            self.field = ipw.Dropdown(options=options, value=value, tooltip=tip, layout=wide)
            self.widget = labelled(name, tip, self.field)
        self.field.observe(self._told, "value")

    def _told(self, change: dict[str, Any]) -> None:
        self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, change["new"]))

    def show(self, variant: Variant) -> None:
        """Set the field."""
        value = getattr(variant, self.knob.name)
        if self.field.value == value:
            return
        if isinstance(self.field, ipw.Dropdown) and value not in self.field.options:
            self.field.options = [*self.field.options, value]
        if isinstance(self.field, ipw.FloatSlider):
            self.field.readout_format = decimals(self.field.step, value)
        self.field.value = value
