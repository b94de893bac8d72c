"""Plots: every statistic has one; nothing is clipped, nothing is left out in silence, nothing global is touched."""

import io
import itertools
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import matplotlib
import numpy as np
import pandas as pd
import pytest
from frames import coin_game, from_shares
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from designlab import plots, stats
from designlab.plots.glyphs import drawable
from designlab.plots.rows import Group, Row, draw_rows
from designlab.plots.style import PALETTE, shorten_all

LONG = [
    "printed",
    "cat_curve=triangular, pattern_copies.7=8",
    "cats_linear",
    "sudden_victory, tile_values=3,4,5,6,30, ring_size=9",
    "sudden_victory, tile_values=3,4,5,7,30, ring_size=9",
]
CARDS = [f"B{p}-{i}" for p in range(3, 8) for i in range(1, 6)] + [f"P{i}" for i in range(1, 6)]

PLOTS = {
    "win_rate": (lambda f, **o: plots.win_rate(f.seats, **o), lambda f: stats.win_rate(f.seats)),
    "seat_advantage": (
        lambda f, **o: plots.seat_advantage(f.seats, **o),
        lambda f: stats.seat_advantage(f.seats),
    ),
    "finisher_advantage": (
        lambda f, **o: plots.finisher_advantage(with_first(f.seats), **o),
        lambda f: stats.finisher_advantage(with_first(f.seats)),
    ),
    "decisions": (lambda f, **o: plots.decisions(f.seats, **o), lambda f: stats.decisions(f.seats)),
    "rank_table": (lambda f, **o: plots.rank_table(f.seats, **o), lambda f: stats.rank_table(f.seats)),
    "score_distribution": (
        lambda f, **o: plots.score_distribution(f.seats, **o),
        lambda f: stats.score_distribution(f.seats),
    ),
    "score_summary": (
        lambda f, **o: plots.score_summary(f.seats, **o),
        lambda f: stats.score_summary(f.seats),
    ),
    "score_sources": (
        lambda f, **o: plots.score_sources(f.seats, **o),
        lambda f: stats.score_sources(f.seats),
    ),
    "card_value": (
        lambda f, **o: plots.card_value(f.cards, f.seats, **o),
        lambda f: stats.card_value(f.cards, f.seats),
    ),
    "compare": (lambda f, **o: plots.compare(f.seats, **o), lambda f: stats.compare(f.seats)),
    "lead_by_turn": (lambda f, **o: plots.lead_by_turn(f.turns, **o), lambda f: stats.lead_by_turn(f.turns)),
}
each = pytest.mark.parametrize("name", PLOTS)


def with_first(seats):
    """The frame as of a game in which all play at the same time: how often a seat was first is left to chance."""
    first = np.random.default_rng(1).integers(0, 4, len(seats))
    return seats.assign(first=first, first_points=np.where(first > 0, seats["total"] // 2, 0))


@cache
def play(variants=2, deals=200, mirror=False):
    chances = {name: 0.47 + 0.02 * i for i, name in enumerate(LONG[:variants])}
    policies = ("greedy", "denier") if mirror else ("greedy", "greedy")
    return coin_game(chances, deals=deals, draw=0.05, cards=CARDS, turns=26, mirror=mirror, policies=policies)


@pytest.fixture(scope="module")
def game():
    return play()


def words(ax):
    """The texts of a figure that are seen, with their boxes in pixels."""
    figure = ax.get_figure(root=True)
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
    inside = ax.get_window_extent(renderer)
    ticks = {id(t): axis for axis in (ax.xaxis, ax.yaxis) for t in axis.get_ticklabels()}
    answer = []
    for text in texts:
        box = text.get_window_extent(renderer)
        if id(text) in ticks:  # ticks beyond the ends of the axis are there, but not drawn
            middle = (box.x0 + box.x1) / 2
            if ticks[id(text)] is ax.xaxis and not inside.x0 - 1 <= middle <= inside.x1 + 1:
                continue
            if ticks[id(text)] is ax.yaxis and not inside.y0 - 9 <= (box.y0 + box.y1) / 2 <= inside.y1 + 9:
                continue
        answer.append((text.get_text(), box))
    return answer


@cache
def table_of(name, variants, deals, mirror=False):
    if name == "compare" and variants == 1:
        return None
    return PLOTS[name][1](play(variants, deals, mirror))


@each
@pytest.mark.parametrize("size", [(480, 300), None], ids=["panel", "own"])
@pytest.mark.parametrize(
    ("variants", "deals", "mirror"), [(1, 3, False), (2, 200, False), (5, 50, False), (2, 9, True)]
)
def test_every_word_is_within_the_picture_and_none_over_another(name, size, variants, deals, mirror):
    table = table_of(name, variants, deals, mirror)
    if table is None:
        return
    ax = getattr(plots, name)(table, ax=plots.axes(*size) if size else None)
    found = words(ax)
    width, height = ax.figure.canvas.get_width_height()
    for text, box in found:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, f"{text!r} is cut off"
    for (one, a), (two, b) in itertools.combinations(found, 2):
        wide = min(a.x1, b.x1) - max(a.x0, b.x0)
        high = min(a.y1, b.y1) - max(a.y0, b.y0)
        # Boxes hold room for descenders: letters touch only when they share more than that.
        assert wide < 2 or high < 4, f"{one!r} lies over {two!r}"


@each
def test_axes_are_made_or_taken(name, game):
    draw, _ = PLOTS[name]
    made = draw(game)
    assert made.figure.axes == [made]
    given = plots.axes(500, 320)
    assert draw(game, ax=given) is given
    assert plots.to_png(given).startswith(b"\x89PNG")


@each
def test_frame_and_statistic_give_the_same_picture(name, game):
    draw, statistic = PLOTS[name]
    table = statistic(game)
    before = table.copy(deep=True)
    assert plots.to_png(draw(game)) == plots.to_png(getattr(plots, name)(table))
    pd.testing.assert_frame_equal(table, before)


@each
def test_a_saved_statistic_is_drawn_alike(name, game):
    table = PLOTS[name][1](game)
    again = pd.read_csv(io.StringIO(table.to_csv(index=False)))
    assert plots.to_png(getattr(plots, name)(again)) == plots.to_png(getattr(plots, name)(table))


@each
def test_axes_among_others_stay_where_they_are(name, game):
    figure = Figure(figsize=(10, 4))
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    before = left.get_position().bounds, right.get_position().bounds
    PLOTS[name][0](game, ax=left)
    assert (left.get_position().bounds, right.get_position().bounds) == before
    assert not right.lines and not right.collections


@each
def test_settings_of_matplotlib_are_left_alone(name, game):
    before = dict(matplotlib.rcParams)
    plots.to_svg(PLOTS[name][0](game))
    assert dict(matplotlib.rcParams) == before


@each
def test_one_deal_has_no_interval_but_is_drawn(name):
    one = play(2, 1)
    try:
        ax = PLOTS[name][0](one)
    except ValueError as e:
        assert name == "card_value" and "no card was taken" in str(e)
    else:
        assert plots.to_png(ax)


def test_threads_draw_the_same_pictures(game):
    tables = {name: statistic(game) for name, (_, statistic) in PLOTS.items()}

    def picture(name):
        return plots.to_png(getattr(plots, name)(tables[name], ax=plots.axes(480, 300)))

    alone = {name: picture(name) for name in PLOTS}
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(picture, list(PLOTS) * 2))
    assert together == [alone[name] for name in list(PLOTS) * 2]


@each
@pytest.mark.filterwarnings("error")
def test_names_in_any_script_and_with_dollar_signs_are_drawn(name):
    odd = coin_game(
        {"猫の手": 0.5, "猫の目": 0.55, "a$\\x$": 0.6},
        deals=30,
        policies=("強欲$", "拒否$"),
        cards=["札$1$", "札2"],
    )
    ax = PLOTS[name][0](odd)
    assert plots.to_png(ax) and plots.to_svg(ax)
    assert not any("猫" in text or "札" in text for text, _ in words(ax))


def test_a_saved_table_with_odd_measures_is_drawn(recwarn):
    table = stats.compare(play().seats).assign(baseline="印刷", pairing="強欲")
    ax = plots.compare(table.assign(measure="点"))
    assert plots.to_png(ax) and not recwarn and "□" in text_of(ax)


def test_letters_of_the_font_in_use_are_kept():
    assert drawable("ring_size=9, naïve → Ω…") == "ring_size=9, naïve → Ω…"
    assert drawable("tab\there") == "tab□here" and drawable("two\nlines") == "two\nlines"
    assert drawable(drawable("猫")) == "□"
    for families in (["no such font"], ["no such font", "DejaVu Sans"]):
        with matplotlib.rc_context({"font.family": families}):
            assert drawable("Ω猫") == "Ω□"
    with matplotlib.rc_context({"font.family": ["cmr10"]}):  # has neither: TeX's Latin letters only
        assert drawable("a猫") == "a?"


def test_pyplot_is_never_imported_and_matplotlib_only_to_draw():
    code = """
import sys
import pandas as pd
from designlab import plots, stats
assert not any(m.startswith(("matplotlib", "scipy.stats", "statsmodels")) for m in sys.modules), "too early"
key = {"variant": "v", "deal": [0, 0, 1, 1], "mirrored": False, "play": [0, 0, 1, 1], "seat": [0, 1, 0, 1]}
seats = pd.DataFrame({**key, "policy": "p", "won": [True, False] * 2, "share": [1.0, 0.0] * 2})
plots.to_png(plots.win_rate(seats))
assert "matplotlib.pyplot" not in sys.modules and "scipy.stats" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@each
def test_a_panel_picture_is_quick(name, game):
    table = PLOTS[name][1](game)
    took = []
    for _ in range(4):
        start = time.thread_time()
        plots.to_png(getattr(plots, name)(table, ax=plots.axes(480, 300)))
        took.append(time.thread_time() - start)
    assert min(took) < 0.25  # 0.07 to 0.12 when nothing measures coverage


# Pictures


def test_axes_show_themselves_in_a_notebook():
    from IPython.core.formatters import DisplayFormatter

    ax = plots.axes(480, 300)
    data, metadata = DisplayFormatter().format(ax)
    assert data["image/png"].startswith(b"\x89PNG")
    assert metadata["image/png"] == {"width": 480, "height": 300}


def test_png_and_svg_of_axes_or_figure(game):
    ax = plots.win_rate(game.seats, ax=plots.axes(480, 300))
    png = plots.to_png(ax)
    assert png == plots.to_png(ax.figure)
    assert (int.from_bytes(png[16:20]), int.from_bytes(png[20:24])) == (480, 300)
    assert int.from_bytes(plots.to_png(ax, dpi=200)[16:20]) == 960
    svg = plots.to_svg(ax)
    assert svg.lstrip().startswith(b"<?xml") and b"<dc:date>" not in svg


def test_colours_are_of_okabe_and_ito_and_the_first_is_grey():
    assert len(set(PALETTE)) == len(PALETTE)
    red, green, blue = (int(PALETTE[0][i : i + 2], 16) for i in (1, 3, 5))
    assert red == green == blue
    assert plots.colours(["a", "b"]) == {"a": PALETTE[0], "b": "#0072b2"}
    assert plots.colours("abcdefghij")["h"] == PALETTE[0]


def test_a_variant_keeps_its_colour_from_plot_to_plot(game):
    colour = plots.colours(LONG[:2])
    assert PALETTE[0] in drawn(plots.win_rate(game.seats))
    assert drawn(plots.compare(game.seats)) == {colour[LONG[1]]}
    table = stats.compare(game.seats)
    assert drawn(plots.compare(table.assign(variant=table["variant"].astype(str)))) == {colour[LONG[1]]}


def drawn(ax):
    """Colours of the rows' intervals."""
    return {to_hex(c) for c in ax.collections[0].get_colors()}


def test_intervals_are_drawn_where_they_are(game):
    table = stats.win_rate(game.seats)
    ax = plots.win_rate(table)
    ends = sorted((a[0], b[0]) for a, b in ax.collections[0].get_segments())
    expected = sorted(zip(table["low"] * 100, table["high"] * 100, strict=True))
    np.testing.assert_allclose(ends, expected)
    low, high = ax.get_xlim()
    assert low <= min(e[0] for e in ends) and high >= max(e[1] for e in ends)


def test_a_tiny_difference_is_not_blown_up():
    rows = [Row("a", 0.001, 0.0, 0.002, "#000000"), Row("b", 0.002, 0.001, 0.003, "#000000")]
    low, high = draw_rows(None, [Group("", rows)], "x", [], references=(0,), least_span=2).get_xlim()
    assert high - low >= 2


def text_of(ax):
    return " ".join(text for text, _ in words(ax))


def test_win_rate_says_what_was_drawn_and_how_sure_it_is(game):
    text = text_of(plots.win_rate(game.seats))
    assert "95 % intervals, 200 deals; line: an equal share, 50 %" in text and "of plays are drawn" in text
    assert "seat 0 (greedy)" in text and "plays won (%)" in text
    assert "99 % intervals" in text_of(plots.win_rate(stats.win_rate(game.seats, level=0.99)))


def test_win_rate_by_policy(game):
    text = text_of(plots.win_rate(stats.win_rate(play(mirror=True).seats, by=("policy",))))
    assert "greedy" in text and "denier" in text and "seat" not in text


@pytest.mark.parametrize("by", [("policy",), ("seat",), ("pairing", "seat", "policy")])
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_win_rate_draws_an_equal_share_of_the_seats(seats, by):
    frame = from_shares([[1] + [0] * (seats - 1)] * 8)
    ax = plots.win_rate(stats.win_rate(frame, by=by))
    assert [line.get_xdata()[0] for line in ax.get_lines()] == [100 / seats]
    assert f"line: an equal share, {100 / seats:.3g} %" in text_of(ax)


def test_win_rate_draws_a_line_for_each_number_of_seats():
    tables = [stats.win_rate(from_shares([[1] + [0] * (seats - 1)] * 8), by=()) for seats in (4, 2)]
    ax = plots.win_rate(pd.concat(tables))
    assert [line.get_xdata()[0] for line in ax.get_lines()] == [50, 25]
    assert "lines: equal shares, 50 % and 25 %" in text_of(ax)


def test_several_pairings_are_kept_apart(game):
    other = coin_game({"printed": 0.4}, deals=40, policies=("denier", "denier"))
    both = pd.concat([game.seats, other.seats])
    assert "seat 0 (denier) in denier, denier" in text_of(plots.win_rate(both))
    assert "denier, denier" in text_of(plots.seat_advantage(both))
    for plot in (plots.score_distribution, plots.score_sources):
        with pytest.raises(
            ValueError, match=r"several pairings \(greedy, greedy; denier, denier\), wanted one"
        ):
            plot(both)


def test_seat_advantage_prints_its_note():
    game = coin_game({"printed": 0.5}, deals=40, policies=("greedy", "denier"))
    text = text_of(plots.seat_advantage(game.seats))
    assert "policies differ and the deals were not mirrored" in text
    assert "seat 0's win share less 50 % (percentage points)" in text


def test_seat_advantage_of_three_seats():
    key = {"variant": "v", "deal": [0, 0, 0, 1, 1, 1], "mirrored": False, "play": [0, 0, 0, 1, 1, 1]}
    seats = pd.DataFrame({**key, "seat": [0, 1, 2] * 2, "policy": "p", "share": [1, 0, 0, 0, 1, 0]})
    text = text_of(plots.seat_advantage(seats))
    assert "win share less 33.3 %" in text and "seat 2 (p, p, p)" in text


def test_finisher_advantage_draws_one_unit_at_a_time(game):
    frame = with_first(game.seats)
    assert "win share of who is first in most rounds, less an equal share (percentage points)" in text_of(
        plots.finisher_advantage(frame)
    )
    table = stats.finisher_advantage(frame)
    assert "points of who is first in a round" in text_of(plots.finisher_advantage(table, unit="points"))
    with pytest.raises(ValueError, match="found no row with unit 'dollars'; there are share, points"):
        plots.finisher_advantage(table, unit="dollars")


def test_compare_draws_one_unit_at_a_time(game):
    table = stats.compare(game.seats)
    assert "win share, seat 0" in text_of(plots.compare(table))
    points = text_of(plots.compare(table, unit="points"))
    assert "cats, seat 1" in points and "win share" not in points and "(points)" in points
    assert "no difference in any deal: bonus, seat 0; bonus, seat 1" in points
    assert "win share" in text_of(plots.compare(table, measures="share"))
    chosen = text_of(plots.compare(table, measures=["cats", "tiles"]))
    assert chosen.index("cats, seat 0") < chosen.index("tiles, seat 0") and "total" not in chosen
    with pytest.raises(ValueError, match="found no row with unit 'dollars'; there are share, points, turns"):
        plots.compare(table, unit="dollars")
    with pytest.raises(ValueError, match="there are none"):
        plots.compare(table, measures=[])


def test_compare_shows_what_pairing_saved(game):
    text = text_of(plots.compare(game.seats))
    assert "×: unpaired plays that one paired play was worth" in text and "(×" in text
    other = game.plays.assign(deal=game.plays["deal"] + 1000 * (game.plays["variant"] != "printed"))
    assert "not played on the same deals" in text_of(plots.compare(other))


def test_compare_on_low_axes_counts_what_it_leaves_out():
    table = stats.compare(play(5, 50).seats)
    text = text_of(plots.compare(table, unit="points", ax=plots.axes(480, 220)))
    assert "more left out, for want of height" in text


def test_card_value_prints_the_caveat_and_what_is_not_shown(game):
    whole = text_of(plots.card_value(game.cards, game.seats))
    assert stats.CARD_VALUE_CAVEAT in whole and "not shown" not in whole
    assert all(card in whole for card in CARDS)
    part = text_of(plots.card_value(game.cards, game.seats, top=6))
    assert "24 cards in the middle are not shown" in part
    low = text_of(plots.card_value(game.cards, game.seats, ax=plots.axes(480, 300)))
    assert "are not shown" in low and "left out" not in low
    with pytest.raises(ValueError, match="needs the `seats` frame"):
        plots.card_value(game.cards)


def test_card_value_is_sorted_by_the_first_variant(game):
    table = stats.card_value(game.cards, game.seats)
    first = table[table["variant"] == "printed"].sort_values("estimate", ascending=False)
    text = text_of(plots.card_value(table))
    places = [text.index(card) for card in first["card"]]
    assert places == sorted(places)


def test_score_summary_shows_quantiles_and_means_where_they_are(game):
    table = stats.score_summary(game.seats)
    ax = plots.score_summary(table)
    lines = [
        sorted((a[0], b[0]) for a, b in c.get_segments())
        for c in ax.collections
        if isinstance(c, LineCollection)
    ]
    for found, (low, high) in zip(lines, [("low", "high"), ("q05", "q95"), ("q25", "q75")], strict=True):
        np.testing.assert_allclose(found, sorted(zip(table[low], table[high], strict=True)))
    marks = [sorted(c.get_offsets()[:, 0]) for c in ax.collections if not isinstance(c, LineCollection)]
    assert sorted(table["estimate"]) in [pytest.approx(m) for m in marks]
    assert sorted(table["median"]) == pytest.approx(marks[-1])
    low, high = ax.get_xlim()
    assert low < table["q05"].min() and high > table["q95"].max()
    text = text_of(ax)
    assert "dots: means, 95 % intervals, 200 deals; figures: means" in text
    assert "lines: nine tenths and half of plays; ticks: medians" in text
    assert "seat 0 (greedy)" in text and "total (points)" in text


def test_score_summary_on_low_axes_keeps_lines_of_a_row_together():
    ax = plots.score_summary(play(5, 50).seats, ax=plots.axes(480, 200))
    lines = [c for c in ax.collections if isinstance(c, LineCollection)]
    mean, spread = ([seg[0][1] for seg in c.get_segments()] for c in lines[:2])
    merged = [y for pair in zip(spread, mean, strict=True) for y in pair]
    assert merged == sorted(merged)
    one = plots.score_summary(play(2, 1).seats)
    assert "1 deal" in text_of(one)


def test_score_distribution_bins_hold_every_play(game):
    ax = plots.score_distribution(game.seats)
    for patch in ax.patches:
        values, _, base = patch.get_data()
        assert (values - base).sum() == pytest.approx(1)
    assert "% of plays for each" in text_of(ax)


def test_score_sources_leaves_out_what_nobody_scores(game):
    ax = plots.score_sources(game.seats)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["tiles", "cats", "props", "mon"]
    assert len(ax.patches) == 2 * 2 * 4
    table = stats.score_sources(game.seats)
    assert sorted(p.get_height() for p in ax.patches) == pytest.approx(sorted(table["estimate"])[4:])


def test_score_sources_may_be_negative():
    key = {"variant": "v", "deal": [0, 1], "mirrored": False, "play": [0, 1], "seat": 0, "policy": "p"}
    ax = plots.score_sources(pd.DataFrame({**key, "cats": [-4, -2], "mon": [3, 5], "total": [-1, 3]}))
    assert ax.get_ylim()[0] < -3


def test_score_sources_names_seats_that_changed_hands():
    text = text_of(plots.score_sources(play(mirror=True).seats))
    assert "a: greedy in seat 0, b: denier in seat 0" in text


def test_lead_by_turn_shows_whole_rounds(game):
    rounds, every = plots.lead_by_turn(game.turns), plots.lead_by_turn(game.turns, every_turn=True)
    assert len(rounds.lines[1].get_xdata()) == 13 and len(every.lines[1].get_xdata()) == 26
    odd = game.turns[game.turns["turn"] < 26]
    assert plots.lead_by_turn(odd).lines[1].get_xdata().tolist() == [*range(2, 25, 2), 25]


def test_names_cut_alike_are_told_apart():
    short = shorten_all(LONG, 20)
    assert len(set(short.values())) == len(LONG) and max(map(len, short.values())) <= 20


@pytest.mark.parametrize(
    ("value", "tick"),
    [(0.1, 0.1), (np.nextafter(0.1, 0), 0.05), (0.0999, 0.05), (0.055, 0.05), (0.012, 0.01), (0.0, 0.01)],
)
def test_a_tick_is_found_just_below_a_power_of_ten(value, tick):
    from designlab.plots.scores import _round_down

    assert _round_down(value) == pytest.approx(tick)
