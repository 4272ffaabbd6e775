"""`ctxgate top`: a running gateway at a glance, from its metrics, which it shows to `CTXGATE_MONITOR_TOKEN`."""

import time

from collections.abc import Iterable
from typing import Annotated

import httpx
import typer

from prometheus_client.parser import text_string_to_metric_families
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table

from gateway.cli.output import console
from gateway.errors import NotFoundError
from gateway.settings import Settings

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def top(
    url: Annotated[str, typer.Option(help="Where the gateway is.")] = "http://127.0.0.1:8080",
    every: Annotated[float, typer.Option(help="Seconds between two looks.")] = 2.0,
    looks: Annotated[int, typer.Option(help="How many looks; 0 goes on until stopped.")] = 0,
) -> None:
    """Rates, latencies, outcomes, queue and ledger head, live."""
    before, taken, count = samples(url), time.monotonic(), 0
    with Live(console=console, refresh_per_second=4, transient=False) as live:
        while looks == 0 or count < looks:
            time.sleep(every)
            now, at = samples(url), time.monotonic()
            live.update(view(before, now, at - taken))
            before, taken, count = now, at, count + 1


def samples(url: str) -> Samples:
    """
    Every sample of a gateway's metrics, by name and labels.

    Raises:
        NotFoundError: the gateway did not answer.
    """
    try:
        answer = httpx.get(f"{url.rstrip('/')}/metrics", timeout=5, headers=_bearer())
        text = answer.raise_for_status().text
    except httpx.HTTPError as error:
        raise NotFoundError(f"there is no gateway at {url} that shows its metrics to this monitor") from error
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def _bearer() -> dict[str, str]:
    token = Settings().monitor_token
    return {} if token is None else {"authorization": f"Bearer {token.get_secret_value()}"}


def view(before: Samples, now: Samples, seconds: float) -> Group:
    """What happened between two looks."""
    grown = {key: value - before.get(key, 0.0) for key, value in now.items()}
    calls = Table("call", "outcome", "per second", "p50 ms", "p95 ms", "p99 ms", header_style="bold")
    for labels in _labels(now, "context_assembly_latency_seconds_count"):
        rate = grown["context_assembly_latency_seconds_count", labels] / seconds
        quantiles = [_quantile(grown, "context_assembly_latency_seconds_bucket", labels, q) for q in (0.5, 0.95, 0.99)]
        named = dict(labels)
        shown = ["—" if one is None else f"{one * 1000:.0f}" for one in quantiles]
        calls.add_row(named["call"], named["outcome"], f"{rate:.1f}", *shown)
    items = Table("items", "per second", header_style="bold")
    for labels in _labels(now, "context_items_total"):
        items.add_row(dict(labels)["outcome"], f"{grown['context_items_total', labels] / seconds:.1f}")
    return Group(calls, items, Panel(_state(now, grown, seconds), title="gateway"))


def _state(now: Samples, grown: Samples, seconds: float) -> str:
    def value(name: str) -> float:
        return now.get((name, ()), 0.0)

    entries = grown.get(("ctxgate_ledger_entries", ()), 0.0) / seconds
    return (
        f"working {value('ctxgate_working'):.0f}, waiting {value('ctxgate_waiting'):.0f}, shed {value('ctxgate_shed_total'):.0f}\n"
        f"log of {value('ctxgate_ledger_entries'):,.0f} entries, {entries:.0f} more a second,"
        f" brought up to date {value('ctxgate_ledger_round_age_seconds'):.1f} s ago"
    )


def _labels(found: Samples, name: str) -> Iterable[tuple[tuple[str, str], ...]]:
    return sorted(labels for sample, labels in found if sample == name)


def _quantile(grown: Samples, name: str, labels: tuple[tuple[str, str], ...], share: float) -> float | None:
    """The upper bound of the bucket that holds a share of what was counted; None if nothing was."""
    buckets = sorted(
        (float(dict(found)["le"]), value)
        for (sample, found), value in grown.items()
        if sample == name and tuple(pair for pair in found if pair[0] != "le") == labels
    )
    total = buckets[-1][1] if buckets else 0.0
    if total <= 0:
        return None
    return next(bound for bound, value in buckets if value >= share * total)
