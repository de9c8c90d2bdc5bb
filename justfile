# The gate and its parts. `just` lists them.

default:
    @just --list

# Without it, as in some containers, each of a thousand processes would compile the modules that it loads: with bytecode
# the commands of the tests take a third less time.
export PYTHONDONTWRITEBYTECODE := ""

# Folders of tests, about half of them by time. `others` has the other half. More parts would load the same modules and
# kernels more often.
searches := "tests/engines tests/methods tests/model tests/catalog tests/ask tests/fuzz"

# Two parts at a time, the longest first, so that no core waits. Workers of pytest-xdist collect everything in each process
# and send every result to another one.

# The gate: what must be green before a change lands
check: lint layers
    printf '%s\n' others searches bounds uncompiled types types-windows | xargs -n 1 -P 2 just told

# A recipe, whose output comes as a whole when it has ended
told recipe:
    @text=$(just {{recipe}} 2>&1) && code=0 || code=$?; printf '%s\n' "just {{recipe}}: exit code $code" "$text"; exit $code

lint:
    ruff check
    ruff format --check
    python -m tests.plain_words

types:
    python -m tests.types_checked

# The types of the modules for which the platform matters, as on Windows
types-windows:
    python -m tests.types_checked --platform win32 --cache-dir .mypy_cache/win32 --follow-imports silent $(python -m tests.on_windows)

layers:
    lint-imports

# With bounds checks LLVM optimizes less, which takes a third less time and checks the same. At level 0 Numba refuses to
# keep some kernels. Two processes would compile the same kernels.

# Kernels with bounds checks
bounds:
    NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 pytest -q -m kernel

# Kernels without the compiler
uncompiled:
    NUMBA_DISABLE_JIT=1 pytest -q -m kernel

# Unit tests and properties, a part of them
searches:
    pytest -q {{searches}}

others:
    pytest -q {{prepend("--ignore=", searches)}}

# worksteal gives each worker tests that follow each other, which share kernels and fixtures.

# All unit tests and properties
test:
    pytest -n 2 --dist worksteal

# The second stage: pages, notebooks, code blocks, example files, the wheel, types of user programs, slow checks
second:
    pytest -n 2 --dist worksteal -m "second and not long"

# The loop for work in hand, in a minute: lint, types, and the tests that need no compiler
quick:
    ruff check
    python -m tests.plain_words
    python -m tests.types_checked
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
