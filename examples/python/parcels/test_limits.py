# SPDX-License-Identifier: Apache-2.0
import unittest

from tariff import price


class LimitsTest(unittest.TestCase):
    def test_a_parcel_of_no_weight_is_refused(self):
        with self.assertRaises(ValueError):
            price(0)

    def test_a_kilogram_is_the_last_of_the_small_ones(self):
        self.assertEqual([price(1_000), price(1_001)], [450, 570])


if __name__ == "__main__":
    unittest.main()
