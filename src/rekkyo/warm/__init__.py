"""All kernels compiled before they are needed: what is done for that, and the processes that do it."""
