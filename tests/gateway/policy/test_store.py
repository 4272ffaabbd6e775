"""Every bundle that was ever shown to this gateway, its bytes under their hash."""

import json

from datetime import timedelta

import pytest

from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, FieldInvalidError, NotFoundError, SecondOfficerError
from gateway.model import Subject
from gateway.policy.store import BundleStore, LifecycleState, forget_proposals, keep_state, remembered
from tests.support.bundles import SHIPPED, WEB_FOR_RISK, files
from tests.support.clock import NOW


async def test_what_is_active_outlives_a_restart(settings, subject, small):
    """
    After a restart the activated bundle decides, from its stored bytes; damaged bytes are refused.
    """
    ann, ben = (Subject.model_validate({**subject, "sub": name}) for name in ("ann", "ben"))
    async with running(settings) as gateway:
        proposal = await gateway.lifecycle.propose(files(WEB_FOR_RISK), ann, NOW)
        await gateway.lifecycle.activate(proposal.revision, ben, NOW, acknowledged=proposal.acknowledge)
    async with running(settings) as gateway:
        assert gateway.pipeline.policy.version.revision == proposal.revision
        kept = settings.state_dir / "bundles" / f"{proposal.revision[7:]}.bundle"
        kept.write_bytes(kept.read_bytes().replace(b"risk_assessment", b"risk_assesSment", 1))
        with pytest.raises(BundleInvalidError):
            BundleStore(settings.bundles_dir).stored(proposal.revision)
        with pytest.raises(NotFoundError):
            await gateway.lifecycle.rollback("sha256:" + "1" * 64, ben, NOW)


def test_what_is_kept_comes_back(tmp_path):
    """
    A kept bundle is found by its revision, decides as it did, and does so once however often it is kept.
    """
    kept = BundleStore(tmp_path / "bundles")
    for _ in range(2):
        kept.keep(SHIPPED)
    assert kept.stored(SHIPPED.revision) == SHIPPED
    assert [path.stem for path in kept.paths()] == [SHIPPED.revision[7:]]


@pytest.mark.parametrize("revision", ["sha256:" + "0" * 64, "../../etc/passwd", "", "sha256:"])
def test_what_was_never_kept(tmp_path, revision):
    """
    A revision that is not there, or that is a path out of the folder, is not found.
    """
    with pytest.raises(NotFoundError):
        BundleStore(tmp_path).stored(revision)


def test_a_bundle_under_anothers_name(tmp_path):
    """
    Bytes under another hash than their own are refused.
    """
    kept = BundleStore(tmp_path)
    kept.keep(SHIPPED)
    other = "sha256:" + "0" * 64
    (tmp_path / f"{SHIPPED.revision[7:]}.bundle").rename(tmp_path / f"{other[7:]}.bundle")
    with pytest.raises(BundleInvalidError, match="does not have the hash"):
        kept.stored(other)


def officer(sub, tenant="gfm"):
    return Subject(sub=sub, tenant=tenant, role="admin", department="RMG", jurisdictions=("SG",))


ANN, BEN = officer("ann"), officer("ben")
ONE, TWO, THREE = "one", "two", "three"


def after(*switches, back=()):
    """The state after bundles took over from one another, a minute apart, the last one at `NOW`."""
    state = LifecycleState(active=ONE)
    for place, revision in enumerate(switches):
        at = NOW - timedelta(minutes=len(switches) - 1 - place)
        state = state.model_copy(update=state.switched(revision, at, back=place in back))
    return state


class TestRollback:
    def test_one_officer_goes_back_one_step_within_the_time(self):
        """
        One officer alone goes back to the bundle just before, within the time, which is flagged; later, earlier than it was
        switched, or to an older one, it takes another.
        """
        state = after(TWO, THREE)
        for minutes in (0, 59, 60):
            assert state.way_back(TWO, ANN, NOW + timedelta(minutes=minutes), 3600) == ("BREAK-GLASS", "ROLLED-BACK")
        for revision, minutes in ((TWO, 61), (TWO, -1), (ONE, 0)):
            assert state.way_back(revision, ANN, NOW + timedelta(minutes=minutes), 3600) == ()
        assert state.way_back(TWO, ANN, NOW + timedelta(seconds=1), 0) == ()

    def test_the_second_is_another_person(self):
        """
        Who proposed to go back does not confirm it, under whatever spelling and tenant; somebody else does.
        """
        state = after(TWO, THREE).model_copy(update={"rollbacks": {ONE: ANN.person}})
        for same in (ANN, officer("ANN"), officer("\uff21nn"), officer("ann", "asia")):
            with pytest.raises(SecondOfficerError):
                state.way_back(ONE, same, NOW, 3600)
        assert state.way_back(ONE, BEN, NOW, 3600) == ("ROLLED-BACK",)

    def test_no_way_forward_alone(self):
        """
        To what was taken back there is no way alone, however soon; and a switch uses up what was proposed before it.
        """
        state = after(TWO, ONE, back={1})
        assert state.way_back(TWO, ANN, NOW, 3600) == ()
        waiting = after(TWO).model_copy(update={"rollbacks": {ONE: ANN.person}, "proposed": {THREE: "ann", TWO: "ben"}})
        switched = waiting.model_copy(update=waiting.switched(THREE, NOW, back=False))
        assert (switched.rollbacks, switched.proposed) == ({}, {TWO: "ben"})
        with pytest.raises(NotFoundError):
            switched.may_activate(THREE, BEN)

    def test_to_what_decides_or_never_did(self):
        """
        There is nothing to go back to where the bundle decides already, or never did.
        """
        with pytest.raises(FieldInvalidError):
            after(TWO).way_back(TWO, ANN, NOW, 3600)
        with pytest.raises(NotFoundError):
            after(TWO).way_back(THREE, ANN, NOW, 3600)

    def test_a_proposal_of_an_earlier_version_is_not_believed(self, tmp_path):
        """
        Who proposed was kept by tenant and name: such a proposal is made anew, so that its proposer does not activate it alone.
        """
        file = tmp_path / "state.json"
        file.write_text(json.dumps({"active": ONE, "proposers": {TWO: json.dumps(["gfm", "ann"])}, "activated": [ONE]}))
        with pytest.raises(NotFoundError):
            remembered(file).may_activate(TWO, ANN)


def test_an_officer_who_is_erased(tmp_path):
    """
    Proposals of the person are gone from the file, however the name was written, and those of others are still there.
    """
    file = tmp_path / "policy.json"
    assert forget_proposals(file, "Olga Petrova") == 0
    state = LifecycleState(
        active="a",
        proposed={"b": "olgapetrova", "c": "ann"},
        rollbacks={"d": "olgapetrova"},
        proposers={"e": "gfm/olga"},
    )
    keep_state(file, state)
    assert forget_proposals(file, "Olga Petrova") == 2
    assert remembered(file) == LifecycleState(active="a", proposed={"c": "ann"})
    assert "olga" not in "".join(path.read_text() for path in tmp_path.iterdir())
    later = state.model_copy(update={"proposed": {**state.proposed, "f": "ben"}})
    known = later.unless_dropped(state, remembered(file))
    assert (known.proposed, known.rollbacks) == ({"c": "ann", "f": "ben"}, {})


def test_what_goes_with_bundles_is_found_by_its_kind(tmp_path):
    """
    Everything of a kind is found, but for what does not have the hash that it is stored under.
    """
    store = BundleStore(tmp_path / "bundles")
    assert list(store.all_beside("review")) == []
    digests = [store.keep_beside("review", content) for content in (b"one", b"two")]
    store.keep_beside("cases", b"three")
    assert sorted(store.all_beside("review")) == [b"one", b"two"]
    (tmp_path / "bundles" / f"{digests[0].removeprefix('sha256:')}.review").write_bytes(b"other")
    assert list(store.all_beside("review")) == [b"two"]
