"""What the gateway answers to the bundled stories, and to small requests of its own, when a bundle has other tables."""

import asyncio
import json
import shutil

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, suppress
from copy import deepcopy
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, GatewayError
from gateway.model import ContextPack, PackRequest, Subject
from gateway.model.content import content_digest
from gateway.pipeline import Asked, Pipeline
from gateway.policy.bundle import Bundle
from gateway.policy.registries import Registries
from gateway.settings import HOME, Settings
from tests.support.clock import NOW
from tests.support.signing import VouchingLabels
from tests.support.small_stories import EXAMPLES, Document, read, small

BUNDLED = ("npa-risk", "desk-counterparty", "orm-incident-hk", "quickstart")


class OtherTables(RegorusPolicyEngine):
    """A policy engine that is compiled once and told other tables each time, under one revision, so that ids stay the same."""

    def tell(self, data: str) -> None:
        """The tables from now on, as JSON."""
        assert self._machine is not None
        self._machine.set_data_json(data)


class Stories:
    """A running gateway that is asked everything anew, under other tables."""

    def __init__(
        self,
        settings: Settings,
        bundle: Bundle,
        folder: Path,
        *,
        asked: Iterable[tuple[Asked, ...]] | None = None,
        told: Callable[[ContextPack], str] = ContextPack.model_dump_json,
    ) -> None:
        """
        Args:
            settings: of the gateway.
            bundle: whose rules decide.
            folder: for what sources answer; it is not there yet.
            asked: requests, each with its turns; by default the bundled stories and the small ones.
            told: what of an answer is compared.
        """
        self._bundle, self._told = bundle, told
        self._runner = asyncio.Runner()
        self._open = AsyncExitStack()
        chosen = settings.model_copy(update={"sources_dir": _sources(folder)})
        pipeline = self._runner.run(self._open.enter_async_context(running(chosen))).pipeline
        self._pipeline = replace(pipeline, verifiers=replace(pipeline.verifiers, labels=VouchingLabels(chosen)))
        self._engine = OtherTables(bundle)
        shipped = Tables(self._pipeline, bundle, bundle.data)
        self.before = [(turns, self._ask(turns, shipped)) for turns in (_asked() if asked is None else asked)]

    def close(self) -> None:
        """Stop the gateway."""
        self._runner.run(self._open.aclose())
        self._runner.close()

    def answer_otherwise(self, changed: Iterable[Mapping[str, Any]]) -> bool:
        """Whether any story is answered otherwise with any of these tables; those that no gateway takes say nothing."""
        usable = []
        for data in changed:
            with suppress(BundleInvalidError):
                usable.append(Tables(self._pipeline, self._bundle, data))
        for place, (turns, before) in enumerate(self.before):
            if any(self._ask(turns, tables) != before for tables in usable):
                # The keys of one table stand together, and matter in the same stories.
                self.before.insert(0, self.before.pop(place))
                return True
        return False

    def _ask(self, turns: tuple[Asked, ...], tables: "Tables") -> list[str]:
        self._engine.tell(tables.text)
        pipeline = replace(self._pipeline, registries=tables.registries, policy=self._engine)
        return [self._runner.run(_answer(pipeline, asked, self._told)) for asked in turns]


class Tables:
    """Tables that a gateway takes."""

    def __init__(self, pipeline: Pipeline, bundle: Bundle, data: Mapping[str, Any]) -> None:
        """
        Raises:
            BundleInvalidError: they hold no registry.
        """
        wide = _widened(data)
        self.text = json.dumps(wide)
        self.registries = Registries(pipeline.registries._sources_of)
        self.registries.hold(replace(bundle, data=wide))


async def _answer(pipeline: Pipeline, asked: Asked, told: Callable[[ContextPack], str]) -> str:
    try:
        return told(await pipeline.assemble(asked))
    except GatewayError as error:
        # That the ledger holds another decision under the same id is an answer too.
        return repr((error.code, str(error), error.fields))


def _asked() -> Iterator[tuple[Asked, ...]]:
    """The stories, each with its turns."""
    for story in BUNDLED:
        now = datetime.fromisoformat(read(story, "clock")["now"])
        yield (call(read(story, "subject"), read(story, "request"), now),)
    for claims, wanted in small():
        yield tuple(call(claims, request, NOW) for request in wanted)


def call(claims: Document, request: Document, now: datetime) -> Asked:
    """A request as the pipeline is asked it."""
    return Asked(PackRequest.model_validate(request), Subject.model_validate(claims), now)


def _widened(data: Mapping[str, Any]) -> dict[str, Any]:
    """
    The tables as an officer may have them tomorrow: orchestrators may have all sections, the prompt library has the examples of
    the small requests, and there is a second profile of budgets.
    """
    wide = deepcopy(dict(data))
    contract = wide["context"]["contract"]["contracts"]["orchestrator"]
    contract["allowed"], contract["forbidden"] = [*contract["allowed"], *contract["forbidden"]], []
    prompts = wide["registry"]["prompts"]["prompts"]
    shipped = prompts[-1]
    prompts += [
        {**shipped, "id": name, "sha256": content_digest(text), "sections": ["few_shot"], "agents": ["*"]}
        for name, text in EXAMPLES.items()
    ]
    wide["registry"]["budgets"]["profiles"]["another"] = {}
    return wide


def _sources(folder: Path) -> Path:
    """What the sources answer: on the incident of a story, and about a counterparty nothing that can be read."""
    shutil.copytree(HOME / "examples/orm-incident-hk/sources", folder)
    (folder / "desk/CP-1.json").mkdir(parents=True)
    return folder
