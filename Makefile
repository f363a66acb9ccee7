# `make run` serves Basra, `make test` tests it; both need Python 3.11+ and make, and nothing else first.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
HOST ?= 127.0.0.1
# `make bars PERFORMANCE=report` tells Lighthouse's performance without failing, for a machine that others use, too.
PERFORMANCE ?= bar
export PORT HOST

.PHONY: run test test-long check browser screens bars bench clean
.DEFAULT_GOAL := run

run: .venv/.run
	@exec $(BIN)/gunicorn -c gunicorn.conf.py wsgi:app

test: check browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long and not postgres and not webkit"
	@$(BIN)/python -m tests.postgresql
	@$(BIN)/python -m e2e.webkit

test-long: .venv/.test browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m long

check: .venv/.test
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

browser: .venv/.test
	@$(BIN)/python -m e2e.browser

screens: browser
	@$(BIN)/python -m e2e.screens

bars: browser
	$(BIN)/python -m tools.bars --performance=$(PERFORMANCE)
	$(BIN)/python bench/tap_to_lift.py

bench: browser
	@for file in bench/*.py; do echo "== $$file"; $(BIN)/python $$file; done

clean:
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results

.venv/.run: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Basra needs Python 3.11 or newer; set PYTHON=/path/to/one"; exit 1; }
	@echo "Installing what Basra needs into .venv (once; about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { echo "cure: install the venv module (on Debian: apt-get install python3-venv)"; rm -rf .venv; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.test: .venv/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
