"""The one path that content takes to every detector: normalised, decoded, cut into windows; findings mapped back and merged."""
