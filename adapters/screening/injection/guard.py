"""
Tier 3: an external guard over HTTP, for banks that run one; off unless a setting names it and policy asks for it.

`POST url` with `{"text": …}` is answered with `{"score": 0 to 1}`.  Anything else, and no answer in time, is an error: the
item was not screened.
"""

import asyncio

from collections.abc import Sequence
from typing import Final

import httpx

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError
from gateway.model import Finding
from gateway.model.content import Leaf

SCREENING: Final = "injection/guard"
AT_ONCE: Final = 8
"""Questions under way at once."""

_MOST_BYTES: Final = 100_000
"""Bytes of an answer, at most."""


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    score: float = Field(ge=0, le=1)


class GuardDetector:
    """A `gateway.ports.Detector` that asks somebody else."""

    name = "guard"
    reads_across = True

    def __init__(self, client: httpx.AsyncClient, url: str, *, token: str | None, timeout_seconds: float) -> None:
        """
        Args:
            client: to ask with.
            url: of the guard.
            token: sent as a bearer token.
            timeout_seconds: for one item.
        """
        self._client = client
        self._url = url
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._timeout = timeout_seconds
        self._places = asyncio.Semaphore(AT_ONCE)

    @property
    def version(self) -> str:
        return self._url

    def serves(self, screening: str) -> bool:
        return screening == SCREENING

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        return 0.0  # none of this machine

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str = "") -> list[list[Finding]]:
        return list(await asyncio.gather(*(self._ask(item) for item in items)))

    async def _ask(self, item: Sequence[Leaf]) -> list[Finding]:
        text = "\n".join(leaf.text for leaf in item)
        if not text.strip():
            return []
        try:
            async with self._places:
                answer = await fetch(
                    self._client,
                    "POST",
                    self._url,
                    most_bytes=_MOST_BYTES,
                    seconds=self._timeout,
                    json={"text": text},
                    headers=self._headers,
                )
            score = _Answer.model_validate_json(answer.body).score
        except FetchTooSlowError as error:
            raise DetectorTimeoutError(f"the guard took longer than {self._timeout} s") from error
        except (httpx.HTTPError, FetchRefusedError, ValidationError) as error:
            raise DetectorUnavailableError("the guard did not answer with a score") from error
        first = item[0]
        return [
            Finding(
                kind="injection",
                type="guard",
                score=score,
                start=0,
                end=len(first.text),
                detector=self.name,
                path=first.path,
            )
        ]
