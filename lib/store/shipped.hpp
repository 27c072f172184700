// The decisions that come with glass: cache/shipped/*.sql, built in as constant arrays. The lowest layer of every store:
// no images, never written, nothing to read or verify at run time. Also the writer of such a file.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace glass::jit {

// Where and with what the decisions of a file were measured; a row names one by its number.
struct shipped_origin {
  int number;
  const char *backend, *target, *fingerprint, *power_class, *candidate_set, *driver, *compiler;
};
struct shipped_row {
  int origin;
  const char *identity, *sizes, *type, *options, *measure;
  int batch_class;
  const char *placement, *runner_up;
  double ns, default_ns;  // per problem
  int samples;
  const char *created, *key;
};
struct shipped_file {
  const char* name;  // "sm_90.sql"
  std::span<const shipped_origin> origins;
  std::span<const shipped_row> rows;
};
const std::vector<shipped_file>& shipped_files();

// The decision of this key; what is built in needs no check of its material.
std::optional<decision_row> find_shipped(const std::vector<shipped_file>&, const std::string& key,
                                         const std::string& material);
std::vector<decision_row> related_shipped(const std::vector<shipped_file>&, const std::string& identity,
                                          const std::string& type, const std::string& options,
                                          const std::string& measure);
std::vector<decision_row> all_shipped(const shipped_file&);

// A file of these decisions, for review: sorted, one line each, times to four digits. Throws errc::invalid_argument
// for a text that the form cannot hold.
std::string shipped_text(std::vector<decision_row>);

}  // namespace glass::jit
