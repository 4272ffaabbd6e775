"""Documents under policy: how they are cut, judged, kept up to date, and found within the asker's rights."""
