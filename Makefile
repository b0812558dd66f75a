# make book    a fresh clone to a built site, _build/html/index.html
# make test    a fresh clone to a passed test run
# make coursework    what teachers hand out and grade with
# All set themselves up: a virtual environment in .venv, pinned requirements, nothing global. Python 3.11 or later is all they need.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: book test serve pdf zip store check coursework colab newest clean

book: $(READY)
	.venv/bin/jupyter-book build . -n -W --keep-going

test: book
	$(BIN)/python -m pytest

serve: book
	$(BIN)/python -m http.server --directory _build/html 8000

# The whole book as one PDF (needs Chromium), and the site as one file for classrooms without a network.
pdf: book
	$(BIN)/python tools/make_pdf.py

zip: book
	cd _build && ../.venv/bin/python -m zipfile -c tokvec-site.zip html
	@ls -l _build/tokvec-site.zip

# Run chapters and store their outputs: make store, or make store CHAPTERS=notebooks/03_bigram.py
store: $(READY)
	$(BIN)/python tools/store.py $(CHAPTERS)

check: $(READY)
	$(BIN)/python -m ruff check .
	$(BIN)/python tools/check_pairs.py

# Student notebooks, autograder zips and solutions from the masters, all graded: _build/coursework (COURSEWORK=03_bigram for one)
coursework: $(READY)
	$(BIN)/python tools/coursework.py $(COURSEWORK)

# Chapters 2, 3 and 7 and one notebook with exercises, as Colab would open them. Downloads 500 MB; commit first, it clones.
colab: $(READY)
	$(BIN)/python tools/colab.py

# The unit tests of lib/ under the newest versions that pyproject.toml allows, in a fresh .venv-newest. The stored notebooks
# and the site belong to the pins, so what tests them stays out.
NEWEST := .venv-newest/bin
newest:
	$(PYTHON) -m venv --clear .venv-newest
	$(NEWEST)/python -m pip install --quiet --disable-pip-version-check --editable ".[chapters,coursework,test]"
	$(NEWEST)/python tools/compare_pins.py
	$(NEWEST)/python -m pytest tests $(addprefix --ignore=tests/, browser test_nbval_setup.py test_page.py test_pairs.py \
		test_prose.py test_set_repository.py test_store.py)

clean:
	rm -rf _build build dist lib/tokvec.egg-info .pytest_cache .hypothesis

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'error: $(PYTHON) is Python ' + sys.version.split()[0] + ', and 3.11 or later is needed. Name another one: make PYTHON=python3.12 $(firstword $(MAKECMDGOALS))')"
	@echo "Setting up .venv: once, 3 GB, some minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)
