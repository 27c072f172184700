// A library of NVIDIA's, opened while the program runs, so that neither building nor starting needs it. Never closed:
// the driver and NVRTC leave threads and exit handlers behind, functions found in a library are kept without it, and
// others in this process may use the same one.
#pragma once
#include <string>

namespace glass::jit::cuda {

class shared_library {
 public:
  // In errors: "FILE cannot be loaded as NAME.", "FILE is no NAME of OLDEST or later: it lacks SYMBOL.", and what to do.
  struct kind {
    std::string name, oldest, hint;
  };

  shared_library() = default;  // none
  // A path (links are followed first: what belongs to a library lies beside the file) or a name for the loader. None
  // where it cannot be loaded, or, of a kind, throws errc::no_compiler.
  explicit shared_library(const std::string& file);
  shared_library(const std::string& file, kind);
  static shared_library loaded_already(const char* name);  // by this process; or none

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& trouble() const { return trouble_; }  // why there is none, in the loader's words
  std::string path() const;                                // of the file that was loaded; "" of none

  // A function, or null.
  template <class F>
  F* find(const std::string& symbol) const {
    return reinterpret_cast<F*>(address(symbol));
  }
  // The same; throws where there is none.
  template <class F>
  const shared_library& resolve(const std::string& symbol, F*& function) const {
    if ((function = find<F>(symbol)) == nullptr) lacks(symbol);
    return *this;
  }
  // Throws "FILE WHY."
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  void* address(const std::string& symbol) const;
  [[noreturn]] void lacks(const std::string& symbol) const;

  void* handle_ = nullptr;
  std::string file_, trouble_;
  kind kind_;
};

}  // namespace glass::jit::cuda
