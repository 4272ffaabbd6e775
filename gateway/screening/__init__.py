"""Looking into contents: by detectors, once for each content."""
