#!/usr/bin/env python3
"""The oracles find faults: each of faults.py, in the headers as `glass eval` compiles them, turns its row red.
   faults_test.py GLASS_PROGRAM [-k ROW] [-v]"""
import os
import pathlib
import shlex
import sys
import unittest

import leg
import oracle_test
from faults import FAULTS

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "include" / "glass"


class Faults(unittest.TestCase):
    def red(self, row, header, before, after):
        """The first case that is wrong with the fault. What does not compile or run is an error, not a find."""
        glass = oracle_test.GLASS.with_compiler(
            [sys.executable, "-SE", HERE / "faulty_compiler.py", f"glass/{header}", before, after, *shlex.split(os.environ.get("CXX", "c++"))], "-O0")
        for case in leg.cases(glass, leg.rows[row]):
            try:
                case.check()
            except AssertionError as found:
                return found
        return None

    def test_twenty_operations_and_more(self):
        self.assertGreaterEqual(len({row for row, *_ in FAULTS}), 20)


def test_of(row, header, before, after):
    def test(self):
        self.assertEqual((INCLUDE / header).read_text(encoding="utf-8").count(before), 1, f"in {header}, so that the fault is one: {before}")
        self.assertIsNotNone(self.red(row, header, before, after), f"{row}: no case is wrong with {after!r} for {before!r} in {header}")
    return test


for k, fault in enumerate(FAULTS):
    setattr(Faults, f"test_{fault[0]}_{k}", test_of(*fault))

if __name__ == "__main__":
    unittest.main(defaultTest="Faults")
