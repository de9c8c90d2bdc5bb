"""What counts by merging equal states has in common: levels, the step from one to the next, the walk."""
