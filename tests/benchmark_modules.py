"""Modules of the benchmarks, which are scripts and no package."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from tests.pages import ROOT


def benchmark_module(path: str) -> ModuleType:
    """The module in a file below `benchmarks/`. It must not import its neighbours."""
    name = "benchmarks." + path.removesuffix(".py").replace("/", ".")
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
