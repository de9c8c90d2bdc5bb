"""Readers and writers of puzzle files, formulas and solutions."""
