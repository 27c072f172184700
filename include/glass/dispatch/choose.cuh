// The choice for one problem on one architecture, at compile time: a table's decision for it, else the nearest that is
// legal, else the rule of model.cuh: the order in which glass::jit looks.
#pragma once
#include <glass/dispatch/operations.cuh>
namespace glass::dispatch {

// The decisions of an architecture for an operation: a table (sm_90.cuh) specializes it.
//   template <class F> static constexpr void each(F& f)     f(line, lines)
template <int Arch, op O>
struct table {
  template <class F>
  GLASS_CONSTANT static constexpr void each(F&) {}
};
template <int Arch>  // an architecture that has a table
inline constexpr bool has_table = false;

// A device of an architecture, from the nearest that is known, with the architecture's own limits.
GLASS_CONSTANT constexpr device device_of(int arch) {
  const auto apart = [](int a, int b) { return a < b ? b - a : a - b; };
  device best = profile(0);
  for (int i = 1; i < profiles; ++i)
    if (apart(profile(i).arch, arch) < apart(best.arch, arch)) best = profile(i);
  if (best.arch != arch) {
    const int optin = arch == 75                                ? 64 << 10
                      : arch == 80                              ? 163 << 10
                      : arch == 86 || arch == 89 || arch >= 120 ? 99 << 10
                      : arch >= 90                              ? 227 << 10
                                                                : 0;
    if (optin > 0) best.shared_optin = optin, best.shared_per_sm = optin + 1024;
    best.threads_per_sm = arch == 75 ? 1024 : arch == 80 || arch == 90 || arch == 100 ? 2048 : best.threads_per_sm;
    best.arch = arch;
  }
  return best;
}

namespace detail {
GLASS_CONSTANT constexpr bool staged(kind k) { return k == kind::in || k == kind::out || k == kind::inout; }

// What facts are made of, operand by operand: as bind() and the model of glass::jit see them.
struct counter {
  facts f;
  double flops = 0, moved = 0;
  GLASS_CONSTANT constexpr void operator()(kind k, int bytes, int rank = 0, long long rows = 1, long long columns = 1,
                                           long long elements = 1, bool interleaved = false, bool broadcast = false) {
    if (rank > 0 && rows > f.rows) f.rows = int(rows);
    const double n = double(elements);
    if (rank == 2 && rows > 1 && columns > 1) f.matrix = true;
    if (rank == 2 && k == kind::inout) f.writes_matrix = true;
    if (interleaved) f.interleaved = true;
    if (staged(k) && rank > 0 && !interleaved) f.staged = true;
    if (k == kind::inout || k == kind::out) f.state += n;
    if (rank > 0) flops += 2 * n * double(rank < 2 ? 1 : rows < columns ? rows : columns);
    if (!broadcast) moved += (k == kind::inout ? 2 : staged(k) ? 1 : 0) * n * bytes;
  }
};
// Bytes of a block's dynamic shared memory.
struct adder {
  placement c;
  long long total = 0;
  GLASS_CONSTANT constexpr void operator()(kind k, int bytes, int rank = 0, long long = 1, long long = 1,
                                           long long elements = 1, bool interleaved = false, bool broadcast = false) {
    const bool in_group =
        k == kind::scratch ? c.scope != word::thread : c.home == word::shared && staged(k) && rank > 0 && !interleaved;
    if (in_group) total += ((broadcast ? 1 : c.pack) * elements * bytes + 15) / 16 * 16;
  }
};
}  // namespace detail

// One problem of operation O on a device, as model.cuh's `usual` asks for it.
template <op O>
class problem {
 public:
  GLASS_CONSTANT constexpr problem(const request& r, const device& d) : r_(r), d_(d), f_(facts_of(r)) {}
  GLASS_CONSTANT constexpr const dispatch::facts& facts() const { return f_; }
  GLASS_CONSTANT constexpr const dispatch::device& device() const { return d_; }
  GLASS_CONSTANT constexpr int bodies() const { return operation<O>::bodies > 0 ? operation<O>::bodies : 1; }
  GLASS_CONSTANT constexpr placement at(int width, int pack, bool shared, int body) const {
    placement c;
    c.scope = scope_of_width(width), c.width = width, c.pack = pack;
    c.home = shared ? word::shared : word::global;
    if (operation<O>::bodies > 0) c.body = operation<O>::body_at(body);
    for (int t = 0; t < operation<O>::tunables; ++t) c.tunable[t] = operation<O>::tunable_at(t);
    return c;
  }
  GLASS_CONSTANT constexpr bool in_fragments(const placement& c) const { return c.body == word::fragment; }
  GLASS_CONSTANT constexpr long long exchange(const placement& c) const {
    const long long bytes = c.block() ? operation<O>::exchange(r_, c) : 0;
    return bytes <= 0 ? 0 : (bytes + 15) / 16 * 16;
  }
  GLASS_CONSTANT constexpr long long group(const placement& c) const {
    detail::adder a{c, exchange(c)};
    operation<O>::operands(r_, a);
    return a.total;
  }
  GLASS_CONSTANT constexpr bool legal(const placement& c) const {
    return c.threads() <= d_.threads_per_block && c.threads() % 32 == 0 &&
           (!c.block() || c.pack == 1 || c.body == word::stream) && (c.home == word::global || f_.staged) &&
           group(c) <= d_.shared_optin && operation<O>::broken(r_, c, d_.arch) == 0;
  }
  GLASS_CONSTANT constexpr double time(const placement& c) const {
    shape s;
    s.width = c.width, s.pack = c.pack, s.threads = c.threads(), s.shared = c.home == word::shared;
    s.in_registers = c.body == word::none ? c.width == 1 : c.body != word::loop;
    s.group = double(group(c));
    return predict(f_, s, d_);
  }
  GLASS_CONSTANT constexpr bool listed(placement& found) const {
    taker f{*this, found};
    return operation<O>::listed(r_, d_.arch, f);
  }

 private:
  struct taker {
    const problem& p;
    placement& found;
    GLASS_CONSTANT constexpr bool operator()(const placement& c) {
      if (!p.legal(c) || p.group(c) - p.exchange(c) > p.d_.shared_per_block) return false;
      found = c;
      return true;
    }
  };
  GLASS_CONSTANT static constexpr dispatch::facts facts_of(const request& r) {
    detail::counter n;
    operation<O>::operands(r, n);
    n.f.flops = n.flops, n.f.moved = n.moved;
    if (const long long counted = operation<O>::flops(r); counted >= 0) n.f.flops = double(counted);
    if (const long long counted = operation<O>::moved(r); counted >= 0) n.f.moved = double(counted);
    n.f.bytes = r.bytes, n.f.batch = r.batch, n.f.one_body = operation<O>::bodies == 0;
    return n.f;
  }

  request r_;
  dispatch::device d_;
  dispatch::facts f_;
};

struct verdict {
  placement where;
  tier how = tier::model;
  int arch = 0;  // of the table
  double ns = 0, default_ns = 0;
  double apart = 0;  // how far the sizes are that were measured: the sum of |log2| of the ratios
  bool found = false;
};

namespace detail {
// How far the sizes of a line are: the sum of |log2| of the ratios.
GLASS_CONSTANT constexpr double distance(double a, double b) {
  const double l = model::log2((a + 1) / (b + 1));
  return l < 0 ? -l : l;
}
// Goes through a table's lines for the best that comes after those that were looked at.
template <op O>
struct nearest {
  const request& r;
  double after = -1, best = 1e30, apart = 0;
  decision line = {};
  GLASS_CONSTANT constexpr void operator()(const decision* lines, int n) {
    for (int i = 0; i < n; ++i) {
      const decision& d = lines[i];
      bool same = d.bytes == r.bytes;
      for (int k = 0; k < operation<O>::options; ++k) same = same && d.option[k] == r.option[k];
      if (!same) continue;
      double shape = 0;
      for (int k = 0; k < operation<O>::sizes; ++k)
        if (d.size[k] != r.size[k]) shape += distance(double(r.size[k]), d.size[k]);
      // In the order of shape, then batch class, then line.
      const double rank = shape * 1e6 + distance(2.0 * r.batch - 1, 2.0 * d.batch - 1) * 1e3 + i * 1e-3;
      if (rank > after && rank < best) best = rank, apart = shape, line = d;
    }
  }
};
template <int Arch, op O>
GLASS_CONSTANT constexpr bool from_table(const request& r, const problem<O>& p, bool own, verdict& v) {
  double after = -1;
  for (int tries = 0; tries < 5; ++tries) {
    nearest<O> n{r, after};
    table<Arch, O>::each(n);
    if (n.best >= 1e30) return false;
    after = n.best;
    const decision& d = n.line;
    if (!p.legal(d.where)) continue;
    bool same = true;
    for (int k = 0; k < operation<O>::sizes; ++k) same = same && d.size[k] == r.size[k];
    v.how = !own                 ? tier::other_device
            : !same              ? tier::nearby_shape
            : d.batch != r.batch ? tier::nearby_batch
                                 : tier::exact;
    v.where = d.where, v.arch = Arch, v.apart = n.apart, v.ns = d.ns, v.default_ns = d.default_ns, v.found = true;
    if (v.how != tier::exact) {  // as the model sees the two problems apart
      request there = r;
      for (int k = 0; k < operation<O>::sizes; ++k) there.size[k] = d.size[k];
      there.batch = d.batch;
      const double scale = p.time(d.where) / problem<O>(there, device_of(Arch)).time(d.where);
      v.ns *= scale, v.default_ns *= scale;
    }
    return true;
  }
  return false;
}
}  // namespace detail
}  // namespace glass::dispatch
