"""
Names of people: by spaCy's small English model, kept only where they look and stand like names, and by the words that
introduce a person.

On reference-like text the raw model calls half of everything a person (order numbers, headings, streets), and it misses
many Asian names.  So its spans are checked for their form and their neighbours, and what follows "spoke with", "my name
is" or a title, or stands in a table's column of names, is a name if it has the form of one.  There is no list of names.
"""

import re

from collections.abc import Iterator
from typing import Final

import spacy

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from adapters.screening.presidio.recognizers.results import result

UNUSED: Final = ("tagger", "parser", "attribute_ruler", "lemmatizer", "senter")
"""Parts of the model that entities do not need; without them they are the same and take a third less."""

SCORE: Final = 0.7
ALONE: Final = 0.6
"""A single word that the model takes for a person."""

_REST: Final = r"[^\W\d_]{1,30}"
_WORD: Final = (
    r"[^\W\d_a-z](?:\.|(?=[A-Z]{0,30}[^\W\d_A-Z])"
    rf"{_REST}(?:['’-]{_REST}){{0,3}}|['’]{_REST}|(?= [^\W\d_a-z][^\W\d_A-Z]))"  # noqa: RUF001 - as people type it
)
"""A capitalised word, an initial, or a letter by itself before another word; bounded, so that no text takes long."""

_PARTICLE: Final = "bin|binte|binti|bt|s/o|d/o|a/l|a/p|van|von|der|de|da|del|al|el|ibn|la"
_FULL: Final = rf"{_WORD}(?: (?:{_WORD}|{_PARTICLE})){{1,5}}(?![^\W_])"
_ONE: Final = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]{2,}(?:'s)?")
_SPAN: Final = re.compile(r"(?<![^\W\d_])[^\W\d_a-z][^\W\d_]*\.?(?:[ '’\-]{1,2}[^\W\d_]+\.?|s/o|d/o|a/l|a/p){1,5}")  # noqa: RUF001

_INTRODUCED: Final = re.compile(
    r"(?<![^\W_])(?:[Nn]ame(?: is|:|s:)|[Ss]p(?:oke|eak|oken) (?:with|to)|[Mm]et (?:with )?|[Rr]ecords? (?:for|of)|"
    r"[Ff]ile (?:for|of)|[Aa]ccount of|[Bb]ehalf of|(?:[Ss]igned|[Aa]pproved|[Rr]eported|[Pp]repared|[Rr]eviewed) by|[Aa]ttn[.:]?|"
    r"[Cc]ustomer:?|[Cc]lient:?|[Hh]older:?|[Bb]eneficiary:?|[Aa]pplicant:?|[Ff]orm for|(?:[Ee]-?mail|[Cc]all|[Mm]essage) from|"
    rf"I am|I'm|[Tt]his is|Mr|Mrs|Ms|Mdm|Dr|Encik|Puan|Tuan|Bapak|Ibu|Shri|Smt|Dear|Regards,?|Sincerely,?)\.?\s{{1,3}}({_FULL})"
)
_ACTING: Final = re.compile(
    rf"(?:^|\n|\. )({_FULL}) (?:called|said|wrote|asked|requested|confirmed|phoned|emailed|visited|signed|complained|"
    r"reported|lives|works|is a|was|has|wants|applied|opened|replied)\b"
)
_CELL: Final = re.compile(rf"(?<=\| )({_FULL})(?= *\|)")
_HEAD: Final = re.compile(
    r"^\|[^\n]*\b(?:name|customer|client|holder|applicant|beneficiary|contact person)\b[^\n]*\|",
    re.IGNORECASE | re.MULTILINE,
)

_BEFORE: Final = re.compile(
    r"(?:(?<![^\W_])(?:the|a|an|this|that|in|at|near|into|of|on|via|per|les?|la|der|die|das|no|nos|number|jl|jln|jalan|rua|"
    r"rue|calle|c/)\.? |\d[,.]? ?|[-/#_.:=])$",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"^(?:'s)? (?:depot|office|branch|street|st\b|road|rd\b|avenue|ave|apt|suite|kav|tower|building|airport|port|berth|"
    r"station|island|university|orchestra|hospital|school|bank|corp|inc\b|ltd|llc|gmbh|square|sq\b)|^,? ?\d|^ ?[#@_/=]|^[-_/@=]",
    re.IGNORECASE,
)
_RUN: Final = re.compile(r"(\S{64})(\S{64,})(\S{64})")
"""What no name stands in the middle of; its ends may touch one."""

_HEADING: Final = re.compile(
    r"\b(?:Annex|Appendix|Section|Chapter|Schedule|Part|Table|Figure|Exhibit|Article|Clause|Paragraph|Page|Step|Phase|Tier|Level|"
    r"Tower|Block|Flat|Unit|Floor|Street|Road|Bay|Court|Building|Plaza|Centre|Center|House|Park|Bank|Group|Ltd|Limited|Pte|Inc|"
    r"Corp|Corporation|Company|Notice|Policy|Report|Form|Guide|Team|Department|Committee|Desk|Office|Note|Case|Project|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|June|July|August|September|"
    r"October|November|December|Dear|Regards|Thanks|Hello|Hi|Please|Contact|Invoice|Order|Ref|Reference|Account|Customer|Kav|"
    r"Hong Kong|Singapore|India|Indonesia|Taiwan|Australia|The|Your|Our|This|New|Rd|St|Orchestra|Sir|Madam|All)\b"
)
"""A heading, a place or a company is not a person, whatever the model says."""


class PersonRecognizer(EntityRecognizer):
    """PERSON spans of a spaCy pipeline, and names by what introduces them."""

    def __init__(self, model: str) -> None:
        self._model = model
        super().__init__(supported_entities=["PERSON"], name="PersonRecognizer", context=[])

    def load(self) -> None:
        self._nlp = spacy.load(self._model, exclude=list(UNUSED))

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        # The zone gives back what the vocabulary learnt from this text; without it memory never stops growing.
        with self._nlp.memory_zone():
            spans = [(e.start_char, e.end_char) for e in self._nlp(spaced(text)).ents if e.label_ == "PERSON"]
        found = {span: score for span in spans if (score := likelihood(text, *span))}
        found |= dict.fromkeys(introduced(text), SCORE)
        return [result(self, start, end, score) for (start, end), score in sorted(found.items())]


def spaced(text: str) -> str:
    """The text with blanks inside of runs that hold none and are longer than any name: spaCy takes the square of their length."""
    return _RUN.sub(lambda run: f"{run[1]}{' ' * len(run[2])}{run[3]}", text)


def likelihood(text: str, start: int, end: int) -> float:
    """How far a span that the model took for a person looks and stands like one; 0 where it does not."""
    span = text[start:end]
    if _HEADING.search(span) or _BEFORE.search(text[max(0, start - 14) : start]) or _AFTER.search(text[end : end + 14]):
        return 0.0
    if _SPAN.fullmatch(span) and re.search(r"[^\W\d_]{2,}", span):
        return SCORE
    return ALONE if _ONE.fullmatch(span) else 0.0


def introduced(text: str) -> Iterator[tuple[int, int]]:
    """Where names stand that the words around them introduce."""
    patterns = [_INTRODUCED, _ACTING, *([_CELL] if _HEAD.search(text) else [])]
    for pattern in patterns:
        for match in pattern.finditer(text):
            start, end = match.span(1)
            if not _HEADING.search(match.group(1)) and not _AFTER.search(text[end : end + 14]):
                yield start, end
