"""The recipes of docs/recipes.md, as an officer would carry them out: files of the shipped bundle with the lines of one recipe."""

from gateway.settings import HOME
from tests.support.bundles import files

_FENCE = "```"


def recipes():
    """The steps of each recipe by its heading: file, what to do, the line that is named, and the lines to write."""
    found, title = {}, ""
    lines = iter((HOME / "docs/recipes.md").read_text().splitlines())
    for line in lines:
        if line.startswith("## "):
            title = line.removeprefix("## ")
            found[title] = []
        elif line.startswith("In `"):
            found[title].append((*_step(line), _block(lines)))
    return found


def _step(line):
    _, file, what, *rest = line.split("`")
    return file, what.strip(" ,:"), rest[0] if rest else ""


def _block(lines):
    while not next(lines).startswith(_FENCE):
        pass
    taken = []
    for line in lines:
        if line == _FENCE:
            return "\n".join(taken)
        taken.append(line)
    raise AssertionError("a block does not end")


def bundle_after(title):
    """The files of the shipped bundle after a recipe, by path."""
    return carried_out(files(), title)


def carried_out(found, title):
    """The files with the steps of a recipe carried out."""
    for file, what, named, written in recipes()[title]:
        before = found[file]
        if what == "at the end, add":
            found[file] = f"{before.rstrip()}\n{written}\n"
        elif what == "after":
            assert before.count(f"\n{named}\n") == 1, (file, named)
            found[file] = before.replace(f"\n{named}\n", f"\n{named}\n{written}\n")
        elif what == "instead of":
            assert before.count(f"\n{named}\n") == 1, (file, named)
            found[file] = before.replace(f"\n{named}\n", f"\n{written}\n")
        else:
            assert what == "everywhere instead of", (file, what)
            assert named in before, (file, named)
            found[file] = before.replace(named, written)
    return found
