"""How Numba compiles kernels here: in few passes, optimized once, with few collections, linked unoptimized.

Numba optimizes each function together with all that it calls, makes machine code of it, and does the same
again in each of its callers. For a function that Python cannot call, only the last time is of use. So its
code stays as Numba wrote it, after quick passes over single functions, and is linked and stored in this form.
Numba also optimizes twice, because it removes counts of references in between; kernels count none. And it
looks for closures, functions to be inlined and expressions of whole arrays, which kernels do not have.

    Numba writes LLVM code ----> LinkedLibrary ----> KernelLibrary ----> optimized once ----> machine code
                                  |        ^         of the caller                            and bitcode
                                  v        |                                                     |
                                 bitcode in the cache         StoredLibrary <---- the cache <----+

Together these take a third off the CPU time of `rekkyo warm`; searches are as fast as before. Source of the
methods that are replaced: Numba's `codegen.py` and `compiler.py`.
"""

from __future__ import annotations

import gc
from typing import Any

from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.compiler_machinery import PassManager

from rekkyo.held_signals import held_signals

make_function: Any = _dynfunc.make_function
make_result: Any = CompileResult
untyped: Any = untyped_passes
typed: Any = typed_passes

PASSES = (
    untyped.TranslateByteCode,
    untyped.FixupArgs,
    untyped.IRProcessing,
    untyped.RewriteSemanticConstants,
    untyped.DeadBranchPrune,
    untyped.GenericRewrites,
    untyped.ReconstructSSA,
    untyped.DeadBranchPrune,
    typed.NopythonTypeInference,
    typed.PreLowerStripPhis,
    typed.NoPythonSupportedFeatureValidation,
    typed.IRLegalization,
    typed.AnnotateTypes,
    typed.NativeLowering,
    typed.NoPythonBackend,
)
"""Numba's passes over a kernel, in the order of its `DefaultPassBuilder`. The others took 5 % of the time."""

FEW_COLLECTIONS = (10_000, 10, 10)
"""Thresholds of Python's garbage collector. With its own, collecting takes a tenth of the time to compile."""


class KernelLibrary(JITCodeLibrary):
    """Code of a kernel that Python calls, with all that it calls."""

    def _optimize_final_module(self) -> None:
        """Optimize once. Numba does so twice, because it removes counts of references in between."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class LinkedLibrary(JITCodeLibrary):
    """Code to be linked. It is not optimized, and the execution engine does not receive it."""

    def _optimize_final_module(self) -> None:
        """Do nothing: the library of the caller is optimized."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """The address of a function: none has one."""
        return 0

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        """The code as the cache stores it: its name, and LLVM's bitcode."""
        return self.name, self._get_module_for_linking().as_bitcode()

    def read(self, bitcode: bytes) -> None:
        """Fill an empty library with stored code."""
        self._final_module = self._shared_module = binding.parse_bitcode(bitcode)
        self._finalized = True


class StoredLibrary(JITCodeLibrary):
    """Machine code from the cache of a kernel that Python calls.

    Its bitcode is only of use to a caller that is compiled. Parsing it and listing its symbols took half of
    the time to load a kernel.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        """Make an empty library, without the module that Numba makes for code to be compiled."""
        super(CPUCodeLibrary, self).__init__(codegen, name)
        self._shared_module = None

    def read(self, machine_code: bytes, bitcode: bytes) -> None:
        """Fill an empty library with stored code."""
        self._bitcode = bitcode
        engine = self._codegen._engine._ee
        engine.add_object_file(binding.ObjectFileRef.from_data(machine_code))
        engine.finalize_object()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function of this library."""
        address: int = self._codegen._engine.get_function_address(name)
        return address

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


def linked_result(target_context: Any, stored: Any) -> Any:
    """A function that only kernels call, of which `CompileResult._reduce` gave the parts."""
    (name, bitcode), descriptor, environment, *_ = _prepared(stored)
    library = LinkedLibrary(target_context.codegen(), name)
    library.read(bitcode)
    return _result(target_context, stored, library, entry_point(library, descriptor, environment))


def stored_result(target_context: Any, stored: Any) -> Any:
    """The same for a kernel that Python calls."""
    (name, _, code), descriptor, environment, *_, environments = _prepared(stored)
    library = StoredLibrary(target_context.codegen(), name)
    library.read(*code)
    function = target_context.get_executable(library, descriptor, environment)
    for other in environments:
        library.codegen.set_env(other.env_name, other)
    return _result(target_context, stored, library, function)


def _prepared(stored: Any) -> Any:
    """The parts of a stored function, after the calls that must come before its code."""
    *_, at_load, _ = stored
    for function in at_load:
        function()
    return stored


def _result(target_context: Any, stored: Any, library: JITCodeLibrary, function: Any) -> Any:
    """A compiled function with its library."""
    _, descriptor, environment, signature, objectmode, lifted, annotation, at_load, others = stored
    return make_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=function,
        typing_error=None,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=descriptor,
        library=library,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=at_load,
        referenced_envs=others,
    )


def entry_point(library: LinkedLibrary, descriptor: Any, environment: Any) -> Any:
    """An object that stands for the function. Numba finds the code by it; it cannot be called."""
    name = descriptor.qualname.split(".")[-1]
    doc = f"{name}, for calls from kernels"
    return make_function(descriptor.lookup_module(), name, doc, 0, environment, (library,))


class CompilerWithFewCollections(Compiler):
    """Numba's compiler of one function. Python looks for cyclic garbage less often while it works.

    has_memory: whether its functions need Numba's memory management. restored: makes a compiled function of
    what the cache holds.
    """

    has_memory = True
    restored = staticmethod(stored_result)

    def __init__(self, *arguments: Any) -> None:
        """Prepare the compiling of a function; arguments: see `CompilerBase`.

        The first time, Numba imports half of its modules. Interrupted, it could not compile any more.
        """
        with held_signals():
            super().__init__(*arguments)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        before = gc.get_threshold()
        gc.set_threshold(*max(before, FEW_COLLECTIONS))
        try:
            return super().compile_extra(func)
        finally:
            gc.set_threshold(*before)


class _CompilerOfKernels(CompilerWithFewCollections):
    """Numba's compiler of a function without memory management, which needs few passes."""

    has_memory = False

    def define_pipelines(self) -> list[Any]:
        """The passes over the function, as Numba's list of pipelines."""
        passes: Any = PassManager("kernel")
        for step in PASSES:
            passes.add_pass(step, step.__name__)
        passes.finalize()
        return [passes]


class KernelCompiler(_CompilerOfKernels):
    """The same for a function that Python calls, which writes into a `KernelLibrary`."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        library: Any = KernelLibrary(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class LinkedCompilerWithMemory(CompilerWithFewCollections):
    """Numba's compiler of a function that only kernels call, which writes into a `LinkedLibrary`.

    It is for functions that make or return arrays, and takes all of Numba's passes.
    """

    restored = staticmethod(linked_result)

    def compile_extra(self, func: Any) -> Any:
        """Compile a function. Its target context is a copy that only this compiler has."""
        context = self.state.targetctx
        self.state.library = LinkedLibrary(context.codegen(), func.__qualname__)
        context.get_executable = entry_point
        return super().compile_extra(func)


class LinkedCompiler(LinkedCompilerWithMemory, _CompilerOfKernels):
    """The same for a function without memory management."""
