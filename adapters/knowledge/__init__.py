"""Where documents are kept and found: the store, the folders and repositories they come from, the search engines behind the ports."""
