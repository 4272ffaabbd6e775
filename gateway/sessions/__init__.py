"""
What a turn of a session leaves for the next: the library, and handles to heavy artifacts.

What is carried over is decided on again in every turn; nothing here lets it through.
"""
