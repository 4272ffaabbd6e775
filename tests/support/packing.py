"""Rulings, pieces and selections made by hand, for the stages that come after the rulings."""

from adapters.packing import tiktoken
from adapters.packing.rensa import MinHashLikeness
from gateway.model import Candidate, PackRequest, Piece, PolicyVersion, Ruling, ScopeAnswer, Selection, Subject
from gateway.model.pack import PackWarning
from gateway.model.piece import PackWords
from gateway.model.policy_answer import Obligation
from gateway.model.session import Session
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.prompt.fence import fence_of
from gateway.selection.duplicates import distinct
from gateway.settings import HOME
from gateway.stages.classify import classify
from gateway.stages.layer import layer
from tests.support.clock import NOW

REGISTRY = registry_of(load_bundle(HOME / "policies"))
TOKENIZER = tiktoken.TiktokenTokenizer()
encoding_of = tiktoken._encoding
"""tiktoken's own encoding of a name, which counts are held against."""

TOLD = PackWords(
    tell_the_model=frozenset({"BUDGET-CUT"}),
    warnings=(PackWarning(code="BUDGET-CUT", message="Context was cut to fit the token budget."),),
)
"""What policy has for a pack to say; the words of the shipped tables are looked at elsewhere."""

SCOPED = ScopeAnswer(allow=True, denials=(), filters={}, release_mode="durable")
"""What policy has to say of a request that it takes up."""

SECTIONS = ("system", "task", "user", "entity", "knowledge", "tool_result", "prior_result", "few_shot", "conversation")
SOURCES = ("system_of_record", "bank_sop", "external_official", "agent_output", "user_input", "reference_data")
WORDS = "limit netting desk trade settlement risk approval notice clause margin review threshold currency".split()


def ruling(name, section="knowledge", content="text", *, tier=2, score=None, fenced=False, **source):
    """A released item, with labels as keywords."""
    item = {"id": name, "section": section, "content": content, "score": score, "provenance": source}
    duties = (Obligation(type="fence"),) if fenced else ()
    one = Ruling(
        item=Candidate.model_validate(item),
        outcome="released",
        content=content,
        authority_tier=tier,
        obligations=duties,
        decision_id=f"decision-{name}",
    )
    return one.model_copy(update={"fence": fence_of(one)}) if fenced else one


def pieces(*rulings):
    """What rulings weigh, at their places: 0.6 of it relevance, 0.4 authority, as the shipped table says."""
    return [
        Piece(
            ruling=one,
            content=one.content,
            place=REGISTRY.vocabulary.section(one.item.section),
            index=index,
            score=_weight(one),
        )
        for index, one in enumerate(rulings)
    ]


def _weight(one):
    share, relevance = REGISTRY.budgets.relevance_weight, 1.0 if one.item.score is None else one.item.score
    return round(share * relevance + (1 - share) * REGISTRY.budgets.authority_boost[one.authority_tier], 6)


def case_of(total=100_000, *, truncation=True, model="gpt-4o", **changes):
    """A case with a token budget, at `NOW`; members of its request as keywords."""
    subject = {"sub": "s", "tenant": "t", "role": "r", "department": "d", "jurisdictions": []}
    request = {
        "agent_id": "RISK",
        "purpose": "risk_assessment",
        "jurisdictions": ["SG"],
        "model": model,
        "token_budget": total,
        "allow_truncation": truncation,
        **changes,
    }
    return classify(
        PackRequest.model_validate(request),
        Subject.model_validate(subject),
        registry=REGISTRY,
        policy=PolicyVersion(revision="r", engine="e", engine_version="1"),
        detectors={},
        now=NOW,
        trace_id=None,
        secret=b"s",
        call="packs",
    )


def reduced(*rulings):
    """What is left of rulings once nothing is said twice."""
    return distinct(pieces(*rulings), REGISTRY.budgets, MinHashLikeness(), Session())


def generated(rng):
    """A random selection, ruled and layered, and the case it is for."""
    rulings = []
    for number in range(rng.randint(1, 14)):
        section, source = rng.choice(SECTIONS), rng.choice(SOURCES)
        text = " ".join(rng.choices(WORDS, k=rng.choice((2, 8, 30, 90))))
        content = {"output": text, "reasoning": text * 2} if section == "prior_result" else text
        label = rng.choice((None, "golden", "edge"))
        score, tier = rng.choice((None, rng.random())), rng.randint(1, 5)
        source = {"source_type": source, "source_id": f"s{number}", "version": "1", "doc_section": label}
        rulings.append(ruling(f"i{number}", section, content, tier=tier, score=score, **source))
    case = case_of(rng.choice((60, 200, 400, 700, 1200, 3000)), truncation=rng.random() < 0.7)
    selection = Selection(kept=tuple(pieces(*rulings)), told=TOLD)
    return rulings, layer(selection, rulings, Session(), REGISTRY.budgets.library), case
