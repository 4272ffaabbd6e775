"""Small transformers that read text: embedders and cross-encoders, with their pinned weights."""
