// Typed access to a JSON object that knows where it stands: every mistake is one sentence with file, place and the
// nearest valid choice.
#pragma once
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "catalog/check.hpp"

namespace glass::jit {

using json = nlohmann::ordered_json;

// Parses strictly: no comments, no key twice. Errors give line and column.
json parse_json(const std::string& text, const std::string& where);

// The value of an enumeration by its name().
template <class E>
E enumerator(const std::string& word, std::initializer_list<E> all, const std::string& where) {
  std::vector<std::string> known;
  for (const E e : all) {
    if (word == name(e)) return e;
    known.push_back(name(e));
  }
  refuse(errc::unknown_name, where + ": '" + word + "' is not a choice." + did_you_mean(word, known),
         "Choices are " + join(known, ", ") + ".");
}

class object_reader {
 public:
  // `where` is "k.json" or "k.json: operands[2]"; keys that are not in `keys` are errors.
  object_reader(const json& value, std::string where, std::vector<std::string> keys)
      : value_(value), where_(std::move(where)), keys_(std::move(keys)) {
    if (!value.is_object())
      refuse(errc::invalid_argument, where_ + ": an object {…} is expected, not " + what(value) + ".");
    for (const auto& [key, unused] : value.items())
      if (std::find(keys_.begin(), keys_.end(), key) == keys_.end())
        refuse(errc::unknown_name, where_ + ": '" + key + "' is not a key here." + did_you_mean(key, keys_),
               "Keys are " + join(keys_, ", ") + ".");
  }
  bool has(const char* key) const { return value_.contains(key); }
  std::string at(const std::string& key) const {
    return where_ + (where_.find(": ") == std::string::npos ? ": " : ".") + key;
  }
  void require(const char* key) const {
    if (!has(key)) refuse(errc::invalid_argument, where_ + ": the key '" + key + "' is missing.");
  }

  void read(const char* key, std::string& to) const {
    if (has(key)) to = string_of(value_[key], at(key));
  }
  void read(const char* key, bool& to) const {
    if (!has(key)) return;
    if (!value_[key].is_boolean())
      refuse(errc::invalid_argument, at(key) + ": true or false is expected, not " + what(value_[key]) + ".");
    to = value_[key].get<bool>();
  }
  void read(const char* key, double& to) const {
    if (!has(key)) return;
    if (!value_[key].is_number())
      refuse(errc::invalid_argument, at(key) + ": a number is expected, not " + what(value_[key]) + ".");
    to = value_[key].get<double>();
  }
  void read(const char* key, int& to) const {
    if (has(key)) to = static_cast<int>(integer_of(value_[key], at(key), std::numeric_limits<int>::max()));
  }
  void read(const char* key, long long& to) const {
    if (has(key)) to = integer_of(value_[key], at(key), std::numeric_limits<long long>::max());
  }
  template <class E>
  void read(const char* key, E& to, std::initializer_list<E> all) const {
    std::string word;
    read(key, word);
    if (has(key)) to = enumerator(word, all, at(key));
  }
  // Each element of a list: take(element, "k.json: operands[2]").
  template <class F>
  void each(const char* key, const F& take) const {
    if (!has(key)) return;
    if (!value_[key].is_array())
      refuse(errc::invalid_argument, at(key) + ": a list […] is expected, not " + what(value_[key]) + ".");
    std::size_t i = 0;
    for (const auto& element : value_[key]) take(element, at(key) + "[" + std::to_string(i++) + "]");
  }
  // Each pair of an object of any keys.
  template <class F>
  void pairs(const char* key, const F& take) const {
    if (!has(key)) return;
    if (!value_[key].is_object())
      refuse(errc::invalid_argument, at(key) + ": an object {…} is expected, not " + what(value_[key]) + ".");
    for (const auto& [k, v] : value_[key].items()) take(k, v, at(key) + "." + k);
  }

  static std::string string_of(const json& v, const std::string& where) {
    if (!v.is_string()) refuse(errc::invalid_argument, where + ": a string is expected, not " + what(v) + ".");
    return v.get<std::string>();
  }
  // An expression: a string, or an integer.
  static std::string expression_of(const json& v, const std::string& where) {
    if (v.is_number_integer()) return std::to_string(integer_of(v, where, std::numeric_limits<int>::max()));
    if (!v.is_string())
      refuse(errc::invalid_argument,
             where + ": an integer or an expression in quotes is expected, not " + what(v) + ".");
    return v.get<std::string>();
  }
  static long long integer_of(const json& v, const std::string& where, long long most) {
    if (!v.is_number_integer())
      refuse(errc::invalid_argument, where + ": an integer is expected, not " + what(v) + ".");
    if (v.is_number_unsigned() && v.get<unsigned long long>() > static_cast<unsigned long long>(most))
      refuse(errc::invalid_argument, where + ": " + v.dump() + " is too large.");
    const long long n = v.get<long long>();
    if (n < -most) refuse(errc::invalid_argument, where + ": " + v.dump() + " is too small.");
    return n;
  }
  static std::string what(const json& v) {
    return v.is_null()      ? "null"
           : v.is_object()  ? "an object"
           : v.is_array()   ? "a list"
           : v.is_string()  ? "a string"
           : v.is_boolean() ? "true or false"
                            : "the number " + v.dump();
  }

 private:
  const json& value_;
  std::string where_;
  std::vector<std::string> keys_;
};

}  // namespace glass::jit
