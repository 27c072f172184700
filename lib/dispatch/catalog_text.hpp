// The catalog as constants of the static headers: include/glass/dispatch/{names,operations}.cuh, which `glass table
// --catalog` writes and a test compares with what is committed.
#pragma once
#include <string>
#include <vector>

#include "catalog/catalog.hpp"

namespace glass::jit {

std::string names_text();       // dispatch/names.cuh
std::string operations_text();  // dispatch/operations.cuh
std::string generated_head(const char* what);

// Words of options and placements, in the order of dispatch::word.
const std::vector<std::string>& static_words();
// The sizes of an operation as its pointer faces take them, then those that no face takes: what glass::recommend and a
// table's lines go by.
std::vector<std::string> static_sizes(const operation_description&);
// Bodies that a program has without NVIDIA's libraries: the dispatch knows no others.
bool static_body(const std::string& body);
std::vector<std::string> static_bodies(const operation_description&);
// Tunables whose values are words. The other ones belong to bodies of NVIDIA's libraries.
std::vector<tunable> static_tunables(const operation_description&);
bool is_number(const std::string&);

}  // namespace glass::jit
