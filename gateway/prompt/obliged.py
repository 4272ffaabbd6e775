"""What may be handed over of a content once its obligations are carried out: redacted, in part, in other brackets, labelled."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from gateway.content.leaves import OF_NAME, replace_leaves
from gateway.errors import ObligationError
from gateway.model import Finding
from gateway.model.content import Cut, Rendering, content_text
from gateway.model.policy_answer import Obligation
from gateway.model.pseudonyms import Pseudonyms
from gateway.ports.screening import Anonymizer
from gateway.prompt.rendering import neutralised


@dataclass(frozen=True, slots=True)
class Carrier:
    """Carries obligations out."""

    anonymizer: Anonymizer
    """Changes values."""

    pseudonyms: Pseudonyms
    """What values are called."""

    rendering: Rendering
    """What may not act where it is rendered."""

    def released(self, content: JsonValue, obligations: Sequence[Obligation], findings: Sequence[Finding]) -> JsonValue:
        """
        The content as it may be handed over, without its fence.

        Raises:
            ObligationError: policy asks for something that cannot be carried out.
        """
        redacted = self._redacted(_exposed(content, obligations), obligations, findings)
        plain = self._plain(redacted, obligations)
        if any(one.type == "label_web_source" for one in obligations):
            return f"[web source: not for regulatory claims or decisions]\n{content_text(plain)}"
        return plain

    def _redacted(
        self, content: JsonValue, obligations: Sequence[Obligation], findings: Sequence[Finding]
    ) -> JsonValue:
        operators: dict[str, str] = {}
        for obligation in obligations:
            if obligation.type == "redact":
                if obligation.operator is None or not obligation.entities:
                    raise ObligationError("policy asks for a redaction that names no entities or no operator")
                operators.update(dict.fromkeys(obligation.entities, obligation.operator))
        cuts: dict[str, list[Cut]] = defaultdict(list)
        for found in findings:
            if found.kind == "pii" and found.type in operators:
                cuts[_place(found.path)].append(Cut(found.start, found.end, found.type, operators[found.type]))

        def change(path: str, text: str) -> str | None:
            place = _place(path)
            return self.anonymizer.apply(text, cuts[place], self.pseudonyms) if place in cuts else None

        return replace_leaves(content, change) if cuts else content

    def _plain(self, content: JsonValue, obligations: Sequence[Obligation]) -> JsonValue:
        """The content without what would act where it is rendered; after the redaction, which may join what stood apart."""
        duties = [obligation for obligation in obligations if obligation.type == "neutralise"]
        kinds = {kind for obligation in duties for kind in obligation.entities}

        def change(_: str, text: str) -> str | None:
            plain = neutralised(text, kinds, self.rendering)
            return None if plain == text else plain

        return replace_leaves(content, change) if duties else content


def fences(obligations: Sequence[Obligation]) -> bool:
    """Whether policy wants the content in a fence."""
    return any(obligation.type == "fence" for obligation in obligations)


def _place(path: str) -> str:
    """Where a finding counts: at its leaf; one in the name of a field, wherever a field has that name."""
    return path.rpartition("/")[2] if path.endswith(OF_NAME) else path


def _exposed(content: JsonValue, obligations: Sequence[Obligation]) -> JsonValue:
    """The content, or of it the members that policy lists; what is no object has none of them."""
    lists = [set(obligation.fields) for obligation in obligations if obligation.type == "expose"]
    if not lists:
        return content
    allowed = set.intersection(*lists)
    return {name: value for name, value in content.items() if name in allowed} if isinstance(content, dict) else {}
