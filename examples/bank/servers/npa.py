"""The tools of New Product Approval."""

from typing import Final

from bank.servers.spec import DAY, FLAG, NO_DAY, NUMBER, TEXT, TEXTS, Json, ToolSpec, answer, exactly, flagged, listed
from ctxgate_source import ScopedQueries

_HEAD: Final = """
SELECT p.project_id, first.jurisdiction FROM npa_projects p
JOIN npa_jurisdictions first ON first.project_id = p.id AND first.is_primary = 1
WHERE p.id = :entity AND EXISTS (
  SELECT 1 FROM npa_jurisdictions j
  WHERE j.project_id = p.id AND (j.jurisdiction IN (SELECT value FROM json_each(:jurisdictions))))
"""
_WITHIN: Final = """
WHERE project_id = :entity AND EXISTS (
  SELECT 1 FROM npa_jurisdictions j
  WHERE j.project_id = :entity AND j.jurisdiction IN (SELECT value FROM json_each(:jurisdictions)))
"""
_OF: Final = {"project_id": TEXT, "jurisdiction": TEXT}


def _head(queries: ScopedQueries) -> Json:
    """The name and the jurisdiction of the project; empty where the asker's jurisdictions do not reach it."""
    return dict(next(iter(queries.rows(_HEAD)), {}))


def _with(queries: ScopedQueries, name: str, sql: str, *flags: str) -> Json:
    head = _head(queries)
    return {**head, name: flagged([dict(row) for row in queries.rows(sql)], *flags)} if head else {}


def _project(queries: ScopedQueries) -> Json:
    head = _head(queries)
    if not head:
        return {}
    [row] = queries.rows(
        f"""
        SELECT id, title, product_type, approval_track, stage, status, notional_usd_k, tenor_months, booking_entity, business_unit,
               submitted_on
        FROM npa_projects {_WITHIN.replace("project_id = :entity", "id = :entity", 1)}
        """
    )
    places = queries.rows(f"SELECT jurisdiction FROM npa_jurisdictions {_WITHIN} ORDER BY jurisdiction")
    related = queries.rows(
        f"""
        SELECT base.project_id FROM npa_projects p JOIN npa_projects base ON base.id = p.variation_of
        {_WITHIN.replace("project_id = :entity", "p.id = :entity", 1)}
        """
    )
    [workflow] = queries.rows(
        f"SELECT stage, entered_on, due_on, assigned_to FROM npa_workflow_state {_WITHIN} AND left_on IS NULL"
    )
    counted = queries.rows(
        f"SELECT lower(status) AS status, count(*) AS number FROM npa_signoffs {_WITHIN} GROUP BY status"
    )
    none = {"approved": 0, "pending": 0, "rejected": 0}
    return {
        **head,
        **row,
        "jurisdictions": [one["jurisdiction"] for one in places],
        "related_entities": [one["project_id"] for one in related],
        "workflow": dict(workflow),
        "signoffs": none | {one["status"]: one["number"] for one in counted},
    }


def _form(queries: ScopedQueries) -> Json:
    """The 339 values by section and name."""
    head = _head(queries)
    fields: Json = {}
    for row in queries.rows(f"SELECT section, name, value FROM npa_form_data {_WITHIN} ORDER BY field_no"):
        fields.setdefault(row["section"], {})[row["name"]] = row["value"]
    return {**head, "fields": fields} if head else {}


def _signoffs(queries: ScopedQueries) -> Json:
    return _with(
        queries, "signoffs", f"SELECT party, status, decided_on, comment FROM npa_signoffs {_WITHIN} ORDER BY id"
    )


def _checks(queries: ScopedQueries) -> Json:
    sql = f"SELECT risk_domain, result, score, checked_on, note FROM npa_risk_checks {_WITHIN} ORDER BY id"
    return _with(queries, "checks", sql)


def _workflow(queries: ScopedQueries) -> Json:
    sql = f"SELECT stage, entered_on, due_on, left_on, assigned_to FROM npa_workflow_state {_WITHIN} ORDER BY id"
    return _with(queries, "stages", sql)


def _parties(queries: ScopedQueries) -> Json:
    return _with(
        queries, "parties", f"SELECT counterparty_id, part, contact FROM npa_external_parties {_WITHIN} ORDER BY id"
    )


def _factors(queries: ScopedQueries) -> Json:
    sql = f"""
    SELECT factor, var_captured, stress_captured, sensitivity_usd_k FROM npa_market_risk_factors {_WITHIN} ORDER BY id
    """
    return _with(queries, "factors", sql, "var_captured", "stress_captured")


_WORKFLOW: Final = {"stage": TEXT, "entered_on": DAY, "due_on": DAY, "assigned_to": TEXT}
_ABOUT: Final = ("NPA", "id", "integer")

TOOLS: Final = (
    ToolSpec(
        "get_npa_by_id",
        "The record of a project with its workflow state and a summary of its sign-offs",
        *_ABOUT,
        "SoR:npa_projects",
        "entity",
        answer(
            **_OF,
            **dict.fromkeys(("id", "notional_usd_k", "tenor_months"), NUMBER),
            **dict.fromkeys(("title", "product_type", "approval_track", "stage", "status"), TEXT),
            **dict.fromkeys(("booking_entity", "business_unit"), TEXT),
            submitted_on=DAY,
            jurisdictions=TEXTS,
            related_entities=TEXTS,
            workflow=exactly(**_WORKFLOW),
            signoffs=exactly(approved=NUMBER, pending=NUMBER, rejected=NUMBER),
        ),
        _project,
    ),
    ToolSpec(
        "get_form_data",
        "The 339 values of a project's approval form, by section",
        *_ABOUT,
        "SoR:npa_form_data",
        "tool_result",
        answer(
            **_OF,
            fields={"type": "object", "additionalProperties": {"type": "object", "additionalProperties": TEXT}},
        ),
        _form,
    ),
    ToolSpec(
        "get_signoffs",
        "What each party said to a project",
        *_ABOUT,
        "SoR:npa_signoffs",
        "tool_result",
        answer(**_OF, signoffs=listed(party=TEXT, status=TEXT, decided_on=NO_DAY, comment=TEXT)),
        _signoffs,
    ),
    ToolSpec(
        "get_risk_checks",
        "The results of a project's risk checks, one for each risk domain",
        *_ABOUT,
        "SoR:npa_risk_checks",
        "tool_result",
        answer(**_OF, checks=listed(risk_domain=TEXT, result=TEXT, score=NUMBER, checked_on=DAY, note=TEXT)),
        _checks,
    ),
    ToolSpec(
        "get_workflow_state",
        "The stages that a project went through, and the one that it is in",
        *_ABOUT,
        "SoR:npa_workflow_state",
        "tool_result",
        answer(**_OF, stages=listed(**_WORKFLOW, left_on=NO_DAY)),
        _workflow,
    ),
    ToolSpec(
        "get_external_parties",
        "Counterparties, custodians and others outside the bank who take part in a project",
        *_ABOUT,
        "SoR:external_parties",
        "tool_result",
        answer(**_OF, parties=listed(counterparty_id=TEXT, part=TEXT, contact=TEXT)),
        _parties,
    ),
    ToolSpec(
        "get_market_risk_factors",
        "The market risk factors of a project, and whether value at risk and stress tests capture them",
        *_ABOUT,
        "SoR:npa_market_risk_factors",
        "tool_result",
        answer(
            **_OF,
            factors=listed(factor=TEXT, var_captured=FLAG, stress_captured=FLAG, sensitivity_usd_k=NUMBER),
        ),
        _factors,
    ),
)
