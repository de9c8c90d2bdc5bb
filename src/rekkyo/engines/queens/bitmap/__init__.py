"""Engine `queens-bitmap`: places queens row by row with bit masks, in lexicographic order."""
