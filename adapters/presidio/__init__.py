"""Personal data: found by presidio-analyzer, changed by presidio-anonymizer."""

from adapters.presidio.anonymizer import PresidioAnonymizer
from adapters.presidio.detector import PresidioDetector

__all__ = ["PresidioAnonymizer", "PresidioDetector"]
