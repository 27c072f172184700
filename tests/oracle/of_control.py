"""Oracles of the fused operations: the formula in a wider type, and NumPy's solve."""
import numpy as np

from leg import PROBLEMS, diagonal, frobenius, only, poison, row, t, times, up


def each(f, *arrays):
    return np.stack([f(*(a[p].astype(np.float64) for a in arrays)) for p in range(PROBLEMS)])


# ---- congruences: alpha and beta as of_matrix's products
def scaled_sum(c, name, product, length, start, given_start, symmetric=False, **inputs):
    for alpha, beta in ((-1.5, 0.75), (0.5, 0), (0, 0.5)):
        given = {n: a if alpha else poison(a) for n, a in inputs.items()}
        got = getattr(c.run(alpha=alpha, beta=beta, **given, **{name: given_start if beta else poison(start)}), name)
        ref, size = beta * up(start), np.abs(beta * up(start))
        if alpha:
            ref = ref + alpha * product(*map(up, inputs.values()))
            size = size + abs(alpha) * product(*(np.abs(up(a)) for a in inputs.values()))
        c.terms(got, ref, size, length, f"{name} with alpha = {alpha}, beta = {beta}")
        if symmetric:
            c.equal(got, t(got), f"{name} is symmetric")


@row("congruence_sym", sizes=({"N": 7, "K": 5}, {"N": 6, "K": 8}), costly=True)
def congruence_sym(c):
    start = c.spd(c.K)
    scaled_sum(c, "Q", lambda x, m: t(x) @ m @ x, 2 * c.N + 2, start, only(start, "lower"), symmetric=True,
               X=c.normal(c.N, c.K), M=c.symmetric(c.N, np.linspace(-1, 1, c.N)))


@row("congruence_accum", sizes=({"N": 7, "P": 5}, {"N": 6, "P": 8}), costly=True)
def congruence_accum(c):
    start = c.spd(c.P)
    scaled_sum(c, "C", lambda g, m: g @ m @ t(g), 2 * c.N + 2, start, only(start, "lower"), symmetric=True,
               G=c.normal(c.P, c.N), M=c.symmetric(c.N, np.linspace(-1, 1, c.N)))


@row("bilinear", sizes=({"N": 7, "P": 5, "Q": 3}, {"N": 6, "P": 4, "Q": 8}), costly=True)
def bilinear(c):
    start = c.normal(c.P, c.Q)
    scaled_sum(c, "R", lambda x, m, y: t(x) @ m @ y, 2 * c.N + 2, start, start,
               X=c.normal(c.N, c.P), M=c.normal(c.N, c.N), Y=c.normal(c.N, c.Q))


TENSOR = ({"N": 7, "A": 3, "B": 5}, {"N": 4, "A": 6, "B": 2})


def slabs(c, tensor):
    """[problem, slab, a, b]"""
    columns = t(tensor)
    if c.ORDER == "row":
        return columns.reshape(PROBLEMS, c.N, c.A, c.B)
    return t(columns.reshape(PROBLEMS, c.N, c.B, c.A))


@row("tensor_vec_contract", sizes=TENSOR)
def tensor_vec_contract(c):
    formula = {"K": "pkab,pk->pab", "A": "pkab,pa->pkb", "B": "pkab,pb->pka"}[c.AXIS]
    extent = {"K": c.N, "A": c.A, "B": c.B}[c.AXIS]
    start = c.normal(c.A if c.AXIS == "K" else c.N, c.A if c.AXIS == "B" else c.B)
    scaled_sum(c, "M", lambda x, v: np.einsum(formula, slabs(c, x), v), extent + 2, start, start,
               T=c.normal(c.A * c.B, c.N), v=c.normal(extent))


@row("vec_tensor_vec", sizes=TENSOR)
def vec_tensor_vec(c):
    start = c.normal(c.N)
    scaled_sum(c, "s", lambda x, u, w: np.einsum("pkab,pa,pb->pk", slabs(c, x), u, w), c.A + c.B + 2, start, start,
               T=c.normal(c.A * c.B, c.N), u=c.normal(c.A), w=c.normal(c.B))


# ---- steps
STEP = ({"M": 9, "N": 5}, {"M": 6, "N": 8})


def damped(c, j, damping, shift):
    jj = t(up(j)) @ up(j)
    scale = diagonal(jj) if shift == "diagonal" else np.broadcast_to(np.eye(c.N), jj.shape)
    return jj, damping * scale


@row("gn_step", sizes=STEP, costly=True)
def gn_step(c):
    j, r = c.normal(c.M, c.N), c.normal(c.M)
    got = c.run(J=j, r=r, **{"lambda": 0.5})
    jj, d = damped(c, j, 0.5, c.SHIFT)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    step_matches(c, j, r, jj + d, got.dq)
    r[1, 2], j[2, 1, 0] = 1, np.nan
    c.equal(c.run(J=j, r=r, **{"lambda": 0.5}).info[:4], np.array([0, 0, 1, 0], np.int32), "info of NaN")


def step_matches(c, j, r, a, dq):
    """The residual of the normal equations, whose own rounding is that of J'J and J'r."""
    size = np.abs(t(up(j))) @ np.abs(up(j))
    size = times(size + np.abs(a), np.abs(up(dq))) + times(np.abs(t(up(j))), np.abs(up(r)))
    c.within(times(a, up(dq)) - times(t(up(j)), up(r)), (c.M + c.N + 4) * c.eps * size.max(1)[:, None], "the residual of dq")
    ref = each(np.linalg.solve, a, times(t(up(j)), up(r)))
    condition = np.linalg.cond(a.astype(np.float64))
    c.within(np.abs(up(dq) - ref).max(1), (c.M + c.N + 4) * c.N * condition * c.eps * np.abs(ref).max(1), "dq")


@row("lm_step", sizes=STEP, costly=True)
def lm_step(c):
    j, r = c.normal(c.M, c.N), c.normal(c.M)
    j[3, :, 1] = 0  # nothing to damp with: 1
    jj, d = damped(c, j, 0.5, "diagonal")
    d[3, 1, 1] = 0.5
    got = c.run(J=j, r=r, **{"lambda": 0.5})
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    step_matches(c, j, r, jj + d, got.dq)
    jr, dq = times(t(up(j)), up(r)), up(got.dq)
    ref = (dq * (times(d, dq) + jr)).sum(1) / 2
    size = (np.abs(dq) * (times(np.abs(d), np.abs(dq)) + times(np.abs(t(up(j))), np.abs(up(r))))).sum(1)
    c.within(up(got.predicted)[:, 0] - ref, (c.M + c.N + 4) * c.eps * size, "predicted")


# ---- control and estimation
LQR = ({"N": 7, "NU": 3}, {"N": 4, "NU": 6})


def gain(c):
    p, a, b, r = c.spd(c.N), c.normal(c.N, c.N), c.normal(c.N, c.NU), c.spd(c.NU)
    p, a, b, r = p, c.given(a / np.sqrt(c.N)), b, c.given(r + np.eye(c.NU))
    h, g = up(r) + t(up(b)) @ up(p) @ up(b), t(up(b)) @ up(p) @ up(a)
    if c.SHIFT != "none":
        h = h + 0.25 * (np.eye(c.NU) if c.SHIFT == "identity" else diagonal(h))
    return p, a, b, r, h, g, {} if c.SHIFT == "none" else {"rho": 0.25}


def gain_matches(c, k, b, p, a, h, g):
    """The residual of H K = B'PA, which were rounded themselves."""
    pb = t(np.abs(up(b))) @ np.abs(up(p))
    size = (np.abs(h) + pb @ np.abs(up(b))) @ np.abs(up(k)) + pb @ np.abs(up(a))
    c.within(h @ up(k) - g, 2 * (c.N + c.NU + 4) * c.eps * size.max((1, 2))[:, None, None], "the residual of K")
    ref = each(np.linalg.solve, h, g)
    condition = np.linalg.cond(h.astype(np.float64))
    c.within(frobenius(up(k) - ref), 4 * (c.N + c.NU + 4) * condition * c.eps * frobenius(up(ref)), "K")
    return up(ref)


@row("riccati_gain", sizes=LQR, costly=True)
def riccati_gain(c):
    p, a, b, r, h, g, shift = gain(c)
    got = c.run(P=p, A=a, B=b, R=only(r, "lower"), **shift)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    gain_matches(c, got.K, b, p, a, h, g)
    r[1, 1, 1] = -1000
    c.equal(c.run(P=p, A=a, B=b, R=r, **shift).info[:3], np.array([0, 2, 0], np.int32), "info of what is not positive definite")


@row("riccati_step", sizes=LQR, costly=True)
def riccati_step(c):
    p, a, b, r, h, g, shift = gain(c)
    q = c.spd(c.N)
    got = c.run(P=p, A=a, B=b, Q=q, R=only(r, "lower"), **shift)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    k = gain_matches(c, got.K, b, p, a, h, g)
    apa = t(up(a)) @ up(p) @ up(a)
    size = frobenius(up(q)) + frobenius(apa) + frobenius(up(k)) * frobenius(g)
    condition = np.linalg.cond(h.astype(np.float64))
    c.within(frobenius(up(got.Pnew) - (q + apa - t(k) @ g)), 8 * (c.N + c.NU) * condition * c.eps * size, "Pnew")
    c.equal(got.Pnew, t(got.Pnew), "Pnew is symmetric")


# Stages side by side: [problem, stage, row, column].
def stages(c, a, width):
    return np.stack([up(a)[:, :, k * width:(k + 1) * width] for k in range(c.STAGES)], 1)


def optimum(a, b, c, q, m, r, q_linear, r_linear, q_end, q_end_linear, x0):
    """(x, u) of one problem from the Karush-Kuhn-Tucker equations of all stages at once, and their condition."""
    count, n, nu = b.shape
    z = count * (n + nu)  # u_0, x_1, u_1, ..., x_N
    h, g, left, right = np.zeros((z, z)), np.zeros(z), np.zeros((count * n, z)), np.zeros(count * n)
    of_u = [slice(k * (n + nu), k * (n + nu) + nu) for k in range(count)]
    of_x = [slice(k * (n + nu) - n, k * (n + nu)) for k in range(count + 1)]
    for k in range(count):
        rows, u, x, after = slice(k * n, (k + 1) * n), of_u[k], of_x[k], of_x[k + 1]
        h[u, u], g[u] = r[k], r_linear[:, k]
        left[rows, after], left[rows, u], right[rows] = np.eye(n), -b[k], c[:, k]
        if k == 0:
            g[u] += m[0] @ x0
            right[rows] += a[0] @ x0
        else:
            h[x, x], h[u, x], h[x, u], g[x], left[rows, x] = q[k], m[k], m[k].T, q_linear[:, k], -a[k]
    h[of_x[count], of_x[count]], g[of_x[count]] = q_end, q_end_linear
    kkt = np.block([[h, left.T], [left, np.zeros((count * n, count * n))]])
    solved = np.linalg.solve(kkt, np.concatenate([-g, right]))
    return np.stack([x0, *(solved[s] for s in of_x[1:])], 1), np.stack([solved[s] for s in of_u], 1), np.linalg.cond(kkt)


REGULATOR = ({"N": 3, "NU": 2, "STAGES": 5}, {"N": 4, "NU": 2, "STAGES": 4})


@row("lqr_backward", sizes=REGULATOR, costly=True)
def lqr_backward(c):
    n, nu, count = c.N, c.NU, c.STAGES
    of_each = lambda make: np.concatenate([make() for _ in range(count)], 2)
    A, B = of_each(lambda: c.given(c.normal(n, n) / np.sqrt(n))), of_each(lambda: c.normal(n, nu))
    Q, R = of_each(lambda: c.spd(n)), of_each(lambda: c.given(c.spd(nu) + np.eye(nu)))
    M, offset, q, r = c.given(0.1 * c.normal(nu, n * count)), c.normal(n, count), c.normal(n, count), c.normal(nu, count)
    QN, qN, x0 = c.spd(n), c.normal(n), c.normal(n)
    lower = lambda a, k: np.concatenate([only(a[:, :, e * k:(e + 1) * k], "lower") for e in range(count)], 2)
    shift = {} if c.SHIFT == "none" else {"rho": 0.25}
    got = c.run(A=A, B=B, c=offset, Q=lower(Q, n), M=M, R=lower(R, nu), q=q, r=r, QN=only(QN, "lower"), qN=qN, **shift)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    a, b, cost, m, control = stages(c, A, n), stages(c, B, nu), stages(c, Q, n), stages(c, M, n), stages(c, R, nu)
    K, P = stages(c, got.K, n), np.stack([up(got.P)[:, :, e * n:(e + 1) * n] for e in range(count + 1)], 1)
    k, p = up(got.k), up(got.p)
    c.equal(P, t(P), "P is symmetric")
    c.equal(P[:, count], up(QN), "the last P")
    c.equal(p[:, :, count], up(qN), "the last p")
    # One stage at a time from the P and p that came out: every equation holds.
    for e in range(count):
        after, to = P[:, e + 1], t(b[:, e])
        h = control[:, e] + to @ after @ b[:, e]
        more = 0 if c.SHIFT == "none" else 0.25 * (np.eye(nu) if c.SHIFT == "identity" else diagonal(h))
        control[:, e] = control[:, e] + more
        h, hx = h + more, m[:, e] + to @ after @ a[:, e]
        ahead = times(after, up(offset)[:, :, e]) + p[:, :, e + 1]
        hu = up(r)[:, :, e] + times(to, ahead)
        condition = np.linalg.cond(h.astype(np.float64))
        unit = 8 * (n + nu) * condition * c.eps
        size = frobenius(np.abs(h)) * frobenius(np.abs(K[:, e])) + frobenius(np.abs(to) @ np.abs(after) @ np.abs(a[:, e])) + 1
        c.within(frobenius(h @ K[:, e] - hx), unit * size, f"the residual of K at stage {e}")
        c.within(np.abs(times(h, k[:, :, e]) - hu).max(1), unit * (size + np.abs(ahead).sum(1) * frobenius(b[:, e])), f"that of k at stage {e}")
        apa = t(a[:, e]) @ after @ a[:, e]
        large = frobenius(cost[:, e]) + frobenius(apa) + frobenius(K[:, e]) * frobenius(hx)
        c.within(frobenius(P[:, e] - (cost[:, e] + apa - t(K[:, e]) @ hx)), unit * large, f"P at stage {e}")
        ref = up(q)[:, :, e] + times(t(a[:, e]), ahead) - times(t(hx), k[:, :, e])
        large = np.abs(q[:, :, e]).max(1) + frobenius(a[:, e]) * np.abs(ahead).sum(1) + frobenius(hx) * np.abs(k[:, :, e]).sum(1)
        c.within(np.abs(p[:, :, e] - ref).max(1), unit * large, f"p at stage {e}")
    # And the trajectory that the gains make is the optimum of the whole.
    for problem in range(PROBLEMS):
        one = [v[problem].astype(np.float64) for v in (a, b, offset, cost, m, control, q, r, QN, qN, x0)]
        x, u, condition = optimum(*one)
        state = up(x0)[problem]
        for e in range(count):
            act = -K[problem, e] @ state - k[problem, :, e]
            c.within(np.abs(act - u[:, e]).max(), 4 * n * condition * c.eps * np.abs(u).max(), f"u of stage {e} of the optimum")
            state = a[problem, e] @ state + b[problem, e] @ act + up(offset)[problem, :, e]
            c.within(np.abs(state - x[:, e + 1]).max(), 4 * n * condition * c.eps * np.abs(x).max(), f"x after stage {e} of the optimum")
    R[1, 0, nu:2 * nu] = -1000  # stage 2
    c.equal(c.run(A=A, B=B, c=offset, Q=Q, M=M, R=R, q=q, r=r, QN=QN, qN=qN, **shift).info[:3], np.array([0, 2, 0], np.int32),
            "info of what is not positive definite")


@row("lqr_forward", sizes=REGULATOR, costly=True)
def lqr_forward(c):
    n, nu, count = c.N, c.NU, c.STAGES
    A, B, offset = c.given(c.normal(n, n * count) / 2), c.normal(n, nu * count), c.normal(n, count)
    K, k, x0 = c.given(c.normal(nu, n * count) / 4), c.normal(nu, count), c.normal(n)
    a, b, gains = stages(c, A, n), stages(c, B, nu), stages(c, K, n)
    for alpha in (1, 0.5, 0):
        got = c.run(A=A, B=B, c=offset, K=K, k=k if alpha else poison(k), x0=x0, alpha=alpha)
        c.equal(got.x[:, :, 0], x0, "the first x")
        for e in range(count):  # every stage from the x that came out
            x, u = up(got.x)[:, :, e], up(got.u)[:, :, e]
            size = times(np.abs(gains[:, e]), np.abs(x)) + np.abs(alpha * up(k)[:, :, e])
            c.terms(u, -times(gains[:, e], x) - alpha * up(k)[:, :, e], size, n + 2, f"u of stage {e}, alpha = {alpha}")
            after = times(a[:, e], x) + times(b[:, e], u) + up(offset)[:, :, e]
            size = times(np.abs(a[:, e]), np.abs(x)) + times(np.abs(b[:, e]), np.abs(u)) + np.abs(up(offset)[:, :, e])
            c.terms(got.x[:, :, e + 1], after, size, n + nu + 2, f"x after stage {e}, alpha = {alpha}")


@row("kalman_update", sizes=({"N": 7, "NY": 3}, {"N": 4, "NY": 6}), costly=True)
def kalman_update(c):
    x, p, h, r, y = c.normal(c.N), c.spd(c.N), c.normal(c.NY, c.N), c.given(c.spd(c.NY) + np.eye(c.NY)), c.normal(c.NY)
    s, ph = up(h) @ up(p) @ t(up(h)) + up(r), up(p) @ t(up(h))
    k = t(each(np.linalg.solve, s, t(ph)))
    if c.JOSEPH == "yes":
        i_kh = np.eye(c.N) - k @ up(h)
        covariance = i_kh @ up(p) @ t(i_kh) + k @ up(r) @ t(k)
    else:
        covariance = up(p) - k @ t(ph)
    got = c.run(x=x, P=p, H=h, R=only(r, "lower"), y=y)
    c.equal(got.info, np.zeros(PROBLEMS, np.int32), "info")
    unit = 8 * (c.N + c.NY) * np.linalg.cond(s.astype(np.float64)) * c.eps
    c.within(frobenius(up(got.P) - covariance), unit * frobenius(up(p)), "P")
    c.equal(got.P, t(got.P), "P is symmetric")
    c.within(np.abs(up(got.x) - (x + times(k, up(y)))).max(1), unit * (np.abs(x) + times(np.abs(k), np.abs(up(y)))).max(1), "x")
    r[1, 0, 0] = -1000
    got = c.run(x=x, P=p, H=h, R=r, y=y)
    c.equal(got.info[:3], np.array([0, 1, 0], np.int32), "info of what is not positive definite")
    c.equal(got.x[1], x[1], "x without a solution")
    c.equal(got.P[1], p[1], "P without a solution")
