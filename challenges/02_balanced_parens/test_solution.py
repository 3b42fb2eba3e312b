import pytest

from solution import is_balanced


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no brackets at all",
        "()",
        "[]",
        "{}",
        "()[]{}",
        "([{}])",
        "{[()()][]}",
        "f(a[i], {'k': (1, 2)})",
        "(" * 500 + ")" * 500,
    ],
)
def test_balanced(text):
    assert is_balanced(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "(",
        ")",
        "(]",
        "([)]",
        "())",
        "(()",
        "}{",
        "[{]}",
        "a)b(c",
        "(" * 500 + ")" * 499,
    ],
)
def test_unbalanced(text):
    assert is_balanced(text) is False
