-- The systems of record of a made-up bank. SQLite and PostgreSQL both take this file as it is.
-- Days are ISO 8601, amounts are whole thousands of US dollars, flags are 0 or 1.

-- NPA: new product approval
CREATE TABLE npa_projects (
  id INTEGER PRIMARY KEY, project_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, product_type TEXT NOT NULL,
  approval_track TEXT NOT NULL, stage TEXT NOT NULL, status TEXT NOT NULL, notional_usd_k INTEGER NOT NULL,
  tenor_months INTEGER NOT NULL, booking_entity TEXT NOT NULL, business_unit TEXT NOT NULL, submitted_on TEXT NOT NULL,
  variation_of INTEGER REFERENCES npa_projects (id)
);
CREATE TABLE npa_jurisdictions (
  project_id INTEGER NOT NULL REFERENCES npa_projects (id), jurisdiction TEXT NOT NULL, is_primary INTEGER NOT NULL,
  PRIMARY KEY (project_id, jurisdiction)
);
CREATE TABLE npa_form_data (
  project_id INTEGER NOT NULL REFERENCES npa_projects (id), field_no INTEGER NOT NULL, section TEXT NOT NULL,
  name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (project_id, field_no)
);
CREATE TABLE npa_signoffs (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES npa_projects (id), party TEXT NOT NULL,
  status TEXT NOT NULL, decided_on TEXT, comment TEXT NOT NULL
);
CREATE TABLE npa_risk_checks (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES npa_projects (id), risk_domain TEXT NOT NULL,
  result TEXT NOT NULL, score INTEGER NOT NULL, checked_on TEXT NOT NULL, note TEXT NOT NULL
);
CREATE TABLE npa_workflow_state (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES npa_projects (id), stage TEXT NOT NULL,
  entered_on TEXT NOT NULL, due_on TEXT NOT NULL, left_on TEXT, assigned_to TEXT NOT NULL
);
CREATE TABLE npa_external_parties (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES npa_projects (id), counterparty_id TEXT NOT NULL,
  part TEXT NOT NULL, contact TEXT NOT NULL
);
CREATE TABLE npa_market_risk_factors (
  id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES npa_projects (id), factor TEXT NOT NULL,
  var_captured INTEGER NOT NULL, stress_captured INTEGER NOT NULL, sensitivity_usd_k INTEGER NOT NULL
);

-- ORM: operational risk management
CREATE TABLE orm_controls (
  control_id TEXT PRIMARY KEY, name TEXT NOT NULL, design TEXT NOT NULL, operation TEXT NOT NULL,
  last_tested TEXT NOT NULL, owner_unit TEXT NOT NULL
);
CREATE TABLE orm_incidents (
  id INTEGER PRIMARY KEY, incident_id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, risk_category TEXT NOT NULL,
  business_line TEXT NOT NULL, jurisdiction TEXT NOT NULL, status TEXT NOT NULL, detected_on TEXT NOT NULL,
  gross_loss_usd_k INTEGER NOT NULL, narrative TEXT NOT NULL
);
CREATE TABLE orm_incident_controls (
  incident_id INTEGER NOT NULL REFERENCES orm_incidents (id), control_id TEXT NOT NULL REFERENCES orm_controls (control_id),
  PRIMARY KEY (incident_id, control_id)
);
CREATE TABLE orm_rcsa (
  id INTEGER PRIMARY KEY, incident_id INTEGER NOT NULL REFERENCES orm_incidents (id), risk TEXT NOT NULL,
  inherent TEXT NOT NULL, residual TEXT NOT NULL, assessed_on TEXT NOT NULL
);
CREATE TABLE orm_kri (
  id INTEGER PRIMARY KEY, incident_id INTEGER NOT NULL REFERENCES orm_incidents (id), name TEXT NOT NULL,
  value INTEGER NOT NULL, threshold INTEGER NOT NULL, measured_on TEXT NOT NULL
);
CREATE TABLE orm_loss_events (
  id INTEGER PRIMARY KEY, incident_id INTEGER NOT NULL REFERENCES orm_incidents (id), amount_usd_k INTEGER NOT NULL,
  recovered_usd_k INTEGER NOT NULL, booked_on TEXT NOT NULL, remark TEXT NOT NULL
);

-- DESK: desk support
CREATE TABLE desk_counterparties (
  id INTEGER PRIMARY KEY, counterparty_id TEXT NOT NULL UNIQUE, legal_name TEXT NOT NULL, jurisdiction TEXT NOT NULL,
  segment TEXT NOT NULL, rating TEXT NOT NULL, watchlist INTEGER NOT NULL, business_unit TEXT NOT NULL,
  kyc_reviewed_on TEXT NOT NULL
);
CREATE TABLE desk_credit_limits (
  id INTEGER PRIMARY KEY, counterparty_id INTEGER NOT NULL REFERENCES desk_counterparties (id), product_family TEXT NOT NULL,
  limit_usd_k INTEGER NOT NULL, used_usd_k INTEGER NOT NULL, approved_on TEXT NOT NULL, review_due TEXT NOT NULL
);
CREATE TABLE desk_agreements (
  id INTEGER PRIMARY KEY, counterparty_id INTEGER NOT NULL REFERENCES desk_counterparties (id), kind TEXT NOT NULL,
  edition TEXT NOT NULL, governing_law TEXT NOT NULL, signed_on TEXT NOT NULL, expires_on TEXT, threshold_usd_k INTEGER NOT NULL
);
CREATE TABLE desk_documents (
  id INTEGER PRIMARY KEY, counterparty_id INTEGER NOT NULL REFERENCES desk_counterparties (id), kind TEXT NOT NULL,
  received_on TEXT NOT NULL, note TEXT NOT NULL
);

-- DCE: digital client experience
CREATE TABLE dce_clients (
  id INTEGER PRIMARY KEY, client_id TEXT NOT NULL UNIQUE, segment TEXT NOT NULL, jurisdiction TEXT NOT NULL,
  channel TEXT NOT NULL, onboarded_on TEXT NOT NULL, relationship_unit TEXT NOT NULL
);
CREATE TABLE dce_journeys (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES dce_clients (id), journey TEXT NOT NULL,
  stage TEXT NOT NULL, started_on TEXT NOT NULL, abandoned INTEGER NOT NULL
);
CREATE TABLE dce_consents (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES dce_clients (id), purpose TEXT NOT NULL,
  granted INTEGER NOT NULL, valid_until TEXT NOT NULL
);
CREATE TABLE dce_service_requests (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES dce_clients (id), kind TEXT NOT NULL,
  opened_on TEXT NOT NULL, status TEXT NOT NULL, message TEXT NOT NULL
);
