"""
The right to be forgotten: everything that is stored of a person goes, and that it went is on record.

Rules held here: two persons agreed on it, and neither is the one (`gateway.privacy.asking`); what is to be done is kept before anything is deleted, so that it is finished whatever
happens; keys, salts, inputs, contents and the name behind the token go in the transaction that records it; quarantined content
of that person's requests, what the person said as an officer, answers kept for repeats, sessions, artifacts and traces go before,
and once more after, since requests may have been under way: none of these is sealed any more (`gateway.stages.seal`), and what
it kept goes (`gateway.pipeline`); a certificate is issued once no file holds what was deleted, and until then the erasure says
that it is not complete, and what still holds something (`gateway.privacy.completion`); records and proofs stay as they are.
"""

import asyncio
import hashlib
import json

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

from gateway.audit.drafts import person_erased
from gateway.audit.parts import act_alone
from gateway.audit.recorder import Recorder
from gateway.errors import NotFoundError, RecordError
from gateway.model import Subject, utc_text
from gateway.model.base import person_of
from gateway.model.pseudonyms import keyed_name
from gateway.ports.erasure import ErasureRequest, ErasureRequests, Erasures, KeptTraces, PendingErasure, PersonKeys
from gateway.ports.stores import Answers, Artifacts, Reviews, Sessions
from gateway.ports.waivers import Waivers
from gateway.privacy.asking import require_two
from gateway.privacy.completion import Completion
from ledger.errors import LedgerError
from ledger.query import Filter
from ledger.store import Erasure, Person, Store

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PersonalStores:
    """What is kept of persons beside the ledger."""

    reviews: Reviews
    waivers: Waivers
    answers: Answers
    sessions: Sessions
    artifacts: Artifacts
    traces: KeptTraces
    keys: PersonKeys
    erasures: Erasures
    requests: ErasureRequests
    secret: bytes
    """What marks of persons are made with."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What is gone."""

    token: str
    """What stands for nobody now; empty where nothing but leftovers of an earlier erasure was found."""

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

    traces: int
    """Traces of requests."""

    acts: int
    """Verdicts and proposals of an officer that name nobody now."""

    certificate: str
    """That nothing holds it any more, signed."""


@dataclass(frozen=True, slots=True)
class Eraser:
    """Forgets persons."""

    store: Store
    """The ledger, for a role that may erase."""

    recorder: Recorder
    """Writes to that ledger."""

    stores: PersonalStores
    """What is kept beside the ledger."""

    catch_up: Callable[[], Awaitable[object]]
    """Brings the ledger's log up to date."""

    completion: Completion
    """What follows once the person is gone."""

    forget_proposals: Callable[[str], int]
    """Drops what a person proposed for bundles as an officer; how many proposals that were."""

    async def erase(self, agreed: ErasureRequest, officer: Subject, now: datetime) -> Erased:
        """
        Forget a person.

        Args:
            agreed: who, and why in words, which are sealed under the officer's key; approved, and that on record.
            officer: who approved it; neither who asked, nor the person, whose acts would be nobody's then.
            now: when.

        Raises:
            NotFoundError: there is no such person, or no more, and nothing is left of one.

            SecondOfficerError: the officer is the person, or asked for it.

            ErasureIncompleteError: the person is erased, and something may still hold what was deleted; to be repeated or resumed.

            RecordError, StoreError: it was not done, or not all of it; to be repeated.
        """
        require_two(agreed, officer)
        person = Erasure(agreed.tenant, agreed.subject)
        acting = await self.recorder.subject_token(officer.tenant, officer.sub)
        known = await _asked(lambda: self.store.known_person(person.tenant, person.subject))
        if known is None:
            return await self._finish(person, acting, now)
        pending = self._pending(known)
        await self.stores.erasures.begin(pending)
        gone = await self._sweep(pending, person)
        act, outside = act_alone(now, person.tenant, acting), bool(pending.outside)
        draft, erasable = person_erased(
            act, known.token, agreed.asked.reason, pending.key, outside=outside, request=agreed.id
        )
        await self.recorder.append([draft], [erasable], [person])
        self.recorder.forget()
        # Once more: a request that was under way may have kept something after it was deleted, and cannot from here on.
        gone.update(await self._sweep(pending, person))
        certificate = await self.completion.complete(pending, acting, now)
        return _erased(known.token, len(await self._decisions(pending)), gone, certificate)

    async def resume(self, tenant: str | None, acting: str | None, now: datetime) -> list[str]:
        """
        Go on with erasures that are not complete, of a tenant or of all.

        Args:
            tenant: whose; None for all.
            acting: token of whoever goes on; None where nobody does but the gateway itself.
            now: when.

        Returns:
            The certificates of those that are complete now.

        Raises:
            ErasureIncompleteError: something may still hold what was deleted.

            RecordError, StoreError: it was not done, or not all of it.
        """
        certificates = []
        await self.stores.requests.drop_over(utc_text(now))
        for pending in await self.stores.erasures.pending(tenant):
            await self.catch_up()
            if await _asked(partial(self.store.behind, pending.tenant, [pending.token])):
                # It had begun, and never came to the record; what it deleted beside the ledger stays deleted.
                await self.stores.erasures.drop(pending)
                continue
            await self._sweep(pending, None)
            certificates.append(await self.completion.complete(pending, acting, now))
        return certificates

    def _pending(self, known: Person) -> PendingErasure:
        return PendingErasure(
            known.tenant,
            known.token,
            keyed_name(self.stores.secret, known.subject),
            hashlib.sha256(known.key).hexdigest(),
            self.completion.sealer.outside(known.key),
        )

    async def _finish(self, person: Erasure, acting: str, now: datetime) -> Erased:
        """What an erasure that is on record did not get to, since something beside the ledger did not answer, or was in use."""
        mark = keyed_name(self.stores.secret, person.subject)
        await self.stores.requests.drop(await self.stores.requests.about(person.tenant, mark))
        begun = [one for one in await self.stores.erasures.pending(person.tenant) if one.person == mark]
        gone = Counter[str]()
        for pending in begun or [PendingErasure(person.tenant, "", mark, "")]:
            gone.update(await self._sweep(pending, person))
        if not begun and not gone.total():
            raise NotFoundError("the ledger has no person of that name in that tenant")
        done = [await self.completion.complete(pending, acting, now) for pending in begun]
        if not begun:
            await self.completion.require_cleared()
        records = sum([len(await self._decisions(pending)) for pending in begun])
        return _erased(begun[-1].token if begun else "", records, gone, done[-1] if done else "")

    async def _sweep(self, pending: PendingErasure, person: Erasure | None) -> Counter[str]:
        """Delete what is kept of a person beside the ledger; how much, by the names of `Erased`."""
        stores, tenant, who = self.stores, pending.tenant, pending.person
        gone = Counter(
            held=await stores.reviews.erase(tenant, await self._decisions(pending)),
            answers=await stores.answers.forget(tenant, who),
            turns=await stores.sessions.forget(tenant, who),
            artifacts=await stores.artifacts.forget(keyed_name(stores.secret, tenant), who),
            traces=await stores.traces.erase(tenant, pending.token) if pending.token else 0,
        )
        # Last, since what is there must open to be told from what is empty.
        for of in (tenant, keyed_name(stores.secret, tenant)):
            await stores.keys.forget(of, who)
        if person is not None:
            # Only who knows the name can tell the officer's acts; they are done before the name is gone.
            gone["acts"] = await stores.reviews.forget_officer(tenant, person.subject, pending.token or "erased")
            gone["acts"] += await self._asked_by(tenant, person.subject)
            gone["acts"] += await stores.waivers.forget_person(tenant, person.subject, pending.token or "erased")
            gone["acts"] += await asyncio.to_thread(self.forget_proposals, person.subject)
        return gone

    async def _asked_by(self, tenant: str, subject: str) -> int:
        """Delete erasures that only this person speaks for; how many."""
        waiting = await self.stores.requests.all_of(tenant)
        return await self.stores.requests.drop([one for one in waiting if one.asked.is_by(person_of(subject))])

    async def _decisions(self, pending: PendingErasure) -> list[str]:
        """All that is on record of a person now."""
        if not pending.token:
            return []
        await self.catch_up()
        found: list[str] = []
        after: int | None = 0
        while after is not None:
            wanted = Filter(tenant=pending.tenant, subject=pending.token, after=after, limit=1000)
            page = await _asked(partial(self.store.query, wanted))
            found += (json.loads(body)["decision_id"] for body in page.records)
            after = page.next
        return found


def _erased(token: str, records: int, gone: Counter[str], certificate: str) -> Erased:
    names = ("held", "answers", "turns", "artifacts", "traces", "acts")
    return Erased(token=token, records=records, certificate=certificate, **{name: gone[name] for name in names})


def what_is_gone(erased: Erased) -> Sequence[tuple[str, int]]:
    """What is gone, as words and counts."""
    return (
        ("contents under review", erased.held),
        ("kept answers", erased.answers),
        ("turns of sessions", erased.turns),
        ("artifacts", erased.artifacts),
        ("traces", erased.traces),
        ("names of an officer", erased.acts),
    )


async def _asked(act: Callable[[], _T]) -> _T:
    """What the store answers, on another thread: it may be a database that hangs."""
    try:
        return await asyncio.to_thread(act)
    except LedgerError as error:
        raise RecordError("the ledger did not answer") from error
