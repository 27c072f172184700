// The catalog: the tables of rows/*.cpp, one row per built-in operation.
#include <algorithm>

#include "base/text.hpp"
#include "catalog/check.hpp"
#include "catalog/rows/rows.hpp"

namespace glass::jit {
namespace {

std::vector<operation_description> make_operations() {
  std::vector<operation_description> all;
  for (const auto& family : {rows::vector_rows, rows::reduction_rows, rows::matrix_rows, rows::strided_rows,
                             rows::factor_rows, rows::spectrum_rows, rows::control_rows})
    for (auto& row : family()) all.push_back(std::move(row));
  return all;
}

}  // namespace

const std::vector<operation_description>& operations() {
  static const std::vector<operation_description> all = make_operations();
  return all;
}

const operation_description& find_operation(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& d : operations()) {
    if (d.name == name) return d;
    known.push_back(d.name);
  }
  refuse(errc::unknown_name, "there is no operation '" + name + "'." + did_you_mean(name, known),
         "Operations are " + join(known, ", ") + ".");
}

}  // namespace glass::jit
