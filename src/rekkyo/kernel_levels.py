"""The levels of processors that a wheel has compiled kernels for, and the level of this processor.

A level is a name that LLVM knows, such as x86-64-v3, perhaps without some of its features. Its code runs on
every processor that has all others. The highest level is v4 with VPOPCNTDQ, which counts bits, because the
kernels that are fast with 512 bits need it. Left out on purpose: levels of other machines, where kernels are
compiled on first use.
"""

from __future__ import annotations

import platform
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
from llvmlite import binding

config: Any = numba.config

V2 = frozenset({"cx16", "popcnt", "sahf", "sse3", "ssse3", "sse4.1", "sse4.2"})
V3 = V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
V4 = V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
X86_64 = ("x86_64", "AMD64")


@dataclass(frozen=True, slots=True)
class Level:
    """A kind of processor. cpu, features: as in NUMBA_CPU_NAME and NUMBA_CPU_FEATURES.

    machines: values of `platform.machine()`. needs: features that a processor must have, in LLVM's names.
    """

    name: str
    machines: tuple[str, ...]
    cpu: str
    features: str = ""
    needs: frozenset[str] = frozenset()


NOT_IN_V4 = (
    "sse4a",
    "avx512bf16",
    "avx512bitalg",
    "avx512ifma",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512vnni",
    "gfni",
)
"""Features of Zen 4 that LLVM may use unasked, apart from those of v4 and VPOPCNTDQ.

LLVM writes code for x86-64-v4 as if for the first processors with AVX-512: in their order of instructions,
and with vectors of 256 bits, because they slowed down with 512. No other processor than Zen 4 was measured.
There, code for v4 took 1.15 to 1.2 times as long in `sum-cells` and 1.03 to 1.07 in `cover-bitset`,
`sum-join` and `cover-masks`; code for Zen 4 without these features takes 0.94 to 1.025
(`benchmarks/levels.py`).
"""

FIRST_LLVM_WITH_ZEN_4 = 16


def v4_with_vpopcntdq(llvm_major: int) -> tuple[str, str]:
    """Name and features of the highest level of x86-64, for a version of LLVM."""
    if llvm_major < FIRST_LLVM_WITH_ZEN_4:
        return "x86-64-v4", "+avx512vpopcntdq"
    return "znver4", ",".join(f"-{feature}" for feature in NOT_IN_V4)


LEVELS = (
    Level(
        "x86-64-v4-vpopcntdq",
        X86_64,
        *v4_with_vpopcntdq(binding.llvm_version_info[0]),
        V4 | {"avx512vpopcntdq"},
    ),
    Level("x86-64-v3", X86_64, "x86-64-v3", "", V3),
    Level("x86-64-v2", X86_64, "x86-64-v2", "", V2),
    Level("aarch64", ("aarch64",), "generic"),
)
"""The best first. Every processor of aarch64 has what its level needs."""


def levels_of(machine: str) -> tuple[Level, ...]:
    """The levels of a machine, the best first."""
    return tuple(level for level in LEVELS if machine in level.machines)


def best_level(machine: str, features: Collection[str]) -> Level | None:
    """The best level whose code a processor with these features executes; None if there is none."""
    return next((level for level in levels_of(machine) if level.needs <= set(features)), None)


@cache
def level_here() -> Level | None:
    """The level to use in this process; None if there is none.

    If NUMBA_CPU_NAME or NUMBA_CPU_FEATURES is set, only the level with exactly these two values is used.
    """
    best = best_level(platform.machine(), features_here())
    configured = (config.CPU_NAME, config.CPU_FEATURES)
    if configured == (None, None):
        return best
    levels = levels_of(platform.machine())
    return next((level for level in levels if (level.cpu, level.features) == configured), None)


def has_avx512() -> bool:
    """Whether kernels are compiled for a processor with AVX-512, as far as is known."""
    if (config.CPU_NAME, config.CPU_FEATURES) == (None, None):
        return "avx512f" in features_here()
    level = level_here()
    return level is not None and "avx512f" in level.needs


def features_here() -> frozenset[str]:
    """The features of this processor that Numba uses: without AVX if NUMBA_ENABLE_AVX is 0."""
    from numba.core.codegen import get_host_cpu_features

    features: Any = get_host_cpu_features
    return frozenset(word[1:] for word in features().split(",") if word.startswith("+"))
