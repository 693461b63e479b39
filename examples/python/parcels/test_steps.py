# SPDX-License-Identifier: Apache-2.0
import unittest

from tariff import price


class StepsTest(unittest.TestCase):
    def test_each_half_kilogram_begun_costs_more(self):
        self.assertEqual([price(1_500), price(1_501), price(2_000)], [570, 690, 690])

    def test_a_price_that_nobody_asks_for(self):
        """Fails on purpose: a run of tests has to tell of it."""
        self.assertEqual(price(20_000), 5_000)


if __name__ == "__main__":
    unittest.main()
