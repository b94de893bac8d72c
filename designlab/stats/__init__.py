"""Statistics: a frame in, a frame out. Every row has estimate, low, high, n and level.

n counts deals, the unit of evidence: plays of one deal are averaged before they are counted.
The functions see frames only, whether they come from a run or from a saved CSV or Parquet file.
"""

from designlab.stats.anytime import bounded_sequence, is_refuted, normal_sequence
from designlab.stats.card_effects import card_effect
from designlab.stats.cards import CARD_VALUE_CAVEAT, card_value
from designlab.stats.contrast import compare
from designlab.stats.crossing import crossing
from designlab.stats.decisions import decision_verdict, decisions
from designlab.stats.finisher import finisher_advantage
from designlab.stats.intervals import bounded_mean, t_mean, wilson
from designlab.stats.means import mean_by
from designlab.stats.multiplicity import adjusted
from designlab.stats.outcomes import Outcome, outcome_differences, outcome_values, outcomes
from designlab.stats.planning import plays_needed
from designlab.stats.ranks import rank_contrasts, rank_table, rank_uniformity, rank_verdict
from designlab.stats.rates import seat_advantage, win_rate
from designlab.stats.scores import lead_by_turn, score_distribution, score_sources, score_summary
from designlab.stats.sensitivity import morris_effects, sobol_indices
from designlab.stats.sprt import pair_test, policy_test
from designlab.stats.words import advantage_verdict, plays_for, verdict

__all__ = [
    "CARD_VALUE_CAVEAT",
    "Outcome",
    "adjusted",
    "advantage_verdict",
    "bounded_mean",
    "bounded_sequence",
    "card_effect",
    "card_value",
    "compare",
    "crossing",
    "decision_verdict",
    "decisions",
    "finisher_advantage",
    "is_refuted",
    "lead_by_turn",
    "mean_by",
    "morris_effects",
    "normal_sequence",
    "outcome_differences",
    "outcome_values",
    "outcomes",
    "pair_test",
    "plays_for",
    "plays_needed",
    "policy_test",
    "rank_contrasts",
    "rank_table",
    "rank_uniformity",
    "rank_verdict",
    "score_distribution",
    "score_sources",
    "score_summary",
    "seat_advantage",
    "sobol_indices",
    "t_mean",
    "verdict",
    "wilson",
    "win_rate",
]
