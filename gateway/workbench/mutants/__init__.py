"""
Bundles that differ from one in a single place, to see whether its cases would notice.

`edits` says what may be changed in a module, `reach` which areas hear of it, and `trial` asks their cases.
"""
