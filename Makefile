# Each target sets up its own .venv when it is missing or older than pyproject.toml.

PYTHON ?= python3
BIN := .venv/bin
GAMES := $(wildcard games/*.rules games/classics/*.rules games/examples/*.rules)
RULES := $(GAMES) $(wildcard rulespec/std/*.rules)
export NO_MKDOCS_2_WARNING := 1
# All tests of a file go to one worker: what they share is made once.
CREW := --numprocesses=auto --dist=loadfile

.PHONY: play test check check-sources check-site docs docs-serve game-pages playground playground-site pictures vscode bench soak accept clean

play: .venv/ready-to-play
	$(BIN)/rulespec play sins.rules

test: .venv/ready-to-work
	$(BIN)/python -m pytest --quiet $(CREW)

check: .venv/ready-to-work
	$(MAKE) --no-print-directory --jobs=2 check-sources check-site
	RULESPEC_SITE=$(CURDIR)/site $(BIN)/python -m pytest -m "not soak" --quiet $(CREW)

check-sources: .venv/ready-to-work
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/rulespec check $(RULES)
	$(BIN)/rulespec fmt --check $(RULES)

check-site: .venv/ready-to-work
	$(MAKE) --no-print-directory game-pages
	$(BIN)/mkdocs build --strict --quiet
	$(MAKE) --no-print-directory playground
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory vscode; fi

docs: .venv/ready-to-work game-pages
	$(BIN)/python -m rulespec.docgen
	$(BIN)/mkdocs build --strict
	$(MAKE) --no-print-directory playground

# Shows a page anew when its text is changed; after a change in a file of rules, start it again.
docs-serve: .venv/ready-to-work game-pages
	$(BIN)/mkdocs serve

game-pages: .venv/ready-to-work
	rm -rf docs/games
	$(BIN)/rulespec docs $(GAMES) --out docs/games --playground

# Puts the playground into the site that mkdocs has just built.
playground: .venv/ready-to-work
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory playground-site; \
	else echo "npm is missing, so the playground is left out of the site"; fi

playground-site: .venv/ready-to-publish
	rm -f .venv/playground/wheels/rulespec-*
	$(BIN)/python -m hatchling build -t wheel -d .venv/playground/wheels >/dev/null
	node docs/playground/build.mjs --test
	node docs/playground/build.mjs site

# The pictures of the home page, from the site as it was built last.
pictures: .venv/ready-to-work
	$(BIN)/python docs/pictures.py

# The extension for VS Code, unsigned: `code --install-extension dist/rulespec.vsix`.
vscode: .venv/ready-to-work .venv/ready-to-bundle
	NODE_PATH=.venv/vscode/node_modules .venv/vscode/node_modules/.bin/esbuild editors/vscode/extension.js --bundle --platform=node --external:vscode \
	  --minify --log-level=error --outfile=.venv/vscode/extension.js
	$(BIN)/python editors/vscode/pack.py .venv/vscode/extension.js dist/rulespec.vsix

bench: .venv/ready-to-measure
	$(BIN)/python benchmarks/language.py
	$(BIN)/python benchmarks/reference.py
	$(BIN)/python benchmarks/engine.py
	-$(BIN)/python benchmarks/spiel.py
	$(BIN)/python benchmarks/editors.py

# `make soak TIMES=20` tries twenty times as much.
soak: .venv/ready-to-work
	SOAK_TIMES=$(or $(TIMES),1) $(BIN)/python -m pytest --quiet $(CREW)
	SOAK_TIMES=$(or $(TIMES),1) $(BIN)/python -m pytest -m soak --numprocesses=auto --quiet --durations=8

# Write anew what is made from other files and kept; then read the difference.
accept: .venv/ready-to-work
	$(BIN)/python -c "from rulespec.syntax import parse_tables; parse_tables.store_tables()"
	$(BIN)/rulespec fmt --write $(RULES)
	$(BIN)/python editors/vscode/pack.py --grammar
	$(BIN)/python editors/tree-sitter/write.py
	$(BIN)/python -m rulespec.docgen
	$(BIN)/python docs/playground/messages.py
	ACCEPT=1 $(BIN)/python -m pytest --quiet tests/test_command_line.py tests/test_rejected.py tests/test_playthroughs.py tests/test_table_screens.py tests/test_docs.py tests/test_engine_page.py tests/test_core.py tests/test_story.py tests/test_results.py -k "pages_say or are_written or was_written or were_written or as_it_is_kept"

clean:
	rm -rf .venv site docs/games dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

.venv/ready-to-play: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/ready-to-work: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,docs]"
	touch .venv/ready-to-play $@

# Sets up as the machine does that publishes the site: with what the lock names, each file by its hash, and
# nothing else.
locked:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
	  --requirement .ci/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-index --no-build-isolation --editable .
	touch .venv/ready-to-play .venv/ready-to-work

# Renews the lock; then read the difference. On Linux with Python 3.11.
lock: .venv/ready-to-work
	$(BIN)/python .ci/lock.py

# The libraries of others are measured where they install, and left out where they do not.
.venv/ready-to-measure: .venv/ready-to-work
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	touch $@

.venv/ready-to-bundle: editors/vscode/package-lock.json
	mkdir -p .venv/vscode
	cp editors/vscode/package.json editors/vscode/package-lock.json .venv/vscode/
	npm ci --prefix .venv/vscode --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

# What the playground is made of. It stays out of docs/, which many programs walk through.
.venv/ready-to-publish: .venv/ready-to-work docs/playground/package-lock.json .ci/requirements.txt
	mkdir -p .venv/playground/wheels
	rm -f .venv/playground/wheels/*
	awk '/^(attrs|lark)==/ {on = 1} on {print} !/\\$$/ {on = 0}' .ci/requirements.txt >.venv/playground/requirements.txt
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --require-hashes \
	  --wheel-dir .venv/playground/wheels --requirement .venv/playground/requirements.txt
	cp docs/playground/package.json docs/playground/package-lock.json .venv/playground/
	npm ci --prefix .venv/playground --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@
