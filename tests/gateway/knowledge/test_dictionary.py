"""The label dictionary as it is asked about."""

import numpy as np
import pytest

from gateway.errors import IndexUnavailableError
from gateway.knowledge.dictionary import digest_of, permitted_digest, snapshot
from gateway.model.request import Provenance
from gateway.ports.knowledge import LabelTuple
from tests.support.knowledge_fakes import FakeDocuments

ONE = LabelTuple(1, "gfm", Provenance(source_id="SOP"))
OTHER = LabelTuple(2, "gfm", Provenance(source_id="MAS"))


def test_the_digest_says_what_there_is_and_not_in_which_order():
    """
    A label, an id or the time of an origin that differs gives another digest; the order of reading does not.
    """
    assert digest_of([ONE, OTHER]) == digest_of([OTHER, ONE])
    later = LabelTuple(1, "gfm", ONE.labels.model_copy(update={"fetched_at": "2026-03-01T00:00:00.000000Z"}))
    assert (
        len({digest_of(some) for some in ([ONE], [OTHER], [ONE, OTHER], [later], [LabelTuple(3, "gfm", ONE.labels)])})
        == 5
    )


def test_masks_of_other_ids_have_other_digests():
    """
    What could be found is told by the digest of the mask.
    """
    masks = [np.array(one, np.int64) for one in ([], [1], [1, 2], [2])]
    assert len({permitted_digest(one) for one in masks}) == len(masks)


def test_a_dictionary_that_never_stands_still_is_not_read():
    """
    Combinations of two epochs are never taken for those of one.
    """

    class Restless(FakeDocuments):
        def tuples(self, tenant):
            self.epoch += 1
            return super().tuples(tenant)

    with pytest.raises(IndexUnavailableError):
        snapshot(Restless([ONE]), "gfm")
    assert snapshot(FakeDocuments([ONE]), "gfm") == (1, [ONE])
