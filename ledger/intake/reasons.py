"""Codes of why something was set aside; they stand in `record.refused` and in logs, and never change meaning."""

from typing import Final

SIGNATURE: Final = "RUN-SIGNATURE"
"""The run is not signed by a key of the log over exactly these records."""

INCOMPLETE: Final = "RUN-INCOMPLETE"
"""The run has fewer records than it says, or more than a run may have."""

SCHEMA: Final = "RUN-SCHEMA"
"""One of its records is outside the format."""

ORIGIN: Final = "RUN-ORIGIN"
"""One of its records belongs to another log."""

CHAIN: Final = "RUN-CHAIN"
"""One of its records does not follow the one before it in its lane."""

DECISION: Final = "RUN-DECISION"
"""One of its records is kept under another decision id than it says."""

SEALED: Final = "RUN-SEALED"
"""It rules on a request whose pack is sealed."""

PACK: Final = "RUN-PACK"
"""It seals a pack that does not agree with the rulings of its request."""

REWOUND: Final = "LOG-REWOUND"
"""The end of the log, which nobody had signed, was not what records give, and was taken back."""

CHECKPOINT: Final = "CHECKPOINT-UNSIGNED"
"""A checkpoint was kept that the log did not sign."""
