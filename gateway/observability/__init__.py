"""What is seen of the work: metrics, traces, logs.  Never any content, and never a reason to fail."""
