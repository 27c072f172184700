// Discovery, header substitution and the compile itself.
#include "backend/host/compiler.hpp"

#include <filesystem>
#include <set>
#include <sstream>
#include <sys/auxv.h>

#include "backend/host/image.hpp"
#include "backend/host/process.hpp"
#include "backend/host/race.hpp"
#include "base/headers.hpp"
#include "base/text.hpp"

namespace glass::jit {

std::string host_target() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "x86-64-v4";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("fma"))
    return "x86-64-v3";
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") ? "x86-64-v2" : "x86-64";
#elif defined(__aarch64__)
  char text[48];
  std::snprintf(text, sizeof text, "aarch64-%lx-%lx", getauxval(AT_HWCAP), getauxval(AT_HWCAP2));
  return text;
#else
#error "glass: the host backend knows x86-64 and aarch64."
#endif
}

std::string host_target_mark() { return "glass-target:" + host_target(); }

namespace {
// Copies text line by line, replacing #include of an embedded header by its text. A header that was copied outside of
// any #if is not copied again; inside of one it is, and a macro decides when compiling.
class substitution {
 public:
  std::string run(std::string_view text, std::string name) {
    out_ = "#line 1 \"" + name + "\"\n";
    copy(text, std::move(name), 0);
    return std::move(out_);
  }

 private:
  void copy(std::string_view text, std::string name, int depth) {
    for (int line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view row = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      std::string_view word = row;
      const auto skip = [&] { word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size())); };
      const auto take = [&](std::string_view w) {
        if (word.substr(0, w.size()) != w) return false;
        word.remove_prefix(w.size());
        skip();
        return true;
      };
      skip();
      if (!take("#")) {
        out_.append(row) += '\n';
        continue;
      }
      if (take("include")) {
        const std::size_t close = word.empty() ? word.npos : word.find(word[0] == '<' ? '>' : '"', 1);
        const embedded_header* header = close == word.npos ? nullptr : find(word.substr(1, close - 1));
        if (header) {
          paste(*header, depth);
          out_ += "#line " + std::to_string(line) + " \"" + name + "\"\n";
          out_.append(word.substr(close + 1)) += '\n';
          continue;
        }
      } else if (word.substr(0, 2) == "if") {
        ++depth;
      } else if (word.substr(0, 5) == "endif") {
        --depth;
      } else if (take("pragma")) {
        if (word.substr(0, 4) == "once") {
          out_ += '\n';
          continue;
        }
      } else if (take("line")) {
        const std::size_t open = word.find('"'), close = word.rfind('"');
        line = std::atoi(std::string(word).c_str()) - 1;
        if (close != word.npos && close > open) name = word.substr(open + 1, close - open - 1);
      }
      out_.append(row) += '\n';
    }
  }
  void paste(const embedded_header& header, int depth) {
    if (done_.count(&header)) return;
    if (depth == 0) done_.insert(&header);
    const std::string once = "GLASS_ONCE_" + std::to_string(&header - embedded_headers().data());
    out_ += "#ifndef " + once + "\n#define " + once + "\n#line 1 \"" + std::string(header.name) + "\"\n";
    copy(header.text, std::string(header.name), depth);
    out_ += "#endif\n";
  }
  static const embedded_header* find(std::string_view name) {
    for (const auto& h : embedded_headers())
      if (h.name == name) return &h;
    return nullptr;
  }
  std::string out_;
  std::set<const embedded_header*> done_;
};
}  // namespace

std::string with_headers(const std::string& text, const std::string& name) { return substitution().run(text, name); }

void host_compiler::find() {
  std::vector<std::string> candidates{options_.compiler};
  if (options_.compiler.empty()) candidates = {environment("CXX"), "c++", "g++", "clang++"};
  std::string tried;
  for (const auto& candidate : candidates) {
    std::vector<std::string> command = split(candidate, ' ');
    if (command.empty()) continue;
    command.push_back("--version");
    const outcome o = run_program(command);
    if (o.exit_code == 0) {
      command.pop_back();
      command_ = command;
      banner_ = o.said.substr(0, o.said.find('\n'));
      return;
    }
    tried += (tried.empty() ? "" : "; ") + candidate + ": " +
             (o.exit_code < 0 ? o.said : "exit code " + std::to_string(o.exit_code));
  }
  throw error(errc::no_compiler, stage::compile, "no C++ compiler was found (" + tried + ").",
              "Install one, e.g. apt-get install g++, or name it in the environment variable CXX.");
}

std::vector<std::string> host_compiler::flags() const {
  std::vector<std::string> f{"-std=c++17",          "-shared", "-fPIC",
                             "-fvisibility=hidden", "-pipe",   "-fuse-ld=bfd"};  // lld cannot write to a descriptor
  const auto add = [&](std::initializer_list<const char*> more) { f.insert(f.end(), more.begin(), more.end()); };
#if defined(__x86_64__)
  f.push_back("-march=" + host_target());
  f.push_back("-mtune=native");
#else
  f.push_back("-mcpu=native");
#endif
  if (options_.check_race) {
    // The compiler's hooks, but not its run time: race.cpp puts hooks of our own into the source. At -O1 accesses are
    // still where they were written.
    add({"-O1", "-gdwarf-4", "-fsanitize=thread", "-fno-builtin", "-nodefaultlibs", "-lstdc++", "-lm", "-lc", "-lgcc_s",
         "-lgcc"});
  } else if (!options_.sanitize.empty()) {
    add({"-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"});
    f.push_back("-fsanitize=" + options_.sanitize);
  } else {
    add({"-O3", "-fno-math-errno", "-fno-trapping-math", "-Wl,--no-undefined"});
  }
  return f;
}

std::string host_compiler::identity() {
  std::call_once(once_, [&] { find(); });
  return banner_ + " " + join(flags(), " ");
}

image host_compiler::compile(const source& s) {
  std::call_once(once_, [&] { find(); });
  std::string text = with_headers(s.text, s.name.empty() ? "glass_source" : s.name);
  if (options_.check_race) text = race_hooks + text;
  text =
      "__attribute__((visibility(\"default\"), used)) char glass_target[] = \"" + host_target_mark() + "\";\n" + text;
  const memory_file in(text.data(), text.size()), out;
  std::vector<std::string> command = command_;
  for (const char* word : {"-x", "c++", "-", "-o", "/proc/self/fd/3"}) command.emplace_back(word);
  for (const auto& list : {flags(), s.options}) command.insert(command.end(), list.begin(), list.end());
  std::error_code gone;  // the names in debug information stay those of #line
  const std::string here = std::filesystem::current_path(gone).string();
  if (!here.empty()) command.push_back("-fdebug-prefix-map=" + here + "=.");
  const double start = seconds_now();
  const outcome o = run_program(command, in.descriptor(), out.descriptor());
  image made{out.bytes(), seconds_now() - start, o.said};
  if (o.exit_code != 0 || !plausible_object(made.bytes)) {
    error::parts p;
    p.code = o.exit_code < 0 ? errc::no_compiler : errc::compile_failed;
    p.stage = stage::compile;
    p.message = s.name + (s.label.empty() ? "" : " (" + s.label + ")") + " does not compile on the host.";
    p.attempted = join(command, " ");
    p.log = o.said;
    p.versions = banner_;
    throw error(p);
  }
  return made;
}

}  // namespace glass::jit
