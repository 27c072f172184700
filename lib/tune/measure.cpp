// Operands on the device: filled, guarded by canaries, restored, perturbed, read back. No clock here.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tune/arguments.hpp"
#include "tune/data.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using bytes = std::vector<unsigned char>;
constexpr std::size_t guard = 256;  // bytes before and after each operand; keeps its alignment
constexpr unsigned char canary = 0xA5;
constexpr std::int32_t poison_int = -7777777;
constexpr long long distinct_problems = 61;  // then their numbers repeat; prime, so that no pack lines up with it

bool stored(const bound_operand& o) {
  const access how = o.what->access;
  return how != access::scratch && how != access::workspace && how != access::scalar;
}

// One operand's storage: where element (i, j) of problem p lies.
struct field {
  field(const bound_operand& of, long long problems, std::size_t at = 0)
      : o(std::make_shared<const bound_operand>(of)), count(problems), size(bytes_of(of.type)), slot(at) {
    storage = of.elements();
    const bool interleaved = of.what->order == order::interleaved;
    stride = of.what->broadcast ? 0 : of.natural_stride ? storage : of.stride.value;
    total = of.what->broadcast ? storage : interleaved ? storage * count : stride * (count - 1) + storage;
  }

  std::shared_ptr<const bound_operand> o;
  long long count, storage, stride, total;  // problems, elements
  std::size_t size, slot;
  bytes image;  // guard, operand, guard: as filled
  void* device = nullptr;
  bool current = false;  // the device holds `image`

  access how() const { return o->what->access; }
  std::size_t footprint() const { return 2 * guard + static_cast<std::size_t>(total) * size; }
  bool written() const { return how() == access::out || how() == access::inout || how() == access::info; }
  long long position(long long p, int i, int j) const {
    if (o->what->order == order::interleaved) return (static_cast<long long>(j) * extents_of(*o).rows + i) * count + p;
    const long long ld = o->shape.size() == 2 ? o->ld.value : 0;
    return p * stride + (o->what->order == order::row ? i * ld + j : j * ld + i);
  }
  unsigned char* at(bytes& b, long long position) const {
    return b.data() + guard + static_cast<std::size_t>(position) * size;
  }
};

void store_as(scalar_type t, unsigned char* to, double v) {
  const auto put = [to](auto x) { std::memcpy(to, &x, sizeof x); };
  if (t == scalar_type::f32)
    put(static_cast<float>(v));
  else if (t == scalar_type::f64)
    put(v);
  else
    put(static_cast<std::int32_t>(v));
}

double load_as(scalar_type t, const unsigned char* from) {
  const auto get = [from](auto x) { return std::memcpy(&x, from, sizeof x), static_cast<double>(x); };
  return t == scalar_type::f32 ? get(float{}) : t == scalar_type::f64 ? get(double{}) : get(std::int32_t{});
}

double next_up_or_down(scalar_type t, double v, bool up) {
  const double to = up ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  if (t == scalar_type::f32) return std::nextafter(static_cast<float>(v), static_cast<float>(to));
  return t == scalar_type::f64 ? std::nextafter(v, to) : v;
}

template <class F>
void for_each_element(const field& f, long long problems, F visit) {
  const auto [rows, columns] = extents_of(*f.o);
  for (long long p = 0; p < (f.o->what->broadcast ? 1 : problems); ++p)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) visit(p, i, j, f.position(p, i, j));
}

// The triangle that a factorisation or a solve has no business with: strictly above the diagonal, below it for `upper`.
bool other_triangle(const bound_operand& o, int i, int j) {
  const kind k = o.what->kind;
  return o.shape.size() == 2 && (k == kind::upper ? i > j : (k == kind::spd || k == kind::lower) && i < j);
}

}  // namespace

struct workload::implementation {
  implementation(backend& b, const bound_problem& p, long long count, unsigned seed, bool steady)
      : device(b), count(count), seed(seed), steady(steady) {
    values.count = count;
    std::map<std::string, int> sizes;
    for (const auto& [name, value] : p.request.sizes)
      if (value.bound) sizes[name] = value.value;
    const std::vector<int> slots = p.slot_values(sizes);
    std::copy(slots.begin(), slots.end(), values.size);
    try {
      for (std::size_t k = 0; k < p.operands.size(); ++k) add(p, p.operands[k], k);
      add_workspace(p);
    } catch (...) {
      release();
      throw;
    }
    filled = values;
    argument_bytes.resize(argument_block::bytes(p.operands.size()));
    publish();
  }
  ~implementation() { release(); }

  // Where an operation lets its caller choose the triangle, a triangular operand has that one.
  static bound_operand with_triangle(bound_operand o, const bound_problem& p) {
    const auto fill = p.options.find("FILL");
    if (fill == p.options.end() || (o.what->kind != kind::lower && o.what->kind != kind::upper)) return o;
    auto changed = *o.what;
    changed.kind = fill->second == "upper" ? kind::upper : kind::lower;
    o.what = std::make_shared<const operand>(std::move(changed));
    return o;
  }

  void add(const bound_problem& p, const bound_operand& o, std::size_t slot) {
    if (o.what->access == access::scalar) return set_scalar(o, slot, o.what->example), scalars.push_back({o, slot});
    if (!stored(o)) return;
    field f(with_triangle(o, p), count, slot);
    fill(f);
    f.device = device.allocate(f.image.size());
    values.at[slot].pointer = static_cast<char*>(f.device) + guard;
    fields.push_back(std::move(f));
  }

  // The scratch of variant=split: nobody looks at what it holds.
  void add_workspace(const bound_problem& p) {
    std::size_t total = 0;
    for (const auto& part : workspace_parts(p)) total += part.of(count);
    if (total == 0) return;
    char* at = static_cast<char*>(work = device.allocate(total));
    for (const auto& part : workspace_parts(p)) values.at[part.operand].pointer = at, at += part.of(count);
  }

  void set_scalar(const bound_operand& o, std::size_t slot, double v) {
    values.at[slot].bits = 0;
    store_as(o.type, reinterpret_cast<unsigned char*>(&values.at[slot]), v);
  }

  // What is no element (gaps of a leading dimension or stride) holds canaries too.
  void fill(field& f) const {
    const bool poisoned = f.how() == access::out || f.how() == access::info;
    f.image.assign(f.footprint(), canary);
    if (poisoned) {
      const double poison = f.o->type == scalar_type::i32 ? poison_int : std::numeric_limits<double>::quiet_NaN();
      for_each_element(f, count,
                       [&](long long, int, int, long long at) { store_as(f.o->type, f.at(f.image, at), poison); });
      return;
    }
    if (f.o->what->fill &&
        f.o->what->order != order::interleaved) {  // the user's function sees one problem as it lies in memory
      for (long long p = 0; p < std::min(f.o->what->broadcast ? 1 : count, distinct_problems); ++p) {
        const std::vector<double> data = given_data(f, p);
        for (std::size_t e = 0; e < data.size(); ++e)
          store_as(f.o->type, f.at(f.image, p * f.stride + static_cast<long long>(e)), data[e]);
      }
      repeat(f);
      return;
    }
    std::vector<double> data;
    const int rows = extents_of(*f.o).rows;
    for_each_element(f, std::min(count, distinct_problems), [&](long long p, int i, int j, long long at) {
      if (i == 0 && j == 0) data = logical_data(f, p);
      store_as(f.o->type, f.at(f.image, at), data[static_cast<std::size_t>(j) * rows + i]);
    });
    repeat(f);
  }

  std::vector<double> given_data(const field& f, long long p) const {
    std::vector<double> data(static_cast<std::size_t>(f.storage));
    f.o->what->fill(data.data(), data.size(), p);
    for (double& x : data) x *= f.o->step;
    return data;
  }
  std::vector<double> logical_data(const field& f, long long p) const {
    return f.o->what->fill ? given_data(f, p) : problem_data(*f.o, seed, static_cast<unsigned>(f.slot), p, steady);
  }

  // Problems from `distinct_problems` on are copies of the first ones.
  void repeat(field& f) const {
    if (f.o->what->broadcast) return;
    if (f.o->what->order != order::interleaved) {
      for (long long p = distinct_problems; p < count; ++p)
        std::memcpy(f.at(f.image, p * f.stride), f.at(f.image, p % distinct_problems * f.stride),
                    static_cast<std::size_t>(f.storage) * f.size);
      return;
    }
    for (long long e = 0; e < f.storage; ++e)
      for (long long p = distinct_problems; p < count; ++p)
        std::memcpy(f.at(f.image, e * count + p), f.at(f.image, e * count + p % distinct_problems), f.size);
  }

  void publish() { std::memcpy(argument_bytes.data(), &values, argument_bytes.size()); }

  void restore() {
    for (auto& f : fields)
      if (f.written() || !f.current) device.upload(f.device, f.image.data(), f.image.size()), f.current = true;
    values = filled;
    publish();
  }

  void perturb() {
    restore();
    for (auto& f : fields) {
      if (f.how() == access::out || f.how() == access::info || f.o->type == scalar_type::i32) continue;
      bytes moved = f.image;
      for_each_element(f, count, [&](long long p, int i, int j, long long at) {
        const bool up = random_bits(seed + 1, f.slot, static_cast<std::uint64_t>(p),
                                    static_cast<std::uint64_t>(j) << 32 | static_cast<unsigned>(i)) &
                        1;
        unsigned char* e = f.at(moved, at);
        store_as(f.o->type, e, next_up_or_down(f.o->type, load_as(f.o->type, e), up));
      });
      device.upload(f.device, moved.data(), moved.size());
      f.current = false;
    }
    for (const auto& [o, slot] : scalars) set_scalar(o, slot, next_up_or_down(o.type, o.what->example, true));
    publish();
  }

  outcome collect() {
    outcome result;
    for (auto& f : fields) {
      const bool unchanged = !f.written() && f.current;
      if (!f.written() && !f.current) continue;  // perturbed inputs: not guarded, not results
      bytes now(f.image.size());
      device.download(now.data(), f.device, now.size());
      if (unchanged) {
        if (now != f.image) result.overrun = overrun(f, now), f.current = false;
        continue;
      }
      std::vector<double> written;
      bool kept = f.how() == access::inout, any = false;
      bytes rest = now;  // with the elements put back: equal to `image` unless something else was written
      for_each_element(f, count, [&](long long, int i, int j, long long at) {
        unsigned char *was = f.at(f.image, at), *is = f.at(now, at);
        const bool same = std::memcmp(was, is, f.size) == 0;
        if (other_triangle(*f.o, i, j)) any = true, kept = kept && same;
        const double v = load_as(f.o->type, is);
        written.push_back(
            same && f.how() == access::inout && std::isnan(v) ? 0 : v);  // a NaN that was put there and left alone
        std::memcpy(f.at(rest, at), was, f.size);
      });
      if (rest != f.image) result.overrun = overrun(f, rest);
      result.written.push_back(std::move(written));
      result.kept.push_back(kept && any);
    }
    return result;
  }

  static std::string overrun(const field& f, const bytes& now) {
    const auto at =
        std::mismatch(now.begin(), now.end(), f.image.begin()).first - now.begin() - static_cast<std::ptrdiff_t>(guard);
    const long long end = f.total * static_cast<long long>(f.size);
    const std::string who = "operand '" + f.o->what->name + "'";
    if (at < 0) return who + ": wrote " + std::to_string(-at) + " bytes before its beginning.";
    if (at >= end) return who + ": wrote " + std::to_string(at - end) + " bytes behind its end.";
    return who + (f.written() ? ": wrote between its elements." : ": changed, though it is only read.");
  }

  void release() {
    for (auto& f : fields) device.free(f.device);
    fields.clear();
    device.free(work);
    work = nullptr;
  }

  backend& device;
  const long long count;
  const unsigned seed;
  const bool steady;
  std::vector<field> fields;
  void* work = nullptr;
  std::vector<std::pair<bound_operand, std::size_t>> scalars;
  argument_block values, filled;
  bytes argument_bytes;
};

workload::workload(backend& b, const bound_problem& p, long long count, unsigned seed, bool steady)
    : self_(std::make_unique<implementation>(b, p, count, seed, steady)) {
  restore();
}
workload::~workload() = default;
void workload::restore() { self_->restore(); }
void workload::perturb() { self_->perturb(); }
const std::vector<unsigned char>& workload::arguments() const { return self_->argument_bytes; }
workload::outcome workload::collect() { return self_->collect(); }
long long workload::count() const { return self_->count; }

std::size_t workload::bytes_for(const bound_problem& p, long long count) {
  std::size_t sum = 0;
  for (const auto& o : p.operands)
    if (stored(o)) sum += field(o, count).footprint();
  for (const auto& part : workspace_parts(p)) sum += part.of(count);
  return sum;
}

}  // namespace glass::jit
