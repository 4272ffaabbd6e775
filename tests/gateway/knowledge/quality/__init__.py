"""How well documents are found."""
