"""
Items from knowledge bases of Dify, over its service API.

Rules held here: a knowledge base is asked only where the registry names it, since one key opens all that its owner sees; policy's
filters go out as conditions on metadata, and every record that comes back is held against them again by its own metadata; a
record without the labels that an item of a document needs is none; what Dify says of a record beside that is nobody's label.
"""

import asyncio
import ssl

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from pydantic import ValidationError

from adapters.shared.addresses import Addresses, PinnedTransport
from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch
from adapters.shared.structured import structured
from gateway.concurrency.apart import apart
from gateway.errors import SourceMalformedError, SourceRefusedError, SourceTooLargeError, SourceUnavailableError
from gateway.model import Candidate, SourceEntry
from gateway.model.base import Clock, utc_text
from gateway.model.request import Provenance
from gateway.model.sources.connections import DifyConnection
from gateway.model.sources.entry import DifyBases

MOST_CHARACTERS: Final = 250
"""Of a query, as Dify takes it (its description of `/datasets/{dataset_id}/retrieve`)."""

NEEDED: Final = ("source_id", "source_type", "version", "data_classification", "jurisdiction", "domain", "corpus")
"""Metadata without which a record is no item: what policy cannot do without of any document."""

OPTIONAL: Final = ("owner", "effective_date", "expiry_date", "ttl_seconds", "doc_section")

_FILTERED: Final[Mapping[str, str]] = {
    "jurisdictions": "jurisdiction",
    "corpora": "corpus",
    "classifications": "data_classification",
}
"""Filters of policy that are lists, and the metadata that must be among them."""

_ON_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DAYS: Final = ("effective_date", "expiry_date")


class DifySource:
    """A `gateway.ports.Source` over Dify's service API."""

    def __init__(
        self,
        entry: SourceEntry,
        connection: DifyConnection,
        *,
        addresses: Addresses,
        clock: Clock,
        most_bytes: int,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """
        Args:
            entry: the source, as it is registered.
            connection: where Dify is, and in which file the key.
            addresses: where may be connected to.
            clock: says when an answer came.
            most_bytes: of an answer.
            transport: what connects; None for the network.
        """
        self._entry = entry
        self._connection = connection
        self._clock = clock
        self._most = most_bytes
        # Neither proxies nor passwords of the environment: what is connected to is what the list allows.
        inner = transport or httpx.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)
        self._client = httpx.AsyncClient(transport=PinnedTransport(addresses, inner), trust_env=False)

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def fetch(self, filters: Mapping[str, Any], query: str | None) -> Sequence[Candidate]:
        asked, bases = shortened(query or ""), self._entry.dify
        required = conditions(filters)
        if not asked or bases is None or not filters.get("domain"):
            return []
        body = _body(asked, bases, required)
        answers = await asyncio.gather(*(self._asked(base, body) for base in bases.datasets))
        found = {item.id: item for items in answers for item in items if _fits(item, required)}
        return list(found.values())

    async def _asked(self, dataset: str, body: Mapping[str, Any]) -> Sequence[Candidate]:
        url = f"{self._base()}/v1/datasets/{dataset}/retrieve"
        seconds, headers = self._entry.timeout_seconds, await asyncio.to_thread(self._headers)
        try:
            answer = await fetch(
                self._client, "POST", url, most_bytes=self._most, seconds=seconds, json=body, headers=headers
            )
        except httpx.HTTPStatusError as error:
            if error.response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                # A redirection too: where it leads to was never listed.
                raise SourceRefusedError(f"source {self._entry.id} refused to answer") from error
            raise SourceUnavailableError(f"source {self._entry.id} failed") from error
        except (httpx.HTTPError, FetchTooSlowError) as error:
            raise SourceUnavailableError(f"source {self._entry.id} did not answer") from error
        except FetchRefusedError as error:
            raise SourceTooLargeError(f"source {self._entry.id} answered with more than it may") from error
        return await apart(lambda: self._items(answer.body), size=len(answer.body))

    def _base(self) -> str:
        parts = urlsplit(self._connection.url)
        if parts.scheme != "https" and parts.hostname not in _ON_THIS_MACHINE:
            raise SourceUnavailableError(f"source {self._entry.id} is on another machine, and not asked without TLS")
        return self._connection.url.rstrip("/")

    def _headers(self) -> dict[str, str]:
        try:
            return {"authorization": f"Bearer {self._connection.token_file.read_text().strip()}"}
        except OSError as error:
            raise SourceUnavailableError(f"the token for source {self._entry.id} cannot be read") from error

    def _items(self, body: bytes) -> list[Candidate]:
        records = structured(body, most_bytes=self._most, source=self._entry.id).get("records")
        if not isinstance(records, list):
            raise SourceMalformedError(f"source {self._entry.id} answered without records")
        now = utc_text(self._clock())
        items = (item_of(record, section=self._entry.sections[0], now=now) for record in records)
        return [item for item in items if item is not None]

    async def aclose(self) -> None:
        """Give back connections."""
        await self._client.aclose()


def shortened(query: str) -> str:
    """A query as long as Dify takes it, cut between words where there are any."""
    query = " ".join(query.split())
    if len(query) <= MOST_CHARACTERS:
        return query
    cut, _, rest = query[: MOST_CHARACTERS + 1].rpartition(" ")
    return cut if cut and rest != query else query[:MOST_CHARACTERS]


def conditions(filters: Mapping[str, Any]) -> dict[str, list[str]]:
    """What the metadata of a record must be among, by name, as policy's filters say."""
    found = {"domain": [str(filters["domain"])]} if filters.get("domain") else {}
    for name, label in _FILTERED.items():
        said = filters.get(name)
        # A filter that policy does not set permits nothing: less is found, and nothing is found by mistake.
        found[label] = [str(one) for one in said] if isinstance(said, list) else []
    return found


def _body(query: str, bases: DifyBases, required: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    wanted = [{"name": name, "comparison_operator": "in", "value": list(said)} for name, said in required.items()]
    return {
        "query": query,
        "retrieval_model": {
            "search_method": bases.search_method,
            "reranking_enable": False,
            "top_k": bases.top_k,
            "score_threshold_enabled": False,
            "metadata_filtering_conditions": {"logical_operator": "and", "conditions": wanted},
        },
    }


def _fits(item: Candidate, required: Mapping[str, Sequence[str]]) -> bool:
    return all(getattr(item.provenance, name) in among for name, among in required.items())


def item_of(record: object, *, section: str, now: str) -> Candidate | None:
    """
    The item of a record; None where the record has not what an item needs.

    Args:
        record: of Dify's answer.
        section: of the item.
        now: when it came, RFC 3339.
    """
    segment = _of(record, "segment")
    document = _of(segment, "document")
    labels = _labels(_of(document, "doc_metadata"))
    text = segment.get("content")
    if not isinstance(text, str) or not text.strip() or segment.get("enabled") is False or labels is None:
        return None
    if isinstance(segment.get("answer"), str) and segment["answer"].strip():
        # A knowledge base of questions and answers keeps the two apart.
        text = f"{text}\n{segment['answer']}"
    score = record.get("score") if isinstance(record, dict) else None
    try:
        return Candidate(
            id=f"dify:{segment.get('id')}",
            section=section,
            content=text,
            score=min(max(float(score), 0.0), 1.0) if isinstance(score, int | float) else None,
            provenance=Provenance.model_validate({**labels, "fetched_at": now}),
        )
    except ValidationError:
        return None


def _labels(metadata: Mapping[str, Any]) -> dict[str, Any] | None:
    if any(not isinstance(metadata.get(name), str) or not metadata[name] for name in NEEDED):
        return None
    labels = {name: metadata[name] for name in (*NEEDED, *OPTIONAL) if metadata.get(name) not in {None, ""}}
    for name in _DAYS:
        # A time of Dify's is a number of seconds.
        if isinstance(labels.get(name), int | float):
            try:
                labels[name] = datetime.fromtimestamp(labels[name], UTC).date().isoformat()
            except (ValueError, OverflowError, OSError):
                return None
    ttl = labels.get("ttl_seconds")
    if isinstance(ttl, float) and ttl.is_integer():
        labels["ttl_seconds"] = int(ttl)
    return labels


def _of(value: object, name: str) -> Mapping[str, Any]:
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}
