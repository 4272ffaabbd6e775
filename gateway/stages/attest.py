"""Stage: who vouches for the labels of each item?"""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.model import Candidate, Case, Registry
from gateway.model.case import Attested
from gateway.policy.vouching import Verifiers, Vouching


async def attest(
    candidates: Sequence[Candidate], case: Case, *, registry: Registry, verifiers: Verifiers
) -> list[Attested]:
    """
    Each candidate with what could be established of it, in the order they came; what follows from that is for policy to say.

    What the gateway fetched is vouched for by the source that it fetched it from; a text of the prompt library by the library,
    whoever brings it; an agent's output by the receipt of a pack, where it brings one; everything else by the signature that it
    carries.
    """
    vouching = Vouching.under(registry, verifiers, case.subject.tenant, case.now)
    # Signatures cost processor time in proportion to the items, and other requests wait on the event loop.
    return await apart(lambda: [vouching.of(item) for item in candidates])
