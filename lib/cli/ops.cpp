// glass ops: the catalog, and one operation in full.
#include <cstdio>

#include "base/text.hpp"
#include "catalog/spec.hpp"
#include "cli/command.hpp"

namespace glass::jit::cli {
namespace {

std::string shape_text(const operand& o) {
  std::vector<std::string> extents;
  for (const auto& e : o.shape) extents.push_back(e.text());
  return extents.empty() ? "" : "{" + join(extents, ", ") + "}";
}

std::string sizes_text(const operation_description& d) {
  std::vector<std::string> words;
  for (const auto& s : d.sizes)
    words.push_back(s.name + (s.fallback >= 0           ? "=" + std::to_string(s.fallback)
                              : s.fallback_size.empty() ? ""
                                                        : "=" + s.fallback_size));
  if (d.sizes.empty()) words.push_back("N");
  return join(words, " ");
}

std::string operands_text(const operation_description& d) {
  std::vector<std::string> words;
  for (const auto& o : d.operands) words.push_back(o.name);
  return join(words, ", ");
}

void print_list() {
  std::vector<std::vector<std::string>> rows = {{"operation", "operands", "sizes", "options", "bodies"}};
  for (const auto& d : operations()) {
    std::vector<std::string> options;
    for (const auto& o : d.options) options.push_back(o.name);
    rows.push_back({d.name, operands_text(d), sizes_text(d), join(options, " "), join(body_names(d), " ")});
  }
  print_table(rows);
}

std::string first_sentence(const std::string& text) {
  std::size_t end = text.find(". ");
  while (end != std::string::npos && end > 0 && text[end - 1] == '.') end = text.find(". ", end + 1);  // "1 .. N"
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

// README's table: scripts/readme_table puts it there.
void print_markdown() {
  std::puts("| operation | operands | sizes | options | bodies | what it does |\n|---|---|---|---|---|---|");
  for (const auto& d : operations()) {
    std::vector<std::string> options;
    for (const auto& o : d.options) options.push_back(o.name);
    std::string sentence = first_sentence(d.contract);
    for (std::size_t at = 0; (at = sentence.find('|', at)) != std::string::npos; at += 2) sentence.insert(at, 1, '\\');
    std::printf("| `%s` | %s | %s | %s | %s | %s |\n", d.name.c_str(), operands_text(d).c_str(), sizes_text(d).c_str(),
                join(options, " ").c_str(), join(body_names(d), " ").c_str(), sentence.c_str());
  }
}

void print_one(const operation_description& d) {
  std::printf("%s(scope, %s)   <%s>\n%s\n\n", d.name.c_str(), operands_text(d).c_str(), d.header.c_str(),
              d.contract.c_str());
  std::vector<std::vector<std::string>> rows = {{"operand", "access", "shape", "data"}};
  for (const auto& o : d.operands)
    rows.push_back({o.name, name(o.access), shape_text(o),
                    o.access == access::scalar ? "for example " + number_text(o.example)
                    : o.access == access::info ? "i32"
                                               : name(o.kind)});
  print_table(rows);
  std::printf("\nsizes    %s\n", sizes_text(d).c_str());
  for (const auto& o : d.options) {
    std::vector<std::string> values;
    for (const auto& v : o.values) values.push_back(last_name(v));
    std::printf("option   %s: %s\n", o.name.c_str(), join(values, ", ").c_str());
  }
  if (!body_names(d).empty()) std::printf("bodies   %s\n", join(body_names(d), ", ").c_str());
  for (const auto& r : d.rules)
    std::printf("rule     %s%s%s: %s\n", r.when.c_str(), r.when.empty() ? "" : " => ", r.require.c_str(),
                r.reason.c_str());
  std::printf("cost     %s flops, %s bytes a problem\n", d.flops.c_str(), d.bytes.c_str());
}

int run(const std::string& operation, bool as_json, bool as_markdown) {
  if (as_markdown) {
    print_markdown();
  } else if (as_json) {
    if (!operation.empty()) return std::puts(to_json(find_operation(operation)).c_str()), 0;
    json all = json::array();
    for (const auto& d : operations()) all.push_back(json::parse(to_json(d)));
    print({{"operations", all}});
  } else if (operation.empty()) {
    print_list();
  } else {
    print_one(find_operation(operation));
  }
  return 0;
}

}  // namespace

action add_ops(CLI::App& app) {
  struct arguments {
    std::string operation;
    bool json = false, markdown = false;
  };
  CLI::App* sub = app.add_subcommand("ops", "the catalog; for one operation: operands, sizes, bodies, contract");
  const auto a = std::make_shared<arguments>();
  sub->add_option("OP", a->operation, "operation");
  sub->add_flag("--json", a->json, "print JSON, in the fields of a spec file");
  sub->add_flag("--markdown", a->markdown, "print the table of README.md")->excludes("OP", "--json");
  return [a] { return run(a->operation, a->json, a->markdown); };
}

}  // namespace glass::jit::cli
