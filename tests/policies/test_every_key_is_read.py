"""
No key of a table is read by nobody: what is changed, something answers otherwise.

The rows of one table count as one key: where a row is changed and something answers otherwise, the key is read.  What is asked:
every case of the officers at the entrypoints that ask its area, the pages and checks of the bundle, and packs of a bundled story
and of a session, with a registry of the changed tables.
"""

import json

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

import pytest

from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.cases import read_cases
from tests.support.changed_tables import Tables, changed, keys_of

BUNDLE: Final = load_bundle(HOME / "policies")
KEYS: Final = keys_of(BUNDLE.data)
