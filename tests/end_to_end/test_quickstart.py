"""The README's quickstart, run as it stands: a newcomer who pastes it gets a pack and a ledger that verifies."""

import json
import os
import re
import subprocess

from datetime import UTC, datetime, timedelta

import pytest

from gateway.cli.dev import refetched
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.support.oracle import records
from tests.support.services import need
from tools.loopback import free_port

README = (HOME / "README.md").read_text()
PUBLISHED = datetime(2024, 1, 2, 9, tzinfo=UTC)


def block() -> str:
    [found] = re.findall(r"^```bash\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return found


def request() -> PackRequest:
    return PackRequest.model_validate_json((HOME / "examples/quickstart/request.json").read_bytes())


async def outcomes(gateway, asked, now, call="assemble"):
    subject = Subject.model_validate_json((HOME / "examples/quickstart/subject.json").read_bytes())
    await getattr(gateway.pipeline, call)(Asked(asked, subject, now))
    return {ruling.item.id: (ruling.outcome, ruling.codes) for ruling in records(gateway, kind="item.ruled")}


def test_the_quickstart_can_be_pasted(tmp_path):
    """
    Only the port, the place of the pack and the folder of state differ from what stands in the README; the live server gives a
    pack with the record, the procedure, the turn and the e-mail without its NRIC, and the ledger verifies.
    """
    need((HOME / ".venv/bin/activate").is_file(), "the .venv of `make install`")
    pack = tmp_path / "pack.json"
    script = block().replace("8080", str(free_port())).replace("pack.json", str(pack))
    assert "make install" in script
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", f"trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}"],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={
            **os.environ,
            "CTXGATE_STATE_DIR": str(tmp_path / "state"),
            "CTXGATE_DETECTOR_WORKERS": "1",
            "COLUMNS": "200",
        },
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(pack.read_text())
    kept = {item["id"]: item for section in document["sections"] for item in section["items"]}
    assert {"task", "project-record", "risk-taxonomy", "sop-conduct", "turn-1", "client-note"} == set(kept)
    assert "S1234567D" not in pack.read_text()
    assert document["receipt"]
    assert "SOP_Product_Conduct" in done.stdout
    assert "The ledger verifies" in done.stdout


@pytest.mark.parametrize("years", [0, 1, 10, 40])
async def test_the_shipped_request_does_not_expire(gateway, years):
    """
    Asked for as it is, whatever the year, only the row that must be read live is denied, and what is denied anyway.
    """
    found = await outcomes(gateway, request(), PUBLISHED + timedelta(days=365 * years, hours=1), "rule")
    assert found.pop("project-record") == ("denied", ("FRS-002", "FRS-005"))
    assert found == {
        "task": ("released", ()),
        "risk-taxonomy": ("released", ()),
        "sop-conduct": ("released", ()),
        "turn-1": ("released", ()),
        "client-note": ("redacted", ()),
        "vendor-note": ("quarantined", ("INJ-003",)),
        "hk-circular": ("denied", ("JUR-001", "JUR-002", "JUR-004")),
    }


async def test_a_refetched_request_is_live(gateway):
    """
    With its fetch times moved to now, the system-of-record row is released as well.
    """
    now = PUBLISHED + timedelta(days=1234)
    found = await outcomes(gateway, refetched(request(), now), now)
    assert found["project-record"] == ("released", ())


def test_what_was_stale_stays_stale(story):
    """
    All fetch times move by the same time: an item an hour older than the newest still is.
    """
    before = PackRequest.model_validate(story("npa-risk", "request"))
    now = datetime(2030, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
    after = refetched(before, now)
    ages = [[max(times) - time for time in times] for times in (fetched(before), fetched(after))]
    assert ages[0] == ages[1]
    assert max(ages[1]) > timedelta(0)
    assert max(fetched(after)) == now.replace(microsecond=0)


def fetched(asked: PackRequest) -> list[datetime]:
    return [datetime.fromisoformat(item.provenance.fetched_at) for item in asked.items if item.provenance.fetched_at]


def test_labels_without_times_are_left_alone():
    """
    A request whose items do not say when they were fetched is printed as it came.
    """
    asked = request()
    bare = [
        item.model_copy(update={"provenance": item.provenance.model_copy(update={"fetched_at": None})})
        for item in asked.items
    ]
    mixed = asked.model_copy(update={"items": (bare[0], *asked.items[1:])})
    assert refetched(mixed, PUBLISHED).items[0].provenance.fetched_at is None
    unknown = asked.model_copy(update={"items": tuple(bare)})
    assert refetched(unknown, PUBLISHED) == unknown


def test_a_newcomer_reads_it_on_one_page():
    """
    The README has at most 100 lines.
    """
    assert README.count("\n") <= 100
