import pytest

from solution import fizzbuzz


@pytest.mark.parametrize(
    ("position", "word"),
    [
        (1, "1"),
        (2, "2"),
        (3, "Fizz"),
        (5, "Buzz"),
        (9, "Fizz"),
        (15, "FizzBuzz"),
        (20, "Buzz"),
        (30, "FizzBuzz"),
    ],
)
def test_word_at(position, word):
    assert fizzbuzz(30)[position - 1] == word


def test_first_five():
    assert fizzbuzz(5) == ["1", "2", "Fizz", "4", "Buzz"]


def test_length_is_n():
    assert len(fizzbuzz(100)) == 100


def test_every_item_is_text():
    assert all(isinstance(item, str) for item in fizzbuzz(16))


def test_zero_gives_nothing():
    assert fizzbuzz(0) == []


def test_negative_is_refused():
    with pytest.raises(ValueError):
        fizzbuzz(-1)
