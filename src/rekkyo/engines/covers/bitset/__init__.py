"""Engine `cover-bitset`: options as bits; branches on the item with the fewest options left."""
