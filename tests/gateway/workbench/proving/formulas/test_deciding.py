import pytest

from pydantic import TypeAdapter

from adapters.policy.proving import Builtins
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.policy.entrypoints import ADMIT, SCOPE
from gateway.workbench.proving.asking import AskedBundle
from gateway.workbench.proving.engines import Engines
from gateway.workbench.proving.formulas.deciding import Deciding
from gateway.workbench.proving.invariants import permitted_rule
from tests.support.bundles import SHIPPED
from tests.support.drawn_facts import Drawing

MODULE = "\n\n".join(["package ctxgate.proof", permitted_rule("scope"), permitted_rule("admit")]) + "\n"
ENGINES = Engines(ground=Builtins(), embedded="regorus", compile_=RegorusPolicyEngine)


@pytest.fixture(scope="module")
def asked():
    return AskedBundle(SHIPPED, MODULE, ENGINES)


def disagreements(asked, question, entrypoint, count, seed):
    formula = asked.holds(question, f"permitted_{question}")
    engine = RegorusPolicyEngine(SHIPPED, [entrypoint.name])
    drawing = Drawing(TypeAdapter(entrypoint.input).json_schema(), dict(asked.base), seed)
    permitted, wrong = 0, []
    for _ in range(count):
        facts = drawing.one()
        said = engine.query(entrypoint.name, facts)["allow"]
        permitted += said
        if Deciding(facts, asked.schema(question), ENGINES.ground).holds(formula) is not said:
            wrong.append(facts)
    return permitted, wrong


@pytest.mark.parametrize(("question", "entrypoint"), [("scope", SCOPE), ("admit", ADMIT)])
def test_formulas_say_of_an_input_what_the_engine_decides(asked, question, entrypoint):
    """What is proved of the formulas is proved of the engine: on 5,000 drawn inputs the two never differ."""
    permitted, wrong = disagreements(asked, question, entrypoint, 2_500, seed=7)
    assert wrong == []
    assert 250 < permitted < 2_250


@pytest.mark.soak
@pytest.mark.parametrize(("question", "entrypoint"), [("scope", SCOPE), ("admit", ADMIT)])
def test_formulas_agree_on_a_million_inputs(asked, question, entrypoint):
    """The same for 10^6 inputs."""
    assert disagreements(asked, question, entrypoint, 500_000, seed=11)[1] == []
