"""Signatures of the package for sources, held to the published vectors and to the gateway."""

from datetime import UTC, datetime

import pytest

from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import ECKey, OctKey, OKPKey
from pydantic_core import PydanticCustomError

from adapters.attestation.jws_labels import payload_of
from ctxgate_source import content_digest, make_key, payload, sign_labels
from gateway.model.base import one_visible_line
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.vectors import VECTORS, item_of, sources_of, verdict

VECTOR = VECTORS["verify"][0]
KEYS = {issuer: (OKPKey if jwk["kty"] == "OKP" else ECKey).import_key(jwk) for issuer, jwk in VECTORS["keys"].items()}
AT = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize("vector", VECTORS["verify"], ids=[vector["name"] for vector in VECTORS["verify"]])
def test_the_published_vectors(vector):
    """
    The package signs the published payload, and with EdDSA, which leaves no choice, gives the published signature.
    """
    assert payload(vector["labels"], vector["content"]).decode() == vector["payload"]
    assert content_digest(vector["content"]) == vector["sha256"]
    issuer = vector["issuer"]
    mine = sign_labels(vector["labels"], vector["content"], KEYS[issuer], issuer, at=AT)
    assert verdict(item_of({**vector, "attestation": mine}))["verified"] is True
    if KEYS[issuer].key_type == "OKP":
        assert mine == vector["attestation"]


def test_the_worked_example():
    """
    The page about attestation shows a published vector, to the byte.
    """
    page = (HOME / "docs/attestation.md").read_text()
    for text in (VECTOR["content"], VECTOR["payload"], VECTOR["attestation"]):
        assert f"\n{text}\n" in page


def is_one_visible_line(text):
    """Whether the gateway takes such a label at all."""
    try:
        return bool(one_visible_line(text))
    except PydanticCustomError:
        return False


LABELS = st.fixed_dictionaries(
    {},
    optional={
        "source_id": st.text(st.characters(codec="utf-8"), min_size=1, max_size=200).filter(is_one_visible_line),
        "owner": st.none() | st.just("Compliance"),
        "source_type": st.sampled_from(["bank_sop", "email"]),
        "ttl_seconds": st.integers(0, 2**31),
        "fetched_at": st.datetimes(timezones=st.just(UTC)).map(lambda at: at.isoformat()),
        "jurisdiction": st.sampled_from(["SG", None]),
        "effective_date": st.dates().map(lambda day: day.isoformat()),
    },
)


@given(labels=LABELS, content=st.text() | st.lists(st.floats(allow_nan=False, allow_infinity=False)))
@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256"])
def test_what_it_signs_the_gateway_verifies(algorithm, labels, content):
    """
    Whatever labels and content are signed, the gateway finds the same payload in the item, and the signature holds.
    """
    key = make_key("k", algorithm)
    item = item_of(
        {"labels": labels, "content": content, "attestation": sign_labels(labels, content, key, "s", at=NOW)}
    )
    assert payload_of(item) == payload(labels, content)
    told = verdict(item, sources=sources_of({"s": key.as_dict(private=False)}))
    assert (told["verified"], told["age_seconds"], told["key"], told["issuer"]) == (True, 0, "k", "s")


def test_what_cannot_be_signed():
    """
    A time without an offset, a key of another kind, without an id or without its private part, and what is not JSON are refused.
    """
    good = make_key("k")
    public = OKPKey.import_key(good.as_dict(private=False))
    for key in (
        OctKey.generate_key(256, {"kid": "k"}),
        OKPKey.generate_key("Ed25519"),
        public,
        ECKey.generate_key("P-384"),
    ):
        with pytest.raises((ValueError, AttributeError)):
            sign_labels({}, "x", key, "s", at=NOW)
    with pytest.raises(ValueError, match="offset"):
        sign_labels({}, "x", good, "s", at=NOW.replace(tzinfo=None))
    with pytest.raises(ValueError):
        sign_labels({}, {"a": float("nan")}, good, "s")


def test_signed_now():
    """
    Without a time the signature is of now.
    """
    key = make_key("k")
    item = item_of({**VECTOR, "attestation": sign_labels(VECTOR["labels"], VECTOR["content"], key, "s")})
    told = verdict(item, sources=sources_of({"s": key.as_dict(private=False)}), now=datetime.now(UTC))
    assert told["age_seconds"] in range(60)
