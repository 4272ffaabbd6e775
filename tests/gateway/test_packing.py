"""What goes into a pack and what does not: repeats, overlaps, contradictions, the budget, and the most worth that fits."""

import itertools
import random

import pytest

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from adapters.packing.rensa import MinHashLikeness
from adapters.packing.tiktoken import TiktokenTokenizer, _encoding
from gateway.bootstrap.registry import load_registry
from gateway.content.extract import GAP, extract, sentences
from gateway.errors import BudgetOverflowError, PackIncompleteError
from gateway.model import Candidate, Loss, PackRequest, PolicyVersion, Ruling, ScopeAnswer, Selection, Subject
from gateway.model.pack import PackWarning
from gateway.model.piece import PackWords
from gateway.model.policy_answer import Obligation
from gateway.model.session import Session
from gateway.pipeline import Asked
from gateway.prompt.blocks import around
from gateway.prompt.fence import fence
from gateway.prompt.render import render
from gateway.prompt.shorten import keeps_what_it_must, shortened
from gateway.selection.duplicates import distinct, overlap
from gateway.selection.knapsack import best
from gateway.settings import HOME
from gateway.stages.assemble import Ruled, assemble, check_complete
from gateway.stages.budget import budget
from gateway.stages.classify import classify
from gateway.stages.layer import layer
from gateway.stages.rank import _score
from tests.conftest import NOW

REGISTRY = load_registry(HOME / "registry")
TOKENIZER = TiktokenTokenizer()
TOLD = PackWords(
    tell_the_model=frozenset({"BUDGET-CUT"}),
    warnings=(PackWarning(code="BUDGET-CUT", message="Context was cut to fit the token budget."),),
)
"""What policy has for a pack to say; the words of the shipped tables are looked at elsewhere."""

SECTIONS = ("system", "task", "user", "entity", "knowledge", "tool_result", "prior_result", "few_shot", "conversation")
SOURCES = ("system_of_record", "bank_sop", "external_official", "agent_output", "user_input", "reference_data")
WORDS = "limit netting desk trade settlement risk approval notice clause margin review threshold currency".split()


def ruling(name, section="knowledge", content="text", *, tier=2, score=None, fenced=False, **source):
    item = {"id": name, "section": section, "content": content, "score": score, "provenance": source}
    duties = (Obligation(type="fence"),) if fenced else ()
    return Ruling(
        item=Candidate.model_validate(item),
        outcome="released",
        content=content,
        authority_tier=tier,
        obligations=duties,
        decision_id=f"decision-{name}",
    )


def pieces(*rulings):
    return [_score(one, place, 0, REGISTRY.budgets) for place, one in enumerate(rulings)]


def case_of(total, *, truncation=True, model="gpt-4o"):
    subject = {"sub": "s", "tenant": "t", "role": "r", "department": "d", "jurisdictions": []}
    request = {
        "agent_id": "RISK",
        "purpose": "risk_assessment",
        "jurisdictions": ["SG"],
        "model": model,
        "token_budget": total,
        "allow_truncation": truncation,
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


class TestRepeats:
    LONG = " ".join(f"The {word} of desk {n} is reviewed by the head of desk." for n, word in enumerate(WORDS))

    def test_the_highest_authority_stays(self):
        """
        Of repeats and near repeats the highest authority stays, and says who else says it.
        """
        near = self.LONG.replace("head of desk.", "head of the desk.", 1)
        kept, lost, contrary = reduced(
            ruling("web", content=self.LONG, tier=5),
            ruling("copy", content=self.LONG, tier=3),
            ruling("sop", content=near, tier=2, source_id="SOP", version="3"),
            ruling("other", content="Nothing of the kind."),
        )
        assert [piece.ruling.item.id for piece in kept] == ["sop", "other"]
        assert {(loss.piece.ruling.item.id, loss.reason, loss.in_favour_of) for loss in lost} == {
            ("web", "duplicate", "copy"),
            ("copy", "near_duplicate", "sop"),
        }
        [sop] = [piece for piece in kept if piece.ruling.item.id == "sop"]
        assert [(a.item_id, a.relation) for a in sop.attributions] == [("copy", "near_duplicate"), ("web", "duplicate")]
        assert contrary == []

    @pytest.mark.parametrize(
        ("old", "new"), [("desk 3", "desk 33"), ("is reviewed", "is not reviewed"), ("desk 0 is", "desk 0.5 is")]
    )
    def test_other_figures_are_no_repeat(self, old, new):
        """
        A text that names another figure, or denies what the other says, is a contradiction, however alike they are.
        """
        kept, lost, contrary = reduced(
            ruling("one", content=self.LONG), ruling("two", content=self.LONG.replace(old, new, 1))
        )
        assert len(kept) == 2
        assert lost == []
        assert contrary == [("one", "two")]

    def test_turns_are_not_compared(self):
        """
        People may say the same twice.
        """
        kept, lost, _ = reduced(
            ruling("a", "conversation", self.LONG),
            ruling("b", "conversation", self.LONG),
            ruling("c", "user", self.LONG),
        )
        assert (len(kept), lost) == (3, [])

    @given(st.lists(st.sampled_from(WORDS), min_size=20, max_size=60), st.integers(0, 59), st.sampled_from(WORDS))
    @hypothesis_settings(max_examples=200)
    def test_near_is_what_jaccard_says(self, words, place, word):
        """
        The pairs found are exactly those whose shingles overlap by the threshold, counted plainly.
        """
        other = list(words)
        other[place % len(other)] = word

        def shingles(some):
            return {tuple(some[n : n + 3]) for n in range(len(some) - 2)}

        left, right = shingles(words), shingles(other)
        expected = len(left & right) / len(left | right) >= 0.85
        assert (MinHashLikeness().alike([" ".join(words), " ".join(other)], 0.85) == [(0, 1)]) is expected


class TestOverlaps:
    def test_chunks_of_one_document_are_joined(self):
        """
        Overlapping chunks become one text that holds each character once, with attribution; of another version they do not.
        """
        text = " ".join(f"Paragraph {n} speaks of {WORDS[n % len(WORDS)]}." for n in range(30))
        source = {"source_id": "SOP", "version": "3"}
        chunks = [text[start : start + 400] for start in range(0, len(text) - 100, 300)]
        rulings = [ruling(f"c{n}", content=chunk, **source) for n, chunk in enumerate(chunks)]
        random.Random(1).shuffle(rulings)
        kept, lost, _ = reduced(*rulings)
        assert [piece.content for piece in kept] == [text[: len(chunks[-1]) + 300 * (len(chunks) - 1)]]
        assert lost == []
        assert len(kept[0].joined) == len(chunks) - 1
        assert {a.relation for a in kept[0].attributions} == {"merged"}
        assert len(kept[0].attributions) == len(chunks) - 1
        older = ruling("old", content=chunks[1], source_id="SOP", version="2")
        assert len(reduced(ruling("first", content=chunks[0], **source), older)[0]) == 2

    @given(st.text("ab ", min_size=0, max_size=80), st.text("ab ", min_size=0, max_size=80))
    @hypothesis_settings(max_examples=300)
    def test_an_overlap_loses_nothing(self, left, right):
        """
        Joined text begins with the first and ends with, or holds, the second.
        """
        joined = overlap(left, right, 10)
        if joined is not None:
            assert joined.startswith(left)
            assert right in joined
            assert len(joined) <= len(left) + len(right) - 10

    def test_untrusted_chunks_stay_apart(self):
        """
        What stands in a fence is never joined with anything.
        """
        both = [ruling(f"c{n}", content="x" * 100, fenced=True, source_id="S", version=str(n)) for n in range(2)]
        both[1] = both[1].model_copy(update={"item": both[1].item.model_copy(update={"content": "x" * 99 + "y"})})
        assert all(not piece.joined for piece in reduced(*both)[0])


class TestContradictions:
    async def test_a_field_of_the_record_stands(self, gateway, story, subject):
        """
        Where an agent's result gives a field of the entity another value than the system of record, the record's stands and
        the result goes without it; fields that are not in the table, or that the record has not set, are left alone.
        """
        request = story("npa-risk", "request")
        wanted = {"npa-record", "sop-4.2.1"}
        items = [item for item in request["items"] if item["id"] in wanted]
        record = next(item for item in items if item["id"] == "npa-record")
        record["content"] = {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
        result = {
            **record,
            "id": "result",
            "section": "prior_result",
            "content": {"credit_limit": 40_000_000, "remark": "b", "risk_level": "HIGH"},
            "provenance": {
                **record["provenance"],
                "source_type": "agent_output",
                "source_id": "agent",
                "doc_section": "x",
            },
        }
        body = PackRequest.model_validate({**request, "items": [*items, result]})
        pack = await gateway.pipeline.assemble(Asked(body, Subject.model_validate(subject), NOW))
        contents = {item.id: item.content for section in pack.sections for item in section.items}
        assert contents["npa-record"] == {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
        assert contents["result"] == {"remark": "b", "risk_level": "HIGH"}
        [warning] = [warning for warning in pack.warnings if warning.code == "FIELD-CONFLICT"]
        assert set(warning.items) == {"npa-record", "result"}

    async def test_older_turns_are_worth_less(self, gateway, story, subject):
        """
        Each turn of a conversation is worth a part of the one after it.
        """
        request = PackRequest.model_validate(story("npa-risk", "request"))
        pack = await gateway.pipeline.assemble(Asked(request, Subject.model_validate(subject), NOW))
        [turns] = [section.items for section in pack.sections if section.type == "conversation"]
        users = [turn.score for turn in turns if turn.provenance.source_type == "user_input"]
        assert users == sorted(users)
        assert users[0] < users[-1]


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


def never_cut(piece):
    item = piece.ruling.item
    budgets = REGISTRY.budgets
    return item.section in budgets.never_cut_sections or item.provenance.source_type in budgets.never_cut_sources


def test_ten_thousand_budgets():
    """
    In 10,000 generated cases the budget is never exceeded, what must not be cut never is, and nothing is lost silently.
    """
    rng, fitted, refused = random.Random(20260301), 0, 0
    for _ in range(10_000):
        rulings, selection, case = generated(rng)
        try:
            packed = budget(selection, case, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
        except BudgetOverflowError as error:
            refused += 1
            assert error.fields
            continue
        fitted += 1
        report = packed.report
        assert (
            sum(piece.tokens for piece in packed.kept) + report.framing + report.response_headroom == report.allocated
        )
        assert report.allocated <= report.total_tokens
        before = {piece.ruling.item.id: piece.content for piece in selection.kept if never_cut(piece)}
        after = {piece.ruling.item.id: piece.content for piece in packed.kept if never_cut(piece)}
        assert before == after
        assert 0 < report.optimality_percent <= 100
        check_complete(packed, rulings)
    assert min(fitted, refused) > 1000


@given(
    st.lists(
        st.tuples(st.sampled_from(SECTIONS), st.text(max_size=80), st.booleans(), st.sampled_from(SOURCES)),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["gpt-4o", "gpt-4-turbo"]),
)
@hypothesis_settings(max_examples=300)
def test_tokens_are_those_of_the_messages(items, model):
    """
    Whatever stands in the items, the tokens of the report are those of the rendered messages, counted by tiktoken itself.
    """
    rulings = []
    for number, (section, text, fenced, source) in enumerate(items):
        one = ruling(f"i{number}", section, text, fenced=fenced, source_type=source, source_id=f"s{number}")
        rulings.append(one.model_copy(update={"content": fence(text, one)}) if fenced else one)
    case = case_of(100_000, model=model)
    selection = layer(Selection(kept=tuple(pieces(*rulings)), told=TOLD), rulings, Session(), REGISTRY.budgets.library)
    selection = budget(selection, case, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
    scoped = ScopeAnswer(allow=True, denials=(), filters={}, release_mode="durable")
    ruled = Ruled(case, scoped, rulings, [], Session())
    pack = assemble(selection, ruled, budgets=REGISTRY.budgets, tokenizer=TOKENIZER)
    encoding = _encoding(case.model.encoding)
    counted = 3
    for message in render(pack, "openai")["messages"]:
        counted += 3 + sum(len(encoding.encode_ordinary(message[name])) for name in ("role", "content"))
    assert counted == pack.budget_report.allocated - pack.budget_report.response_headroom
    by_layer = sum(report.tokens for report in pack.envelope.layers)
    assert by_layer <= counted


def test_the_report_and_the_pack_are_what_was_allowed():
    """
    An allowed item that is in neither, one that is in both, and one that was never allowed, each block the pack.
    """
    rulings, selection, _ = generated(random.Random(5))
    check_complete(selection, rulings)
    loss = Loss(piece=selection.kept[0], reason="budget")
    for wrong in (
        selection.model_copy(update={"kept": selection.kept[1:]}),
        selection.model_copy(update={"lost": (loss,)}),
        selection.model_copy(update={"kept": (*selection.kept, *pieces(ruling("stranger")))}),
    ):
        with pytest.raises(PackIncompleteError):
            check_complete(wrong, rulings)


class TestOverflow:
    def packed(self, rulings, total):
        selection = layer(
            Selection(kept=tuple(pieces(*rulings)), told=TOLD), rulings, Session(), REGISTRY.budgets.library
        )
        return budget(selection, case_of(total), budgets=REGISTRY.budgets, tokenizer=TOKENIZER)

    def test_few_shots_keep_the_golden_and_the_edge_case(self):
        """
        Of examples the golden one and the edge case stay, whatever their score.
        """
        text = " ".join(WORDS * 12)
        shots = [
            ruling("plain", "few_shot", text, score=1.0),
            ruling("edge", "few_shot", text + " b", score=0.2, doc_section="edge"),
            ruling("other", "few_shot", text + " c", score=0.9),
            ruling("golden", "few_shot", text + " d", score=0.2, doc_section="golden"),
        ]
        packed = self.packed(shots, 900)
        assert {piece.ruling.item.id for piece in packed.kept} == {"edge", "golden"}
        assert [action.action for action in packed.report.overflow_actions] == ["reduce_few_shot"]

    def test_reasoning_goes_before_results(self):
        """
        Of a prior result the reasoning goes and the output stays.
        """
        content = {"output": "fine", "reasoning": " ".join(WORDS * 40)}
        packed = self.packed([ruling("r", "prior_result", content), ruling("t", "task", "do it")], 400)
        [result] = [piece for piece in packed.kept if piece.ruling.item.id == "r"]
        assert result.content == {"output": "fine"}


class TestShortening:
    LIBRARY = REGISTRY.budgets.library
    TEXT = " ".join(f"Rule {n} of the manual sets limit {n * 7} for desk {n}." for n in range(90))

    def piece(self, **source):
        [piece] = pieces(ruling("x", content=self.TEXT, **source))
        return piece.model_copy(update={"segment": "x"})

    def test_a_digest_and_an_extract(self):
        """
        What can be fetched again becomes a digest that says how; what cannot, a longer extract; both keep what they must.
        """
        known = self.piece(source_type="bank_sop", source_id="S", version="1", doc_section="4")
        by_hand = self.piece(source_type="agent_output", source_id="S")
        digest, taken = shortened(known, self.LIBRARY), shortened(by_hand, self.LIBRARY)
        assert (digest.form, taken.form) == ("digest", "extract")
        assert len(digest.content) < len(taken.content) < len(self.TEXT)
        assert keeps_what_it_must(digest, known)
        assert keeps_what_it_must(taken, by_hand)

    def test_what_loses_something_is_not_used(self):
        """
        A digest without its source, with words that nobody wrote, under another name, or longer than the whole, is no digest.
        """
        whole = self.piece(source_type="bank_sop", source_id="S", version="1")
        good = shortened(whole, self.LIBRARY)
        for change in (
            {"content": good.content.replace('"S"', '"T"')},
            {"content": good.content + " The limit was doubled."},
            {"segment": "y"},
            {"content": good.content + self.TEXT},
        ):
            assert not keeps_what_it_must(good.model_copy(update=change), whole)

    def test_within_a_fence(self):
        """
        What stands in a fence is shortened within it, and the fence stays as it was.
        """
        one = ruling("u", "upload", fence(self.TEXT, ruling("u")), fenced=True, source_type="uploaded_document")
        [upload] = pieces(one)
        taken = shortened(upload, self.LIBRARY)
        assert taken.form == "extract"
        assert taken.content.split("\n")[:2] == upload.content.split("\n")[:2]
        assert taken.content.split("\n")[-1] == upload.content.split("\n")[-1]
        assert len(taken.content) < len(upload.content) / 2

    def test_short_notes_stay_verbatim(self):
        """
        What cannot be fetched again and is short is never shortened.
        """
        [note] = pieces(ruling("n", content="A note by hand.", source_type="agent_output"))
        assert shortened(note, self.LIBRARY) is note


class TestKnapsack:
    @given(
        st.lists(st.tuples(st.integers(0, 100), st.integers(0, 40)), max_size=9),
        st.integers(0, 120),
        st.sampled_from([20_000, 5]),
    )
    @hypothesis_settings(max_examples=400)
    def test_nothing_fits_better(self, things, room, effort):
        """
        With enough effort no other choice that fits is worth more; with little the bound still holds.
        """
        values, weights = [float(value) for value, _ in things], [weight for _, weight in things]
        packed = best(values, weights, room, effort=effort)
        assert sum(weights[place] for place in packed.chosen) <= room
        most = max(
            sum(values[place] for place in some)
            for count in range(len(things) + 1)
            for some in itertools.combinations(range(len(things)), count)
            if sum(weights[place] for place in some) <= room
        )
        assert packed.value <= most + 1e-9 <= packed.bound + 2e-9
        if effort > 5:
            assert packed.value == pytest.approx(most)


class TestDigest:
    @given(st.text(max_size=600), st.integers(1, 200))
    @hypothesis_settings(max_examples=300)
    def test_a_digest_is_made_of_what_was_said(self, text, characters):
        """
        A digest is no longer than asked, the same every time, and everything in it stands in the text.
        """
        made = extract(text, characters)
        assert made == extract(text, characters)
        if len(text) > characters:
            assert len(made) <= characters + len(GAP)
            for part in made.split("[…]"):
                assert all(sentence in text for sentence in sentences(part.strip()))

    def test_it_keeps_what_weighs(self):
        """
        Figures and what is often spoken of stay; asides go.
        """
        text = (
            "The credit limit of the desk is 50 million. It rained on Tuesday. The credit limit was last reviewed by the desk"
            " head in March 2026. Somebody brought cake for all of us there. The desk asked for the credit limit to be raised."
        )
        made = extract(text, 150)
        assert "50 million" in made
        assert "cake" not in made


def test_stubs_and_notices_are_one_line():
    """
    What stands around items is one line each, so that tokens add up.
    """
    aside = ruling("bad\nname").model_copy(update={"outcome": "quarantined"})
    selection = layer(Selection(kept=()), [aside], Session(), REGISTRY.budgets.library)
    [report] = selection.around
    assert around(report).count("\n") == 1
