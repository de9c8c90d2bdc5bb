"""Arrays passed from kernel to kernel as bare addresses.

Numba passes an array as seven numbers, and checks at every access whether an index is negative. A search with
hundreds of calls at each node spends most of its time on that. `pointer` takes the address alone: one
register, no check. Code that uses it states the layout beside the array and has tests that run uncompiled or
with bounds checks, where `pointer` returns the array itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from numpy.typing import NDArray

from rekkyo.jit import inlined_inner_kernel
from rekkyo.kernel_switches import BOUNDS_ARE_CHECKED, IS_COMPILED

ArrayT = TypeVar("ArrayT", bound=NDArray[Any])

if TYPE_CHECKING or not IS_COMPILED or BOUNDS_ARE_CHECKED:

    @inlined_inner_kernel
    def pointer(array: ArrayT) -> ArrayT:
        """The array, whose every access is checked."""
        return array

else:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def pointer(typingctx: Any, array: Any) -> Any:
        """The address of the first number of a C-contiguous array of one dimension."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return cgutils.create_struct_proxy(array)(context, builder, args[0]).data

        return types.CPointer(array.dtype)(array), codegen
