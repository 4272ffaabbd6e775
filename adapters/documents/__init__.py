"""Files made text: one reader for each format, read in processes of their own."""
