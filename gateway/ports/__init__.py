"""
What the gateway needs from the outside world, in its own words: one file for each folder of `adapters`.

Every `Protocol` of the gateway lies here, and nothing that does work.
"""
