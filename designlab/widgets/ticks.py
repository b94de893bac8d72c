"""A control for knobs about what is in and what is not: a tick box for every key."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw

from designlab.variants import Variant
from designlab.widgets.comms import answer_at_once
from designlab.widgets.control import Control, label, words


class Ticks(Control):
    """A knob `counts` with `ticks`: a box for each key, ticked where there is one or more; and, for other numbers,
    one slider and a list of keys."""

    def make(self) -> None:
        """Heading with a button for all and one for none, boxes, the slider for copies."""
        knob = self.knob
        self.rank = 3
        self.boxes: dict[Any, ipw.Checkbox] = {}
        self._shown: list[tuple[Any, str, str]] = []  # key, words and tip of every box
        self.count = ipw.HTML()
        self.all, self.none = (
            ipw.ToggleButton(description=name, tooltip=tip, layout={"width": "auto"})
            for name, tip in (("all", "One of each."), ("none", "Take all out, to tick only a few."))
        )
        self.all.observe(lambda change: self._told_all(change, 1), "value")
        self.none.observe(lambda change: self._told_all(change, 0), "value")
        self.heading = ipw.HBox(
            [label(words(knob.name), f"{knob.help} {knob.allowed}"), self.count, self.all, self.none]
        )
        self.heading.add_class("designlab-heading")
        self.grid = ipw.Box([])
        self.grid.add_class("designlab-ticks")
        self.key = ipw.Dropdown(options=[], tooltip=knob.help, layout={"width": "150px"})
        self.number = ipw.IntSlider(
            min=int(knob.low or 0),
            max=int(knob.high or 0),
            tooltip=f"{knob.help} {words(knob.name)}: {knob.allowed}",
            layout={"width": "auto", "flex": "1 1 auto", "min_width": "0"},
        )
        self.key.observe(lambda _: self._choose(), "value")
        self.number.observe(self._told_number, "value")
        copies = ipw.HBox([label("copies of", knob.help), self.key, self.number])
        copies.add_class("designlab-labelled")
        self.widget = ipw.VBox([self.heading, self.grid, copies])
        for name in ("designlab-table", "designlab-chooser"):
            self.widget.add_class(name)

    # What a person does

    def _told(self, key: Any, change: dict[str, Any]) -> None:
        number = int(change["new"])
        self.desk.wish(lambda: self.desk.model.set_count(self.knob.name, key, number))

    def _told_all(self, change: dict[str, Any], number: int) -> None:
        if not change["new"]:
            return
        change["owner"].value = False
        wish = dict.fromkeys(self.boxes, number)
        self.desk.wish(lambda: self.desk.model.set_knob(self.knob.name, wish))
        self.show_wish(wish)

    def _told_number(self, change: dict[str, Any]) -> None:
        key = self.key.value
        self.desk.wish(lambda: self.desk.model.set_count(self.knob.name, key, change["new"]))

    def _choose(self) -> None:
        with self.desk.showing():
            self.number.value = self.desk.model.variant.amounts(self.knob.name).get(self.key.value, 0)

    # What is shown

    def show(self, variant: Variant) -> None:
        """Set boxes and slider to the numbers in play."""
        amounts = variant.amounts(self.knob.name)
        shown = [(key, *variant.key_words(self.knob.name, key)) for key in amounts]
        if shown != self._shown:
            self._make_boxes(shown)
        for (key, text, _), number in zip(shown, amounts.values(), strict=True):
            self.boxes[key].value = number > 0
            self.boxes[key].description = f"{number} × {text}" if number > 1 else text
        self.number.value = amounts.get(self.key.value, 0)
        self.count.value = f'<span class="designlab-quiet">{sum(amounts.values())} in all</span>'

    def mark(self, changed: bool, refused: bool) -> None:
        """As for other controls, but of the boxes only those are marked that are not as they were."""
        super().mark(False, refused)
        (self.heading.add_class if changed else self.heading.remove_class)("designlab-changed")
        model, name = self.desk.model, self.knob.name
        now, before = model.variant.amounts(name), model.base.amounts(name)
        for key, box in self.boxes.items():
            differs = changed and now.get(key) != before.get(key)
            (box.add_class if differs else box.remove_class)("designlab-other")

    def show_wish(self, wish: dict[Any, int]) -> None:
        """Show a wish, also one that is refused for now: the next one may make it fit."""
        with self.desk.showing():
            for key, number in wish.items():
                if key in self.boxes:
                    self.boxes[key].value = number > 0

    def _make_boxes(self, shown: list[tuple[Any, str, str]]) -> None:
        self._shown = shown
        old = list(self.boxes.values())
        self.boxes = {}
        for key, text, tip in shown:
            box = ipw.Checkbox(description=text, tooltip=tip, indent=False, layout={"width": "auto"})
            box.observe(lambda change, key=key: self._told(key, change), "value")
            answer_at_once(box)
            self.boxes[key] = box
        self.grid.children = list(self.boxes.values())
        self.key.options = [(text, key) for key, text, _ in shown]
        self.key.index = 0 if shown else None
        for box in old:
            box.close()
