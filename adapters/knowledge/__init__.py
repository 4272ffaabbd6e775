"""Where documents are kept and found: the embedded search engine, and what else stands behind the ports of knowledge."""
