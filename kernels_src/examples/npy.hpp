// Reads NumPy's .npy files of float64 in C order: all that the data of the examples need.
#pragma once
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace example {

struct array {
  std::vector<long long> shape;
  std::vector<double> values;
};

inline array read_npy(const std::string& file) {
  const auto wrong = [&](const char* what) { return std::runtime_error(file + ": " + what); };
  std::ifstream in(file, std::ios::binary);
  char head[10];
  if (!in.read(head, 10)) throw wrong("cannot be read");
  if (std::memcmp(head, "\x93NUMPY\x01", 7) != 0) throw wrong("is not a .npy file of version 1");
  std::string text(std::size_t(std::uint8_t(head[8])) + 256 * std::uint8_t(head[9]), ' ');
  in.read(text.data(), std::streamsize(text.size()));
  if (text.find("'<f8'") == std::string::npos || text.find("'fortran_order': False") == std::string::npos)
    throw wrong("does not hold float64 in C order");
  array a;
  std::size_t elements = 1;
  for (std::size_t at = text.find('(') + 1; at < text.size() && text[at] != ')';) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    std::size_t digits = 0;
    a.shape.push_back(std::stoll(text.substr(at), &digits));
    elements *= std::size_t(a.shape.back());
    at += digits;
  }
  a.values.resize(elements);
  if (!in.read(reinterpret_cast<char*>(a.values.data()), std::streamsize(elements * sizeof(double))))
    throw wrong("is cut short");
  return a;
}

}  // namespace example
