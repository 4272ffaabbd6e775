"""Content as leaves of text, each under its own pointer."""

from gateway.content.leaves import leaves, replace_leaves


class TestLeaves:
    def test_replacing_keeps_the_shape(self):
        """
        Every leaf has its own pointer, and a change touches that leaf alone.
        """
        content = {"a/b": [1, "x", {"c~d": None, "e": True}], "f": 2.5}
        assert [leaf.path for leaf in leaves(content)] == ["/a~1b/0", "/a~1b/1", "/f"]
        changed = replace_leaves(content, lambda path, text: "***" if path == "/a~1b/0" else None)
        assert changed == {"a/b": ["***", "x", {"c~d": None, "e": True}], "f": 2.5}
