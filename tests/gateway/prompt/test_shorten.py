"""What the library holds, in less room."""

import pytest

from gateway.prompt.fence import shown
from gateway.prompt.shorten import keeps_what_it_must, shortened
from tests.support.conversation import forms, knowledge, layer_text
from tests.support.packing import REGISTRY, pieces, ruling


class TestCompaction:
    @pytest.fixture
    def tight(self, gateway):
        """The library may take very little."""
        budgets = gateway.registry.budgets
        library = budgets.library.model_copy(update={"tokens": 500})
        object.__setattr__(budgets, "library", library)
        yield library
        object.__setattr__(budgets, "library", library.model_copy(update={"tokens": 30000}))

    async def test_the_oldest_are_shortened(self, chat, tight):
        """
        Over its size the library keeps of the oldest a digest that says how to fetch it; what cannot be fetched again stays
        or is an extract; once shortened it stays as it is, byte for byte; attached again it is whole again.
        """
        long = " ".join(f"Rule {n} of the settlement manual sets limit {n * 7} for desk {n}." for n in range(80))
        notes = " ".join(f"Note {n} was taken by hand in the meeting about desk {n}." for n in range(60))
        spec = knowledge("spec", long)
        hand = knowledge("notes", notes, source_type="agent_output")
        await chat.ask("one", spec, hand)
        second = await chat.ask("two")
        assert forms(second, "L2") == [("KB:notes", "extract"), ("KB:spec", "digest")]
        text = layer_text(second, "L2")
        assert 'fetch again: source "KB:spec", version "1.0"' in text
        digest = text.split("fetch again")[1].split("</knowledge")[0].split("\n")[1]
        parts = [part.strip() for part in digest.split("[…]") if part.strip()]
        assert parts
        assert all(part in long for part in parts)
        [action] = [a for a in second.budget_report.overflow_actions if a.action == "shorten_library"]
        assert action.items == ("notes", "spec")
        third = await chat.ask("three")
        assert layer_text(third, "L2") == layer_text(second, "L2")
        assert third.envelope.prefix.change == "same"
        fourth = await chat.ask("four", spec)
        assert forms(fourth, "L2")[1] == ("KB:spec", "full")
        assert fourth.envelope.prefix.reasons == ("compaction",)


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
        What stands in a fence is shortened, and stands in a fence of the same labels, with a boundary of its own.
        """
        [upload] = pieces(ruling("u", "upload", self.TEXT, fenced=True, source_type="uploaded_document"))
        taken = shortened(upload, self.LIBRARY)
        before, after = str(shown(upload)).split("\n"), str(shown(taken)).split("\n")
        assert taken.form == "extract"
        assert after[1] == before[1]
        assert after[0] != before[0]
        assert after[-1].startswith("<<end untrusted ")
        assert len(str(shown(taken))) < len(str(shown(upload))) / 2

    def test_short_notes_stay_verbatim(self):
        """
        What cannot be fetched again and is short is never shortened.
        """
        [note] = pieces(ruling("n", content="A note by hand.", source_type="agent_output"))
        assert shortened(note, self.LIBRARY) is note
