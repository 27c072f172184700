// Descriptions and problems as JSON: the spec of `glass eval`, the manifest of `glass tune`, the output of `glass ops`.
// The fields are exactly those of operation_description and problem. Errors name file, key and the nearest valid key.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "glass/jit/placement.hpp"
#include "glass/jit/problem.hpp"

namespace glass::jit {

// Extents, ld and stride may be written as numbers; a size bounded at run time is {"up_to": 32}; a scalar must have its
// example.
std::string to_json(const operation_description&, int indent = 2);
operation_description description_from_json(const std::string& text, const std::string& where);

// {"problems": [{"operation": "posv" | "source": "k.cu", "spec": "k.json", "sizes": {"N": 12}, "type": "f32", "batch":
// 8192, "options": {…}, "measure": "throughput"}]}
struct manifest_entry {
  operation_description description;
  bool built_in = false;
  jit::problem problem;
};
std::vector<manifest_entry> manifest_from_json(const std::string& text, const std::string& where,
                                               const std::string& folder);
problem problem_from_json(const std::string& text, const std::string& where);
std::string to_json(const problem&, int indent = 2);

// A user's kernel from its spec file and, unless the spec carries the text itself, its source file ("": none).
operation_description description_from_files(const std::string& source_file, const std::string& spec_file);
std::string read_text(const std::string& file);  // throws errc::io

}  // namespace glass::jit
