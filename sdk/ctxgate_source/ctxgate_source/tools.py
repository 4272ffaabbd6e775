"""A decorator for functions and tools whose answers become items of a request."""

import functools
import inspect

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, ParamSpec

from ctxgate_source.keys import SigningKey
from ctxgate_source.labels import content_digest, sign_labels

_Item = dict[str, Any]
_Arguments = ParamSpec("_Arguments")

_LABELS = {
    "source_id", "source_type", "version", "effective_date", "expiry_date", "owner", "fetched_at", "ttl_seconds",
    "data_classification", "jurisdiction", "domain", "entity_id", "doc_section", "corpus", "labels",
}  # fmt: skip


def with_provenance(
    *,
    key: SigningKey,
    issuer: str,
    section: str = "tool_result",
    labels_of: Callable[..., Mapping[str, object]] | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    **labels: object,
) -> Callable[[Callable[_Arguments, Any]], Callable[_Arguments, Any]]:
    """
    Make a function, also an async one, return its content as a signed item of a request.

    Args:
        key: the source's private key.
        issuer: id of the source in the gateway's registry.
        section: which part of the context the item is for.
        labels_of: labels that depend on the call, from the arguments of the function; they go before the others.
        clock: when content was fetched, for `fetched_at` where no label says it, and when it is signed.
        labels: of the item's provenance, such as `source_id`, `source_type`, `domain`.

    Raises:
        ValueError: a label is none that the gateway knows; also when the function is called, for those of *labels_of*.
    """
    _check(labels)

    def item_of(content: object, given: Mapping[str, object]) -> _Item:
        _check(given)
        now = clock()
        said = {"fetched_at": now.isoformat(), **labels, **given}
        # A title for people and logs, the same for the same content: the gateway wants it unique within a request.
        name = f"{said.get('source_id') or issuer}:{content_digest(content)[:12]}"
        return {
            "id": name[-200:],
            "section": section,
            "content": content,
            "media_type": "text/plain" if isinstance(content, str) else "application/json",
            "provenance": said,
            "attestation": sign_labels(said, content, key, issuer, at=now),
        }

    def decorate(function: Callable[_Arguments, Any]) -> Callable[_Arguments, Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def later(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Item:
                return item_of(await function(*args, **kwargs), labels_of(*args, **kwargs) if labels_of else {})

            return later

        @functools.wraps(function)
        def now(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Item:
            return item_of(function(*args, **kwargs), labels_of(*args, **kwargs) if labels_of else {})

        return now

    return decorate


def _check(labels: Mapping[str, object]) -> None:
    if unknown := labels.keys() - _LABELS:
        raise ValueError(f"no label of the gateway: {', '.join(sorted(unknown))}")
