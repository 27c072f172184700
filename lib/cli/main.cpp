// The program `glass`: one subcommand per question. Results go to stdout, everything else to stderr; status 1: it
// failed, 2: it was asked wrongly.
#include <cstdio>

#include "base/text.hpp"
#include "cli/command.hpp"

namespace glass::jit::cli {
namespace {

std::vector<std::string> known_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    words.push_back(sub->get_name());
  for (const CLI::Option* o : app.get_options())
    for (const auto& n : o->get_lnames()) words.push_back("--" + n);
  return words;
}

const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

// A misspelt word of the command line, with the nearest that exists where it stands.
void complain(const CLI::App& app, const CLI::ParseError& e, const std::string& first) {
  const CLI::App& where = innermost(app);
  std::string message = e.what();
  const auto extras = app.remaining(true);
  std::string word = extras.empty() ? "" : extras.front().substr(0, extras.front().find('='));
  if (&where == &app && !first.empty()) word = first;  // no command at all: nothing else has been read
  if (!word.empty() && (where.get_require_subcommand_min() > 0 || dynamic_cast<const CLI::ExtrasError*>(&e)))
    message = "'" + word + "' is not understood here." + did_you_mean(word, known_words(where));
  std::fprintf(stderr, "glass: %s\n  'glass %s--help' says what there is.\n", message.c_str(),
               &where == &app ? "" : (where.get_name() + " ").c_str());
}

int run(int argc, char** argv) {
  CLI::App app("glass: small batched linear algebra for robots, compiled and tuned for the device that is there");
  app.name("glass");
  app.set_version_flag("--version", GLASS_VERSION);
  app.require_subcommand(1);
  const std::pair<const char*, action> actions[] = {
      {"info", add_info(app)},     {"ops", add_ops(app)},          {"run", add_run(app)},
      {"eval", add_eval(app)},     {"tune", add_tune(app)},        {"prewarm", add_prewarm(app)},
      {"cache", add_cache(app)},   {"report", add_report(app)},    {"table", add_table(app)},
      {"advise", add_advise(app)}, {"transfer", add_transfer(app)}};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    complain(app, e, argc > 1 ? argv[1] : "");
    return 2;
  }
  try {
    for (const auto& [name, act] : actions)
      if (app.got_subcommand(name)) return act();
  } catch (const error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    for (const std::string* part : {&e.attempted(), &e.log(), &e.versions()})
      if (!part->empty()) std::fprintf(stderr, "%s\n", part->c_str());
  } catch (const std::exception& e) { std::fprintf(stderr, "glass: %s\n", e.what()); }
  return 1;
}

}  // namespace
}  // namespace glass::jit::cli

int main(int argc, char** argv) { return glass::jit::cli::run(argc, argv); }
