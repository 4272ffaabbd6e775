"""What tokens stand for: told to whom policy allows it, and on record either way."""

from gateway.model import DetokenizeAnswer, Subject
from gateway.model.policy_answer import Denial
from gateway.model.policy_input import OriginFacts
from gateway.ports.stores import Secret
from gateway.privacy.detokenize import UNKNOWN, decide, record_revealed, revealed_or_not
from tests.support.clock import NOW

PERSON = Subject(
    sub="ann",
    tenant="gfm",
    role="checker",
    department="RMG",
    jurisdictions=("SG",),
    purposes=("risk_assessment",),
    session_id="s-1",
)
ORIGIN: OriginFacts = {"jurisdictions": ["SG"], "domain": "NPA", "session": "s-1", "role": "analyst"}
KNOWN = {
    "<PERSON:a>": Secret("PERSON", "risk_assessment", "Kelvin", ORIGIN),
    "<EMAIL:b>": Secret("EMAIL", "routing", "k@x", ORIGIN),
}


async def test_policy_is_asked_of_each_token_and_never_told_the_value(engine):
    """
    Policy hears of a token's kind and purpose; the purpose that it was made for is the one that it may be told for.
    """
    asked = []

    class Listening:
        async def evaluate(self, entrypoint, inputs):
            asked.extend(inputs)
            return await engine.evaluate(entrypoint, inputs)

    answers = await decide(KNOWN, "risk_assessment", PERSON, NOW, Listening())
    assert [(token, answer.allow) for token, answer in answers.items()] == [("<PERSON:a>", True), ("<EMAIL:b>", False)]
    assert asked[0]["caller"] == {"purposes": ["risk_assessment"], "session": "s-1"}
    assert asked[0]["token"] == {"type": "PERSON", "purpose": "risk_assessment", "origin": ORIGIN}
    assert "Kelvin" not in str(asked)
    assert "ann" not in str(asked)


def test_what_is_told():
    """
    A value where it is allowed, sorted codes where it is not, and of an unknown token that it is unknown.
    """
    denials = tuple(Denial(code=code, message="x") for code in ("DTK-002", "DTK-001", "DTK-002"))
    answers = {
        "<PERSON:a>": DetokenizeAnswer(allow=True, denials=()),
        "<EMAIL:b>": DetokenizeAnswer(allow=False, denials=denials),
    }
    told = [revealed_or_not(token, KNOWN, answers) for token in (*KNOWN, "<PERSON:zz>")]
    assert [(one.value, one.codes) for one in told] == [
        ("Kelvin", ()),
        (None, ("DTK-001", "DTK-002")),
        (None, (UNKNOWN,)),
    ]


def test_a_secret_is_not_printed():
    """
    What a token stands for is in no representation that a log or an error could show.
    """
    assert "Kelvin" not in repr(KNOWN)


async def test_each_token_is_on_record_without_itself(lane, engine):
    """
    Told or not, each token that was asked for has a record with its kind, and neither token nor value.
    """
    answers = await decide(KNOWN, "risk_assessment", PERSON, NOW, engine)
    revealed = [revealed_or_not(token, KNOWN, answers) for token in (*KNOWN, "<PERSON:zz>")]
    kinds = {token: secret.entity for token, secret in KNOWN.items()}
    await record_revealed(revealed, kinds, PERSON, NOW, ledger=lane, purpose="risk_assessment", policy=engine.version)
    assert [draft.outcome for draft in lane.drafts] == ["released", "denied", "denied"]
    assert [[one.type for one in draft.findings] for draft in lane.drafts] == [["pii:PERSON"], ["pii:EMAIL"], []]
    assert len({draft.request_id for draft in lane.drafts}) == 1
    stored = "".join(draft.model_dump_json() for draft in lane.drafts)
    assert not any(word in stored for word in ("Kelvin", "<PERSON:a>", ":zz>"))
