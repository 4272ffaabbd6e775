"""Stage: what do the pieces of a prompt say where they stand together?"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, cast

from gateway.content.together import Neighbours, runs
from gateway.content.turns import CLEARLY
from gateway.errors import PackRefusedError
from gateway.model import Case, Finding, Loss, Piece, ReleaseAnswer, Selection
from gateway.model.content import content_text
from gateway.model.policy_answer import Together
from gateway.model.policy_input import FindingFacts, ReleaseInput
from gateway.policy.ask import ask
from gateway.policy.entrypoints import RELEASE
from gateway.ports.policy import PolicyEngine
from gateway.ports.screening import Detector
from gateway.prompt.layers import LAYERS, in_layer
from gateway.screening.find import FindingCache, screen_texts, serving

ROUNDS: Final = 3
"""Without some pieces others stand together; after so many looks all that nobody vouches for is left out of the layer."""


async def reread(
    picked: Selection,
    layered: Selection,
    case: Case,
    together: Together | None,
    *,
    fit: Callable[[Selection], Awaitable[Selection]],
    detectors: Sequence[Detector],
    cache: FindingCache,
    policy: PolicyEngine,
    never_cut: Sequence[str],
) -> Selection:
    """
    What fits, without pieces that say something else together than each of them alone.

    Of each layer what nobody vouches for is looked at once more as it stands there, where pieces meet.  What is found is put to
    policy as a finding in each of the pieces; those that it would not release so are left out, and the rest is fitted anew.

    Args:
        picked: what fits.
        layered: what it was picked from.
        case: the request.
        together: what policy wants to be looked for; None for nothing.
        fit: picks again.
        detectors: to look with.
        cache: of findings, by content.
        policy: to ask.
        never_cut: sections that no pack goes without.

    Raises:
        PackRefusedError: only pieces that no pack goes without say it.

        DetectorError: a detector is missing or did not answer.

        PolicyError: policy gave no usable answer.
    """
    if together is None:
        return picked
    for _ in range(ROUNDS):
        gone = await _telling(picked, case, together, detectors=detectors, cache=cache, policy=policy)
        if not gone:
            return picked
        layered, picked = await _without(gone, layered, fit, never_cut)
    left = [piece for piece in picked.kept if piece.ruling.fence is not None]
    return (await _without({one.index: ("INJ-003",) for one in left}, layered, fit, never_cut))[1] if left else picked


async def _without(
    gone: Mapping[int, Sequence[str]],
    layered: Selection,
    fit: Callable[[Selection], Awaitable[Selection]],
    never_cut: Sequence[str],
) -> tuple[Selection, Selection]:
    # Out of what was picked from, not of what was picked: what did not fit before may fit now.
    out = [one for one in layered.kept if one.index in gone and one.ruling.item.section not in never_cut]
    if not out:
        codes = sorted({code for some in gone.values() for code in some})
        raise PackRefusedError("what stands together in the prompt is not what each item is", reasons=codes)
    names = {one.index for one in out}
    lost = (*layered.lost, *(Loss(piece=one, reason="together") for one in out))
    kept = tuple(one for one in layered.kept if one.index not in names)
    left = layered.model_copy(update={"kept": kept, "lost": lost})
    return left, await fit(left)


async def _telling(
    picked: Selection,
    case: Case,
    together: Together,
    *,
    detectors: Sequence[Detector],
    cache: FindingCache,
    policy: PolicyEngine,
) -> dict[int, tuple[str, ...]]:
    """By place, the pieces that policy would not release with what stands together in them, with its codes."""
    # Where something is found each part is looked at alone too: an end torn out of a long piece may read otherwise than the piece.
    read = [run for layer in LAYERS for run in runs(_untrusted(picked, layer), together.edge_characters)]
    suspected: dict[int, tuple[Piece, list[Finding]]] = {}
    for screening in together.screenings:
        detector, tenant = serving(detectors, screening), case.subject.tenant
        found = await screen_texts([run.text for run in read], detector, screening, tenant, cache)
        signs = [(run, finding) for run in read for finding in found[run.text] if _may_be_new(run, finding)]
        parts = [text for run, _ in signs for _, text in run.parts]
        alone = await screen_texts(parts, detector, screening, tenant, cache)
        for run, finding in signs:
            if all(_is_weaker(alone[text], finding) for _, text in run.parts):
                for piece in run.within(finding.start, finding.end):
                    suspected.setdefault(piece.index, (piece, []))[1].append(finding)
    return await _refused(list(suspected.values()), policy)


def _untrusted(picked: Selection, layer: str) -> list[tuple[Piece, str]]:
    pieces = in_layer(layer, picked.kept)  # type: ignore[arg-type]
    return [(piece, content_text(piece.content)) for piece in pieces if piece.ruling.fence is not None]


def _may_be_new(run: Neighbours[Piece], finding: Finding) -> bool:
    """Whether a finding is of more than one piece, and was in none of them when it was ruled on."""
    pieces = run.within(finding.start, finding.end)
    if len(pieces) < 2:
        return False
    # Values that were found in a piece alone are out of it already: one that reaches over a seam is another.
    return finding.kind == "pii" or all(_is_weaker(piece.ruling.findings, finding) for piece in pieces)


def _is_weaker(known: Sequence[Finding], finding: Finding) -> bool:
    """Whether no sign of that kind, or of personal data of that type, is known that is about as strong."""
    same = [one for one in known if one.kind == finding.kind and (finding.kind != "pii" or one.type == finding.type)]
    return all(one.score + CLEARLY < finding.score for one in same)


async def _refused(
    suspected: Sequence[tuple[Piece, Sequence[Finding]]], policy: PolicyEngine
) -> dict[int, tuple[str, ...]]:
    inputs = [_input(piece, found) for piece, found in suspected]
    answers = await ask(policy, RELEASE, inputs) if inputs else []
    return {
        piece.index: tuple(sorted({denial.code for denial in answer.denials}))
        for (piece, _), answer in zip(suspected, answers, strict=True)
        if not _as_ruled(piece, answer)
    }


def _input(piece: Piece, found: Sequence[Finding]) -> ReleaseInput:
    asked = cast("ReleaseInput", piece.ruling.facts)
    new: list[FindingFacts] = [{"kind": one.kind, "type": one.type, "score": one.score} for one in found]
    return {**asked, "findings": [*asked["findings"], *new]}


def _as_ruled(piece: Piece, answer: ReleaseAnswer) -> bool:
    """Whether policy still says what it said; what else it would have done to the piece can no longer be done."""
    return answer.outcome == piece.ruling.outcome and answer.obligations == piece.ruling.obligations
