"""What decisions of a turn depend on beside the request."""

from gateway.model import Candidate
from gateway.model.session import Prefix, Segment, Session, SessionState

ITEM = Candidate.model_validate({"id": "a", "section": "knowledge", "content": "x"})


def session(*segments, **changes):
    return Session(name="s", turn=2, before=SessionState(turn=1, segments=segments, **changes))


def test_a_session_that_carries_nothing_changes_nothing():
    """
    A first turn, and one before which nothing was kept, are decided as without a session.
    """
    assert Session().digest is None
    assert session().digest is None


def test_what_is_carried_over_is_part_of_the_request():
    """
    Two turns with other libraries are two requests, so that an answer of one is never given for the other.
    """
    one = session(Segment(id="a", item=ITEM))
    assert one.digest == session(Segment(id="a", item=ITEM)).digest
    others = {
        session(Segment(id="b", item=ITEM)).digest,
        session(Segment(id="a", item=ITEM, form="digest")).digest,
        session(Segment(id="a", item=ITEM.model_copy(update={"content": "y"}))).digest,
        session(Segment(id="a", item=ITEM), prefix=Prefix(system="0")).digest,
    }
    assert len({one.digest, *others}) == 5
