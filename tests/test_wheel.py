"""The wheel has every file of the package and nothing else, works from where it is unpacked, and comes out of the sdist alike."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatchling import build

import rekkyo

pytestmark = pytest.mark.second

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
WITHOUT_THE_SOURCE_TREE = """
import sys
sys.path.insert(0, sys.argv[1])
sys.meta_path = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__name__", "")]
from rekkyo.cli.start import start
import rekkyo
assert rekkyo.__file__.startswith(sys.argv[1]), rekkyo.__file__
sys.argv[:] = ["rekkyo", *sys.argv[2:]]
start()
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)  # a build backend is called in the project's folder
        return folder / build.build_wheel(str(folder))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return folder / build.build_sdist(str(folder))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    options = ["--quiet", "--no-index", "--no-deps", "--no-compile", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_has_the_files_of_the_package_and_nothing_else(wheel: Path) -> None:
    expected = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = f"rekkyo-{rekkyo.__version__}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert {name for name in names if not name.startswith(about)} == expected
        assert {name.removeprefix(about) for name in names if name.startswith(about)} == {
            "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE",
        }  # fmt: skip
        assert archive.read(f"{about}entry_points.txt").decode().split("\n")[1:3] == [
            "fzn-rekkyo = rekkyo_programs:fzn_rekkyo",
            "rekkyo = rekkyo_programs:rekkyo",
        ]


def test_the_sdist_makes_the_same_wheel(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    program = "import sys; from hatchling import build; print(build.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, cwd=unpacked
    )
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / done.stdout.split()[-1]) == contents(wheel)


def test_the_sdist_has_the_files_of_the_repository_and_nothing_else(sdist: Path) -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == {"PKG-INFO", *listed.splitlines()}


def test_what_a_release_uploads_is_small(sdist: Path, wheel: Path) -> None:
    assert wheel.stat().st_size < 3 << 20
    assert sdist.stat().st_size < 6 << 20


@pytest.mark.parametrize("wanted", ["x86-64-v9", "yes", ","])
def test_a_level_that_does_not_exist_is_refused(
    wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("REKKYO_BUILD_KERNELS", wanted)
    with pytest.raises(SystemExit, match=f"REKKYO_BUILD_KERNELS must be 1 or some of .*, not {wanted}"):
        build.build_wheel(str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_the_package_has_only_kinds_of_files_that_belong_to_it() -> None:
    """So that a cache or an editor's copy in the source tree is seen, which the wheel would take along."""
    kinds = {path.suffix for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert kinds == {
        ".py", ".tsv", ".json", ".toml", ".js", ".css", ".html", ".svg", ".pyi", ".typed", ".mzn", ".txt",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("list", "queens"),
        ("info queens 8", "A000170"),
        ("new packing", "board"),
        ("new schema", "json-schema.org"),
        ("count queens 6", "total 4, unique 1 up to rotation and reflection"),
        ("draw queens 5", "<svg"),
        ("draw queens 5 --animate", "<script"),
    ],
)
def test_the_installed_wheel_works(installed: Path, command: str, printed: str, tmp_path: Path) -> None:
    """Catalog data, templates, kernels and drawings are found beside the code."""
    assert printed in run_installed(installed, command, tmp_path)


def test_the_installed_wheel_has_the_page_of_the_gallery(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "solid.toml").write_text(
        'kind = "packing"\nlattice = "cube"\nboard = "##\\n##"\npieces = "AA"\n[times]\nA = 2\n'
    )
    run_installed(installed, "gallery solid.toml --static site", tmp_path)
    assets = {path.name for path in (SOURCE / "rekkyo" / "gallery" / "assets").iterdir() if path.is_file()}
    there = {path.name for path in (tmp_path / "site").rglob("*")}
    assert {name for name in assets if not name.endswith(".js")} | {"gallery.js", "solid.js"} <= there


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def run_installed(installed: Path, command: str, folder: Path) -> str:
    """Uncompiled: what an installed package compiles cannot come from the cache of this one."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "REKKYO_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT_THE_SOURCE_TREE, str(installed), *command.split()],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
