"""The questions that policy answers: of each its name, what it is told and the shape of its answer, said here alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from gateway.model import Model
from gateway.model.knowledge.asked import DocumentInput
from gateway.model.policy_answer import (
    AdmitAnswer,
    CitationAnswer,
    DetokenizeAnswer,
    DocumentAnswer,
    ExceptionAnswer,
    PackAnswer,
    ReachAnswer,
    ReleaseAnswer,
    ScopeAnswer,
    ToolAnswer,
)
from gateway.model.policy_input import (
    AdmitInput,
    CitationInput,
    DetokenizeInput,
    ExceptionInput,
    PackInput,
    ReleaseInput,
    ScopeInput,
    ToolInput,
)

AskedT = TypeVar("AskedT", bound=Mapping[str, object])
AnsweredT = TypeVar("AnsweredT", bound=Model)


@dataclass(frozen=True, slots=True)
class Entrypoint(Generic[AskedT, AnsweredT]):
    """One question to policy."""

    name: str
    """Path of the rule below `data`, as OPA's Data API takes it."""

    input: type[AskedT]
    """What policy is told: the source of the schema in `policies/schemas`, against which OPA checks the rules."""

    answer: type[AnsweredT]
    """What it must answer; another shape is an error, and nothing is released."""


SCOPE: Final = Entrypoint("context/scope", ScopeInput, ScopeAnswer)
"""May this request be made, and what may be looked for?"""

ADMIT: Final = Entrypoint("context/admit", AdmitInput, AdmitAnswer)
"""May this item be considered, by its labels alone?"""

REACH: Final = Entrypoint("context/reach", AdmitInput, ReachAnswer)
"""May an item with these labels be found at all: what `ADMIT` decides, without its reasons?"""

RELEASE: Final = Entrypoint("context/release", ReleaseInput, ReleaseAnswer)
"""May it be released, with what was found in it, and how?"""

PACK: Final = Entrypoint("context/pack", PackInput, PackAnswer)
"""Do these items make a pack together?"""

DETOKENIZE: Final = Entrypoint("context/detokenize", DetokenizeInput, DetokenizeAnswer)
"""May the requester learn what a token stands for?"""

CITATION: Final = Entrypoint("context/citation", CitationInput, CitationAnswer)
"""Is a claim grounded in what it cites?"""

EXCEPTION: Final = Entrypoint("context/exception", ExceptionInput, ExceptionAnswer)
"""May this exception be asked for, or approved?"""

TOOL: Final = Entrypoint("context/tool", ToolInput, ToolAnswer)
"""May the agent be shown this tool?"""

DOCUMENT: Final = Entrypoint("context/document", DocumentInput, DocumentAnswer)
"""May this document be taken into its corpus?"""

ENTRYPOINTS: Final = (SCOPE, ADMIT, REACH, RELEASE, PACK, DETOKENIZE, CITATION, EXCEPTION, TOOL, DOCUMENT)

LATER: Final = frozenset({EXCEPTION.name, TOOL.name, REACH.name, DOCUMENT.name})
"""Questions that bundles kept from before do not answer: whoever asks them one hears that they cannot."""

NAMES: Final = tuple(entrypoint.name for entrypoint in ENTRYPOINTS)
"""What a bundle must answer to, and is compiled for."""
