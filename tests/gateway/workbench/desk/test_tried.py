"""What is wrong with a candidate stands at its file and line."""

from gateway.workbench.desk.tried import found_in_case, found_in_tests

FILES = {
    "context/trust/cases.yaml": b'area: trust\nallowed:\n  - case: "one"\n  - case: two\n',
    "context/trust/trust_test.rego": b"package x\n\ntest_a if true\n\ntest_b if {\n\ttrue\n}\n",
}


def test_a_case_stands_at_the_line_that_names_it():
    """
    Quoted or not; of a case that is not found the file is told, and of no file nothing is made up.
    """
    places = [found_in_case("trust", name, "m", FILES).where for name in ("one", "two", "three")]
    assert places == ["context/trust/cases.yaml:3", "context/trust/cases.yaml:4", "context/trust/cases.yaml"]
    assert found_in_case("pii", "one", "m", FILES).where == "context/pii/cases.yaml"


def test_a_test_stands_at_its_line():
    """
    A Rego test that fails is told at the line on which it begins; what names no file is of the bundle.
    """
    told = ["context/trust/trust_test.rego: test_b fails", "the tests do not compile: x"]
    assert [one.where for one in found_in_tests(told, FILES)] == ["context/trust/trust_test.rego:5", "bundle"]
