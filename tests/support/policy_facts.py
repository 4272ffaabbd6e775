"""Facts as policy is asked about them: those of the officers' cases, and facts that are wrong in every way."""

from copy import deepcopy
from typing import Any, Final

import yaml

from hypothesis import strategies as st

from gateway.settings import HOME
from gateway.workbench.cases import merged

CONTEXT: Final = HOME / "policies/context"
AREAS: Final = sorted(path.parent.name for path in CONTEXT.glob("*/cases.yaml"))
BASE: Final[dict[str, Any]] = yaml.safe_load((CONTEXT / "cases.base.yaml").read_text())
"""Facts under which everything is allowed."""

ODD: Final = st.sampled_from(
    [None, "", "SG", "NPA", "analyst", 0, -1, 1.5, True, [], ["SG"], {}, {"id": 1}, "2026-03-01"]
)


def case_facts() -> list[dict[str, Any]]:
    """The facts of every case of the officers."""
    facts = []
    for area in AREAS:
        document = yaml.safe_load((CONTEXT / area / "cases.yaml").read_text())
        facts += [merged(BASE, case["change"]) for case in (*document["allowed"], *document["refused"])]
    return facts


@st.composite
def damaged(draw: Any) -> dict[str, Any]:
    """Inputs with up to four fields missing, null, of another type or of an odd value, and with odd findings."""
    facts = deepcopy(BASE)
    facts["findings"] = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "kind": st.sampled_from(["pii", "injection"]),
                    "type": st.sampled_from(["PHONE_NUMBER", "CREDIT_CARD", "SG_NRIC_FIN", "SHOE_SIZE"]),
                    "score": st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
                },
            )
            | st.sampled_from([{"kind": "pii"}, {"kind": "injection"}, {"type": "PHONE_NUMBER"}, {}, 7]),
            max_size=3,
        )
    )
    for _ in range(draw(st.integers(0, 4))):
        target, path = facts, draw(st.sampled_from(sorted(facts)))
        while isinstance(target[path], dict) and target[path] and draw(st.booleans()):
            target = target[path]
            path = draw(st.sampled_from(sorted(target)))
        if draw(st.booleans()):
            target[path] = deepcopy(draw(ODD))
        else:
            del target[path]
        if not facts:
            break
    return facts
