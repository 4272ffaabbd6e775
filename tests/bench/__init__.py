"""The programs of bench/, as far as they are more than a clock."""
