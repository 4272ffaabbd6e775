"""What tests of proofs share."""

from adapters.policy.proving import Builtins
from adapters.policy.regorus import RegorusPolicyEngine
from gateway.workbench.proving.engines import Engines

ENGINES = Engines(ground=Builtins(), embedded="regorus", compile_=RegorusPolicyEngine)
PATIENT = 600.0
"""Seconds for the solver, in tests: what it settles does not hang on what else the machine does."""

JURISDICTION = "context/jurisdiction/jurisdiction.rego"
