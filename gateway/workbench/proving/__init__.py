"""
Proof over all requests: what a bundle can ever decide, and what changes between two.

The rules are read as formulas over every input that the schema allows (`evaluate`, `values`), formulas are settled by an SMT solver
(`solver`), and what is found is decided by the real engine before anybody sees it (`findings`).  Whatever the reading does not cover
may have any value at all, so that it can hide a proof and never make one.
"""
