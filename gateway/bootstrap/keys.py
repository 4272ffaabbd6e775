"""Keys: who signs receipts, and whose tokens are believed."""

import structlog

from adapters.development_tokens import UnsafeDevelopmentIssuer
from adapters.ed25519 import Ed25519Signer, Ed25519Verifier
from adapters.jose import JwtVerifier, load_keys
from gateway.settings import Settings

log = structlog.get_logger()


def receipt_key(vkey: str) -> Ed25519Verifier:
    """The public key for receipts."""
    return Ed25519Verifier(vkey)


def own_vkey(settings: Settings) -> str:
    """This gateway's verifier key."""
    return Ed25519Signer.from_file(settings.origin, settings.state_dir / "keys" / "ledger.seed").vkey


def development_issuer(settings: Settings) -> UnsafeDevelopmentIssuer:
    """The stand-in for the trust layer."""
    return UnsafeDevelopmentIssuer(settings.state_dir / "keys" / "development.jwk")


def token_verifier(settings: Settings) -> JwtVerifier:
    """
    What establishes who is asking, with the configured keys or, with a warning, the development key.

    Raises:
        ConfigurationError: there are no keys where the setting says.
    """
    if settings.jwks is None:
        log.warning("unsafe_development_tokens", advice="set CTXGATE_JWKS to the trust layer's keys")
        keys = development_issuer(settings).jwks()
    else:
        keys = load_keys(settings.jwks)
    return JwtVerifier(
        keys,
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        algorithms=settings.jwt_algorithms,
        skew_seconds=settings.jwt_skew_seconds,
    )
