"""`ctxgate ledger verify`: from storage, and against what stands outside it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.ledger import open_store, outside_trust
from gateway.bootstrap.process import system_clock
from gateway.cli.ledger.progress import progress_bar, watched
from gateway.cli.ledger.query import AsDocument, ledger, require_ledger
from gateway.cli.ledger.times import length
from gateway.cli.output import console, show_json, styled
from gateway.errors import UnanchoredError
from gateway.settings import Settings
from ledger.checkpoints.vouched import Trust
from ledger.checks.beside import Beside
from ledger.errors import LedgerCorruptError
from ledger.pin import HeadPin
from ledger.verify import Verified
from ledger.verify import verify as verify_ledger


class Anchor(StrEnum):
    """What the ledger is held against from outside its store."""

    KEY = "key"
    POLICY = "policy"
    PIN = "pin"


_NAMES: Final[dict[Anchor, str]] = {
    Anchor.KEY: "a verifier key of the log from outside its folder (`--vkey`, or a `log` line of the trust policy)",
    Anchor.POLICY: "a trust policy (CTXGATE_TRUST_POLICY or `--policy`; `quorum none` where there are no witnesses)",
    Anchor.PIN: "a head pin, without which a cut tail cannot be seen",
}
_Tell = Callable[[Verified, list[Anchor]], None]


@ledger.command()
def verify(
    pin: Annotated[Path | None, typer.Option(help="Head pin. Default: the one of the settings.")] = None,
    policy: Annotated[Path | None, typer.Option(help="Trust policy. Default: the one of the settings.")] = None,
    vkeys: Annotated[list[str] | None, typer.Option("--vkey", help="The log's key, from a source you trust.")] = None,
    fresh: Annotated[
        timedelta | None,
        typer.Option(
            parser=length, metavar="LENGTH", help="How old the newest quorum of witnesses may be, such as 10m."
        ),
    ] = None,
    late: Annotated[
        timedelta,
        typer.Option(
            parser=length, metavar="LENGTH", help="How long before the checkpoints around it a record may be dated."
        ),
    ] = "1d",  # type: ignore[assignment] # read by the parser
    waive: Annotated[list[Anchor] | None, typer.Option(help="What you do without: key, policy or pin.")] = None,
    as_json: AsDocument = False,
) -> None:
    """Check every record, chain, index column, tile, checkpoint, pack and pinned head, from storage; 5 without key, policy or pin."""
    settings = Settings()
    changes = {"pin_file": pin or settings.pin_file, "trust_policy": policy or settings.trust_policy}
    changed = settings.model_copy(update=changes)
    trust = replace(outside_trust(changed, vkeys or ()), late=late)
    missing = verify_now(changed, trust, fresh, tell=_document if as_json else _tell)
    if wanted := [name for name in missing if name not in (waive or ())]:
        raise UnanchoredError(
            "the ledger holds together; whether it is the one that was written is not known",
            fields=[(f"--waive {name}", f"there is not {_NAMES[name]}") for name in wanted],
        )


def verify_now(
    settings: Settings, outside: Trust | None = None, fresh: timedelta | None = None, *, tell: _Tell | None = None
) -> list[Anchor]:
    """
    Verify, and say what was verified.

    Args:
        settings: where the ledger is.
        outside: who is believed from outside; by default those of the settings.
        fresh: how old the newest quorum of witnesses may be.
        tell: prints what was verified and what there was not; by default in words.

    Returns:
        What there was not, of all that a ledger is held against from outside.

    Raises:
        UnanchoredError: there is no key at all, so that no signature can be checked.

        LedgerCorruptError: it does not verify, or not with a quorum of witnesses that is fresh.
    """
    require_ledger(settings)
    trust = outside_trust(settings) if outside is None else outside
    keys = (*log_keys(settings), *trust.logs)
    if not keys:
        raise UnanchoredError(
            "there is no verifier key, so that no signature can be checked", fields=[("--vkey", "give one")]
        )
    # A ledger that is being written to is verified as it stands at one moment.
    store = open_store(settings, frozen=True)
    try:
        pinned = HeadPin(settings.pin).read()
        with progress_bar("verifying", store.count()) as advance:
            seen = watched(store, advance)
            done = verify_ledger(seen, origin=settings.origin, pin=pinned, keys=keys, trust=trust, beside=Beside(store))
    finally:
        store.close()
    _require_fresh(done, fresh)
    missing = _missing(done, trust)
    (tell or _tell)(done, missing)
    return missing


def _missing(done: Verified, trust: Trust) -> list[Anchor]:
    given = {Anchor.KEY: bool(trust.logs), Anchor.POLICY: trust.policy is not None, Anchor.PIN: done.pinned}
    return [name for name, there in given.items() if not there]


def _require_fresh(done: Verified, fresh: timedelta | None) -> None:
    if fresh is None:
        return
    since = None if done.vouched is None else done.vouched.since
    if since is None:
        raise LedgerCorruptError("the checkpoints", "no quorum of witnesses says how old they are")
    if (age := system_clock() - since) > fresh:
        raise LedgerCorruptError("the checkpoints", f"the newest quorum of witnesses is {age} old, more than {fresh}")


def _document(done: Verified, missing: list[Anchor]) -> None:
    vouched = done.vouched
    quorum = {"size": vouched.checkpoint.size, "since": str(vouched.since)} if vouched is not None else None
    counts = {name: getattr(done, name) for name in ("records", "waiting", "lanes", "packs", "checkpoints", "aside")}
    told = {**counts, "pinned": done.pinned, "skew_seconds": done.skew_seconds, "quorum": quorum}
    show_json({"verifies": True, **told, "missing": list(missing)})


def _tell(done: Verified, missing: list[Anchor]) -> None:
    waiting = f" and {done.waiting} that wait for it" if done.waiting else ""
    counts = (
        f"{done.records} records in the log{waiting}, {done.lanes} lanes,"
        f" {done.packs} packs, {done.checkpoints} checkpoints."
    )
    console.print(styled("[bold green]The ledger verifies:[/] {}", counts), highlight=False)
    if done.vouched is not None:
        quorum = f"{done.vouched.checkpoint.size} of them are under a quorum of witnesses since {done.vouched.since}."
        console.print(quorum, highlight=False)
    for name in missing:
        console.print(styled("[yellow]{}[/]", f"There is not {_NAMES[name]}."), highlight=False)
    if done.skew_seconds:
        skew = (
            f"Within a lane times go back by up to {done.skew_seconds} s: a clock did, or a request that was repeated"
            " is dated at its first try; the order does not depend on it."
        )
        console.print(styled("[yellow]{}[/]", skew))
