"""What a worker loads before its first job."""

import gc
import multiprocessing

from adapters.screening.injection.detector import warm as warm_injection
from adapters.screening.presidio.engine import warm as warm_presidio


def warm_up(spacy_model: str, encoder: str) -> None:
    """Load every detector."""
    warm_presidio(spacy_model)
    warm_injection(encoder)
    if multiprocessing.parent_process() is not None:
        # The models stay as long as the worker: no collection between two texts need look at their objects again.
        gc.collect()
        gc.freeze()
