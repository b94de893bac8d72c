# Needs python3 (3.11 or later), git and make. Another Python: make setup PYTHON=python3.13

PYTHON ?= python3
BIN := .venv/bin
# pytest's workers: as many as the smallest machine we test on has cores
WORKERS ?= 2
# a worker with nothing left takes over tests of another one, so that slow ones at the end leave no core idle
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# what the bounds-checked and the un-jitted pass run: tests of the engine and its doctests
ENGINE := -m "not slow_unjitted and not no_kernel" \
    $(wildcard tests/conformance tests/games tests/test_simulat*.py tests/test_replay*.py) \
    designlab/games designlab/replays.py designlab/simulation

NEED_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
    echo "setup: designlab needs Python 3.11 or later; $(PYTHON) is" \
    "$$(command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo missing)." \
    "With another one: make setup PYTHON=python3.13" >&2; exit 1; }

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup install lab test lint bench cover ci test-bounds test-unjitted constraints clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make .venv hold what constraints.txt says, and check that designlab runs there
	@$(NEED_PYTHON)
	@$(PYTHON) tools/setup_venv.py

install: ## the same without that check
	@$(NEED_PYTHON)
	@$(PYTHON) tools/setup_venv.py --no-check

lab: setup ## open JupyterLab on the tour (make lab ARGS="--no-browser --port 9000")
	@$(BIN)/python -m designlab lab notebooks $(ARGS)

test: setup lint ## check the code and run the tests
	$(PYTEST)

lint: install ## style, types and import contracts only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test-bounds: setup ## the engine's quick tests with every array index checked
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m designlab.selfcheck # compiles once, not once a worker
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(ENGINE)

test-unjitted: setup ## the engine's tests in plain Python, but for the slowest
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(ENGINE)

ci: test test-bounds test-unjitted ## what .ci/run runs

bench: setup ## measure speed
	$(BIN)/python -m pytest --benchmark-enable --benchmark-group-by=group tests/benchmarks

cover: setup ## which lines the tests reach, un-jitted so that kernels count
	$(BIN)/coverage erase
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal -m "not slow_unjitted"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

constraints: ## write constraints.txt from the packages now in .venv
	$(BIN)/python tools/lock.py

clean: ## remove what tests and builds leave; keeps .venv
	rm -rf build dist htmlcov .coverage* .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find designlab tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
