"""
What the rules of a bundle must be, one question a file, asked of their syntax trees.

`forms` knows what may not be written, `reads` what may be read, `refusals` how a refusal explains itself.
"""
