// glass cache export, import, merge, diff, verify, sign, keygen: the files that a robot is shipped with.
#include <cstdio>

#include "cli/cache.hpp"
#include "glass/jit/cache.hpp"
#include "store/store.hpp"

namespace glass::jit::cli {
namespace {

struct pack_arguments {
  std::string cache, pack, left, right, manifest, key;
  std::vector<std::string> targets, keys, inputs;
  bool json = false;
};
using arguments = std::shared_ptr<pack_arguments>;

std::string cache_folder(const pack_arguments& a) {
  const std::string folder = a.cache.empty() ? store::default_folder() : a.cache;
  if (folder == "memory")
    throw error(errc::store, stage::store, "there is no cache on disk",
                "Name a folder: --cache FOLDER, or GLASS_CACHE.");
  return folder;
}

std::vector<std::string> required_keys(const pack_arguments& a) {
  return a.keys.empty() ? store::from_environment().keys : a.keys;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", note.c_str());
}

int print_report(const pack_arguments& a, const pack_report& r) {
  if (a.json) {
    json j = to_json(r.pack);
    j["notes"] = r.notes;
    print(j);
  } else {
    print_notes(r.notes);
    print_table({{"pack", r.pack.path + ", " + size_text(r.pack.bytes)},
                 {"holds", std::to_string(r.pack.decisions) + " decisions, " + std::to_string(r.pack.images) +
                               " images, " + std::to_string(r.pack.candidates) + " candidates"},
                 {"manifest", r.pack.content},
                 {"signed", r.pack.signer.empty() ? "no" : r.pack.signer}});
  }
  return 0;
}

int run_export(const pack_arguments& a) {
  export_options o;
  o.targets = a.targets, o.manifest = a.manifest, o.key = a.key;
  return print_report(a, export_pack(cache_folder(a), a.pack, o));
}
int run_merge(const pack_arguments& a) { return print_report(a, merge_packs(a.pack, a.inputs, a.key)); }
int run_sign(const pack_arguments& a) { return print_report(a, {sign_pack(a.pack, a.key), {}}); }

int run_import(const pack_arguments& a) {
  const import_report r = import_pack(a.pack, cache_folder(a), required_keys(a));
  if (a.json) {
    print({{"decisions", r.decisions}, {"images", r.images}, {"kept", r.kept}, {"notes", r.notes}});
  } else {
    for (const std::string& note : r.notes) std::printf("%s\n", note.c_str());
    std::printf("%lld decisions and %lld images taken, %lld decisions kept\n", static_cast<long long>(r.decisions),
                static_cast<long long>(r.images), static_cast<long long>(r.kept));
  }
  return 0;
}

// Status 1 when they differ, as diff(1).
int run_diff(const pack_arguments& a) {
  const auto all = diff_packs(a.left, a.right);
  json rows = json::array();
  std::vector<std::vector<std::string>> table = {{"what", "id", "problem", a.left, a.right}};
  for (const pack_difference& d : all) {
    rows.push_back({{"what", d.what}, {"id", d.id}, {"problem", d.problem}, {"left", d.left}, {"right", d.right}});
    table.push_back({d.what, d.id, d.problem, d.left.empty() ? "-" : d.left, d.right.empty() ? "-" : d.right});
  }
  if (a.json)
    print({{"differences", rows}});
  else if (!all.empty())
    print_table(table);
  return all.empty() ? 0 : 1;
}

int run_verify(const pack_arguments& a) {
  const std::vector<std::string> keys = required_keys(a);
  const pack_check c = verify_pack(a.pack, keys);
  if (a.json) {
    json j = to_json(c.pack);
    j["sound"] = c.faults.empty(), j["faults"] = c.faults;
    print(j);
  } else if (c.faults.empty()) {
    std::printf("%s is sound: %lld decisions, %lld images, %s\n", a.pack.c_str(),
                static_cast<long long>(c.pack.decisions), static_cast<long long>(c.pack.images),
                c.pack.signer.empty()
                    ? "not signed"
                    : ("signed by " + c.pack.signer + (keys.empty() ? ", whom nobody asked for" : "")).c_str());
  } else {
    for (const std::string& fault : c.faults) std::printf("%s: %s\n", a.pack.c_str(), fault.c_str());
  }
  return c.faults.empty() ? 0 : 1;
}

int run_keygen(const pack_arguments& a) {
  const std::string line = make_pack_key(a.key);
  if (a.json)
    print({{"key", a.key}, {"public", a.key + ".pub"}, {"line", line}});
  else
    std::printf("%s signs, %s.pub verifies\n", a.key.c_str(), a.key.c_str());
  return 0;
}

}  // namespace

json to_json(const pack_info& p) {
  return {{"name", p.name},
          {"path", p.path},
          {"decisions", p.decisions},
          {"images", p.images},
          {"candidates", p.candidates},
          {"bytes", p.bytes},
          {"content", p.content},
          {"targets", p.targets},
          {"devices", p.devices},
          {"signer", p.signer},
          {"made", p.made},
          {"made_by", p.made_by},
          {"glass", p.glass},
          {"trouble", p.trouble}};
}

void add_pack_commands(CLI::App& cache, std::vector<std::pair<CLI::App*, action>>& commands) {
  const auto a = std::make_shared<pack_arguments>();
  const auto add = [&](const char* name, const char* what, int (*run)(const pack_arguments&)) {
    CLI::App* s = cache.add_subcommand(name, what);
    s->add_flag("--json", a->json, "print JSON");
    commands.emplace_back(s, [a, run] { return run(*a); });
    return s;
  };
  const auto pack = [&](CLI::App* s, const char* what) { s->add_option("PACK", a->pack, what)->required(); };
  const auto key = [&](CLI::App* s) {
    return s->add_option("--key", a->key,
                         "signs: an OpenSSH private key, the .pub of one that an agent holds, or a raw key");
  };
  const auto keys = [&](CLI::App* s) {
    s->add_option("--keys", a->keys,
                  "public keys, or files of them (default: GLASS_PACK_KEYS): it must be signed by one")
        ->delimiter(',')
        ->allow_extra_args(false);
  };
  CLI::App* s = add("export", "decisions and their images as one file, to be mounted elsewhere", run_export);
  pack(s, "the file to make");
  s->add_option("--cache", a->cache, "folder of a cache, or another pack (default: GLASS_CACHE)");
  s->add_option("--target", a->targets, "images for these only: sm_90,sm_87")->delimiter(',')->allow_extra_args(false);
  s->add_option("--manifest", a->manifest, "problems of this file only, as for glass tune");
  key(s);

  s = add("import", "take the rows of a pack into the cache: the faster by 5 %, else the newer", run_import);
  pack(s, "the pack");
  s->add_option("--cache", a->cache, "folder of the cache (default: GLASS_CACHE)");
  keys(s);

  s = add("merge", "one pack of several packs and caches, whatever their order", run_merge);
  s->add_option("OUT", a->pack, "the file to make")->required();
  s->add_option("IN", a->inputs, "packs, or folders of caches")->required();
  key(s);

  s = add("diff", "what two packs or caches decide differently; status 1 if anything", run_diff);
  s->add_option("A", a->left, "a pack, or the folder of a cache")->required();
  s->add_option("B", a->right, "another")->required();

  s = add("verify", "read every row of a pack and compare it with what was signed; status 1 if one is wrong",
          run_verify);
  pack(s, "the pack");
  keys(s);

  s = add("sign", "put a signature on a pack", run_sign);
  pack(s, "the pack");
  key(s)->required();

  s = add("keygen", "make a raw key to sign with: FILE and FILE.pub", run_keygen);
  s->add_option("FILE", a->key, "the file to make")->required();
}

}  // namespace glass::jit::cli
