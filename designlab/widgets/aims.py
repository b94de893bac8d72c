"""What a tuning panel is asked for: free knobs and targets as a person types them, without widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designlab.cards import DataError
from designlab.experiments.axes import axes_of, values_of
from designlab.experiments.tuning import targets_of
from designlab.game import Game, Policy
from designlab.simulation import check_run
from designlab.variants import Variant
from designlab.widgets.turnable import turnable

KNOBS, TARGETS = 5, 4  # rows that a person may fill


@dataclass(frozen=True)
class Aim:
    """What is to be tuned: knobs and their values, outcomes and their bands, as typed."""

    base: Variant
    free: tuple[tuple[str, str], ...]
    targets: tuple[tuple[str, str], ...]
    seats: tuple[Policy, ...]
    plays: int
    trials: int
    seed: int

    def arguments(self) -> dict[str, Any]:
        """Free knobs and targets as `tune` takes them. DataError where something is not allowed."""
        for what, pairs in (("free", self.free), ("targets", self.targets)):
            names = [name for name, _ in pairs]
            for name in names:
                if names.count(name) > 1:
                    raise DataError.of(what, f"{name} twice", "every one once")
        free = {name: values_of(self.base, name, text) for name, text in self.free}
        axes_of(self.base, free)
        targets_of(dict(self.targets))
        return {"free": free, "targets": dict(self.targets)}


def aim_of(
    game: Game,
    base: Variant,
    free: Mapping[str, str] | None,
    targets: Mapping[str, str] | None,
    seats: Sequence[Policy],
    plays: int,
    trials: int,
    seed: int,
) -> Aim:
    """The aim that the arguments of designlab.tuning_panel stand for. DataError where something is not allowed.

    >>> import designlab
    >>> from designlab.game import load
    >>> printed = designlab.variant("kimono", "printed")
    >>> aim_of(load("kimono"), printed, {"seat_bonus.1": "0..2"}, None, (), 1000, 10, 7).targets
    (('share.1', '0.48..0.52'),)
    """
    policies = game.check_policies(seats or None)
    check_run([base], plays, seed)
    usual = turnable(base)
    if free is None:
        free = dict(list(usual.items())[:1])
    if targets is None:
        fair = 1 / len(policies)
        targets = {f"share.{len(policies) - 1}": f"{fair - 0.02:.3g}..{fair + 0.02:.3g}"}
    for what, given, most in (("free", free, KNOBS), ("targets", targets, TARGETS)):
        if not isinstance(given, Mapping) or len(given) > most:
            raise DataError.of(what, given, f"{{name: text}}, at most {most}")
        for name, text in given.items():
            if not isinstance(text, str):
                raise DataError.of(f"{what}, {name}", text, "a text, as it is typed in the panel")
    aim = Aim(base, tuple(free.items()), tuple(targets.items()), policies, int(plays), int(trials), int(seed))
    aim.arguments()
    return aim


def offered(game: Game, seats: int) -> list[str]:
    """Outcomes that the panel offers; others may be typed.

    >>> from designlab.game import load
    >>> offered(load("kimono"), 2)
    ['share.0', 'share.1', 'total.0', 'total.1', 'total', 'draws', 'turns']
    """
    each = [f"{name}.{seat}" for name in ("share", "total") for seat in range(seats)]
    return [*each, "total", "draws", *(name for name in ("turns",) if name in game.tables["plays"].columns)]
