"""Compiles all kernels before they are needed: the jobs, and the processes that do them."""
