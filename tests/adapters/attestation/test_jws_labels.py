"""Signatures over labels: what holds, what does not, and what it costs to find out."""

import base64
import json

from dataclasses import replace
from datetime import timedelta
from threading import Thread

import pytest

from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import ECKey, OctKey, OKPKey
from pydantic import ValidationError

from adapters.attestation.jws_labels import DEVELOPMENT, JwsLabelVerifier, payload_of, sign
from gateway.model import Candidate
from gateway.model.sources.entry import SourceEntry
from tests.support.clock import NOW
from tests.support.vectors import SOURCES, VECTORS, item_of, sources_of, verdict


def named(vectors):
    return {"argvalues": vectors, "ids": [vector["name"] for vector in vectors]}


class TestVectors:
    @pytest.mark.parametrize("vector", **named(VECTORS["verify"]))
    def test_what_holds(self, vector):
        """
        A published signature holds, over exactly the published payload, and says who signed and when.
        """
        item = item_of(vector)
        assert payload_of(item).decode() == vector["payload"]
        assert item.digest == vector["sha256"]
        assert verdict(item) == {
            "method": "signature",
            "issuer": vector["issuer"],
            "key": "k1",
            "signed_at": "2026-03-01T09:00:00.000000Z",
            "age_seconds": int((NOW.timestamp() - 1772355600) // 1),
            "verified": True,
        }

    @pytest.mark.parametrize("vector", **named(VECTORS["refuse"]))
    def test_what_does_not(self, vector):
        """
        Changed labels or content, a confused algorithm or key, and a header that says more than it may do not verify.
        """
        assert verdict(item_of(vector))["verified"] is False


VECTOR = VECTORS["verify"][0]


class TestAnyChange:
    @given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
    def test_of_one_bit_of_header_or_signature(self, place, bit):
        """
        No bit of the signature as it is written can be flipped, whether what comes out is still of its form or not.
        """
        text = bytearray(VECTOR["attestation"].encode())
        text[place % len(text)] ^= 1 << bit
        item = item_of(VECTOR)
        changed = item.model_copy(update={"attestation": text.decode("latin-1")})
        assert verdict(changed)["verified"] is False

    @given(st.integers(0, 10_000), st.integers(0, 20))
    def test_of_one_bit_of_the_content(self, place, bit):
        """
        No character of the content can be another one.
        """
        text = VECTOR["content"]
        place %= len(text)
        other = text[:place] + chr((ord(text[place]) ^ 1 << bit) % 0x110000) + text[place + 1 :]
        if any("\ud800" <= one <= "\udfff" for one in other) or other == text:
            return
        assert verdict(item_of({**VECTOR, "content": other}))["verified"] is False

    @pytest.mark.parametrize("label", sorted(VECTOR["labels"]))
    def test_of_a_label(self, label):
        """
        No label can be taken away, and none can be another.
        """
        labels = dict(VECTOR["labels"])
        said = labels.pop(label)
        assert verdict(item_of({**VECTOR, "labels": labels}))["verified"] is False
        others = {"source_type": "email", "jurisdiction": "HK", "data_classification": "PUBLIC", "ttl_seconds": 86401}
        others |= {"effective_date": "2025-11-02", "fetched_at": "2026-03-01T09:00:00+00:00"}
        labels[label] = others.get(label, f"{said} ")
        assert verdict(item_of({**VECTOR, "labels": labels}))["verified"] is False

    def test_another_items_signature(self):
        """
        A signature is for one item: it does not hold over any other, also of the same source.
        """
        for one in VECTORS["verify"]:
            for other in VECTORS["verify"]:
                if one["payload"] != other["payload"]:
                    changed = item_of({**one, "attestation": other["attestation"]})
                    assert verdict(changed)["verified"] is False


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)  # fmt: skip
def test_any_content_can_be_signed(content):
    """
    Text and any JSON value, nested and in any script, verify after they were signed, and only as what they are.
    """
    key = OKPKey.generate_key("Ed25519", {"kid": "k"})
    item = item_of({**VECTOR, "content": content, "attestation": None})
    signed = item.model_copy(update={"attestation": sign(item, key, issuer="s", at=NOW)})
    sources = sources_of({"s": key.as_dict(private=False)})
    assert verdict(signed, sources=sources)["verified"] is True
    assert verdict(signed.model_copy(update={"content": [content]}), sources=sources)["verified"] is False


class TestKeys:
    def test_only_what_may_sign_is_a_key(self):
        """
        A registry brings public keys for Ed25519 and P-256 alone: no secrets, no other curves, no private parts, no id twice.
        """
        for jwk in (
            OctKey.generate_key(256).as_dict(),
            OKPKey.generate_key("X25519").as_dict(private=False),
            OKPKey.generate_key("Ed448").as_dict(private=False),
            ECKey.generate_key("P-384").as_dict(private=False),
            OKPKey.generate_key("Ed25519").as_dict(private=True),
            {"kty": "OKP", "crv": "Ed25519"},
        ):
            with pytest.raises(ValidationError, match="must be a public key"):
                entry([{"kid": "k", "jwk": jwk, "valid_from": "2026-01-01"}])
        key = {"kid": "k", "jwk": OKPKey.generate_key("Ed25519").as_dict(private=False), "valid_from": "2026-01-01"}
        with pytest.raises(ValidationError, match="two keys"):
            entry([key, key])

    @pytest.mark.parametrize(
        "jwk",
        [
            {"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"},
            {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43},
            {"kty": "OKP", "crv": "Ed25519", "x": "AAAA"},
            {"kty": "OKP", "crv": "Ed25519", "x": "!"},
        ],
    )
    def test_a_key_that_is_no_point_verifies_nothing(self, jwk):
        """
        What is of the form of a key and is none verifies nothing, and stops no other source's items.
        """
        sources = {**SOURCES, "broken": entry([{"kid": "k1", "jwk": jwk, "valid_from": "2026-01-01"}])}
        assert verdict(item_of(VECTOR), sources=sources)["verified"] is True
        forged = item_of(VECTOR).model_copy(update={"attestation": as_issuer("broken")})
        assert verdict(forged, sources=sources)["verified"] is False

    def test_a_development_key_only_where_it_is_believed(self):
        """
        A development signature verifies with the development key of this gateway, and nowhere without one; no source of the
        registry can take its name.
        """
        key = OKPKey.generate_key("Ed25519", {"kid": "development"})
        item = item_of({**VECTOR, "attestation": None})
        signed = item.model_copy(update={"attestation": sign(item, key, issuer=DEVELOPMENT, at=NOW)})
        believing = JwsLabelVerifier(key.as_dict(private=False))
        assert verdict(signed, believing) | {"key": ""} == {
            "method": "development",
            "issuer": DEVELOPMENT,
            "key": "",
            "signed_at": "2026-03-01T09:15:00.000000Z",
            "age_seconds": 0,
            "verified": True,
        }
        assert verdict(signed)["verified"] is False
        pretending = sources_of({DEVELOPMENT: key.as_dict(private=False)})
        assert verdict(signed, sources=pretending)["verified"] is False

    def test_the_keys_of_the_registry_that_decides(self):
        """
        A signature is held against the keys of the registry it is asked with, whichever were asked with before.
        """
        verifier, item = JwsLabelVerifier(), item_of(VECTOR)
        assert verdict(item, verifier)["verified"] is True
        assert verdict(item, verifier, sources={})["verified"] is False
        other = sources_of({"knowledge-base": OKPKey.generate_key("Ed25519", {"kid": "k1"}).as_dict(private=False)})
        assert verdict(item, verifier, sources=other)["verified"] is False
        assert verdict(item, verifier)["verified"] is True


class TestCost:
    def test_once_for_each_signature(self, monkeypatch):
        """
        What held and what did not are both remembered: the same item again costs no signature, and one that differs does.
        """
        verifier, item = JwsLabelVerifier(), item_of(VECTOR)
        forged = item_of({**VECTOR, "content": "other"})
        counted = count_of(verifier, monkeypatch)
        for _ in range(3):
            assert verdict(item, verifier)["verified"] is True
            assert verdict(forged, verifier)["verified"] is False
        assert len(counted) == 2

    def test_keys_are_read_once(self, monkeypatch):
        """
        500 items of one registry read its keys once.
        """
        read = []
        real = OKPKey.import_key
        monkeypatch.setattr(OKPKey, "import_key", lambda jwk: read.append(1) or real(jwk))
        verifier = JwsLabelVerifier()
        for number in range(500):
            verdict(item_of({**VECTOR, "content": f"{number}"}), verifier)
        assert len(read) == 1

    def test_500_forgeries_do_not_crowd_out_what_holds(self, monkeypatch):
        """
        A memory for few signatures still knows the good one after any number of forged ones.
        """
        verifier, item = JwsLabelVerifier(remembered=2), item_of(VECTOR)
        verdict(item, verifier)
        for number in range(500):
            assert verdict(item_of({**VECTOR, "content": f"{number}"}), verifier)["verified"] is False
        counted = count_of(verifier, monkeypatch)
        assert verdict(item, verifier)["verified"] is True
        assert counted == []

    def test_what_is_no_signature_costs_none(self, monkeypatch):
        """
        A text that is not of the form of a signature is refused before any key is used.
        """
        verifier = JwsLabelVerifier()
        verifier._keys_of(SOURCES)
        counted = count_of(verifier, monkeypatch)
        for mark in ("AA", "A" * 88):
            head = VECTOR["attestation"].partition("..")[0]
            assert verdict(item_of({**VECTOR, "attestation": f"{head}..{mark}"}), verifier)["verified"] is False
        assert counted == []

    def test_many_threads(self):
        """
        Requests verify in threads at the same time, over a memory too small for them all, and each has its right answer.
        """
        verifier = JwsLabelVerifier(remembered=3)
        wrong = []

        def work(vector):
            wrong.extend(1 for _ in range(200) if not verdict(item_of(vector), verifier)["verified"])

        threads = [Thread(target=work, args=(vector,)) for vector in VECTORS["verify"]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


class TestForm:
    @pytest.mark.parametrize(
        "text", ["a", "a..", "..a", "a.b.c", "a..b\n", "é..b", "a..b c", "a..b=", "a.." + "b" * 2000]
    )
    def test_what_is_no_compact_form(self, text):
        """
        What is not two base64url texts around two points, or is longer than 2,000 characters, is no field of a request.
        """
        with pytest.raises(ValidationError):
            item_of({**VECTOR, "attestation": text})

    def test_an_age_in_whole_seconds(self):
        """
        The age is rounded down, so that a signature of the future is never of now.
        """
        item = item_of(VECTOR)
        at = NOW - timedelta(seconds=verdict(item)["age_seconds"])
        assert verdict(item, now=at + timedelta(milliseconds=999))["age_seconds"] == 0
        assert verdict(item, now=at - timedelta(milliseconds=1))["age_seconds"] == -1

    def test_nothing_to_verify(self):
        """
        An item without a signature has nobody who vouches for it.
        """
        assert verdict(Candidate(id="a", section="knowledge", content="x")) is None


def entry(keys):
    return SourceEntry.model_validate({"id": "s", "kind": "brought", "keys": keys})


def as_issuer(issuer):
    """The vector's signature with another issuer in its header, which nobody signed."""
    head, _, mark = VECTOR["attestation"].partition("..")
    header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    body = base64.urlsafe_b64encode(json.dumps({**header, "iss": issuer}).encode()).decode().rstrip("=")
    return f"{body}..{mark}"


def count_of(verifier, monkeypatch):
    """Grows by one for every signature that is computed."""
    counted = []
    keys = verifier._keys_of(SOURCES)
    for name, key in keys.items():
        counting = lambda *given, real=key.verify: counted.append(1) or real(*given)  # noqa: E731
        monkeypatch.setitem(keys, name, replace(key, verify=counting))
    return counted
