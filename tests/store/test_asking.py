"""Questions in SQL: answered from the files, never mixing rules, never reaching anything else."""

import shutil

import pytest
from store_help import PRINTED

import designlab
from designlab import stats
from designlab.cards import DataError
from designlab.experiments import Experiment, experiment
from designlab.experiments.store.asking import ask


def test_sql_and_pandas_agree(whole):
    told = whole.query(
        "select variant, seats_policies, seat, avg(share)::double as share, count(*) as plays from seats "
        "group by all order by all"
    )
    for row in told.to_dict("records"):
        mine = whole.frame("seats", row["variant"], seats=row["seats_policies"].split(","))
        mine = mine[mine["seat"] == row["seat"]]
        assert (row["share"], row["plays"]) == (pytest.approx(mine["share"].mean()), len(mine))
    assert len(told) == 8


def test_variants_come_with_their_knobs_and_join(whole):
    told = whole.query(
        "select cat_curve, count(*) as plays from plays join variants using (experiment, variant) "
        "group by all order by 1"
    )
    assert told.to_dict("list") == {"cat_curve": ["linear", "square"], "plays": [240, 240]}
    assert whole.query("select key from variants where variant = 'printed'").iloc[0, 0] == PRINTED.key


def test_several_experiments_together(tmp_path, whole):
    other = experiment(tmp_path / "other's", PRINTED, plays=20, frames=["plays"])
    told = ask([whole, other], "select experiment, count(*) as plays from plays group by all order by all")
    assert told.to_dict("list") == {"experiment": ["other's", "runs"], "plays": [20, 480]}
    with pytest.raises(DataError, match="found two experiments of that name"):
        ask([whole, whole], "select 1")
    with pytest.raises(DataError, match="experiments: found none"):
        ask([], "select 1")


def test_other_rules_and_other_games_are_never_mixed_in(tmp_path, whole):
    shutil.copytree(whole.folder, tmp_path / "old")
    manifest = tmp_path / "old" / "manifest.json"
    rules = whole.plan.rules_version
    manifest.write_text(manifest.read_text().replace(f'"rules_version": "{rules}"', '"rules_version": "0"'))
    with pytest.raises(
        DataError, match=f"old: found rules version 0 beside {rules}; allowed: experiments of one"
    ):
        ask([whole, Experiment(tmp_path / "old")], "select 1")
    panic = experiment(tmp_path / "panic", designlab.variant("panic", "printed"), plays=2, frames=["plays"])
    with pytest.raises(DataError, match="panic: found game panic beside kimono"):
        ask([whole, panic], "select 1")


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("selec 1", "sql: Parser Error.*tables: failures, plays, seats, variants"),
        ("select * from cards", "sql: Catalog Error: Table with name cards does not exist.*tables: failures"),
        ("select foo from plays", "sql: Binder Error"),
        ("", "sql: found nothing; allowed: one SELECT"),
        ("select 1; select 2", "sql: found SELECT, SELECT; allowed: one SELECT"),
        ("drop table variants", "sql: found DROP; allowed: one SELECT"),
        ("delete from variants", "sql: found DELETE; allowed: one SELECT"),
        ("attach 'x.db'", "sql: found ATTACH; allowed"),
        ("copy plays to 'x.csv'", "sql: found COPY; allowed"),
        ("install httpfs", "sql: found LOAD; allowed"),
        ("set enable_external_access = true", "sql: found SET; allowed"),
        ("select * from read_csv('/etc/passwd')", "sql: Permission Error"),
        ("select * from glob('/etc/*')", "sql: Permission Error"),
        ("select * from '/etc/passwd'", "sql: "),
        ("select * from whole", "sql: Catalog Error"),  # a name of this program is no table
    ],
)
def test_nothing_but_the_tables_can_be_read_and_nothing_written(tmp_path, monkeypatch, whole, sql, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=words):
        whole.query(sql)
    assert [*tmp_path.iterdir()] == []


def test_a_name_that_stands_for_others_is_refused(tmp_path):
    experiment(tmp_path / "exp1", PRINTED, plays=4, frames=["plays"])
    star = experiment(tmp_path / "exp*", PRINTED, plays=4, frames=["plays"])
    assert len(star.plays) == 4
    with pytest.raises(
        DataError, match=r"exp\*: found \* in its path; allowed, to ask in SQL: none of \* \? \["
    ):
        star.query("select * from plays")


def test_an_answer_with_text_in_it_cannot_leave_the_text(tmp_path):
    kept = experiment(tmp_path / "a'; drop table variants; --", PRINTED, plays=2)
    assert kept.query("select distinct experiment from plays").iloc[0, 0] == "a'; drop table variants; --"


def test_statistics_of_an_answer(whole):
    """A SELECT of whole plays is a frame like any other."""
    seats = whole.query(
        "select * from seats where seats_policies = 'greedy,greedy' order by variant, deal, seat"
    )
    mine = stats.win_rate(seats).sort_values(["variant", "seat"])
    theirs = stats.win_rate(whole.frame("seats", seats=["greedy", "greedy"])).sort_values(["variant", "seat"])
    assert dict(
        zip(mine["variant"].astype(str) + mine["seat"].astype(str), mine["estimate"], strict=True)
    ) == dict(
        zip(theirs["variant"].astype(str) + theirs["seat"].astype(str), theirs["estimate"], strict=True)
    )
