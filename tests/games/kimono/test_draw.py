"""Pictures of recorded plays: what they show, that every word can be read, and that nothing global is touched."""

import copy
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from games.kimono import referee
from games.kimono.engine import beauty, golden, prop, variant_of
from games.kimono.random_variants import SEEDS, variants
from hypothesis import given, settings
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text

from designlab import plots
from designlab.cards import DataError
from designlab.game import load
from designlab.games.kimono.deck import OBJECTS, PATTERNS
from designlab.games.kimono.draw import draw, draw_board
from designlab.games.kimono.draw.shapes import CAT_COLOUR, GLYPHS, PATTERN_COLOURS
from designlab.games.kimono.moment import Moment
from designlab.games.kimono.replay import record
from designlab.games.kimono.saved import read_record
from designlab.games.kimono.variant import KimonoVariant

pytestmark = pytest.mark.no_kernel  # a picture is drawn from a record
GOLDEN = read_record(golden())
PRINTED = KimonoVariant()


def played(variant=PRINTED, seats=("greedy", "denier"), seed=7, number=12):
    return record(variant, seats, seed, number)


def widest(view):
    return max(view.options, key=lambda option: (option.layer == 1, option.position))


def highest(view):
    return max(view.options, key=lambda option: (option.layer if option.layer > 1 else 0, option.position))


MANY = dict.fromkeys(PATTERNS, 11)
LARGE = PRINTED.but(pattern_copies=MANY, display_size=5, end_ring=0, keep_deck_size=False)
ODD = {
    "ring_size": 12,
    "display_size": 6,
    "end_ring": 11,
    "longest_move": 6,
    "track_length": 9,
    "mon_points": (0, 20),
    "seat_bonus": (-20, 20),
    "seat_tokens": (0, 2),
    "seat_cards": (3, 0),
    "seat_moves": (0, -1),
    "tile_values": (30, 0, 30, 30, 30),
    "cat_curve": (-50, 400),
    "pattern_tokens": 20,
    "departure_mon_scores": False,
}
RICH = [
    *[prop("lantern+lantern+flower+umbrella+umbrella+fan", 50, "wild", None, "fan")] * 6,
    *[prop("fan", 50, "wild", "wild", "fan")] * 8,
    *[beauty(7, "cat", "cat", "LR", "umbrella")] * 8,
]
ONE_TURN = {"ring_size": 2, "display_size": 1, "end_ring": 1}
RECORDS = {
    "golden": lambda: GOLDEN,
    "wide": lambda: played(LARGE, (widest, widest)),
    "high": lambda: played(LARGE, (highest, highest)),
    "odd numbers": lambda: played(LARGE.but(**ODD)),
    "one turn": lambda: played(variant_of([beauty(3, "p5"), beauty(4, "cat"), prop("fan", 2)], **ONE_TURN)),
    "sudden": lambda: played(PRINTED.but(sudden_victory=True, sudden_space=1, sudden_markers=1)),
    "rich props": lambda: played(variant_of(RICH), ("props", "props")),
}


def marks(ax, start=""):
    """How often each label that starts so is there."""
    labels = [patch.get_label() for patch in ax.get_figure(root=True).findobj(PathPatch)]
    return Counter(label for label in labels if label.startswith(start))


def texts(ax):
    return [text.get_text() for text in ax.get_figure(root=True).findobj(Text) if text.get_text().strip()]


# The moment


def same_table(moment, table):
    """The moment and the referee's table hold the same."""
    assert [moment.ring[place] for place in moment.ahead()] == [table.ring[place] for place in table.ahead()]
    assert (sorted(moment.display), moment.deck) == (sorted(table.display), table.deck)
    assert moment.markers == table.markers
    for seat in (0, 1):
        photos = [(photo.card, photo.layer, photo.position) for photo in moment.albums[seat]]
        assert photos == table.albums[seat]
        assert moment.tokens(seat) == Counter(table.tokens[seat])
        assert sorted(moment.places(seat)) == table.places(seat)
        assert moment.scores(seat) == {**table.sources(seat), "total": table.score(seat)}


def follow(told):
    for table, option in referee.choices(told):
        turns = len(told["turns"])
        made = sum(photo.card != "departure" for album in table.albums for photo in album)
        move = made if table.rewarding is None else turns + table.rewarding - 3
        moment = Moment(told, move)
        same_table(moment, table)
        assert moment.seat == table.seat_to_move
        assert moment.next["card"] == option.card
    end = Moment(told)
    assert [end.scores(seat) for seat in (0, 1)] == told["scores"]
    assert (end.seat, end.next, end.is_over) == (None, None, True)


@given(variants(), SEEDS)
@settings(max_examples=25)
def test_a_moment_is_what_the_referee_has_on_the_table(variant, seed):
    follow(played(variant, ("random", "greedy"), seed, 0))


def test_the_golden_moments_are_what_the_referee_has_on_the_table():
    follow(golden() | {"variant": GOLDEN["variant"], "scores": GOLDEN["scores"]})


def test_terms_add_up_to_the_scores_and_say_what_for():
    end = Moment(GOLDEN)
    assert {source: [tuple(term) for term in terms] for source, terms in end.points(0).items()} == {
        "tiles": [(3, "pattern 3"), (4, "pattern 4")],
        "cats": [(9, "3 cat tokens")],
        "props": [(4, "P1: 2 sets x 2"), (6, "P5: 2 sets x 3")],
        "mon": [(3, "layer 1: 3 x 1"), (6, "layer 2: 3 x 2"), (9, "layer 3: 3 x 3")],
        "bonus": [],
    }


# The albums


def test_the_worked_example_can_be_counted_again_from_its_picture():
    ax = draw(GOLDEN, seat=0)
    words = texts(ax)
    assert marks(ax)["token cat"] == 3
    assert badges(ax, "Mon") == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert badges(ax, "Prop") == [4, 6]
    assert "= 3 (pattern 3) + 4 (pattern 4)" in words
    assert "= 9 (3 cat tokens)" in words
    assert "= 7 + 9 + 10 + 18" in words
    assert "seat 0, example: 44 points, a draw" in words
    assert {"R3", "R4", *map(str, range(1, 26, 2))} <= set(words)


def badges(ax, name):
    """The numbers in the badges of that label."""
    figure = ax.get_figure(root=True)
    renderer = figure.canvas.get_renderer()
    found = []
    for patch in figure.findobj(PathPatch):
        if patch.get_label() == name:
            box = patch.get_window_extent(renderer)
            middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
            inside = [t for t in figure.findobj(Text) if t.get_text() and np.allclose(at(t), middle, atol=1)]
            (text,) = [t.get_text() for t in inside]
            found.append(int(text))
    return sorted(found)


def at(text):
    return text.axes.transData.transform(text.get_position())


@pytest.mark.parametrize("name", RECORDS)
def test_an_album_shows_every_card_token_and_mon(name):
    told = RECORDS[name]()
    moment = Moment(told)
    for seat in (0, 1):
        ax = draw(told, seat)
        assert marks(ax, "card ") == Counter(f"card {photo.card}" for photo in moment.albums[seat])
        key = Counter({"token p5": 1})  # a sample in the key
        assert marks(ax, "token ") - key == Counter(
            {f"token {token}": n for token, n in moment.tokens(seat).items()}
        )
        mon = moment.mon(seat)
        assert badges(ax, "Mon") == sorted(each.points for each in mon if each.points is not None)
        assert marks(ax)["hidden Mon"] == sum(each.points is None for each in mon)
        assert f"= {' + '.join(str(v) for v in ledger(told, seat))}" in texts(ax)


def ledger(told, seat):
    scores = told["scores"][seat]
    return [points for name, points in scores.items() if name != "total" and (name != "bonus" or points)]


def test_an_upper_photo_lies_over_the_two_it_rests_on():
    ax = draw(GOLDEN, seat=0)
    cards = {
        patch.get_label(): patch for patch in ax.findobj(PathPatch) if patch.get_label().startswith("card")
    }
    below, above = cards["card B5-1"], cards["card P1"]  # layer 1 at -2 and layer 2 at -3
    assert above.zorder > below.zorder
    box, hidden = above.get_window_extent(), below.get_window_extent()
    assert box.x0 < hidden.x0 < box.x1 < hidden.x1
    assert hidden.y0 < box.y0 < hidden.y1 < box.y1


def test_both_albums_are_those_of_each_seat():
    assert marks(draw(GOLDEN), "card ") == marks(draw(GOLDEN, 0), "card ") + marks(draw(GOLDEN, 1), "card ")


def test_only_a_moment_that_was_asked_for_marks_the_photo_just_laid():
    assert "the photo just laid" not in texts(draw(GOLDEN, 0))
    assert "the photo just laid" in texts(draw(GOLDEN, 0, move=5))


# The board


def test_the_board_shows_what_may_be_taken():
    ax = draw_board(GOLDEN, 0)
    assert marks(ax, "card ") == Counter(f"card {card}" for card in GOLDEN["deal"][:10])
    words = texts(ax)
    assert "deck: 20 cards" in words
    assert (
        "Next, turn 1: seat 0 moves the photographer past 1, 2 or 3 cards and takes the last one passed."
        in words
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (
            1,
            "Turn 1: seat 0 went 1 ahead, took B4-1 and laid it in layer 1, gaining a 3 token. "
            "B5-1 fills the empty place.",
        ),
        (9, "gaining a cat. B4-4 fills"),
        (21, "No card fills the empty place."),
        (26, "The cards left on the ring join the display."),
        (
            26,
            "Next: pattern 3 is compared. Its marker is on the side of seat 0, who chooses a card of the display.",
        ),
        (30, "Its marker is on the side of seat 1, but no card is left to choose."),
        (29, "Pattern 5: seat 1 took the tile, chose P3 and laid it in layer 2."),
        (31, "Pattern 7: seat 1 took the tile; no card is left."),
    ],
)
def test_the_board_says_what_was_done_and_what_comes_next(move, words):
    assert words in " ".join(texts(draw_board(GOLDEN, move)))


def test_the_board_after_a_sudden_victory():
    told = RECORDS["sudden"]()
    assert told["ended"] == "sudden_victory"
    words = " ".join(texts(draw_board(told)))
    assert "That wins at once: sudden victory." in words
    assert "no tile" in words
    assert "A marker wins at once on the darker spaces of one side." in " ".join(texts(draw_board(told, 0)))


# Every picture


def pictures(name):
    told = RECORDS[name]()
    turns, moves = len(told["turns"]), len(told["turns"]) + len(told["rewards"])
    yield draw(told, 0)
    for move in {0, turns // 2, moves}:
        yield draw(told, move=move)
    for move in {0, turns // 2, turns, moves}:
        yield draw_board(told, move)


@pytest.mark.parametrize("name", RECORDS)
def test_every_word_is_within_the_picture_and_none_over_another(name):
    for ax in pictures(name):
        figure = ax.get_figure(root=True)
        renderer = figure.canvas.get_renderer()
        figure.draw_without_rendering()
        tokens = [patch for patch in figure.findobj(PathPatch) if patch.get_label().startswith("token ")]
        covers = [(token.zorder, token.get_window_extent()) for token in tokens]
        found = []
        for text in filter(Text.get_text, figure.findobj(Text)):
            # a token lies on the two half symbols that gave it
            if not any(z > text.zorder and box.contains(*at(text)) for z, box in covers):
                found.append((text.get_text(), text.get_window_extent(renderer)))
        width, height = figure.canvas.get_width_height()
        for text, box in found:
            inside = box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height
            assert inside, f"{text!r} is cut off"
        lows, highs = np.array([box.p0 for _, box in found]), np.array([box.p1 for _, box in found])
        shared = np.minimum(highs[:, None], highs) - np.maximum(lows[:, None], lows)
        heights = np.minimum.outer(highs[:, 1] - lows[:, 1], highs[:, 1] - lows[:, 1])
        # boxes hold room for descenders: letters touch only when they share more than a third of it
        over = (shared[..., 0] >= 2) & (shared[..., 1] >= 0.35 * heights) & ~np.eye(len(found), dtype=bool)
        assert not [f"{found[i][0]!r} lies over {found[j][0]!r}" for i, j in np.argwhere(over)]


def test_large_albums_keep_a_size_that_can_be_read():
    for name in ("wide", "high"):
        ax = draw(RECORDS[name]())
        figure = ax.get_figure(root=True)
        assert figure.get_size_inches().max() <= 16
        numbers = [t for t in figure.findobj(Text) if re.fullmatch("[3-7]", t.get_text())]
        assert min(t.get_fontsize() for t in numbers) > 2.8
        assert np.median([t.get_fontsize() for t in numbers]) > 4


def test_pictures_are_made_from_the_record_alone():
    told = copy.deepcopy(GOLDEN)
    first = [plots.to_png(draw(told, move=9)), plots.to_png(draw_board(told, 9))]
    assert told == GOLDEN
    assert [plots.to_png(draw(told, move=9)), plots.to_png(draw_board(told, 9))] == first


def test_axes_are_taken_or_made_and_others_left_alone():
    figure = Figure(figsize=(8, 4))
    FigureCanvasAgg(figure)
    one, two, other = figure.subplots(1, 3)
    before = other.get_position().bounds
    assert draw(GOLDEN, 0, ax=one) is one
    assert draw_board(GOLDEN, ax=two) is two
    assert other.get_position().bounds == before and not other.findobj(PathPatch)
    plots.to_png(figure)
    ax = draw(GOLDEN, 0)
    assert isinstance(ax, Axes) and ax.get_figure(root=True).axes == [ax]
    data, size = ax._repr_png_()
    assert data[:4] == b"\x89PNG" and set(size) == {"width", "height"}


def test_text_is_scaled_to_the_axes():
    def sizes(ax):
        return np.array([text.get_fontsize() for text in ax.texts])

    large, small = draw(GOLDEN, 0), draw(GOLDEN, 0, ax=plots.axes(500, 400))
    ratio = 500 / (large.get_figure(root=True).get_size_inches()[0] * 100)
    assert sizes(small)[:3] == pytest.approx(sizes(large)[:3] * ratio, rel=0.01)


@pytest.mark.parametrize("seat", [2, -1, "0", True, 0.0])
def test_a_seat_that_is_not_there(seat):
    with pytest.raises(DataError, match=r"^seat: found .*; allowed: 0\.\.1, or nothing for both$"):
        draw(GOLDEN, seat)


@pytest.mark.parametrize("move", [32, -1, "5", True, 1.0])
@pytest.mark.parametrize(
    "picture", [lambda move: draw(GOLDEN, 0, move), lambda move: draw_board(GOLDEN, move)]
)
def test_a_move_that_is_not_there(picture, move):
    with pytest.raises(DataError, match=r"^move: found .*; allowed: 0\.\.31, how many have been made$"):
        picture(move)


def test_numbers_of_a_frame_will_do():
    assert texts(draw(GOLDEN, np.int8(1), np.int64(3))) == texts(draw(GOLDEN, 1, 3))


def test_names_are_shown_as_they_are():
    told = GOLDEN | {"seats": ["my $x$ policy", "a" * 300]}
    words = texts(draw(told))
    assert "seat 0, my $x$ policy: 44 points, a draw" in words
    assert max(map(len, words)) < 200
    plots.to_svg(draw(told))
    plots.to_svg(draw_board(told))


# Signs and colours


def lightness(colour):
    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_patterns_differ_in_lightness_too():
    found = sorted(lightness(colour) for colour in [*PATTERN_COLOURS.values(), CAT_COLOUR])
    patterns = sorted(lightness(colour) for colour in PATTERN_COLOURS.values())
    assert np.diff(patterns).min() > 0.035
    assert len(set(found)) == 6


def test_everything_on_a_card_has_a_sign():
    assert set(PATTERN_COLOURS) == set(PATTERNS)
    assert {*OBJECTS, "cat", "wild"} <= set(GLYPHS)


def test_drawing_loads_no_pyplot_and_the_game_no_matplotlib():
    code = (
        "import sys, designlab.game as g; game = g.load('kimono'); assert 'matplotlib' not in sys.modules;"
        "import designlab; designlab.replay('kimono').draw(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_the_game_draws():
    game = load("kimono")
    assert game.draw is draw and game.draw_board is draw_board
