# SPDX-License-Identifier: Apache-2.0
"""What a parcel costs: a project to run tests of."""


def price(grams):
    """In cents."""
    if grams <= 0:
        raise ValueError("a parcel weighs something")
    return 450 if grams <= 1_000 else 450 + 120 * -(-(grams - 1_000) // 500)
