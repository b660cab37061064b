# Everything from a bare machine: Python 3.11 or newer and make. Each target does its own set-up,
# once; the second run starts at once. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
WORKERS ?= 2

BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
DOCS := docs/_build/html

# One thing after another, also under `make -j`: all targets share one environment.
.NOTPARALLEL:
.SUFFIXES:
unexport VIRTUAL_ENV PYTHONHOME PIP_USER

.PHONY: help demo test test-slow lint docs bench bench-peers clean distclean

help:  ## list these targets
	@echo "rocksteady: rocking and overturning in earthquakes"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "Each one sets itself up in .venv the first time."

demo: .venv/.ready-runtime  ## shake a statue: table, figure, film and data in ./demo
	@$(BIN)/rocksteady demo --out demo

test: .venv/.ready-test  ## run the tests (a few minutes the first time)
	@$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

test-slow: .venv/.ready-test  ## run the tests that take long
	@$(BIN)/python -m pytest -n $(WORKERS) -m slow

lint: .venv/.ready-lint  ## check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

docs: .venv/.ready-docs  ## build the documentation
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs $(DOCS)
	@echo "Open $(DOCS)/index.html"

bench: .venv/.ready-test  ## measure the speed
	@$(BIN)/python -m pytest --benchmark-only benchmarks

bench-peers: .venv-peers/.ready  ## compare with other programs (they go into .venv-peers)
	@.venv-peers/bin/python -m benchmarks.peers --docs

clean:  ## remove results, built pages and caches
	@rm -rf demo docs/_build docs/generated build dist .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path './.venv*' -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## remove .venv as well
	@rm -rf .venv .venv-peers

# -- set-up: a stamp in .venv for each set of packages, older than pyproject.toml: install again --

.venv/.ready-runtime: pyproject.toml | .venv/.ready
	@echo "Installing rocksteady into .venv (once, about a minute) ..."
	@$(PIP) --editable .
	@touch $@

.venv/.ready-test .venv/.ready-lint .venv/.ready-docs: .venv/.ready-%: pyproject.toml | .venv/.ready
	@echo "Installing rocksteady and what 'make $*' needs into .venv (once, about a minute) ..."
	@$(PIP) --editable ".[$*]"
	@touch .venv/.ready-runtime $@

.venv/.ready:
	@command -v "$(PYTHON)" >/dev/null || { \
	    echo "There is no '$(PYTHON)' here. Install Python 3.11 or newer, or name the one you" \
	         "have: make PYTHON=python3.12"; exit 1; } >&2
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "rocksteady needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1)." \
	         "If a newer one is installed, name it: make PYTHON=python3.12"; exit 1; } >&2
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || { \
	    echo "'$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu that is a package" \
	         "of its own: sudo apt install python3-venv"; exit 1; } >&2
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "The .venv here belongs to an older Python: remove it with 'make distclean'."; \
	    exit 1; } >&2
	@touch $@

.venv-peers/.ready: pyproject.toml
	@echo "Installing the other programs into .venv-peers (once, a few minutes, 2 GB) ..."
	@"$(PYTHON)" -m venv .venv-peers
	@.venv-peers/bin/python -m pip install -qq --disable-pip-version-check --editable .
	@for peer in mujoco pymunk pybullet openseespy drake; do \
	    .venv-peers/bin/python -m pip install -qq --disable-pip-version-check $$peer \
	        || echo "$$peer cannot be installed here: it is left out."; done
	@touch $@
