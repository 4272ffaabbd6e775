#!/bin/sh
# Login roles for a new database; what they may do is granted to ctxgate_gateway and ctxgate_eraser by the migrations.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -d ctxgate \
    -c "CREATE ROLE ctxgate_gateway NOLOGIN" -c "CREATE ROLE ctxgate_eraser NOLOGIN" -c "CREATE ROLE ctxgate_auditor NOLOGIN" \
    -c "CREATE ROLE gateway LOGIN PASSWORD '${GATEWAY_PASSWORD:-gateway}' IN ROLE ctxgate_gateway" \
    -c "CREATE ROLE eraser LOGIN PASSWORD '${ERASER_PASSWORD:-eraser}' IN ROLE ctxgate_eraser"
