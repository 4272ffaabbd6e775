"""For owners of sources and tools: signatures over labels, which the gateway verifies; scopes that no query goes without; who asks."""

from ctxgate_source.jcs import canonical
from ctxgate_source.keys import Algorithm, SigningKey, make_key, read_key, registry_line, write_key
from ctxgate_source.labels import content_digest, payload, sign_labels
from ctxgate_source.scoping import Scope, ScopedQueries, ScopeError, scope_in_force, scoped
from ctxgate_source.tools import with_provenance
from ctxgate_source.user_context import UserContext, UserUnknownError, user_context_of, user_context_tool

__all__ = [
    "Algorithm",
    "Scope",
    "ScopeError",
    "ScopedQueries",
    "SigningKey",
    "UserContext",
    "UserUnknownError",
    "canonical",
    "content_digest",
    "make_key",
    "payload",
    "read_key",
    "registry_line",
    "scope_in_force",
    "scoped",
    "sign_labels",
    "user_context_of",
    "user_context_tool",
    "with_provenance",
    "write_key",
]
