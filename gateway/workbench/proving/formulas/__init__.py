"""Rules as formulas over every input that the schema allows."""
