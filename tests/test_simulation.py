"""simulate() at its door: what it takes, refuses and says. What must hold for every game is in conformance/."""

import concurrent.futures

import numpy as np
import pytest

import designlab
from designlab.cards import DataError
from designlab.jit import JITTED

PRINTED = designlab.variant("kimono", "printed")
LINEAR = designlab.variant("kimono", "cats_linear")


def first_option(view):
    return view.options[0]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"variants": []}, "variants: found nothing to play"),
        ({"variants": ["printed"]}, "variants: found nothing to play"),
        ({"variants": [PRINTED, PRINTED]}, "variants: found 'printed' twice"),
        ({"plays": 0}, "plays: found 0; allowed: a whole number, 1 to "),
        ({"plays": 2.5}, "plays: found 2.5"),
        ({"plays": True}, "plays: found True"),
        ({"plays": "100"}, "plays: found '100'"),
        ({"plays": 10**9}, "plays: found 1000000000"),
        ({"seed": -1}, "seed: found -1"),
        ({"seed": 2**63}, "seed: found 9223372036854775808"),
        ({"seats": ("greedy",)}, "seats: found 1 policy; allowed: 2"),
        ({"seats": "greedy,greedy,greedy"}, "seats: found 3 policies"),
        ({"seats": ("greedy", "gredy")}, "seats: found 'gredy'; allowed: random, greedy, "),
        ({"seats": ("greedy", 3)}, "seats: found 3"),
        ({"frames": ("plays", "rounds")}, "frames: found 'rounds'; allowed: plays, seats, cards, turns"),
    ],
)
def test_bad_input_is_one_line(arguments, line):
    with pytest.raises(DataError) as error:
        designlab.simulate(**{"variants": PRINTED, "plays": 5, **arguments})
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


def test_frames_come_as_asked():
    result = designlab.simulate(PRINTED, plays=5, frames=("cards",))
    assert list(result.frames) == ["cards"] and len(result.cards) == 150
    with pytest.raises(AttributeError, match="found frames cards; ask with simulate"):
        _ = result.plays
    assert designlab.simulate(PRINTED, plays=5, frames=()).frames == {}


def test_one_seating_in_both_orders_with_the_same_deals():
    result = designlab.simulate(
        PRINTED, seats=("greedy", "random"), plays=6, mirror=True, frames=("seats", "cards")
    )
    seats = result.seats
    assert seats.deal.tolist() == [deal for deal in range(6) for _ in range(4)]
    assert seats.play.tolist() == [play for play in range(12) for _ in range(2)]
    assert seats.mirrored.tolist() == [False, False, True, True] * 6
    assert seats.policy.tolist() == ["greedy", "random", "random", "greedy"] * 6
    dealt = result.cards.sort_values(["play", "order"]).groupby("deal").card.apply(list)
    assert all(cards[:30] == cards[30:] for cards in dealt)
    assert result.notes == []


def test_equal_policies_are_not_mirrored_and_that_is_said():
    result = designlab.simulate(PRINTED, seats=("greedy", "greedy"), plays=4, mirror=True)
    assert not result.mirrored and len(result.plays) == 4
    assert "Equal policies" in result.notes[0]


def test_uneven_turns_are_said():
    odd = PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False, name="odd")
    result = designlab.simulate([PRINTED, odd], plays=4)
    assert any(note.startswith("odd: seat 0 takes 14 turns and seat 1 13") for note in result.notes)
    turns = result.seats.groupby(["variant", "seat"], observed=True).turns.first()
    assert turns["odd"].tolist() == [14, 13] and turns["printed"].tolist() == [13, 13]


def test_progress_counts_up_to_all_plays():
    seen = []
    plays = 300 if JITTED else 30
    designlab.simulate(
        [PRINTED, LINEAR], plays=plays, progress=lambda done, total: seen.append((done, total))
    )
    assert seen[-1] == (2 * plays, 2 * plays) and len(seen) > 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_a_stopped_run_is_a_smaller_run():
    stopped = designlab.simulate([PRINTED, LINEAR], plays=100_000, progress=lambda done, total: done < 50)
    assert stopped.cancelled and 0 < stopped.deals < 100_000
    assert "Stopped early" in stopped.notes[-1]
    whole = designlab.simulate([PRINTED, LINEAR], plays=stopped.deals)
    assert whole.seats.equals(stopped.seats)


def test_a_bar_is_drawn_on_request(capsys):
    designlab.simulate(PRINTED, plays=50, progress=True)
    assert "50.0/50.0" in capsys.readouterr().err


def dealt(variants, plays):
    """The cards of every deal. No policy changes these (tests/conformance), and random ones are the quickest."""
    return designlab.simulate(variants, seats=("random", "random"), plays=plays, frames=("cards",)).cards


def test_an_exchanged_card_lies_where_the_old_one_lay():
    """One 7 out, one 3 in: every deal differs in the places of that one card and nowhere else."""
    changed = PRINTED.but(pattern_copies={7: 6, 3: 4})
    cards = dealt([PRINTED, changed], 200 if JITTED else 50)
    before, after = (
        part.card.to_numpy().reshape(-1, 30) for _, part in cards.groupby("variant", observed=True)
    )
    assert set((before != after).sum(axis=1)) == {1}
    gone, come = set(before[before != after]), set(after[before != after])
    assert len(gone) == len(come) == 1 and gone.pop().startswith("B7") and come.pop().startswith("B3")


def test_an_added_card_displaces_one():
    more = PRINTED.but(pattern_copies={7: 8}, keep_deck_size=False)
    cards = dealt([PRINTED, more], 100 if JITTED else 50)
    parts = {label: part.card.to_numpy() for label, part in cards.groupby("variant", observed=True)}
    before, after = parts["printed"].reshape(-1, 30), parts[more.label].reshape(-1, 31)
    assert ((before != after[:, :30]).sum(axis=1) <= 1).all()


def test_the_deal_is_a_fair_shuffle():
    """Each card lies in each place equally often (chi-squared over 30 x 30 cells, fixed seed)."""
    from scipy import stats

    plays = 3000 if JITTED else 600
    cards = dealt(PRINTED, plays)
    counts = np.zeros((30, 30))
    np.add.at(counts, (cards.card.cat.codes.to_numpy() % 30, cards.order.to_numpy()), 1)
    assert counts.sum() == 30 * plays
    assert stats.chisquare(counts.ravel(), np.full(900, plays / 30), ddof=58).pvalue > 1e-3


def test_a_python_policy_plays_like_any_other():
    result = designlab.simulate(PRINTED, seats=(first_option, "greedy"), plays=5)
    assert result.seats.policy.unique().tolist() == ["first_option", "greedy"]
    assert result.seats.equals(designlab.simulate(PRINTED, seats=(first_option, "greedy"), plays=5).seats)


def test_a_python_policy_that_answers_nonsense_is_named():
    def stubborn(view):
        return 42

    with pytest.raises(DataError, match=r"policy stubborn: returned 42; allowed: one of view\.options"):
        designlab.simulate(PRINTED, seats=(stubborn, "greedy"), plays=5)


def test_an_error_in_a_worker_reaches_the_caller_and_the_executor_lives_on():
    def broken(view):
        raise ZeroDivisionError("mine")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        with pytest.raises(ZeroDivisionError, match="mine"):
            designlab.simulate(PRINTED, seats=(broken, "greedy"), plays=5, executor=pool)
        assert len(designlab.simulate(PRINTED, plays=5, executor=pool).plays) == 5


def test_results_survive_pickling_free_of_the_frames_trap():
    """__getattr__ must not recurse while an object is being rebuilt."""
    import copy

    result = designlab.simulate(PRINTED, plays=5)
    assert copy.copy(result).plays.equals(result.plays)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"seats": 5}, "seats: found 5; allowed: a policy for each seat"),
        ({"seats": (["greedy"], "greedy")}, "seats: found ['greedy']; allowed: random"),
        ({"variants": None}, "variants: found None; allowed: one variant or a list"),
        ({"frames": None}, "frames: found None"),
        ({"frames": "seats"}, "frames: found 'seats'; allowed: a list of names"),
        ({"frames": [[3]]}, "frames: found [3]; allowed: plays, "),
        ({"executor": 3}, "executor: found 3"),
        ({"progress": 3}, "progress: found 3"),
        ({"mirror": "no"}, "mirror: found 'no'; allowed: True or False"),
    ],
)
def test_a_wrong_kind_of_thing_is_one_line(arguments, line):
    with pytest.raises(DataError) as error:
        designlab.simulate(**{"variants": PRINTED, "plays": 5, **arguments})
    assert str(error.value).startswith(line) and "\n" not in str(error.value)


def test_two_policies_of_one_name_are_refused():
    """Frames know policies by name: two of one name would be counted as one."""

    def greedy(view):
        return view.options[0]

    named = designlab.named_policy("greedy, mine", greedy)
    for seats in ((greedy, "greedy"), (lambda view: view.options[0], lambda view: view.options[-1])):
        with pytest.raises(DataError, match=r"two policies named .*designlab\.named_policy"):
            designlab.simulate(PRINTED, seats=seats, plays=3)
    assert len(designlab.simulate(PRINTED, seats=(named, "greedy"), plays=3).plays) == 3
    assert len(designlab.simulate(PRINTED, seats=(named, named), plays=3).plays) == 3


def test_a_policy_cannot_make_up_an_option():
    def cheat(view):
        made_up = view.options[0]._replace(left="cat", action=view.options[0].action | 6 << 16)
        return made_up if made_up not in view.options else None

    answers = (lambda view: np.zeros(3), lambda view: tuple(view.options[0]), cheat)
    for number, answer in enumerate(answers):
        with pytest.raises(DataError, match=r"allowed: one of view\.options"):
            designlab.simulate(
                PRINTED, seats=(designlab.named_policy(f"p{number}", answer), "greedy"), plays=3
            )


def test_points_of_an_extreme_deck_do_not_wrap(tmp_path):
    """39,200 points and more: what 16 bits do not hold."""
    rows = [f"X{i},prop,,wild,wild,0,0,lantern,lantern,50,{6 if i == 6 else 9},mine" for i in range(7)]
    header = "id,kind,pattern,left,right,mon_left,mon_right,object,needs,points,copies,provenance"
    (tmp_path / "deck_evil.csv").write_text("\n".join([header, *rows]) + "\n")
    path = str(tmp_path / "deck_evil.csv")
    evil = PRINTED.but(deck=path, ring_size=2, end_ring=0, display_size=5, name="evil")
    seats = designlab.simulate(evil, plays=2).seats
    assert seats.props.max() > 2**15
    assert (seats.props + seats.tiles + seats.cats + seats.mon + seats.bonus == seats.total).all()
    record = designlab.replay("kimono", evil, play=1).data
    assert [score["total"] for score in record["scores"]] == seats[seats.play == 1].total.tolist()


def test_a_result_is_one_line_at_the_end_of_a_cell():
    text = repr(designlab.simulate(PRINTED, plays=5))
    assert (
        text
        == "Result(kimono: printed; seats greedy, greedy; 5 deals; frames plays (5 rows), seats (10 rows))"
    )
