"""A search with a directory that survives a crash: run, resume, recount, verify, certify, publish."""
