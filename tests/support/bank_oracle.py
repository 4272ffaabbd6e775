"""
What a person may be told of the bundled bank: plain SQL over its rows and over the officers' tables, and no code of the gateway.

The tables of labels are read from their files and become tables of a database in memory; one query says which tools' answers may
be released, and one for each tool what it says.
"""

import json
import sqlite3

from pathlib import Path
from typing import Any, Final

import yaml

_TABLES: Final = """
CREATE TABLE ranks (level TEXT, rank INTEGER);
CREATE TABLE roles (role TEXT, rank INTEGER);
CREATE TABLE departments (department TEXT, domain TEXT);
CREATE TABLE rights (domain TEXT, entitlement TEXT);
CREATE TABLE named (agent TEXT);
CREATE TABLE agents (agent TEXT, archetype TEXT, domain TEXT);
CREATE TABLE purposes (archetype TEXT, purpose TEXT);
CREATE TABLE sections (archetype TEXT, section TEXT);
CREATE TABLE exposed (archetype TEXT, section TEXT, member TEXT);
CREATE TABLE domains (domain TEXT, type TEXT, rank INTEGER);
CREATE TABLE tools (tool TEXT, domain TEXT, classification TEXT, rank INTEGER, section TEXT);
CREATE TABLE needs (agent TEXT, tool TEXT, refuse INTEGER);
CREATE TABLE places (domain TEXT, name TEXT, jurisdiction TEXT, is_primary INTEGER);
CREATE TABLE planted (kind TEXT, entity_id TEXT, tool TEXT, type TEXT, text TEXT);
CREATE TABLE operators (type TEXT, role TEXT, operator TEXT);
CREATE TABLE floors (place TEXT, type TEXT, operator TEXT);
CREATE TABLE strictness (operator TEXT, number INTEGER);
CREATE TABLE asked (jurisdiction TEXT);
CREATE TABLE held (jurisdiction TEXT);
CREATE TABLE claimed (domain TEXT);
CREATE TABLE entitled (entitlement TEXT);
"""

_PLACES: Final = """
INSERT INTO places
SELECT 'NPA', p.project_id, j.jurisdiction, j.is_primary FROM npa_projects p JOIN npa_jurisdictions j ON j.project_id = p.id
UNION ALL SELECT 'ORM', incident_id, jurisdiction, 1 FROM orm_incidents
UNION ALL SELECT 'DESK', counterparty_id, jurisdiction, 1 FROM desk_counterparties
UNION ALL SELECT 'DCE', client_id, jurisdiction, 1 FROM dce_clients
"""

_MAY_ASK: Final = """
SELECT 1 FROM agents a JOIN domains d ON d.domain = a.domain JOIN roles r ON r.role = :role
JOIN purposes p ON p.archetype = a.archetype AND p.purpose = :purpose
JOIN departments o ON o.domain = a.domain AND o.department = :department
WHERE a.agent = :agent AND d.type = :type
  AND EXISTS (SELECT 1 FROM asked)
  AND NOT EXISTS (SELECT 1 FROM asked WHERE jurisdiction NOT IN (SELECT jurisdiction FROM held))
  AND NOT EXISTS (
    SELECT 1 FROM asked WHERE jurisdiction NOT IN (SELECT jurisdiction FROM places WHERE domain = a.domain AND name = :entity))
"""

_ALLOWED: Final = """
SELECT t.tool FROM agents a JOIN needs n ON n.agent = a.agent JOIN tools t ON t.tool = n.tool AND t.domain = a.domain
JOIN domains d ON d.domain = a.domain JOIN roles r ON r.role = :role JOIN sections s ON s.archetype = a.archetype AND s.section = t.section
JOIN places e ON e.domain = a.domain AND e.name = :entity AND e.is_primary = 1
WHERE a.agent = :agent AND t.rank <= r.rank AND d.rank <= r.rank
  AND (t.classification <> 'RESTRICTED' OR a.agent IN (SELECT agent FROM named))
  AND e.jurisdiction IN (SELECT jurisdiction FROM asked) AND e.jurisdiction IN (SELECT jurisdiction FROM held)
  AND (NOT :narrowed OR a.domain IN (SELECT domain FROM claimed))
  AND (NOT :limited OR EXISTS (SELECT 1 FROM rights i JOIN entitled USING (entitlement) WHERE i.domain = a.domain))
  AND NOT EXISTS (SELECT 1 FROM planted p WHERE p.kind = 'injection' AND p.entity_id = :entity AND p.tool = t.tool)
"""

_REFUSED: Final = """
SELECT 1 FROM agents a JOIN needs n ON n.agent = a.agent JOIN tools t ON t.tool = n.tool AND t.domain = a.domain
WHERE a.agent = :agent AND n.refuse = 1 AND n.tool NOT IN (SELECT value FROM json_each(:allowed))
"""

_EXPOSED: Final = """
SELECT x.member FROM exposed x JOIN agents a USING (archetype) JOIN tools t USING (section) WHERE a.agent = :agent AND t.tool = :tool
"""

_OPERATOR: Final = """
SELECT operator FROM (
  SELECT operator FROM operators WHERE type = :type AND role = :role
  UNION SELECT operator FROM floors WHERE type = :type AND place IN (SELECT jurisdiction FROM asked)
) JOIN strictness USING (operator) ORDER BY number DESC LIMIT 1
"""

_FIRST: Final = "(SELECT jurisdiction FROM npa_jurisdictions WHERE project_id = p.id AND is_primary = 1)"


def _npa(member: str, columns: str, table: str) -> str:
    rows = f"(SELECT json_group_array(json_object({columns})) FROM (SELECT * FROM {table} WHERE project_id = p.id ORDER BY id))"
    return f"SELECT json_object('project_id', p.project_id, 'jurisdiction', {_FIRST}, '{member}', json({rows})) FROM npa_projects p WHERE p.project_id = :entity"


def _other(table: str, name: str, member: str, columns: str, rows: str) -> str:
    listed = f"(SELECT json_group_array(json_object({columns})) FROM (SELECT x.* FROM {rows} ORDER BY x.rowid))"
    return f"SELECT json_object('{name}', e.{name}, 'jurisdiction', e.jurisdiction, '{member}', json({listed})) FROM {table} e WHERE e.{name} = :entity"


def _same(*names: str) -> str:
    return ", ".join(f"'{name}', {name}" for name in names)


def _flag(name: str) -> str:
    return f"'{name}', json(CASE {name} WHEN 1 THEN 'true' ELSE 'false' END)"


_FACTS: Final = {
    "get_npa_by_id": f"""
    SELECT json_object({_same("id", "project_id", "title", "product_type", "approval_track", "stage", "status", "notional_usd_k")},
      {_same("tenor_months", "booking_entity", "business_unit", "submitted_on")}, 'jurisdiction', {_FIRST},
      'jurisdictions', json((SELECT json_group_array(jurisdiction) FROM
        (SELECT jurisdiction FROM npa_jurisdictions WHERE project_id = p.id ORDER BY 1))),
      'related_entities', json((SELECT json_group_array(project_id) FROM npa_projects b WHERE b.id = p.variation_of)),
      'workflow', json((SELECT json_object({_same("stage", "entered_on", "due_on", "assigned_to")})
        FROM npa_workflow_state WHERE project_id = p.id AND left_on IS NULL)),
      'signoffs', json((SELECT json_object('approved', total(status = 'APPROVED'), 'pending', total(status = 'PENDING'),
        'rejected', total(status = 'REJECTED')) FROM npa_signoffs WHERE project_id = p.id)))
    FROM npa_projects p WHERE p.project_id = :entity""",
    "get_form_data": f"""
    SELECT json_object('project_id', p.project_id, 'jurisdiction', {_FIRST}, 'fields', json((
      SELECT json_group_object(section, json(answers)) FROM (
        SELECT section, json_group_object(name, value) AS answers FROM npa_form_data WHERE project_id = p.id GROUP BY section))))
    FROM npa_projects p WHERE p.project_id = :entity""",
    "get_signoffs": _npa("signoffs", _same("party", "status", "decided_on", "comment"), "npa_signoffs"),
    "get_risk_checks": _npa(
        "checks", _same("risk_domain", "result", "score", "checked_on", "note"), "npa_risk_checks"
    ),
    "get_workflow_state": _npa(
        "stages", _same("stage", "entered_on", "due_on", "left_on", "assigned_to"), "npa_workflow_state"
    ),
    "get_external_parties": _npa("parties", _same("counterparty_id", "part", "contact"), "npa_external_parties"),
    "get_market_risk_factors": _npa(
        "factors",
        f"{_same('factor', 'sensitivity_usd_k')}, {_flag('var_captured')}, {_flag('stress_captured')}",
        "npa_market_risk_factors",
    ),
    "get_incident": f"""
    SELECT json_object({_same("incident_id", "jurisdiction", "title", "risk_category", "business_line", "status", "narrative")},
      {_same("detected_on", "gross_loss_usd_k")}, 'jurisdictions', json_array(jurisdiction))
    FROM orm_incidents WHERE incident_id = :entity""",
    "get_rcsa": _other(
        "orm_incidents", "incident_id", "assessments", _same("risk", "inherent", "residual", "assessed_on"),
        "orm_rcsa x WHERE x.incident_id = e.id",
    ),
    "get_kri_data": _other(
        "orm_incidents", "incident_id", "indicators", _same("name", "value", "threshold", "measured_on"),
        "orm_kri x WHERE x.incident_id = e.id",
    ),
    "get_loss_events": _other(
        "orm_incidents", "incident_id", "losses", _same("amount_usd_k", "recovered_usd_k", "booked_on", "remark"),
        "orm_loss_events x WHERE x.incident_id = e.id",
    ),
    "get_controls": _other(
        "orm_incidents", "incident_id", "controls",
        _same("control_id", "name", "design", "operation", "last_tested", "owner_unit"),
        "orm_controls x JOIN orm_incident_controls l ON l.control_id = x.control_id WHERE l.incident_id = e.id",
    ),
    "get_counterparty": f"""
    SELECT json_object({_same("counterparty_id", "jurisdiction", "legal_name", "segment", "rating", "business_unit")},
      {_same("kyc_reviewed_on")}, {_flag("watchlist")}, 'jurisdictions', json_array(jurisdiction))
    FROM desk_counterparties WHERE counterparty_id = :entity""",
    "get_credit_limits": _other(
        "desk_counterparties", "counterparty_id", "limits",
        _same("product_family", "limit_usd_k", "used_usd_k", "approved_on", "review_due"),
        "desk_credit_limits x WHERE x.counterparty_id = e.id",
    ),
    "get_agreements": _other(
        "desk_counterparties", "counterparty_id", "agreements",
        _same("kind", "edition", "governing_law", "signed_on", "expires_on", "threshold_usd_k"),
        "desk_agreements x WHERE x.counterparty_id = e.id",
    ),
    "get_docs": _other(
        "desk_counterparties", "counterparty_id", "documents", _same("kind", "received_on", "note"),
        "desk_documents x WHERE x.counterparty_id = e.id",
    ),
    "get_client": f"""
    SELECT json_object({_same("client_id", "jurisdiction", "segment", "channel", "relationship_unit", "onboarded_on")},
      'jurisdictions', json_array(jurisdiction))
    FROM dce_clients WHERE client_id = :entity""",
    "get_client_journeys": _other(
        "dce_clients", "client_id", "journeys", f"{_same('journey', 'stage', 'started_on')}, {_flag('abandoned')}",
        "dce_journeys x WHERE x.client_id = e.id",
    ),
    "get_client_consents": _other(
        "dce_clients", "client_id", "consents", f"{_same('purpose', 'valid_until')}, {_flag('granted')}",
        "dce_consents x WHERE x.client_id = e.id",
    ),
    "get_service_requests": _other(
        "dce_clients", "client_id", "requests", _same("kind", "opened_on", "status", "message"),
        "dce_service_requests x WHERE x.client_id = e.id",
    ),
}  # fmt: skip


def as_bytes(content: object) -> bytes:
    """A JSON value as bytes that do not depend on who wrote it."""
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


class BankOracle:
    """Says what may be released, and what it is."""

    def __init__(self, database: Path, planted: Path, policies: Path) -> None:
        self._db = sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)
        self._db.execute("PRAGMA temp_store = MEMORY")
        self._db.executescript(_TABLES.replace("CREATE TABLE", "CREATE TEMP TABLE"))
        self._db.execute(_PLACES)
        self._read(policies)
        rows = json.loads(planted.read_text())
        self._fill("planted", [[row[name] for name in ("kind", "entity_id", "tool", "type", "text")] for row in rows])

    def expected(self, question: dict[str, Any]) -> dict[str, bytes]:
        """By tool, the bytes of what may be released; empty where nothing is."""
        bound = self._ask(question)
        if not self._db.execute(_MAY_ASK, bound).fetchone():
            return {}
        allowed = [tool for (tool,) in self._db.execute(_ALLOWED, bound)]
        if not allowed or self._db.execute(_REFUSED, {**bound, "allowed": json.dumps(allowed)}).fetchone():
            return {}
        return {tool: self._facts(tool, bound) for tool in allowed}

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        subject, entity = question["subject"], question["entity"]
        listed = question["jurisdictions"]
        if listed is None:
            sql = "SELECT jurisdiction FROM places JOIN domains USING (domain) WHERE name = ? AND type = ?"
            listed = [place for (place,) in self._db.execute(sql, (entity["id"], entity["type"]))]
        for table, values in (
            ("asked", listed), ("held", subject["jurisdictions"]), ("claimed", subject["domains"]),
            ("entitled", subject["entitlements"]),
        ):  # fmt: skip
            self._db.execute(f"DELETE FROM {table}")
            self._fill(table, [[value] for value in values or ()])
        return {
            "agent": question["agent_id"], "purpose": question["purpose"], "role": subject["role"], "type": entity["type"],
            "department": subject["department"], "entity": entity["id"],
            "narrowed": subject["domains"] is not None, "limited": subject["entitlements"] is not None,
        }  # fmt: skip

    def _facts(self, tool: str, bound: dict[str, Any]) -> bytes:
        (said,) = self._db.execute(_FACTS[tool], bound).fetchone()
        whole = _whole(json.loads(said))
        exposed = {member for (member,) in self._db.execute(_EXPOSED, {**bound, "tool": tool})}
        content = as_bytes({name: value for name, value in whole.items() if not exposed or name in exposed})
        sql = "SELECT type, text FROM planted WHERE kind = 'personal_data' AND entity_id = ? AND tool = ?"
        for type_, value in self._db.execute(sql, (bound["entity"], tool)).fetchall():
            (operator,) = self._db.execute(_OPERATOR, {"type": type_, "role": bound["role"]}).fetchone()
            content = content.replace(value.encode(), _left(operator, type_, value).encode())
        return content

    def _fill(self, table: str, rows: list[list[Any]]) -> None:
        for row in rows:
            self._db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def _read(self, policies: Path) -> None:
        """The officers' tables, as rows."""

        def table(name: str) -> Any:
            return yaml.safe_load((policies / name / "data.yaml").read_text())

        levels, entitlement = table("context/classification")["levels"], table("context/entitlement")
        scoping, contract, pii = table("context/scoping"), table("context/contract"), table("context/pii")
        agents, contracts, tools = table("registry/agents"), table("registry/contracts"), table("registry/tools")
        self._fill("ranks", [list(row) for row in levels.items()])
        self._fill("roles", [[role, levels[level]] for role, level in entitlement["clearance"].items()])
        self._fill("departments", _pairs(entitlement["department_domains"]))
        self._fill("rights", [list(row) for row in entitlement["domain_entitlements"].items()])
        self._fill("named", [[name] for name in entitlement["named_agents"]])
        self._fill("agents", [[name, row["archetype"], one] for name, row in agents.items() for one in row["domains"]])
        self._fill("purposes", _pairs(scoping["archetype_purposes"]))
        self._fill("sections", _pairs({name: row["allowed"] for name, row in contract["contracts"].items()}))
        for archetype, sections in table("context/exposure")["exposed_fields"].items():
            self._fill("exposed", [[archetype, *pair] for pair in _pairs(sections)])
        for domain, row in table("registry/domains").items():
            self._fill(
                "domains", [[domain, one, levels[row["sensitivity"]]] for one in scoping["domain_entity_types"][domain]]
            )
        # Tools without a result are shown to agents and never called.
        for name, row in ((name, row) for name, row in tools.items() if "result" in row):
            label = row["result"]["data_classification"]
            self._fill("tools", [[name, row["domains"][0], label, levels[label], row["result"]["section"]]])
        for name, row in agents.items():
            needed = contracts[row["contract"]]["required_sources"]
            self._fill("needs", [[name, need["name"], need["missing"] == "refuse"] for need in needed])
        self._fill("operators", [[kind, *row] for kind, roles in pii["types"].items() for row in roles.items()])
        self._fill("floors", [[place, *row] for place, types in pii["floors"].items() for row in types.items()])
        self._fill("strictness", [list(row) for row in pii["strictness"].items()])


def _pairs(table: dict[str, list[str]]) -> list[list[str]]:
    return [[name, value] for name, values in table.items() for value in values]


def _whole(value: Any) -> Any:
    """Sums of SQL's `total` as the whole numbers that they are."""
    if isinstance(value, dict):
        return {name: _whole(one) for name, one in value.items()}
    return int(value) if isinstance(value, float) else value


def _left(operator: str, type_: str, value: str) -> str:
    """What an operator leaves of a value (the page about packs): nothing, its type, or stars and the last four characters."""
    if operator == "mask":
        cut = len(value) - 4 if len(value) > 8 else len(value)
        return "".join("*" if one.isalnum() else one for one in value[:cut]) + value[cut:]
    return {"release": value, "replace": f"<{type_}>", "redact": ""}[operator]
