"""
What is seen of the work: metrics, spans, traces and logs.

Never any content or a person's name, and never a reason for a request to fail.
"""
