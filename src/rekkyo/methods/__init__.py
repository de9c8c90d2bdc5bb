"""Textbook algorithms in plain Python, kept for study and comparison; a file or folder for each family.

`ladder.py` is the vocabulary that every family shares, `table.py` the text that shows a comparison.
Nothing here is used to answer a question that an engine can answer: the methods explain, the engines count.
"""
