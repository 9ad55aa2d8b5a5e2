# make          set up and run the workflow (the default campaigns): results/report.html
# make plan     show the jobs that would run, and why
# make test     set up and run the tests and checks
# make recover  continue after Snakemake was killed or the machine went down
# make adopt    accept copied results, which lack Snakemake's records, as results of this configuration
# make verify   compare all results with the checksums of their creation, and the tables of the default with the
#               checksums in the repository (config/config.sha256)
# make slurm    run the workflow on a cluster (docs/cluster.md)
# make site     build the documentation: results/site/index.html
# make figures  run the workflow, and show every figure of the report at the width of a paper's column:
#               results/figures.html
# make benchmarks  measure speed and memory: benchmarks/README.md (ARCHIVE=FILE: a collection of XML to parse)
# make clean    remove the environment and all results
# make help     show this list
#
# CONFIG=FILE   your own configuration (docs/own-campaign.md)
# TARGET=NAME   report (everything, the default), papers, comparisons, sweeps, audits, or the report of one paper:
#               goevert2006, kazai2005, kamps2007, piwowarski2006, ali2008, smith2024, genomics2007, recski2026,
#               mediaeval2014, mtrag2025, swebench2025, clscisumm2020, bioasq2024
# CORES=N       the number of cores (default: all)
PYTHON ?= python3
CONFIG ?= config/config.yaml
CORES ?= all
TARGET ?= report
BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Without this, uv installs into the active environment.
export VIRTUAL_ENV := $(CURDIR)/.venv
# If Python may not write bytecode, every job compiles the library again.
export PYTHONDONTWRITEBYTECODE :=

# Some shells do not expand ~. In an environment variable, blanks do not split the path.
export CONFIGURATION := $(CONFIG:~/%=$(HOME)/%)
# Ctrl-C ends Python without a traceback before the workflow handles the signal.
QUIETLY = import sys; from signal import SIGINT, SIG_DFL, signal; signal(SIGINT, SIG_DFL)
SNAKEMAKE = python -c '$(QUIETLY); from snakemake.cli import main; main()' --cores $(CORES) --configfile "$$CONFIGURATION"
LOCKED = Another Snakemake works on these results, or one was killed. If none is running, call make recover

TABLES := $(CONFIGURATION:.yaml=.sha256)

# The report of one paper comes from a configuration with only this paper.
STAGES := report papers comparisons sweeps audits
WANTED = $(if $(or $(filter $(STAGES),$(TARGET)),$(findstring /,$(TARGET))),-- $(TARGET),--config 'papers=["$(TARGET)"]' -- report)

run: configuration
	@$(SNAKEMAKE) $(WANTED) || { ls .snakemake/locks 2>/dev/null | grep -q . && echo "$(LOCKED)"; exit 1; }

plan: configuration
	@$(SNAKEMAKE) --dry-run $(WANTED)

adopt: configuration
	@$(SNAKEMAKE) --touch $(WANTED)

# A list of checksums is next to its folder. sha256sum refuses the empty list of an empty folder. Some tables may be
# missing, because another configuration or TARGET made the results.
verify:
	@find results -name '*.sha256' -size +0 | sort | while read -r list; do \
	  (cd "$$(dirname "$$list")" && sha256sum --check --quiet "$$(basename "$$list")") || touch .differs; done; \
	  if [ -e .differs ]; then rm .differs; \
	    echo "Files have changed since they were made. To make them again, delete their .sha256 list and call make"; exit 1; fi
	@if [ -e "$(TABLES)" ] && cut -c 67- "$(TABLES)" | xargs ls 2>/dev/null | grep -q .; then \
	  sha256sum --check --quiet --ignore-missing "$(TABLES)" || { echo "Tables have other checksums than in $(TABLES)"; exit 1; }; fi

# Write the checksums of a configuration's LaTeX tables after an intended change.
tables: run
	find results -name '*.tex' | LC_ALL=C sort | xargs sha256sum > $(TABLES)

benchmarks: .venv/ready
	@for name in start peers $(if $(ARCHIVE),parse_collection) scoring eprum locate view; do \
	  python benchmarks/$$name.py $$([ $$name != parse_collection ] || echo "$(ARCHIVE)") || exit 1; done
	@python benchmarks/write.py

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

# For a missing or malformed file, Snakemake prints a traceback, or a message without the name of the file.
configuration: .venv/ready
	@python -c '$(QUIETLY); from focuseval_papers.workflow.yaml_files import unusable; sys.exit(unusable(sys.argv[1:]))' "$$CONFIGURATION"

# This removes the lock of any other Snakemake, so none may work on these results.
recover: configuration
	@$(SNAKEMAKE) --unlock
	@$(SNAKEMAKE) $(WANTED)

# The lock file does not contain the executor: if Slurm's programs exist but no cluster, every call waits for a cluster.
slurm-executor: .venv/ready
	uv pip install --quiet --constraint requirements.lock --editable '.[slurm]'

# Without Slurm's programs, Snakemake would wait forever and ignore signals.
SLURM = sbatch squeue scancel
PROFILE = profiles/slurm

slurm-programs:
	@for program in $(SLURM); do command -v $$program >/dev/null || { \
	  echo "The program $$program is missing: call make slurm on a login node of a Slurm cluster, elsewhere make"; \
	  exit 1; }; done

slurm: slurm-programs configuration slurm-executor
	@$(SNAKEMAKE) --profile $(PROFILE) $(ARGUMENTS) $(WANTED)

# The lock file lists all packages, and nothing outside .venv changes.
.venv/ready: requirements.lock pyproject.toml
	"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11) and "focuseval needs Python 3.11 or newer; call make PYTHON=python3.11")'
	"$(PYTHON)" -m venv .venv
	pip install --quiet --disable-pip-version-check uv
	uv pip install --quiet --requirement requirements.lock --editable '.[workflow,plots,chunking,code]'
	touch $@

# Types are checked in parallel. tests/conftest.py orders the test files; the slowest files begin.
test: .venv/ready
	@$(MAKE) --no-print-directory --jobs=2 types style
	pytest -n auto --dist loadfile --no-loadscope-reorder

types:
	mypy

style:
	ruff check .
	ruff format --check .
	lint-imports
	snakefmt --check Snakefile workflow
	snakemake --lint

# Run this after a change of dependencies in pyproject.toml and environment.yml. All versions of Python get the same
# packages, because results are identical only with the same numpy and scipy.
lock: .venv/ready
	uv pip compile --quiet --universal --fork-strategy fewest --no-emit-index-url --no-annotate --no-header \
	  --extra workflow --extra plots --extra chunking --extra code --group dev pyproject.toml --output-file requirements.lock

# Write the pages and schemas that follow from declarations: measures, transformations, numbered items of papers,
# properties of synthetic campaigns, and models of the configuration.
docs: .venv/ready
	python docs/write.py
	snakemake --rulegraph 2>/dev/null | python docs/rulegraph.py

# The documentation, with the report of the example in its gallery: results/site/index.html
site: .venv/ready
	rm -rf results/site-example && mkdir -p results/site-example
	cd results/site-example && focuseval init garden
	snakemake --quiet all --snakefile workflow/Snakefile --directory results/site-example --cores $(CORES) \
	  --configfile results/site-example/garden/focuseval.yaml
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict --quiet

# All figures of the report at 8.5 cm, the width of a paper's column, to check that they are readable.
figures: run
	@[ -e results/report.html ] || { echo "There are no figures, because there is no report: call make figures without TARGET"; exit 1; }
	@cd results && { echo '<!doctype html><meta charset="utf-8"><title>Figures</title>'; \
	  echo '<style>body { columns: 8.5cm; font: 8pt sans-serif } img { width: 8.5cm } figure { margin: 0 0 1em; break-inside: avoid }</style>'; \
	  grep -o 'href="[^"]*\.svg"' report.html | cut -d '"' -f 2 | sort -u | sed 's|.*|<figure><img src="&" alt=""><figcaption>&</figcaption></figure>|'; } > figures.html
	@echo "All figures: results/figures.html"

clean:
	rm -rf .venv .snakemake
	find results -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +

.PHONY: configuration run plan adopt verify tables help recover slurm slurm-executor slurm-programs test types style lock docs site figures benchmarks clean
