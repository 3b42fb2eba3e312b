import pytest

from solution import word_frequency


def test_counts_words():
    assert word_frequency("red blue red") == [("red", 2), ("blue", 1)]


def test_no_text_has_no_words():
    assert word_frequency("") == []


def test_only_separators_have_no_words():
    assert word_frequency(" ... -- !\n\t") == []


def test_capitals_do_not_matter():
    assert word_frequency("Tea tea TEA") == [("tea", 3)]


def test_punctuation_separates():
    assert word_frequency("one,two;two.(one)-two!") == [("two", 3), ("one", 2)]


def test_same_count_is_alphabetical():
    assert word_frequency("pear fig apple fig pear kiwi") == [
        ("fig", 2),
        ("pear", 2),
        ("apple", 1),
        ("kiwi", 1),
    ]


def test_apostrophe_inside_a_word():
    assert word_frequency("Don't, 'quoted' don't") == [("don't", 2), ("quoted", 1)]


def test_digits_count():
    assert word_frequency("route 66 is route 66") == [("66", 2), ("route", 2), ("is", 1)]


def test_letters_beyond_ascii():
    assert word_frequency("Über über straße") == [("über", 2), ("straße", 1)]


def test_top_cuts():
    assert word_frequency("a b b c c c", top=2) == [("c", 3), ("b", 2)]


def test_top_larger_than_the_list():
    assert word_frequency("a b b", top=9) == [("b", 2), ("a", 1)]


def test_top_zero():
    assert word_frequency("a b b", top=0) == []


def test_negative_top_is_refused():
    with pytest.raises(ValueError):
        word_frequency("a", top=-1)
