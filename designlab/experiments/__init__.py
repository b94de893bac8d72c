"""Runs that settle something: as many plays as a question needs, many runs, kept runs.

until   `simulate_until`: on until a question is settled
axes    what a sweep or a search turns
sweeps  `sweep`: the same deals at every point of a design (designs.py)
advantages, compensation  `advantage_table`, `compensation_curve`: what a seat is worth, and what makes it even
worth   `card_worth`: a card forced, forbidden or exchanged (card_arms.py)
tuning  `tune`: values of free knobs that reach a target, confirmed on fresh deals
store   `experiment`: runs kept in a folder, to be gone on with and asked in SQL
"""

from designlab.experiments.advantages import advantage_table
from designlab.experiments.compensation import Compensation, compensation_curve
from designlab.experiments.store import Experiment, experiment, resume
from designlab.experiments.sweeps import sweep
from designlab.experiments.swept import Sweep
from designlab.experiments.tuning import Tuned, read_tune, tune
from designlab.experiments.until import Until, simulate_until
from designlab.experiments.worth import CardWorth, card_worth

__all__ = [
    "CardWorth",
    "Compensation",
    "Experiment",
    "Sweep",
    "Tuned",
    "Until",
    "advantage_table",
    "card_worth",
    "compensation_curve",
    "experiment",
    "read_tune",
    "resume",
    "simulate_until",
    "sweep",
    "tune",
]
