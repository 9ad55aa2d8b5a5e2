# make         set up and run the workflow (the default campaign): results/report.html
# make test    set up and run the tests and checks
# make CONFIG=my.yaml    the same workflow on your own configuration
PYTHON ?= python3
CONFIG ?= config/config.yaml
CORES ?= all
TARGET ?= all
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

run: .venv/ready
	snakemake --cores $(CORES) --configfile $(CONFIG) -- $(TARGET)
	@echo "Tables, figures and findings: results/report.html"

# Everything stands in the lock file, and nothing outside .venv is touched.
.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "focuseval needs Python 3.11 or newer; call make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	pip install --quiet --disable-pip-version-check uv
	uv pip install --quiet --requirement requirements.lock --editable .
	touch $@

test: .venv/ready
	ruff check .
	ruff format --check .
	mypy
	snakefmt --check Snakefile workflow
	snakemake --lint
	pytest -n auto

# After a change of the dependencies in pyproject.toml (and environment.yml)
lock: .venv/ready
	uv pip compile --quiet --universal --no-emit-index-url --no-annotate --no-header \
	  --group dev pyproject.toml --output-file requirements.lock

clean:
	rm -rf .venv .snakemake results/*

.PHONY: run test lock clean
