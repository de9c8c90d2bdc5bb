"""The ladder of methods for Hip, from brute force to joining boards."""

from rekkyo.methods.hip.ladder import HIP_METHODS, numbered_board

__all__ = ["HIP_METHODS", "numbered_board"]
