"""Named families of cat curves (K18)."""

CAT_FAMILIES = ("square", "linear", "triangular", *(f"flat_after_{last}" for last in range(1, 20)))


def cat_table(family: str, length: int) -> tuple[int, ...]:
    """Points for 1..length cats in a named family (K18); `flat_after_k` is square up to k, then level.

    >>> cat_table("triangular", 7), cat_table("flat_after_3", 5)
    ((1, 3, 6, 10, 15, 21, 28), (1, 4, 9, 9, 9))
    """
    cats = range(1, length + 1)
    if family == "linear":
        return tuple(cats)
    if family == "triangular":
        return tuple(n * (n + 1) // 2 for n in cats)
    last = length if family == "square" else int(family.removeprefix("flat_after_"))
    return tuple(min(n, last) ** 2 for n in cats)
