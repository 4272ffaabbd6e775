"""
Settings in groups of their own, which `gateway.settings` has beside the others.

Limits at the door: connections, how fast requests must come, memory for bodies, and what is open to everybody.  Identity: whose
tokens are believed, for how long, what their claims are called, and what one person may do.  Erasure: where the keys of persons
are, and how long erasing may take.  Knowledge: where documents are kept, which index they are found with, and golden sets that are
asked in the background.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

OpenPart = Literal["readiness", "metrics", "checkpoint", "docs"]
"""What needs a token unless a setting says otherwise."""


class DoorSettings(BaseModel):
    """The settings of the door; `gateway.settings.Settings` has them as its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    max_connections: Annotated[int, Field(ge=8)] = 1024
    """Connections at once; for one more, one that waits without a request is closed, or it is answered 503.  The process may have
    three times as many files open, with those that wait or end."""

    max_connections_per_address: Annotated[int, Field(ge=1)] = 256
    """Connections of one address at once; more wait unread until one ends, or for 429; behind a proxy, whose address they all have,
    set it to `max_connections`."""

    max_open_per_tenant: Annotated[int, Field(ge=1)] = 64
    """Requests of one tenant that are not answered yet, those whose bodies still come included; more are answered 429."""

    refusal_seconds: Annotated[float, Field(ge=0, le=60)] = 10
    """How long such a request waits for its 429 at most, in seconds, so that asking again at once is no way to keep the gateway busy."""

    max_bodies_bytes: Annotated[int, Field(ge=1024)] = 256_000_000
    """Bodies held in memory at once, of all tenants together, in bytes; tenants share them."""

    max_head_bytes: Annotated[int, Field(ge=1024)] = 32_768
    """Largest request line with its headers, in bytes; more are answered 431."""

    head_seconds: Annotated[float, Field(gt=0, le=300)] = 10
    """How long a new connection, or a request that has begun, may take until its headers are whole, in seconds."""

    idle_seconds: Annotated[float, Field(gt=0, le=300)] = 5
    """How long a connection stays open between two requests, in seconds."""

    body_seconds: Annotated[float, Field(gt=0, le=600)] = 60
    """How long the body of a request may take to arrive, in seconds; then 408."""

    body_grace_seconds: Annotated[float, Field(gt=0, le=300)] = 5
    """For how long at least a body may come as slowly as it likes, in seconds."""

    body_bytes_per_second: Annotated[int, Field(ge=1)] = 4096
    """How fast a body must come after that, on average, in bytes a second; then 408."""

    send_seconds: Annotated[float, Field(gt=0, le=600)] = 30
    """How long a caller may take nothing of its answer, in seconds; then the connection is cut."""

    monitor_token: SecretStr | None = None
    """Bearer token with which a monitor reads `/metrics` and the details of `/readyz`, beside tokens with the scope `metrics:read`."""

    open_to_all: tuple[OpenPart, ...] = ()
    """What needs no token: `readiness` (details), `metrics`, `checkpoint` (and tiles of hashes), `docs` (`/docs` and the OpenAPI
    document); as a JSON list."""


class IdentitySettings(BaseModel):
    """The settings of tokens and persons; `gateway.settings.Settings` has them as its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

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

    jwt_claims: dict[str, str] = {}
    """Which claim says each field of a subject, where it has another name; dots go into objects: {"role": "bank.role"}."""

    jwt_person: Annotated[str, Field(min_length=1)] | None = None
    """Claim that says who somebody is wherever two persons are needed, such as `oid`; dots go into objects. Default: as `sub`."""

    jwt_longest_seconds: Annotated[int, Field(ge=60, le=2_592_000)] = 86_400
    """How long a token may be valid, from its issue and from now, in seconds; longer ones are refused."""

    govern_scope: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,100}$")] = "policy:govern"
    """Scope that a token must hold to propose, activate, roll back or watch a bundle, since a bundle decides for all tenants."""

    rollback_alone_seconds: Annotated[int, Field(ge=0, le=86_400)] = 3600
    """For how long after a bundle began to decide one officer alone may go back to the one just before it, in seconds; flagged
    in the record as BREAK-GLASS."""

    reveals_per_person: str = "300/hour"
    """How many tokens each person may ask the meaning of, of each process."""

    jwt_agents: Annotated[tuple[str, ...], Field(min_length=1)] = ("agents",)
    """Claims that say which agents a token speaks for, such as `act.sub` or `azp`: the first that is there counts, no other."""

    agent_clients: dict[str, list[str]] = {}
    """Which agents each value of those claims stands for: {"npa-frontend": ["RISK"]}; where it is set, no other value counts."""

    agent_binding: Literal["token", "declared"] = "token"
    """Who says which agent a request is for: its token; or, while clients migrate, the request itself, which is not safe and is
    said at start, on /readyz, in every pack and in every record."""

    jwt_once: bool = False
    """Whether a token must have a `jti` and is believed once, by all replicas on one database."""

    jwks_refresh_seconds: Annotated[float, Field(gt=0)] = 300
    """How old keys from a URL may be before they are fetched anew, in seconds."""

    jwks_stale_seconds: Annotated[float, Field(gt=0)] = 3600
    """How old keys from a URL may be and still be believed while the URL does not answer, in seconds."""

    jwks_unknown_seconds: Annotated[float, Field(gt=0)] = 10
    """How long to wait at least between two fetches for a key that is not known, in seconds."""


class ErasureSettings(BaseModel):
    """The settings of erasure; `gateway.settings.Settings` has them as its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    person_keys: Literal["file", "vault", "pkcs11"] = "file"
    """What wraps the keys of persons: `keys/evidence.key` in the state folder for all of them, or a key for each person outside the
    database, in the transit engine of a Vault or OpenBao server or on a PKCS#11 token; deleting that one erases backups too."""

    vault_url: str | None = None
    """Where the transit engine is, such as `https://vault.bank.example/v1/transit`."""

    vault_token: SecretStr | None = None
    """Token for it."""

    vault_seconds: Annotated[float, Field(gt=0, le=60)] = 5
    """How long it may take for one answer, in seconds."""

    pkcs11_module: Path | None = None
    """Library of the PKCS#11 token, such as `/usr/lib/softhsm/libsofthsm2.so`; needs the package python-pkcs11."""

    pkcs11_label: str = "ctxgate"
    """Label of the token."""

    pkcs11_pin: SecretStr | None = None
    """PIN of the token's user."""

    ledger_owner_url: SecretStr | None = None
    """PostgreSQL database for its owner; for `ctxgate ledger erase` alone, which writes tables anew so that no dead row is left."""

    erase_seconds: Annotated[float, Field(ge=0, le=600)] = 20
    """How long an erasure waits for readers to leave before it says what still holds something, in seconds."""

    erase_retry_seconds: Annotated[float, Field(gt=0)] = 60
    """How often the gateway goes on with erasures that are not complete, in seconds; with SQLite alone."""


class KnowledgeSettings(BaseModel):
    """The settings of documents; `gateway.settings.Settings` has them as its own."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    knowledge_dir: Path | None = None
    """Folder for documents, their chunks and what was found in them. Default: `knowledge` in the state folder."""

    max_document_bytes: Annotated[int, Field(ge=1024, le=1_000_000_000)] = 50_000_000
    """Largest file that is taken in as a document, in bytes; over HTTP also no larger than a request."""

    knowledge_index: Literal["embedded", "postgres", "qdrant"] = "embedded"
    """Where chunks of documents are found: in the state folder, in PostgreSQL with pgvector, or in Qdrant (`docs/scale.md`)."""

    knowledge_url: str | None = None
    """Of the server of the index, without a secret: `postgresql://role@host:port/database`, or `https://host:port` of Qdrant."""

    knowledge_secret_file: Path | None = None
    """File with the password of the role, or with Qdrant's API key."""

    knowledge_collection: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,100}$")] = "ctxgate"
    """Collection in Qdrant."""

    knowledge_usual_terms: Annotated[float, Field(gt=0, le=100_000)] = 120
    """Terms of a usual chunk, which lengths are compared with in Qdrant; after a change the index must be built anew."""

    knowledge_graph_above: Annotated[int, Field(ge=1)] | None = None
    """From how many permitted chunks on PostgreSQL may search its graph of vectors, which forbidden chunks shape; default: never."""

    knowledge_embedder: Path | None = None
    """Folder of an embedder of the bank's own, which `ctxgate kb tune --adopt` adopted. Default: the one that ships."""

    knowledge_reranker: Path | None = None
    """Folder of the cross-encoder that the table `retrieval` calls `mounted`: `model.onnx`, `tokenizer.json` and their digests."""

    knowledge_golden: Path | None = None
    """Folder of golden sets (`*.yaml`), each with its baseline `NAME.baseline.json` beside it where there is one, which are asked after
    each change of the index and once a day; none are asked while it is not set."""

    knowledge_golden_hour: Annotated[int, Field(ge=0, le=23)] = 2
    """In which hour of the day, UTC, golden sets are asked."""

    knowledge_golden_seconds: Annotated[float, Field(gt=0, le=86_400)] = 60
    """How often the gateway looks whether the index has changed and stood still since, in seconds."""
