"""Carries searches out: shards, workers, progress. Only this layer starts threads."""
