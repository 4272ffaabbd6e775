"""The page that lists every rule: code, title, meaning, owner, control and a case that shows it."""

from pathlib import Path

import yaml

from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle

_HEADER = "| Code | Rule | What it means | Control | Case |\n|---|---|---|---|---|\n"


def policies_page(root: Path, bundle: Bundle) -> str:
    """Markdown, made from the METADATA of the rules and the officers' cases."""
    lines = [
        "# Policies\n\nEvery rule that can refuse, set aside or warn: what it says, who owns it, which control it implements.\n"
    ]
    for name in sorted(bundle.modules):
        blocks = annotations(bundle.modules[name])
        package = blocks[0].fields
        owner = ", ".join(package.get("organizations", []))
        lines.append(
            f"\n## {package['title']}\n\n{package['description'].strip()}\n\nOwner: {owner}. File: `policies/{name}`.\n\n"
        )
        rules = [block for block in blocks if block.code]
        if rules:
            lines.append(_HEADER)
        for block in rules:
            controls = " ".join(f"[{url.rpartition('/')[2]}]({url})" for url in block.controls) or "—"
            meaning = block.fields.get("description", "—").strip()
            case = _case((root / name).parent / "cases.yaml", block.code)
            lines.append(f"| `{block.code}` | {block.fields['title']} | {meaning} | {controls} | {case} |\n")
    return "".join(lines)


def _case(path: Path, code: str | None) -> str:
    if not path.is_file():
        return "—"
    refused = yaml.safe_load(path.read_text()).get("refused", [])
    return str(next((case["case"] for case in refused if code in case["codes"]), "—"))
