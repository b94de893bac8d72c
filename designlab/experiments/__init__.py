"""Runs that settle something: as many plays as a question needs, the same deals at many points.

    until   `simulate_until`: on until a question is settled
    axes    what a sweep or a search turns
    sweeps  `sweep`: the same deals at every point of a design (designs.py)
"""

from designlab.experiments.sweeps import sweep
from designlab.experiments.swept import Sweep
from designlab.experiments.until import Until, simulate_until

__all__ = ["Sweep", "Until", "simulate_until", "sweep"]
