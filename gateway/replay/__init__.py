"""
Past decisions made again, from the ledger and what is kept aside of it.

`verdicts` says what may become of one, `run` goes through them, `asking` puts policy's questions again, `handed_over` carries out
obligations again and looks at packs that are kept.
"""
