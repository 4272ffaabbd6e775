#!/bin/sh
# Login roles for a new database; what they may do is granted to ctxgate_gateway and ctxgate_eraser by the migrations.
# Passwords come from files: one that is missing ends the start, and none is a default.
set -eu
from=${CTXGATE_PASSWORDS:-/run/secrets/ctxgate}
gateway=$(cat "$from/gateway.password")
eraser=$(cat "$from/eraser.password")
test -n "$gateway" && test -n "$eraser"
psql -v ON_ERROR_STOP=1 -U postgres -d ctxgate -v gateway="$gateway" -v eraser="$eraser" <<'SQL'
CREATE ROLE ctxgate_gateway NOLOGIN;
CREATE ROLE ctxgate_eraser NOLOGIN;
CREATE ROLE ctxgate_auditor NOLOGIN;
CREATE ROLE gateway LOGIN PASSWORD :'gateway' IN ROLE ctxgate_gateway;
CREATE ROLE eraser LOGIN PASSWORD :'eraser' IN ROLE ctxgate_eraser;
SQL
