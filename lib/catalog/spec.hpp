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
// 8192, "options": {…}, "measure": "throughput", "placement": "scope=warp pack=4"}]}. A spec may stand there itself
// instead of its file's name, with its text; a placement is one that the program names, so that nothing is measured.
struct manifest_entry {
  operation_description description;
  bool built_in = false;
  jit::problem problem;
  std::string placement = {};
};
std::vector<manifest_entry> manifest_from_json(const std::string& text, const std::string& where,
                                               const std::string& folder);
// Users' kernels with their specs and texts. `onto`: a manifest whose entries stay as they are, before these, without
// those of these that it has already; read as above.
std::string manifest_to_json(const std::vector<manifest_entry>&);
std::string manifest_to_json(const std::vector<manifest_entry>&, const std::string& onto, const std::string& where,
                             const std::string& folder);
std::string identity(const manifest_entry&);  // equal for the same problem, measure and placement
problem problem_from_json(const std::string& text, const std::string& where);
std::string to_json(const problem&, int indent = 2);

// A user's kernel from its spec file and, unless the spec carries the text itself, its source file ("": none).
operation_description description_from_files(const std::string& source_file, const std::string& spec_file);
std::string read_text(const std::string& file);  // throws errc::io

}  // namespace glass::jit
