"""The task that keeps the log up."""

from gateway.bootstrap.gateway import running
from tests.support.clock import NOW
from tests.support.requests import asked


async def test_the_folder_is_published_too(settings, subject, small, tmp_path):
    """
    Where a folder is set, the checkpoint and tiles lie there as files, without any entry.
    """
    async with running(settings.model_copy(update={"log_dir": tmp_path / "log"}), clock=lambda: NOW) as gateway:
        await gateway.pipeline.assemble(asked(small, subject))
        published = await gateway.ledger.keeper.round()
    assert (tmp_path / "log/tile/0").is_dir()
    assert not (tmp_path / "log/tile/entries").exists()
    size = int((tmp_path / "log/checkpoint").read_text().split("\n")[1])
    assert size >= published.size
