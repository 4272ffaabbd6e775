"""The transparency log: Merkle tree, tiles, signed notes, checkpoints and witnesses, in the formats of C2SP."""
