"""Other systems that ask for context in their own words: Dify's external knowledge API."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute

from gateway.api.calls import Server
from gateway.api.dependencies import Caller, RunningGateway, called, document_in, read_body
from gateway.api.foreign.dify import DifyAnswer, DifyQuestion, answer_of, members_of, request_of
from gateway.api.openapi import ASKED, body_of
from gateway.concurrency.apart import apart
from gateway.content.parsing import shaped
from gateway.errors import GatewayError, NoCandidatesError
from gateway.pipeline import Asked

BODIES = (DifyQuestion,)
_QUESTION: dict[str, Any] = {
    "knowledge_id": f"agent={ASKED['agent_id']}&purpose={ASKED['purpose']}&model={ASKED['model']}&jurisdictions=SG",
    "query": "Which approvals does the product need?",
    "retrieval_setting": {"top_k": 4, "score_threshold": 0.3},
}


class DifyRoute(APIRoute):
    """A route whose errors say what Dify reads of them, beside what ours say."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """As FastAPI says."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except GatewayError as error:
                request.state.problem_members = members_of(error)
                raise

        return handler


router = APIRouter(prefix="/v1/integrations", route_class=DifyRoute)


@router.post("/dify/retrieval", openapi_extra=body_of(DifyQuestion, _QUESTION))
async def dify_retrieval(request: Request, gateway: RunningGateway, subject: Caller) -> DifyAnswer:
    """Released items of the section `knowledge`, best first, of a pack that is made and recorded as `POST /v1/packs` makes it."""
    call = called(request, gateway, subject, "packs:write")
    server: Server = request.app.state.server
    async with server.in_time(call):
        sent = await read_body(request)
        async with server.queue.slot(subject.tenant):
            document = await document_in(sent, request, gateway)
            question = await apart(lambda: shaped(DifyQuestion, document))
            asked = await apart(lambda: request_of(question))
            await server.within_agent(call, asked.agent_id)
            try:
                pack = await gateway.pipeline.assemble(Asked(asked, subject, call.now, call.trace_id))
            except NoCandidatesError:
                # Nothing was found, which is on record; to Dify that is an answer and no failure.
                return DifyAnswer(records=())
    return await apart(lambda: answer_of(pack, question))
