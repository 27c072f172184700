// What is done with packs as a whole: export, merge, import, diff, verify, sign.
#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/spec.hpp"
#include "glass/jit/error.hpp"
#include "store/pack_rows.hpp"
#include "store/pack_writer.hpp"
#include "store/row_hash.hpp"

namespace glass::jit {

namespace {

// The problems of a manifest, as decisions know them.
struct problem_list {
  std::vector<std::string> names;
  std::vector<bound_problem> problems;
  bool has(const decision_row& d) const {
    return std::any_of(problems.begin(), problems.end(), [&](const bound_problem& p) {
      return d.identity == p.identity && d.sizes == p.sizes_text() && d.options == p.options_text() &&
             d.type == name(p.request.type) && d.measure == name(p.request.measure) && d.batch_class == p.batch_class;
    });
  }
};
problem_list read_problems(const std::string& file) {
  problem_list list;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  for (const manifest_entry& e : manifest_from_json(read_text(file), file, folder)) {
    list.problems.push_back(bind(e.description, e.problem, e.built_in));
    list.names.push_back(e.description.name);
  }
  return list;
}

void move_notes(row_source& from, std::vector<std::string>& to) {
  to.insert(to.end(), from.notes.begin(), from.notes.end());
  from.notes.clear();
}

std::string verdict_of(const decision_row& d) {
  char ns[32];
  std::snprintf(ns, sizeof ns, "%.4g", d.ns);
  return d.placement + ", " + ns + " ns";
}

// What SQLite says about a disk that is full, or a file that breaks while it is read.
template <class F>
auto told(const std::string& what, F f) {
  try {
    return f();
  } catch (const database_error& e) { throw error(errc::io, stage::store, what + ": " + e.what()); }
}

}  // namespace

pack_report export_pack(const std::string& cache, const std::string& pack, const export_options& o) {
  return told("exporting " + cache, [&] {
    row_source from(cache);
    pack_report report;
    problem_list list;
    if (!o.manifest.empty()) list = read_problems(o.manifest);
    const auto chosen = o.manifest.empty()
                            ? from.choose({}, nullptr, o.targets)
                            : from.choose([&](const decision_row& d) { return list.has(d); }, &list.names, o.targets);
    for (const bound_problem& p : list.problems) {
      problem_list one;
      one.problems.push_back(p);
      if (std::none_of(chosen.decisions.begin(), chosen.decisions.end(), [&](const std::string& key) {
            const auto d = from.decision(key);
            return d && one.has(*d);
          }))
        report.notes.push_back(p.text() + ": not decided; run 'glass tune' first");
    }
    pack_writer to;
    for (const std::string& key : chosen.decisions)
      if (const auto d = from.decision(key)) to.add(*d, from.evidence(key));
    for (const std::string& key : chosen.images)
      if (const auto r = from.image(key)) to.add(*r);
    move_notes(from, report.notes);
    report.pack = to.finish(pack, o.key);
    if (report.pack.decisions + report.pack.images == 0)
      report.notes.push_back("nothing was in " + cache + " to be packed");
    return report;
  });
}

pack_report merge_packs(const std::string& pack, const std::vector<std::string>& caches, const std::string& key_file) {
  return told("merging into " + pack, [&] {
    pack_report report;
    std::vector<std::unique_ptr<row_source>> sources;
    std::map<std::string, std::pair<rank, std::size_t>> decisions;  // by key: the best so far, and where it is
    std::map<std::string, std::pair<std::string, std::size_t>> images;
    for (const std::string& path : caches) {
      const std::size_t here = sources.size();
      row_source& from = *sources.emplace_back(std::make_unique<row_source>(path));
      const auto chosen = from.choose({}, nullptr, {});
      for (const std::string& key : chosen.decisions) {
        const auto d = from.decision(key);
        if (!d) continue;
        const auto [at, fresh] = decisions.try_emplace(key, rank_of(*d, from.evidence(key)), here);
        if (fresh) continue;
        if (rank other = rank_of(*d, from.evidence(key)); other < at->second.first)
          at->second = {std::move(other), here};
      }
      for (const std::string& key : chosen.images) {
        const auto r = from.image(key);
        if (!r) continue;
        std::string order = content_of(*r) + hash_of(*r);
        const auto [at, fresh] = images.try_emplace(key, order, here);
        if (!fresh && order < at->second.first) at->second = {std::move(order), here};
      }
    }
    pack_writer to;
    for (const auto& [key, best] : decisions)
      if (const auto d = sources[best.second]->decision(key)) to.add(*d, sources[best.second]->evidence(key));
    for (const auto& [key, best] : images)
      if (const auto r = sources[best.second]->image(key)) to.add(*r);
    for (const auto& s : sources) move_notes(*s, report.notes);
    std::sort(report.notes.begin(), report.notes.end());
    report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
    report.pack = to.finish(pack, key_file);
    return report;
  });
}

import_report import_pack(const pack_source& source, const std::string& cache, const std::vector<std::string>& keys) {
  return told("importing into " + cache, [&] {
    row_source from(source, keys);
    import_report report;
    std::string trouble;
    const auto to = store::open(cache, std::make_shared<warner>([&](const std::string& line) { trouble = line; }));
    if (!to->persistent())
      throw error(errc::store, stage::store, "the cache " + cache + " cannot be written: " + trouble);
    const auto chosen = from.choose({}, nullptr, {});
    for (const std::string& key : chosen.images) {
      const auto r = from.image(key);
      if (!r || to->find_image(key, r->material)) continue;
      to->put_image(*r);
      ++report.images;
    }
    for (const std::string& key : chosen.decisions) {
      const auto theirs = from.decision(key);
      if (!theirs) continue;
      const auto evidence = from.evidence(key);
      auto ours = to->find_decision(key, theirs->material);
      if (ours && ours->layer != "overlay") ours.reset();  // what glass brings along is not in this cache
      const rank r = rank_of(*theirs, evidence);
      if (ours && !r.better_than(rank_of(*ours, {}))) {
        ++report.kept;
        continue;
      }
      for (const candidate_row& c : evidence) to->put_candidate(c);
      to->put_decision(*theirs);
      ++report.decisions;
      report.notes.push_back(problem_of(*theirs) + ": " + verdict_of(*theirs) +
                             (ours ? " in place of " + verdict_of(*ours) : ""));
    }
    move_notes(from, report.notes);
    if (!trouble.empty())
      throw error(errc::store, stage::store, "the cache " + cache + " cannot be written: " + trouble);
    return report;
  });
}

std::vector<pack_difference> diff_packs(const std::string& left, const std::string& right) {
  return told("comparing " + left + " and " + right, [&] {
    row_source a(left), b(right);
    const auto in_a = a.choose({}, nullptr, {}), in_b = b.choose({}, nullptr, {});
    std::vector<pack_difference> all;
    std::map<std::string, pack_difference> decisions, images;
    const auto gather = [](row_source& from, const row_source::chosen& chosen,
                           std::map<std::string, pack_difference>& to, std::map<std::string, pack_difference>& pictures,
                           std::string pack_difference::*side) {
      for (const std::string& key : chosen.decisions) {
        const auto d = from.decision(key);
        if (!d) continue;
        pack_difference& x = to[key];
        x.what = "decision", x.id = key.substr(0, 12), x.problem = problem_of(*d);
        x.*side = verdict_of(*d) + "\n" + content_of(*d, from.evidence(key));
      }
      for (const std::string& key : chosen.images) {
        const auto r = from.image(key);
        if (!r) continue;
        pack_difference& x = pictures[key];
        x.what = "image", x.id = key.substr(0, 12), x.problem = r->name + " " + r->label;
        x.*side = r->target + ", " + std::to_string(r->bytes.size()) + " bytes\n" + content_of(*r);
      }
    };
    gather(a, in_a, decisions, images, &pack_difference::left);
    gather(b, in_b, decisions, images, &pack_difference::right);
    for (auto* some : {&decisions, &images})
      for (auto& [key, x] : *some) {
        if (x.left == x.right) continue;
        for (std::string* side : {&x.left, &x.right})  // the hash told them apart; people see the rest
          side->erase(std::min(side->find('\n'), side->size()));
        if (x.left == x.right) x.left += ", other samples", x.right += ", other samples";
        all.push_back(std::move(x));
      }
    return all;
  });
}

pack_check verify_pack(const pack_source& from, const std::vector<std::string>& keys) {
  pack_check result;
  const std::vector<public_key> required = read_public_keys(keys);
  try {
    pack p = pack::open(from, keys.empty() ? nullptr : &required);
    result.pack = p.info;
    result.faults = faults_of(p);
  } catch (const error& e) {
    result.pack.name = from.name(), result.pack.path = from.path, result.pack.trouble = e.message();
    result.faults.push_back(e.message());
  }
  return result;
}

pack_info sign_pack(const std::string& pack, const std::string& key) { return sign_pack_file(pack, key); }

std::string make_pack_key(const std::string& file) { return make_key(file).line(); }

}  // namespace glass::jit
