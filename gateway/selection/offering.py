"""Which of the tools that an agent may see a question needs."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from gateway.model.sources.offering import Offering


def needed(fits: Mapping[str, float], near: AbstractSet[str], terms: Offering) -> list[str]:
    """
    The tools to show, by name.

    A question that common words tell nothing of may still need a tool, and a tool that is missing costs an answer, where one too
    many costs a few tokens: then all that are near are shown.

    Args:
        fits: how well each tool fits the question.
        near: those that are asked about the request's own entity.
        terms: the bundle's.
    """
    best = max(fits.values(), default=0.0)

    def enough(name: str) -> bool:
        fit = terms.near if name in near else terms.others
        return fits[name] > 0 and fits[name] >= max(fit.least, fit.share * best)

    chosen = sorted((name for name in fits if enough(name)), key=lambda name: (-fits[name], name))[: terms.most]
    return sorted({*chosen, *(near & fits.keys() if best < terms.unsure else ())})
