"""
How work shares one processor and one event loop: turns, slices, threads.

Nothing here knows what the work is about.
"""
