"""What a worker loads before its first job."""

from adapters.screening.injection.detector import warm as warm_injection
from adapters.screening.presidio.engine import warm as warm_presidio


def warm_up(spacy_model: str, encoder: str) -> None:
    """Load every detector."""
    warm_presidio(spacy_model)
    warm_injection(encoder)
