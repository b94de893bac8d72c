"""Win rates, seat advantage, scores and card value, on frames whose answers are known."""

import io

import numpy as np
import pandas as pd
import pytest
from frames import SOURCES, coin_game, from_shares
from scipy import stats as scipy_stats

from designlab import stats

EACH = {
    "win_rate": lambda f: stats.win_rate(f.seats),
    "seat_advantage": lambda f: stats.seat_advantage(f.seats),
    "score_summary": lambda f: stats.score_summary(f.seats),
    "score_sources": lambda f: stats.score_sources(f.seats),
    "score_distribution": lambda f: stats.score_distribution(f.seats),
    "card_value": lambda f: stats.card_value(f.cards, f.seats),
    "compare": lambda f: stats.compare(f.seats),
    "compare_plays": lambda f: stats.compare(f.plays),
    "lead_by_turn": lambda f: stats.lead_by_turn(f.turns),
    "mean_by": lambda f: stats.mean_by(f.seats, "won", by=("seat", "policy")),
    "mean_by_numbers": lambda f: stats.mean_by(f.seats, "total", by="seat"),
}
each = pytest.mark.parametrize("statistic", EACH.values(), ids=EACH.keys())


def shuffled(frame):
    return frame.sample(frac=1, random_state=3)


def from_csv(frame):
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)))


def from_parquet(frame):
    file = io.BytesIO()
    text = frame.astype({c: str for c in frame.columns if frame[c].dtype == "category"})
    text.to_parquet(file)
    return pd.read_parquet(file)


@pytest.fixture(scope="module")
def game():
    return coin_game({"printed": 0.48, "changed": 0.55, "also": 0.4}, deals=150, draw=0.1, mirror=True)


# What holds for every statistic


@each
def test_rows_have_an_interval(statistic, game):
    table = statistic(game)
    assert {"variant", "estimate", "low", "high", "n", "level"} <= set(table.columns)
    assert (table["low"] <= table["estimate"]).all() and (table["estimate"] <= table["high"]).all()
    assert (table["n"] <= 150).all() and (table["n"] > 0).all()
    assert list(dict.fromkeys(table["variant"])) in (["printed", "changed", "also"], ["changed", "also"])


@each
@pytest.mark.parametrize("way", [shuffled, from_csv, from_parquet])
def test_answer_is_the_same_from_any_frame(statistic, way, game):
    # Text has no order of its own: give the variants in the order of first appearance.
    fresh = statistic(game)
    again = statistic(type(game)(way(game.plays), way(game.seats), way(game.cards), way(game.turns)))
    for column in fresh.columns:
        if fresh[column].dtype == "category":
            assert fresh[column].astype(str).tolist() == again[column].astype(str).tolist()
        else:
            pd.testing.assert_series_equal(fresh[column], again[column], rtol=1e-9)


@each
def test_frames_are_left_alone(statistic, game):
    before = {k: v.copy(deep=True) for k, v in vars(game).items()}
    statistic(game)
    for name, frame in before.items():
        pd.testing.assert_frame_equal(frame, getattr(game, name))


@each
def test_unused_categories_get_no_row(statistic, game):
    some = {k: v[v["variant"] != "changed"] for k, v in vars(game).items()}
    table = statistic(type(game)(**some))
    assert "changed" not in table["variant"].tolist()
    assert not table.isna().all(axis=1).any()


@each
def test_level_widens(statistic, game):
    narrow = statistic(game)
    wide = {
        "win_rate": lambda: stats.win_rate(game.seats, 0.99),
        "card_value": lambda: stats.card_value(game.cards, game.seats, 0.99),
    }
    if (name := next(k for k, v in EACH.items() if v is statistic)) in wide:
        table = wide[name]()
        assert (table["high"] - table["low"] > narrow["high"] - narrow["low"]).all()
        assert (table["level"] == 0.99).all()


# win_rate


def test_win_rate_newcombe():
    # 81 wins in 263: Newcombe (1998), table I
    table = stats.win_rate(from_shares([[1, 0]] * 81 + [[0, 1]] * 182))
    first, second = table.to_dict("records")
    assert (round(first["low"], 4), round(first["high"], 4), first["n"]) == (0.2553, 0.3662, 263)
    assert first["estimate"] == 81 / 263 and second["estimate"] == 182 / 263
    assert first["pairing"] == "greedy, greedy" and first["draws"] == 0


def test_win_rate_counts_draws_apart():
    table = stats.win_rate(from_shares([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]]))
    assert table["estimate"].tolist() == [0.25, 0.25]
    assert table["draws"].tolist() == [0.5, 0.5]


def mirrored(first, second):
    """Two deals played both ways by A and B: shares of seat 0, then of seat 0 when B sits there."""
    rows = []
    for deal, (a, b) in enumerate(zip(first, second, strict=True)):
        for way, share, sat in ((False, a, "AB"), (True, b, "BA")):
            for seat in (0, 1):
                own = share if seat == 0 else 1 - share
                rows.append(("printed", deal, way, 2 * deal + way, seat, sat[seat], own == 1, own))
    columns = ["variant", "deal", "mirrored", "play", "seat", "policy", "won", "share"]
    return pd.DataFrame(rows, columns=columns)


def test_win_rate_mirrored_gives_a_row_to_each_seat_and_policy():
    table = stats.win_rate(mirrored([1, 1, 1, 0], [1, 0, 0, 0]))
    assert table[["seat", "policy"]].agg(tuple, axis=1).tolist() == [(0, "A"), (0, "B"), (1, "A"), (1, "B")]
    assert table["estimate"].tolist() == [0.75, 0.25, 0.75, 0.25]
    assert table["n"].tolist() == [4] * 4 and (table["pairing"] == "A, B").all()


def test_win_rate_by_policy_and_by_seat_average_within_deals():
    seats = mirrored([1, 1, 1, 0], [1, 0, 0, 0])
    by_policy = stats.win_rate(seats, by=("policy",))
    assert by_policy["policy"].tolist() == ["A", "B"]
    assert by_policy["estimate"].tolist() == [0.75, 0.25]
    by_seat = stats.win_rate(seats, by=("seat",))
    assert by_seat["estimate"].tolist() == [0.5, 0.5]
    assert by_seat["n"].tolist() == by_policy["n"].tolist() == [4, 4]
    assert list(by_seat.columns[:2]) == ["variant", "seat"]


def test_win_rate_by_is_checked():
    with pytest.raises(ValueError, match=r"by: found 'play', allowed are pairing, seat, policy"):
        stats.win_rate(from_shares([[1, 0]]), by=("play",))


def test_runs_of_several_pairings_can_be_joined():
    both = pd.concat([from_shares([[1, 0], [0, 1]]), from_shares([[1, 0], [1, 0]], policy="denier")])
    table = stats.win_rate(both)
    assert table["pairing"].tolist() == ["greedy, greedy"] * 2 + ["denier, denier"] * 2
    assert table["estimate"].tolist() == [0.5, 0.5, 1, 0]
    assert stats.seat_advantage(both)["estimate"].tolist() == [0, 0.5]


# seat_advantage


def test_seat_advantage_is_share_less_half():
    table = stats.seat_advantage(from_shares([[1, 0], [1, 0], [0.5, 0.5], [0, 1]]))
    assert table["seat"].tolist() == [0]
    assert table["estimate"].tolist() == [0.125]
    assert table["note"].tolist() == [""]


def test_seat_advantage_of_three_seats():
    table = stats.seat_advantage(from_shares([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]))
    assert table["seat"].tolist() == [0, 1, 2]
    np.testing.assert_allclose(table["estimate"], [1 / 6, -1 / 12, -1 / 12])
    assert (table["low"] >= -1 / 3).all() and (table["high"] <= 2 / 3).all()


def test_seat_advantage_mirrored_takes_the_policy_out():
    # A wins from either seat, always: the seat is worth nothing, however large n is.
    table = stats.seat_advantage(mirrored([1] * 50, [0] * 50))
    (row,) = table.to_dict("records")
    assert (row["estimate"], row["n"], row["mirrored"], row["note"]) == (0, 50, True, "")
    assert row["high"] - row["low"] < 0.1


def test_seat_advantage_says_when_seat_and_policy_mix():
    seats = mirrored([1] * 5, [0] * 5)
    table = stats.seat_advantage(seats[~seats["mirrored"]])
    assert "this mixes seat and policy" in table["note"].item()
    assert not table["mirrored"].item()


def test_seat_advantage_of_a_stopped_run_uses_whole_deals():
    seats = mirrored([1, 1, 1], [0, 0, 0])
    stopped = seats[~(seats["mirrored"] & (seats["deal"] == 2))]
    table = stats.seat_advantage(stopped)
    assert (table["n"].item(), table["estimate"].item()) == (2, 0)
    never = seats[seats["mirrored"] == (seats["deal"] == 2)]
    with pytest.raises(ValueError, match="no deal was played both ways"):
        stats.seat_advantage(never)


@pytest.mark.parametrize("deals", [1, 2, 3, 5, 10, 30, 100])
@pytest.mark.parametrize("mirror", [False, True])
def test_seat_advantage_covers_for_equal_policies(deals, mirror):
    """Equal policies: 95 % intervals hold the truth in at least 94 % of runs, within the test's own luck."""
    runs, draw, skill = 2000, 0.04, 0.1 * mirror
    rng = np.random.default_rng(deals)
    luck = rng.random((runs, deals))
    play = np.arange(runs * deals)
    share = []
    for way in (0, 1) if mirror else (0,):
        again = np.where(
            rng.random((runs, deals)) < 0.4, luck, rng.random((runs, deals))
        )  # alike, not the same
        lean = skill * (1 - 2 * way)
        share.append(np.where(again < 0.48 + lean, 1, np.where(again < 0.48 + lean + draw, 0.5, 0)).ravel())
    frames = []
    for way, first in enumerate(share):
        frame = pd.DataFrame({"variant": play // deals, "deal": play % deals, "mirrored": bool(way)})
        frame = frame.assign(play=2 * frame["deal"] + way)
        a = frame.assign(seat=0, policy="B" if way else "A", share=first)
        b = frame.assign(seat=1, policy="A" if way else "B", share=1 - first)
        frames += [a, b] if mirror else [a.assign(policy="A"), b.assign(policy="A")]
    table = stats.seat_advantage(pd.concat(frames))
    assert len(table) == runs and (table["n"] == deals).all()
    held = np.count_nonzero((table["low"] <= 0) & (table["high"] >= 0))
    assert held >= scipy_stats.binom.ppf(1e-4, runs, 0.94)


# scores


def scored(**columns):
    n = len(next(iter(columns.values())))
    key = {"variant": "printed", "deal": range(n), "mirrored": False, "play": range(n), "seat": 0}
    return pd.DataFrame({**key, "policy": "greedy", **columns})


def test_score_summary_student_1908():
    hours = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14]  # tenths
    (row,) = stats.score_summary(scored(total=hours)).to_dict("records")
    assert (round(row["low"], 3), round(row["high"], 3), row["estimate"]) == (7.001, 24.599, 15.8)
    assert row["sd"] == pytest.approx(12.29995, abs=1e-5)


def test_score_summary_quantiles_as_numpy():
    rng = np.random.default_rng(1)
    total = rng.integers(-20, 90, 37)
    (row,) = stats.score_summary(scored(total=total)).to_dict("records")
    expected = np.quantile(total, [0.05, 0.25, 0.5, 0.75, 0.95])
    np.testing.assert_allclose([row[q] for q in ("q05", "q25", "median", "q75", "q95")], expected)
    (real,) = stats.score_summary(scored(total=total / 4)).to_dict("records")
    assert real["q95"] == pytest.approx(expected[-1] / 4)


def test_score_summary_averages_mirrored_plays_first(game):
    table = stats.score_summary(game.seats)
    assert (table["n"] == 150).all() and len(table) == 6
    seats = game.seats
    mine = seats[(seats["variant"] == "printed") & (seats["seat"] == 0)]
    deals = mine.groupby("deal")["total"].mean()
    expected = scipy_stats.t.interval(0.95, 149, deals.mean(), deals.std() / np.sqrt(150))
    np.testing.assert_allclose(table.loc[0, ["low", "high"]].tolist(), expected)
    assert table.loc[0, "sd"] == pytest.approx(mine["total"].std())


def test_score_summary_of_one_deal_has_no_interval():
    row = stats.score_summary(scored(total=[40])).iloc[0]
    assert row["estimate"] == 40 and np.isnan(row["low"]) and np.isnan(row["sd"])


def test_score_sources_are_found_between_policy_and_total():
    table = stats.score_sources(scored(wells=[1, 3], towns=[6, 6], total=[7, 9], cat_tokens=[1, 2]))
    assert table["source"].tolist() == ["wells", "towns"]
    assert table["estimate"].tolist() == [2, 6]
    assert table["share_of_total"].tolist() == [0.25, 0.75]


def test_score_sources_named(game):
    table = stats.score_sources(game.seats, sources=["mon"])
    assert set(table["source"]) == {"mon"}
    assert len(stats.score_sources(game.seats)) == 6 * len(SOURCES)


def test_score_sources_share_of_nothing_is_unknown():
    assert stats.score_sources(scored(wells=[0], total=[0]))["share_of_total"].isna().all()


def test_score_sources_without_any():
    with pytest.raises(ValueError, match="no columns between policy and total"):
        stats.score_sources(scored(total=[3]))


def test_score_distribution_adds_up(game):
    table = stats.score_distribution(game.seats)
    sums = table.groupby(["variant", "seat"])["estimate"].sum()
    np.testing.assert_allclose(sums, 1)
    mean = (table["total"] * table["estimate"]).groupby([table["variant"], table["seat"]]).sum()
    np.testing.assert_allclose(mean, stats.score_summary(game.seats)["estimate"])


def test_score_distribution_wants_whole_points():
    with pytest.raises(ValueError, match="found a fraction, wanted whole points"):
        stats.score_distribution(scored(total=[1.5]))


def test_lead_by_turn():
    turns = pd.DataFrame(
        {"variant": "v", "deal": [0, 0, 1, 2], "mirrored": False, "play": [0, 0, 1, 2]}
    ).assign(turn=[1, 2, 1, 1], seat=[0, 1, 0, 0], lead=[4, -3, 0, 2])
    table = stats.lead_by_turn(turns)
    assert table["turn"].tolist() == [1, 2] and table["n"].tolist() == [3, 1]
    assert table["seat"].tolist() == [0, 1]
    assert table["estimate"].tolist() == [2, -3] and table["median"].tolist() == [2, -3]
    # mean 2, sd 2, t(2) = 4.303
    assert table.loc[0, "high"] == pytest.approx(2 + 4.30265 * 2 / np.sqrt(3), abs=1e-4)
    assert np.isnan(table.loc[1, "low"])


# card_value


def one_card(shares, takers):
    seats = from_shares(shares)
    n = len(shares)
    key = {"variant": "printed", "deal": range(n), "mirrored": False, "play": range(n)}
    return pd.DataFrame({**key, "card": "P5", "seat": takers}), seats


def test_card_value_counts_takers_and_others():
    cards, seats = one_card([[1, 0], [1, 0], [0, 1], [0.5, 0.5]], [0, 0, 1, -1])
    (row,) = stats.card_value(cards, seats).to_dict("records")
    assert row["taken"] == 0.75 and row["n"] == 3
    assert row["taker_share"] == 1 and row["other_share"] == pytest.approx(1 / 5)  # 0, 0, 0, 0.5, 0.5
    assert row["estimate"] == pytest.approx(0.8)
    assert row["low"] < 0.8 <= row["high"] <= 1


def test_card_value_of_one_taker_a_deal_is_a_bounded_mean():
    # One seat took it in each deal, so each deal's difference is +1 or -1: 7 and 3 of 10.
    cards, seats = one_card([[1, 0]] * 10, [0] * 7 + [1] * 3)
    (row,) = stats.card_value(cards, seats).to_dict("records")
    low, high = stats.bounded_mean(0.4, 10 * (1 - 0.4**2), 10, -1, 1)
    assert (row["estimate"], row["low"], row["high"]) == pytest.approx((0.4, float(low), float(high)))


def test_card_value_nobody_took_is_unknown():
    cards, seats = one_card([[1, 0], [0, 1]], [-1, -1])
    (row,) = stats.card_value(cards, seats).to_dict("records")
    assert np.isnan(row["estimate"]) and np.isnan(row["low"]) and np.isnan(row["taker_share"])
    assert row["taken"] == 0 and row["n"] == 0 and row["other_share"] == 0.5


def test_card_value_two_copies():
    cards, seats = one_card([[1, 0], [1, 0]], [0, 0])
    again = cards.assign(seat=[0, -1])
    (row,) = stats.card_value(pd.concat([cards, again]), seats).to_dict("records")
    assert row["taken"] == 0.75 and row["taker_share"] == 1 and row["other_share"] == 0


def test_card_value_covers_a_card_that_does_nothing():
    runs, deals = 1000, 30
    rng = np.random.default_rng(5)
    wins = rng.integers(0, 2, runs * deals)
    play = np.arange(runs * deals)
    key = pd.DataFrame(
        {"variant": play // deals, "deal": play % deals, "mirrored": False, "play": play % deals}
    )
    seats = pd.concat([key.assign(seat=s, policy="p", share=np.where(s, 1 - wins, wins)) for s in (0, 1)])
    cards = key.assign(card="c", seat=rng.choice([-1, 0, 1], runs * deals, p=[0.2, 0.5, 0.3]))
    table = stats.card_value(cards, seats)
    held = np.count_nonzero((table["low"] <= 0) & (table["high"] >= 0))
    assert held >= scipy_stats.binom.ppf(1e-4, runs, 0.94)
    assert held <= scipy_stats.binom.ppf(1 - 1e-4, runs, 0.985)  # not so wide as to say nothing


def test_card_value_wants_frames_of_one_run():
    cards, seats = one_card([[1, 0], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match=r"cards row 1 \(variant printed, deal 1\) is of a play that seats"):
        stats.card_value(cards, seats[seats["deal"] == 0])
    with pytest.raises(ValueError, match="cards has variant 'other'"):
        stats.card_value(cards.assign(variant="other"), seats)
    with pytest.raises(ValueError, match="give one run at a time"):
        stats.card_value(cards, pd.concat([seats, seats]))
    with pytest.raises(ValueError, match="found 0 to 5, allowed are -1 to 1"):
        stats.card_value(cards.assign(seat=[0, 5]), seats)


# Frames that cannot be counted


@each
def test_empty_frames_are_refused(statistic, game):
    empty = type(game)(*(frame.iloc[:0] for frame in vars(game).values()))
    with pytest.raises(ValueError, match=r"^\w+: the frame is empty, there are no plays to count$"):
        statistic(empty)


@each
def test_missing_columns_are_named(statistic, game):
    lacking = type(game)(*(frame.drop(columns="deal") for frame in vars(game).values()))
    with pytest.raises(
        ValueError, match=r"^\w+: the frame lacks the column deal; found: variant, mirrored"
    ) as e:
        statistic(lacking)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s[s["seat"] == 1], "found rows for seats 1, wanted one each for 0 to 1"),
        (lambda s: s.drop(index=3), "variant printed, deal 1, play 1: found rows for seats 0"),
        (lambda s: s.assign(won="yes"), "column won: found str values, wanted numbers"),
        (lambda s: s.assign(share=np.nan), "column share, row 0: found nothing, wanted a number"),
        (lambda s: s.assign(variant=None), "column variant, row 0: found nothing, wanted a name"),
        (lambda s: s.to_dict(), "found dict, wanted a pandas DataFrame"),
    ],
)
def test_what_is_wrong_with_a_frame_is_said(change, message):
    with pytest.raises(ValueError, match=message) as e:
        stats.win_rate(change(from_shares([[1, 0], [0, 1], [1, 0]])))
    assert "\n" not in str(e.value)


def test_one_name_may_be_given_without_a_list():
    seats = coin_game({"a": 0.5}, deals=20, mirror=True, policies=("x", "y")).seats
    pd.testing.assert_frame_equal(stats.win_rate(seats, by="seat"), stats.win_rate(seats, by=("seat",)))
    pd.testing.assert_frame_equal(
        stats.score_sources(seats, sources="cats"), stats.score_sources(seats, sources=["cats"])
    )
    with pytest.raises(ValueError, match="by: found 'chair', allowed are pairing, seat, policy"):
        stats.win_rate(seats, by="chair")
