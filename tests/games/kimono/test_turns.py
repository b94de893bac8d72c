"""Set-up and turns, K1 to K13: small positions with outcomes worked out by hand from the rulebook.

Cards are made on the spot (engine.beauty, engine.prop).
"""

from collections import Counter

import pytest
from games.kimono.engine import Engine, beauty, departure, hand, ids_of, prop, told, variant_of
from games.kimono.positions import BLANK, Alone, between, named

import designlab
from designlab.games.kimono.deck import deck_names, read_deck
from designlab.games.kimono.variant import KimonoVariant
from designlab.jit import JITTED

DECKS = deck_names()
PRINTED = KimonoVariant()
ANY = {f"p{pattern}" for pattern in range(3, 8)} | {"cat"}


# Components


@pytest.mark.parametrize("deck", DECKS)
def test_k01_thirty_cards_and_the_tokens_of_five_patterns(deck):
    chosen = KimonoVariant(deck=deck)
    assert Counter(card.kind for card in chosen.cards for _ in range(card.copies)) == {
        "beauty": 25,
        "prop": 5,
    }
    assert {card.pattern for card in chosen.cards if card.kind == "beauty"} == {3, 4, 5, 6, 7}
    engine = Engine(chosen)
    assert engine.view.supply == {"p3": 6, "p4": 6, "p5": 6, "p6": 6, "p7": 6, "cat": 7}
    assert engine.markers == {}
    assert engine.rules.tile_values.tolist() == [0, 3, 4, 5, 6, 7, 0, 0]


@pytest.mark.parametrize("deck", DECKS)
def test_k02_beauty_cards_have_one_or_two_half_symbols_and_at_most_one_object(deck):
    for card in read_deck(deck):
        if card.kind == "beauty":
            assert 1 <= (card.left is not None) + (card.right is not None) <= 2
            assert card.object in (None, "lantern", "flower", "umbrella", "fan")
            assert {card.left, card.right} <= {None, "p3", "p4", "p5", "p6", "p7", "cat"}


@pytest.mark.parametrize("deck", DECKS)
def test_k02_the_engine_has_the_faces_of_the_file(deck):
    engine = Engine(KimonoVariant(deck=deck))
    faces = {card.id: card for card in engine.variant.cards}
    for code, name in engine.ids.items():
        if name in faces:
            face = faces[name]
            assert engine.rules.mon_left[code] == face.mon_left
            assert engine.rules.mon_right[code] == face.mon_right
            symbols = (None, "p3", "p4", "p5", "p6", "p7", "cat", "wild")
            assert symbols[engine.rules.left[code]] == face.left
            assert symbols[engine.rules.right[code]] == face.right


def test_k03_a_prop_has_no_pattern_of_its_own():
    alone = Alone(prop("fan", 2), pattern_tokens=0, cat_tokens=0)
    assert alone.lay(1, 2) == ()
    assert alone.engine.markers == {}


@pytest.mark.parametrize(("position", "side"), [(2, "left"), (-2, "right")])
def test_k03_a_prop_is_wild_where_the_card_file_says(position, side):
    other = {"left": "right", "right": "left"}[side]
    wild_here = prop("fan", 2, **{side: "wild", other: None})
    wild_there = prop("fan", 2, **{other: "wild", side: None})
    assert Alone(wild_here).engine.gains(1, 1, position) == {(f"{side}:{kind}",) for kind in ANY}
    assert Alone(wild_there).engine.gains(1, 1, position) == {()}


@pytest.mark.parametrize("deck", DECKS)
def test_k03_props_of_the_decks(deck):
    for card in read_deck(deck):
        if card.kind == "prop":
            assert (card.mon_left, card.mon_right, card.pattern) == (0, 0, None)
            assert {card.left, card.right} == ({"wild", None} if "one_wild_edge" in deck else {"wild"})


def test_k04_the_departure_is_wild_on_both_edges_with_a_mon_on_its_left_corner():
    card = beauty(4, "p3", "p6")
    assert Alone(card).engine.gains(1, 1, 2) == {("left:p3",)}
    assert Alone(card).engine.gains(1, 1, -2) == {("right:p6",)}
    engine = Engine(PRINTED)
    assert [engine.sources(seat)["mon"] for seat in (0, 1)] == [1, 1]


def test_k04_the_departures_mon_scores_while_it_is_visible():
    covered = Alone(beauty(4, "p3"), beauty(4, "p3")).row(-2)
    assert covered.engine.sources(0)["mon"] == 1
    covered.lay(2, -1)
    assert covered.engine.sources(0)["mon"] == 0
    shown = Alone(beauty(4, "p3"), beauty(4, "p3")).row(2)
    shown.lay(2, 1)
    assert shown.engine.sources(0)["mon"] == 1


def test_k04_the_departure_card_comes_from_its_file():
    bare = variant_of([BLANK] * 5, ring_size=3, display_size=0, departure=departure("p5", None, "R"))
    engine = Engine(bare)
    assert engine.sources(0)["mon"] == 1
    assert engine.gains(1, 1, -2) == engine.gains(1, 1, 2) == {()}


# Set-up


@pytest.mark.parametrize(("ring", "display"), [(8, 2), (2, 0), (12, 6), (5, 3)])
def test_k05_ring_then_display_then_deck(ring, display):
    deal = [card.id for card in PRINTED.cards]
    engine = Engine(PRINTED.but(ring_size=ring, display_size=display, end_ring=1), deal)
    assert engine.ring == deal[:ring]
    assert engine.display == deal[ring : ring + display]
    assert engine.view.unseen == Counter(deal[ring + display :])
    assert engine.markers == {}
    assert engine.offer == deal[: min(3, ring)]


def test_k05_every_card_is_as_often_in_every_place():
    plays = 3000 if JITTED else 150
    _, detail = designlab.game.load("kimono").play(PRINTED, ("random", "random"), 5, 0, plays, True)
    deals = detail["deal"][:, :30]
    assert (deals.min(), deals.max()) == (1, 30)
    assert all(len(set(deal)) == 30 for deal in deals.tolist())
    counts = [[int((deals[:, place] == code).sum()) for place in range(30)] for code in range(1, 31)]
    expected = plays / 30
    statistic = sum((count - expected) ** 2 / expected for row in counts for count in row)
    # 29 x 29 degrees of freedom: mean 841, standard deviation 41
    assert 841 - 5 * 41 < statistic < 841 + 5 * 41


def test_k06_albums_start_with_the_departure_and_seats_alternate():
    engine = Engine(PRINTED)
    assert engine.album(0) == engine.album(1) == {(1, 0): "departure"}
    seats = []
    while engine.phase == "turn":
        seats.append(engine.seat)
        engine.take_any()
    assert seats == [0, 1] * 13


def test_k06_a_seat_may_begin_with_cat_tokens_of_the_supply():
    engine = Engine(PRINTED.but(seat_tokens=(1, 3)))
    assert [engine.tokens(seat) for seat in (0, 1)] == [{"cat": 1}, {"cat": 3}]
    assert engine.view.supply["cat"] == 7 - 4
    assert [engine.sources(seat)["cats"] for seat in (0, 1)] == [1, 9]
    assert (engine.state.lead, engine.markers) == (1 - 9, {})


def test_k06_tokens_that_a_seat_began_with_count_on_and_are_not_there_to_gain():
    cat = beauty(3, "cat", "cat")
    engine = hand(*[cat] * 6, cat_tokens=3, seat_tokens=(2, 0), end_ring=0)
    assert engine.take(1, 1, 2, "left:cat") and engine.tokens(0) == {"cat": 3}
    assert engine.sources(0)["cats"] == 9
    assert engine.gains(1, 1, 2) == {()}  # the third was the last


def test_k06_an_album_may_begin_with_more_departure_cards_in_a_row():
    engine = Engine(PRINTED.but(seat_cards=(0, 2)))
    assert engine.album(0) == {(1, 0): "departure"}
    assert engine.album(1) == dict.fromkeys([(1, 0), (1, 2), (1, 4)], "departure")
    assert engine.places(1) == [(1, -2), (1, 6), (2, 1), (2, 3)]
    assert [engine.sources(seat)["mon"] for seat in (0, 1)] == [1, 3]
    assert (engine.state.lead, engine.tokens(1), engine.markers) == (-2, {}, {})
    assert PRINTED.but(seat_cards=(0, 2)).turns_per_seat == (13, 13)


def test_k06_photos_match_and_cover_every_departure_card():
    card = beauty(4, "p3", "p6", mon="R")
    engine = hand(*[card] * 6, seat_cards=(1, 0))
    assert engine.gains(1, 1, 4) == {("left:p3",)}
    assert engine.gains(1, 1, -2) == {("right:p6",)}
    engine.take(1, 2, 1)  # over the first one's right corner and the second one's left, which has its Mon
    assert engine.sources(0)["mon"] == 1 + 2
    assert engine.summary.layers[0] == 2


# K7: moving round the ring


@pytest.mark.parametrize("longest", range(1, 7))
def test_k07_one_to_longest_move_cards_ahead(longest):
    cards = named(*range(8))
    engine = hand(*cards, longest_move=longest)
    assert engine.offer == ids_of(cards[:longest])
    assert {(option.steps, option.card) for option in engine.options()} == set(
        enumerate(ids_of(cards[:longest]), 1)
    )


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_k07_the_last_card_passed_is_taken_and_the_photographer_stands_behind_it(steps):
    cards = named(*range(6))
    engine = hand(*cards)
    assert engine.take(steps, 1, 2).card == cards[steps - 1]["id"]
    assert engine.ring == ids_of(cards[steps:] + cards[: steps - 1])


def test_k07_empty_places_are_skipped_and_choices_run_out():
    a, b, c, d = cards = named(*range(4))
    engine = hand(*cards, end_ring=1)
    assert engine.offer == ids_of([a, b, c])
    engine.take(2, 1, 2)  # b, between a and c
    assert engine.offer == ids_of([c, d, a])
    engine.take(3, 1, 2)  # a; then comes b's empty place
    assert engine.offer == ids_of([c, d])
    engine.take(2, 1, 4)
    assert engine.phase == "reward"
    assert engine.display == ids_of([c])


def test_k07_a_ring_smaller_than_the_longest_move_offers_all_of_it():
    cards = named(*range(6))
    engine = hand(*cards, ring_size=3, display_size=0, longest_move=6, end_ring=0)
    assert engine.offer == ids_of(cards[:3])
    engine.take(3, 1, 2)
    assert engine.offer == ids_of([cards[0], cards[1], cards[3]])


def test_k07_a_seat_may_pass_more_cards_or_fewer():
    cards = named(*range(10))
    engine = hand(*cards, longest_move=3, seat_moves=(1, -2))
    for reach in (4, 1, 4, 1):
        assert engine.offer == engine.ring[:reach]
        assert {option.steps for option in engine.options()} == set(range(1, reach + 1))
        engine.take(1, 1, 2 * len(engine.album(engine.seat)))


def test_k15_rewards_are_not_moves():
    """A seat that passes fewer cards still has the whole display to choose from."""
    three = beauty(3, None, "cat")
    engine = hand(*[three] * 4, longest_move=3, seat_moves=(-2, 0), end_ring=3)
    engine.take(1, 1, 2)
    assert (engine.phase, engine.seat, len(engine.offer)) == ("reward", 0, 3)


def test_k07_the_printed_game_always_offers_three_cards():
    engine = Engine(PRINTED)
    while engine.phase == "turn":
        assert len(engine.offer) == 3
        engine.take_any()


# K8: the album


def test_k08_layer_one_grows_at_both_ends():
    alone = Alone(*named(0, 1, 2))
    assert alone.engine.places(0) == [(1, -2), (1, 2)]
    alone.row(2, -2)
    assert [place for place in alone.engine.places(0) if place[0] == 1] == [(1, -4), (1, 4)]


def test_k08_a_photo_rests_on_two_neighbours():
    alone = Alone(*named(0, 1, 2, 3))
    alone.row(2, 4)
    assert alone.engine.places(0) == [(1, -2), (1, 6), (2, 1), (2, 3)]
    alone.lay(2, 1)
    assert alone.engine.places(0) == [(1, -2), (1, 6), (2, 3)]
    alone.lay(2, 3)
    assert alone.engine.places(0) == [(1, -2), (1, 6), (3, 2)]


def test_k08_gaps_are_allowed_and_overhang_is_not():
    alone = Alone(*named(*range(6)))
    alone.row(2, 4, 6)
    alone.lay(2, 1)
    alone.lay(2, 5)
    assert alone.engine.places(0) == [(1, -2), (1, 8), (2, 3)]  # nothing on 1 and 5, which do not touch
    alone.lay(2, 3)
    assert alone.engine.places(0) == [(1, -2), (1, 8), (3, 2), (3, 4)]


@pytest.mark.parametrize(("position", "mon", "left"), [(1, "R", 0), (1, "L", 1), (3, "L", 0), (3, "R", 1)])
def test_k08_the_upper_photo_hides_the_corner_it_lies_on(position, mon, left):
    """Photos at 0, 2, 4; the one at 2 has a Mon. A photo at 1 covers its left corner, one at 3 its right."""
    hides = {1: "L", 3: "R"}[position]
    marked, plain = beauty(3, "cat", None, mon), beauty(4, "cat", None)
    alone = Alone(marked, plain, plain, cat_tokens=0, departure_mon_scores=False).row(2, 4)
    assert alone.engine.sources(0)["mon"] == 1
    alone.lay(2, position)
    assert alone.engine.sources(0)["mon"] == (0 if hides == mon else 1)


# K9: matches


@pytest.mark.parametrize("half", sorted(ANY))
@pytest.mark.parametrize(("position", "side"), [(2, "left"), (-2, "right")])
def test_k09_two_equal_halves_give_a_token(half, position, side):
    """The first photo lies beside the Departure with its blank edge there; the second meets its other edge."""
    other = {"left": "right", "right": "left"}[side]
    first, second = beauty(4, **{other: half}), beauty(5, **{side: half})
    alone = Alone(first, second)
    assert alone.lay(1, position) == ()
    assert alone.lay(1, 2 * position) == (f"{side}:{half}",)
    assert alone.engine.tokens(0) == {half: 1}


def test_k09_unequal_halves_and_missing_halves_give_nothing():
    assert Alone(beauty(4, None, "p3"), beauty(5, "p4")).row(2).engine.gains(1, 1, 4) == {()}
    assert Alone(beauty(4, "p3", None), beauty(5, "p4")).row(2).engine.gains(1, 1, 4) == {()}
    assert Alone(beauty(4, None, "p4"), beauty(5, None, "p4")).row(2).engine.gains(1, 1, 4) == {()}
    assert Alone(beauty(4, None, "p4")).engine.gains(1, 1, 2) == {()}  # the Departure is wild, the card blank


@pytest.mark.parametrize("half", sorted(ANY))
def test_k09_wild_with_a_symbol_gives_that_symbol(half):
    wild_first = Alone(prop("fan", 1, None, "wild"), beauty(4, half)).row(2)
    assert wild_first.engine.gains(1, 1, 4) == {(f"left:{half}",)}
    wild_last = Alone(beauty(4, None, half), prop("fan", 1, "wild", None)).row(2)
    assert wild_last.engine.gains(1, 1, 4) == {(f"left:{half}",)}


def test_k09_wild_with_wild_gives_what_the_player_likes():
    alone = Alone(prop("fan", 1))
    assert alone.engine.gains(1, 1, 2) == {(f"left:{kind}",) for kind in ANY}
    assert alone.engine.gains(1, 1, -2) == {(f"right:{kind}",) for kind in ANY}
    alone.lay(1, 2, "left:p6")
    assert alone.engine.markers == {6: 1}


def test_k09_both_neighbours_match_left_edge_first():
    alone = between(beauty(4, None, "p3"), beauty(6, "p3", "p5"), beauty(4, "p5", None))
    assert alone.lay(2, 3) == ("left:p3", "right:p5")
    assert alone.engine.tokens(0) == {"p3": 1, "p5": 1}


def test_k09_one_of_two_neighbours_matches():
    alone = between(beauty(4, None, "p3"), beauty(6, "p4", "p5"), beauty(4, "p5", None))
    assert alone.lay(2, 3) == ("right:p5",)


def test_k09_wild_between_two_wilds_has_every_pair_to_choose_from():
    alone = between(prop("fan", 0, None, "wild"), prop("fan", 0), prop("fan", 0, "wild", None))
    assert alone.engine.gains(1, 2, 3) == {(f"left:{a}", f"right:{b}") for a in ANY for b in ANY}


def test_k09_supports_do_not_match():
    alone = Alone(beauty(4, "p3", "p5"), beauty(5, "p5", "p3")).row(2)
    assert alone.engine.gains(1, 2, 1) == {()}


# K10: supply


@pytest.mark.parametrize("half", sorted(ANY))
def test_k10_a_token_that_has_run_out_is_not_gained_and_neither_is_its_step(half):
    supply = (
        {"cat_tokens": 0}
        if half == "cat"
        else {"pattern_tokens": [6 * (half != f"p{p}") for p in range(3, 8)]}
    )
    own = 3 if half == "p4" else 4
    alone = Alone(beauty(own, half), **supply)
    assert alone.lay(1, 2) == ()
    assert alone.engine.markers == {own: 1}


def test_k10_a_token_that_is_there_must_be_taken():
    assert Alone(beauty(4, "p3", None)).engine.gains(1, 1, 2) == {("left:p3",)}
    assert () not in Alone(prop("fan", 1)).engine.gains(1, 1, 2)


def test_k10_wild_with_wild_chooses_among_what_is_left():
    some = Alone(prop("fan", 1), pattern_tokens=[0, 1, 0, 1, 0], cat_tokens=1)
    assert some.engine.gains(1, 1, 2) == {("left:p4",), ("left:p6",), ("left:cat",)}
    none = Alone(prop("fan", 1), pattern_tokens=0, cat_tokens=0)
    assert none.engine.gains(1, 1, 2) == {()}


def test_k10_the_first_match_may_take_the_last_token_from_the_second():
    cards = beauty(4, None, "p3"), beauty(6, "p3", "p3"), beauty(4, "p3", None)
    alone = between(*cards, pattern_tokens=[1, 6, 6, 6, 6])
    assert alone.lay(2, 3) == ("left:p3",)
    assert alone.engine.markers == {3: 1, 4: 2, 6: 1}
    assert alone.engine.view.supply["p3"] == 0
    assert between(*cards, pattern_tokens=[2, 6, 6, 6, 6]).lay(2, 3) == ("left:p3", "right:p3")


def test_k10_a_wild_choice_on_the_left_may_take_the_last_token_from_the_right():
    cards = prop("fan", 0, None, "wild"), prop("fan", 0, "wild", "cat"), beauty(4, "cat", None)
    alone = between(*cards, pattern_tokens=[1, 0, 0, 0, 0], cat_tokens=1)
    assert alone.engine.gains(1, 2, 3) == {("left:p3", "right:cat"), ("left:cat",)}


def test_k10_two_wild_pairs_share_one_last_token():
    cards = prop("fan", 0, None, "wild"), prop("fan", 0), prop("fan", 0, "wild", None)
    one = between(*cards, pattern_tokens=[1, 0, 0, 0, 0], cat_tokens=0)
    assert one.engine.gains(1, 2, 3) == {("left:p3",)}
    two = between(*cards, pattern_tokens=[1, 0, 0, 0, 0], cat_tokens=1)
    assert two.engine.gains(1, 2, 3) == {("left:p3", "right:cat"), ("left:cat", "right:p3")}


def test_k10_both_seats_draw_on_one_supply():
    card = beauty(4, "p3", None)
    engine = hand(card, card, card, card, pattern_tokens=[1, 6, 6, 6, 6])
    assert told(engine.take(1, 1, 2)) == ("left:p3",)
    assert engine.gains(1, 1, 2) == {()}


# K11: markers


def test_k11_a_step_for_the_own_pattern_and_one_for_each_token_towards_the_player():
    card = beauty(4, "p3", None)
    engine = hand(card, card, card, card, end_ring=1)
    engine.take(1, 1, 2)
    assert engine.markers == {3: 1, 4: 1}
    engine.take(1, 1, -2)  # no match there: only the own pattern, towards seat 1
    assert engine.markers == {3: 1}
    engine.take(1, 1, -2)
    assert engine.markers == {3: 1, 4: 1}


def test_k11_three_steps_on_one_track():
    alone = between(beauty(4, None, "p6"), beauty(6, "p6", "p6"), beauty(4, "p6", None))
    alone.lay(2, 3)
    assert alone.engine.markers == {4: 2, 6: 3}


def test_k11_cats_and_props_move_nothing_of_their_own():
    cats = Alone(beauty(4, "cat", None))
    cats.lay(1, 2)
    assert cats.engine.markers == {4: 1}
    props = Alone(prop("fan", 1))
    props.lay(1, 2, "left:cat")
    assert props.engine.markers == {}
    token = Alone(prop("fan", 1))
    token.lay(1, 2, "left:p7")
    assert token.engine.markers == {7: 1}


@pytest.mark.parametrize("length", [1, 2])
def test_k11_steps_past_the_end_are_lost(length):
    card = beauty(4, None, "cat")
    deal = [card, BLANK, card, BLANK, card, card, BLANK, BLANK]
    engine = hand(*deal, ring_size=3, track_length=length, sudden_space=1)
    for _ in range(2):
        engine.take(1, 1, 2 * len(engine.album(0)))
        engine.take(1, 1, 2 * len(engine.album(1)))
    engine.take(1, 1, 6)
    assert engine.markers == {4: length}
    engine.take(1, 1, 6)  # seat 1 brings it back from the end, not from beyond it
    assert engine.markers == ({4: length - 1} if length > 1 else {})


def test_k11_both_tracks_ends():
    card = beauty(4, None, "cat")
    deal = [BLANK, card] * 4 + [BLANK, BLANK]
    engine = hand(*deal, ring_size=3, track_length=2, sudden_space=1)
    while engine.phase == "turn":
        engine.take(1, 1, 2 * len(engine.album(engine.seat)))
    assert engine.markers == {4: -2}


# K12 and K13: refill and end


def test_k12_the_refilled_place_comes_last():
    cards = named(*range(6))
    engine = hand(*cards, ring_size=4)
    engine.take(1, 1, 2)
    assert engine.ring == ids_of([cards[1], cards[2], cards[3], cards[4]])
    engine.take(2, 1, 2)  # passes card 1, takes card 2
    assert engine.ring == ids_of([cards[3], cards[4], cards[1], cards[5]])


def test_k12_without_a_deck_the_ring_shrinks():
    cards = named(*range(6))
    engine = hand(*cards, ring_size=4)
    sizes = []
    while engine.phase == "turn":
        sizes.append((len(engine.ring), sum(engine.view.unseen.values())))
        engine.take_any()
    assert sizes == [(4, 2), (4, 1), (4, 0), (3, 0)]


@pytest.mark.parametrize(
    ("knobs", "turns"),
    [
        ({}, 26),
        ({"ring_size": 12}, 26),
        ({"end_ring": 0}, 28),
        ({"end_ring": 7}, 21),
        ({"display_size": 6}, 22),
        ({"display_size": 0, "end_ring": 0, "ring_size": 2}, 30),
        ({"pattern_copies": {7: 8}, "keep_deck_size": False}, 27),
        ({"deck": "deck_uniform"}, 26),
    ],
)
def test_k13_turns_are_deck_less_display_less_the_last_ring(knobs, turns):
    chosen = PRINTED.but(**knobs)
    assert chosen.turns == turns
    engine = Engine(chosen)
    taken = Counter()
    while engine.phase == "turn":
        taken[engine.seat] += 1
        last_ring = len(engine.ring)
        engine.take_any()
    assert last_ring == chosen.end_ring + 1 or engine.view.unseen
    assert (taken[0], taken[1]) == chosen.turns_per_seat == ((turns + 1) // 2, turns // 2)


def test_k13_the_ring_ends_the_game_at_the_named_number_only():
    cards = named(*range(5))
    for end_ring in range(4):
        engine = hand(*cards, ring_size=4, end_ring=end_ring)
        turns = 0
        while engine.phase == "turn":
            engine.take_any()
            turns += 1
        assert turns == 5 - end_ring


def test_k13_an_odd_number_of_turns_is_said_aloud():
    odd = PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False)
    assert odd.turns_per_seat == (14, 13)
    assert any("seat 0 takes 14 turns and seat 1 13" in note for note in odd.notes())
    result = designlab.simulate(odd, plays=2)
    assert any("seat 0 takes 14 turns and seat 1 13" in note for note in result.notes)
    assert not any("takes" in note for note in PRINTED.notes())


@pytest.mark.slow_unjitted
def test_k13_one_turn_more_wins_about_three_quarters_for_greedy():
    odd = PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False)
    seats = designlab.simulate(odd, plays=4000, seed=11).seats
    assert 0.72 < seats[seats.seat == 0].share.mean() < 0.80
