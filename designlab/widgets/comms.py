"""Messages from the browser: which thread of the kernel answers them."""

from __future__ import annotations

from typing import Any

import ipywidgets as ipw


def answer_at_once(*widgets: ipw.Widget) -> None:
    """Let what a person does to these widgets be handled in JupyterLab's subshell, also while a cell runs.

    JupyterLab sends such messages to a subshell, but ipykernel 7.4 hands them to the shell from which the widget was
    last written, usually the main one, where they wait until all cells have run. The hook by which it does so is
    replaced; other kernels do not look at it.
    """
    for widget in widgets:
        if widget.comm is not None:
            widget.comm._reply_subshell_for = _as_sent


def _as_sent(_: Any, subshell: str | None) -> str | None:
    return subshell
