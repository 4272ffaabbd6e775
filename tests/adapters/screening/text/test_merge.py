"""One finding for one stretch of text."""

from adapters.screening.text.merge import merged
from gateway.model import Finding


class TestMerging:
    def finding(self, type_, score, start, end):
        return Finding(kind="pii", type=type_, score=score, start=start, end=end, detector="t")

    def test_the_surer_finding_stays(self):
        """
        Of overlapping findings the surer one stays; where they are as sure as each other both do, if of different types.
        """
        sure, doubtful = self.finding("ID_NIK", 0.95, 0, 16), self.finding("CREDIT_CARD", 0.7, 0, 16)
        assert merged([doubtful, sure]) == [sure]
        first, second = self.finding("AU_ACN", 0.45, 0, 9), self.finding("AU_TFN", 0.45, 0, 9)
        assert merged([second, first]) == [first, second]
        assert merged([first, self.finding("AU_ACN", 0.45, 3, 9)]) == [first]
