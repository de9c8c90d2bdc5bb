"""Dancing cells for every exact cover: colours, secondary items, multiplicities, any size."""
