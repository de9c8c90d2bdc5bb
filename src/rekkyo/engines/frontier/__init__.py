"""The base of engines that count by merging equal states: levels, the step between two levels, the walk."""
