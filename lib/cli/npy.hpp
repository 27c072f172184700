// NumPy's .npy files: versions 1 to 3, little-endian float32, float64 and int32, C or Fortran order. And files that
// appear whole or not at all.
#pragma once
#include <string>
#include <vector>

#include "glass/jit/operand.hpp"

namespace glass::jit {

struct array {
  std::vector<std::size_t> shape;
  scalar_type type = scalar_type::f64;
  std::vector<double> values;      // in C order, whatever the file's; a double holds every value of the three types
  std::string shape_text() const;  // "(4, 3, 3)", as NumPy prints it
};

array read_npy(const std::string& file);  // throws one sentence with the file's name
std::string npy_bytes(const array&);      // of a version 1 file

// Output files: named first, so that one that cannot be written is an error before any work; filled aside and put in
// place together.
class output_files {
 public:
  output_files() = default;
  output_files(const output_files&) = delete;
  ~output_files();  // removes what was not committed
  void open(const std::string& file);
  void fill(const std::string& file, const std::string& bytes);
  void commit();

 private:
  struct entry {
    std::string file, aside;
  };
  std::vector<entry> entries_;
};

}  // namespace glass::jit
