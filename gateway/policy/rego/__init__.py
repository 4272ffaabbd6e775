"""
Rego read as a syntax tree: the one reader of rules for checks, mutation, explanation, comparison and proofs.

`read` gives the tree of a module and `modules` those of a bundle; `tree` has the kinds of nodes, `walk` goes through them.
"""
