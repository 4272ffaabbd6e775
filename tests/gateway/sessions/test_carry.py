"""What a session carries over, and that it is decided on anew in every turn."""

from gateway.bootstrap.gateway import running
from gateway.prompt.render import history
from tests.support.clock import NOW
from tests.support.conversation import DOCS, SPEC, Chat, forms, knowledge, layer_text
from tests.support.oracle import records


class TestWalkthrough:
    async def test_three_turns(self, chat):
        """
        What was attached is carried over in first-seen order, attached again it is a reference, and left out it stays.
        """
        spec, docs = knowledge("spec", SPEC), knowledge("api-docs", DOCS)
        first = await chat.ask("Summarize this", spec)
        assert forms(first, "L2") == []
        assert ("KB:spec", "full") in forms(first, "L3")
        second = await chat.ask("Which endpoints are there?", spec, docs)
        assert forms(second, "L2") == [("KB:spec", "full")]
        assert ("KB:spec", "reference") in forms(second, "L3")
        assert ("KB:api-docs", "full") in forms(second, "L3")
        assert SPEC not in layer_text(second, "L3")
        third = await chat.ask("Explain netting from the spec", spec)
        assert forms(third, "L2") == [("KB:spec", "full"), ("KB:api-docs", "full")]
        assert ("KB:api-docs", "reference") not in forms(third, "L3")
        changes = [pack.envelope.prefix.change for pack in (first, second, third)]
        assert changes == ["first", "extended", "extended"]
        assert [pack.envelope.prefix.reasons for pack in (second, third)] == [("attach",), ("attach",)]
        assert layer_text(third, "L2").startswith(layer_text(second, "L2"))
        assert [text.split("\n")[2] for _, text in history(third)] == ["Summarize this", "Which endpoints are there?"]
        for pack in (first, second, third):
            order = [report.layer for report in pack.envelope.layers]
            assert order == sorted(order)

    async def test_what_is_carried_over_is_ruled_on_in_every_turn(self, chat, gateway):
        """
        Nothing reaches a prompt without a record of its own, also what an earlier turn brought.
        """
        await chat.ask("one", knowledge("spec", SPEC))
        before = len(records(gateway, kind="item.ruled"))
        pack = await chat.ask("two")
        ruled = records(gateway, kind="item.ruled")[before:]
        assert "spec" in {record.item.id for record in ruled}
        [sealed] = records(gateway, kind="pack.sealed")[1:]
        assert sealed.pack.rulings == len(ruled)
        assert "spec" in {item.id for section in pack.sections for item in section.items}


class TestPrefix:
    async def test_content_that_changed_beside_a_stable_prefix(self, settings, story, subject):
        """
        Stable: the prefix keeps its bytes, and the newer version stands after it, marked, in this turn and the next ones.
        """
        chosen = settings.model_copy(update={"library_updates": "stable"})
        async with running(chosen, clock=lambda: NOW) as gateway:
            chat = Chat(gateway, story, subject)
            await chat.ask("one", knowledge("spec", SPEC))
            second = await chat.ask("two")
            third = await chat.ask("three", knowledge("spec", "Netting is at 19:00 now."))
            fourth = await chat.ask("four")
        for pack in (third, fourth):
            assert layer_text(pack, "L2") == layer_text(second, "L2")
            assert ("KB:spec", "override") in forms(pack, "L3")
            assert "19:00" in layer_text(pack, "L3").split('<notice code="OVERRIDE">')[1]
            assert pack.envelope.prefix.change == "same"

    async def test_chunks_of_one_section(self, chat):
        """
        Several chunks of one section, overlapping or not, are carried over each, keep their places, and are referred to when
        they are attached again in another order.
        """
        rules = [f"Rule {n} binds desk {n * 3} from {n + 1} March on." for n in range(60)]
        cuts = [(0, 22), (20, 40), (45, 60)]
        chunks = [
            {**knowledge(f"c{n}", " ".join(rules[a:b]), source_id="KB:manual", doc_section="4")}
            for n, (a, b) in enumerate(cuts)
        ]
        first = await chat.ask("one", *chunks)
        assert len([s for s, _ in forms(first, "L3") if s.startswith("KB:manual")]) == 2
        second = await chat.ask("two")
        held = [segment for segment, _ in forms(second, "L2")]
        assert len(held) == len(set(held)) == 3
        again = [{**chunk, "id": f"again-{chunk['id']}"} for chunk in reversed(chunks)]
        third = await chat.ask("three", *again)
        assert [segment for segment, form in forms(third, "L3") if form == "reference"] == held
        assert layer_text(third, "L2") == layer_text(second, "L2")
        assert third.envelope.prefix.change == "same"
        changed = {**chunks[2], "content": "The rules from 45 on are withdrawn."}
        fourth = await chat.ask("four", changed)
        assert len(forms(fourth, "L2")) == 3
        assert fourth.envelope.prefix.change == "same"

    async def test_sessions_of_two_persons_never_meet(self, chat, story, subject):
        """
        The same session id of another person, or in another tenant, carries nothing over.
        """
        await chat.ask("one", knowledge("spec", SPEC))
        for claims in ({"sub": "somebody.else"}, {"tenant": "other"}):
            stranger = Chat(chat.gateway, story, {**subject, **claims})
            stranger.turn = 1
            pack = await stranger.ask("two")
            assert forms(pack, "L2") == []
