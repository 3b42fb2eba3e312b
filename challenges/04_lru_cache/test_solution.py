from solution import LRUCache


def test_basic_put_get():
    cache = LRUCache(2)
    cache.put(1, 10)
    assert cache.get(1) == 10
    cache.put(2, 20)
    assert cache.get(2) == 20
    assert cache.get(1) == 10


def test_missing_key_returns_minus_one():
    cache = LRUCache(2)
    assert cache.get("nothing") == -1


def test_eviction_of_lru_after_get():
    cache = LRUCache(2)
    cache.put(1, 10)
    cache.put(2, 20)
    assert cache.get(1) == 10
    cache.put(3, 30)
    assert cache.get(2) == -1
    assert cache.get(1) == 10
    assert cache.get(3) == 30


def test_eviction_full_sequence():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert cache.get("b") == -1
    cache.put("d", 4)
    assert cache.get("a") == -1
    assert cache.get("c") == 3
    assert cache.get("d") == 4


def test_put_existing_key_updates_value_and_refreshes():
    cache = LRUCache(2)
    cache.put(1, 10)
    cache.put(2, 20)
    cache.put(1, 11)
    cache.put(3, 30)
    assert cache.get(1) == 11
    assert cache.get(2) == -1
    assert cache.get(3) == 30


def test_capacity_one():
    cache = LRUCache(1)
    cache.put(1, 10)
    assert cache.get(1) == 10
    cache.put(2, 20)
    assert cache.get(1) == -1
    assert cache.get(2) == 20


def test_get_missing_does_not_insert():
    cache = LRUCache(2)
    cache.put(1, 10)
    cache.put(2, 20)
    assert cache.get(3) == -1
    assert cache.get(1) == 10
    assert cache.get(2) == 20


def test_does_not_exceed_capacity():
    cache = LRUCache(3)
    for key in range(10):
        cache.put(key, key * key)
    held = [key for key in range(10) if cache.get(key) != -1]
    assert held == [7, 8, 9]
