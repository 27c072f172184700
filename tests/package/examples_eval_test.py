#!/usr/bin/env python3
"""The examples' specs (kernels_src/examples/*.json) through `glass eval`, on the real data: right in f64, in emulated warps with shuffled
lanes, and clean under the race check.   examples_eval_test.py GLASS_PROGRAM"""
import array
import ast
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "kernels_src" / "examples"
GLASS = sys.argv.pop(1)


def read_npy(file):
    """(shape, element in C order) of a float64 file."""
    data = pathlib.Path(file).read_bytes()
    end = 10 + int.from_bytes(data[8:10], "little")
    head = ast.literal_eval(data[10:end].decode())
    assert head["descr"] == "<f8", head
    numbers, shape = array.array("d", data[end:]), head["shape"]
    if head["fortran_order"]:
        strides = [math.prod(shape[:k]) for k in range(len(shape))]
        order = [0]
        for n, s in zip(shape, strides):
            order = [at + i * s for at in order for i in range(n)]
        numbers = [numbers[at] for at in order]
    return shape, list(numbers)


def write_npy(file, shape, numbers):
    head = repr({"descr": "<f8", "fortran_order": False, "shape": shape}).encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    pathlib.Path(file).write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + array.array("d", numbers).tobytes())


class Eval(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def eval(self, kernel, inputs, out, *words):
        files = [f"--in={name}={file}" for name, file in inputs.items()]
        result = self.folder / "result.npy"
        command = [GLASS, "eval", "--source", EXAMPLES / f"{kernel}.cu", "--spec", EXAMPLES / f"{kernel}.json", "--device", "host",
                   *files, f"--out={out}={result}", *words]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env={**os.environ, "GLASS_CACHE": "memory"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return read_npy(result)

    def check(self, kernel, inputs, out, known):
        few = {}
        for name, file in inputs.items():  # the emulator is slow: a part of the problems will do
            shape, numbers = read_npy(file)
            few[name] = self.folder / f"{name}.npy"
            write_npy(few[name], (8, *shape[1:]), numbers[:8 * math.prod(shape[1:])])
        shape, numbers = read_npy(known)
        for given, words in [(inputs, []), (few, ["--lanes", "shuffled", "--placement", "scope=warp home=shared pack=2"]),
                             (few, ["--check", "race", "--placement", "scope=tile4 pack=4"])]:
            got_shape, got = self.eval(kernel, given, out, *words)
            self.assertEqual(got_shape[1:], shape[1:], words)
            self.assertEqual(got_shape[0], shape[0] if given is inputs else 8, words)
            worst = max(abs(g - k) for g, k in zip(got, numbers))
            self.assertLess(worst, 1e-9 * max(map(abs, numbers)), words)

    def test_lm_step_of_a_panda(self):
        self.check("lm_step", {"J": EXAMPLES / "data/ik_J.npy", "r": EXAMPLES / "data/ik_r.npy"}, "dq", EXAMPLES / "data/ik_dq.npy")

    def test_lqr_gain_of_a_quadrotor(self):
        self.check("lqr_gain", {name: EXAMPLES / f"data/lqr_{name}.npy" for name in "ABPR"}, "K", EXAMPLES / "data/lqr_K.npy")

    def test_mppi_weights(self):
        samples, inputs, problems = 33, 3, 8
        costs = [math.sin(7 * k) ** 2 for k in range(problems * samples)]
        controls = [math.cos(3 * k) for k in range(problems * samples * inputs)]  # [problem, input, sample]
        known = []
        for p in range(problems):
            weights = [math.exp(-c / 0.5) for c in costs[p * samples:(p + 1) * samples]]
            for i in range(inputs):
                row = controls[(p * inputs + i) * samples:][:samples]
                known.append(sum(w * u for w, u in zip(weights, row)) / sum(weights))
        files = {name: self.folder / f"in_{name}.npy" for name in ("costs", "controls", "known")}
        write_npy(files["costs"], (problems, samples), costs)
        write_npy(files["controls"], (problems, inputs, samples), controls)
        write_npy(files["known"], (problems, inputs), known)
        self.check("mppi_weights", {name: files[name] for name in ("costs", "controls")}, "control", files["known"])


if __name__ == "__main__":
    unittest.main()
