#!/usr/bin/env python3
"""Every row of the catalog, as `glass eval --device host` computes it, against NumPy, SciPy and LAPACK within the bounds of its contract.
   oracle_test.py GLASS_PROGRAM [Complete | vector | reduction | …] [-k ROW] [-v]"""
import importlib
import pathlib
import sys
import unittest

import leg

FAMILIES = sorted(p.stem.removeprefix("of_") for p in pathlib.Path(__file__).parent.glob("of_*.py"))
PROGRAM = sys.argv.pop(1)
GLASS = leg.Glass(PROGRAM)


class Complete(unittest.TestCase):
    def test_every_row_has_an_oracle_and_every_oracle_a_row(self):
        self.assertEqual(sorted(set(GLASS.catalog) - set(leg.rows)), [], "rows without an oracle")
        self.assertEqual(sorted(set(leg.rows) - set(GLASS.catalog)), [], "oracles of rows that are gone")

    def test_every_row_has_two_sizes_one_of_them_odd(self):
        for row in leg.rows.values():
            if GLASS.catalog[row.name]["operands"] and row.sizes != [{}]:
                with self.subTest(row.name):
                    self.assertGreaterEqual(len(row.sizes), 2)
                    self.assertTrue(any(value % 2 for value in row.sizes[0].values()), row.sizes)


def test_of(row):
    def test(self):
        for case in leg.cases(GLASS, row):
            with self.subTest(str(case)):
                case.check()
    return test


for family in FAMILIES:
    importlib.import_module(f"of_{family}")
    mine = {f"test_{name}": test_of(row) for name, row in leg.rows.items() if row.family == f"of_{family}" and name in GLASS.catalog}
    globals()[family] = type(family, (unittest.TestCase,), mine)

if __name__ == "__main__":
    unittest.main()
