"""Controls for knobs with many numbers: a row of upright sliders, which is also a picture of the numbers."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw

from designlab.variants import Knob, Variant
from designlab.widgets.comms import answer_at_once
from designlab.widgets.control import Control, label, quiet, words

OWN = "own numbers"
FULL = 60  # a range of at most so many steps is shown whole; of a larger one, what the numbers need
MOST_SLIDERS = 12  # keys that get a slider each; more of them share one slider and a list to choose from


def reach(numbers: list[int], low: int, high: int, before: tuple[int, int] | None = None) -> tuple[int, int]:
    """The range that sliders show: all of a short one, else enough for the numbers and half as much again.

    With the range `before`, it only grows, and only when a number is at its end.

    >>> reach([3, 7], 0, 30), reach([1, 49], -50, 400)
    ((0, 30), (0, 80))
    >>> reach([1, 80], -50, 400, before=(0, 80)), reach([0, 9], -50, 400, before=(0, 20))
    ((0, 120), (-10, 20))
    """
    if high - low <= FULL:
        return low, high
    least, most = min(numbers), max(numbers)
    bottom, top = before or (0, 10)
    if most >= top or not before:
        top = max(top, -(-3 * most // 20) * 10)
    if least < bottom or (before and least == bottom):
        bottom = min(bottom - 10, 3 * least // 20 * 10)
    return max(low, bottom), min(high, top)


def item_words(knob: Knob, item: Any) -> str:
    """What a slider of a knob with many numbers stands for.

    >>> cats = Knob("cat_curve", "ints", (1, 4), item="{} cats")
    >>> item_words(cats, 1), item_words(cats, 2)
    ('1 cat', '2 cats')
    """
    text = knob.item.format(item)
    return text.removesuffix("s") if item == 1 and knob.item.startswith("{} ") else text


class Upright:
    """Upright sliders side by side under a heading; made as they are needed."""

    def __init__(self, told: Any, tooltip: str) -> None:
        self.told, self.tooltip = told, tooltip
        self.sliders: list[ipw.IntSlider] = []
        self.box = ipw.HBox([])
        self.box.add_class("designlab-upright")
        self._layout = ipw.Layout(height="120px", width="39px", margin="0")
        self._range: tuple[int, int] | None = None

    def show(self, numbers: list[int], labels: list[str], low: int, high: int, fresh: bool) -> None:
        """Show these numbers; `fresh` lets the range shrink."""
        bottom, top = self._range = reach(numbers, low, high, None if fresh else self._range)
        while len(self.sliders) < len(numbers):
            slider = ipw.IntSlider(
                min=bottom, max=top, orientation="vertical", layout=self._layout, tooltip=self.tooltip
            )
            slider.observe(self.told, "value")
            answer_at_once(slider)
            self.sliders.append(slider)
        for slider, number, text in zip(self.sliders, numbers, labels, strict=False):
            slider.min, slider.max = min(bottom, slider.min), max(top, slider.max)  # room for both
            slider.value = number
            slider.min, slider.max = bottom, top
            slider.description = text
        longest = max(map(len, labels))
        air = 6 if len(numbers) < 5 else 0  # as long as that leaves them in one row
        self._layout.width = "39px" if longest <= 7 else f"{6 * longest + air}px"
        if len(self.box.children) != len(numbers):
            self.box.children = self.sliders[: len(numbers)]
            while len(self.sliders) > len(numbers):
                self.sliders.pop().close()

    @property
    def numbers(self) -> list[int]:
        """What the sliders say."""
        return [slider.value for slider in self.box.children]


def curve(now: list[int], before: list[int], width: int = 312, height: int = 54) -> str:
    """A drawing of two tables of numbers as lines: the one before in grey, the one now over it.

    >>> curve([1, 4], [1, 2]).count("<polyline")
    2
    """
    low, high = min(0, *now, *before), max(1, *now, *before)
    step = width / max(len(now), len(before))

    def line(numbers: list[int], colour: str) -> str:
        dots = [
            (step * (place + 0.5), 4 + (height - 8) * (high - number) / (high - low))
            for place, number in enumerate(numbers)
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        marks = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in dots)
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>{marks}'

    lines = line(before, "var(--faint)") + line(now, "var(--jp-brand-color1, #0072b2)")
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" preserveAspectRatio="none"'
    return f"<svg {size}>{lines}</svg>"


class Table(Control):
    """A knob `ints`: a slider for each number, a list of named tables, and how many numbers there are."""

    def make(self) -> None:
        """Heading, list of families, length, sliders."""
        knob = self.knob
        self.rank = 0 if knob.length[0] == knob.length[1] else 1
        self.upright = Upright(self._told, knob.help)
        top: list[ipw.Widget] = [label(words(knob.name), f"{knob.help} {knob.allowed}")]
        self.family: ipw.Dropdown | None = None
        self.length: ipw.BoundedIntText | None = None
        if knob.choices:
            self.family = ipw.Dropdown(
                options=[OWN, *knob.choices], layout={"width": "120px"}, tooltip=f"{knob.name}: {knob.words}"
            )
            self.family.observe(self._named, "value")
            top.append(self.family)
            self.curve = ipw.HTML()
            self.named = quiet(f"{knob.words or knob.help}. Shown: for most players.")
        if knob.length[0] != knob.length[1]:
            self.length = ipw.BoundedIntText(
                min=knob.length[0],
                max=knob.length[1],
                description="length",
                tooltip="How many numbers the table has; beyond its end the last one holds.",
                layout={"width": "106px"},
                style={"description_width": "48px"},
            )
            self.length.observe(self._lengthened, "value")
            top.append(self.length)
        row = ipw.HBox(top)
        row.add_class("designlab-heading")
        drawn = [self.named, self.curve] if self.family else []
        self.widget = ipw.VBox([row, *drawn, self.upright.box])
        self.widget.add_class("designlab-table")

    def _told(self, _: dict[str, Any]) -> None:
        numbers = self.upright.numbers
        self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, tuple(numbers)))

    def _named(self, change: dict[str, Any]) -> None:
        if change["new"] != OWN:
            self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, change["new"]))

    def _lengthened(self, change: dict[str, Any]) -> None:
        numbers = self.upright.numbers
        numbers = (numbers + numbers[-1:] * change["new"])[: change["new"]]
        self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, tuple(numbers)))

    def show(self, variant: Variant) -> None:
        """Set sliders, family and length."""
        knob, numbers = self.knob, list(variant.numbers(self.knob.name))
        fresh = len(numbers) != len(self.upright.box.children) or variant == self.desk.model.start
        labels = [item_words(knob, item) for item in knob.items or range(1, len(numbers) + 1)]
        self.upright.show(numbers, labels, int(knob.low or 0), int(knob.high or 0), fresh)
        if self.family is not None:
            text = variant.knob_text(knob.name)
            self.family.value = text if text in knob.choices else OWN
            self.curve.value = curve(numbers, list(self.desk.model.base.numbers(knob.name)))
            is_named = isinstance(getattr(variant, knob.name), str)  # no one table says what it comes to
            self.named.layout.display = "" if is_named else "none"
        if self.length is not None:
            self.length.value = len(numbers)


class Numbers(Control):
    """A knob `counts`: a slider for each key, or, where there are many, one slider and a list of keys."""

    def make(self) -> None:
        """Sliders by key."""
        knob = self.knob
        self.keys = list(self.desk.model.variant.amounts(knob.name))
        self.upright: Upright | None = None
        self.rank = 3
        top = label(words(knob.name), f"{knob.help} {knob.allowed}")
        if knob.items and len(knob.items) <= MOST_SLIDERS:
            self.rank = 0
            self.upright = Upright(self._told, knob.help)
            self.widget = ipw.VBox([top, self.upright.box])
            self.widget.add_class("designlab-table")
            return
        self.key = ipw.Dropdown(options=self.keys, tooltip=knob.help, layout={"width": "96px"})
        self.number = ipw.IntSlider(
            min=int(knob.low or 0),
            max=int(knob.high or 0),
            tooltip=f"{knob.help} {words(knob.name)}: {knob.allowed}",
            layout={"width": "auto", "flex": "1 1 auto", "min_width": "0"},
        )
        self.key.observe(lambda _: self._choose(), "value")
        self.number.observe(self._told_one, "value")
        self.widget = ipw.VBox([top, ipw.HBox([self.key, self.number])])
        self.widget.add_class("designlab-table")
        self.widget.add_class("designlab-chooser")

    def _told(self, change: dict[str, Any]) -> None:
        assert self.upright is not None
        key = self.keys[self.upright.sliders.index(change["owner"])]
        self.desk.wish(lambda: self.desk.model.set_count(self.knob.name, key, change["new"]))

    def _told_one(self, change: dict[str, Any]) -> None:
        key = self.key.value
        self.desk.wish(lambda: self.desk.model.set_count(self.knob.name, key, change["new"]))

    def _choose(self) -> None:
        with self.desk.showing():
            self.number.value = self.desk.model.variant.amounts(self.knob.name).get(self.key.value, 0)

    def show(self, variant: Variant) -> None:
        """Set the sliders to the numbers in play."""
        amounts = variant.amounts(self.knob.name)
        keys = list(amounts)
        if self.upright is not None:
            self.keys = keys
            labels = [item_words(self.knob, key) for key in keys]
            low, high = int(self.knob.low or 0), int(self.knob.high or 0)
            self.upright.show(list(amounts.values()), labels, low, high, fresh=False)
            return
        if keys != self.keys:
            self.keys = keys
            self.key.options = keys
        self.number.value = amounts.get(self.key.value, 0)
