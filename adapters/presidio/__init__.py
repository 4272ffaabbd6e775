"""Personal data: found by presidio-analyzer, changed by presidio-anonymizer."""

from adapters.presidio.anonymizer import PresidioAnonymizer
from adapters.presidio.detector import PresidioDetector
from adapters.presidio.engine import warm as warm_up

__all__ = ["PresidioAnonymizer", "PresidioDetector", "warm_up"]
