// glass advise: how a problem should be placed on a GPU that need not be here, and why.
#include <cstdio>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "glass/jit/advice.hpp"

namespace glass::jit::cli {

action add_advise(CLI::App& app) {
  struct arguments {
    problem_arguments problem;
    std::string device;
    bool json = false;
  };
  CLI::App* sub = app.add_subcommand("advise", "how a kernel should place a problem on a GPU, and why");
  const auto a = std::make_shared<arguments>();
  a->problem.add_to(*sub);
  sub->add_option("--arch,--device-profile", a->device,
                  "an architecture (sm_87), a shipped profile, or a profile's file")
      ->required();
  sub->add_flag("--json", a->json, "print JSON");
  return [a] {
    if (!a->problem.built_in())
      throw error(errc::invalid_argument, stage::source, "glass advise knows the operations of the catalog.",
                  "'glass ops' lists them; a kernel of one's own is measured by 'glass tune'.");
    const advice r = advise(a->problem.operation, a->problem.read(), a->device);
    if (!a->json) return std::fputs(r.text().c_str(), stdout), 0;
    json tunables = json::object();
    for (const auto& [name, value] : r.placement.tunables) tunables[name] = value;
    json out = {{"problem", r.problem},
                {"device", r.device},
                {"placement", r.placement.text()},
                {"scope", r.placement.scope},
                {"width", r.placement.width()},
                {"body", r.placement.body},
                {"tunables", tunables},
                {"home", r.placement.home},
                {"threads", r.threads},
                {"problems_per_block", r.problems},
                {"shared_bytes", r.shared_bytes},
                {"ns", r.ns},
                {"gain", r.gain},
                {"tier", name(r.how)},
                {"layer", r.layer},
                {"reason", r.reason}};
    if (!r.runner_up.empty()) {
      out["runner_up"] = {{"placement", r.runner_up}};
      if (r.runner_up_ns > 0) out["runner_up"]["ns"] = r.runner_up_ns;
    }
    print(out);
    return 0;
  };
}

}  // namespace glass::jit::cli
