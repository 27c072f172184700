"""Oracles of the reductions: NumPy and SciPy in a wider type."""
import numpy as np
from scipy import special

from leg import PROBLEMS, frobenius, row, up


def with_ties(c, empty=()):
    """Halves from -2 to 2, NaN now and then, and only NaN in the problems `empty`."""
    x = c.given(c.integers(-4, 5, c.N) / 2)
    x[c.random.random(x.shape) < 0.15] = np.nan
    x[list(empty)] = np.nan
    return x


# ---- sums
def sum_of(c, terms, got):
    c.SUM  # both ways of adding keep the bound
    c.terms(got[:, 0], terms.sum(1), np.abs(terms).sum(1), c.N, "r")


@row("reduce")
def reduce(c):
    x = c.normal(c.N)
    sum_of(c, up(x), c.run(x=x).r)
    x = c.given(c.integers(-9, 10, c.N))
    c.equal(c.run(x=x).r[:, 0], x.sum(1), "the sum of integers")


@row("asum")
def asum(c):
    x = c.normal(c.N)
    sum_of(c, np.abs(up(x)), c.run(x=x).r)


@row("nrm1_diff")
def nrm1_diff(c):
    x, y = c.normal(c.N), c.normal(c.N)
    sum_of(c, np.abs(up(x) - up(y)), c.run(x=x, y=y).r)


@row("dot")
def dot(c):
    x, y = c.normal(c.N), c.normal(c.N)
    sum_of(c, up(x) * y, c.run(x=x, y=y).r)


@row("dot_strided", sizes=({"N": 7, "SX": 2, "SY": 3}, {"N": 12, "SX": 1, "SY": 2}), constant="all")
def dot_strided(c):
    x, y = c.normal(1, c.N), c.normal(1, c.N)
    sum_of(c, (up(x) * y)[:, 0], c.run(x=x, y=y).r)


@row("nrm2", "vector_norm")
def nrm2(c):
    x = c.normal(c.N)
    for k, power in enumerate((1000, -1000) if c.type == "f64" else (120, -120)):
        x[k] *= c.given(2.0) ** power
    c.within(up(c.run(x=x).r)[:, 0] - frobenius(up(x)), (c.N / 2 + 2) * c.eps * frobenius(up(x)), "r")
    x[0, 0], x[1, 1], x[2, :2] = np.nan, np.inf, [-np.inf, np.nan]
    c.equal(c.run(x=x).r[:3, 0], c.given([np.nan, np.inf, np.nan]), "r of what is not finite")


# ---- extremes
@row("reduce_min", "reduce_max")
def extreme(c):
    x = with_ties(c, empty=[4])
    c.equal(c.run(x=x).r[:, 0], (np.fmin if c.row.name == "reduce_min" else np.fmax).reduce(x, 1), "r")


@row("infnorm")
def infnorm(c):
    c.equal(c.run(x=(x := c.normal(c.N))).r[:, 0], np.abs(x).max(1), "r")
    c.equal(c.run(x=(x := with_ties(c))).r[:, 0], np.abs(x).max(1), "r with NaN")


@row("argmax", "argmin", "iamax")
def argument(c):
    x = with_ties(c, empty=[4])
    x[5, :2] = [-0.0, 0.0]  # of equal size
    keys = {"argmax": x, "argmin": -x, "iamax": np.abs(x)}[c.row.name]
    index = np.where(np.isnan(keys), -np.inf, keys).argmax(1)
    got = c.run(x=x)
    c.equal(got.index[:, 0], index, "index")
    c.equal(got.value[:, 0], (np.abs(x) if c.row.name == "iamax" else x)[np.arange(PROBLEMS), index], "value")


@row("argmax_pair", "argmin_pair")
def argument_of_pairs(c):
    keys, sign = with_ties(c, empty=[4]), 1 if c.row.name == "argmax_pair" else -1
    indices = np.stack([c.random.permutation(3 * c.N)[:c.N] for _ in keys]).astype(np.int32)
    indices[c.random.random(indices.shape) < 0.2] = -1
    indices[6] = -1
    index, key = np.full(PROBLEMS, -1), np.full(PROBLEMS, -sign * np.inf)
    for p in range(PROBLEMS):
        candidates = [(-sign * k, i) for k, i in zip(keys[p], indices[p]) if k == k and i != -1]
        if candidates:
            key[p], index[p] = min(candidates)
            key[p] *= -sign
    got = c.run(keys=keys, indices=indices)
    c.equal(got.index[:, 0], index, "index")
    c.equal(got.key[:, 0], c.given(key), "key")


# ---- soft maxima
@row("softmax")
def softmax(c):
    x = c.given(3 * c.normal(c.N))
    x[0, 1] = np.inf   # -Inf times alpha
    got, z = c.run(alpha=-1.5, x=x), -1.5 * up(x)
    total = np.exp(z - z.max(1)[:, None]).sum(1)
    c.norm(got.y, special.softmax(z.astype(np.float64), axis=1) if c.type == "f32" else np.exp(z - z.max(1)[:, None]) / total[:, None],
           c.N + 8, "y")
    c.within(up(got.y).sum(1) - 1, c.N * c.eps, "the sum of y")
    c.within(up(got.max)[:, 0] - z.max(1), c.eps * np.abs(z.max(1)), "max")
    c.within(up(got.sum)[:, 0] - total, (c.N + 8) * c.eps * total, "sum")
    x[0, 1], x[1, 2], x[2] = np.nan, -np.inf, np.inf
    c.equal(c.run(alpha=-1.5, x=x).y[:3], np.full((3, c.N), np.nan), "y without a sum")


@row("logsumexp")
def logsumexp(c):
    x = c.given(3 * c.normal(c.N))
    x[0, 1] = np.inf
    z = -1.5 * up(x)
    ref = special.logsumexp(z.astype(np.float64), axis=1) if c.type == "f32" else z.max(1) + np.log(np.exp(z - z.max(1)[:, None]).sum(1))
    c.absolute(c.run(alpha=-1.5, x=x).r[:, 0], ref, c.N + 8, "r", np.maximum(1, np.abs(ref)))
    x[0, 1], x[1, 2], x[2] = np.nan, -np.inf, np.inf
    c.equal(c.run(alpha=-1.5, x=x).r[:3, 0], c.given([np.nan, np.inf, -np.inf]), "r of what is not finite")


@row("path_weights")
def path_weights(c):
    cost = np.abs(c.normal(c.N))
    cost[0, 1], cost[1, 2], cost[2] = np.inf, np.nan, np.nan
    counts = np.isfinite(cost)
    least = np.where(counts, cost, np.inf).min(1)
    least[2] = 0
    w = np.where(counts, np.exp(-(up(cost) - least[:, None]) / 0.25), 0)
    got = c.run(cost=cost, **{"lambda": 0.25})
    c.norm(got.w, w, c.N + 8, "w")
    c.equal(got.baseline[:, 0], least, "baseline")
    c.within(up(got.normaliser)[:, 0] - w.sum(1), (c.N + 8) * c.eps * w.sum(1), "normaliser")
    ess = w.sum(1) ** 2 / np.where((w * w).sum(1) > 0, (w * w).sum(1), 1)
    c.within(up(got.ess)[:, 0] - ess, (c.N + 8) * c.eps * ess, "ess")


# ---- prefix sums
@row("prefix_sum_inclusive", "prefix_sum_exclusive")
def prefix_sum(c):
    x = c.normal(c.N)
    from_zero = np.concatenate([np.zeros((PROBLEMS, 1)), up(x)], 1)
    taken = slice(1, None) if c.row.name == "prefix_sum_inclusive" else slice(None, -1)
    c.terms(c.run(x=x).y, from_zero.cumsum(1)[:, taken], np.abs(from_zero).cumsum(1)[:, taken], c.N, "y")
