"""The words of the bank, and what an item may say in them beside its labels of provenance."""
