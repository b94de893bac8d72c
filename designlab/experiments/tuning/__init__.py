"""Tuning to a target: free knobs in, a variant and a page of account out.

targets     bands for outcomes, and how far from its band an outcome is
candidates  variants that are tried: what they came to in every deal, which one beats which
proposals   what to try next, from optuna
search      few deals for all, more for those that nothing beats
confirm     fresh deals, so that luck is not taken for success
tuner       all that together; result and account say what came of it
file        a tuning written down
"""

from designlab.experiments.tuning.file import TuneFile, TuneJob, read_tune
from designlab.experiments.tuning.result import Tuned
from designlab.experiments.tuning.targets import Target, targets_of
from designlab.experiments.tuning.tuner import tune

__all__ = ["Target", "TuneFile", "TuneJob", "Tuned", "read_tune", "targets_of", "tune"]
