"""How new a bundle is: the serial and the expiry that whoever builds it puts under its signature."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, model_validator

from gateway.model.base import Instant, Model


class Numbering(Model):
    """What `.manifest` of an archive says beside its roots; a folder, or a bundle of before, says nothing."""

    serial: Annotated[int, Field(strict=True, ge=1, le=2**53 - 1)] | None = None
    """Rises with every archive that is built; one with a lower serial is older."""

    expires: Instant | None = None
    """From when on nobody should decide with it unless a newer archive says so again."""

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.serial is None) != (self.expires is None):
            raise ValueError("a serial and an expiry go together")
        return self

    @property
    def until(self) -> datetime | None:
        """The expiry as a moment."""
        return datetime.fromisoformat(self.expires) if self.expires else None

    def expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.until is not None and now >= self.until

    def fields(self) -> dict[str, object]:
        """Members of a manifest; none where nothing is said."""
        return self.model_dump(exclude_none=True)
