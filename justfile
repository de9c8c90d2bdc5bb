# The gate and its parts. `just` lists them.

default:
    @just --list

# The gate: what must be green before a change lands
check: lint layers kernels test

lint:
    ruff check
    ruff format --check
    python -m tests.plain_words

types:
    mypy --platform win32 --cache-dir .mypy_cache/win32 & mypy && wait $!

layers:
    lint-imports

# Side by side, half of the work each. A process each for both runs of the kernels: two workers would compile the same
# kernels and collect everything twice. With bounds checks LLVM optimizes less, which takes a third less time and checks
# the same. At level 0 Numba refuses to keep some kernels.

# Kernels without the compiler, then types; beside that kernels with bounds checks
kernels:
    NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 pytest -q -m kernel & NUMBA_DISABLE_JIT=1 pytest -q -m kernel && just types && wait $!

# worksteal gives each worker tests that follow each other, which share kernels and fixtures.

# Unit tests and properties
test:
    pytest -n 2 --dist worksteal

# The second stage: pages, notebooks, code blocks, example files, the wheel, types of user programs, slow checks
second:
    pytest -n 2 --dist worksteal -m "second and not long"

# The loop for work in hand, in a minute: lint, types, and the tests that need no compiler
quick:
    ruff check
    python -m tests.plain_words
    mypy
    NUMBA_DISABLE_JIT=1 pytest -q -n 2 tests/model tests/test_export.py tests/test_by_definition.py tests/test_xcc.py tests/test_verify.py tests/engines/test_queens_bitmap.py

# Minutes: large published counts
long:
    pytest -m long

# A wheel with compiled kernels, built, installed and asked: minutes
wheel:
    pytest -m wheel

# What a release uploads, in dist/: the source distribution, the wheel that is built from it, and both checked
dist:
    rm -rf dist
    python -m build
    twine check --strict dist/*

# The gallery and the design page in Debian's Chromium, and axe-core on its views
browser:
    npm ci --silent --prefix tests/gallery
    pytest -m browser

# The scripts that pages load when they need them, from web/ into the package; commit what it writes
web:
    npm ci --silent --prefix web
    npm run --silent build --prefix web

# Instructions of every kernel against the saved baseline; needs valgrind
instructions:
    python benchmarks/instructions

# The documentation as pages, in build/docs
docs:
    python -m sphinx -W -b html docs build/docs

format:
    ruff check --fix
    ruff format

# Random models asked in random ways, from a random seed, until the minutes are over
fuzz minutes="10":
    python -m tests.fuzz {{minutes}} --shrink

# Runs killed, files changed and readers fed nonsense, from a random seed, until the minutes are over
torture minutes="10" *options:
    python -m tests.torture {{minutes}} {{options}}

# Faults planted into a copy of the sources, one after the other: which do the tests find? Takes an hour; goes on where it ended
planted *options="--go-on":
    python -m tests.planted {{options}}
