"""Engine `cover-parts`: one option from each part, with arc consistency between the parts."""
