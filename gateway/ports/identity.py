"""The ports to those who establish who is asking."""

from datetime import datetime
from typing import Protocol

from gateway.model import Subject


class UsedTokens(Protocol):
    """Remembers bearer tokens that are believed once."""

    async def first_use(self, issuer: str, jti: str, until: datetime, now: datetime) -> bool:
        """
        Durably note that a token is used now; whether that is the first time.

        Args:
            issuer: who issued it.
            jti: what the issuer calls it.
            until: when it has surely expired, after which it may be forgotten.
            now: the time.

        Raises:
            StoreError: it is not known whether it is.
        """


class TokenVerifier(Protocol):
    """Establishes who is asking."""

    async def verify(self, token: str, now: datetime) -> Subject:
        """
        The person a bearer token stands for.

        Raises:
            IdentityError: one of its kinds, by what is wrong with the token.
            StoreError: tokens are believed once, and it is not known whether this one was used.
        """
