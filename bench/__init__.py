"""Side-by-side benchmarks; each prints its baseline, its ratio and its command."""
