"""
Indian PAN: five letters, four digits, a letter; the fourth letter is the kind of holder.

Income Tax Department, "Permanent Account Number": A, B, C, F, G, H, J, L, P or T in the fourth place.  Presidio's weaker
patterns (any ten letters and digits) are left out: they are most of its time, and most of its false positives.
"""

from presidio_analyzer import Pattern
from presidio_analyzer.predefined_recognizers import InPanRecognizer


class StrictPanRecognizer(InPanRecognizer):
    """Presidio's recognizer with the strict form alone."""

    def __init__(self) -> None:
        form = r"(?<![A-Za-z0-9])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Za-z0-9])"
        super().__init__(patterns=[Pattern("PAN", form, 0.6)])
