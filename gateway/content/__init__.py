"""
A text or JSON document, leaf by leaf: parsed, walked, joined, cut short.

Nothing here knows of policy, prompts or packs.
"""
