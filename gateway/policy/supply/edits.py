"""
Changes of a YAML file that leave every other byte as it is: comments, order, quotes and blank lines stay.

The places are those of the one reader of tables (PyYAML), so that what is edited is what is read.
"""

from typing import Any

import yaml

from gateway.errors import BundleInvalidError

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def without(text: str, key: str, index: int) -> str:
    """
    The text without an item of a list.

    Args:
        text: of a file whose top is a table.
        key: of the list in it.
        index: of the item, from 0.

    Raises:
        BundleInvalidError: there is no such list, or it is not written with dashes.
    """
    name, node = _list(text, key)
    if node.flow_style or not 0 <= index < len(node.value):
        raise BundleInvalidError(f"`{key[:60]}` is no list with a dash for each line, so that none can be taken out")
    lines = text.splitlines(keepends=True)
    first, last = node.value[index].start_mark.line, _last_line(node.value[index])
    if len(node.value) == 1:
        # A key without a value would be null, and no list.
        above = lines[name.end_mark.line]
        colon = above.index(":", name.end_mark.column) + 1
        lines[name.end_mark.line] = f"{above[:colon]} []{above[colon:]}"
    return "".join([*lines[:first], *lines[last + 1 :]])


def with_item(text: str, key: str, item: str) -> str:
    """
    The text with an item at the end of a list.

    Args:
        text: of a file whose top is a table.
        key: of the list in it.
        item: as YAML in lines, from its dash on, without indentation.

    Raises:
        BundleInvalidError: there is no such list, or it is not written with dashes.
    """
    _, node = _list(text, key)
    lines = text.splitlines(keepends=True)
    if not node.value and node.flow_style:
        at, dash = node.start_mark.line, "  "
        lines[at] = lines[at].replace("[]", "", 1).rstrip() + "\n"
    elif node.flow_style:
        raise BundleInvalidError(f"`{key[:60]}` is no list with a dash for each line, so that none can be added")
    else:
        at, dash = _last_line(node), " " * node.start_mark.column
    lines[at] = lines[at].rstrip("\n") + "\n"
    added = "".join(f"{dash}{line}\n" for line in item.splitlines())
    return "".join([*lines[: at + 1], added, *lines[at + 1 :]])


def _list(text: str, key: str) -> tuple[yaml.Node, yaml.SequenceNode]:
    """The key and the list."""
    try:
        root = yaml.compose(text, _Loader)
    except yaml.YAMLError as error:
        raise BundleInvalidError("the file is not YAML") from error
    for name, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if name.value == key and isinstance(value, yaml.SequenceNode):
            return name, value
    raise BundleInvalidError(f"there is no list `{key[:60]}`")


def _last_line(node: yaml.Node) -> int:
    """The line where what it says ends; a node in blocks ends, to its reader, where the next one begins."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(last, tuple) else last)
    mark = node.end_mark
    line: int = mark.line - 1 if mark.column == 0 and mark.line > node.start_mark.line else mark.line
    return line
