"""Stage: carry out the obligations on the content of what may be released."""

from collections import defaultdict
from collections.abc import Sequence

from pydantic import JsonValue

from gateway.concurrency.apart import apart
from gateway.content.leaves import OF_NAME, replace_leaves
from gateway.errors import ObligationError
from gateway.model import Case, Ruling
from gateway.model.content import Cut, Rendering, content_text
from gateway.model.policy_input import OriginFacts
from gateway.model.pseudonyms import Pseudonyms
from gateway.ports.screening import Anonymizer
from gateway.ports.stores import Vault
from gateway.prompt.fence import fence_of
from gateway.prompt.rendering import neutralised


async def redact(
    rulings: Sequence[Ruling], case: Case, *, anonymizer: Anonymizer, vault: Vault, rendering: Rendering
) -> list[Ruling]:
    """
    Give every releasable ruling the content that may be handed over, and keep what its tokens stand for.

    Args:
        rulings: all of them.
        case: the request.
        anonymizer: changes values.
        vault: keeps what tokens stand for.
        rendering: what may not act where it is rendered.

    Raises:
        ObligationError: policy asks for something that cannot be carried out.

        StoreError: the vault did not take what the tokens stand for.
    """
    pseudonyms = Pseudonyms(case.tenant_key, case.request.purpose, case.session)
    redacted = await apart(lambda: _redact(rulings, anonymizer, pseudonyms, rendering))
    if pseudonyms.made:
        await vault.keep(case.subject.tenant, case.request.purpose, pseudonyms.made, _origin(case))
    return redacted


def _origin(case: Case) -> OriginFacts:
    """What policy is told of the request, should somebody ask what its tokens stand for."""
    return {
        "jurisdictions": list(case.request.jurisdictions),
        "domain": case.domain,
        "session": case.session,
        "role": case.subject.role,
    }


def _redact(
    rulings: Sequence[Ruling], anonymizer: Anonymizer, pseudonyms: Pseudonyms, rendering: Rendering
) -> list[Ruling]:
    return [
        _releasable(ruling, _plain(ruling, _redacted(ruling, anonymizer, pseudonyms), rendering))
        if ruling.usable
        else ruling
        for ruling in rulings
    ]


def _redacted(ruling: Ruling, anonymizer: Anonymizer, pseudonyms: Pseudonyms) -> JsonValue:
    operators: dict[str, str] = {}
    for obligation in ruling.obligations:
        if obligation.type == "redact":
            if obligation.operator is None or not obligation.entities:
                raise ObligationError("policy asks for a redaction that names no entities or no operator")
            operators.update(dict.fromkeys(obligation.entities, obligation.operator))
    cuts: dict[str, list[Cut]] = defaultdict(list)
    for finding in ruling.findings:
        if finding.kind == "pii" and finding.type in operators:
            cuts[_place(finding.path)].append(Cut(finding.start, finding.end, finding.type, operators[finding.type]))

    def change(path: str, text: str) -> str | None:
        place = _place(path)
        return anonymizer.apply(text, cuts[place], pseudonyms) if place in cuts else None

    content = _exposed(ruling)
    return replace_leaves(content, change) if cuts else content


def _plain(ruling: Ruling, content: JsonValue, rendering: Rendering) -> JsonValue:
    """The content without what would act where it is rendered; after the redaction, which may join what stood apart."""
    duties = [obligation for obligation in ruling.obligations if obligation.type == "neutralise"]
    kinds = {kind for obligation in duties for kind in obligation.entities}

    def change(_: str, text: str) -> str | None:
        plain = neutralised(text, kinds, rendering)
        return None if plain == text else plain

    return replace_leaves(content, change) if duties else content


def _place(path: str) -> str:
    """Where a finding counts: at its leaf; one in the name of a field, wherever a field has that name."""
    return path.rpartition("/")[2] if path.endswith(OF_NAME) else path


def _exposed(ruling: Ruling) -> JsonValue:
    """The content, or of it the members that policy lists; what is no object has none of them."""
    lists = [set(obligation.fields) for obligation in ruling.obligations if obligation.type == "expose"]
    if not lists:
        return ruling.item.content
    allowed = set.intersection(*lists)
    content = ruling.item.content
    return {name: value for name, value in content.items() if name in allowed} if isinstance(content, dict) else {}


def _releasable(ruling: Ruling, content: JsonValue) -> Ruling:
    kinds = {obligation.type for obligation in ruling.obligations}
    if "label_web_source" in kinds:
        content = f"[web source: not for regulatory claims or decisions]\n{content_text(content)}"
    return ruling.model_copy(update={"content": content, "fence": fence_of(ruling) if "fence" in kinds else None})
