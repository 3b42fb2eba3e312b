import pytest

from solution import from_roman, to_roman

PAIRS = [
    (1, "I"),
    (3, "III"),
    (4, "IV"),
    (9, "IX"),
    (14, "XIV"),
    (40, "XL"),
    (58, "LVIII"),
    (90, "XC"),
    (400, "CD"),
    (944, "CMXLIV"),
    (1994, "MCMXCIV"),
    (2026, "MMXXVI"),
    (3999, "MMMCMXCIX"),
]


@pytest.mark.parametrize(("number", "numeral"), PAIRS)
def test_to_roman(number, numeral):
    assert to_roman(number) == numeral


@pytest.mark.parametrize(("number", "numeral"), PAIRS)
def test_from_roman(number, numeral):
    assert from_roman(numeral) == number


def test_there_and_back():
    wrong = [n for n in range(1, 4000) if from_roman(to_roman(n)) != n]
    assert wrong[:3] == []


def test_small_letters_are_read():
    assert from_roman("xiv") == 14


@pytest.mark.parametrize("number", [0, -5, 4000])
def test_number_out_of_range(number):
    with pytest.raises(ValueError):
        to_roman(number)


@pytest.mark.parametrize("text", ["", "ABC", "IIII", "VV", "IC", "VX", "IVI"])
def test_no_numeral(text):
    with pytest.raises(ValueError):
        from_roman(text)
