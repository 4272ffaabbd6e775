"""What a clause speaks of, by its words: stems, figures and their kinds, frequencies, names, denials.  English; no model."""

import re

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_TOKEN: Final = re.compile(r"every-\w+|[A-Za-z]+[-/]\d[\w./-]*|[^\W\d]*+\d[\w.,:/%-]*|\w+(?:'t)?")
_CLAUSE: Final = re.compile(
    r"[;()]|[,:](?!\d)|\s[\u2013\u2014-]\s"
    r"|\b(?=(?:and|but|while|whereas|except|excluding|unless|although|though|because|until|if|not (?:by|for|to|in|from))\b)",
    re.IGNORECASE,
)
SCALE: Final = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9}
"""What a word after a number makes of it."""

_SPELLED: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS: Final = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_GRADES: Final = ("high", "medium", "low")
NUMBERS: Final = {word: number for number, word in enumerate(_SPELLED) if number != 1} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
"""Without "one", which is more often an article than a figure."""

STOP: Final = frozenset(
    "a an the of to in on at by for from with and or as is are was were be been being it its this that these those which who whose"
    " has have had do does did will would shall should can could may might must there their his her they them also each every any"
    " all into under over per such than then so if when where while both only always one single within still".split()
)
DENIALS: Final = frozenset(
    "not no never none nor without cannot neither except excluding unless prohibit prohibits prohibited forbid forbids forbidden"
    " ban bans banned ineligible excepted excluded excludes fail fails failed".split()
)
_AMOUNT: Final = r"\s+(?=(?:[A-Z]{3} ?|[$€£])?\d)"
_PERIOD: Final = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}
_UNITS: Final = ("minute", "hour", "day", "week", "month", "quarter", "year", "basis")
_SAID_OTHERWISE: Final = (
    (re.compile(r"\bnot? (?:later|more|longer) than\b", re.IGNORECASE), "at most"),
    (re.compile(r"\bnot? (?:less|fewer|earlier) than\b", re.IGNORECASE), "at least"),
    (re.compile(r"\bnot only\b", re.IGNORECASE), ""),
    (re.compile(rf"\b(?:[Oo]ver|[Mm]ore than|[Gg]reater than|[Ee]xceeding|[Ii]n excess of){_AMOUNT}"), "above "),
    (re.compile(rf"\b(?:[Uu]nder|[Ll]ess than|[Ff]ewer than){_AMOUNT}"), "below "),
    (re.compile(r"\b(?:twice|two times) (?:an?|each|every|per) (\w+)", re.IGNORECASE), r"every-half-\1"),
    (re.compile(r"\b(?:half-yearly|semi-annual(?:ly)?)\b", re.IGNORECASE), "every-half-year"),
    (
        re.compile(r"\b(?:once (?:an?|each|every|per)|each|every|per) (day|week|month|quarter|year)\b", re.IGNORECASE),
        r"every-\1",
    ),
    *((re.compile(rf"\b{word}(?:ly)?\b", re.IGNORECASE), f"every-{unit}") for word, unit in _PERIOD.items()),
)
_IRREGULAR: Final = {
    **dict.fromkeys(("began", "begun", "begin", "begins", "commence", "commences", "commenced"), "start"),
    **dict.fromkeys(("kept", "keep", "keeps", "retained", "retain", "retains"), "keep"),
    **dict.fromkeys(("held", "holding"), "hold"),
    **dict.fromkeys(("staff", "employees", "employee"), "staff"),
    **dict.fromkeys(("customer", "customers", "client", "clients"), "client"),
    **dict.fromkeys(
        ("rose", "rise", "rises", "risen", "grew", "grow", "grown", "growth", "up", "increase", "increased"), "increase"
    ),
    **dict.fromkeys(
        ("fell", "fall", "falls", "fallen", "drop", "dropped", "down", "decline", "declined", "decrease"), "decrease"
    ),
    **dict.fromkeys(("met", "meets"), "meet"),
    "afterwards": "after",
    **dict.fromkeys(("allowed", "allow", "allows", "permitted", "permit", "permits"), "allow"),
    **dict.fromkeys(("sent", "sends"), "send"),
    **dict.fromkeys(("gave", "given", "grant", "grants", "granted"), "give"),
    **dict.fromkeys(("took", "taken"), "take"),
    **dict.fromkeys(("paid", "pays"), "pay"),
    **dict.fromkeys(("made", "makes"), "make"),
    **dict.fromkeys(("led", "leads"), "lead"),
}
"""Words that are forms of another, or say the same."""

_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ied", "ies", "edly", "ed", "ally", "es", "s", "ly", "al")
_HEAVY: Final = 3.0


@dataclass(slots=True)
class Terms:
    """What a text speaks of."""

    weights: dict[str, float] = field(default_factory=dict)
    """Content words and figures, and how much each counts."""

    plain: set[str] = field(default_factory=set)
    """All words, those that hold sentences together too."""

    names: set[str] = field(default_factory=set)
    """Words in capitals, but for the first."""

    figures: dict[str, str] = field(default_factory=dict)
    """Figures in one spelling, and of what kind each is: a unit, "%", "money", "date", "reference", "grade", … or "count"."""

    order: list[str] = field(default_factory=list)
    """Words as they stand, in lower case."""

    capitals: set[str] = field(default_factory=set)
    """Words with a capital, the first too."""

    codes: set[str] = field(default_factory=set)
    """Words all in capitals."""

    denials: int = 0

    @property
    def words(self) -> dict[str, float]:
        """The content words, without the figures."""
        return {word: weight for word, weight in self.weights.items() if word not in self.figures}


def read(text: str) -> Terms:
    """What a text speaks of."""
    tokens = _TOKEN.findall(reworded(text))
    found, denials = [], 0
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        # A denial is counted and is no term: what is denied must look alike on both sides, or it would not be found again.
        if token.casefold() in DENIALS or token.casefold().endswith("n't"):
            denials += 1
        else:
            found.append(_term(token, before, after))
    return _terms(found, denials)


def reworded(text: str) -> str:
    """A text with frequencies and bounds in one wording each: "quarterly" is "every-quarter", "more than 5" is "above 5"."""
    text = text.replace("_", " ")
    for pattern, said in _SAID_OTHERWISE:
        text = pattern.sub(said, text)
    return text


def clauses(text: str) -> Iterator[Terms]:
    """What each clause of a sentence speaks of."""
    return map(read, split(text))


def split(text: str) -> list[str]:
    """The clauses of a sentence, as they stand in it."""
    return [part for part in _CLAUSE.split(text) if part.strip()]


def together(parts: Iterable[Terms]) -> Terms:
    """What several texts speak of."""
    whole = Terms()
    for part in parts:
        whole.weights |= part.weights
        whole.plain |= part.plain
        whole.names |= part.names
        whole.figures |= part.figures
        whole.order += part.order
        whole.capitals |= part.capitals
        whole.codes |= part.codes
        whole.denials += part.denials
    return whole


def stem(word: str) -> str:
    """A word without its endings, and in the place of some words the one that says the same."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in _ENDINGS:
        # What is left must be a word still: three letters, four where the ending is short.
        if word.endswith(ending) and len(word) - len(ending) >= (4 if len(ending) < 3 else 3):
            word = word[: -len(ending)]
            break
    word = word.rstrip("ei") if len(word) > 4 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


class _Figure(NamedTuple):
    """A figure in one spelling, and of what kind it is."""

    text: str
    kind: str


class _Term(NamedTuple):
    """What one token says."""

    low: str
    """As it stands, in lower case."""

    stem: str
    figure: _Figure | None = None
    is_content: bool = False
    """Whether the text speaks of it, and it does not only hold words together."""

    is_capital: bool = False
    is_code: bool = False
    """All in capitals, and no figure."""

    is_name: bool = False
    """A content word with a capital that does not owe it to the start of a sentence."""


def _term(token: str, before: str, after: str) -> _Term:
    low = token.casefold()
    figure = _figure(low, before, after.casefold())
    is_content = figure is None and low not in STOP and low not in SCALE
    is_capital = token[0].isupper()
    return _Term(
        low=low,
        stem=stem(low),
        figure=figure,
        is_content=is_content,
        is_capital=is_capital,
        is_code=is_content and token.isupper(),
        is_name=is_content and is_capital and bool(before),
    )


def _terms(found: Sequence[_Term], denials: int) -> Terms:
    """The terms of a text, from those of its tokens."""
    return Terms(
        weights=dict(_weight(term) for term in found if term.figure or term.is_content),
        # In both spellings: a word of another text is looked for by its stem, a code as it stands.
        plain={word for term in found for word in (term.stem, term.low)},
        names={term.stem for term in found if term.is_name},
        figures={term.figure.text: term.figure.kind for term in found if term.figure},
        order=[term.low for term in found],
        capitals={term.stem for term in found if term.is_capital},
        codes={term.low for term in found if term.is_code},
        denials=denials,
    )


def _weight(term: _Term) -> tuple[str, float]:
    if term.figure:
        return term.figure.text, _HEAVY
    # What is all in capitals is a code, and no form of another word.
    return (term.low, _HEAVY) if term.is_code else (term.stem, 1.0)


def _figure(token: str, before: str, after: str) -> _Figure | None:
    """A figure in one spelling and its kind, or a reference as it stands; None for a word."""
    if token.startswith("every-"):
        return _Figure(token, "frequency")
    if token in NUMBERS:
        return _Figure(f"#{NUMBERS[token]}", _kind(before, after))
    if token in _GRADES or token in _ORDINALS:
        return _Figure(f"#{token}", "grade" if token in _GRADES else "ordinal")
    # Most tokens are letters alone, and need no look at each.
    if token.isalpha() or not any(letter.isdigit() for letter in token):
        return None
    plain = token.rstrip(".,:-/")
    number = re.fullmatch(r"(\d[\d,]*(?:\.\d+)?)(%|[a-z]{0,2})", plain)
    if number is None:
        return _Figure(f"#{plain}", "date" if re.fullmatch(r"\d{4}-\d\d-\d\d", plain) else "reference")
    # "250k" carries its scale, "250 thousand" has it in the next word; the two must come to one spelling.
    value = float(number[1].replace(",", "")) * SCALE.get(number[2] or after, 1.0)
    return _Figure(f"#{round(value, 6):.12g}", "%" if number[2] == "%" else _kind(before, after))


def _kind(before: str, after: str) -> str:
    if after in {"percent", "per"}:
        return "%"
    if len(before) == 3 and before.isupper():
        return "money"
    return next((unit for unit in _UNITS if after.startswith(unit)), "count")
