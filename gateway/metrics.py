"""What the gateway counts, in the Prometheus text format.  No label holds a tenant, a person or an item."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.bootstrap import Gateway


class GatewayCollector(Collector):
    """Reads the counts of a running gateway when it is scraped."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def collect(self) -> Iterator[Metric]:
        policy, desk = self._gateway.switching, self._gateway.desk
        bundle = InfoMetricFamily("ctxgate_policy_bundle", "The bundle that decides.")
        bundle.add_metric([], {"revision": policy.version.revision, "engine": policy.version.engine})
        yield bundle
        bundles = CounterMetricFamily("ctxgate_bundles", "Bundles by what became of them.", labels=["event"])
        for kind in ("bundle.activated", "bundle.rejected"):
            bundles.add_metric([kind.removeprefix("bundle.")], desk.counts[kind])
        yield bundles
        shadow = CounterMetricFamily(
            "ctxgate_shadow_disagreements", "Decisions the present shadow would have made otherwise.", labels=["at"]
        )
        for entrypoint, count in sorted(policy.counts.items()):
            shadow.add_metric([entrypoint], count)
        yield shadow


def exposition(gateway: Gateway) -> bytes:
    """The counts as Prometheus reads them."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(GatewayCollector(gateway))
    return generate_latest(registry)
