// glass eval: an operation or a kernel of one's own on given data. Nothing is tuned: what is known is used, else the
// model's choice. A file's type may differ from the operand's where every value is representable; --convert rounds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "backend/host/host.hpp"
#include "base/text.hpp"
#include "cli/arrays.hpp"
#include "cli/command.hpp"
#include "tune/tune.hpp"

namespace glass::jit::cli {
namespace {

struct arguments {
  problem_arguments problem;
  device_arguments device;
  std::vector<std::string> in, out, scalars;
  std::string lanes, check;
  bool convert = false, json = false;
  bool checks() const { return !lanes.empty() || !check.empty(); }
};

[[noreturn]] void refuse(errc code, const std::string& message, const std::string& hint = {}) {
  throw error(code, stage::source, message, hint);
}

// NAME=VALUE words whose names are operands of one of `kinds`.
std::map<std::string, std::string> named_operands(const std::vector<std::string>& words, const std::string& option,
                                                  const operation_description& d, std::initializer_list<access> kinds) {
  std::map<std::string, std::string> result;
  std::vector<std::string> known;
  for (const auto& o : d.operands)
    if (std::find(kinds.begin(), kinds.end(), o.access) != kinds.end()) known.push_back(o.name);
  for (const auto& w : words) {
    const auto [n, v] = named_value(w, option);
    const auto it =
        std::find_if(d.operands.begin(), d.operands.end(), [&, &n = n](const operand& o) { return o.name == n; });
    const std::string choices = known.empty() ? "It takes none." : option + " takes " + join(known, ", ") + ".";
    if (it == d.operands.end())
      refuse(errc::unknown_name, d.name + " has no operand '" + n + "'." + did_you_mean(n, known), choices);
    if (std::find(known.begin(), known.end(), n) == known.end())
      refuse(errc::invalid_argument, option + " " + n + ": this operand of " + d.name + " is " + name(it->access) + ".",
             choices);
    if (!result.insert({n, v}).second) refuse(errc::invalid_argument, option + " " + n + " is given twice.");
  }
  return result;
}

// The host in the emulator, lanes in the order asked for.
std::shared_ptr<backend> open_checking(const arguments& a) {
  const std::string which = a.device.device.empty() ? "host" : a.device.device;
  if (which != "host") refuse(errc::invalid_argument, "--lanes and --check are for the host, not for " + which + ".");
  host_options o;
  o.emulate = true;
  if (a.lanes == "reverse")
    o.lanes = host_options::lanes::reverse;
  else if (a.lanes == "shuffled")
    o.lanes = host_options::lanes::shuffled;
  else if (!a.lanes.empty() && a.lanes != "forward")
    refuse(errc::unknown_name,
           "--lanes " + a.lanes + " does not exist." + did_you_mean(a.lanes, {"forward", "reverse", "shuffled"}),
           "Choices are forward, reverse, shuffled.");
  if (!a.check.empty() && a.check != "race")
    refuse(errc::unknown_name, "--check " + a.check + " does not exist.", "The check is 'race'.");
  o.check_race = a.check == "race";
  return open_host_backend(o);
}

// Checks want lanes that share a problem: a warp, in the first body that takes it.
placement checking_placement(const bound_problem& b, const device_description& device) {
  placement p;
  p.scope = "warp";
  for (const auto& body : b.description.bodies) {
    p.body = body;
    if (examine(b, device, p).illegal.empty()) return p;
  }
  return p;
}

class evaluation {
 public:
  explicit evaluation(const arguments& a) : a_(a), d_(a.problem.description()), problem_(a.problem.read()) {}

  int run() {
    const auto inputs = named_operands(a_.in, "--in", d_, {access::in, access::inout});
    const auto outputs = named_operands(a_.out, "--out", d_, {access::out, access::inout, access::info});
    const auto scalars = named_operands(a_.scalars, "--scalar", d_, {access::scalar});
    if (outputs.empty() && a_.check.empty()) refuse(errc::invalid_argument, "no --out says where a result goes.");
    for (const auto& [n, file] : inputs) arrays_.push_back({n, file, read_npy(file)});
    if (a_.problem.type.empty()) problem_.type = widest();
    const std::map<std::string, size_value> asked = problem_.sizes;
    problem actual = problem_;
    for (auto it = actual.sizes.begin(); it != actual.sizes.end();)
      it = it->second.bound ? actual.sizes.erase(it) : std::next(it);
    infer(d_, arrays_, actual, a_.problem.batch != 0);
    count_ = actual.batch;
    actual.batch = std::max(actual.batch, 1LL);
    layout_ = bind(d_, actual, a_.problem.built_in());
    problem_ = actual;
    for (const auto& [n, v] : asked)
      if (v.bound) problem_.sizes[n] = v;  // compiled for the bound, launched with the size of the arrays
    check_operands_given(inputs, outputs);

    output_files files;
    for (const auto& [n, file] : outputs) files.open(file);
    fill();
    launch(scalars);
    for (std::size_t i = 0; i < layout_.operands.size(); ++i) {
      const operand& o = *layout_.operands[i].what;
      if (const auto it = outputs.find(o.name); it != outputs.end()) {
        const auto input =
            std::find_if(arrays_.begin(), arrays_.end(), [&](const given_array& g) { return g.operand == o.name; });
        files.fill(it->second, npy_bytes(from_memory(layout_.operands[i], memory_[i], count_,
                                                     input != arrays_.end() && is_flat(o, input->data))));
      }
    }
    files.commit();
    report(outputs);
    return 0;
  }

 private:
  scalar_type widest() const {
    scalar_type t = f32;
    for (const auto& g : arrays_)
      for (const auto& o : d_.operands)
        if (o.name == g.operand && o.type.empty() && g.data.type == f64) t = f64;
    return t;
  }

  void check_operands_given(const std::map<std::string, std::string>& inputs,
                            const std::map<std::string, std::string>& outputs) const {
    const auto takes_part = [&](const std::string& n) {
      return std::any_of(layout_.operands.begin(), layout_.operands.end(),
                         [&](const bound_operand& o) { return o.what->name == n; });
    };
    for (const auto* list : {&inputs, &outputs})
      for (const auto& [n, file] : *list)
        if (!takes_part(n))
          refuse(errc::invalid_argument,
                 "operand '" + n + "' of " + d_.name + " takes no part with " + layout_.options_text() + ".");
    for (const auto& o : layout_.operands)
      if ((o.what->access == access::in || o.what->access == access::inout) && !inputs.count(o.what->name))
        refuse(errc::invalid_argument, "the operand '" + o.what->name + "' of " + d_.name + " is not given.",
               "Give --in " + o.what->name + "=FILE.npy.");
  }

  void fill() {
    for (const auto& o : layout_.operands) {
      const auto input =
          std::find_if(arrays_.begin(), arrays_.end(), [&](const given_array& g) { return g.operand == o.what->name; });
      memory_.push_back(o.what->access == access::scalar || !o.in_launch() || o.what->access == access::workspace
                            ? std::vector<unsigned char>()
                        : input == arrays_.end() ? empty_memory(o, count_)
                                                 : to_memory(layout_, o, *input, count_, a_.convert));
    }
  }

  void launch(const std::map<std::string, std::string>& scalars) {
    const auto device = a_.checks() ? open_checking(a_) : open_device(a_.device.device);
    runtime_options o;
    o.tuning.mode = tune_mode::off, o.tuning_from_environment = false;
    runtime rt(device, o);
    auto named = a_.device.named();
    if (!named && a_.checks()) named = checking_placement(bind(d_, problem_, a_.problem.built_in()), rt.device());
    kernel_ = get_kernel(rt, d_, a_.problem.built_in(), problem_, named);
    std::map<std::string, int> now;
    for (const auto& [n, v] : problem_.sizes)
      if (v.bound) now[n] = layout_.sizes.at(n);
    if (!now.empty()) kernel_ = kernel_.with(now);

    std::vector<std::shared_ptr<void>> buffers;
    std::vector<detail::argument> list;
    checked_launch checked{{},
                           kernel_.placement().width(),
                           kernel_.placement().pack,
                           count_,
                           exchange_bytes(layout_, kernel_.placement())};
    for (std::size_t i = 0; i < layout_.operands.size(); ++i) {
      const bound_operand& b = layout_.operands[i];
      const bool is_workspace = b.what->access == access::workspace;
      buffers.push_back(rt.allocate(is_workspace ? kernel_.workspace_bytes(count_) : memory_[i].size()));
      rt.upload(buffers[i].get(), memory_[i].data(), memory_[i].size());
      if (b.what->access == access::scalar)
        list.push_back(scalar_argument(b, scalars));
      else if (b.what->access != access::scratch)
        list.push_back(detail::make_argument(buffers[i].get()));
      if (b.what->access == access::scalar || is_workspace) continue;
      const bool writes = b.what->access != access::in, scratch = b.what->access == access::scratch;
      checked.operands.push_back({b.what->name, buffers[i].get(), bytes_of(b.type),
                                  static_cast<std::size_t>(b.elements()),
                                  scratch ? 0 : static_cast<std::size_t>(b.stride.value),
                                  b.what->order == order::interleaved, writes, lies_in_group(b, kernel_.placement())});
    }
    if (kernel_.placement().variant == "split") {
      char* at = static_cast<char*>(buffers.back().get());  // the workspace, last in the list
      for (const workspace_part& part : workspace_parts(layout_)) {
        for (auto& o : checked.operands)
          if (o.name == layout_.operands[part.operand].what->name) o.base = at, o.stride = o.elements;
        at += part.of(count_);
      }
    }
    if (a_.check == "race") check_operands(checked);
    const status s = kernel_.launch_arguments(nullptr, count_, list.data(), static_cast<int>(list.size()));
    if (!s)
      throw error(error::parts{s.code(),
                               stage::launch,
                               s.message(),
                               {},
                               layout_.text() + ", " + kernel_.placement().text(),
                               a_.checks() ? host_report() : "",
                               {}});
    rt.synchronize();
    for (std::size_t i = 0; i < memory_.size(); ++i)
      rt.download(memory_[i].data(), buffers[i].get(), memory_[i].size());
    device_ = rt.device().id;
  }

  static detail::argument scalar_argument(const bound_operand& b, const std::map<std::string, std::string>& scalars) {
    const auto it = scalars.find(b.what->name);
    const double v = it == scalars.end() ? b.what->example : number_of(it->second, "--scalar " + it->first);
    if (b.type == f32) return detail::make_argument(static_cast<float>(v));
    if (b.type == f64) return detail::make_argument(v);
    if (!(std::abs(v) <= std::numeric_limits<std::int32_t>::max()) || v != std::nearbyint(v))
      refuse(errc::invalid_argument, "--scalar " + b.what->name + ": " + number_text(v, 17) + " is not an int32.");
    return detail::make_argument(static_cast<std::int32_t>(v));
  }

  void report(const std::map<std::string, std::string>& outputs) const {
    json written = json::object();
    for (const auto& [n, file] : outputs) written[n] = file;
    int failed = 0;
    for (std::size_t i = 0; i < layout_.operands.size(); ++i)
      if (layout_.operands[i].what->access == access::info) {
        const array codes = from_memory(layout_.operands[i], memory_[i], count_, false);
        failed =
            static_cast<int>(std::count_if(codes.values.begin(), codes.values.end(), [](double v) { return v != 0; }));
      }
    if (a_.json) {
      print({{"problem", layout_.text()},
             {"device", device_},
             {"placement", kernel_.placement().text()},
             {"tier", name(kernel_.tier())},
             {"count", count_},
             {"nonzero_info", failed},
             {"check", a_.check},
             {"out", written}});
      return;
    }
    std::printf("%s on %s, %s\n", layout_.text().c_str(), device_.c_str(), kernel_.placement().text().c_str());
    if (failed) std::printf("info is not 0 for %d of %lld problems\n", failed, count_);
    if (!a_.check.empty()) std::printf("no race found, no access outside the operands\n");
    for (const auto& [n, file] : outputs) std::printf("%s -> %s\n", n.c_str(), file.c_str());
  }

  const arguments& a_;
  const operation_description d_;
  problem problem_;       // what is compiled: bounds
  bound_problem layout_;  // what is in memory: sizes
  long long count_ = 0;
  std::vector<given_array> arrays_;
  std::vector<std::vector<unsigned char>> memory_;  // per operand of layout_
  kernel kernel_;
  std::string device_;
};

}  // namespace

action add_eval(CLI::App& app) {
  CLI::App* sub = app.add_subcommand(
      "eval", "evaluate on given data: NumPy arrays of shape (batch, rows, cols), (batch, n) or (batch,)");
  const auto a = std::make_shared<arguments>();
  a->problem.add_to(*sub);
  a->device.add_to(*sub);
  sub->add_option("--in", a->in, "an input: A=a.npy")->allow_extra_args(false);
  sub->add_option("--out", a->out, "a result: x=x.npy")->allow_extra_args(false);
  sub->add_option("--scalar", a->scalars, "a scalar: lambda=1e-3 (else its example)")->allow_extra_args(false);
  sub->add_option("--lanes", a->lanes, "on the host, emulated lanes in this order: forward, reverse, shuffled");
  sub->add_option("--check", a->check,
                  "race: report missing syncs and accesses outside the operands, with source lines");
  sub->add_flag("--convert", a->convert, "round values that the operand's type cannot hold");
  sub->add_flag("--json", a->json, "print JSON");
  return [a] { return evaluation(*a).run(); };
}

}  // namespace glass::jit::cli
