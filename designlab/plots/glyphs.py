"""Letters that can be drawn.

matplotlib warns, for each picture, of every letter its font lacks. Names are people's own, so such letters are
replaced before matplotlib sees them: `warnings.catch_warnings` is not safe among threads.
"""

from __future__ import annotations

from functools import lru_cache

BOX = "□"


def drawable(text: str) -> str:
    """Text with a box (? in a font without one) for each letter that matplotlib's font lacks.

    >>> drawable("cats_linear"), drawable("猫 α")
    ('cats_linear', '□ α')
    """
    if text.isascii() and text.isprintable():
        return text
    import matplotlib
    from matplotlib.font_manager import FontProperties

    sans = tuple(matplotlib.rcParams["font.sans-serif"])  # what the family "sans-serif" stands for
    letters = _letters(tuple(FontProperties().get_family()), sans)
    box = BOX if ord(BOX) in letters else "?"
    return "".join(c if ord(c) in letters or c == "\n" else box for c in text)


@lru_cache(maxsize=8)
def _letters(families: tuple[str, ...], sans: tuple[str, ...]) -> frozenset[int]:
    """Code points that these fonts together have, in regular and in bold."""
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    def of(weight: str) -> set[int]:
        files = []
        for family in families:  # as matplotlib does: families that are not there are passed over
            try:
                wanted = FontProperties(family=family, weight=weight)
                files.append(fontManager.findfont(wanted, fallback_to_default=False))
            except ValueError:
                continue
        files = files or [fontManager.findfont(FontProperties(weight=weight))]
        return {code for file in files for code in get_font(file).get_charmap()}

    return frozenset(of("normal") & of("bold"))
