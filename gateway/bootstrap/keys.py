"""Keys: who signs receipts, and whose tokens are believed."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import httpx
import structlog

from adapters.attestation.json_schema import JsonSchemaChecker
from adapters.attestation.jws_labels import DEVELOPMENT, JwsLabelVerifier
from adapters.attestation.jws_labels import sign as sign_labels
from adapters.attestation.receipts import LogReceiptVerifier
from adapters.identity.agents import AgentClaims
from adapters.identity.development_tokens import UnsafeDevelopmentIssuer
from adapters.identity.jose import JwtVerifier, Keys
from adapters.identity.jwks import FetchedKeys, FixedKeys, file_keys, key_set
from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from gateway.bootstrap.key_files import log_keys
from gateway.errors import ConfigurationError, KeysUnavailableError
from gateway.model import Candidate, PackRequest, Registry
from gateway.model.case import Attested
from gateway.policy.agent import AgentBinding
from gateway.policy.vouching import Verifiers, Vouching
from gateway.ports.identity import UsedTokens
from gateway.settings import Settings
from ledger.receipt import Place, nowhere
from ledger.tlog.note import COSIGNATURE

log = structlog.get_logger()


def verifiers(vkeys: Sequence[str]) -> tuple[Ed25519Verifier, ...]:
    """
    Keys to check signatures with.

    Raises:
        ConfigurationError: one of them is not a verifier key.
    """
    return tuple(map(Ed25519Verifier, vkeys))


def make_witness_key(name: str, path: Path) -> Ed25519Signer:
    """
    A new key for a witness, in a new file.

    Raises:
        ConfigurationError: it cannot be made.
    """
    return make_signing_key(name, path, COSIGNATURE)


def read_signer(path: Path) -> Ed25519Signer:
    """
    The signing key in a file.

    Raises:
        ConfigurationError: there is none.
    """
    return Ed25519Signer.from_file(path)


def development_issuer(settings: Settings) -> UnsafeDevelopmentIssuer:
    """The stand-in for the trust layer."""
    return UnsafeDevelopmentIssuer(settings.state_dir / "keys" / "development.jwk")


def development_labels(settings: Settings) -> UnsafeDevelopmentIssuer:
    """The key that stands in for every source that signs labels."""
    return UnsafeDevelopmentIssuer(settings.state_dir / "keys" / "development-labels.jwk")


def label_verifier(settings: Settings) -> JwsLabelVerifier:
    """What verifies who vouches for labels; with a warning also a development key, where development tokens are believed."""
    if settings.jwks is not None:
        return JwsLabelVerifier()
    log.warning("unsafe_development_labels", advice="set CTXGATE_JWKS to the trust layer's keys")
    return JwsLabelVerifier(development_labels(settings).key.as_dict(private=False))


def receipt_verifier(settings: Settings, place: Place = nowhere) -> LogReceiptVerifier:
    """What verifies receipts that agents bring with their output: by the keys of this gateway's own log, and by *place* in it."""
    return LogReceiptVerifier(log_keys(settings), place)


def verifiers_of(settings: Settings, place: Place = nowhere) -> Verifiers:
    """All that establishes who vouches for an item, and whether a result is what its schema asks for."""
    return Verifiers(label_verifier(settings), receipt_verifier(settings, place), JsonSchemaChecker())


def vouching_with(settings: Settings, registry: Registry, tenant: str) -> Callable[[Candidate, datetime], Attested]:
    """Who vouches for an item of a tenant at a time, outside a running gateway, by the keys that it would go by."""
    vouching = partial(Vouching.under, registry, verifiers_of(settings), tenant)
    return lambda item, now: vouching(now).of(item)


def signed_for_development(request: PackRequest, settings: Settings, now: datetime) -> PackRequest:
    """The request with every item's labels vouched for by the development key, but those that bring the receipt of a pack."""
    key = development_labels(settings).key
    items = tuple(
        item
        if item.receipt
        else item.model_copy(update={"attestation": sign_labels(item, key, issuer=DEVELOPMENT, at=now)})
        for item in request.items
    )
    return request.model_copy(update={"items": items})


def agent_binding(settings: Settings) -> AgentBinding:
    """How the agents of requests are held to tokens; with a warning where they are not."""
    if settings.agent_binding == "declared":
        log.warning(
            "unsafe_declared_agents", advice="set CTXGATE_AGENT_BINDING to token once every token names its agents"
        )
    return AgentBinding(settings.jwt_agents)


async def token_verifier(settings: Settings, client: httpx.AsyncClient, used: UsedTokens | None) -> JwtVerifier:
    """
    What establishes who is asking, with the configured keys or, with a warning, the development key.

    Args:
        settings: among them, whether tokens are believed once.
        client: to fetch keys with.
        used: where tokens that are believed once are remembered; not needed where they are not.

    Raises:
        ConfigurationError: there are no keys where the setting says.
    """
    if settings.jwks is None:
        log.warning("unsafe_development_tokens", advice="set CTXGATE_JWKS to the trust layer's keys")
        keys: Keys = FixedKeys(key_set(development_issuer(settings).jwks()))
    elif settings.jwks.startswith(("https://", "http://")):
        keys = await _fetched(settings.jwks, settings, client)
    else:
        keys = file_keys(Path(settings.jwks))
    return JwtVerifier(
        keys,
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        algorithms=settings.jwt_algorithms,
        skew_seconds=settings.jwt_skew_seconds,
        claims=settings.jwt_claims,
        agents=AgentClaims(settings.jwt_agents, settings.agent_clients, declared=settings.agent_binding == "declared"),
        used=used if settings.jwt_once else None,
        person=settings.jwt_person,
        longest_seconds=settings.jwt_longest_seconds,
    )


async def _fetched(url: str, settings: Settings, client: httpx.AsyncClient) -> FetchedKeys:
    keys = FetchedKeys(
        url,
        client,
        refresh_seconds=settings.jwks_refresh_seconds,
        stale_seconds=settings.jwks_stale_seconds,
        unknown_seconds=settings.jwks_unknown_seconds,
    )
    try:
        await keys.keys(None)
    except KeysUnavailableError as error:
        raise ConfigurationError(f"no JWK set at {url}") from error
    return keys
