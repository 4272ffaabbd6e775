"""Metrics: the rows that alerts and panels ask for, and nothing of a tenant in them."""

import json
import re

import yaml

from gateway.settings import HOME


async def test_the_rows_of_the_blueprint(client, pack):
    """
    After a pack the metrics of the pipeline are there, by call, stage, outcome and code, and by nothing of a tenant.
    """
    text = (await client.get("/metrics")).text
    for line in (
        'context_assembly_latency_seconds_count{call="packs",outcome="sealed"} 1.0',
        'context_stage_latency_seconds_count{stage="screen"} 1.0',
        'context_items_total{outcome="released"}',
        "context_budget_utilization_ratio_count 1.0",
        "ctxgate_ledger_entries",
        "ctxgate_working 0.0",
        "ctxgate_shed_total 0.0",
    ):
        assert line in text, line
    assert "gfm" not in text
    assert "sarah" not in text


async def test_refusals_are_counted(client, post, small):
    """
    A request that is refused counts by its code.
    """
    await post("/v1/packs", {**small, "agent_id": "nobody"})
    text = (await client.get("/metrics")).text
    assert re.search(r'context_assembly_latency_seconds_count\{call="packs",outcome="GW-1\d\d"\} 1.0', text)


async def test_alerts_ask_for_metrics_that_exist(client, pack):
    """
    Every metric that an alert, a recording rule or a panel names is one that the gateway gives, or a rule makes.
    """
    given = set(re.findall(r"^# TYPE (\w+)", (await client.get("/metrics")).text, re.MULTILINE))
    rules = [
        rule for group in yaml.safe_load((HOME / "ops/alerts.yml").read_text())["groups"] for rule in group["rules"]
    ]
    made = {rule["record"] for rule in rules if "record" in rule}
    panels = json.loads((HOME / "ops/grafana.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules] + [target["expr"] for one in panels for target in one["targets"]]
    words = {
        "sum",
        "by",
        "le",
        "rate",
        "increase",
        "histogram_quantile",
        "topk",
        "call",
        "outcome",
        "code",
        "stage",
    }
    for expression in asked:
        names = set(re.findall(r"[a-z][a-z0-9_]{5,}", re.sub(r"\{.*?\}|\(le.*?\)|by \(.*?\)", "", expression))) - words
        for name in names:
            plain = re.sub(r"_(bucket|count|sum|total)$", "", name)
            assert {name, plain, f"{plain}_total"} & (given | made) or plain.startswith("rag_retrieval"), (
                name,
                expression,
            )


def test_alerts_have_thresholds():
    """
    Each alert says how grave it is and what it means; those of the blueprint name their target.
    """
    for group in yaml.safe_load((HOME / "ops/alerts.yml").read_text())["groups"]:
        for rule in group["rules"]:
            if "alert" in rule:
                assert rule["labels"]["severity"] in {"warning", "critical"}
                assert rule["annotations"]["summary"]
                assert group["name"] != "context_pipeline" or rule["annotations"]["target"]
