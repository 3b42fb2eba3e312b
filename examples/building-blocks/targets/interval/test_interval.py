from interval import merge


def test_joins_what_overlaps():
    assert merge([(1, 4), (2, 6)]) == [(1, 6)]


def test_joins_what_touches():
    assert merge([(1, 2), (2, 3)]) == [(1, 3)]


def test_keeps_what_lies_inside():
    assert merge([(1, 9), (3, 4), (10, 11)]) == [(1, 9), (10, 11)]


def test_leaves_its_argument_alone():
    given = [(5, 6), (1, 2)]
    assert merge(given) == [(1, 2), (5, 6)]
    assert given == [(5, 6), (1, 2)]
