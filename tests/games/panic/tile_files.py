"""Tile files for tests: few towns, so that all of them can be gone over one by one."""

from games.panic.referee import EDGES

from designlab.games.panic.tiles import OFF_ROAD, make_tiles

LETTERS = "ABCDEFGHI"
SHAPES = {
    "none": (),
    "straight": ("N-S",),
    "arc": ("N-E",),
    "double arc": ("N-E", "S-W"),
    "crossing": ("N-S", "E-W"),
}
# Every shape, and few towns for that: 1,400,832 of each choice of sides
FEW_TOWNS = ("none",) * 2 + ("straight",) + ("arc",) * 3 + ("double arc",) * 2 + ("crossing",)
NO_TOWN = ("crossing",) * 8 + ("none",)  # beside the last one there is a road whatever one does


def of_shapes(shapes, more=None):
    """Both sides of tile n have shape n and nothing on them but what `more` says: {(tile, side): cells}."""
    rows = []
    for letter, shape in zip(LETTERS, shapes, strict=True):
        for side in (0, 1):
            roads = {f"road_{number}": road for number, road in enumerate(SHAPES[shape], 1)}
            rows.append({"tile": letter, "side": side, **roads, **(more or {}).get((letter, side), {})})
    return tiles(rows)


def tiles(rows):
    return make_tiles((f"row {number}", row) for number, row in enumerate(rows, 2))


def with_objects(rng, shapes, alike=False):
    """Tiles with an object on most roads, so that many have two. Side 1 of tiles A to H has a house, no other side has:
    the towns without a house are those with A0 to H0. Both sides of tile I have the same number of agents."""
    more = {}
    for letter, shape in zip(LETTERS, shapes, strict=True):
        cells = {thing: rng.choice((0, 0, 1, 2)) for thing in OFF_ROAD} | {"house": 0}
        for number, road in enumerate(SHAPES[shape], 1):
            thing = rng.choice(("burger", "agent", "alien", "alien", None))
            cells[f"object_{number}"] = thing
            cells[f"faces_{number}"] = rng.choice(road.split("-")) if thing in ("agent", "alien") else None
        more[letter, 0] = cells
        more[letter, 1] = {"house": 1}
    its = more["I", 0] | {"object_1": "agent", "faces_1": "N", "object_2": "alien", "faces_2": "W"}
    if alike:  # tiles that nobody can tell apart while side 0 is up: two without roads, three arcs
        more["B", 0] = more["A", 0]
        more["E", 0] = more["F", 0] = more["D", 0]
    more["I", 0], more["I", 1] = its, its | {"faces_1": "S", "object_2": "burger", "faces_2": None, "ufo": 3}
    return of_shapes(shapes, more)


def for_referee(sides):
    """The tiles as the referee takes them."""
    found = []
    for one, other in zip(sides[::2], sides[1::2], strict=True):
        found.append({"id": one.tile, "sides": [_for_referee(one), _for_referee(other)]})
    return found


def _for_referee(side):
    roads = [
        {
            "edges": [EDGES.index(edge) for edge in road.edges],
            "item": road.object,
            "facing": None if road.faces is None else EDGES.index(road.faces),
        }
        for road in side.roads
    ]
    return {
        "side": side.side,
        "roads": roads,
        "off_road": {thing: getattr(side, thing) for thing in OFF_ROAD},
    }
