"""
The right to be forgotten: everything that is stored of a person goes, and that it went is on record.

Rules held here: nobody erases themselves; keys, salts, inputs, contents and the name behind the token go in the transaction that records it;
quarantined content of that person's requests, answers kept for repeats, sessions and artifacts go before, and once
more after, since requests may have been under way: none of these is sealed any more (`gateway.stages.seal`), and what it kept
goes (`gateway.pipeline`); records and proofs stay as they are.
"""

import json

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gateway.audit.drafts import person_erased
from gateway.audit.parts import act_alone
from gateway.audit.recorder import Recorder
from gateway.errors import NotFoundError, SecondOfficerError
from gateway.model import Subject
from gateway.model.base import person_of
from gateway.model.pseudonyms import keyed_name
from gateway.ports.stores import Answers, Artifacts, Reviews, Sessions
from ledger.query import Filter
from ledger.store import Erasure, Person, Store


@dataclass(frozen=True, slots=True)
class PersonalStores:
    """What is kept of persons beside the ledger."""

    reviews: Reviews
    answers: Answers
    sessions: Sessions
    artifacts: Artifacts
    secret: bytes
    """What marks of persons are made with."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What is gone."""

    token: str
    """What stands for nobody now; empty where an earlier erasure is only finished."""

    records: int
    """Records that stay, about a token that stands for nobody now."""

    held: int
    """Contents that were quarantined for review."""

    answers: int
    """Answers that were kept under idempotency keys."""

    turns: int
    """Turns of sessions that held something."""

    artifacts: int
    """Artifacts that were kept outside of packs."""


async def erase(
    person: Erasure,
    basis: str,
    officer: Subject,
    now: datetime,
    *,
    store: Store,
    recorder: Recorder,
    stores: PersonalStores,
    catch_up: Callable[[], Awaitable[object]],
) -> Erased:
    """
    Forget a person.

    Args:
        person: who.
        basis: why, in words; sealed under the officer's key.
        officer: who does it; not the person themselves, whose acts would be nobody's then.
        now: when.
        store: the ledger, for a role that may erase.
        recorder: writes to that ledger.
        stores: what is kept beside the ledger.
        catch_up: brings the ledger's log up to date.

    Raises:
        NotFoundError: there is no such person, or no more, and nothing is left of one.

        SecondOfficerError: the officer is the person.

        RecordError, StoreError: it was not done, or not all of it; to be repeated.
    """
    if person_of(person.subject) in {officer.person, person_of(officer.sub)}:
        raise SecondOfficerError("nobody erases what is on record of themselves")
    known = store.known_person(person.tenant, person.subject)
    if known is None:
        return await _finish(person, stores)
    gone = await _sweep(person, await _decisions(store, known, catch_up), stores)
    act = act_alone(now, person.tenant, await recorder.subject_token(officer.tenant, officer.sub))
    draft, erasable = person_erased(act, known.token, basis)
    await recorder.append([draft], [erasable], [person])
    recorder.forget()
    # Once more: a request that was under way may have kept something after it was deleted, and cannot from here on.
    decisions = await _decisions(store, known, catch_up)
    gone.update(await _sweep(person, decisions, stores))
    return _erased(known.token, len(decisions), gone)


async def _finish(person: Erasure, stores: PersonalStores) -> Erased:
    """What an erasure that is on record did not get to delete, since what is kept beside the ledger did not answer."""
    gone = await _sweep(person, (), stores)
    if not gone.total():
        raise NotFoundError("the ledger has no person of that name in that tenant")
    return _erased("", 0, gone)


def _erased(token: str, records: int, gone: Counter[str]) -> Erased:
    return Erased(
        token=token,
        records=records,
        held=gone["held"],
        answers=gone["answers"],
        turns=gone["turns"],
        artifacts=gone["artifacts"],
    )


async def _sweep(person: Erasure, decisions: Sequence[str], stores: PersonalStores) -> Counter[str]:
    """Delete what is kept of a person beside the ledger, and of what these decisions set aside; how much, by the names of `Erased`."""
    who = keyed_name(stores.secret, person.subject)
    return Counter(
        held=await stores.reviews.erase(person.tenant, decisions),
        answers=await stores.answers.forget(person.tenant, who),
        turns=await stores.sessions.forget(person.tenant, who),
        artifacts=await stores.artifacts.forget(keyed_name(stores.secret, person.tenant), who),
    )


async def _decisions(store: Store, person: Person, catch_up: Callable[[], Awaitable[object]]) -> list[str]:
    """All that is on record of a person now."""
    await catch_up()
    found: list[str] = []
    after: int | None = 0
    while after is not None:
        page = store.query(Filter(tenant=person.tenant, subject=person.token, after=after, limit=1000))
        found += (json.loads(body)["decision_id"] for body in page.records)
        after = page.next
    return found
