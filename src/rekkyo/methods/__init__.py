"""Textbook algorithms in plain Python, kept for study and comparison; a file or folder for each family.

`ladder.py` has the types that every family shares, `table.py` the text of a comparison. The methods are not
used to answer questions that an engine can answer: the methods explain, the engines count.
"""
