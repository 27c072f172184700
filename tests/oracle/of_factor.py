"""Oracles of the factorisations and solves: LAPACK through SciPy for what is unique (pivots, factors), residuals in a wider type for the rest."""
import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from leg import PROBLEMS, as_columns, diagonal, frobenius, mask, only, part, row, t, up

SOLVE = ({"N": 7, "NRHS": 1}, {"N": 12, "NRHS": 3})


def each(f, *arrays):
    """f of every problem, in f64."""
    return np.stack([f(*(a[p].astype(np.float64) for a in arrays)) for p in range(PROBLEMS)])


def none_failed(c, result, what="info"):
    c.equal(result.info, np.zeros(PROBLEMS, np.int32), what)


def factor_matches(c, l, u, a, what):
    """|L U - A| <= (n + 2) eps |L| |U|"""
    c.within(l @ u - up(a), (c.N + 2) * c.eps * (np.abs(l) @ np.abs(u)), what)


def solution_matches(c, a, x, b, condition, grow=1):
    c.solves(a, x, b, (c.N + 4) * grow, "A x - b")
    x = as_columns(up(x))
    ref = each(np.linalg.solve, a, as_columns(b))
    c.within(np.abs(x - ref).max(1), (c.N + 4) * c.N * condition * grow * c.eps * np.abs(ref).max(1), "x")


# ---- Cholesky
def shifted(c, a, rho):
    if c.SHIFT == "none":
        return up(a)
    return up(a) + rho * (np.eye(a.shape[-1]) if c.SHIFT == "identity" else diagonal(up(a)))


def cholesky_matches(c, got, a, given):
    l = part(up(got), "lower")
    factor_matches(c, l, t(l), a, "L L' - A")
    c.within(l - each(np.linalg.cholesky, up(a)), 200 * c.N * c.eps * np.sqrt(np.abs(up(a)).max((1, 2)))[:, None, None], "L")
    upper_is_kept(c, got, given)


def upper_is_kept(c, got, given):
    c.equal(got[:, mask(c.N, "upper", True)], given[:, mask(c.N, "upper", True)], "the strict upper triangle")


@row("potrf")
def potrf(c):
    a = c.spd(c.N)
    given = only(a, "lower")
    got = c.run(A=given)
    none_failed(c, got)
    cholesky_matches(c, got.A, a, given)
    given[3, 2, 2], given[4, 0, 0], given[5, c.N - 1, c.N - 1], given[6, 1, 1] = -1, np.nan, np.inf, 0
    info = np.zeros(PROBLEMS, np.int32)
    info[3:7] = 3, 1, c.N, 2
    c.equal(c.run(A=given).info, info, "info of what is not positive definite")


@row("posv", sizes=SOLVE)
def posv(c):
    a, b = c.spd(c.N), c.normal(c.N, c.NRHS)
    given, rho, shift = only(a, "lower"), 0.25, {} if c.SHIFT == "none" else {"rho": 0.25}
    got, meant = c.run(A=given, b=b, **shift), shifted(c, a, rho)
    none_failed(c, got)
    if c.FACTOR == "keep":
        cholesky_matches(c, got.A, meant, given)
    else:  # what is left of the lower triangle says nothing
        upper_is_kept(c, got.A, given)
    solution_matches(c, meant, got.b, b, 100)
    given[3, 2, 2] = -40
    got = c.run(A=given, b=b, **shift)
    c.equal(got.info[2:5], np.array([0, 3, 0], np.int32), "info of what is not positive definite")
    c.equal(got.b[3], b[3], "b without a solution")


@row("potrs", sizes=SOLVE)
def potrs(c):
    a = c.spd(c.N)
    l, b = c.given(np.linalg.cholesky(a.astype(np.float64))), c.normal(c.N, c.NRHS)
    solution_matches(c, up(l) @ t(up(l)), c.run(L=only(l, "lower"), b=b).b, b, 100)


@row("chol_update", "chol_downdate")
def chol_update(c):
    l = c.given(part(c.normal(c.N, c.N), "lower", strict=True) / c.N + np.eye(c.N) * (1 + np.abs(c.normal(c.N))[:, None, :]))
    sign = 1 if c.row.name == "chol_update" else -1
    x = c.normal(c.N)
    if sign < 0:  # L L' - x x' = L (I - w w') L' with |w| < 1
        x = c.given(0.75 * (l @ (x / np.linalg.norm(x, axis=1)[:, None])[:, :, None])[:, :, 0])
    given = only(l, "lower")
    got = c.run(L=given, x=x)
    got.x  # destroyed
    made, before, xx = part(up(got.L), "lower"), up(l), up(x)[:, :, None] * up(x)[:, None, :]
    size = np.abs(before) @ np.abs(t(before)) + np.abs(xx)
    c.within(made @ t(made) - (before @ t(before) + sign * xx), 8 * c.N * c.eps * size, "the product of the new factor")
    c.equal(got.L[:, mask(c.N, "upper", True)], given[:, mask(c.N, "upper", True)], "the strict upper triangle")
    if sign < 0:
        none_failed(c, got)
        x[1] = 2 * l[1, :, 2]
        c.equal(c.run(L=given, x=x).info[:3], np.array([0, 3, 0], np.int32), "info of what is not positive definite any more")


# ---- LU
def swapped(a, piv, backward=False):
    a = a.copy()
    for p in range(PROBLEMS):
        order = range(piv.shape[1])
        for k in reversed(order) if backward else order:
            a[p, [k, piv[p, k]]] = a[p, [piv[p, k], k]]
    return a


def random_swaps(c, n):
    return np.stack([[k + c.random.integers(n - k) for k in range(n)] for _ in range(PROBLEMS)]).astype(np.int32)


def lu_matches(c, got, a, piv):
    l, u = part(up(got), "lower", strict=True) + np.eye(c.N), part(up(got), "upper")
    factor_matches(c, l, u, swapped(a, piv), "L U - P A")
    return np.abs(u).max((1, 2)) / np.abs(a).max((1, 2))


def dominant(c, n):
    """Diagonally dominant: no pivoting is needed."""
    return c.given(c.random.uniform(-1, 1, (PROBLEMS, n, n)) + np.eye(n) * n * np.sign(c.random.standard_normal((PROBLEMS, n, 1))))


@row("laswp", sizes=({"M": 7, "N": 5}, {"M": 4, "N": 12}))
def laswp(c):
    a, piv = c.normal(c.M, c.N), random_swaps(c, c.M)
    for first, end in ((0, c.M + 3), (1, c.M - 1)):
        used = np.where((np.arange(c.M) >= first) & (np.arange(c.M) < end), piv, np.arange(c.M))
        c.equal(c.run(A=a, piv=piv, k0=first, k1=end).A, swapped(a, used, c.DIRECTION == "backward"), "A")


@row("getrf")
def getrf(c):
    a = c.normal(c.N, c.N)
    got = c.run(A=a)
    none_failed(c, got)
    c.equal(got.piv, np.stack([linalg.lu_factor(m)[1] for m in a.astype(np.float64)]).astype(np.int32), "piv")
    lu_matches(c, got.A, a, got.piv)
    a = c.given(c.integers(-2, 3, c.N, c.N))  # equal candidates: the lowest row; column 2 is zero: an info
    a[:, 0] = np.where(a[:, 0] == 0, 1, a[:, 0])
    a[1, :, 2] = 0
    got = c.run(A=a)
    candidates = np.abs(a[:, :, 0])
    c.equal(got.piv[:, 0], candidates.argmax(1), "piv of equal candidates")
    c.equal(got.info[1], np.int32(3), "info of a column of zeros")


@row("getrf_no_pivot")
def getrf_no_pivot(c):
    a = dominant(c, c.N)
    got = c.run(A=a)
    none_failed(c, got)
    lu_matches(c, got.A, a, np.tile(np.arange(c.N), (PROBLEMS, 1)))
    a[1, 0, 0] = 0
    c.equal(c.run(A=a).info[1], np.int32(1), "info of a zero pivot")


@row("getrs", "getrs_no_pivot", sizes=SOLVE)
def getrs(c):
    a, b = dominant(c, c.N), c.normal(c.N, c.NRHS)
    l, u = part(up(a), "lower", strict=True) / c.N + np.eye(c.N), part(up(a), "upper")
    lu, piv = c.given(u + l - np.eye(c.N)), {}
    l, u = part(up(lu), "lower", strict=True) + np.eye(c.N), part(up(lu), "upper")
    means = l @ u
    if c.row.name == "getrs":
        piv = {"piv": random_swaps(c, c.N)}
        means = swapped(means, piv["piv"], backward=True)
    grow = (np.abs(u).max((1, 2)) / np.abs(means).max((1, 2)))[:, None]
    means = t(means) if c.TRANS == "yes" else means
    solution_matches(c, means, c.run(LU=lu, b=b, **piv).b, b, np.linalg.cond(means.astype(np.float64)).max(), grow)


@row("gesv", "gesv_no_pivot", sizes=SOLVE)
def gesv(c):
    pivots = c.row.name == "gesv"
    a, b = c.regular(c.N) if pivots else dominant(c, c.N), c.normal(c.N, c.NRHS)
    got = c.run(A=a, b=b)
    none_failed(c, got)
    piv = got.piv if pivots else np.tile(np.arange(c.N), (PROBLEMS, 1))
    if pivots:
        c.equal(piv, np.stack([linalg.lu_factor(m)[1] for m in a.astype(np.float64)]).astype(np.int32), "piv")
    grow = lu_matches(c, got.A, a, piv)[:, None]
    solution_matches(c, up(a), got.b, b, np.linalg.cond(a.astype(np.float64)).max(), np.maximum(grow, 1))
    a[1, :, 0] = 0
    got = c.run(A=a, b=b)
    c.equal(got.info[:3], np.array([0, 1, 0], np.int32), "info of a column of zeros")
    c.equal(got.b[1], b[1], "b without a solution")


@row("inv")
def inv(c):
    a = c.regular(c.N)
    got = c.run(A=a)
    none_failed(c, got)
    inverts(c, a, got.X)
    a[1, :, 0] = 0
    c.equal(c.run(A=a).info[:3], np.array([0, 1, 0], np.int32), "info of a column of zeros")


def inverts(c, a, x):
    condition = np.linalg.cond(a.astype(np.float64))
    c.within(frobenius(up(a) @ up(x) - np.eye(c.N)), 4 * c.N * condition * c.eps, "A X - I")
    ref = up(each(linalg.inv, a))
    c.within(frobenius(up(x) - ref), 8 * c.N * condition * c.eps * frobenius(ref), "X")


@row("trtri")
def trtri(c):
    unit = c.DIAG == "unit"
    a = c.given(c.normal(c.N, c.N) / c.N + 2 * np.eye(c.N) * np.sign(c.normal(c.N))[:, None, :])
    given, read = only(a, c.FILL, diagonal=not unit), mask(c.N, c.FILL, strict=unit)
    triangle = lambda m: part(up(m), c.FILL, strict=unit) + (np.eye(c.N) if unit else 0)
    got = c.run(A=given).A
    inverts(c, triangle(a), triangle(got))
    c.equal(got[:, ~read], given[:, ~read], "what is not read")


@row("potri")
def potri(c):
    l = c.given(np.linalg.cholesky(c.spd(c.N).astype(np.float64)))
    x = c.run(L=only(l, "lower")).X
    inverts(c, up(l) @ t(up(l)), x)
    c.equal(x, t(x), "X is symmetric")


@row("getri")
def getri(c):
    a, piv = dominant(c, c.N) / c.N, random_swaps(c, c.N)
    lu = c.given(part(a, "lower", strict=True) / 2 + part(a, "upper"))
    l, u = part(up(lu), "lower", strict=True) + np.eye(c.N), part(up(lu), "upper")
    inverts(c, swapped(l @ u, piv, backward=True), c.run(LU=lu, piv=piv).X)


# ---- L D L'
def ldl_factors(c, a, piv):
    """L unit lower, D with blocks 1 x 1 and 2 x 2, and the rows' order."""
    n = c.N
    l, d = part(up(a), "lower", strict=True) + np.eye(n), diagonal(up(a))
    order = np.tile(np.arange(n), (PROBLEMS, 1))
    for p in range(PROBLEMS):
        k = 0
        while k < n:
            if piv is not None and piv[p, k] < 0:
                c.equal(piv[p, k + 1], piv[p, k], "the second of a block's entries in piv")
                d[p, k, k + 1] = d[p, k + 1, k] = a[p, k + 1, k]
                l[p, k + 1, k] = 0
                i, j, k = k + 1, -piv[p, k] - 1, k + 2
            else:
                i, j, k = k, k if piv is None else piv[p, k], k + 1
            order[p, [i, j]] = order[p, [j, i]]
    return l, d, order


def indefinite(c, n):
    return c.symmetric(n, np.geomspace(1, 0.01, n) * np.where(np.arange(n) % 3 == 1, -1, 1))


def permuted(a, order):
    return np.stack([m[np.ix_(o, o)] for m, o in zip(a, order)])


def pivot_of_lapack(a):
    """piv as sytrf says it, counted from 0: a 2 x 2 block is -p - 1 twice."""
    _, ipiv, _ = lapack.dsytrf(a, lower=1)
    return np.where(ipiv > 0, ipiv - 1, ipiv).astype(np.int32)


@row("ldlt")
def ldlt(c):
    pivots = c.PIVOT == "bunch_kaufman"
    if pivots:
        a = indefinite(c, c.N)
        a[2] -= np.eye(c.N, dtype=c.dtype) * a[2]  # nothing but 2 x 2 blocks at first
    else:
        a = dominant(c, c.N)
        a = np.where(mask(c.N, "lower"), a, t(a))
    given = only(a, "lower")
    got = c.run(A=given)
    none_failed(c, got)
    piv = got.piv if pivots else None
    if pivots:
        c.equal(piv, np.stack([pivot_of_lapack(m) for m in a.astype(np.float64)]), "piv")
    l, d, order = ldl_factors(c, got.A, piv)
    size = frobenius(np.abs(l) @ np.abs(d) @ np.abs(t(l)))
    c.norm(l @ d @ t(l), permuted(up(a), order), 8 * c.N, "L D L' - P A P'", size)
    values = np.linalg.eigvalsh(a.astype(np.float64))
    c.equal(got.inertia, np.stack([(values > 0).sum(1), (values < 0).sum(1), 0 * (values[:, 0] > 0)], 1), "inertia")
    c.equal(got.A[:, mask(c.N, "upper", True)], given[:, mask(c.N, "upper", True)], "the strict upper triangle")
    if not pivots:
        given[1, 0, 0] = 0
        c.equal(c.run(A=given).info[:3], np.array([0, 1, 0], np.int32), "info of a zero pivot")


@row("ldlt_solve", sizes=SOLVE)
def ldlt_solve(c):
    b, piv = c.normal(c.N, c.NRHS), None
    if c.PIVOT == "bunch_kaufman":
        a = indefinite(c, c.N)
        factors = [lapack.dsytrf(m, lower=1) for m in a.astype(np.float64)]
        ld = c.given(np.stack([f[0] for f in factors]))
        piv = np.stack([pivot_of_lapack(m) for m in a.astype(np.float64)])
    else:
        ld = dominant(c, c.N) / c.N
        ld = c.given(ld)
    l, d, order = ldl_factors(c, ld, piv)
    permuted_a, back = l @ d @ t(l), np.argsort(order, 1)
    means = permuted(permuted_a, back)
    got = c.run(LD=only(ld, "lower"), b=b, **({} if piv is None else {"piv": piv})).b
    c.solves(means, got, b, 8 * c.N, "A x - b")
    ref = each(np.linalg.solve, means, as_columns(b))
    c.within(as_columns(up(got)) - ref, 8 * c.N * np.linalg.cond(means.astype(np.float64))[:, None, None] * c.eps * np.abs(ref).max(), "x")
