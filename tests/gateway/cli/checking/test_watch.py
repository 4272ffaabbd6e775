"""Doing a thing again when a file changes."""

from gateway.cli.checking.watch import states


def test_a_file_that_is_written_added_or_removed(tmp_path):
    """
    Each change is told once; what no bundle has, such as an editor's own file, is none.
    """
    (tmp_path / "a.rego").write_text("a")
    acts = iter(
        [
            lambda: (tmp_path / "a.rego").write_text("ab"),
            lambda: (tmp_path / "a.rego.swp").write_text("x"),
            lambda: (tmp_path / "b.yaml").write_text("b"),
            (tmp_path / "a.rego").unlink,
        ]
    )
    waited = []
    found = states(tmp_path, lambda seconds: (waited.append(seconds), next(acts)()))
    assert len(next(found)) == 1
    assert len(next(found)) == 1
    assert len(next(found)) == 2
    assert len(next(found)) == 1
    assert len(waited) == 4
