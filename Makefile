# ctxgate: `make run` and `make test` do all their set-up themselves.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE ?= $(HOME)/.cache/ctxgate
OPA_VERSION := v1.20.2
export PATH := $(CACHE)/bin:$(PATH)
export PYTHONPYCACHEPREFIX := $(CACHE)/pycache

.DEFAULT_GOAL := help
.PHONY: help install run serve test coverage soak lint docs changelog bench tools doors services audit sbom lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(VENV)/.installed ## make .venv with the ctxgate command in it

$(VENV)/.installed: requirements/runtime.txt requirements/build.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --require-hashes -r requirements/build.txt
	$(BIN)/python -m pip install -q --require-hashes -r requirements/runtime.txt
	$(BIN)/python -m pip install -q --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: $(VENV)/.installed requirements/dev.txt
	$(BIN)/python -m pip install -q --require-hashes -r requirements/dev.txt
	touch $@

run: install ## ask one question of the bundled bank, show the way of every item, verify the ledger
	$(BIN)/ctxgate demo bank --out pack.json

serve: install ## serve the HTTP API on port 8080
	$(BIN)/ctxgate serve

tools: $(CACHE)/bin/opa ## build OPA into the user's cache (needs Go); nothing of the system is touched

SERVICES := postgresql strace nginx-light openssh-client softhsm2
HAVE_SERVICES := ls /usr/lib/postgresql/*/bin/initdb && command -v strace && command -v nginx && command -v ssh-agent && command -v softhsm2-util

services: ## install PostgreSQL, strace, nginx, ssh-agent and SoftHSM for the tests, as system packages: needs root and apt-get
	@if ($(HAVE_SERVICES)) >/dev/null 2>&1; then echo "PostgreSQL, strace, nginx, ssh-agent and SoftHSM are here"; \
	elif [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
		echo "This installs the system packages $(SERVICES) and needs root and apt-get." >&2; exit 1; \
	else echo "Installing the system packages $(SERVICES)"; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y $(SERVICES); fi

$(CACHE)/bin/opa:
	@if command -v opa >/dev/null; then echo "using $$(command -v opa)"; \
	elif command -v go >/dev/null; then mkdir -p $(CACHE)/bin && GOBIN=$(CACHE)/bin go install github.com/open-policy-agent/opa@$(OPA_VERSION); \
	else echo "no Go and no opa: tests that need OPA are skipped, by name"; fi

test: $(VENV)/.dev tools ## lint, type-check and test, with COVERAGE=1 under coverage; what needs a service that is not here is skipped, by name (make services)
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -q -rs -n 2 --dist worksteal -m "not soak" $(if $(COVERAGE),--cov --cov-report=term --cov-fail-under=95)

coverage: $(VENV)/.dev tools ## the tests once more, with what the commands run in processes of their own
	$(BIN)/python -m pytest -q -rs -n 2 --dist worksteal -m "not soak" --cov --cov-config=tests/coverage.whole.ini --cov-report=term --cov-fail-under=95

soak: $(VENV)/.dev tools ## the long tests, at full length
	$(BIN)/python -m pytest -q -m soak

lint: $(VENV)/.dev ## ruff, mypy, import-linter, opa check, generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v opa >/dev/null; then opa check --strict -b policies -s policies/schemas && test -z "$$(opa fmt -l policies)" && opa test -b policies && opa test -b --coverage --threshold 100 policies > /dev/null; \
	else echo "opa is not here: the policies were not linted"; test -z "$$CTXGATE_REQUIRE_SERVICES"; fi
	@if command -v regal >/dev/null; then regal lint policies; fi
	$(BIN)/python -m tools.generate --check

docs: $(VENV)/.dev ## write the generated pages and schemas anew
	$(BIN)/python -m tools.generate

changelog: $(VENV)/.dev ## put the fragments of changelog.d into CHANGELOG.md, under the version that is installed
	$(BIN)/towncrier build --yes --version "$$($(BIN)/python -c 'from importlib.metadata import version; print(version("ctxgate"))')"

bench: $(VENV)/.dev tools ## measure, with baselines in the same run
	$(BIN)/python -m bench.policy
	$(BIN)/python -m bench.pipeline
	$(BIN)/python -m bench.ledger

$(CACHE)/supply/.installed: requirements/tools.txt
	$(PYTHON) -m venv --clear $(CACHE)/supply
	$(CACHE)/supply/bin/pip install -q --require-hashes -r requirements/tools.txt
	touch $@

doors: $(CACHE)/doors/.installed ## install the programs that tests of integrations run on the other side, such as LiteLLM's proxy, away from the gateway

$(CACHE)/doors/.installed: requirements/doors.txt
	$(PYTHON) -m venv --clear $(CACHE)/doors
	$(CACHE)/doors/bin/pip install -q --require-hashes -r requirements/doors.txt
	touch $@

audit: $(VENV)/.installed $(CACHE)/supply/.installed ## ask for known vulnerabilities in what is locked; says NOT AUDITED where no database can be reached
	$(BIN)/python -m tools.audit $(CACHE)/supply/bin/pip-audit requirements/runtime.txt requirements/build.txt requirements/tools.txt

sbom: $(CACHE)/supply/.installed ## write artifacts/sbom.json, a CycloneDX bill of materials of what is locked, with its hashes
	mkdir -p artifacts
	$(CACHE)/supply/bin/cyclonedx-py requirements requirements/runtime.txt --pyproject pyproject.toml --output-reproducible --of JSON -o artifacts/sbom.json

lock: $(VENV)/.dev ## resolve the requirements anew
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile pyproject.toml --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -q --upgrade -o requirements/runtime.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -q --upgrade -c requirements/runtime.txt -o requirements/dev.txt
	$(BIN)/uv pip compile requirements/tools.in --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -q --upgrade -o requirements/tools.txt
	$(BIN)/uv pip compile requirements/doors.in --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 -q --upgrade -o requirements/doors.txt

clean: ## remove the virtual environment and what runs left behind
	rm -rf $(VENV) .ctxgate .hypothesis .coverage pack.json
