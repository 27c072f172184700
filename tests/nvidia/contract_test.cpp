// What the bodies make of the library's functions, on the host's emulator: functions that stand in for the library's, of
// glass's own operations on one lane, with the library's ways (rows counted from 1, right-hand sides lost where a factor
// fails; rows of a problem that is not there are some other problem's numbers). Several problems a block, the last block
// not full: the functions work on as many problems as ever.
#include <gmock/gmock.h>

#include <cstddef>
#include <cstring>

#include "backend/host/host.hpp"
#include "base/text.hpp"
#include "build/build.hpp"
#include "glass/jit/runtime.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

struct stand_in {
  std::string operation;
  std::map<std::string, size_value> sizes;
  std::map<std::string, std::string> options;
  std::string function, parameters;  // of the library: "posv", "T* A, T* B, int* info"
  std::string body;                  // of problem k, in terms of T and the sizes' names
};

const std::string thread = "glass::scope::thread{}";
std::string matrix(const std::string& what, const std::string& rows, const std::string& cols, bool read = false) {
  return std::string("glass::matrix<") + (read ? "const T, " : "T, ") + rows + ", " + cols + ">(" + what + " + k * (" +
         rows + ") * (" + cols + "))";
}
const std::string A = matrix("A", "N", "N"), B = matrix("B", "N", "NRHS"), L = matrix("A", "N", "N", true);
const std::string wild = "for (int e = 0; e < batches * N * NRHS; ++e) B[e] = 777; return;",
                  lost = "if (info[k]) for (int e = 0; e < N * NRHS; ++e) B[k * N * NRHS + e] = 777;";

const std::vector<stand_in> all = {
    {"potrf", {{"N", 9}}, {}, "potrf", "T* A, int* info", "info[k] = glass::potrf(" + thread + ", " + A + ");"},
    {"potrs",
     {{"N", 9}, {"NRHS", 2}},
     {},
     "potrs",
     "const T* A, T* B",
     "glass::potrs(" + thread + ", " + L + ", " + B + ");"},
    {"posv",
     {{"N", 9}, {"NRHS", 2}},
     {{"SHIFT", "diagonal"}},
     "posv",
     "T* A, T* B, int* info",
     "info[k] = glass::posv(" + thread + ", " + A + ", " + B + ");" + lost},
    {"getrs",
     {{"N", 9}, {"NRHS", 2}},
     {{"TRANS", "yes"}},
     "getrs",
     "const T* A, const int* piv, T* B",
     "int own[N]; for (int i = 0; i < N; ++i) { own[i] = piv[k * N + i] - 1; if (own[i] < i || own[i] >= N) {" + wild +
         "} } glass::getrs<glass::Trans::yes>(" + thread + ", " + L + ", glass::vector<const int, N>(own), " + B +
         ");"},
    {"gesv_no_pivot",
     {{"N", 9}, {"NRHS", 2}},
     {},
     "gesv_no_pivot",
     "T* A, T* B, int* info",
     "info[k] = glass::gesv_no_pivot(" + thread + ", " + A + ", " + B + ");" + lost},
    {"getrf_no_pivot",
     {{"N", 9}},
     {},
     "getrf_no_pivot",
     "T* A, int* info",
     "info[k] = glass::getrf_no_pivot(" + thread + ", " + A + ");"},
    {"trsm",
     {{"N", 5}, {"M", 9}},
     {},
     "trsm",
     "const T* A, T* B",
     "glass::trsm(" + thread + ", 1, " + matrix("A", "M", "M", true) + ", " + matrix("B", "M", "N") + ");"},
    {"trsv",
     {{"N", 9}},
     {{"TRANS", "yes"}},
     "trsm",
     "const T* A, T* B",
     "glass::trsv<glass::Trans::yes>(" + thread + ", " + L + ", glass::vector<T, N>(B + k * N));"},
    {"geqrf",
     {{"N", 5}, {"M", 9}},
     {},
     "geqrf",
     "T* A, T* tau",
     "glass::geqrf(" + thread + ", " + matrix("A", "M", "N") + ", glass::vector<T, N>(tau + k * N));"},
    {"gels",
     {{"N", 5}, {"M", 9}, {"NRHS", 2}},
     {},
     "gels",
     "T* A, T* tau, T* B",
     "glass::gels(" + thread + ", " + matrix("A", "M", "N") + ", " + matrix("B", "M", "NRHS") +
         ", glass::vector<T, N>(tau + k * N));"},
    {"syev",
     {{"N", 9}},
     {},
     "heev",
     "T* A, T* W, T* work, int* info",
     "T room[N * (N + 5)], *own = work + k * N * N; for (int e = 0; e < N * N; ++e) own[e] = A[k * N * N + e]; "
     "info[k] = glass::syev(" +
         thread + ", glass::matrix<const T, N, N>(own), glass::vector<T, N>(W + k * N), " + A +
         ", glass::vector<T, N * (N + 5)>(room));"},
};

class contracts : public ::testing::TestWithParam<stand_in> {
 protected:
  static constexpr int pack = 3;
  static constexpr long long count = 7;
  const std::shared_ptr<backend> host = [] {
    host_options o;
    o.check_race = true;
    return open_host_backend(o);
  }();
  bound_problem bound(scalar_type t) const {
    problem p;
    p.sizes = GetParam().sizes, p.options = GetParam().options, p.type = t, p.batch = count;
    return bind(find_operation(GetParam().operation), p, true);
  }
  static placement where(int problems) {
    placement c;
    c.scope = "block32", c.pack = problems, c.home = "shared", c.body = library_body;
    return c;
  }
  // The kernel as it is made for a GPU, and the function that it calls.
  static source text_of(const bound_problem& p, const placement& c) {
    const stand_in& f = GetParam();
    source s = assemble(p, c);
    s.functions.clear();
    const std::string type = name(p.request.type);
    s.text += "namespace { using T = " + std::string(type == "f32" ? "float" : "double") +
              "; constexpr int batches = " + std::to_string(c.pack);
    for (const auto& [size, value] : p.sizes) s.text += ", " + size + " = " + std::to_string(value);
    s.text += ";\n}\nextern \"C\" void glass_" + f.function + "_" + type + "(" + f.parameters +
              ") {\n  if (glass::scope::block<>{}.rank() == 0)\n    for (int k = 0; k < batches; ++k) {\n      " +
              f.body + "\n    }\n}\n";
    return s;
  }
  std::shared_ptr<const loaded_image> load(const source& s, const launch_shape& shape) const {
    try {
      return host->load(host->compile(s).bytes, shape);
    } catch (const error& e) {
      ADD_FAILURE() << e.what() << "\n" << e.log();
      throw;
    }
  }
  workload::outcome run(workload& data, const loaded_image& image, const launch_shape& shape) const {
    host->run(image, shape, data.arguments().data(), data.arguments().size(), 60).check();
    return data.collect();
  }
};

TEST_P(contracts, are_kept_for_one_and_for_several_problems) {
  for (const scalar_type t : {f32, f64}) {
    const bound_problem p = bound(t);
    workload data(*host, p, count, 7);
    const placement plain = default_placement(p, host->device());
    const launch_shape plain_shape = shape_of(p, plain, count);
    const auto reference_image = load(assemble(p, plain), plain_shape);
    data.restore();
    const auto reference = run(data, *reference_image, plain_shape);
    data.restore(), data.perturb();
    const auto perturbed = run(data, *reference_image, plain_shape);
    const int problems = t == f32 ? pack : 1;
    const launch_shape shape = shape_of(p, where(problems), count);
    const auto image = load(text_of(p, where(problems)), shape);
    data.restore();
    EXPECT_EQ(disagreement(p, reference, perturbed, run(data, *image, shape)), "") << name(t) << " x " << problems;
  }
}
INSTANTIATE_TEST_SUITE_P(of, contracts, ::testing::ValuesIn(all),
                         [](const auto& info) { return info.param.operation; });

// A factor that fails: its info, and right-hand sides that are as they were.
class failures : public contracts {};
TEST_P(failures, keep_the_right_hand_sides) {
  const bound_problem p = bound(f64);
  const placement c = where(pack);
  const launch_shape shape = shape_of(p, c, count);
  const auto image = load(text_of(p, c), shape);
  workload data(*host, p, count, 7);
  data.restore();
  // The operands lie behind the count and the sizes, 8 bytes each: the first is the matrix.
  struct block {
    long long count;
    int size[8];
    double* at[8];
  } a;
  std::memcpy(&a, data.arguments().data(), std::min(sizeof a, data.arguments().size()));
  constexpr int n = 9, broken = 4;  // of the second block
  double* const matrix = a.at[0] + broken * n * n;
  for (int i = 0; i < n; ++i) matrix[i + 5 * n] = matrix[5 + i * n] = 0;  // a row and a column of nothing
  const std::size_t rhs = 1, info = GetParam().operation == "posv" ? 3 : 2;
  const std::vector<double> before(a.at[rhs], a.at[rhs] + count * n * 2);
  // Memory that the process shares in which a launch runs.
  const std::shared_ptr<int> codes(static_cast<int*>(host->allocate(count * sizeof(int))),
                                   [&](int* q) { host->free(q); });
  std::vector<unsigned char> arguments = data.arguments();
  int* const to = codes.get();
  const std::size_t at = offsetof(block, at) + 8 * info;
  ASSERT_LE(at + 8, arguments.size());
  std::memcpy(arguments.data() + at, &to, 8);
  host->run(*image, shape, arguments.data(), arguments.size(), 60).check();
  for (long long k = 0; k < count; ++k) {
    EXPECT_EQ(to[k], k == broken ? 6 : 0) << k;
    const bool same = std::equal(before.begin() + k * n * 2, before.begin() + (k + 1) * n * 2, a.at[rhs] + k * n * 2);
    EXPECT_EQ(same, k == broken) << k;
  }
}
std::vector<stand_in> solves() {
  std::vector<stand_in> some;
  for (const stand_in& s : all)
    if (s.operation == "gesv_no_pivot" || s.operation == "posv") some.push_back(s);
  return some;
}
INSTANTIATE_TEST_SUITE_P(of, failures, ::testing::ValuesIn(solves()),
                         [](const auto& info) { return info.param.operation; });

}  // namespace
}  // namespace glass::jit
