# Everything a newcomer needs: `make play` and `make test`. Only Python 3.11+ and make are taken for granted.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes

SOURCES := bot cogs sandbox tests

.PHONY: help install play test check format golden soak bench mutants lock clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# One stamp per locked group: a changed lock installs again, an unchanged one costs nothing.
$(VENV)/.%: requirements/%.txt | $(VENV)/bin/python
	$(PIP) --requirement $<
	@touch $@

install: $(VENV)/.play $(VENV)/.dev  ## Create .venv with everything that play and test need

play: $(VENV)/.play  ## Run the bot; without a token, on the sandbox
	@$(BIN)/python -m bot

test: $(VENV)/.dev check  ## All checks and all tests
	@$(BIN)/python -m pytest

check: $(VENV)/.dev  ## Formatting, lint, types, import contracts
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(VENV)/.dev  ## Format and fix what can be fixed
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

golden: $(VENV)/.dev  ## Rewrite the golden files, for review
	@UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q tests -k golden

clean:  ## Remove what make made
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* mutants
