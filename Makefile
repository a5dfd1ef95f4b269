# Newcomers need only `make play` and `make test`. Requires Python 3.11 or newer, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes

SOURCES := bot cogs sandbox tests bench

.PHONY: help install play test check coverage format golden gallery screenshots soak watch bench pseudo arena mutants hosting lock clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11")'
	@# An environment that was left half made, such as without the system's python3-venv, would look finished next time.
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# One stamp file per locked group, so that a group is installed again only when its lock file changes.
$(VENV)/.%: requirements/%.txt | $(VENV)/bin/python
	@echo 'Installing $< into $(VENV), which takes a moment the first time ...'
	@$(PIP) --requirement $<
	@touch $@

install: $(VENV)/.play $(VENV)/.dev  ## Create .venv with everything that play and test need

play: $(VENV)/.play  ## Run the bot; without a token, on the sandbox (SCENE=empty|lobby|friends|table, KEEP=1, OPEN=1)
	@$(BIN)/python -m bot $(if $(OPEN),--open)

# Tests with the real bot wait most of the time, so there are more workers than cores.
test: $(VENV)/.dev  ## Run all checks and all tests
	@$(MAKE) --no-print-directory -j 2 check coverage
	@$(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder

check: $(VENV)/.dev  ## Check formatting, lint, types, import contracts and import cycles
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -q tests/test_import_contracts.py

# Only the rule cases run, since tracing is slow and random play would hide branches that no rule case reaches.
coverage: $(VENV)/.dev  ## Check that the rule cases reach every branch of both games
	@$(BIN)/coverage run -m pytest -q tests/engine tests/games/coyote/rules tests/games/plenty_coups/rules
	@$(BIN)/coverage report

format: $(VENV)/.dev  ## Format and fix what can be fixed
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix $(SOURCES)

golden: $(VENV)/.dev  ## Rewrite the golden files, for review
	@UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q tests -k golden

gallery: $(VENV)/.dev  ## Draw every kind of picture and emoji into artefacts/gallery/index.html
	@$(BIN)/python -m tests.pictures.gallery

screenshots: $(VENV)/.dev  ## Take the README's images, and a game in each language into artefacts/; needs Chromium
	@$(BIN)/python -m tests.page.screenshots
	@SCREENSHOTS=1 $(BIN)/python -m pytest -q tests/page/test_languages.py

# Takes about two hours on two cores. Progress is saved in .soak, and the next run continues from there.
soak: $(VENV)/.dev  ## Play thousands of random games (GAMES=n per table, default 30), then every kind on the sandbox (MINUTES=n, SEED=n), then 200 tables while processes and the database are killed, then test statistics in a database of BIG_MB megabytes
	@SOAK=$(or $(GAMES),30) $(BIN)/python -m pytest -q -n 2 tests/games/test_contract.py
	@SOAK=1 SOAK_SEED=$(SEED) SOAK_UNTIL=$(if $(MINUTES),$$(($$(date +%s) + 60 * $(MINUTES)))) \
		$(BIN)/python -m pytest -q -n 2 tests/e2e/test_games.py; \
		played=$$?; $(BIN)/python -m tests.e2e.soak; exit $$played
	@CLUSTER_SOAK=1 $(BIN)/python -m pytest -q -s tests/e2e/test_cluster.py
	@BIG_MB=$(or $(BIG_MB),5000) $(BIN)/python -m pytest -q -s tests/stats/test_big.py

watch: $(VENV)/.dev  ## Let a bot host games on the sandbox, ask for its metrics every five seconds, and print its memory (MINUTES=n, default 120)
	@$(BIN)/python -m tests.e2e.watch $(MINUTES)

bench: $(VENV)/.bench  ## Print the benchmarks, each against a baseline of the same run (SECTION=name for one section)
	@$(BIN)/python -m bench $(SECTION)

pseudo: $(VENV)/.dev  ## Play on the sandbox in a pseudo-language, which shows what was forgotten; people whose Discord is Dutch read it
	@$(BIN)/python -m tests.text.pseudo .pseudo
	@MORE_TEXTS=.pseudo $(BIN)/python -m bot $(if $(OPEN),--open)

arena: $(VENV)/.play  ## Play an AI player against simple opponents and print win rates with confidence intervals (GAME=plenty-coups, ARGS="--games 400 --edition peek")
	@$(BIN)/python -m bench.arena $(if $(GAME),--game $(GAME)) $(ARGS)

mutants: $(VENV)/.mutants  ## Run mutation tests: change the rules and see whether a test notices
	@$(BIN)/mutmut run --max-children 2

hosting: $(VENV)/.hosting  ## Check Dockerfile, workflows and, if systemd is installed, its unit
	@$(BIN)/hadolint Dockerfile
	@$(BIN)/zizmor --quiet --offline .github
	@if command -v systemd-analyze >/dev/null; then \
		sed 's|^ExecStart=[^ ]*|ExecStart=/bin/true|' deploy/systemd/coyote-table.service >.coyote-table.service; \
		systemd-analyze verify ./.coyote-table.service; found=$$?; rm .coyote-table.service; exit $$found; \
	fi

lock: $(VENV)/.lock  ## Resolve the groups of pyproject.toml into requirements/ again, with hashes and without index addresses
	@for group in bot: play:sandbox dev:dev bench:dev,bench mutants:dev,mutants hosting:hosting lock:lock; do \
		flags=$$(echo "$${group#*:}" | tr ',' '\n' | sed 's/^./--group &/'); \
		$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
			pyproject.toml $$flags --output-file requirements/$${group%%:*}.txt; \
	done

clean:  ## Remove everything that make created
	rm -rf $(VENV) .pseudo .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage* .soak mutants artefacts
