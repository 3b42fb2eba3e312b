"""Closed intervals as (start, end) pairs."""


def merge(intervals):
    """Join intervals that overlap or touch; sorted, without changing the argument."""
    return []
