"""
How well the tools that a question needs are chosen, by family: on the questions that the terms were chosen with, and on others.

    python -m bench.tools [--quick] [--mistakes] [--terms] [--labels]
"""

import itertools
import json
import sys

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from adapters.packing.bm25 import Bm25Lexicon
from gateway.model.sources.offering import Fit, Offering, near, spoken
from gateway.model.sources.tools import Tool
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.selection.offering import needed
from gateway.settings import HOME

DATA: Final = Path(__file__).with_name("data")
QUICK: Final = 3
"""Questions of each family that a quick run takes."""


class Question(NamedTuple):
    """A question, and what of the tools two labellers say that it needs."""

    family: str
    chosen_with: bool
    """Whether the terms were chosen looking at its family."""

    domain: str
    ask: str
    needs: frozenset[str]
    disputed: frozenset[str]
    """Named by one labeller or in one reading alone: neither needed nor not needed."""


class Judged(NamedTuple):
    """A question, and what it was given of which tools."""

    question: Question
    shown: frozenset[str]
    among: frozenset[str]

    @property
    def missed(self) -> frozenset[str]:
        """What it needs and was not given."""
        return self.question.needs - self.shown

    @property
    def needless(self) -> frozenset[str]:
        """What it was given and does not need."""
        return self.shown - self.question.needs - self.question.disputed


def questions(most: int | None = None) -> list[Question]:
    """All of them; *most* of each family."""
    return [
        Question(
            family["family"],
            family["chosen_with"],
            one.get("domain", family["domain"]),
            one["ask"],
            frozenset(one["needs"]),
            frozenset(one.get("disputed", ())),
        )
        for family in yaml.safe_load((DATA / "tools.questions.yaml").read_text())
        for one in family["questions"][:most]
    ]


def labels() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """What the first and the second labeller said that each question needs, as they said it."""
    rows = yaml.safe_load((DATA / "tools.labels.yaml").read_text())
    return {row["ask"]: (frozenset(row["first"]), frozenset(row["second"])) for row in rows}


def agreement(pairs: Iterable[tuple[Question, str]]) -> dict[str, float]:
    """How far two labellers agree on pairs of question and tool: the share of these, and Cohen's kappa, which takes chance out."""
    said = labels()
    both = Counter(tuple(name in needs for needs in said[question.ask]) for question, name in pairs)
    total = both.total()
    same = (both[True, True] + both[False, False]) / total
    first, second = (both[True, True] + both[one] for one in ((True, False), (False, True)))
    chance = (first * second + (total - first) * (total - second)) / total**2
    return {
        "pairs": total,
        "differ": total - round(same * total),
        "same": round(same, 4),
        "kappa": round((same - chance) / (1 - chance), 4),
    }


def shipped() -> tuple[dict[str, Tool], Offering]:
    """The tools of the bundle, and how it shows them."""
    registry = registry_of(load_bundle(HOME / "policies"))
    assert registry.offering is not None
    return dict(registry.tools), registry.offering


def distractors() -> dict[str, Tool]:
    """Tools that no question needs, as rows of the table would have them."""
    said = yaml.safe_load((DATA / "tools.distractors.yaml").read_text())
    common: dict[str, Any] = {"source": "elsewhere", "safety": ["reads"], "owner": "Somebody"}
    rows = ({**one, "id": one["name"], "operation": one["name"], "domains": domains_of(one)} for one in said)
    return {
        row["id"]: Tool.model_validate({**common, **{k: v for k, v in row.items() if k not in {"name", "parameters"}}})
        for row in rows
    }


def domains_of(_: Mapping[str, object]) -> list[str]:
    """A distractor is open to everybody, so that no policy keeps it out."""
    return ["NPA", "ORM", "DESK", "DCE"]


def judged(asked: Iterable[Question], tools: Mapping[str, Tool], terms: Offering, lexicon: Bm25Lexicon) -> list[Judged]:
    """What each question is given of the tools of all domains that an agent may see."""
    texts = [spoken(tool) for tool in tools.values()]

    def one(question: Question) -> Judged:
        fits = dict(zip(tools, lexicon.fits(question.ask, texts), strict=True))
        close = {name for name, tool in tools.items() if near(tool, question.domain)}
        return Judged(question, frozenset(needed(fits, close, terms)), frozenset(tools))

    return [one(question) for question in asked]


def of_its_domain(
    asked: Iterable[Question], tools: Mapping[str, Tool], terms: Offering, lexicon: Bm25Lexicon
) -> Iterator[Judged]:
    """The same for agents that may see the tools of the question's domain alone, beside those that are for all."""
    for domain, group in itertools.groupby(sorted(asked, key=lambda one: one.domain), key=lambda one: one.domain):
        seen = {name: tool for name, tool in tools.items() if domain in tool.domains}
        yield from judged((one for one in group if one.needs <= seen.keys()), seen, terms, lexicon)


def measured(results: Sequence[Judged]) -> dict[str, float]:
    """Shares of what is needed that was kept, and of what is not that was left out."""
    needs = sum(len(one.question.needs) for one in results)
    others = sum(len(one.among - one.question.needs - one.question.disputed) for one in results)
    return {
        "questions": len(results),
        "kept": round(1 - sum(len(one.missed) for one in results) / max(needs, 1), 4),
        "left_out": round(1 - sum(len(one.needless) for one in results) / max(others, 1), 4),
        "shown": round(sum(len(one.shown) for one in results) / max(len(results), 1), 2),
    }


def search(asked: Sequence[Question], tools: Mapping[str, Tool], terms: Offering, lexicon: Bm25Lexicon) -> None:
    """Print the terms that keep all that the questions need and leave most out, by which those of the bundle were chosen."""
    rows = []
    for near_least, near_share, least, share, most, unsure in itertools.product(
        (0.15, 0.2, 0.25, 0.3),
        (0.1, 0.15, 0.2, 0.25),
        (0.5, 0.6, 0.7),
        (0.4, 0.5, 0.6),
        (5, 6, 7),
        (0.6, 0.7, 0.8, 0.9),
    ):
        tried = terms.model_copy(
            update={
                "near": Fit(least=near_least, share=near_share),
                "others": Fit(least=least, share=share),
                "most": most,
                "unsure": unsure,
            }
        )
        both = [*judged(asked, tools, tried, lexicon), *of_its_domain(asked, tools, tried, lexicon)]
        rows.append((measured(both), (near_least, near_share, least, share, most, unsure)))
    rows.sort(key=lambda row: (-row[0]["kept"], -row[0]["left_out"]))
    for figures, tried_terms in rows[:25]:
        print(figures, tried_terms)


def main() -> None:
    """Print the table by family, the mistakes where they are asked for, and the figures."""
    asked = questions(QUICK if "--quick" in sys.argv else None)
    (own, terms), lexicon = shipped(), Bm25Lexicon()
    tools = own | distractors()
    if "--terms" in sys.argv:
        search([one for one in asked if one.chosen_with], tools, terms, lexicon)
        return
    if "--labels" in sys.argv:
        every = [(question, name) for question in asked for name in own]
        print(
            "tools of the question's domain:", agreement(one for one in every if one[0].domain in own[one[1]].domains)
        )
        print("all tools:", agreement(every))
        return
    everywhere = judged(asked, tools, terms, lexicon)
    for family in dict.fromkeys(one.family for one in asked):
        row = measured([one for one in everywhere if one.question.family == family])
        print(f"{family:20}", "  ".join(f"{what} {value:g}" for what, value in row.items()))
    if "--mistakes" in sys.argv:
        for one in everywhere:
            if one.missed or len(one.needless) > terms.most:
                print(
                    one.question.ask, f"missed {sorted(one.missed)}", f"needless {sorted(one.needless)}", sep="\n    "
                )
    figures = {}
    for name, results in {
        "all tools": everywhere,
        "tools of the domain": list(of_its_domain(asked, tools, terms, lexicon)),
        "no distractors": judged(asked, own, terms, lexicon),
    }.items():
        for kind, seen in (("chosen with", True), ("held out", False)):
            figures[f"{name}, {kind}"] = measured([one for one in results if one.question.chosen_with is seen])
            print(f"{name}, {kind}:", figures[f"{name}, {kind}"])
    command = "python -m bench.tools" + (" --quick" if "--quick" in sys.argv else "")
    print(json.dumps({"bench": "tools", "figures": figures, "command": command}))


if __name__ == "__main__":
    main()
