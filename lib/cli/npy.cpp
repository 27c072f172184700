// The header of an .npy file is a Python dictionary; only what NumPy writes there is understood, everything else is
// refused in one sentence.
#include "cli/npy.hpp"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <unistd.h>

#include "catalog/spec.hpp"
#include "glass/jit/error.hpp"

static_assert(std::endian::native == std::endian::little,
              "glass runs on little-endian machines, as .npy files of it are");

namespace glass::jit {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw error(errc::invalid_argument, stage::source, file + " " + what);
}

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class header_reader {
 public:
  header_reader(const std::string& file, std::string_view text) : file_(file), text_(text) {}
  std::string descr;
  bool fortran = false, has_descr = false, has_order = false, has_shape = false;
  std::vector<std::size_t> shape;

  void read() {
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        skip();
        if (at_ < text_.size() && text_[at_] != '\'' && text_[at_] != '"')
          refuse(file_, "holds records (a structured type); plain f32, f64 or int32 arrays are read.");
        descr = quoted(), has_descr = true;
      } else if (key == "fortran_order") {
        fortran = boolean(), has_order = true;
      } else if (key == "shape") {
        tuple(), has_shape = true;
      } else {
        broken("the key '" + key + "'");
      }
      if (take('}')) break;
      expect(',');
    }
    skip();
    if (at_ != text_.size()) broken("text after the dictionary");
    if (!has_descr || !has_order || !has_shape) broken("no descr, fortran_order or shape");
  }

 private:
  [[noreturn]] void broken(const std::string& what) const { refuse(file_, "has a broken .npy header: " + what + "."); }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) broken(std::string("'") + c + "' is missing");
  }
  std::string quoted() {
    skip();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) broken("a string in quotes is missing");
    const std::string s(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return s;
  }
  bool boolean() {
    skip();
    for (const auto& [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}})
      if (text_.substr(at_, word.size()) == word) return at_ += word.size(), value;
    broken("fortran_order is neither True nor False");
  }
  void tuple() {
    expect('(');
    while (!take(')')) {
      skip();
      std::size_t n = 0;
      const std::size_t from = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
        if (__builtin_mul_overflow(n, std::size_t{10}, &n) ||
            __builtin_add_overflow(n, static_cast<std::size_t>(text_[at_] - '0'), &n))
          broken("an extent is too large");
      if (at_ == from) broken("the shape is not a tuple of numbers");
      shape.push_back(n);
      if (take(')')) break;
      expect(',');
    }
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
};

template <class T>
double value_at(const char* data, std::size_t i) {
  T v;
  std::memcpy(&v, data + i * sizeof(T), sizeof(T));
  return static_cast<double>(v);
}

template <class T>
void append(std::string& to, double v) {
  const T x = static_cast<T>(v);
  to.append(reinterpret_cast<const char*>(&x), sizeof x);
}

}  // namespace

std::string array::shape_text() const {
  std::string s = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + (shape.size() == 1 ? ",)" : ")");
}

array read_npy(const std::string& file) {
  const std::string bytes = read_text(file);
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (bytes.size() < 10 || bytes.compare(0, 6, "\x93NUMPY") != 0)
    refuse(file, "is not an .npy file: it does not begin with \\x93NUMPY.");
  if (byte(6) < 1 || byte(6) > 3)
    refuse(file, "is an .npy file of version " + std::to_string(byte(6)) + "; versions 1 to 3 are read.");
  const std::size_t start = byte(6) == 1 ? 10 : 12;
  if (bytes.size() < start) refuse(file, "is cut short in its header.");
  const std::size_t length = byte(8) | byte(9) << 8 | (start == 12 ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > bytes.size() - start) refuse(file, "is cut short in its header.");
  header_reader header(file, std::string_view(bytes).substr(start, length));
  header.read();

  array a;
  if (header.descr == "<f4")
    a.type = scalar_type::f32;
  else if (header.descr == "<f8")
    a.type = scalar_type::f64;
  else if (header.descr == "<i4")
    a.type = scalar_type::i32;
  else if (header.descr.substr(0, 1) == ">")
    refuse(file, "is big-endian ('" + header.descr + "'); save it as '<" + header.descr.substr(1) + "'.");
  else
    refuse(file, "holds elements of type '" + header.descr +
                     "'; float32 ('<f4'), float64 ('<f8') and int32 ('<i4') are read.");
  a.shape = header.shape;
  std::size_t count = 1;
  for (const std::size_t n : a.shape)
    if (__builtin_mul_overflow(count, n, &count) || count > std::numeric_limits<std::size_t>::max() / 8)
      refuse(file, "has a shape that no memory holds: " + a.shape_text() + ".");
  const std::size_t expected = count * bytes_of(a.type), data = bytes.size() - start - length;
  if (data != expected)
    refuse(file, std::string(data < expected ? "is cut short: " : "is too long: ") + std::to_string(data) +
                     " bytes of data where shape " + a.shape_text() + " of " + name(a.type) + " takes " +
                     std::to_string(expected) + ".");

  a.values.resize(count);
  const char* from = bytes.data() + start + length;
  const auto element = a.type == scalar_type::f32   ? value_at<float>
                       : a.type == scalar_type::f64 ? value_at<double>
                                                    : value_at<std::int32_t>;
  // C index e -> position in the file; for Fortran order the first extent runs fastest.
  std::vector<std::size_t> index(a.shape.size());
  for (std::size_t e = 0; e < count; ++e) {
    std::size_t at = e;
    if (header.fortran) {
      at = 0;
      for (std::size_t k = a.shape.size(); k-- > 0;) at = at * a.shape[k] + index[k];
      for (std::size_t k = a.shape.size(); k-- > 0 && ++index[k] == a.shape[k];) index[k] = 0;
    }
    a.values[e] = element(from, at);
  }
  return a;
}

std::string npy_bytes(const array& a) {
  const char* descr = a.type == scalar_type::f32 ? "<f4" : a.type == scalar_type::f64 ? "<f8" : "<i4";
  std::string header =
      std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': " + a.shape_text() + ", }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');  // the data begins at a multiple of 64
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  const auto put = a.type == scalar_type::f32   ? append<float>
                   : a.type == scalar_type::f64 ? append<double>
                                                : append<std::int32_t>;
  for (const double v : a.values) put(bytes, v);
  return bytes;
}

output_files::~output_files() {
  std::error_code ignored;
  for (const auto& e : entries_) std::filesystem::remove(e.aside, ignored);
}

void output_files::open(const std::string& file) {
  const auto fail = [&](const std::string& why) {
    throw error(errc::io, stage::source, "cannot write " + file + ": " + why + ".");
  };
  std::error_code none;
  const auto kind = std::filesystem::status(file, none).type();
  if (kind == std::filesystem::file_type::directory) fail("it is a folder");
  if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
    fail("it is not a regular file");
  if (kind == std::filesystem::file_type::regular && ::access(file.c_str(), W_OK) != 0) fail(std::strerror(errno));
  const auto place = [](const std::string& f) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(f));
  };
  for (const auto& e : entries_)
    if (place(e.file) == place(file)) fail("two outputs go there");
  entry e{file, file + ".part" + std::to_string(getpid())};
  std::FILE* f = std::fopen(e.aside.c_str(), "wbx");
  if (!f) fail(std::strerror(errno));
  std::fclose(f);
  entries_.push_back(std::move(e));
}

void output_files::fill(const std::string& file, const std::string& bytes) {
  for (const auto& e : entries_) {
    if (e.file != file) continue;
    std::FILE* f = std::fopen(e.aside.c_str(), "wb");
    const bool written = f && std::fwrite(bytes.data(), 1, bytes.size(), f) == bytes.size();
    const int problem = errno;
    if ((f && std::fclose(f) != 0) || !written)
      throw error(errc::io, stage::source,
                  "cannot write " + file + ": " + std::strerror(written ? errno : problem) + ".");
  }
}

void output_files::commit() {
  for (const auto& e : entries_) {
    std::error_code problem;
    std::filesystem::rename(e.aside, e.file, problem);
    if (problem) throw error(errc::io, stage::source, "cannot write " + e.file + ": " + problem.message() + ".");
  }
  entries_.clear();
}

}  // namespace glass::jit
