// Launching: the arguments against the operand list, then one call of the backend. No lock, no allocation, no exception
// on that way.
#include <algorithm>
#include <climits>
#include <cstdio>

#include "runtime/kernel_state.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace detail {
namespace {

using tag = argument::tag;

const char* describe(const argument& a) noexcept {
  switch (a.type) {
    case tag::null:
      return "nullptr";
    case tag::void_pointer:
      return "a void pointer";
    case tag::f32_pointer:
      return a.read_only ? "const float*" : "float*";
    case tag::f64_pointer:
      return a.read_only ? "const double*" : "double*";
    case tag::i32_pointer:
      return a.read_only ? "const int*" : "int*";
    case tag::f32:
      return "a float";
    case tag::f64:
      return "a double";
    case tag::i32:
      return "an int";
  }
  return "?";
}

tag pointer_of(scalar_type t) {
  return t == scalar_type::f32 ? tag::f32_pointer : t == scalar_type::f64 ? tag::f64_pointer : tag::i32_pointer;
}
tag value_of(scalar_type t) { return t == scalar_type::f32 ? tag::f32 : t == scalar_type::f64 ? tag::f64 : tag::i32; }

}  // namespace

kernel_state::kernel_state(std::shared_ptr<backend> device, std::shared_ptr<const bound_problem> problem, verdict how,
                           std::shared_ptr<const loaded_image> image)
    : device_(std::move(device)), problem_(std::move(problem)), how_(std::move(how)), image_(std::move(image)) {
  for (std::size_t k = 0; k < problem_->operands.size(); ++k) {
    const bound_operand& o = problem_->operands[k];
    const access a = o.what->access;
    if (!o.in_launch()) continue;
    const bool by_value = a == access::scalar;
    if (a == access::workspace) {
      expected_.push_back({o.what->name.c_str(), tag::void_pointer, tag::null, true, true, static_cast<int>(k)});
      continue;
    }
    expected_.push_back({o.what->name.c_str(), by_value ? tag::null : pointer_of(o.type),
                         by_value ? value_of(o.type) : tag::null,
                         a == access::out || a == access::inout || a == access::info,
                         a == access::info || o.elements() == 0, static_cast<int>(k)});
  }
  if (how_.placement.variant == "split") parts_ = workspace_parts(*problem_);
  bytes_ = argument_block::bytes(problem_->operands.size());
  shape_ = shape_of(*problem_, how_.placement, 0);
}

fixed_sizes::fixed_sizes(const bound_problem& p, std::map<std::string, int> given) : values(std::move(given)) {
  std::map<std::string, int> sizes = values;  // those still open stand at their bounds, so that the fixed are checked
  for (const auto& [name, value] : p.request.sizes)
    if (value.bound && sizes.insert({name, value.value}).second) missing = name;
  const std::vector<int> numbers = p.slot_values(sizes);
  std::copy(numbers.begin(), numbers.end(), slots);
}

status kernel_state::wrong_count(int n) const noexcept {
  char names[160] = "";
  std::size_t at = 0;
  for (const auto& e : expected_)
    if (at + 1 < sizeof names)
      at += static_cast<std::size_t>(
          std::max(0, std::snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", e.name)));
  return {errc::invalid_argument,
          "%s takes %zu arguments (%s); %d were given.",
          problem_->description.name.c_str(),
          expected_.size(),
          names,
          n};
}

// `empty`: no problem will run, so that a null pointer does no harm.
status kernel_state::check(const expected& e, const argument& a, bool empty) const noexcept {
  const char* who = problem_->description.name.c_str();
  const bool pointer = a.type <= tag::i32_pointer;
  if (e.value != tag::null) {
    if (a.type == e.value) return {};
    return {errc::invalid_argument,
            "%s: scalar '%s' is %s; %s was given.",
            who,
            e.name,
            e.value == tag::f32   ? "a float"
            : e.value == tag::f64 ? "a double"
                                  : "an int",
            describe(a)};
  }
  if (e.pointer == tag::void_pointer && pointer && !a.read_only) return {};  // a workspace holds no type
  const char* type = e.pointer == tag::void_pointer  ? "void*"
                     : e.pointer == tag::f32_pointer ? "float*"
                     : e.pointer == tag::f64_pointer ? "double*"
                                                     : "int*";
  if (!pointer || (a.type != e.pointer && a.type != tag::void_pointer && a.type != tag::null))
    return {errc::invalid_argument,
            "%s: operand '%s' is %s%s; %s was given.",
            who,
            e.name,
            e.writes ? "" : "const ",
            type,
            describe(a)};
  if (e.writes && a.read_only)
    return {errc::invalid_argument, "%s: operand '%s' is written, but a pointer to const was given.", who, e.name};
  if (a.pointer == nullptr && !e.may_be_null && !empty)
    return {errc::invalid_argument, "%s: operand '%s' is a null pointer; only info may be.", who, e.name};
  return {};
}

status kernel_state::launch(CUstream_st* stream, long long count, const argument* list, int n,
                            const fixed_sizes& sizes) const noexcept {
  const char* who = problem_->description.name.c_str();
  if (n != static_cast<int>(expected_.size())) return wrong_count(n);
  if (count < 0) return {errc::invalid_argument, "%s: a count of %lld problems is negative.", who, count};
  argument_block block;
  for (int i = 0; i < n; ++i) {
    const expected& e = expected_[static_cast<std::size_t>(i)];
    if (status s = check(e, list[i], count == 0); !s.ok()) return s;
    block.at[e.slot].bits = list[i].bits;
  }
  if (!sizes.missing.empty())
    return {errc::invalid_argument, "%s: the run-time size %s has no value yet; give it with kernel::with.", who,
            sizes.missing.c_str()};
  if (count == 0) return {};
  if (!parts_.empty())
    if (status s = place_scratch(list[n - 1], count, block); !s.ok()) return s;
  const long long pack = how_.placement.pack;
  if (count > pack * INT_MAX)
    return {errc::invalid_argument, "%s: %lld problems are more than one launch takes with pack=%lld.", who, count,
            pack};
  block.count = count;
  std::copy(sizes.slots, sizes.slots + most_run_time_sizes, block.size);
  launch_shape shape = shape_;
  shape.blocks = static_cast<unsigned>((count + pack - 1) / pack);
  shape.count = count;
  return image_->launch(stream, shape, &block, bytes_);
}

// The workspace is the last argument; each scratch operand gets its part.
status kernel_state::place_scratch(const argument& workspace, long long count, argument_block& block) const noexcept {
  const std::size_t needed = workspace_bytes(count);
  if (needed > 0 && (workspace.pointer == nullptr || reinterpret_cast<std::uintptr_t>(workspace.pointer) % 16 != 0))
    return {errc::invalid_argument,
            "%s: %s runs as several launches and needs a workspace of %zu bytes (kernel::workspace_bytes), 16-byte "
            "aligned; %s was given.",
            problem_->description.name.c_str(),
            how_.placement.scope.c_str(),
            needed,
            workspace.pointer == nullptr ? "a null pointer" : "another address"};
  const char* at = static_cast<const char*>(workspace.pointer);
  for (const workspace_part& part : parts_) block.at[part.operand].pointer = at, at += part.of(count);
  return {};
}

std::size_t kernel_state::workspace_bytes(long long count) const noexcept {
  std::size_t total = 0;
  for (const workspace_part& part : parts_) total += part.of(std::max(0LL, count));
  return total;
}

std::string kernel_state::why() const {
  std::string text = how_.placement.text();
  if (const std::string usual = "variant=fused "; text.rfind(usual, 0) == 0) text.erase(0, usual.size());
  text += std::string(": ") + name(how_.tier);
  if (!how_.origin.empty()) text += " (from " + how_.origin + ")";
  if (how_.quick) text += ", compiled quickly";
  const std::string layer = how_.layer.empty() ? "" : ", from " + how_.layer;
  if (how_.ns <= 0) return text + ", not measured" + layer;
  char evidence[80];
  std::snprintf(evidence, sizeof evidence, ", %.1fx over default, %d samples", how_.default_ns / how_.ns, how_.samples);
  text += evidence;
  if (from_library(how_.placement))  // of a decision: the race has seen to it
    text += ", by NVIDIA's library, more than 5 % faster than the best of glass's own";
  return text + layer;
}

kernel_slot::kernel_slot(std::shared_ptr<const kernel_state> first)
    : now_(first.get()),
      parts_(workspace_parts(first->problem())),
      open_sizes_(std::make_shared<const fixed_sizes>(first->problem(), std::map<std::string, int>{})) {
  all_.push_back(std::move(first));
}

void kernel_slot::put(std::shared_ptr<const kernel_state> better) {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::move(better));
  now_.store(all_.back().get(), std::memory_order_release);
}

std::size_t kernel_slot::workspace_bytes(long long count) const noexcept {
  if (!more_.load(std::memory_order_acquire)) return now().workspace_bytes(count);
  std::size_t total = 0;
  for (const workspace_part& part : parts_) total += part.of(std::max(0LL, count));
  return total;
}

}  // namespace detail

status kernel::launch_arguments(stream_handle stream, long long count, const detail::argument* list,
                                int n) const noexcept {
  if (!slot_)
    return {errc::invalid_argument, "an empty kernel was launched; kernels come from runtime::operation and compile."};
  return slot_->now().launch(stream.get(), count, list, n, *sizes_);
}

kernel kernel::with(const std::map<std::string, int>& sizes) const {
  if (!slot_)
    throw error(errc::invalid_argument, stage::launch, "an empty kernel has no sizes.",
                "Kernels come from runtime::operation and compile.");
  std::map<std::string, int> all = sizes_->values;
  for (const auto& [name, value] : sizes) all[name] = value;
  kernel k = *this;
  k.sizes_ = std::make_shared<const detail::fixed_sizes>(slot_->now().problem(), std::move(all));
  return k;
}

std::size_t kernel::workspace_bytes(long long count) const noexcept {
  return slot_ ? slot_->workspace_bytes(count) : 0;
}
std::string kernel::why() const { return slot_ ? slot_->now().why() : "empty"; }
placement kernel::placement() const { return slot_ ? slot_->now().how().placement : jit::placement{}; }
tier kernel::tier() const { return slot_ ? slot_->now().how().tier : jit::tier::fallback; }
std::string kernel::layer() const { return slot_ ? slot_->now().how().layer : ""; }
double kernel::ns_per_problem() const { return slot_ ? slot_->now().how().ns : 0; }
double kernel::speedup_over_default() const {
  if (!slot_) return 1;
  const detail::verdict& how = slot_->now().how();
  return how.ns > 0 ? how.default_ns / how.ns : 1;
}
std::string kernel::problem() const { return slot_ ? slot_->now().problem().text() : ""; }

}  // namespace glass::jit
