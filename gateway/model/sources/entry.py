"""A source of the registry: who owns it, what its owner may say of items, and how the gateway fetches from it."""

from typing import Annotated, Final, Literal

from pydantic import Field, field_validator, model_validator

from gateway.model.base import BankWord, Day, Model, Name

TOOL_KINDS: Final = ("mcp", "sql", "openapi")
"""Kinds of sources that are asked with the tools of the table `tools`; where they are stands in the file of connections."""


class SourceKey(Model):
    """A key that a source signs labels with; whether it is still believed is policy."""

    kid: Name
    jwk: dict[str, str | list[str]]
    """The public key (RFC 7517): Ed25519, or P-256 for ES256."""

    valid_from: Day
    """From which day on, UTC, it signs."""

    retired_at: Day | None = None
    """From which day on it signs no more; what it signed before is still believed."""

    revoked_at: Day | None = None
    """From which day on nothing that it ever signed is believed."""

    @field_validator("jwk")
    @classmethod
    def _public(cls, jwk: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
        point = {("OKP", "Ed25519"): {"x"}, ("EC", "P-256"): {"x", "y"}}.get((str(jwk.get("kty")), str(jwk.get("crv"))))
        if point is None or not point <= jwk.keys() or "d" in jwk:
            msg = "must be a public key for Ed25519 or P-256, without its private part"
            raise ValueError(msg)
        return jwk


class Grant(Model):
    """Which labels a source may give, those of `labels` by name; what is not listed it may not claim."""

    source_ids: tuple[str, ...] = ()
    """Names, or beginnings of names with a `*` after them."""

    source_types: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    data_classifications: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class DifyBases(Model):
    """Which knowledge bases of Dify a source is, and how they are searched."""

    datasets: Annotated[
        tuple[Annotated[str, Field(pattern=r"^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")], ...],
        Field(min_length=1, max_length=16),
    ]
    """Ids of the knowledge bases; no other is asked, whatever the key opens."""

    search_method: Literal["keyword_search", "semantic_search", "full_text_search", "hybrid_search"] = "semantic_search"
    """As Dify calls it."""

    top_k: Annotated[int, Field(strict=True, ge=1, le=100)] = 8
    """Records of each knowledge base, at most."""


class SourceEntry(Model):
    """Where items come from: who owns them, what that owner may say of them, and how the gateway fetches them, if it does."""

    id: Name
    kind: Literal["directory", "http", "brought", "mcp", "sql", "openapi", "dify", "knowledge"]
    """How it is fetched from; what is brought comes with a request, signed by one of the keys; of `mcp`, `sql` and `openapi` the
    tools of the table `tools` are called; `dify` is knowledge bases of Dify, and `knowledge` the documents of this gateway: both are
    searched."""

    location: str = ""
    """A folder under the sources root, or a URL; none for what is brought, and none for what tools are called of."""

    domains: tuple[Name, ...] = ()
    """For requests of which domains it is asked."""

    sections: tuple[BankWord, ...] = ()
    """Which items are taken from what it answers."""

    critical: bool = False
    """Whether the request fails when this source does."""

    timeout_seconds: Annotated[float, Field(gt=0, le=30)] = 1.0
    dify: DifyBases | None = None
    """Of the kind `dify`, which knowledge bases."""

    keys: tuple[SourceKey, ...] = ()
    grant: Grant = Grant()

    @model_validator(mode="after")
    def _fetched_from_somewhere(self) -> "SourceEntry":
        if (self.kind in {"directory", "http"}) != bool(self.location):
            msg = "a source of the kind directory or http has a location, and no other has one"
            raise ValueError(msg)
        if self.calls_tools and (self.domains or self.sections):
            msg = "of a source that tools are called of, its tools say for which domains and sections"
            raise ValueError(msg)
        if self.kind == "knowledge" and len(self.sections) != 1:
            msg = "a source of the kind knowledge names the one section that its items are for"
            raise ValueError(msg)
        if (self.kind == "dify") != (self.dify is not None) or (self.kind == "dify" and len(self.sections) != 1):
            msg = "a source of the kind dify names its knowledge bases and the one section of its items; no other names such"
            raise ValueError(msg)
        if len({key.kid for key in self.keys}) < len(self.keys):
            msg = "two keys of a source have one id"
            raise ValueError(msg)
        return self

    @property
    def calls_tools(self) -> bool:
        """Whether it is asked with the tools of the table `tools`."""
        return self.kind in TOOL_KINDS
