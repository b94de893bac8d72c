"""Runs that settle something: as many plays as a question needs."""

from designlab.experiments.until import Until, simulate_until

__all__ = ["Until", "simulate_until"]
