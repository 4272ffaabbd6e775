from adapters.policy.proving import Builtins, ProofEngines


def test_a_builtin_is_asked_of_the_embedded_engine():
    """What it gives is what rules get, and what is undefined is nothing."""
    ground = Builtins()
    assert ground("concat", ("", ["a", "b"])) == ("ab",)
    assert ground("concat", ("", None)) == ()


def test_the_engines_say_which_they_are():
    """A proof names the engines that decided, with their versions."""
    with ProofEngines(with_opa=False) as engines:
        assert engines.engines().names[0].startswith("regorus ")
        assert len(engines.engines().names) == 1
