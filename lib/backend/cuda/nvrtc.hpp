// NVRTC by dlopen: which ones this machine has, which one suits a GPU, and compiling with it. Needs no GPU and no
// driver, so that tests compile for any architecture anywhere.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace glass::jit::cuda {

class nvrtc {
 public:
  // The files found, newest first: $GLASS_NVRTC alone if set; else those already loaded, those below a folder of ours
  // ($XDG_DATA_HOME/glass, else ~/.local/share/glass, where scripts install the wheel), Python environments,
  // LD_LIBRARY_PATH, toolkits and system folders.
  static std::vector<std::string> find();
  // The newest that compiles for a device of `architecture` (90 for sm_90); those of a newer CUDA major than the
  // driver's (0: unknown) come last, for their images may be refused. Throws errc::no_compiler, or compiler_too_old
  // naming both sides.
  static std::shared_ptr<const nvrtc> choose(int architecture, int driver_major = 0);

  explicit nvrtc(const std::string& file);  // a path, or a name for the loader; throws errc::no_compiler
  const std::string& file() const { return file_; }
  const std::string& version() const { return version_; }  // "13.0.88"
  int major() const { return major_; }
  int minor() const { return minor_; }
  const std::vector<int>& architectures() const { return architectures_; }
  // What to compile for so that a device of this architecture runs it: itself, else the closest earlier minor; 0:
  // nothing.
  int target_for(int device) const;
  // "--Ofast-compile=mid" where this NVRTC knows it (12.9 and later; 12.8 has the option without that level).
  std::vector<std::string> quick_options() const;
  enum class result { cubin, for_linking };  // code for link-time optimization, which calls what is not there yet
  // Calls run at the same time without a lock. Throws errc::compile_failed with the log. `headers`: a folder of a
  // library's headers.
  image compile(const source&, int architecture, result = result::cubin, const std::string& headers = {}) const;

 private:
  struct program;
  int (*create_)(program**, const char* text, const char* name, int headers, const char* const* texts,
                 const char* const* names);
  int (*destroy_)(program**);
  int (*compile_)(program*, int count, const char* const* options);
  int (*log_size_)(program*, std::size_t*);
  int (*log_)(program*, char*);
  int (*cubin_size_)(program*, std::size_t*);
  int (*cubin_)(program*, char*);
  int (*linkable_size_)(program*, std::size_t*);  // null before CUDA 12
  int (*linkable_)(program*, char*);
  const char* (*error_)(int);
  std::string file_, version_;
  int major_ = 0, minor_ = 0;
  std::vector<int> architectures_;
};

}  // namespace glass::jit::cuda
