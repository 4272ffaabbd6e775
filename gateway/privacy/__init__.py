"""
What stands for persons, and how it goes: tokens that are turned back, persons that are erased.

Whether a token may be turned back is policy's.
"""
