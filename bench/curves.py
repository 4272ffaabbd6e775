"""Plots of recall against false positives."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")

from matplotlib import pyplot as plt


def plot_curves(scores: Mapping[tuple[str, int, str], Sequence[float]], clean: Sequence[float], folder: Path) -> None:
    """One curve for each source of attacks, against the share of clean documents that is flagged."""
    folder.mkdir(parents=True, exist_ok=True)
    rates = np.linspace(0.001, 0.1, 60)
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for (source, label, kind), some in sorted(scores.items()):
        if label and len(some) >= 20:
            recall = [np.mean(np.array(some) > np.quantile(clean, 1 - rate)) for rate in rates]
            axes.plot(rates * 100, recall, label=f"{source} ({kind})", linewidth=1.4)
    axes.set_xlabel("clean documents flagged, %")
    axes.set_ylabel("attacks flagged")
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(folder / "injection.png", dpi=110)
    plt.close(figure)
