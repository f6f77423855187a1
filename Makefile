# Each target sets up its own .venv when it is missing or older than pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin
RULES := $(wildcard games/*.rules games/examples/*.rules rulespec/std/*.rules)
export NO_MKDOCS_2_WARNING := 1

.PHONY: play test check docs bench soak accept clean

play: .venv/ready-to-play
	$(BIN)/rulespec play sins.rules

test: .venv/ready-to-work
	$(BIN)/python -m pytest --quiet --numprocesses=auto

check: .venv/ready-to-work
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/rulespec check $(RULES)
	$(BIN)/rulespec fmt --check $(RULES)
	$(BIN)/python -m pytest --quiet --numprocesses=auto
	$(BIN)/mkdocs build --strict --quiet

docs: .venv/ready-to-work
	$(BIN)/python -m rulespec.docgen
	$(BIN)/mkdocs build --strict

bench: .venv/ready-to-work
	$(BIN)/python benchmarks/language.py
	$(BIN)/python benchmarks/engine.py

soak: .venv/ready-to-work
	$(BIN)/python -m pytest -m soak --numprocesses=auto

# Write anew what is made from other files and kept; then read the difference.
accept: .venv/ready-to-work
	$(BIN)/python -c "from rulespec.syntax import tables; tables.store()"
	$(BIN)/rulespec fmt --write $(RULES)
	$(BIN)/python -m rulespec.docgen
	ACCEPT=1 $(BIN)/python -m pytest --quiet tests/test_command_line.py tests/test_rejected.py tests/test_playthroughs.py tests/test_table_screens.py -k "pages_say or are_written or was_written or were_written"

clean:
	rm -rf .venv site dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

.venv/ready-to-play: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/ready-to-work: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,docs]"
	touch .venv/ready-to-play $@
