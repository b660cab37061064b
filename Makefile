# Everything from a bare machine: Python 3.11 or newer and make. Each target does its own set-up,
# once; the second run starts at once. Another Python: make demo PYTHON=python3.12

PYTHON ?= python3
WORKERS ?= 2

BIN := .venv/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
DOCS := docs/_build/html
PAGE := src/rocksteady/studio/page/index.html

# make test-numba-oldest TESTS=tests/backends runs some of the tests. Code compiled by one Numba is
# of no use to another: each has a cache of its own.
TESTS ?=
WITH_NUMBA = NUMBA_CACHE_DIR=$(CURDIR)/$(<D)/cache $(<D)/bin/python -m pytest -n $(WORKERS) \
    -m "not slow" $(TESTS)

# One thing after another, also under `make -j`: all targets share one environment.
.NOTPARALLEL:
.SUFFIXES:
unexport VIRTUAL_ENV PYTHONHOME PIP_USER
# Tests start many processes: without bytecode each would translate our modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo studio page test test-slow test-numba-oldest test-numba-newest lint docs lock bench bench-first-use bench-spatial bench-assemblies bench-studio bench-peers pins clean distclean

help:  ## list these targets
	@echo "rocksteady: rocking and overturning in earthquakes"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' Makefile
	@echo
	@echo "Each one sets itself up in .venv the first time."

demo: .venv/.ready-runtime  ## shake a statue: table, figure, film and data in ./demo
	@$(BIN)/rocksteady demo --out demo

studio: .venv/.ready-studio page  ## open Rocksteady Studio, a page on this machine
	@$(BIN)/rocksteady studio

page:  ## build the studio's page from web/ (needs npm)
	@if command -v npm >/dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 20 ? 1 : 0)'; \
	then $(MAKE) --no-print-directory $(PAGE); \
	else echo "The studio's page is not built, which needs npm and Node.js 20 or newer." \
	    "The studio's API works without it." >&2; fi

test: .venv/.ready-test page  ## run the tests (ten minutes or more the first time)
	@$(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

test-slow: .venv/.ready-test  ## run the tests that take long
	@$(BIN)/python -m pytest -n $(WORKERS) -m slow

test-numba-oldest: .venv-numba-oldest/.ready  ## run them with the oldest Numba allowed
	@$(WITH_NUMBA)

test-numba-newest: .venv-numba-newest/.ready  ## run them with the newest Numba allowed
	@$(WITH_NUMBA)

lint: .venv/.ready-lint  ## check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@! command -v npm >/dev/null || { \
	    $(MAKE) --no-print-directory web/node_modules/.ready && cd web && npm run --silent check; }

docs: .venv/.ready-docs  ## build the documentation
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs $(DOCS)
	@echo "Open $(DOCS)/index.html"

lock: .venv/.ready-test  ## write the exact versions of this environment into requirements-tested.txt
	@{ grep '^#' requirements-tested.txt; $(BIN)/python -m pip freeze --exclude-editable | LC_ALL=C sort -f; } \
	    > requirements-tested.tmp && mv requirements-tested.tmp requirements-tested.txt

pins: .venv/.ready-test  ## write anew what users have: bits of results, help, JSON, names, files
	@OPENBLAS_NUM_THREADS=1 PYTHONPATH=tests $(BIN)/python -m pins

bench: .venv/.ready-test  ## measure the speed
	@$(BIN)/python -m pytest --benchmark-only benchmarks

bench-first-use: .venv/.ready-test  ## measure how long each theory compiles, once
	@$(BIN)/python -m benchmarks.bench_first_use

bench-spatial: .venv/.ready-test  ## measure a body in space: error, sensitivity, speed
	@$(BIN)/python benchmarks/bench_spatial.py

bench-assemblies: .venv/.ready-test  ## measure columns, frames, walls and collapse loads
	@$(BIN)/python benchmarks/bench_assemblies.py

bench-studio: .venv/.ready-test  ## measure the studio: 50 people at once, and its memory
	@$(BIN)/python benchmarks/bench_studio.py
	@$(BIN)/python benchmarks/bench_studio.py --requests 10000

bench-peers: .venv-peers/.ready  ## compare with other programs (they go into .venv-peers)
	@.venv-peers/bin/python -m benchmarks.peers --docs

clean:  ## remove results, built pages and caches
	@rm -rf demo docs/_build docs/generated build dist .benchmarks .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find . -path './.venv*' -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## remove .venv as well
	@rm -rf web/node_modules src/rocksteady/studio/page .venv .venv-peers .venv-numba-oldest .venv-numba-newest

# -- set-up: a stamp in .venv for each set of packages, older than pyproject.toml: install again --

.venv/.ready-runtime: pyproject.toml | .venv/.ready
	@echo "Installing rocksteady into .venv (once, about a minute) ..."
	@$(PIP) --editable ".[films,tables]"
	@touch $@

.venv/.ready-test .venv/.ready-lint .venv/.ready-docs .venv/.ready-studio: .venv/.ready-%: pyproject.toml | .venv/.ready
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

$(PAGE): web/node_modules/.ready $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null)
	@echo "Building the studio's page (some seconds) ..."
	@cd web && npm run --silent build
	@touch $@

web/node_modules/.ready: web/package-lock.json
	@echo "Installing what the page is built with into web/node_modules (once) ..."
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

# "numba>=0.60,<0.69" in pyproject.toml: 0.60 with its fixes, and the newest below 0.69.
.venv-numba-oldest/.ready: NUMBA = numba~=$(shell sed -n 's/.*"numba>=\([0-9.]*\),.*/\1/p' pyproject.toml).0
.venv-numba-newest/.ready: NUMBA = numba
.venv-numba-oldest/.ready .venv-numba-newest/.ready: pyproject.toml
	@echo "Installing rocksteady with the $(subst .venv-numba-,,$(@D)) Numba into $(@D) (once, about a minute) ..."
	@"$(PYTHON)" -m venv $(@D)
	@$(@D)/bin/python -m pip install -qq --disable-pip-version-check --upgrade "$(NUMBA)" \
	    --editable ".[test]" || { \
	    echo "Is there a Numba of that age for '$(PYTHON)'? The oldest one is for Python 3.11 and 3.12:" \
	         "make test-numba-oldest PYTHON=python3.11"; exit 1; } >&2
	@$(@D)/bin/python -c 'import numba; print("Numba", numba.__version__)'
	@touch $@

.venv-peers/.ready: pyproject.toml
	@echo "Installing the other programs into .venv-peers (once, a few minutes, 3 GB) ..."
	@"$(PYTHON)" -m venv .venv-peers
	@.venv-peers/bin/python -m pip install -qq --disable-pip-version-check --editable .
	@for peer in mujoco pymunk pybullet openseespy drake compas_lmgc90 Box2D; do \
	    .venv-peers/bin/python -m pip install -qq --disable-pip-version-check $$peer \
	        || echo "$$peer cannot be installed here: it is left out."; done
	@touch $@
