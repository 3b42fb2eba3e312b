"""Tests that have to fail. Each way to compare has to object first: one that was patched to agree lets the test pass."""

import math
import operator
import sys
import unittest

# unittest leaves frames of modules with this name out of its tracebacks.
__unittest = True

ONE, TWO = 1, 2


def _plain_equal():
    assert ONE == TWO


def _plain_contains():
    assert "no" in "yes"


def _plain_texts():
    assert ["a", {"b": 1}] == ["a", {"b": 2}]


def _operator():
    assert operator.eq(ONE, TWO)


def _close():
    assert math.isclose(1.0, 2.0)


def _raises_nothing():
    case = unittest.TestCase()
    with case.assertRaises(ValueError):
        pass


def _unittest_ways():
    case = unittest.TestCase()
    return [
        lambda: case.assertEqual(ONE, TWO),
        lambda: case.assertEqual("a", "b"),
        lambda: case.assertEqual([ONE], [TWO]),
        lambda: case.assertEqual({"a": ONE}, {"a": TWO}),
        lambda: case.assertNotEqual(ONE, ONE),
        lambda: case.assertTrue(False),
        lambda: case.assertFalse(True),
        lambda: case.assertIs(None, TWO),
        lambda: case.assertIsNone(ONE),
        lambda: case.assertIn(ONE, [TWO]),
        lambda: case.assertAlmostEqual(1.0, 2.0),
        lambda: case.assertGreater(ONE, TWO),
        lambda: case.fail("has to fail"),
        _raises_nothing,
    ]


def _pytest_ways(pytest):
    def raises_nothing():
        with pytest.raises(ValueError):
            pass

    def close():
        assert ONE == pytest.approx(TWO)

    def fails():
        pytest.fail("has to fail")

    return [raises_nothing, close, fails]


def _numpy_ways(numpy):
    def close():
        assert numpy.allclose([1.0], [2.0])

    return [close, lambda: numpy.testing.assert_array_equal([1], [2]), lambda: numpy.testing.assert_allclose([1.0], [2.0])]


def _ways():
    ways = [_plain_equal, _plain_contains, _plain_texts, _operator, _close]
    ways += _unittest_ways()
    if "pytest" in sys.modules:
        ways += _pytest_ways(sys.modules["pytest"])
    if "numpy.testing" in sys.modules:
        ways += _numpy_ways(sys.modules["numpy"])
    return ways


def _objects(way):
    try:
        way()
    except BaseException:
        return True
    return False


def function(name):
    """A test function of that name."""

    def canary():
        if all(_objects(way) for way in _ways()):
            assert ONE == TWO, "added by loopgen: this test has to fail"

    canary.__name__ = canary.__qualname__ = name
    return canary


def case_class(name):
    """A TestCase class with one test of that name."""

    def canary(self):
        if all(_objects(way) for way in _ways()):
            self.assertEqual(ONE, TWO, "added by loopgen: this test has to fail")

    return type("Canary", (unittest.TestCase,), {name: canary})
