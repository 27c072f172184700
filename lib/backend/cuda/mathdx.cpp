// Descriptors of libmathdx. A descriptor is complete before it is asked anything: the first question freezes it.
#include "backend/cuda/mathdx.hpp"

#include <algorithm>
#include <map>

#include "backend/cuda/shared_library.hpp"
#include "base/text.hpp"

namespace glass::jit::cuda {
namespace {

std::mutex one_at_a_time;

// Numbers of libmathdx's interface.
constexpr int execution_block = 1, precision_f32 = 5, precision_f64 = 6, type_real = 0, api_shared = 0;
constexpr int option_symbol = 0, option_target = 1;
constexpr int col_major = 0, row_major = 1, fill_upper = 0, fill_lower = 1, diag_unit = 0, diag_other = 1;
constexpr int job_overwrite = 3, blas_mm = 0;
namespace solver {
enum op {
  size,
  type,
  precision,
  sm,
  execution,
  block,
  api,
  function,
  arrangement,
  fill,
  side,
  diag,
  transpose,
  batches = 14,
  job
};
constexpr int block_dim = 3, suggested_block = 5, suggested_batches = 6, workspace = 12;
}  // namespace solver
namespace blas {
enum op {
  function,
  size,
  type,
  precision,
  sm,
  execution,
  block,
  api = 9,
  arrangement,
  alignment,
};
}  // namespace blas

const std::map<std::string, int> solver_functions = {
    {"getrf_no_pivot", 0}, {"getrs_no_pivot", 1}, {"potrf", 2}, {"potrs", 3},          {"trsm", 4},  {"getrs", 6},
    {"geqrf", 7},          {"unmqr", 8},          {"posv", 11}, {"gesv_no_pivot", 12}, {"gels", 14}, {"heev", 19}};

// What generating a function takes, and leaves to others: measured, with room.
constexpr std::size_t memory_for_solver = std::size_t(1) << 30, memory_for_blas = std::size_t(2500) << 20;

bool one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
std::string shape_of(const library_function& f) { return f.text().substr(f.library.size() + 1); }
std::string full_name(const std::string& library) { return library == "cublasdx" ? "cuBLASDx" : "cuSOLVERDx"; }

}  // namespace

class mathdx::descriptor {
 public:
  descriptor(const mathdx& of, const library_function& f, int architecture)
      : of_(of), f_(f), blas_(f.library == "cublasdx"), calls_(blas_ ? of.blas_ : of.solver_) {
    if (!blas_ && solver_functions.count(f.name) == 0) fail(full_name(f.library) + " has no function " + f.name + ".");
    check(calls_.create(&id_), "no descriptor can be made");
    try {
      blas_ ? describe_product(architecture) : describe_solve(architecture);
    } catch (...) {
      calls_.destroy(id_);
      throw;
    }
  }
  ~descriptor() { calls_.destroy(id_); }
  descriptor(const descriptor&) = delete;

  id trait(int which, std::size_t of = 1) const {
    id values[3] = {};
    check(of == 1 ? calls_.get(id_, which, values) : calls_.get_list(id_, which, of, values), "a question is refused");
    return of == 1 ? values[0] : values[0] * std::max<id>(1, values[1]) * std::max<id>(1, values[2]);
  }
  void check(int status, const std::string& what) const {
    if (status == 0) return;
    std::string log;
    if (std::size_t size = 0; of_.error_size_(&size) == 0 && size > 0) {
      int code = 0;
      log.resize(size + 1);
      of_.error_(&code, size, log.data());
      log.resize(std::string(log.c_str()).size());
    }
    fail(full_name(f_.library) + " does not make " + shape_of(f_) + ": " + what + " (code " + std::to_string(status) +
             ")" + (log.empty() ? "." : ": " + log.substr(0, log.find('\n'))),
         log);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& log = {}) const {
    throw error({errc::compile_failed, stage::compile, message, "", "libmathdx " + f_.text(), log,
                 "libmathdx " + of_.version_ + " (" + of_.contents_ + ")"});
  }
  id number() const { return id_; }
  const interface& calls() const { return calls_; }

 private:
  void set(int op, id value, const char* what) { check(calls_.set(id_, op, value), std::string(what) + " refused"); }
  void set(int op, std::vector<id> values, const char* what) {
    check(calls_.set_list(id_, op, values.size(), values.data()), std::string(what) + " refused");
  }
  id precision() const { return f_.type == scalar_type::f64 ? precision_f64 : precision_f32; }

  void describe_solve(int architecture) {
    set(solver::size, std::vector<id>(f_.sizes.begin(), f_.sizes.end()), "its sizes are");
    set(solver::type, type_real, "real numbers are"), set(solver::precision, precision(), "its type is");
    set(solver::sm, architecture * 10, "the architecture is"), set(solver::execution, execution_block, "a block is");
    set(solver::api, api_shared, "shared memory is");
    set(solver::function, solver_functions.at(f_.name), "the function is");
    if (f_.threads > 0) set(solver::block, {f_.threads, 1, 1}, "its threads are");
    if (f_.threads > 0) set(solver::batches, f_.batches, "its problems a block are");
    if (one_of(f_.name, {"potrf", "potrs", "posv", "trsm", "heev"}))
      set(solver::fill, f_.upper ? fill_upper : fill_lower, "the triangle is");
    if (one_of(f_.name, {"trsm", "unmqr"})) set(solver::side, f_.right ? 1 : 0, "the side is");
    if (f_.name == "trsm") set(solver::diag, f_.unit ? diag_unit : diag_other, "the diagonal is");
    if (one_of(f_.name, {"trsm", "unmqr", "getrs", "getrs_no_pivot", "gels"}))
      set(solver::transpose, f_.transposed ? 1 : 0, "the transpose is");
    if (f_.name == "heev") set(solver::job, job_overwrite, "vectors are");
    symbol();
  }
  void describe_product(int architecture) {
    if (f_.name != "mm") fail("cuBLASDx has no function " + f_.name + " here.");
    set(blas::function, blas_mm, "the function is");
    set(blas::size, std::vector<id>(f_.sizes.begin(), f_.sizes.end()), "its sizes are");
    set(blas::type, type_real, "real numbers are");
    set(blas::precision, {precision(), precision(), precision()}, "its type is");
    set(blas::sm, architecture * 10, "the architecture is"), set(blas::execution, execution_block, "a block is");
    set(blas::api, api_shared, "shared memory is");
    if (f_.threads > 0) set(blas::block, {f_.threads, 1, 1}, "its threads are");
    // op(A) = A' of what lies by columns is what lies by rows.
    set(blas::arrangement, {f_.transposed ? row_major : col_major, f_.transposed_b ? row_major : col_major, col_major},
        "the layout is");
    set(blas::alignment, {16, 16, 16}, "the alignment is");
    symbol();
  }
  void symbol() {
    if (!f_.symbol.empty()) check(calls_.set_text(id_, option_symbol, f_.symbol.c_str()), "its name is refused");
  }

  const mathdx& of_;
  const library_function& f_;
  const bool blas_;
  const interface& calls_;
  id id_ = 0;
};

mathdx::mathdx(const std::string& file) : file_(file) {
  const shared_library library(
      file, {"libmathdx", "release 0.4",
             "Name a whole libmathdx (libmathdx.so.0, release 0.4 or later) in GLASS_LIBMATHDX, or leave it unset."});
  int (*own)(int*, int*, int*);
  const auto version = [&](const std::string& of) {
    int numbers[3] = {};
    library.resolve(of, own);
    if (own(&numbers[0], &numbers[1], &numbers[2]) != 0) library.refuse("does not say its version");
    return std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) + "." + std::to_string(numbers[2]);
  };
  version_ = version("mathdxGetVersionEx");
  contents_ = "cuSOLVERDx " + version("cusolverdxGetVersion") + ", cuBLASDx " + version("cublasdxGetVersion");
  for (auto& [name, calls] : {std::pair<std::string, interface&>("cusolverdx", solver_), {"cublasdx", blas_}}) {
    library.resolve(name + "CreateDescriptor", calls.create).resolve(name + "DestroyDescriptor", calls.destroy);
    library.resolve(name + "SetOperatorInt64", calls.set).resolve(name + "SetOperatorInt64s", calls.set_list);
    library.resolve(name + "SetOptionStr", calls.set_text).resolve(name + "FinalizeCode", calls.finalize);
    library.resolve(name + "GetTraitInt64", calls.get).resolve(name + "GetTraitInt64s", calls.get_list);
    library.resolve(name + "GetUniversalFATBINSize", calls.fatbin_size);
    library.resolve(name + "GetUniversalFATBIN", calls.fatbin);
  }
  library.resolve("commondxCreateCode", code_create_).resolve("commondxDestroyCode", code_destroy_);
  library.resolve("commondxSetCodeOptionInt64", code_set_);
  library.resolve("commondxGetCodeLTOIRSize", code_size_).resolve("commondxGetCodeLTOIR", code_);
  library.resolve("commondxGetLastErrorStrSize", error_size_).resolve("commondxGetLastErrorStr", error_);
}

std::vector<linker::part> mathdx::generate(const library_function& f, int architecture) const {
  const std::lock_guard lock(one_at_a_time);
  const std::size_t needed = f.library == "cublasdx" ? memory_for_blas : memory_for_solver, left = available_memory();
  if (left < needed)
    throw error(errc::out_of_memory, stage::compile,
                full_name(f.library) + " takes up to " + std::to_string(needed >> 20) + " MB to make " + shape_of(f) +
                    ", and this machine has " + std::to_string(left >> 20) + " MB left.",
                "End other programs, or tune on a machine with more memory.");
  const descriptor d(*this, f, architecture);
  const bool product = f.library == "cublasdx";
  // cuBLASDx compiles whatever it is asked, once more for every question: 10 seconds.
  if (const id threads = product ? f.threads : d.trait(solver::block_dim, 3); threads != f.threads)
    d.fail(full_name(f.library) + " makes " + shape_of(f) + " for blocks of " + std::to_string(threads) +
           " threads, the placement's have " + std::to_string(f.threads) + ".");
  if (f.name == "heev")
    if (const id words = d.trait(solver::workspace); words > f.workspace)
      d.fail(full_name(f.library) + " needs " + std::to_string(words) + " numbers to work in for " + shape_of(f) +
             ", the operation has " + std::to_string(f.workspace) + ".");
  id code = 0;
  d.check(code_create_(&code), "no code can be made");
  const auto destroy = [this](const id* c) { code_destroy_(*c); };
  const std::unique_ptr<const id, decltype(destroy)> made(&code, destroy);
  d.check(code_set_(code, option_target, architecture * 10), "its architecture is refused");
  d.check(d.calls().finalize(code, d.number()), "it does not compile");
  std::vector<linker::part> parts = {{f.symbol, {}, false}};
  std::size_t size = 0;
  d.check(code_size_(code, &size), "there is no code");
  parts[0].bytes.resize(size);
  d.check(code_(code, size, parts[0].bytes.data()), "there is no code");
  if (product) return parts;
  d.check(d.calls().fatbin_size(d.number(), &size), "there is no fatbin");
  parts.push_back({f.library, std::vector<unsigned char>(size), true});
  d.check(d.calls().fatbin(d.number(), size, parts[1].bytes.data()), "there is no fatbin");
  return parts;
}

block_shape mathdx::suggest(const library_function& f, int architecture) const {
  // To ask cuBLASDx takes as long as to compile the product: a warp for 16 x 8 of it, two at least, eight at most.
  if (f.library == "cublasdx") {
    int threads = 64;
    while (threads < 256 && f.sizes.at(0) * f.sizes.at(1) > 4 * threads) threads *= 2;
    return {threads, 1};
  }
  const std::lock_guard lock(one_at_a_time);
  library_function open = f;
  open.threads = 0, open.symbol.clear();
  const descriptor d(*this, open, architecture);
  return {int(d.trait(solver::suggested_block, 3)), int(std::max<id>(1, d.trait(solver::suggested_batches)))};
}

}  // namespace glass::jit::cuda
