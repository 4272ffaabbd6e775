"""The officer's workbench: check, test, explain, compare and simulate policies before they decide."""
