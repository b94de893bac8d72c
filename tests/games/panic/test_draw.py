"""Pictures of towns and tiles: what they show, that it stands where it should, and that nothing global is touched."""

import random
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from games.panic import referee
from games.panic.by_hand import PLACES, lay
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from designlab import plots
from designlab.cards import DataError
from designlab.games.panic.draw import draw_side, draw_tiles, draw_town
from designlab.games.panic.draw.roads import palette
from designlab.games.panic.draw.shapes import RED
from designlab.games.panic.draw.signs import SIGNS
from designlab.games.panic.draw.tile import spots
from designlab.games.panic.readings import Readings
from designlab.games.panic.tiles import OFF_ROAD, THINGS, make_tiles, read_tiles
from designlab.games.panic.town import Town

pytestmark = pytest.mark.no_kernel  # a town is drawn from its notation
PRINTED = read_tiles()
GOLDEN = "E01 A11 B12 D13 G00 H00 I00 C00 F00"
BROKEN = "E01 A11 --- D13 G01 H00 I00 C00 F03"
LOOPED = "C01 G01 F01 A01 H12 I00 B12 E03 D12"
EMPTY = " ".join(["---"] * 9)
ARROWS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


def sides_of(tiles):
    """The referee's tiles as ours."""
    rows = []
    for tile in tiles:
        for side in tile["sides"]:
            cells = {"tile": tile["id"], "side": side["side"], "provenance": "", **side["off_road"]}
            for number, road in enumerate(side["roads"], 1):
                letters = [referee.EDGES[edge] for edge in road["edges"]]
                faces = None if road["facing"] is None else referee.EDGES[road["facing"]]
                cells |= {
                    f"road_{number}": "-".join(letters),
                    f"object_{number}": road["item"],
                    f"faces_{number}": faces,
                }
            rows.append(("made", cells))
    return make_tiles(rows)


def crowded(seed=3):
    """Tiles with two objects on each and far more beside them than any printed one has."""
    rng = random.Random(seed)
    rows = []
    for number in range(18):
        one, two = [("N-S", "E-W"), ("N-E", "S-W")][number // 2 % 2]
        cells = {"tile": "ABCDEFGHI"[number // 2], "side": number % 2, "provenance": ""}
        cells |= {"road_1": one, "object_1": "agent", "faces_1": rng.choice(one[::2])}
        cells |= {"road_2": two, "object_2": "alien", "faces_2": rng.choice(two[::2])}
        rows.append(("made", cells | {thing: rng.randrange(10) for thing in OFF_ROAD}))
    return make_tiles(rows)


def cases():
    rng = random.Random(11)
    for _ in range(5):
        yield referee.random_town(rng), referee.TILES
    for _ in range(3):
        yield referee.random_placement(rng), referee.TILES
    for _ in range(4):
        tiles = referee.random_tiles(rng)
        yield referee.random_town(rng, tiles), tiles
    for text in (GOLDEN, BROKEN, LOOPED):
        yield text, referee.TILES
    for place in PLACES:  # loops, some of them over themselves, and all else that breaks a town
        if "used twice" not in place.title:
            yield place.text, place.tiles


CASES = list(cases())


TOWNS = [Town.parse(text, sides_of(tiles)) for text, tiles in CASES]


def town_of(case):
    return TOWNS[CASES.index(case)]


@cache
def drawn(town):
    return draw_town(town)


def labelled(ax, label):
    return [patch for patch in ax.patches if re.fullmatch(label, patch.get_label())]


def box(patch):
    return patch.get_path().get_extents()


@cache
def middles(ax):
    """Of the nine places, row by row."""
    boxes = [box(patch) for patch in labelled(ax, "tile|empty place")]
    found = [((b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2) for b in boxes]
    return sorted(found, key=lambda at: (-round(at[1]), round(at[0])))


def cell_of(ax, patch):
    b = box(patch)
    at = (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2
    return min(range(9), key=lambda cell: np.hypot(*np.subtract(at, middles(ax)[cell])))


def texts(ax):
    return [text.get_text() for text in ax.texts]


# What is shown


@pytest.mark.parametrize("case", CASES)
def test_every_tile_and_what_is_on_it_is_there_once(case):
    ax = drawn(town_of(case))
    town = referee.parse(*case)
    assert len(labelled(ax, "tile")) == sum(place is not None for place in town)
    assert len(labelled(ax, "empty place")) == sum(place is None for place in town)
    for cell, place in enumerate(town):
        if place is None:
            continue
        on_roads = Counter(piece.item for piece in place.pieces if piece.item)
        shown = Counter(
            patch.get_label().removesuffix(" on a road").removeprefix("captured_")
            for patch in labelled(ax, ".* on a road")
            if cell_of(ax, patch) == cell
        )
        assert shown == on_roads
        for thing in OFF_ROAD:
            there = [patch for patch in labelled(ax, thing) if cell_of(ax, patch) == cell]
            assert len(there) == place.count(thing)


@pytest.mark.parametrize("case", CASES)
def test_agents_and_aliens_look_the_way_their_tip_points(case):
    ax = drawn(town_of(case))
    for cell, place in enumerate(referee.parse(*case)):
        facing = Counter(piece.facing for piece in place.pieces if piece.facing) if place else Counter()
        assert facing == Counter(
            direction(patch)
            for patch in labelled(ax, ".*(agent|alien) on a road")
            if cell_of(ax, patch) == cell
        )


def direction(patch):
    points = patch.get_path().vertices
    middle = np.median(points, axis=0)
    away = points - middle
    tip = away[np.hypot(*away.T).argmax()]
    assert min(abs(tip)) < 0.2 * max(abs(tip))
    return max(ARROWS, key=lambda edge: np.dot(ARROWS[edge], tip))


@pytest.mark.parametrize("turn", range(4))
def test_a_side_turns_with_all_that_is_on_it(turn):
    for side in PRINTED:
        ax, unturned = draw_side(side, turn), draw_side(side)
        for patch, before in zip(
            labelled(ax, ".* on a road"), labelled(unturned, ".* on a road"), strict=True
        ):
            assert np.allclose(centre(patch), rotated(centre(before), turn), atol=0.1)
        for road in side.roads:
            if road.faces:
                ways = referee.EDGES[(referee.EDGES.index(road.faces) + turn) % 4]
                assert ways in {direction(patch) for patch in labelled(ax, "(agent|alien) on a road")}


def centre(patch):
    return (box(patch).p0 + box(patch).p1) / 2 - 56


def rotated(point, turn):
    for _ in range(turn):
        point = np.array([point[1], -point[0]])
    return point


# Roads


def road_at(ax, cell, edge, depth=49.0):
    """(label, colour) of the road a little inside the edge of a place."""
    x, y = middles(ax)[cell]
    right, up = ARROWS[edge]
    at = x + right * depth, y + up * depth
    found = {
        (patch.get_label(), patch.get_facecolor())
        for patch in labelled(ax, r"road \d+")
        if patch.get_path().contains_point(at)
    }
    assert len(found) <= 1
    return found.pop() if found else None


@pytest.mark.parametrize("case", CASES)
def test_a_connected_road_has_one_colour_and_no_other_has_it(case):
    town = town_of(case)
    ax = drawn(town)
    seen = set()
    colours = []
    for road in town.roads():
        found = {road_at(ax, cell, edge) for cell, *edges in road for edge in edges}
        assert len(found) == 1 and None not in found and not found & seen
        seen |= found
        colours += [colour for _, colour in found]
    assert len(set(colours)) == len(colours)
    for cell, place in enumerate(referee.parse(*case)):
        for edge in referee.EDGES:
            has_road = place is not None and place.has_road(edge)
            assert (road_at(ax, cell, edge) is not None) == has_road


def test_of_two_roads_that_cross_one_passes_over_the_other():
    side = next(side for side in PRINTED if [str(road) for road in side.roads] == ["N-S", "E-W"])
    ax = draw_side(side)
    over, under = [
        patch.get_zorder() for patch in sorted(labelled(ax, r"road \d"), key=lambda p: p.get_label())
    ]
    assert over > under
    gap = [p for p in ax.patches if under < p.get_zorder() < over and p.get_path().contains_point((56, 56))]
    assert gap  # the ground between the two


def test_arcs_are_round():
    ax = draw_side(next(side for side in PRINTED if [str(road) for road in side.roads] == ["N-E"]))
    (road,) = labelled(ax, "road 0")
    radius = np.hypot(*(road.get_path().vertices - [106, 106]).T)
    assert set(np.round(radius).astype(int)) == {40, 60}


# What is wrong


@pytest.mark.parametrize("case", CASES)
def test_a_mark_on_every_edge_where_a_road_meets_none(case):
    town = town_of(case)
    ax = drawn(town)
    faults = [re.fullmatch(r"places (\d) and (\d) do not fit", fault) for fault in referee.faults(*case)]
    edges = {frozenset((int(fault[1]), int(fault[2]))) for fault in faults if fault}
    shown = set()
    for patch in labelled(ax, "no road to meet"):
        assert patch.get_facecolor()[:3] == pytest.approx(to_rgb(RED))
        b = box(patch)
        at = (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2
        near = sorted(range(9), key=lambda cell: np.hypot(*np.subtract(at, middles(ax)[cell])))
        shown.add(frozenset(near[:2]))
    assert shown == edges and len(labelled(ax, "no road to meet")) == len(edges)
    assert ("no road to meet" in texts(ax)) == bool(edges)


@pytest.mark.parametrize("case", CASES)
def test_closed_loops_are_red_and_dashed_and_nothing_else_is(case):
    loops = [fault for fault in referee.faults(*case) if fault.startswith("closed loop")]
    ax = drawn(town_of(case))
    shown = labelled(ax, "closed loop")
    assert bool(shown) == bool(loops) == ("closed loop" in texts(ax))
    assert all(patch.get_facecolor()[:3] == pytest.approx(to_rgb(RED)) for patch in shown)


def test_an_empty_town_and_key_entries_only_for_what_is_there():
    assert len(labelled(draw_town(Town.parse(EMPTY, PRINTED)), "empty place")) == 9
    whole = texts(draw_town(Town.parse(GOLDEN, PRINTED)))
    assert not {"empty place", "no road to meet", "closed loop"} & set(whole)
    assert "empty place" in texts(draw_town(Town.parse(BROKEN, PRINTED)))


# Captures


@pytest.mark.parametrize("case", CASES)
def test_every_capture_is_tied_and_marked(case):
    town = town_of(case)
    ax = drawn(town)
    marked = labelled(ax, "captured_alien on a road")
    assert len(labelled(ax, "capture")) == len(marked)
    assert ("captures" in texts(ax)) == bool(marked)
    if town.is_complete():
        netted = sum(place.count("captured_alien") for place in referee.parse(*case))
        assert len(marked) + netted == town.values()["captured_aliens"]
    without = draw_town(town, captures=False)
    assert not labelled(without, "capture|captured_alien on a road")
    assert len(labelled(without, "alien on a road")) == len(labelled(ax, "(captured_)?alien on a road"))


def test_the_reading_decides_who_is_captured():
    text, tiles = lay(("W012E", "A> L> U"), ("W345E", ""), ("W678E", ""))
    town = Town.parse(text, sides_of(tiles))
    assert len(labelled(draw_town(town), "capture")) == 1
    text, tiles = lay(("W012543678E", "A> L> U U L>"))
    town = Town.parse(text, sides_of(tiles))
    places = {}
    for how in ("nearest", "owner"):
        ax = draw_town(town, Readings(captures=how))
        (patch,) = labelled(ax, "captured_alien on a road")
        places[how] = cell_of(ax, patch)
    assert places == {"nearest": 1, "owner": 4}


# Any tile file


def test_many_things_are_shown_by_a_number():
    sides = crowded()
    ax = draw_tiles(sides)
    for thing in OFF_ROAD:
        shown = len(labelled(ax, thing)) + sum(
            int(patch.get_label().split(" x ")[0]) for patch in labelled(ax, rf"\d x {thing}")
        )
        assert shown == sum(getattr(side, thing) for side in sides)
    assert len(labelled(ax, "agent on a road")) == len(labelled(ax, "alien on a road")) == 18


@pytest.mark.parametrize(
    "roads",
    [(), (("N", "S", 0.5),), (("N", "E", 0.5), ("S", "W", 0.5)), (("N", "S", 0.23), ("E", "W", 0.77))],
)
def test_there_is_room_for_all_that_a_side_may_hold(roads):
    for count in range(1, 3 * len(OFF_ROAD) + 1):
        places, size = spots(roads, count)
        assert len(places) == count and size >= 3
        for one, other in combinations(places, 2):
            assert np.hypot(*np.subtract(one, other)) >= 2 * size
        assert np.abs(places).max() + size <= 50


def test_printed_things_are_large_and_off_the_road():
    for side in PRINTED:
        ax = draw_side(side)
        for thing in OFF_ROAD:
            for patch in labelled(ax, thing):
                at = box(patch).p0 / 2 + box(patch).p1 / 2
                assert not any(road.get_path().contains_point(at) for road in labelled(ax, r"road \d"))


def test_everything_that_a_side_may_hold_has_a_sign():
    assert {*THINGS, *OFF_ROAD} <= set(SIGNS)


# Colours


def seen_as(colour, kind):
    """CIELAB of a colour as seen with a kind of colour vision (Machado, Oliveira and Fernandes 2009)."""
    matrices = {
        "any": np.eye(3),
        "protanopia": [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        "deuteranopia": [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        "tritanopia": [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    }
    colour = np.asarray(colour)
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(matrices[kind]) @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    scaled = np.cbrt(np.maximum(xyz / [0.9505, 1, 1.089], 0.008856))
    return np.array([116 * scaled[1] - 16, 500 * (scaled[0] - scaled[1]), 200 * (scaled[1] - scaled[2])])


@pytest.mark.parametrize("kind", ["any", "protanopia", "deuteranopia", "tritanopia"])
def test_the_roads_of_a_complete_town_are_told_apart_with_any_colour_vision(kind):
    # twelve edges of the border make six roads at most
    for one, other in combinations(palette(6), 2):
        assert np.linalg.norm(seen_as(one, kind) - seen_as(other, kind)) > 15


def test_eighteen_roads_have_eighteen_colours():
    assert len(set(palette(18))) == 18


# Every picture


SIZES = [(400, 400), (200, 200), (700, 300), (300, 500)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [GOLDEN, BROKEN, LOOPED])
def test_every_word_is_within_the_picture_and_none_over_another(size, text):
    words_apart(draw_town(Town.parse(text, PRINTED), ax=plots.axes(*size)))


def test_the_words_of_a_sheet_of_tiles():
    ax = draw_tiles(PRINTED)
    words_apart(ax)
    assert [text for text in texts(ax) if re.fullmatch("[A-I][01]", text)] == [
        f"{s.tile}{s.side}" for s in PRINTED
    ]
    boxes = [box(patch) for patch in labelled(ax, "tile")]
    assert len({round(b.x0) for b in boxes}) == 9 and len({round(b.y0) for b in boxes}) == 2


def words_apart(ax):
    figure = ax.get_figure(root=True)
    renderer = figure.canvas.get_renderer()
    figure.draw(renderer)
    width, height = figure.canvas.get_width_height()
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in ax.texts]
    for text, b in boxes:
        assert b.x0 >= 0 and b.x1 <= width and b.y0 >= 0 and b.y1 <= height, text
    for (one, a), (other, b) in combinations(boxes, 2):
        apart = max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1 + 3, b.y0 - a.y1 + 3)
        assert apart >= 0, (one, other)


def test_names_and_key():
    town = Town.parse(GOLDEN, PRINTED)
    names = {token[:2] for token in GOLDEN.split()}
    assert names < set(texts(draw_town(town)))
    assert not names & set(texts(draw_town(town, names=False)))
    small = texts(draw_town(town, ax=plots.axes(200, 200)))
    assert set(small) == names  # two inches: no room for the words of the key
    assert texts(draw_town(town, ax=plots.axes(110, 110))) == []


def test_axes_are_taken_or_made_and_others_left_alone():
    figure = Figure(figsize=(8, 4))
    FigureCanvasAgg(figure)
    one, two, three, other = figure.subplots(1, 4)
    before = other.get_position().bounds
    town = Town.parse(GOLDEN, PRINTED)
    assert draw_town(town, ax=one) is one
    assert draw_side(PRINTED[0], ax=two) is two
    assert draw_tiles(PRINTED, ax=three) is three
    assert other.get_position().bounds == before and not other.patches
    plots.to_png(figure)
    plots.to_svg(figure)
    ax = draw_town(town)
    assert isinstance(ax, Axes) and ax.get_figure(root=True).axes == [ax]
    data, size = ax._repr_png_()
    assert data[:4] == b"\x89PNG" and size == {"width": 400, "height": 400}


def test_pictures_are_the_same_each_time():
    town = Town.parse(GOLDEN, PRINTED)
    assert plots.to_png(draw_town(town)) == plots.to_png(draw_town(town))


@pytest.mark.parametrize("turn", [4, -1, "0", True, 1.0])
def test_a_turn_that_is_none(turn):
    with pytest.raises(DataError, match=r"^turn: found .*; allowed: 0\.\.3, clockwise quarter turns$"):
        draw_side(PRINTED[0], turn)


def test_numbers_of_a_frame_will_do():
    assert plots.to_png(draw_side(PRINTED[1], np.int8(3))) == plots.to_png(draw_side(PRINTED[1], 3))


def test_drawing_loads_no_pyplot_and_the_module_no_matplotlib():
    code = (
        "import sys; from designlab.games.panic import draw, tiles; assert 'matplotlib' not in sys.modules;"
        "draw.draw_tiles(tiles.read_tiles()); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
