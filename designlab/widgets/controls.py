"""The controls of all knobs of a game, gathered by group into tabs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as ipw

from designlab.variants import Knob
from designlab.widgets.control import Control, Desk, Single, quiet, words
from designlab.widgets.model import Model
from designlab.widgets.tables import Numbers, Table
from designlab.widgets.ticks import Ticks

KINDS: dict[str, type[Control]] = {"ints": Table, "counts": Numbers}  # by the knob's type; else Single


def kind_of(knob: Knob) -> type[Control]:
    """The control that a knob's declaration asks for."""
    return Ticks if knob.ticks else KINDS.get(knob.type, Single)


class Controls:
    """All controls of a game's knobs, in a tab for each group."""

    def __init__(self, model: Model, moved: Callable[[], None]) -> None:
        self.model = model
        self.desk = Desk(model, moved)
        self.by_name = {knob.name: kind_of(knob)(knob, self.desk) for knob in model.base.knobs().values()}
        self.keep = ipw.Checkbox(
            value=model.keep_deck_size,
            description="keep the deck size: one in, one out",
            indent=False,
            layout={"width": "auto"},
        )
        self.keep.observe(self._kept, "value")
        self.groups: dict[str, list[str]] = {}
        for knob in model.base.knobs().values():
            self.groups.setdefault(knob.group or "knobs", []).append(knob.name)
        self.widget = ipw.Tab(children=[self._page(*group) for group in self.groups.items()])
        self.widget.add_class("designlab-tabs")
        self.show()

    def _page(self, group: str, names: list[str]) -> ipw.Box:
        controls = sorted((self.by_name[name] for name in names), key=lambda control: control.rank)
        rows = [control.widget for control in controls]
        if any(control.knob.exchange for control in controls):
            rows.insert(0, self.keep)
        if group in self.model.base.about_groups:
            rows.insert(0, quiet(self.model.base.about_groups[group]))
        page = ipw.Box(rows)
        page.add_class("designlab-page")
        return page

    def _kept(self, change: dict[str, Any]) -> None:
        self.desk.wish(lambda: self.model.set_keep_deck_size(change["new"]))

    def show(self, fresh: bool = False) -> None:
        """Show the model's variant. A control whose wish was refused keeps the wish and is marked,
        so that a second knob can make it fit; `fresh` (after Reset or Load) shows the variant everywhere."""
        with self.model.lock:
            variant, changed = self.model.variant, self.model.changed()
            refused, keep, error = self.model.refused, self.model.keep_deck_size, self.model.error
        with self.desk.showing():
            for name, control in self.by_name.items():
                if fresh or not error:
                    control.show(variant)
                control.mark(name in changed, name in refused)
            self.keep.value = keep
            titles = []
            for group, names in self.groups.items():
                count = len(changed.intersection(names))
                titles.append(f"{words(group)} ({count})" if count else words(group))
            self.widget.titles = titles
