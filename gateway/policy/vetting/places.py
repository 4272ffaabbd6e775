"""Where in a YAML file a value stands, for whoever must find it again."""

from typing import Any, Final

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_START: Final = (1, 1)

Path = tuple[str, ...]
"""The keys and indices that lead to a value."""

LineColumn = tuple[int, int]
"""Line and column, both from 1."""


class Places:
    """The places of all keys and values of one document."""

    def __init__(self, body: bytes) -> None:
        """
        Args:
            body: of a file that `read_yaml` reads; whatever else it is, every place is its first.
        """
        self._values: dict[Path, LineColumn] = {}
        self._keys: dict[Path, LineColumn] = {}
        try:
            root = yaml.compose(body, _Loader)
        except (yaml.YAMLError, ValueError):
            return
        waiting: list[tuple[yaml.Node, Path]] = [(root, ())] if root else []
        while waiting:
            node, path = waiting.pop()
            self._values[path] = _place(node)
            if isinstance(node, yaml.MappingNode):
                for key, value in node.value:
                    self._keys[*path, str(key.value)] = _place(key)
                    waiting.append((value, (*path, str(key.value))))
            elif isinstance(node, yaml.SequenceNode):
                waiting += [(value, (*path, str(index))) for index, value in enumerate(node.value)]

    def of(self, path: Path, *, key: bool = False) -> LineColumn:
        """The place of a value, or of its *key*; where there is none, of what it should stand in."""
        if key and path in self._keys:
            return self._keys[path]
        if path in self._values:
            return self._values[path]
        return self.of(path[:-1], key=True) if path else _START


def _place(node: yaml.Node) -> LineColumn:
    return node.start_mark.line + 1, node.start_mark.column + 1
