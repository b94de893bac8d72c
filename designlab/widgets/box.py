"""What all panels are: a box of widgets, with work in the background."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw

from designlab.widgets.runner import Runner
from designlab.widgets.view import everything_below


class WorkingBox(ipw.VBox):
    """A panel. `runners` do its work; a class sets them before anything can be asked of it."""

    runners: tuple[Runner[Any], ...] = ()

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until all work is done and shown; False if one piece of it takes longer than `timeout` seconds."""
        return all(runner.wait_until_idle(timeout) for runner in self.runners)

    def close(self) -> None:
        """Stop, and take the panel and all its widgets away."""
        for runner in self.runners:
            runner.close()
            runner.wait_until_idle(5)
        for widget in everything_below(self):
            if widget is not self:
                widget.close()
        super().close()
