"""
What a model reads, and what it costs: blocks, fences, layers, tokens, shapes of providers.

What may stand in it was decided before; nothing here drops an item.
"""
