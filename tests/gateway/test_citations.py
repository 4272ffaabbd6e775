"""Claims against a sealed pack: what is flagged and why, who may ask, what is on record, and how well the words are weighed."""

import json

from datetime import datetime, timedelta

import httpx
import pytest
import yaml

from hypothesis import given
from hypothesis import strategies as st

from bench.citations import SETS, THRESHOLD, measured, scored
from gateway.api.app import create_app
from gateway.citations.support import support
from gateway.content.extract import sentences
from gateway.errors import RecordError
from tests.conftest import NOW
from tests.support.fakes import AnsweringPolicy
from tests.support.oracle import everything_stored, records

SCOPE = "packs:write ledger:read"


@pytest.fixture
async def sealed(post, story):
    """A sealed pack of the story, as it was handed over."""
    answer = await post("/v1/packs", story("npa-risk", "request"), scope=SCOPE)
    assert answer.status_code == 200
    return answer.json()


@pytest.fixture
def verify(post, sealed):
    async def ask(*claims, pack=None, **claims_of_token):
        given = [{"id": f"c{place}", **claim} for place, claim in enumerate(claims)]
        body = {"pack": pack or sealed, "claims": given}
        return await post("/v1/citations/verify", body, **{"scope": SCOPE, **claims_of_token})

    return ask


def item(pack, name):
    return next(one for section in pack["sections"] for one in section["items"] if one["id"] == name)


def cite(pack, name):
    source = item(pack, name)["provenance"]
    return {"doc_id": source["source_id"], "version": source["version"], "section": source["doc_section"]}


def sentence(pack, name):
    return str(item(pack, name)["content"]).split(". ")[0]


class TestFlags:
    async def test_a_grounded_claim(self, sealed, verify):
        """
        A claim that a current source with authority says, cited in full, is grounded.
        """
        claim = {
            "text": sentence(sealed, "sop-4.2.1"),
            "type": "classification_criteria",
            "citations": [cite(sealed, "sop-4.2.1")],
        }
        reply = (await verify(claim)).json()
        [report] = reply["claims"]
        assert (report["grounded"], report["flags"], reply["score"]) == (True, [], 1.0)
        assert report["citations"] == [{"item_id": "sop-4.2.1", "support": 1.0}]

    @pytest.mark.parametrize(
        ("change", "flag"),
        [
            ({"citations": []}, "UNGROUNDED"),
            ({"citations": [{"doc_id": "SOP_of_nowhere", "version": "1", "section": "2"}]}, "PHANTOM_CITATION"),
            ({"text": "The moon is made of green cheese."}, "MISATTRIBUTION"),
        ],
    )
    async def test_flags(self, sealed, verify, change, flag):
        """
        Each thing that can be wrong with a claim has its own flag.
        """
        claim = {
            "text": sentence(sealed, "sop-4.2.1"),
            "type": "classification_criteria",
            "citations": [cite(sealed, "sop-4.2.1")],
            **change,
        }
        [report] = (await verify(claim)).json()["claims"]
        assert report["flags"] == [flag]
        assert report["messages"]

    async def test_another_version_is_stale(self, sealed, verify):
        """
        A citation of another version than the pack holds is of a stale source.
        """
        cited = {**cite(sealed, "sop-4.2.1"), "version": "3.1"}
        claim = {"text": sentence(sealed, "sop-4.2.1"), "type": "classification_criteria", "citations": [cited]}
        [report] = (await verify(claim)).json()["claims"]
        assert report["flags"] == ["STALE_SOURCE"]

    async def test_later_the_source_is_stale(self, sealed, settings, token):
        """
        What was current when the pack was sealed is stale once its time to live is over.
        """
        record = item(sealed, "npa-record")
        later = NOW + timedelta(seconds=record["provenance"]["ttl_seconds"] + 1)
        claim = {
            "id": "c",
            "text": " ".join(f"{name} {value}" for name, value in record["content"].items() if isinstance(value, str)),
            "citations": [{"item_id": "npa-record"}],
        }
        app = create_app(settings, clock=lambda: later)
        claims = {"exp": int((later + timedelta(hours=1)).timestamp()), "scope": SCOPE}
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://ctxgate")
        async with app.router.lifespan_context(app), http:
            headers = {"authorization": f"Bearer {token(**claims)}"}
            body = json.dumps({"pack": sealed, "claims": [claim]})
            answer = await http.post("/v1/citations/verify", content=body, headers=headers)
        [report] = answer.json()["claims"]
        assert "STALE_SOURCE" in report["flags"]

    async def test_authority(self, sealed, verify):
        """
        A credit limit is not grounded in a procedure, and no decision in an e-mail.
        """
        text = sentence(sealed, "sop-4.2.1")
        limit = {"text": text, "type": "credit_limits", "citations": [{"item_id": "sop-4.2.1"}]}
        mail = item(sealed, "email-client")["content"].split("\n")[2]
        word = {"text": mail, "type": "governance_rules", "citations": [{"item_id": "email-client"}]}
        reports = (await verify(limit, word)).json()["claims"]
        assert ["AUTHORITY_MISMATCH" in report["flags"] for report in reports] == [True, True]

    async def test_a_remark_needs_no_source(self, verify):
        """
        What is not one of the kinds that must be cited may stand alone; a kind nobody knows may not.
        """
        reports = (await verify({"text": "Good morning."}, {"text": "Good morning.", "type": "poetry"})).json()[
            "claims"
        ]
        assert [report["flags"] for report in reports] == [[], ["UNGROUNDED"]]


class TestWhoMayAsk:
    async def test_a_changed_pack_is_no_pack(self, sealed, verify):
        """
        A pack that was changed, lacks its receipt, or is another tenant's is refused, and nothing is said of it.
        """
        changed = {**sealed, "warnings": []} if sealed["warnings"] else {**sealed, "model": "other"}
        without = {**sealed, "receipt": None}
        for answer in (
            await verify({"text": "x"}, pack=changed),
            await verify({"text": "x"}, pack=without),
            await verify({"text": "x"}, tenant="other"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (422, "GW-120")

    async def test_scopes(self, verify):
        """
        Asking takes a scope.
        """
        assert (await verify({"text": "x"}, scope="ledger:read")).status_code == 403
        assert (await verify({"text": "x"}, scope="citations:verify")).status_code == 200

    async def test_shapes(self, verify):
        """
        A citation names one thing, and claims have ids of their own.
        """
        both = {"text": "x", "citations": [{"doc_id": "a", "item_id": "b"}]}
        for claims in ([both], [{"text": "x", "id": "c"}, {"text": "y", "id": "c"}], [{"text": ""}], []):
            assert (await verify(*claims)).status_code == 422


class TestOnRecord:
    async def test_each_claim_is_on_record_without_its_words(self, client, sealed, verify):
        """
        Every claim has a record with its verdict and flags; its words are nowhere in the ledger.
        """
        text = "Meteors of peculiar brilliance fell on Tuesday."
        reply = (await verify({"text": text, "citations": [{"item_id": "nothing"}]})).json()
        gateway = client.app.state.gateway
        [record] = records(gateway, kind="citation.verified")
        assert record.decision_id == reply["claims"][0]["decision_id"]
        assert (record.outcome, record.codes, record.agent) == ("denied", ("PHANTOM_CITATION",), "RISK")
        assert "meteors" not in everything_stored(gateway).lower()

    async def test_scores_over_time(self, client, sealed, verify, token):
        """
        An agent's grounding score is the part of its claims that were grounded, day by day, and metrics count the flags.
        """
        good = {"text": sentence(sealed, "sop-4.2.1"), "citations": [{"item_id": "sop-4.2.1"}]}
        await verify(good, good, good, {"text": "x", "citations": [{"item_id": "nothing"}]})
        headers = {"authorization": f"Bearer {token(scope=SCOPE)}"}
        got = await client.get("/v1/citations/scores", params={"agent": "RISK"}, headers=headers)
        day = datetime.date(NOW).isoformat()
        assert got.json()["scores"] == [{"period": day, "claims": 4, "grounded": 3, "score": 0.75}]
        metrics = (await client.get("/metrics")).text
        assert 'context_claims_total{found="PHANTOM_CITATION"} 1.0' in metrics
        assert 'citation_verifications_total{verdict="grounded"} 3.0' in metrics


async def test_without_policy_or_ledger_nothing_is_answered(client, sealed, verify, monkeypatch):
    """
    Where policy answers short or the ledger does not take the records, no verdict is given.
    """
    gateway = client.app.state.gateway
    claim = {"text": sentence(sealed, "sop-4.2.1"), "citations": [{"item_id": "sop-4.2.1"}]}
    with monkeypatch.context() as broken:
        short = AnsweringPolicy(gateway.pipeline.policy.pinned(), "context/citation", lambda answers: list(answers)[1:])
        broken.setattr(type(gateway.pipeline.policy), "pinned", lambda _: short)
        answer = await verify(claim)
        assert (answer.status_code, answer.json()["code"]) == (500, "GW-202")
    with monkeypatch.context() as broken:

        async def full(*_):
            raise RecordError("the disk is full")

        broken.setattr(type(gateway.recorder), "append", full)
        answer = await verify(claim)
        assert (answer.status_code, answer.json()["code"]) == (503, "GW-400")
    assert records(gateway, kind="citation.verified") == []
    assert (await verify(claim)).status_code == 200


class TestSupport:
    @pytest.mark.parametrize(
        ("name", "least", "precision", "recall", "false_alarms"),
        [("seen", 250, 0.95, 0.92, 0.04), ("held out", 70, 0.85, 0.79, 0.13)],
    )
    def test_on_the_labelled_claims(self, name, least, precision, recall, false_alarms):
        """
        On the labelled claims, those that the method was made looking at and the others, the shipped threshold flags what a source
        does not say with the precision and recall that the documentation states, or better.
        """
        claims = scored(SETS[name])
        assert len(claims) >= least
        figures = measured(claims, THRESHOLD)
        assert figures["precision"] >= precision
        assert figures["recall"] >= recall
        assert figures["false_alarms"] <= false_alarms

    @pytest.mark.parametrize(
        ("claim", "text", "high"),
        [
            ("The limit is $50M.", "A limit of USD 50,000,000 applies.", True),
            ("The limit is $60M.", "A limit of USD 50,000,000 applies.", False),
            ("The limit does not apply.", "The limit applies.", False),
            ("Fails are reported within thirty minutes.", "Fails are reported within 30 minutes.", True),
            ("Operations has 72 hours.", "Finance has 72 hours, operations has 48 hours.", False),
            ("Operations has 48 hours.", "Finance has 72 hours, operations has 48 hours.", True),
            ("The product may be sold in Asia.", "The product is approved, and may not be sold in Asia.", False),
            ("The product is approved.", "The product is approved, and may not be sold in Asia.", True),
            (
                "Index funds must be held for thirty days.",
                "Shares must be held for thirty days, except index funds.",
                False,
            ),
            ("Limits are reviewed quarterly.", "Limits are reviewed each quarter.", True),
            ("Limits are reviewed annually.", "Limits are reviewed each quarter.", False),
            ("The VAR limit is USD 4m.", "The value-at-risk limit is USD 4 million.", True),
            ("All loans need approval.", "Loans above the limit need approval.", False),
            ("The client is high risk.", "The client is low risk.", False),
            ("Trades are reported within no more than 5 days.", "Trades are reported within 5 days at most.", True),
            ("", "Anything.", False),
            ("the of and", "Anything.", False),
        ],
    )
    def test_words_and_figures(self, claim, text, high):
        """
        Figures count in any spelling and where they stand, denials and exceptions where they deny.
        """
        assert (support(claim, text) >= THRESHOLD) is high

    def test_a_text_bears_out_itself(self):
        """
        Every sentence of every labelled passage is borne out by its passage, fully.
        """
        for path in SETS.values():
            for text in (passage["text"] for passage in yaml.safe_load(path.read_text())):
                if not text.lstrip().startswith("{"):
                    assert [one for one in sentences(text) if support(one, text) < 1] == []

    @given(claim=st.text(max_size=60), text=st.text(max_size=300))
    def test_whatever_is_claimed(self, claim, text):
        """
        Any claim of any text has a support from 0 to 1.
        """
        assert 0 <= support(claim, text) <= 1

    def test_json(self):
        """
        Documents are read as name and value.
        """
        assert support("The notional is USD 120 million.", {"notional_usd": 120_000_000, "status": "OPEN"}) >= 0.7


class TestPanel:
    @pytest.fixture
    def saved(self, sealed, tmp_path):
        path = tmp_path / "pack.json"
        path.write_text(json.dumps(sealed))
        return path

    async def test_show_and_render(self, saved, sealed, verify, tmp_path):
        """
        The panel names each source with tier, section and date, strongest first; what was cited can be shown alone; the page
        loads nothing and forges nothing; the prompt is rendered from the file alone.
        """
        from typer.testing import CliRunner

        from gateway.cli import application

        runner = CliRunner(env={"COLUMNS": "200"})
        shown = runner.invoke(application(), ["pack", "show", str(saved)])
        assert shown.exit_code == 0, shown.output
        assert "[T1] SoR:npa_projects" in shown.output
        assert "System of Record" in shown.output
        assert "prompt_library" not in shown.output.split("Layers")[0]
        assert shown.output.index("[T1]") < shown.output.index("[T2]")
        assert "Layers" in shown.output
        reply = (await verify({"text": "x", "citations": [{"item_id": "sop-4.2.1"}]})).json()
        (tmp_path / "reply.json").write_text(json.dumps(reply))
        cited = runner.invoke(application(), ["pack", "show", str(saved), "--verified", str(tmp_path / "reply.json")])
        assert "MISATTRIBUTION" in cited.output
        assert "npa_projects" not in cited.output
        out = tmp_path / "panel.html"
        html = runner.invoke(application(), ["pack", "show", str(saved), "--html", str(out)])
        assert html.exit_code == 0
        page = out.read_text()
        assert "default-src 'none'" in page
        assert "http://" not in page.replace("http-equiv", "")
        for provider in ("openai", "anthropic", "gemini"):
            prompt = runner.invoke(application(), ["pack", "render", str(saved), "--for", provider])
            assert json.loads(prompt.output)
        (tmp_path / "no.json").write_text("{}")
        assert runner.invoke(application(), ["pack", "show", str(tmp_path / "no.json")]).exit_code == 1

    def test_markup_in_a_source_is_text(self, sealed):
        """
        A source's name cannot become part of the page.
        """
        from gateway.citations.panel import entries, page
        from gateway.model import ContextPack

        text = json.dumps(sealed).replace("SoR:npa_projects", "<script>alert(1)</script>")
        pack = ContextPack.model_validate_json(text)
        assert "<script>" not in page(pack, entries(pack), {"<script>": "<script>"})
