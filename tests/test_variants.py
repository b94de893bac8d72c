"""Variants of every game: identity, files and what is wrong with them, grids, command line text."""

import json
import pickle
import subprocess
import sys
import tomllib
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designlab.cards import DataError, FileError, card_data
from designlab.variants import (
    Counts,
    Knob,
    Variant,
    check_file,
    game_names,
    grid,
    knob,
    named_variants,
    parse,
    variant,
    variant_class,
)

PRINTED = variant("kimono", "printed")
ALL = {f"{game} {name}": found for game in game_names() for name, found in named_variants(game).items()}


@pytest.fixture
def file(tmp_path):
    def write(text, name="mine.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


# Every game's knobs and variants


@pytest.mark.parametrize("game", game_names())
def test_every_knob_says_what_it_is(game):
    for name, found in variant_class(game).knobs().items():
        assert found.name == name
        assert found.type in ("int", "float", "bool", "ints", "counts", "choice", "file")
        assert found.help[0].isupper() and found.help.endswith(".") and "\n" not in found.help
        assert found.group
        assert found.check(found.default) == found.default
        assert found.check(found.parse(found.text(found.default))) == found.default
        assert (found.low is None) == (found.high is None) == (found.type in ("bool", "choice", "file"))
        assert found.allowed.isprintable()
        if found.type == "file":
            assert found.default in found.choices
    assert variant_class(game).knobs() is variant_class(game).knobs()


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_named_variants_that_differ(game):
    found = named_variants(game)
    assert next(iter(found)) == "printed"
    assert found["printed"] == variant_class(game)()
    assert len(set(found.values())) == len(found)
    for name, each in found.items():
        assert each.name == each.label == name
        assert each == variant(game, name)
        assert len(each.title) > 10 and each.title.isprintable()
        assert each.game == game


@pytest.mark.parametrize("name", ALL)
def test_a_variant_survives_its_file(name, tmp_path):
    found = ALL[name]
    path = found.save(tmp_path / "saved.toml")
    again = variant(found.game, path)
    assert again == found and again.key == found.key and hash(again) == hash(found)
    assert (again.name, again.title, again.tags) == (found.name, found.title, found.tags)
    assert again.to_toml() == found.to_toml() == path.read_text()
    assert check_file(path) == [f"{found.label}: {found.summary()}"]


@pytest.mark.parametrize("name", ALL)
def test_a_variant_survives_pickling_and_its_dump(name):
    found = ALL[name]
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 our own
    assert again == found and again.to_toml() == found.to_toml()
    dumped = json.loads(json.dumps(found.dump()))
    assert list(dumped) == list(found.knobs())
    assert type(found)(**dumped) == found


def key_of(found):
    return found.key


def test_keys_are_the_same_in_other_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(key_of, ALL.values())) == [found.key for found in ALL.values()]


def test_importing_variants_is_light():
    code = "import sys, designlab.variants; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "designlab.variants" in loaded
    assert not {"pandas", "matplotlib", "scipy", "numba"} & {*loaded}


# Identity and labels


def test_equality_is_that_of_the_content():
    renamed = PRINTED.but("mine", title="what I play", tags=["a"])
    assert renamed == PRINTED and renamed.key == PRINTED.key
    assert len({renamed, PRINTED, PRINTED.but(ring_size=7)}) == 2
    assert PRINTED != "printed"
    assert PRINTED.but(ring_size=7).but(ring_size=8) == PRINTED
    assert len(PRINTED.key) == 32 and int(PRINTED.key, 16)


def test_every_knob_counts_in_the_key():
    changes = [
        {"ring_size": 7},
        {"cat_curve": [1]},
        {"seat_bonus": [0, 1]},
        {"copies": {"P1": 1}},
        {"deck": "mon_two"},
    ]
    found = [PRINTED.but(**change) for change in changes]
    assert len({PRINTED, *found}) == len(found) + 1


def test_labels_say_what_differs_from_printed():
    assert PRINTED.label == "printed"
    assert PRINTED.but(ring_size=7, sudden_victory=True).label == "ring_size=7, sudden_victory=true"
    assert PRINTED.but(pattern_copies={7: 8}).label == "pattern_copies=6:5,7:8"
    assert variant("kimono", "cats_linear").but(ring_size=7).label == "ring_size=7, cat_curve=linear"
    assert PRINTED.but(deck="mon_two").label == "deck=deck_mon_two"
    assert PRINTED.but("mine", ring_size=7).label == "mine"
    assert variant_class("kimono")().label == "printed"


def test_titles_say_it_in_words():
    changed = PRINTED.but(ring_size=7)
    assert changed.title == "printed rules, reconstructed deck, but ring_size=7"
    assert str(changed) == "ring_size=7 (printed rules, reconstructed deck, but ring_size=7)"
    assert changed.but(ring_size=8).title == "printed rules, reconstructed deck"
    assert PRINTED.but(ring_size=7, title="a small ring").title == "a small ring"
    assert PRINTED.but("again").title == PRINTED.title
    assert (
        len(PRINTED.but(cat_curve=list(range(100, 120)), mon_points=[20] * 8, copies=PRINTED.counts).title)
        <= 200
    )


def test_but_without_a_change_is_the_same_name_and_all():
    again = PRINTED.but(ring_size=8)
    assert (again, again.name, again.title, again.tags) == (PRINTED, "printed", PRINTED.title, PRINTED.tags)


def test_a_variant_cannot_change():
    with pytest.raises(ValueError, match="frozen"):
        PRINTED.ring_size = 7
    with pytest.raises(TypeError):
        PRINTED.pattern_copies[7] = 8
    assert PRINTED.model_copy(update={"ring_size": 7}).ring_size == 7
    with pytest.raises(DataError, match=r"^ring_size: found 1; allowed: 2\.\.12$"):
        PRINTED.model_copy(update={"ring_size": 1})


@pytest.mark.parametrize("name", ["two\nlines", "x" * 81, 3])
def test_labels_are_one_line(name):
    with pytest.raises(DataError, match=r"^name: found .*; allowed: one line of at most 80 characters$"):
        PRINTED.but(name)
    with pytest.raises(
        DataError, match=r"^tags: found .*; allowed: a list, each one line of at most 80 characters$"
    ):
        PRINTED.but(tags=[name])


def test_odd_names_survive_the_file(tmp_path):
    odd = PRINTED.but('a "quoted" \\ näme ☕ #1', title="= [not] TOML\u00a0'''", tags=['"'])
    again = variant("kimono", odd.save(tmp_path / "odd file.toml"))
    assert (again.name, again.title, again.tags) == (odd.name, odd.title, odd.tags)


numbers = {
    name: st.integers(int(found.low), int(found.high))
    for name, found in PRINTED.knobs().items()
    if found.type == "int" and name != "ring_size"
}
tables = {
    name: st.lists(
        st.integers(int(found.low), int(found.high)), min_size=found.length[0], max_size=found.length[1]
    )
    for name, found in PRINTED.knobs().items()
    if found.type == "ints"
}
switches = {name: st.booleans() for name, found in PRINTED.knobs().items() if found.type == "bool"}


@given(st.fixed_dictionaries({}, optional=numbers | tables | switches))
def test_any_variant_survives_file_dump_and_label(change):
    try:
        found = PRINTED.but(**change)
    except DataError as error:
        assert "; allowed: " in str(error) and str(error).isprintable()
        return
    data = tomllib.loads(found.to_toml())
    assert data.pop("game") == "kimono"
    assert type(found)(**data) == found
    assert type(found)(**found.dump()) == found
    assert PRINTED.but(**change) == found
    settings = [f"{name}={found.knob_text(name)}" for name in found.knobs()]
    assert PRINTED.but(keep_deck_size=False, **parse(PRINTED, *settings)) == found


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=6)
        | st.dictionaries(st.text(max_size=3) | st.integers(3, 8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from([*PRINTED.knobs(), "cards", "departure", "name", "title", "tags", "nothing"]), junk)
def test_whatever_is_given_is_taken_or_refused_in_one_line(name, value):
    try:
        found = PRINTED.but(**{name: value})
    except DataError as error:
        assert "found " in str(error) and "; allowed: " in str(error)
        assert len(str(error).splitlines()) == 1
    else:
        assert type(found)(**found.dump()).dump() == found.dump()


# Finding variants


def test_a_variant_is_found_by_name_path_or_itself(file):
    path = file("ring_size = 7\n")
    assert variant("kimono", str(path)) == variant("kimono", path) == PRINTED.but(ring_size=7)
    assert variant("kimono", path).name == "mine"
    assert variant("kimono", PRINTED) is PRINTED
    assert variant("kimono") == PRINTED


def test_what_is_not_there_is_refused_with_what_is():
    games = ", ".join(game_names())
    for call in (variant, named_variants):
        with pytest.raises(DataError) as refused:
            call("chess")
        assert str(refused.value) == f'game: found "chess"; allowed: {games}'
    with pytest.raises(DataError) as refused:
        variant("kimono", "prinetd")
    names = ", ".join(named_variants("kimono"))
    assert str(refused.value) == f'variant: found "prinetd"; allowed: {names}, or a path to a .toml file'
    with pytest.raises(DataError, match=r'^tag: found "dekc"; allowed: balance, cards, cats, deck, mode$'):
        named_variants("kimono", tag="dekc")
    with pytest.raises(FileError, match=r"^nowhere\.toml: found no such file in "):
        variant("kimono", "nowhere.toml")
    with pytest.raises(FileError, match=r"^x\\u0000\.toml: found a name that no file can have"):
        variant("kimono", "x\0.toml")


class OtherVariant(Variant):
    game: ClassVar[str] = "other"
    speed: float = knob(1.5, ge=0.5, le=600, group="time", help="A number.")
    ties: str = knob("shared", choices=("shared", "order"), group="end", help="A word.")


def test_a_variant_of_another_game_is_refused():
    with pytest.raises(
        DataError, match=r'^variant: found "a variant of other"; allowed: "?a variant of kimono'
    ):
        variant("kimono", OtherVariant())
    assert OtherVariant() != PRINTED


def test_knobs_that_are_numbers_with_a_point_or_words():
    other = OtherVariant()
    assert other.but(speed=2).speed == 2.0
    assert other.but(**parse(other, "speed=0.75", "ties=order")).label == "speed=0.75, ties=order"
    for speed in (0.4, 601, float("nan"), float("inf"), True, "2", None):
        with pytest.raises(DataError, match=r"^speed: found .*; allowed: a number 0\.5\.\.600$"):
            other.but(speed=speed)
    with pytest.raises(DataError, match=r'^ties: found "none"; allowed: shared, order$'):
        other.but(ties="none")
    assert tomllib.loads(other.to_toml())["speed"] == 1.5


# Variant files


def test_a_file_may_hold_one_variant_or_several(file):
    path = file('game = "kimono"\n[small]\nring_size = 6\n[large]\nbased_on = "small"\nring_size = 9\n')
    assert variant("kimono", f"{path}:large").label == "large"
    assert [line.split(":")[0] for line in check_file(path)] == ["small", "large"]
    with pytest.raises(FileError) as refused:
        variant("kimono", path)
    assert (
        str(refused.value)
        == "mine.toml: found 2 variants; allowed: one, or mine.toml:NAME with NAME one of small, large"
    )
    with pytest.raises(FileError, match=r'^mine\.toml: found no variant "tiny"; allowed: small, large$'):
        variant("kimono", f"{path}:tiny")


def test_a_table_may_bear_a_knobs_name(file):
    path = file("[sudden_victory]\nsudden_victory = true\n[copies]\nring_size = 7\n")
    assert variant("kimono", f"{path}:sudden_victory").sudden_victory
    assert variant("kimono", f"{path}:copies").ring_size == 7


@pytest.mark.parametrize(
    "text", ["[pattern_copies]\n7 = 8\n6 = 5\n", 'name = "mine"\n[copies]\nP1 = 0\nP2 = 2\n']
)
def test_a_file_of_one_variant_may_write_counts_as_tables(file, text):
    found = variant("kimono", file(text))
    assert (found.name, found.deck_size) == ("mine", 30)
    assert found.pattern_copies or found.copies


def test_based_on_changes_by_exchange_and_without_it_numbers_are_literal(file):
    text = "pattern_copies = {7 = 8}\n"
    assert variant("kimono", file(text)).deck_size == 31
    assert variant("kimono", file('based_on = "printed"\n' + text)) == PRINTED.but(pattern_copies={7: 8})
    kept = variant("kimono", file('based_on = "printed"\nkeep_deck_size = false\n' + text))
    assert kept == PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False)


def test_based_on_finds_the_files_own_variants_first(file):
    own = '[printed]\nring_size = 6\n[mine]\nbased_on = "printed"\n'
    path = file(own + '[cats_linear]\nbased_on = "cats_linear"\nring_size = 7\n')
    assert variant("kimono", f"{path}:mine").ring_size == 6
    own = variant("kimono", f"{path}:cats_linear")
    assert own == variant("kimono", "cats_linear").but(ring_size=7)


def test_a_deck_is_looked_for_next_to_its_file(file):
    path = file('based_on = "printed"\ndeck = "mine.csv"\nring_size = 7\n')
    file((card_data() / "kimono" / "deck_uniform.csv").read_bytes(), "mine.csv")
    found = variant("kimono", path)
    assert found == variant("kimono", "uniform_deck").but(ring_size=7)
    assert found.deck == "mine.csv"
    assert variant("kimono", file('deck = "mine.csv"\n')) == variant("kimono", "uniform_deck")


def test_a_saved_file_needs_no_other(file, monkeypatch, tmp_path):
    path = variant("kimono", "mon_two").save(tmp_path / "shared.toml")
    key = variant("kimono", "mon_two").key
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))  # no decks there
    assert variant("kimono", path).key == key


def test_an_edited_card_file_counts_at_once(file, monkeypatch, tmp_path):
    folder = tmp_path / "kimono"
    folder.mkdir()
    for name in ("variants.toml", "deck_reconstructed.csv", "departure.csv"):
        (folder / name).write_bytes((card_data() / "kimono" / name).read_bytes())
    monkeypatch.setenv("DESIGNLAB_CARD_DATA", str(tmp_path))
    assert variant("kimono") == PRINTED
    path = folder / "deck_reconstructed.csv"
    path.write_text(path.read_text().replace("B3-1,beauty,3,,p5", "B3-1,beauty,3,,p6"))
    assert variant("kimono").cards[0].right == "p6"
    assert variant("kimono") != PRINTED


def test_saving_is_all_or_nothing_and_keeps_what_is_there(tmp_path, monkeypatch):
    path = PRINTED.save(tmp_path / "mine.toml")
    with pytest.raises(
        FileError, match=r"^mine\.toml: found a file of that name; allowed: a new name, or overwrite"
    ):
        PRINTED.but(ring_size=7).save(path)
    assert variant("kimono", path) == PRINTED
    PRINTED.but(ring_size=7).save(path, overwrite=True)
    assert variant("kimono", path).ring_size == 7
    with pytest.raises(DataError, match=r'^path: found "mine.txt"; allowed: a file name ending in \.toml$'):
        PRINTED.save(tmp_path / "mine.txt")
    with pytest.raises(FileError, match=r"^mine\.toml: cannot be written: No such file or directory$"):
        PRINTED.save(tmp_path / "nowhere" / "mine.toml")

    def broken(self):
        raise RuntimeError

    monkeypatch.setattr(Variant, "to_toml", broken)
    with pytest.raises(RuntimeError):
        PRINTED.save(path, overwrite=True)
    assert [each.name for each in tmp_path.iterdir()] == ["mine.toml"]
    assert "ring_size = 7" in path.read_text()


def test_files_are_taken_with_byte_order_mark_and_crlf(file):
    path = file(b"\xef\xbb\xbf" + PRINTED.to_toml().replace("\n", "\r\n").encode())
    assert variant("kimono", path) == PRINTED


WHOLE = "allowed: deck, copies, pattern_copies, ring_size, "
CARD = '[[cards]]\nid = "B"\nkind = "beauty"\npattern = 3\n'
MALFORMED = {
    "": "mine.toml: found an empty file",
    "# nothing\n": "mine.toml: found no variant; allowed: knobs, or tables of knobs such as [mine]",
    'game = "kimono"\n': "mine.toml: found no variant; allowed: ",
    'game = "chess"\nring_size = 8\n': 'mine.toml, game: found "chess"; allowed: ',
    "game = 3\nring_size = 8\n": "mine.toml, game: found 3; allowed: ",
    "ring_size 8\n": "mine.toml, line 1: found no TOML: ",
    "ring_size = 8\nend_ring = \n": "mine.toml, line 2: found no TOML: ",
    "ring_size = 8\nring_size = 8\n": "mine.toml, line 2: found no TOML: ",
    "[a]\nring_size = 8\n[a]\n": "mine.toml, line 3: found no TOML: ",
    f"ring_size = {'9' * 5000}\n": "mine.toml: found a number or a nesting too long to read; allowed: knobs",
    f"ring_size = {'[' * 100_000}\n": "mine.toml: found ",
    f"ring_size = {'9' * 400}\n": f"mine.toml, ring_size: found {'9' * 77}...; allowed: 2..12",
    "ring_size = [8\n": "mine.toml: found no TOML: ",
    "ring_sise = 8\n": f'mine.toml, found an unknown knob "ring_sise"; {WHOLE}',
    "[a]\nring_sise = 8\n": f'mine.toml, [a], found an unknown knob "ring_sise"; {WHOLE}',
    "ring_size = 1\n": "mine.toml, ring_size: found 1; allowed: 2..12",
    "ring_size = 8.0\n": "mine.toml, ring_size: found 8.0; allowed: 2..12",
    "ring_size = nan\n": "mine.toml, ring_size: found nan; allowed: 2..12",
    'ring_size = "8"\n': 'mine.toml, ring_size: found "8"; allowed: 2..12',
    "ring_size = true\n": "mine.toml, ring_size: found true; allowed: 2..12",
    "ring_size = 2024-01-01\n": "mine.toml, ring_size: found datetime.date(2024, 1, 1); allowed: 2..12",
    "sudden_victory = 1\n": "mine.toml, sudden_victory: found 1; allowed: true or false",
    '[b]\ncat_curve = "squarre"\n': 'mine.toml, [b], cat_curve: found "squarre"; allowed: 1 to 20 whole '
    "numbers -50..400, or square, linear, triangular or flat_after_1..19",
    "cat_curve = []\n": "mine.toml, cat_curve: found 0 numbers; allowed: 1 to 20 whole numbers -50..400",
    "cat_curve = [1, 4, 401]\n": "mine.toml, cat_curve: found 401 in place 3; allowed: 1 to 20",
    "tile_values = [3, 4, 5, 6]\n": "mine.toml, tile_values: found 4 numbers; allowed: 5 whole numbers 0..30",
    "seat_bonus = 1\n": "mine.toml, seat_bonus: found 1; allowed: 2 whole numbers -20..20",
    "pattern_copies = 8\n": "mine.toml, pattern_copies: found 8; allowed: {3..7: number} with numbers 0..20",
    "[a.pattern_copies]\n8 = 1\n": 'mine.toml, [a], pattern_copies: found "8"; allowed: {3..7: number}',
    "[a.copies]\nB9-9 = 1\n": 'mine.toml, [a], copies: found "B9-9"; allowed: ids of the deck: ',
    "end_ring = 8\n": "mine.toml, end_ring: found 8; allowed: 0..7, less than ring_size",
    "sudden_space = 5\n": "mine.toml, sudden_space: found 5; allowed: 1..4, as track_length",
    'deck = "deck_unifrom"\n': 'mine.toml, deck: found "deck_unifrom"; allowed: deck_reconstructed, ',
    'based_on = "printed"\ndeck = "unifrom"\n': 'mine.toml, deck: found "unifrom"; allowed: ',
    'deck = "nowhere.csv"\n': "nowhere.csv: found no such file in ",
    "based_on = 3\n": "mine.toml, based_on: found 3; allowed: printed, ",
    'based_on = "prinetd"\n': 'mine.toml, based_on: found "prinetd"; allowed: printed, ',
    '[a]\nbased_on = "b"\n[b]\nbased_on = "a"\n': "mine.toml, [a], based_on: found the circle a > b > a; allowed: ",
    'based_on = "printed"\nkeep_deck_size = "no"\n': 'mine.toml, keep_deck_size: found "no"; allowed: true or false',
    'based_on = "printed"\npattern_copies = {3 = 4, 4 = 4, 5 = 5, 6 = 6, 7 = 7}\n': "mine.toml, pattern_copies: "
    "found 1 too many for a deck of 30; allowed: what the Beauty patterns not named can make up for",
    '[a]\nname = "b"\n': 'mine.toml, [a], name: found "b"; allowed: no name, as [a] is the name',
    "title = 3\n": "mine.toml, title: found 3; allowed: one line of at most 200 characters",
    'tags = "deck"\n': 'mine.toml, tags: found "deck"; allowed: a list, each one line',
    'title = "a\\nb"\n': 'mine.toml, title: found "a\\nb"; allowed: one line',
    "cards = []\n": "mine.toml, cards: found nothing; allowed: at least one card",
    f'{CARD}left = "p9"\n': 'mine.toml, cards, row 1, column left: found "p9"; ',
    f'{CARD}left = "cat"\ncopies = -1\n': "mine.toml, cards, row 1, column copies: ",
    f'{CARD}left = "cat"\n': "mine.toml, deck: found 1 cards in all; allowed: 10..60",
    "cards = [1]\n": "mine.toml, cards, row 1: found 1; allowed: columns and their values",
    '[departure]\nid = "D"\nkind = "departure"\ncopies = 1\n': "mine.toml, departure, column copies: found 1",
}  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED, ids=lambda text: text[:40])
def test_a_wrong_file_is_refused_in_one_line(file, text):
    path = file(text)
    with pytest.raises(FileError) as refused:
        check_file(path)
    message = str(refused.value)
    assert message.startswith(MALFORMED[text])
    assert message.isprintable()
    assert "; allowed: " in message or "no TOML" in message


def test_what_is_no_text_is_refused(file, tmp_path):
    with pytest.raises(FileError, match=r"^mine\.toml, row 2: found byte 0xE9"):
        check_file(file('game = "kimono"\ntitle = "é"\n'.encode("latin-1")))
    with pytest.raises(FileError, match=r": found a folder; allowed: a file$"):
        variant("kimono", tmp_path.rename(tmp_path.with_suffix(".toml")))


def test_a_mistake_in_one_table_leaves_the_others(file):
    path = file("[good]\nring_size = 7\n[bad]\nring_size = 70\n")
    assert variant("kimono", f"{path}:good").ring_size == 7
    with pytest.raises(FileError, match=r"^mine\.toml, \[bad\], ring_size: found 70; allowed: 2\.\.12$"):
        check_file(path)


def test_check_says_what_is_in_a_file(file):
    folder = card_data() / "kimono"
    assert check_file(folder / "deck_mon_two.csv") == [
        "30 cards: 3/4/5/6/7 Beauty, 5 Prop; 26 turns, 13 each"
    ]
    assert check_file(folder / "departure.csv") == [
        "the Departure card: wild on its left edge, wild on its right"
    ]
    lines = check_file(folder / "variants.toml")
    assert len(lines) == len(named_variants("kimono"))
    assert lines[0] == "printed: 30 cards: 3/4/5/6/7 Beauty, 5 Prop; 26 turns, 13 each"
    odd = check_file(file("display_size = 3\n"))[0]
    assert odd.startswith(
        "mine: 30 cards: 3/4/5/6/7 Beauty, 5 Prop; 25 turns, 13 for seat 0 and 12 for seat 1. "
    )
    assert odd.endswith("seat 0 takes 13 turns and seat 1 12: one turn more is a large advantage for seat 0.")


def test_a_table_of_no_game_is_refused(file):
    path = file("person,age\nAda,36\n", "people.csv")
    with pytest.raises(
        FileError, match=r"^people\.csv: found columns of no game's card file; allowed: for kimono id"
    ):
        check_file(path)


# Many at once


def test_a_grid_has_every_combination():
    found = grid(PRINTED, ring_size=[6, 8], cat_curve=["square", "linear"])
    assert [each.label for each in found] == [
        "ring_size=6",
        "ring_size=6, cat_curve=linear",
        "printed",
        "cat_curve=linear",
    ]
    assert grid(PRINTED) == [PRINTED]
    assert [each.deck_size for each in grid(PRINTED, pattern_copies=[{7: n} for n in (6, 7, 8)])] == [
        30,
        30,
        30,
    ]
    sizes = [each.deck_size for each in grid(PRINTED, False, pattern_copies=[{7: n} for n in (6, 7, 8)])]
    assert sizes == [29, 30, 31]
    with pytest.raises(DataError, match=r"^ring_size: found 8; allowed: a list of values$"):
        grid(PRINTED, ring_size=8)
    with pytest.raises(DataError, match=r'^cat_curve: found "square"; allowed: a list of values$'):
        grid(PRINTED, cat_curve="square")


PARSED = {
    "ring_size=7": {"ring_size": 7},
    " ring_size = 7 ": {"ring_size": 7},
    "sudden_victory=yes": {"sudden_victory": True},
    "sudden_victory=Off": {"sudden_victory": False},
    "cat_curve=flat_after_3": {"cat_curve": "flat_after_3"},
    "cat_curve=1,2,-3": {"cat_curve": [1, 2, -3]},
    "cat_curve=[1, 2]": {"cat_curve": [1, 2]},
    "pattern_tokens=5": {"pattern_tokens": 5},
    "pattern_tokens.7=5": {"pattern_tokens": [6, 6, 6, 6, 5]},
    "tile_values.3=0": {"tile_values": [0, 4, 5, 6, 7]},
    "cat_curve.7=50": {"cat_curve": [1, 4, 9, 16, 25, 36, 50]},
    "seat_bonus.1=2": {"seat_bonus": [0, 2]},
    "pattern_copies.7=8": {"pattern_copies": {7: 8}},
    "pattern_copies=6:5,7:8": {"pattern_copies": {"6": 5, "7": 8}},
    "pattern_copies=": {"pattern_copies": {}},
    "copies.B3-1=2": {"copies": {"B3-1": 2}},
    "deck=uniform": {"deck": "uniform"},
}


@pytest.mark.parametrize("text", PARSED)
def test_settings_are_read(text):
    assert parse(PRINTED, text) == PARSED[text]
    PRINTED.but(**parse(PRINTED, text))


def test_settings_of_parts_add_up():
    settings = ("pattern_copies.7=8", "pattern_copies.6=5", "tile_values.3=1", "tile_values.4=2")
    assert parse(PRINTED, *settings) == {"pattern_copies": {7: 8, 6: 5}, "tile_values": [1, 2, 5, 6, 7]}
    eight = PRINTED.but(pattern_copies={7: 8})
    assert parse(eight, "pattern_copies.3=4") == {"pattern_copies": {3: 4, 6: 5, 7: 8}}
    assert parse(PRINTED, "pattern_tokens=5", "pattern_tokens.3=1") == {"pattern_tokens": [1, 5, 5, 5, 5]}


def test_a_part_of_a_named_table_is_set_in_its_numbers():
    assert parse(PRINTED, "cat_curve=linear", "cat_curve.2=5")["cat_curve"] == [1, 5, 3, 4, 5, 6, 7]
    settings = ["cat_curve=linear", "cat_curve.2=5", "cat_curve.9=0", "cat_tokens=9"]
    for order in (settings, settings[::-1][:1] + settings[:3]):
        assert parse(PRINTED, *order)["cat_curve"] == [1, 5, 3, 4, 5, 6, 7, 8, 0]
    settings = ["cat_curve=linear", "cat_curve.2=5", "cat_curve=square"]
    assert parse(PRINTED, *settings) == {"cat_curve": "square"}
    with pytest.raises(
        DataError, match=r'^set cat_curve: found "8"; allowed: one of 1, 2, 3, 4, 5, 6, 7 after'
    ):
        parse(PRINTED, "cat_curve=linear", "cat_curve.8=5")
    with pytest.raises(DataError, match=r'^cat_curve: found "steep"; allowed: '):
        parse(PRINTED, "cat_curve=steep", "cat_curve.2=5")
    with pytest.raises(DataError, match=r'^pattern_copies: found "8"; allowed: '):
        PRINTED.but(**parse(PRINTED, "pattern_copies=8", "pattern_copies.7=8"))


MISREAD = {
    "ring_size": 'set: found "ring_size"; allowed: KNOB=VALUE with KNOB one of deck, ',
    "ring_sise=7": 'set: found "ring_sise"; allowed: KNOB=VALUE with KNOB one of deck, ',
    "=7": "set: found nothing; allowed: KNOB=VALUE",
    "ring_size.1=7": 'set: found "ring_size.1"; allowed: ring_size=VALUE, as ring_size has no parts',
    "tile_values.8=7": 'set tile_values: found "8"; allowed: one of 3, 4, 5, 6, 7 after the dot',
    "cat_curve.8=64": 'set cat_curve: found "8"; allowed: one of 1, 2, 3, 4, 5, 6, 7 after the dot',
    "ring_size=seven": 'ring_size: found "seven"; allowed: 2..12',
    "ring_size=7.5": 'ring_size: found "7.5"; allowed: 2..12',
    "ring_size=": "ring_size: found nothing; allowed: 2..12",
    "sudden_victory=maybe": 'sudden_victory: found "maybe"; allowed: true or false',
    "pattern_copies=8": 'pattern_copies: found "8"; allowed: {3..7: number}',
    "pattern_copies=7:8,7:9": 'pattern_copies: found "7:8,7:9"; allowed: every key once',
    "pattern_copies.8=1": 'pattern_copies: found "8"; allowed: {3..7: number}',
    "pattern_copies.7=x": 'pattern_copies: found "x" for 7; allowed: {3..7: number}',
    "tile_values=1,2,x,4,5": 'tile_values: found "x" in place 3; allowed: 5 whole numbers 0..30',
    "cat_curve=squarre": 'cat_curve: found "squarre"; allowed: ',
}


@pytest.mark.parametrize("text", MISREAD)
def test_wrong_settings_are_refused_in_words(text):
    with pytest.raises(DataError) as refused:
        PRINTED.but(**parse(PRINTED, text))
    assert str(refused.value).startswith(MISREAD[text])


def test_counts_are_a_small_frozen_mapping():
    counts = Counts({7: 1, 3: 2})
    assert counts == {3: 2, 7: 1} and list(counts) == [3, 7] and len(counts) == 2
    assert hash(counts) == hash(Counts({3: 2, 7: 1}))
    assert pickle.loads(pickle.dumps(counts)) == counts  # noqa: S301 our own
    assert repr(counts) == "Counts({3: 2, 7: 1})"


def test_a_knob_without_bounds_or_length_reads_well():
    assert Knob("a", "ints", (1,), 0, 9, length=(1, 4)).allowed == "1 to 4 whole numbers 0..9"
    assert Knob("a", "choice", "x", source=("x", "y")).allowed == "x, y"


def test_no_path_of_this_machine_is_in_a_saved_file(tmp_path):
    text = PRINTED.to_toml()
    assert str(Path(__file__).parents[1]) not in text
    assert str(tmp_path) not in PRINTED.but(ring_size=7).to_toml()
