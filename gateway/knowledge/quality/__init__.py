"""How well documents are found: golden sets, figures, baselines, and watching them."""
