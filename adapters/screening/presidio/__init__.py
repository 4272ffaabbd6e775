"""Personal data: found by presidio-analyzer, changed by presidio-anonymizer."""

from adapters.screening.presidio.anonymizer import PresidioAnonymizer
from adapters.screening.presidio.detector import PresidioDetector

__all__ = ["PresidioAnonymizer", "PresidioDetector"]
