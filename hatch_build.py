"""Puts compiled kernels into the wheel when it is asked to: REKKYO_BUILD_KERNELS=1 in the environment.

Then the wheel is for this version of Python and this platform. For every level of this machine
(`rekkyo.kernel_levels`) `rekkyo warm` fills an empty folder, with the Numba of this environment; the wheel
holds these folders in `rekkyo/kernels`. Without the variable the wheel is for every
platform, and nothing is compiled. REKKYO_BUILD_KERNELS may also name levels, with commas between them.

Left out on purpose: code for levels that this processor lacks, as the searches that compile it are executed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "REKKYO_BUILD_KERNELS"
SETTINGS = ("NUMBA_", "REKKYO_")
"""How names of variables begin that change what is compiled, or where it is kept."""

LEVELS_HERE = """
import json, platform
from rekkyo.kernel_levels import features_here, levels_of
here = features_here()
print(json.dumps([[level.name, level.cpu, level.features, sorted(level.needs - here)]
                  for level in levels_of(platform.machine())]))
"""


class KernelsHook(BuildHookInterface[Any]):
    """Hatchling calls `initialize` before it makes a wheel, and `finalize` after it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel take the files along. version: "editable" for a link to the sources."""
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        wanted = os.environ.get(VARIABLE, "")
        if wanted in ("", "0") or version == "editable":
            return
        if find_spec("numba") is None:
            raise SystemExit(f"{VARIABLE} needs Numba where the wheel is built: use --no-build-isolation")
        levels = self._levels(wanted)
        self._folder = tempfile.TemporaryDirectory(prefix="rekkyo-kernels-")
        for name, cpu, features in levels:
            self.app.display_info(f"compiling kernels for {name}")
            there = Path(self._folder.name, name)
            there.mkdir()
            settings = {
                "NUMBA_CPU_NAME": cpu,
                "NUMBA_CPU_FEATURES": features,
                "NUMBA_DISABLE_INTEL_SVML": "1",  # a library that not everybody has
                "REKKYO_CACHE_DIR": str(there),
            }
            self._python("-m", "rekkyo", "warm", **settings)
        build_data["force_include"][self._folder.name] = "rekkyo/kernels"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete what the wheel now has."""
        if self._folder is not None:
            self._folder.cleanup()

    def _levels(self, wanted: str) -> list[tuple[str, str, str]]:
        """Name, processor and features of the levels to compile for."""
        told = self._python("-c", LEVELS_HERE, stdout=True)
        levels = {name: (cpu, features, missing) for name, cpu, features, missing in json.loads(told)}
        names = list(levels) if wanted == "1" else wanted.split(",")
        if not names or set(names) - set(levels):
            raise SystemExit(f"{VARIABLE} must be 1 or some of {', '.join(levels) or 'none'}, not {wanted}")
        missing = {name: levels[name][2] for name in names if levels[name][2]}
        if missing:
            lacks = "; ".join(f"{name} needs {', '.join(features)}" for name, features in missing.items())
            able = ",".join(name for name in names if name not in missing)
            raise SystemExit(f"this processor cannot execute every level: {lacks}; set {VARIABLE}={able}")
        return [(name, *levels[name][:2]) for name in names]

    def _python(self, *arguments: str, stdout: bool = False, **settings: str) -> str:
        """Run this Python on the sources of this folder, without settings that change what is compiled."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
        kept["PYTHONPATH"] = os.pathsep.join([str(Path(self.root, "src")), *sys.path])
        command = [sys.executable, "-P", *arguments]
        done = subprocess.run(
            command,
            env=kept | settings,
            check=True,
            text=True,
            stdout=subprocess.PIPE if stdout else sys.stderr,
        )
        return done.stdout or ""
