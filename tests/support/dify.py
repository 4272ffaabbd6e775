"""A Dify as its service API describes it: `POST /v1/datasets/{id}/retrieve`, with its limits, errors and conditions."""

import json

from collections.abc import Callable
from typing import Any, Final

import httpx

KEY: Final = "dataset-key-of-nobody"
BASE: Final = "0f3c1f6e-3a39-4c6a-9d0e-6a5b7c2d1e10"
OTHER_BASE: Final = "9b2d7c1a-55aa-4e0f-8f5e-0a1b2c3d4e5f"
LABELS: Final = {
    "source_id": "SOP 4.2.1",
    "source_type": "bank_sop",
    "version": "7",
    "data_classification": "INTERNAL",
    "jurisdiction": "SG",
    "domain": "NPA",
    "corpus": "sops",
}


def record(number: int, text: str = "The limit is 4 m.", score: float = 0.5, **labels: Any) -> dict[str, Any]:
    """One record of an answer, with the members that the description lists."""
    document = {
        "id": "d1",
        "data_source_type": "upload_file",
        "name": "sop.pdf",
        "doc_type": None,
        "doc_metadata": {**LABELS, **labels},
    }
    segment = {
        "id": f"s{number}",
        "position": number,
        "document_id": "d1",
        "content": text,
        "sign_content": text,
        "answer": None,
        "word_count": len(text),
        "tokens": 5,
        "keywords": [],
        "hit_count": 1,
        "enabled": True,
        "status": "completed",
        "error": None,
        "document": document,
    }
    return {"segment": segment, "child_chunks": [], "score": score, "tsne_position": None, "files": [], "summary": None}


def error(status: int, code: str) -> httpx.Response:
    """An error of Dify's."""
    return httpx.Response(status, json={"status": status, "code": code, "message": "secret detail"})


class Dify:
    """The server, in this process; `asked` is what it was asked, `filters` whether it minds conditions."""

    def __init__(self, bases: dict[str, list[dict[str, Any]]], *, filters: bool = True) -> None:
        self.bases = bases
        self.filters = filters
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.instead: Callable[[httpx.Request], httpx.Response] | None = None

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if self.instead is not None:
            return self.instead(request)
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return error(401, "unauthorized")
        _, _, _, dataset, verb = request.url.path.split("/")
        if verb != "retrieve" or dataset not in self.bases:
            return error(404, "not_found")
        body = json.loads(request.content)
        model = body["retrieval_model"]
        if len(body["query"]) > 250 or not {
            "search_method",
            "reranking_enable",
            "top_k",
            "score_threshold_enabled",
        } <= set(model):
            return error(400, "invalid_param")
        self.asked.append((dataset, body))
        found = [one for one in self.bases[dataset] if not self.filters or _meets(one, model)]
        return httpx.Response(200, json={"query": {"content": body["query"]}, "records": found[: model["top_k"]]})


def _meets(one: dict[str, Any], model: dict[str, Any]) -> bool:
    said = model["metadata_filtering_conditions"]
    assert said["logical_operator"] == "and"
    metadata = one["segment"]["document"]["doc_metadata"] or {}
    assert all(condition["comparison_operator"] == "in" for condition in said["conditions"])
    return all(metadata.get(condition["name"]) in condition["value"] for condition in said["conditions"])
