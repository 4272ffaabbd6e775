"""
Questions made of passages, so that an embedder learns the bank's own words without anybody labelling anything.

The inverse cloze task (Lee, Chang and Toutanova, Latent retrieval for weakly supervised open domain question answering, ACL 2019):
a sentence is taken out of its passage and must find it again; here some of its words are dropped, it is often put as a question,
and sometimes the passage keeps it, so that common words still count.  Words are what stands between spaces: languages that write
without them give no questions.
"""

import random

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

FEWEST_WORDS: Final = 12
"""A passage of fewer says too little to be asked for."""

_SENTENCE_WORDS: Final = 6
_LONGEST: Final = 34
_LEADS: Final = (
    "What must",
    "How should",
    "When is",
    "What are the requirements for",
    "Is it permitted that",
    "Under what circumstances",
    "Who is responsible for",
    "What steps are needed for",
    "Could you clarify",
    "What is expected regarding",
)
_COMMON: Final = frozenset(
    "a an the of to in for on by with or and as is are be its it that this any such must may shall should will under at from which has "
    "have".split()
)
_DROPPED: Final = (0.0, 0.15, 0.3, 0.45)
_ASKED: Final = 0.6
_TAKEN_OUT: Final = 0.6


@dataclass(frozen=True, slots=True)
class PseudoQuery:
    """A question and the passage that it was made of."""

    question: str
    passage: int
    """Place of the passage among all."""

    positive: str | None
    """The passage without the sentence that became the question; None where it keeps it."""


def pseudo_queries(passages: Sequence[str], *, each: int = 3, seed: int = 7) -> Iterator[PseudoQuery]:
    """
    Questions for passages, the same for the same passages and seed.

    Args:
        passages: texts of chunks.
        each: how many a passage is asked for at most.
        seed: of what is drawn.
    """
    draw = random.Random(seed)  # noqa: S311 - reproducible, and no secret
    for at, text in enumerate(passages):
        words = text.split()
        sentences = [one for one in _sentences(words) if len(one) >= _SENTENCE_WORDS]
        if len(words) < FEWEST_WORDS or not sentences:
            continue
        for _ in range(each):
            sentence = draw.choice(sentences)
            question = _question(sentence, draw)
            if question is not None:
                yield PseudoQuery(question, at, _rest(words, sentence, draw))


def _sentences(words: Iterable[str]) -> Iterator[list[str]]:
    held: list[str] = []
    for word in words:
        held.append(word)
        if word[-1] in ".;:?!":
            yield held
            held = []
    if held:
        yield held


def _question(sentence: Sequence[str], draw: random.Random) -> str | None:
    words = list(sentence)
    if len(words) > _LONGEST:
        count = draw.randint(FEWEST_WORDS, _LONGEST)
        begin = draw.randint(0, len(words) - count)
        words = words[begin : begin + count]
    share = draw.choice(_DROPPED)
    # Common words are dropped a little more often than those that a question would hardly do without.
    words = [word for word in words if draw.random() > share * (1.0 if word.lower() in _COMMON else 0.8)]
    text = " ".join(words).strip(" .;:,?!")
    if len(text.split()) < _SENTENCE_WORDS - 2:
        return None
    return f"{draw.choice(_LEADS)} {text[0].lower()}{text[1:]}?" if draw.random() < _ASKED else text


def _rest(words: Sequence[str], sentence: Sequence[str], draw: random.Random) -> str | None:
    """The passage without the sentence, where enough is left of it and it is taken out at all."""
    if draw.random() >= _TAKEN_OUT or len(words) - len(sentence) < FEWEST_WORDS:
        return None
    text, taken = " ".join(words), " ".join(sentence)
    return " ".join(text.replace(taken, " ", 1).split())
