"""Experiments that are kept in a folder, survive whatever ends them, and can be asked in SQL.

plan    what is played, as the manifest has it; whether two plans are the same
parts   stretches of plays as Parquet bytes, and the names of their files
folder  what lies where on disk, written so that nothing is half there
stored  `Experiment`: reading
run     `experiment`, `resume`: playing what is missing
asking  duckdb over one or several experiments
"""

from designlab.experiments.store.run import experiment, resume
from designlab.experiments.store.stored import Experiment

__all__ = ["Experiment", "experiment", "resume"]
