"""Which rules read which, so that a change of one is tried on those alone that could answer otherwise."""

from collections.abc import Iterable, Iterator, Mapping

from gateway.policy.rego.tree import Call, Module, Ref, Rule, Var
from gateway.policy.rego.walk import calls, references, steps
from gateway.workbench.mutants.edits import RuleEdit

RuleName = tuple[str, str]
"""A package and the name of one of its rules; all rules of one name are one."""


class RuleReading:
    """What the rules of a bundle read of each other, over modules; what may be read counts, whether it is or not."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        """
        Args:
            modules: their trees, by path.
        """
        self._stated: dict[str, set[str]] = {}
        for module in modules.values():
            names = self._stated.setdefault(module.package, set())
            names |= {first_name(rule) for rule in module.rules}
        self._found: dict[str, frozenset[RuleName]] = {}
        self._reads: dict[RuleName, set[RuleName]] = {}
        self._read_by: dict[RuleName, set[RuleName]] = {}
        for module in modules.values():
            for rule in module.rules:
                self._note((module.package, first_name(rule)), set(self._read_in(module, rule)))

    def _note(self, reader: RuleName, read: set[RuleName]) -> None:
        self._reads.setdefault(reader, set()).update(read)
        for one in read:
            self._read_by.setdefault(one, set()).add(reader)

    def readers(self, rule: RuleName) -> frozenset[RuleName]:
        """The rules whose answer may hang on a rule, itself among them."""
        return _reached([rule], self._read_by)

    def needed(self, rules: Iterable[RuleName]) -> frozenset[RuleName]:
        """The rules on which the answers of some may hang, themselves among them."""
        return _reached(rules, self._reads)

    def at(self, path: str) -> frozenset[RuleName]:
        """The rules that a path such as `data.context.pii.permit` leads to; a package has all of its own and of those below."""
        if path not in self._found:
            self._found[path] = frozenset(self._at(tuple(path.split("."))))
        return self._found[path]

    def _read_in(self, module: Module, rule: Rule) -> Iterator[RuleName]:
        paths = [steps(one) for one in references(rule) if isinstance(one, Var | Ref)]
        paths += [tuple(call.function.split(".")) for call in calls(rule) if isinstance(call, Call)]
        imported = {one.alias or one.path.rpartition(".")[2]: tuple(one.path.split(".")) for one in module.imports}
        for path in paths:
            if not path or path[0] is None:
                continue
            if path[0] in self._stated[module.package]:
                yield module.package, path[0]
            yield from self._at((*imported.get(path[0], (path[0],)), *path[1:]))

    def _at(self, path: tuple[str | None, ...]) -> Iterator[RuleName]:
        if path[0] != "data":
            return
        names = path[1:]
        for package, rules in self._stated.items():
            own = tuple(package.split("."))
            # What is not written out may be any name.
            if not all(name in {None, part} for name, part in zip(names, own, strict=False)):
                continue
            wanted = names[len(own)] if len(names) > len(own) else None
            yield from ((package, rule) for rule in rules if wanted in {None, rule})


def first_name(rule: Rule) -> str:
    """The name under which a rule is found: `p` of `p.q`."""
    return rule.name.partition(".")[0]


def _reached(start: Iterable[RuleName], steps_: Mapping[RuleName, set[RuleName]]) -> frozenset[RuleName]:
    found: set[RuleName] = set()
    waiting = list(start)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += steps_.get(one, ())
    return frozenset(found)


def sliced(module: Module, kept: frozenset[RuleName], edit: RuleEdit | None = None) -> str:
    """The text of a module without the rules that nobody asks for, and with a change of one that is asked for."""
    gone = [rule.place for rule in module.rules if (module.package, first_name(rule)) not in kept]
    changes = [(place.start, place.end, "") for place in gone]
    changes += [(edit.place.start, edit.place.end, edit.text)] if edit else []
    parts, behind = list[str](), 0
    for start, end, text in sorted(changes):
        parts += [module.text[behind:start], text]
        behind = end
    return "".join([*parts, module.text[behind:]])
