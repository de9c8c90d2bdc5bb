"""What the two searching engines for colourings share: the order of the cells, and symmetry in the search.

The joining engine uses none of it.
"""
