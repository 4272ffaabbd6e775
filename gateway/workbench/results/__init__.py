"""What checks and tests of a bundle came to, in the forms that other programs read."""
