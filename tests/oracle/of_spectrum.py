"""Oracles of eigenvalues, singular values and orthogonal factorisations: LAPACK through NumPy and SciPy."""
import numpy as np
from scipy.linalg import lapack

from leg import PROBLEMS, frobenius, only, part, row, t, up

TALL_AND_WIDE = ({"M": 9, "N": 5}, {"M": 6, "N": 10})


def length(a):
    """The 2-norm."""
    return np.linalg.norm(a.astype(np.float64), 2, axis=(1, 2))


def not_finite(c, a):
    a = a.copy()
    a[1, 2, 1], a[2, 0, 0] = np.nan, np.inf
    return a


def nan_where_not_finite(c, *results):
    for r in results:
        c.equal(r[1:3], np.full_like(r[1:3], np.nan), "the result of what is not finite")


# ---- symmetric eigenvalues
def eigenvalues_match(c, a, w, v, n):
    """A V = V diag(W), V orthogonal, and the values LAPACK's, after sorting."""
    a, size = up(a), frobenius(up(a))
    c.within(frobenius(a @ up(v) - up(v) * up(w)[:, None, :]), 8 * n * c.eps * size, "A V - V diag(W)")
    c.orthonormal(v, 8 * n, "V'V - I")
    c.within(np.sort(up(w), 1) - np.linalg.eigvalsh(a.astype(np.float64)), 8 * n * c.eps * length(a)[:, None], "W")


def spectra(c, n):
    a = c.symmetric(n, np.geomspace(1, 1e-3, n) * np.where(np.arange(n) % 3 == 1, -1, 1))
    a[3], a[4] = c.symmetric(n, np.where(np.arange(n) < 2, 1.0, -0.5))[0], 0  # values that are equal
    a[5] *= c.given(2.0) ** 60
    return a


@row("eig3", sizes=({},))
def eig3(c):
    a = spectra(c, 3)
    got = c.run(A=only(a, "lower"))
    eigenvalues_match(c, a, got.W, got.V, 3)
    c.equal(got.W, np.sort(got.W, 1), "W ascends")
    got = c.run(A=not_finite(c, a))
    nan_where_not_finite(c, got.W, got.V)


@row("eigh", "syev")
def eigh(c):
    a = spectra(c, c.N)
    got = c.run(A=only(a, "lower"))
    eigenvalues_match(c, a, got.W, got.V, c.N)
    if c.row.name == "syev":
        c.equal(got.W, np.sort(got.W, 1), "W ascends")
        c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    got = c.run(A=not_finite(c, a))
    nan_where_not_finite(c, got.W, got.V)
    if c.row.name == "syev":
        c.equal(got.info, np.isin(np.arange(PROBLEMS), [1, 2]).astype(np.int32), "info of what is not finite")


@row("psd_project", "eig_clamp")
def psd_project(c):
    a = spectra(c, c.N)
    a[5] = a[6]
    w, v = np.linalg.eigh(a.astype(np.float64))
    for eps in (0.0, 0.25):
        got = c.run(A=only(a, "lower"), eps=eps)
        ref = v * np.maximum(w, eps)[:, None, :] @ t(v)
        c.norm(got.A, ref, 8 * c.N, f"A with eps = {eps}", np.maximum(frobenius(up(a)), frobenius(up(ref))))
        c.equal(got.A, t(got.A), "A is symmetric")
        if c.row.name == "eig_clamp":
            c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    got = c.run(A=not_finite(c, a), eps=0)
    nan_where_not_finite(c, got.A)
    if c.row.name == "eig_clamp":
        c.equal(got.info, np.isin(np.arange(PROBLEMS), [1, 2]).astype(np.int32), "info of what is not finite")


# ---- singular values
@row("svd", sizes=({"M": 9, "N": 5}, {"M": 8, "N": 6}))
def svd(c):
    a = c.normal(c.M, c.N)
    a[3], a[4], a[5] = 0, np.eye(c.M, c.N), np.outer(np.arange(c.M), np.arange(c.N) - 1)
    a[6] = c.with_values(c.M, c.N, np.geomspace(1, 1e-6, c.N))[0]
    a[7] *= c.given(2.0) ** -80
    got = c.run(A=a)
    values = np.linalg.svd(a.astype(np.float64), compute_uv=False)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    c.within(up(got.S) - values, 8 * c.N * c.eps * values[:, :1], "S")
    c.equal(got.S, -np.sort(-np.abs(got.S), 1), "S descends and is not negative")
    c.within(frobenius(up(got.U) * up(got.S)[:, None, :] @ t(up(got.V)) - up(a)), 16 * c.N * c.eps * values[:, 0], "U diag(S) V' - A")
    c.orthonormal(got.U, 16 * c.N, "U'U - I")
    c.orthonormal(got.V, 16 * c.N, "V'V - I")
    got = c.run(A=not_finite(c, a))
    c.equal(got.info, np.isin(np.arange(PROBLEMS), [1, 2]).astype(np.int32), "info of what is not finite")
    nan_where_not_finite(c, got.U, got.S, got.V)


@row("pinv", sizes=TALL_AND_WIDE)
def pinv(c):
    k = min(c.M, c.N)
    a = c.regular(c.M, c.N, condition=20)
    a[3], a[4] = 0, c.with_values(c.M, c.N, np.where(np.arange(k) < 2, 1, 1e-6))[0]  # of rank 2 above rtol
    got = c.run(A=a, rtol=1e-3)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    ref = np.linalg.pinv(a.astype(np.float64), rcond=1e-3)
    c.within(frobenius(up(got.X) - ref), 16 * k * 20 * c.eps * np.maximum(frobenius(up(ref)), 1), "X")
    got = c.run(A=not_finite(c, a), rtol=1e-3)
    c.equal(got.info, np.isin(np.arange(PROBLEMS), [1, 2]).astype(np.int32), "info of what is not finite")
    nan_where_not_finite(c, got.X)


# ---- three by three
def squares(c):
    a = c.normal(3, 3)
    a[3], a[4], a[5], a[6] = 0, np.diag([2, 2, 2]), np.outer([1, 2, 3], [3, -1, 2]), c.with_values(3, 3, [1, 1e-3, 1e-6])[0]
    a[7] *= c.given(2.0) ** -80
    return a


@row("svd3", sizes=({},))
def svd3(c):
    a = squares(c)
    got = c.run(A=a)
    values = np.linalg.svd(a.astype(np.float64), compute_uv=False)
    c.within(up(got.S) - values, 8 * c.eps * values[:, :1], "S")
    c.within(frobenius(up(got.U) * up(got.S)[:, None, :] @ t(up(got.V)) - up(a)), 16 * c.eps * values[:, 0], "U diag(S) V' - A")
    c.orthonormal(got.U, 16, "U'U - I")
    c.orthonormal(got.V, 16, "V'V - I")
    c.equal(got.S, -np.sort(-np.abs(got.S), 1), "S descends and is not negative")
    got = c.run(A=not_finite(c, a))
    nan_where_not_finite(c, got.U, got.S, got.V)


@row("closest_rotation", sizes=({},))
def closest_rotation(c):
    a = squares(c)
    r = c.run(A=a).R
    u, s, vt = np.linalg.svd(a.astype(np.float64))
    sign = np.sign(np.linalg.det(u) * np.linalg.det(vt))
    u[:, :, 2] *= sign[:, None]
    unique = s[:, 1] + sign * s[:, 2] > 1e-2 * s[:, 0]
    bound = 32 * c.eps * s[:, 0] / np.where(unique, s[:, 1] + sign * s[:, 2], 1)
    c.within((up(r) - u @ vt)[unique], bound[unique, None, None], "R where it is unique")
    c.orthonormal(r, 16, "R'R - I")
    c.within(np.linalg.det(r.astype(np.float64)) - 1, 16 * c.eps, "det R - 1")
    nan_where_not_finite(c, c.run(A=not_finite(c, a)).R)


# ---- orthogonal factors
def reflections(a):
    """LAPACK's (A, tau) of every problem, in f64."""
    both = [lapack.dgeqrf(m)[:2] for m in a.astype(np.float64)]
    return np.stack([qr for qr, _ in both]), np.stack([tau for _, tau in both])


def product(a, tau):
    """Q = H_0 H_1 ..., M x M, in the wide type."""
    m = a.shape[1]
    q = np.tile(np.eye(m, dtype=np.longdouble), (len(a), 1, 1))
    for k in range(tau.shape[1]):
        v = np.where(np.arange(m) > k, up(a)[:, :, k], np.arange(m) == k)
        q = q - up(tau)[:, k, None, None] * (q @ v[:, :, None]) * v[:, None, :]
    return q


@row("geqrf", sizes=TALL_AND_WIDE)
def geqrf(c):
    a = c.normal(c.M, c.N)
    a[3, 1:, 0] = 0     # nothing to reflect
    a[4] *= c.given(2.0) ** -70
    got, size = c.run(A=a), 8 * max(c.M, c.N) * c.eps
    q, r = product(got.A, got.tau), part(up(got.A), "upper")
    c.within(frobenius(q @ r - up(a)), size * frobenius(up(a)), "Q R - A")
    c.orthonormal(q, 8 * max(c.M, c.N), "Q'Q - I")
    reference, tau = reflections(a)
    c.within(frobenius(r - part(reference, "upper")), 100 * size * frobenius(up(a)), "R")
    c.within(up(got.tau) - tau, 100 * size, "tau")
    c.equal(got.tau[3, 0], c.given(0), "tau where nothing is to reflect")


@row("geqp3", sizes=TALL_AND_WIDE)
def geqp3(c):
    k, size = min(c.M, c.N), 8 * max(c.M, c.N) * c.eps
    a = c.normal(c.M, c.N)
    a[3, :, 1] = a[3, :, 0]                                     # two columns of one length: the first is taken
    a[4] = a[4, :, :1] * np.linspace(1, 2, c.N)                 # of rank 1
    a[5] *= c.given(2.0) ** -70
    got = c.run(A=a)
    order = np.sort(got.jpiv, 1)
    c.equal(order, np.tile(np.arange(c.N, dtype=np.int32), (PROBLEMS, 1)), "jpiv in order")
    moved = np.take_along_axis(up(a), got.jpiv[:, None, :].astype(int), 2)
    q, r = product(got.A, got.tau), part(up(got.A), "upper")
    c.within(frobenius(q @ r - moved), size * frobenius(up(a)), "Q R - A P")
    c.orthonormal(q, 8 * max(c.M, c.N), "Q'Q - I")
    on_diagonal = np.abs(np.diagonal(r, axis1=1, axis2=2))
    c.within(np.maximum(on_diagonal[:, 1:] - on_diagonal[:, :-1], 0), size * frobenius(up(a))[:, None], "|R_kk| falls")
    lengths = np.sqrt((up(a) ** 2).sum(1))
    c.equal(got.jpiv[:, 0], lengths.argmax(1).astype(np.int32), "the first column is the longest")
    plain = [p for p in range(PROBLEMS) if p not in (3, 4)]     # where the order is unique
    c.equal(got.jpiv[plain], np.stack([lapack.dgeqp3(a[p].astype(np.float64))[1] - 1 for p in plain]).astype(np.int32), "jpiv")


REFLECTED = ({"M": 9, "N": 5, "K": 3}, {"M": 8, "N": 8, "K": 6})


@row("orgqr", sizes=REFLECTED)
def orgqr(c):
    a, tau = map(c.given, reflections(c.normal(c.M, c.K)))
    given = np.concatenate([a, np.full((PROBLEMS, c.M, c.N - c.K), np.nan, c.dtype)], 2)
    given[:, :c.K, :c.K] = only(given[:, :c.K, :c.K], "lower", diagonal=False)
    q = c.run(A=given, tau=tau).A
    c.within(frobenius(up(q) - product(a, tau)[:, :, :c.N]), 8 * c.M * c.eps, "Q")
    c.orthonormal(q, 8 * c.M, "Q'Q - I")


@row("ormqr", sizes=({"M": 9, "N": 7, "K": 3}, {"M": 8, "N": 10, "K": 6}))
def ormqr(c):
    m = c.M if c.SIDE == "left" else c.N
    a, tau = map(c.given, reflections(c.normal(m, c.K)))
    start, q = c.normal(c.M, c.N), product(a, tau)
    q = t(q) if c.TRANS == "yes" else q
    a[:, :c.K] = only(a[:, :c.K], "lower", diagonal=False)
    ref = q @ up(start) if c.SIDE == "left" else up(start) @ q
    c.norm(c.run(A=a, tau=tau, C=start).C, ref, 8 * m, "C")


@row("gels", sizes=({"M": 9, "N": 5, "NRHS": 1}, {"M": 6, "N": 10, "NRHS": 2}), costly=True)
def gels(c):
    m, n, longer = c.M, c.N, max(c.M, c.N)
    a = c.regular(m, n)
    b = c.normal(m, c.NRHS)
    got = c.run(A=a, B=np.concatenate([b, np.full((PROBLEMS, longer - m, c.NRHS), np.nan, c.dtype)], 1))
    got.A  # destroyed
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    x, a, b = up(got.B)[:, :n], up(a), up(b)
    ref = np.stack([np.linalg.lstsq(*(v[p].astype(np.float64) for v in (a, b)), rcond=None)[0] for p in range(PROBLEMS)])
    size = np.linalg.norm(x.astype(np.float64), axis=1) * length(a)[:, None] + np.linalg.norm(b.astype(np.float64), axis=1)
    residual = b - a @ x
    if m >= n:
        residual = t(a) @ residual
        size = size * length(a)[:, None]
    c.within(np.sqrt((residual * residual).sum(1)), 8 * longer * c.eps * size, "the normal residual")
    c.within(np.sqrt(((x - ref) ** 2).sum(1)), 8 * longer * 1e4 * c.eps * np.sqrt((up(ref) ** 2).sum(1)), "X")
    a = a.astype(c.dtype)
    a[1] = 0
    c.equal(c.run(A=a, B=c.normal(longer, c.NRHS)).info[:3], np.array([0, 1, 0], np.int32), "info of zeros")
