"""Oracles of the vector operations: NumPy, and for rotg the plane rotation of BLAS's definition."""
import numpy as np

from leg import PROBLEMS, mask, poison, row, t, up


# ---- scaled sums
@row("axpy")
def axpy(c):
    x, y = c.normal(c.N), c.normal(c.N)
    c.terms(c.run(alpha=-1.5, x=x, y=y).y, -1.5 * up(x) + up(y), np.abs(1.5 * x) + np.abs(y), 2, "y")
    c.equal(c.run(alpha=0, x=poison(x), y=y).y, y, "y with alpha = 0")


@row("axpy_to")
def axpy_to(c):
    x, y = c.normal(c.N), c.normal(c.N)
    c.terms(c.run(alpha=-1.5, x=x, y=y).z, -1.5 * up(x) + up(y), np.abs(1.5 * x) + np.abs(y), 2, "z")
    c.equal(c.run(alpha=0, x=poison(x), y=y).z, y, "z with alpha = 0")


@row("axpby")
def axpby(c):
    x, y = c.normal(c.N), c.normal(c.N)
    c.terms(c.run(alpha=-1.5, x=x, beta=0.75, y=y).z, -1.5 * up(x) + 0.75 * up(y), np.abs(1.5 * x) + np.abs(y), 2, "z")
    c.equal(c.run(alpha=0, x=poison(x), beta=0.5, y=y).z, y / 2, "z with alpha = 0")
    c.equal(c.run(alpha=0.5, x=x, beta=0, y=poison(y)).z, x / 2, "z with beta = 0")


@row("rot")
def rot(c):
    x, y = c.normal(c.N), c.normal(c.N)
    k, s = c.given([0.28, 0.96])
    got, size = c.run(x=x, y=y, c=k, s=s), np.abs(k * x) + np.abs(s * y)
    c.terms(got.x, up(k) * x + up(s) * y, size, 2, "x")
    c.terms(got.y, up(k) * y - up(s) * x, np.abs(k * y) + np.abs(s * x), 2, "y")


@row("rotg")
def rotg(c):
    a, b = c.normal(c.N), c.normal(c.N)
    a[0, :4], b[0, :4] = [0, 3, -2, 0], [0, 0, 2, -4]
    large = c.given(2.0 ** (1000 if c.type == "f64" else 124))
    a[1], b[1] = a[1] * large, b[1] * large
    got = c.run(a=a, b=b)
    sign = np.where(np.where(np.abs(a) > np.abs(b), a, b) < 0, -1, 1)
    r = sign * np.hypot(up(a), up(b))
    zero = r == 0
    c.within(up(got.r) - r, 4 * c.eps * np.abs(r), "r")
    c.absolute(got.c, np.where(zero, 1, up(a) / np.where(zero, 1, r)), 4, "c")
    c.absolute(got.s, np.where(zero, 0, up(b) / np.where(zero, 1, r)), 4, "s")


# ---- moves
@row("copy")
def copy(c):
    x = c.normal(c.N)
    c.equal(c.run(x=x).y, x, "y")


@row("copy_scaled")
def copy_scaled(c):
    x = c.normal(c.N)
    c.equal(c.run(alpha=-1.5, x=x).y, c.given(-1.5) * x, "y")
    x[:, 2] = np.nan
    c.equal(c.run(alpha=0, x=x).y, 0 * x, "y with alpha = 0")


@row("scal")
def scal(c):
    x = c.normal(c.N)
    c.equal(c.run(alpha=-1.5, x=x).x, c.given(-1.5) * x, "x")
    x[:, 2] = np.nan
    c.equal(c.run(alpha=0, x=x).x, 0 * x, "x with alpha = 0")


@row("set_const", constant="all")
def set_const(c):
    c.equal(c.run(alpha=-1.5).x, np.full((PROBLEMS, c.N), c.given(-1.5)), "x")


@row("swap")
def swap(c):
    x, y = c.normal(c.N), c.normal(c.N)
    got = c.run(x=x, y=y)
    c.equal(got.x, y, "x")
    c.equal(got.y, x, "y")


@row("clip")
def clip(c):
    x, l = c.normal(c.N), c.normal(c.N) - 1
    u = l + np.abs(c.normal(c.N))
    c.equal(c.run(x=x, l=l, u=u).x, np.clip(x, l, u), "x")
    x[0, 0], l[1, 1], u[2, 2], u[3, 3] = np.nan, np.nan, np.nan, l[3, 3] - 1
    low = np.where(x < l, l, x)
    c.equal(c.run(x=x, l=l, u=u).x, np.where(low > u, u, low), "x at the edges")


# ---- element by element
TWO = {"elementwise_add": np.add, "elementwise_sub": np.subtract, "elementwise_mult": np.multiply, "elementwise_max": np.fmax,
       "elementwise_min": np.fmin, "elementwise_less_than": np.less, "elementwise_more_than": np.greater,
       "elementwise_less_than_or_eq": np.less_equal, "elementwise_and": np.logical_and}
ONE = {"elementwise_abs": np.abs, "elementwise_not": np.logical_not}
SCALAR = {"elementwise_mult_scalar": np.multiply, "elementwise_max_scalar": np.fmax, "elementwise_min_scalar": np.fmin,
          "elementwise_less_than_scalar": np.less}


def with_ties(c):
    """Halves from -1 to 1 and a NaN now and then."""
    x = c.given(c.integers(-2, 3, c.N) / 2)
    x[c.random.random(x.shape) < 0.1] = np.nan
    return x


@row(*TWO)
def elementwise_two(c):
    a, b = with_ties(c), with_ties(c)
    c.equal(c.run(a=a, b=b).c, c.given(TWO[c.row.name](a, b)), "c")
    a, b = c.normal(c.N), c.normal(c.N)
    c.equal(c.run(a=a, b=b).c, c.given(TWO[c.row.name](a, b)), "c")


@row(*ONE)
def elementwise_one(c):
    a = with_ties(c)
    c.equal(c.run(a=a).c, c.given(ONE[c.row.name](a)), "c")


@row(*SCALAR)
def elementwise_scalar(c):
    a = with_ties(c)
    for s in (0.5, -0.75):
        c.equal(c.run(a=a, s=s).c, c.given(SCALAR[c.row.name](a, c.given(s))), "c")


# ---- matrices as such
@row("set_identity", constant="all")
def set_identity(c):
    c.equal(c.run().A, np.broadcast_to(c.given(np.eye(c.N)), (PROBLEMS, c.N, c.N)), "A")


@row("add_identity")
def add_identity(c):
    a = c.normal(c.N, c.N)
    c.equal(c.run(alpha=-1.5, A=a).A, a + c.given(-1.5 * np.eye(c.N)), "A")


@row("add_identity_partial")
def add_identity_partial(c):
    a = c.normal(c.N, c.N)
    for d in (0, 3, c.N + 5):
        c.equal(c.run(d=d, alpha=-1.5, A=a).A, a + c.given(-1.5 * np.diag(np.arange(c.N) < d)), f"A with d = {d}")


@row("symmetrize")
def symmetrize(c):
    a = c.normal(c.N, c.N)
    got = c.run(A=a).A
    if c.FILL == "full":
        c.terms(got, (up(a) + up(t(a))) / 2, (np.abs(a) + np.abs(t(a))) / 2, 1, "A")
        c.equal(got, t(got), "A is symmetric")
    else:
        c.equal(got, np.where(mask(c.N, c.FILL), a, t(a)), "A")


@row("transpose", sizes=({"M": 7, "N": 5}, {"M": 4, "N": 12}))
def transpose(c):
    a = c.normal(c.M, c.N)
    c.equal(c.run(A=a).B, t(a), "B")


@row("transpose_square")
def transpose_square(c):
    a = c.normal(c.N, c.N)
    c.equal(c.run(A=a).A, t(a), "A")


STRIDED = ({"M": 5, "N": 7, "LDX": 6, "LDY": 9}, {"M": 8, "N": 4, "LDX": 12, "LDY": 8})


@row("copy_strided", sizes=STRIDED, constant="all")
def copy_strided(c):
    x = c.normal(c.M, c.N)
    c.equal(c.run(alpha=-1.5, X=x).Y, c.given(-1.5) * x, "Y")
    c.equal(c.run(alpha=0, X=poison(x)).Y, poison(x), "Y with alpha = 0")


@row("axpy_strided", sizes=STRIDED, constant="all")
def axpy_strided(c):
    x, y = c.normal(c.M, c.N), c.normal(c.M, c.N)
    c.terms(c.run(alpha=-1.5, X=x, Y=y).Y, -1.5 * up(x) + up(y), np.abs(1.5 * x) + np.abs(y), 2, "Y")
    c.equal(c.run(alpha=0, X=poison(x), Y=y).Y, y, "Y with alpha = 0")


# The file's order is that of the numbers, so that a conversion between layouts of the memory changes nothing.
@row("interleave", sizes=({"M": 3, "N": 5}, {"M": 4, "N": 8}), constant="all")
def interleave(c):
    a = c.normal(c.M, c.N)
    c.equal(c.run(A=a).B, a, "B")


@row("deinterleave", sizes=({"M": 3, "N": 5}, {"M": 4, "N": 8}), constant="all")
def deinterleave(c):
    b = c.normal(c.M, c.N)
    c.equal(c.run(B=b).A, b, "A")
