"""A search with a directory that survives a crash: run, resume, status, recount, verify, certify."""
