"""What the oracles are written with: rows of the catalog with their sizes, cases that run one through `glass eval` on the host, and the
bounds by which a result is right. An oracle is a function of a case: it draws the operands, evaluates, and checks every output."""
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import tempfile

try:
    import numpy as np
    import scipy  # noqa: F401  of the oracles
except ImportError as missing:
    raise SystemExit(f"{missing}: the oracles need NumPy and SciPy (python3-numpy and python3-scipy).")

wide = np.longdouble
PROBLEMS = 19  # whole vectors of problems, and a rest
rows = {}     # name -> row


class Row:
    def __init__(self, oracle, name, sizes, constant, costly):
        self.oracle, self.name, self.sizes, self.constant, self.costly = oracle, name, sizes, constant, costly
        self.family = oracle.__module__


def row(*names, sizes=({"N": 7}, {"N": 12}), constant=(), costly=False):
    """The decorated function is the oracle of these rows. `sizes`: of the problems, the first with an odd one; `constant`: those that stay
    constants (or all) where the others are sizes of run time; `costly`: long to compile, in f32 one case will do."""
    def register(oracle):
        for name in names:
            assert name not in rows, f"two oracles for {name}"
            rows[name] = Row(oracle, name, list(sizes), constant, costly)
        return oracle
    return register


class Refused(Exception):
    """The program did not do what it was asked for: no wrong number, but an error of its own or of the compiler."""


class Glass:
    """The program with a cache of its own, so that a case with other scalars is not compiled again."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.folder.name)
        self.environment = {**os.environ, "GLASS_CACHE": str(self.here / "cache")}
        self.catalog = {o["name"]: o for o in json.loads(self.call("ops", "--json"))["operations"]}

    def call(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, env=self.environment)
        if done.returncode != 0:
            raise Refused(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def with_compiler(self, command, *last):
        """The same with another C++ compiler, and a cache of its own; `last` comes after what the program asks for."""
        other = Glass.__new__(Glass)
        other.program, other.folder, other.catalog = self.program, tempfile.TemporaryDirectory(), self.catalog
        other.here = pathlib.Path(other.folder.name)
        script = other.here / "compiler"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(map(str, command))} "$@" {shlex.join(last)}\n', encoding="utf-8")
        script.chmod(0o755)
        other.environment = {**self.environment, "GLASS_CACHE": str(other.here / "cache"), "CXX": str(script)}
        return other


def last(name):
    return name.split("::")[-1]


def covering(options):
    """Choices in which every two values of two options meet, and every value occurs."""
    names = list(options)
    every = [dict(zip(names, values)) for values in itertools.product(*options.values())]
    def pairs(choice):
        items = sorted(choice.items())
        return set(itertools.combinations(items, 2)) if len(items) > 1 else set(items)
    left, chosen = set().union(*map(pairs, every)), []
    while left:
        best = max(every, key=lambda choice: len(pairs(choice) & left))
        chosen.append(best)
        left -= pairs(best)
    return chosen or [{}]


def cases(glass, row):
    """f64: choices of options and sizes by turns, as constants; f32: the last choice, every size as one of run time, of one program."""
    options = {o["name"]: [last(v) for v in o["values"]] for o in glass.catalog[row.name]["options"]}
    choices = covering(options)
    in_f64 = choices if len(choices) <= len(row.sizes) else choices[:-1]
    for k in range(max(len(in_f64), len(row.sizes))):
        yield Case(glass, row, row.sizes[k % len(row.sizes)], in_f64[k % len(in_f64)], "f64")
    run_time = len(row.sizes) > 1 and row.constant != "all" and not row.costly
    for sizes in row.sizes[:1 if row.costly else None]:
        yield Case(glass, row, sizes, choices[-1], "f32", run_time)


class Result:
    """What came out, by name; `seen` keeps what an oracle has looked at."""

    def __init__(self, values, seen):
        self._values, self._seen = values, seen

    def __getattr__(self, name):
        self._seen.add(name)
        return self._values[name]


class Case:
    def __init__(self, glass, row, sizes, options, type, run_time=False):
        self.glass, self.row, self.sizes, self.options, self.type, self.run_time = glass, row, sizes, options, type, run_time
        self.dtype = np.float64 if type == "f64" else np.float32
        self.eps = wide(np.finfo(self.dtype).eps)
        self.random = np.random.default_rng([len(type), *map(ord, row.name), *sizes.values()])
        self.used, self.seen, self.outputs = set(), set(), set()

    def __str__(self):
        words = [f"{n}={v}" for n, v in {**self.sizes, **self.options}.items()]
        return " ".join([self.row.name, *words, self.type, *(["run-time sizes"] if self.run_time else [])])

    def __getattr__(self, name):
        """c.N is a size, c.TRANS the option's value."""
        if name in self.sizes:
            return self.sizes[name]
        if name in self.options:
            self.used.add(name)
            return self.options[name]
        raise AttributeError(name)

    # ---- data: arrays of PROBLEMS problems, in the case's type
    def given(self, values):
        return np.asarray(values).astype(self.dtype)

    def normal(self, *shape):
        return self.given(self.random.standard_normal((PROBLEMS, *shape)))

    def integers(self, low, high, *shape):
        """Whole numbers in low ... high - 1, as int32."""
        return self.random.integers(low, high, (PROBLEMS, *shape)).astype(np.int32)

    def orthogonal(self, m, n=None):
        return np.linalg.qr(self.random.standard_normal((PROBLEMS, m, m)))[0][:, :, :n or m]

    def with_values(self, m, n, values):
        """U diag(values) V' of m x n; values: min(m, n), of every problem or of all."""
        k = min(m, n)
        return self.orthogonal(m, k) * np.broadcast_to(values, (PROBLEMS, k))[:, None, :] @ t(self.orthogonal(n, k))

    def regular(self, m, n=None, condition=100.0):
        n = m if n is None else n
        return self.given(self.with_values(m, n, np.geomspace(1, 1 / condition, min(m, n))))

    def symmetric(self, n, values):
        q = self.orthogonal(n)
        a = self.given(q * np.broadcast_to(values, (PROBLEMS, n))[:, None, :] @ t(q))
        return mirrored(a, "lower")

    def spd(self, n, condition=100.0):
        return self.symmetric(n, np.geomspace(1, 1 / condition, n))

    # ---- the call
    def run(self, **given):
        """The row on these operands: arrays, and numbers for scalars. Gives every output."""
        words = ["eval", self.row.name, "--device", "host", "--type", self.type, "--json"]
        for name, value in self.sizes.items():
            fixed = not self.run_time or name in self.row.constant
            words += ["--size", f"{name}={value}" if fixed else f"{name}<={max(s[name] for s in self.row.sizes)}"]
        for name, value in self.options.items():
            words += ["--option", f"{name}={value}"]
        outputs = {}
        for o in self.glass.catalog[self.row.name]["operands"]:
            name, how = o["name"], o["access"]
            if not self.holds(o["when"]):
                continue
            if how == "scalar":
                words += ["--scalar", f"{name}={float(given[name])!r}"]
            elif how in ("in", "inout"):
                file = self.glass.here / f"in_{name}.npy"
                np.save(file, given[name])
                words += ["--in", f"{name}={file}"]
            if how in ("out", "inout", "info"):
                outputs[name] = self.glass.here / f"out_{name}.npy"
                words += ["--out", f"{name}={outputs[name]}"]
            else:
                continue
        if "--in" not in words:
            words += ["--batch", PROBLEMS]
        self.glass.call(*words)
        self.outputs = set(outputs)
        return Result({name: np.load(file) for name, file in outputs.items()}, self.seen)

    def holds(self, condition):
        if not condition:
            return True
        name, how, value = next((condition.partition(sign) for sign in ("==", "!=") if sign in condition))
        return (self.options[name] == value) == (how == "==")

    def finish(self):
        """What an oracle leaves out is an error: outputs, and options whose value it does not ask for."""
        for what, left in (("output", self.outputs - self.seen), ("option", set(self.options) - self.used)):
            if left:
                raise AssertionError(f"{self}: the oracle does not look at the {what} {', '.join(sorted(left))}")

    def check(self):
        with np.errstate(all="ignore"):
            self.row.oracle(self)
        self.finish()

    # ---- bounds of a result; `c` counts in eps
    def within(self, error, bound, what):
        error, bound = np.broadcast_arrays(wide(np.abs(error)), wide(bound))
        wrong = ~(error <= bound)
        if wrong.any():
            at = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise AssertionError(f"{self}: {what} at {at}: the error {float(error[at]):.3g} is above {float(bound[at]):.3g}")

    def equal(self, got, ref, what):
        if not np.array_equal(np.asarray(got), np.asarray(ref), equal_nan=np.asarray(got).dtype.kind == "f"):
            wrong = np.argwhere(~((got == ref) | ((got != got) & (ref != ref))))
            at = tuple(int(i) for i in wrong[0])
            raise AssertionError(f"{self}: {what} at {at} is {got[at]!r}, not {np.broadcast_to(ref, got.shape)[at]!r}")

    def terms(self, got, ref, terms, c, what):
        """E(c): element by element, in units of the sum of the terms' magnitudes."""
        self.within(up(got) - ref, c * self.eps * terms, what)

    def norm(self, got, ref, c, what, size=None):
        """R(c): of the Frobenius norm, of one problem each."""
        self.within(frobenius(up(got) - ref), c * self.eps * (frobenius(ref) if size is None else size), what)

    def absolute(self, got, ref, c, what, unit=1):
        """A(c)"""
        self.within(up(got) - ref, c * self.eps * unit, what)

    def solves(self, a, x, b, c, what):
        """eta(c): the backward error of a x = b, of each column."""
        a, x, b = up(a), as_columns(up(x)), as_columns(up(b))
        size = np.abs(a).sum(2).max(1)[:, None] * np.abs(x).max(1) + np.abs(b).max(1)
        self.within(np.abs(a @ x - b).max(1), c * self.eps * size, what)

    def orthonormal(self, q, c, what):
        """Q' Q = I"""
        q = up(q)
        self.within(frobenius(t(q) @ q - np.eye(q.shape[2])), c * self.eps, what)


# ---- arithmetic on arrays of problems, in the wide type
def up(a):
    return np.asarray(a).astype(wide)


def t(a):
    return np.swapaxes(a, -1, -2)


def as_columns(x):
    return x if x.ndim == 3 else x[:, :, None]


def times(a, x):
    """Matrices times vectors."""
    return (a @ x[:, :, None])[:, :, 0]


def frobenius(a):
    most = np.abs(a).reshape(len(a), -1).max(1)
    scaled = a.reshape(len(a), -1) / np.where(most > 0, most, 1)[:, None]
    return most * np.sqrt((scaled * scaled).sum(1))


def part(a, fill, strict=False):
    """One triangle of the matrices, zeros elsewhere (or all, fill = full)."""
    if fill == "full":
        return a
    return np.where(mask(a.shape[-1], fill, strict, rows=a.shape[-2]), a, 0)


def mask(n, fill, strict=False, rows=None):
    rows = rows or n
    whole = np.ones((rows, n), bool)
    if fill == "full":
        return whole
    return np.tril(whole, -1 if strict else 0) if fill == "lower" else np.triu(whole, 1 if strict else 0)


def only(a, fill, diagonal=True):
    """NaN where the operation is not to read."""
    return np.where(mask(a.shape[-1], fill, not diagonal, rows=a.shape[-2]), a, np.nan).astype(a.dtype)


def diagonal(a):
    return np.where(np.eye(a.shape[-1], dtype=bool), a, 0)


def mirrored(a, fill):
    """The symmetric matrix of one triangle."""
    return np.where(mask(a.shape[-1], fill), a, t(a))


def poison(a):
    return np.full_like(a, np.nan)
