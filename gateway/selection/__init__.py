"""
Which pieces stay: repeats, conflicts, and what fits into a budget.

Only what was released and recorded comes here; which of two sources prevails is policy's.
"""
