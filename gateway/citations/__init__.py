"""
Claims of an agent against the pack it was given: which are borne out by what they cite.

What is enough is policy's (`context/citation`); the text of a claim goes nowhere.
"""
