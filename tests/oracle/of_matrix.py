"""Oracles of the products and triangular solves: NumPy in a wider type, and SciPy's triangular solve. What an option says is not read holds NaN."""
import numpy as np
from scipy import linalg

from leg import PROBLEMS, mask, mirrored, only, part, poison, row, t, times, up

RECTANGLE = ({"M": 7, "N": 5}, {"M": 8, "N": 12})
PRODUCT = ({"M": 7, "N": 5, "K": 9}, {"M": 8, "N": 12, "K": 4})
RANK_K = ({"N": 7, "K": 5}, {"N": 8, "K": 12})


def op(a, transposed):
    return t(a) if transposed == "yes" else a


def scalings(c, inputs, result):
    """alpha, beta, and the operands they are for: with a zero, what it multiplies is not to be read."""
    yield -1.5, 0.75, inputs, result
    yield 0.5, 0, inputs, poison(result)
    yield 0, 0.5, {name: poison(a) for name, a in inputs.items()}, result


def scaled_sum(c, name, product, length, fill="full", **inputs):
    """result = alpha product(inputs) + beta result, of `length` terms an element; `fill`: what is written (lower: read, too)."""
    shape = product(*map(up, inputs.values())).shape[1:]
    start = c.normal(*shape)
    if len(shape) == 2 and fill != "whole":
        start = mirrored(start, "lower")
        written = mask(shape[0], fill)
    else:
        written = np.ones(shape, bool)
    for alpha, beta, given, result in scalings(c, inputs, start):
        if fill == "full" and len(shape) == 2 and beta:
            result = only(result, "lower")  # the other triangle is only written
        got = getattr(c.run(alpha=alpha, beta=beta, **given, **{name: result}), name)
        ref, size = beta * up(start), np.abs(beta * up(start))
        if alpha:
            ref, size = ref + alpha * product(*map(up, inputs.values())), size + abs(alpha) * product(*(np.abs(up(a)) for a in inputs.values()))
        c.terms(got[:, written], ref[:, written], size[:, written], length, f"{name} with alpha = {alpha}, beta = {beta}")
        c.equal(got[:, ~written], result[:, ~written], f"{name}: the other triangle")
        if fill == "full" and len(shape) == 2:
            c.equal(got, t(got), f"{name} is symmetric")


def triangular(c, n, inverse=False):
    """(A as given, what it stands for): NaN in the other triangle, and on the diagonal where it is not read."""
    a = c.normal(n, n)
    if inverse:  # well conditioned
        a = c.given(a / n + 2 * np.eye(n) * np.sign(a))
    unit = c.DIAG == "unit"
    means = part(up(a), c.FILL, strict=unit) + (np.eye(n) if unit else 0)
    return only(a, c.FILL, diagonal=not unit), op(means, c.TRANS)


# ---- matrix and vector
@row("gemv", sizes=RECTANGLE)
@row("gemv_strided", sizes=({"M": 7, "N": 5, "LDA": 9}, {"M": 8, "N": 12, "LDA": 0}), constant=("LDA",))
def gemv(c):
    scaled_sum(c, "y", lambda a, x: times(op(a, c.TRANS), x), (c.M if c.TRANS == "yes" else c.N) + 2,
               A=c.normal(c.M, c.N), x=c.normal(c.M if c.TRANS == "yes" else c.N))


@row("symv")
def symv(c):
    a = c.normal(c.N, c.N)
    x = c.normal(c.N)
    scaled_sum(c, "y", lambda a, x: times(mirrored(a, c.FILL), x), c.N + 2, A=only(a, c.FILL), x=x)


@row("ger", sizes=RECTANGLE)
def ger(c):
    x, y, a = c.normal(c.M), c.normal(c.N), c.normal(c.M, c.N)
    xy = up(x)[:, :, None] * y[:, None, :]
    c.terms(c.run(alpha=-1.5, x=x, y=y, A=a).A, a - 1.5 * xy, np.abs(a) + 1.5 * np.abs(xy), 3, "A")
    c.equal(c.run(alpha=0, x=poison(x), y=poison(y), A=a).A, a, "A with alpha = 0")


@row("syr", "syr2")
def syr(c):
    x, a = c.normal(c.N), mirrored(c.normal(c.N, c.N), "lower")
    given = only(a, "lower" if c.FILL == "full" else c.FILL)
    vectors = {"x": x} if c.row.name == "syr" else {"x": x, "y": c.normal(c.N)}
    u, v = up(x)[:, :, None], up(list(vectors.values())[-1])[:, None, :]
    product, size = (u * v, np.abs(u * v)) if c.row.name == "syr" else (u * v + t(u * v), np.abs(u * v) + np.abs(t(u * v)))
    got, written = c.run(alpha=-1.5, A=given, **vectors).A, mask(c.N, c.FILL)
    c.terms(got[:, written], (a - 1.5 * product)[:, written], (np.abs(a) + 1.5 * size)[:, written], 4, "A")
    c.equal(got[:, ~written], given[:, ~written], "the other triangle")
    if c.FILL == "full":
        c.equal(got, t(got), "A is symmetric")
    c.equal(c.run(alpha=0, A=given, **{name: poison(v) for name, v in vectors.items()}).A, given, "A with alpha = 0")


@row("trmv", "trmv_to")
def trmv(c):
    (a, means), x = triangular(c, c.N), c.normal(c.N)
    got = c.run(A=a, x=x)
    c.terms(got.x if c.row.name == "trmv" else got.y, times(means, up(x)), times(np.abs(means), np.abs(up(x))), c.N + 2, "A x")


@row("trsv")
def trsv(c):
    (a, means), b = triangular(c, c.N, inverse=True), c.normal(c.N)
    x = c.run(A=a, x=b).x
    c.within(times(means, up(x)) - b, (c.N + 2) * c.eps * times(np.abs(means), np.abs(up(x))), "A x - b")
    ref = [linalg.solve_triangular(m.astype(np.float64), v, lower=(c.FILL == "lower") == (c.TRANS == "no")) for m, v in zip(means, b)]
    c.within(up(x) - ref, 100 * c.N * c.eps * np.abs(ref).max(1)[:, None], "x")


# ---- matrix and matrix
@row("gemm", sizes=PRODUCT)
@row("gemm_strided", sizes=({"M": 7, "N": 5, "K": 9, "LDA": 11, "LDB": 12}, {"M": 8, "N": 12, "K": 4, "LDA": 0, "LDB": 0}),
     constant=("LDA", "LDB"))
def gemm(c):
    a = c.normal(*((c.K, c.M) if c.TRANSA == "yes" else (c.M, c.K)))
    b = c.normal(*((c.N, c.K) if c.TRANSB == "yes" else (c.K, c.N)))
    scaled_sum(c, "C", lambda a, b: op(a, c.TRANSA) @ op(b, c.TRANSB), c.K + 2, fill="whole", A=a, B=b)


@row("gemm_to", sizes=PRODUCT)
def gemm_to(c):
    a = c.normal(*((c.K, c.M) if c.TRANSA == "yes" else (c.M, c.K)))
    b = c.normal(*((c.N, c.K) if c.TRANSB == "yes" else (c.K, c.N)))
    left, right = op(up(a), c.TRANSA), op(up(b), c.TRANSB)
    c.terms(c.run(alpha=-1.5, A=a, B=b).C, -1.5 * (left @ right), 1.5 * (np.abs(left) @ np.abs(right)), c.K + 2, "C")
    c.equal(c.run(alpha=0, A=poison(a), B=poison(b)).C, np.zeros((PROBLEMS, c.M, c.N)), "C with alpha = 0")


@row("syrk", sizes=RANK_K)
def syrk(c):
    a = c.normal(*((c.K, c.N) if c.TRANS == "yes" else (c.N, c.K)))
    scaled_sum(c, "C", lambda a: op(a, c.TRANS) @ t(op(a, c.TRANS)), c.K + 2, fill=c.FILL, A=a)


@row("syr2k", sizes=RANK_K)
def syr2k(c):
    def product(a, b):
        half = op(a, c.TRANS) @ t(op(b, c.TRANS))
        return half + t(half)
    a, b = (c.normal(*((c.K, c.N) if c.TRANS == "yes" else (c.N, c.K))) for _ in "ab")
    scaled_sum(c, "C", product, 2 * c.K + 2, fill=c.FILL, A=a, B=b)


@row("symm", sizes=RECTANGLE)
def symm(c):
    n = c.M if c.SIDE == "left" else c.N
    def product(a, b):
        a = mirrored(a, c.FILL)
        return a @ b if c.SIDE == "left" else b @ a
    scaled_sum(c, "C", product, n + 2, fill="whole", A=only(c.normal(n, n), c.FILL), B=c.normal(c.M, c.N))


@row("trmm", "trmm_to", sizes=RECTANGLE)
def trmm(c):
    n, name = c.M if c.SIDE == "left" else c.N, "B" if c.row.name == "trmm" else "C"
    (a, means), b = triangular(c, n), c.normal(c.M, c.N)
    got, size = getattr(c.run(alpha=-1.5, A=a, B=b), name), np.abs(means)
    ref, size = (means @ up(b), size @ np.abs(up(b))) if c.SIDE == "left" else (up(b) @ means, np.abs(up(b)) @ size)
    c.terms(got, -1.5 * ref, 1.5 * size, n + 2, name)
    c.equal(getattr(c.run(alpha=0, A=poison(a), B=poison(b)), name), 0 * b, f"{name} with alpha = 0")


@row("trsm", sizes=RECTANGLE)
def trsm(c):
    n = c.M if c.SIDE == "left" else c.N
    (a, means), b = triangular(c, n, inverse=True), c.normal(c.M, c.N)
    x, size = up(c.run(alpha=-1.5, A=a, B=b).B), np.abs(means)
    ax, size = (means @ x, size @ np.abs(x)) if c.SIDE == "left" else (x @ means, np.abs(x) @ size)
    c.within(ax + 1.5 * up(b), (n + 2) * c.eps * size, "A X - alpha B")
    c.equal(c.run(alpha=0, A=poison(a), B=poison(b)).B, 0 * b, "B with alpha = 0")


@row("dimm", sizes=RECTANGLE)
def dimm(c):
    d, b = c.normal(c.M if c.SIDE == "left" else c.N), c.normal(c.M, c.N)
    ref = -1.5 * up(b) * (d[:, :, None] if c.SIDE == "left" else d[:, None, :])
    c.terms(c.run(alpha=-1.5, d=d, B=b).C, ref, np.abs(ref), 2, "C")
    c.equal(c.run(alpha=0, d=poison(d), B=poison(b)).C, 0 * b, "C with alpha = 0")


@row("gemm_batched_indexed", sizes=({"N": 3, "P": 5}, {"N": 4, "P": 6}))
def gemm_batched_indexed(c):
    n, p = c.N, c.P
    ai, bi, ci = c.integers(0, p, p), c.integers(0, p, p), c.integers(0, p, p)
    if c.ATOMIC == "no":
        ci = np.stack([c.random.permutation(p) for _ in ci]).astype(np.int32)
    a, b, start = c.normal(n, n * p), c.normal(n, n * p), c.normal(n, n * p)
    blocks = lambda x: up(x).reshape(PROBLEMS, n, p, n).transpose(0, 2, 1, 3)  # [problem, block, row, column]
    ref, size = (blocks(start), np.abs(blocks(start))) if c.ATOMIC == "yes" else (0 * blocks(start), 0 * blocks(start))
    for q in range(PROBLEMS):
        for i, j, k in zip(ai[q], bi[q], ci[q]):
            left, right = op(blocks(a)[q, i], c.TRANSA), op(blocks(b)[q, j], c.TRANSB)
            ref[q, k] += left @ right
            size[q, k] += np.abs(left) @ np.abs(right)
    got = blocks(c.run(ai=ai, bi=bi, ci=ci, A=a, B=b, C=start if c.ATOMIC == "yes" else poison(start)).C)
    c.within(got - ref, (n * p + 2) * c.eps * size, "C")


@row("gemv_segmented", "gemv_segmented_add", sizes=({"M": 7, "N": 5, "S": 3, "LDA": 9}, {"M": 4, "N": 6, "S": 4, "LDA": 0}), constant=("LDA",))
def gemv_segmented(c):
    adds, atomic = c.row.name == "gemv_segmented_add", c.ATOMIC == "yes"
    down, along = (c.N, c.M) if c.TRANS == "yes" else (c.M, c.N)  # of y and x
    column, xoff = c.integers(0, c.N * (c.S - 1) + 1, c.S), c.integers(0, along * (c.S - 1) + 1, c.S)
    yoff = c.integers(0, down * (c.S - 1) + 1, c.S)
    if not atomic:
        yoff = np.stack([c.random.permutation(c.S) * down for _ in yoff]).astype(np.int32)
    offsets = {"aoff": column * np.int32(c.LDA or c.M), "xoff": xoff, "yoff": yoff}
    a, x, y = c.normal(c.M, c.N * c.S), c.normal(along, c.S), c.normal(down, c.S)
    more, soff = {}, yoff
    if adds:
        soff = c.integers(0, down * (c.S - 1) + 1, c.S)
        more = {"soff": soff, "s": c.normal(down, c.S), "scale": c.normal(c.S)}
    in_memory = lambda v: t(up(v)).reshape(PROBLEMS, -1)  # the columns one after another
    for alpha, beta, given, start in scalings(c, {"A": a, "x": x}, y):
        start = y if atomic else start  # that adds, whatever beta
        ref, size = in_memory(y) * (1 if atomic else beta), np.abs(in_memory(y) * (1 if atomic else beta))
        for p in range(PROBLEMS):
            for k in range(c.S):
                to = slice(yoff[p, k], yoff[p, k] + down)
                if alpha:
                    part = op(up(a[p, :, column[p, k]:column[p, k] + c.N]), c.TRANS)
                    right = in_memory(x)[p, xoff[p, k]:xoff[p, k] + along]
                    ref[p, to] += alpha * (part @ right)
                    size[p, to] += abs(alpha) * (np.abs(part) @ np.abs(right))
                if adds:
                    term = up(more["scale"])[p, k] * in_memory(more["s"])[p, soff[p, k]:soff[p, k] + down]
                    ref[p, to] += term
                    size[p, to] += np.abs(term)
        got = in_memory(c.run(alpha=alpha, beta=beta, y=start, **given, **offsets, **more).y)
        c.within(got - ref, (along + c.S + 2) * c.eps * size, f"y with alpha = {alpha}, beta = {beta}")
