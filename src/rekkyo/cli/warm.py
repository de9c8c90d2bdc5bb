"""`rekkyo warm`."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING

import click

from rekkyo.cli.options import rekkyo
from rekkyo.cli.streams import note
from rekkyo.errors import BadInput, RekkyoError, in_short
from rekkyo.plain import NO_COMPILER, compiler_is_off

if TYPE_CHECKING:
    from rekkyo.warm.record import Warmed


@rekkyo.command("warm", short_help="Compile all search kernels now.")
def warm_command() -> None:
    """Compile the search kernels of all engines now, instead of at the first use of each.

    They are stored in your cache folder, or in REKKYO_CACHE_DIR, an absolute path; a new version of rekkyo,
    Numba or Python compiles them again. Kernels from the wheel of rekkyo are only loaded. All cores compile.
    Several processes may do this at the same time. This is useful for container images and clusters.

    \b
    rekkyo warm
    REKKYO_CACHE_DIR=/opt/rekkyo-kernels rekkyo warm
    """
    from rekkyo.kernel_cache import keeps_kernels, places_of_kernels

    _refuse_without_compiler()
    places = places_of_kernels()
    may_compile = places is not None and places.own is not None and keeps_kernels()
    if not may_compile and (places is None or places.shipped is None):
        raise _nowhere_to_keep()
    compile_s, n_shipped = 0.0, 0
    with closing(_all_jobs()) as jobs:
        for job in jobs:
            click.echo(f"{job.name:18} {_how(job)}")
            compile_s += job.compile_s
            n_shipped += job.n_shipped
            if job.n_functions and not may_compile:
                raise _nowhere_to_keep()
    if places is not None and n_shipped:
        note(f"{n_shipped} kernels came with rekkyo, in {places.shipped}")
    if places is not None and may_compile:
        note(f"{compile_s:.1f} s of compiling; kept in {places.own}")


def _refuse_without_compiler() -> None:
    """Raise BadInput if kernels are plain Python: all jobs would take minutes and compile nothing."""
    from rekkyo.kernel_switches import IS_COMPILED

    if compiler_is_off():
        switch = f"{NO_COMPILER}={in_short(os.environ[NO_COMPILER])} in the environment"
        raise BadInput(f"{switch} switches the compiler off, so there is nothing to compile; unset it")
    if not IS_COMPILED:
        switch = "disable_jit in .numba_config.yaml of this folder"
        raise BadInput(f"{switch} switches the compiler off, so there is nothing to compile; delete it there")


def _all_jobs() -> Generator[Warmed]:
    """All jobs of the record, or else as they are done: only then are their modules imported."""
    from rekkyo.warm.record import recorded

    known = recorded()
    if known is not None:
        yield from known
        return
    from rekkyo.warm.processes import warm

    yield from warm()


def _how(job: Warmed) -> str:
    """The origin of the kernels of a job."""
    shipped = f"{job.n_shipped} kernel{'s' * (job.n_shipped > 1)} came with rekkyo"
    if not job.n_functions:
        return shipped if job.n_shipped else "compiled before"
    return f"compiled in {job.compile_s:.1f} s" + (f"; {shipped}" if job.n_shipped else "")


def _nowhere_to_keep() -> RekkyoError:
    from rekkyo.kernel_folders import CACHE_VARIABLE

    return RekkyoError(f"there is no writable folder for compiled kernels; set {CACHE_VARIABLE}")
