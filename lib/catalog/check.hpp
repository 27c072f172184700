// What bind() and the JSON reader share: names, and the checks of a description that need no problem.
#pragma once
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "glass/jit/error.hpp"

namespace glass::jit {

bool is_identifier(const std::string&);
// Names that expressions and rules may use without declaring them.
const std::vector<std::string>& reserved_names();
// Sizes of a description: the listed ones in order, then those that only its shapes, leading dimensions and strides
// mention.
std::vector<std::string> size_names(const operation_description&);
const size_parameter* size_row(const operation_description&, const std::string& size);  // null when it is not listed
// The value of one size: as given, else its default, else that of the size it follows; throws when there is none.
size_value resolve_size(const operation_description&, const std::map<std::string, size_value>& given,
                        const std::string& size);
std::vector<std::string> option_names(const operation_description&);
std::vector<std::string> last_names(const std::vector<std::string>& values);

// Throws at the first thing that cannot be right whatever the problem: names, duplicates, empty lists, shapes that an
// access cannot have, words that an option does not have.
void check_description(const operation_description&, bool built_in);

[[noreturn]] void refuse(errc, const std::string& message, const std::string& hint = {});

}  // namespace glass::jit
