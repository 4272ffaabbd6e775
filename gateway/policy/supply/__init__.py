"""How bundles come in: what a table may hold, what an archive may hold, how new a bundle is.  Nothing here believes what it reads."""
