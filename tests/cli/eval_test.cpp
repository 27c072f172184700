// glass eval against Eigen and against hand-written sums: shapes, orders, types, layouts, lane orders, the race check.
#include <gmock/gmock.h>

#include <Eigen/Dense>

#include "cli/program.hpp"

namespace glass::jit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T>
using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

// Values of a batch of matrices in C order (p, i, j).
template <class T>
std::vector<T> flat(const std::vector<matrix<T>>& batch) {
  std::vector<T> v;
  for (const auto& m : batch)
    for (int i = 0; i < m.rows(); ++i)
      for (int j = 0; j < m.cols(); ++j) v.push_back(m(i, j));
  return v;
}
template <class T>
std::vector<matrix<T>> random(int batch, int rows, int cols) {
  std::vector<matrix<T>> all;
  for (int p = 0; p < batch; ++p) all.push_back(matrix<T>::Random(rows, cols));
  return all;
}
template <class T>
std::vector<matrix<T>> spd(int batch, int n) {
  std::vector<matrix<T>> all = random<T>(batch, n, n);
  for (auto& a : all) a = a * a.transpose() + matrix<T>::Identity(n, n);
  return all;
}
template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance) << "at " << i;
}

class Eval : public program {
 protected:
  // 5 systems of order 4; the solutions.
  std::vector<double> write_systems() {
    const auto a = spd<double>(5, 4), b = random<double>(5, 4, 1);
    npy("a.npy", "(5, 4, 4)", flat(a));
    npy("b.npy", "(5, 4)", flat(b));
    std::vector<matrix<double>> x;
    for (int p = 0; p < 5; ++p) x.push_back(a[p].llt().solve(b[p]));
    return flat(x);
  }
};

TEST_F(Eval, SolvesAsEigenDoesAndInfersSizesTypeAndBatch) {
  const auto x = write_systems();
  const answer a = glass("eval posv --in A=a.npy --in b=b.npy --out b=x.npy --out info=codes.npy --out A=l.npy --json");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(keys_of(a.json()),
              ElementsAre("problem", "device", "placement", "tier", "count", "nonzero_info", "check", "out"));
  EXPECT_EQ(a.json()["problem"], "posv N=4 NRHS=1 FACTOR=keep SHIFT=none f64 batch=5");
  EXPECT_EQ(a.json()["nonzero_info"], 0);
  expect_near(values<double>("x.npy"), x, 1e-12);
  EXPECT_THAT(header("x.npy"), HasSubstr("'descr': '<f8', 'fortran_order': False, 'shape': (5, 4), }"));
  EXPECT_THAT(header("l.npy"), HasSubstr("'shape': (5, 4, 4), }"));
  EXPECT_THAT(header("codes.npy"), AllOf(HasSubstr("'<i4'"), HasSubstr("'shape': (5,), }")));
  EXPECT_THAT(values<int>("codes.npy"), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_EQ((10 + header("x.npy").size() + 1) % 64, 0u);
}

TEST_F(Eval, SaysWhichProblemsFailed) {
  npy<float>("a.npy", "(3, 2, 2)", {1, 0, 0, 1, 1, 2, 2, 1, -1, 0, 0, 1});
  npy<float>("b.npy", "(3, 2)", {1, 2, 7, 8, 1, 1});
  const answer a = glass("eval posv --in A=a.npy --in b=b.npy --out b=x.npy --out info=codes.npy");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(a.out, HasSubstr("info is not 0 for 2 of 3 problems"));
  EXPECT_THAT(values<int>("codes.npy"), ElementsAre(0, 2, 1));
  EXPECT_THAT(values<float>("x.npy"), ElementsAre(1, 2, 7, 8, 1, 1));
}

TEST_F(Eval, TakesFortranOrder) {
  const auto a = random<float>(3, 2, 4), x = random<float>(3, 4, 1);
  std::vector<float> fortran;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 2; ++i)
      for (int p = 0; p < 3; ++p) fortran.push_back(a[p](i, j));
  npy("a.npy", "(3, 2, 4)", fortran, true);
  npy("x.npy", "(3, 4)", flat(x));
  npy<float>("y.npy", "(3, 2)", {1, 2, 3, 4, 5, 6});
  ASSERT_EQ(
      glass("eval gemv --in A=a.npy --in x=x.npy --in y=y.npy --scalar alpha=2 --scalar beta=-1 --out y=r.npy").status,
      0);
  std::vector<matrix<float>> r;
  for (int p = 0; p < 3; ++p) r.push_back(2 * a[p] * x[p] - Eigen::Vector2f(1 + 2 * p, 2 + 2 * p));
  expect_near(values<float>("r.npy"), flat(r), 1e-5);
}

TEST_F(Eval, InfersTheSizesOfTransposedOperands) {
  const auto a = random<double>(2, 5, 3), b = random<double>(2, 5, 4),
             c = random<double>(2, 3, 4);  // A' B: M=3 N=4 K=5
  npy("a.npy", "(2, 5, 3)", flat(a)), npy("b.npy", "(2, 5, 4)", flat(b)), npy("c.npy", "(2, 3, 4)", flat(c));
  const answer said = glass(
      "eval gemm --option TRANSA=yes --in A=a.npy --in B=b.npy --in C=c.npy --scalar alpha=1 --scalar beta=0.5 --out "
      "C=r.npy --json");
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(said.json()["problem"].get<std::string>(), HasSubstr("K=5 M=3 N=4"));
  std::vector<matrix<double>> r;
  for (int p = 0; p < 2; ++p) r.push_back(a[p].transpose() * b[p] + 0.5 * c[p]);
  expect_near(values<double>("r.npy"), flat(r), 1e-13);
}

TEST_F(Eval, PartsOfLargerMatricesHaveLeadingDimensions) {
  const auto a = random<double>(2, 3, 4), b = random<double>(2, 4, 2), c = random<double>(2, 3, 2);
  npy("a.npy", "(2, 3, 4)", flat(a)), npy("b.npy", "(2, 4, 2)", flat(b)), npy("c.npy", "(2, 3, 2)", flat(c));
  const answer said = glass(
      "eval gemm_strided --size LDA=7 --in A=a.npy --in B=b.npy --in C=c.npy --scalar alpha=1 --scalar beta=1 --out "
      "C=r.npy --check race");
  ASSERT_EQ(said.status, 0) << said.err;
  std::vector<matrix<double>> r;
  for (int p = 0; p < 2; ++p) r.push_back(a[p] * b[p] + c[p]);
  expect_near(values<double>("r.npy"), flat(r), 1e-13);
}

// Two segments of 2 x 2, the second result first, into a y of two.
TEST_F(Eval, SegmentsLieAtTheirOffsets) {
  npy<int>("first.npy", "(1, 2)", {0, 4}), npy<int>("second.npy", "(1, 2)", {2, 0});
  npy<float>("a.npy", "(1, 2, 4)", {1, 3, 10, 30, 2, 4, 20, 40}), npy<float>("x.npy", "(1, 2, 2)", {1, 1, 1, 2});
  npy<float>("y.npy", "(1, 2, 2)", {1, 2, 3, 4});
  const answer said = glass(
      "eval gemv_segmented --in aoff=first.npy --in xoff=second.npy --in yoff=second.npy --in A=a.npy --in x=x.npy "
      "--in y=y.npy --scalar alpha=1 --scalar beta=0.5 --out y=r.npy");
  ASSERT_EQ(said.status, 0) << said.err;
  EXPECT_THAT(values<float>("r.npy"), ElementsAre(40.5, 8, 61.5, 12));
}

TEST_F(Eval, LanesInAnyOrderGiveTheSameAnswerAndTheRaceCheckIsContent) {
  const auto x = write_systems();
  for (const char* how : {"--lanes forward", "--lanes reverse", "--lanes shuffled", "--check race",
                          "--placement 'scope=tile4 pack=2 home=shared' --check race",
                          "--placement 'scope=block32 body=loop' --lanes reverse"}) {
    const answer a = glass(std::string("eval posv --in A=a.npy --in b=b.npy --out b=x.npy ") + how);
    ASSERT_EQ(a.status, 0) << how << a.err;
    expect_near(values<double>("x.npy"), x, 1e-12);
  }
}

TEST_F(Eval, SizesBoundedAtRunTimeTakeTheirValueFromTheArrays) {
  const auto x = write_systems();
  const answer a = glass("eval posv --size 'N<=9' --in A=a.npy --in b=b.npy --out b=x.npy");
  ASSERT_EQ(a.status, 0) << a.err;
  expect_near(values<double>("x.npy"), x, 1e-12);
}

TEST_F(Eval, ABatchOfNothingIsWrittenAsSuch) {
  npy<float>("a.npy", "(0, 4, 4)", {}), npy<float>("b.npy", "(0, 4)", {});
  const answer a = glass("eval posv --in A=a.npy --in b=b.npy --out b=x.npy");
  ASSERT_EQ(a.status, 0) << a.err;
  EXPECT_THAT(header("x.npy"), HasSubstr("'shape': (0, 4), }"));
}

// A kernel whose operands lie in every way that can be declared.
class OwnKernel : public Eval {
 protected:
  void SetUp() override {
    Eval::SetUp();
    write("k.cu", R"(#include <glass/glass.cuh>
template <class S, class A, class X, class C, class G, class Y, class I>
GLASS_DEVICE void layouts(S scope, A a, X x, C c, G g, float s, Y y, I n) {
  for (int i = scope.rank(); i < y.rows(); i += scope.size()) {
    float sum = c * g(i);
    for (int j = 0; j < x.rows(); ++j) sum += s * a(i, j) * x(j);
    y(i) = sum + float(n(i));
  }
  scope.sync();
}
)");
    write("k.json", R"({"name": "layouts", "operands": [
      {"name": "A", "access": "in", "shape": ["M", "N"], "order": "row", "ld": "N+2", "stride": "M*(N+2)+5"},
      {"name": "x", "access": "in", "shape": ["N"], "order": "interleaved"},
      {"name": "c", "access": "in", "shape": []},
      {"name": "g", "access": "in", "shape": ["M"], "broadcast": true},
      {"name": "s", "access": "scalar", "example": 3, "type": "f32"},
      {"name": "y", "access": "out", "shape": ["M"], "stride": "M+1"},
      {"name": "n", "access": "in", "shape": ["M"], "type": "i32"}]})");
    npy<float>("a.npy", "(2, 2, 3)", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    npy<float>("x.npy", "(2, 3)", {1, 2, 3, -1, 0, 2});
    npy<float>("c.npy", "(2,)", {10, 20});
    npy<float>("g.npy", "(2,)", {1, -1});
    npy<int>("n.npy", "(2, 2)", {100, 200, 300, 400});
  }
  static constexpr const char* inputs =
      "--source k.cu --spec k.json --in A=a.npy --in x=x.npy --in c=c.npy --in g=g.npy --in n=n.npy ";
};

TEST_F(OwnKernel, EveryLayoutMeansTheSameNumbers) {
  for (const char* how :
       {"", "--lanes reverse", "--check race", "--placement 'scope=tile2 pack=4 home=shared' --check race"}) {
    const answer a = glass(std::string("eval ") + inputs + "--out y=y.npy " + how);
    ASSERT_EQ(a.status, 0) << how << a.err;
    EXPECT_THAT(values<float>("y.npy"), ElementsAre(10 + 42 + 100, -10 + 96 + 200, 20 + 33 + 300, -20 + 42 + 400))
        << how;
  }
  ASSERT_EQ(glass(std::string("eval ") + inputs + "--scalar s=0 --out y=y.npy").status, 0);
  EXPECT_THAT(values<float>("y.npy"), ElementsAre(110, 190, 320, 380));
}

TEST_F(OwnKernel, AMissingSyncIsARaceWithItsLine) {
  write("race.cu", R"(#include <glass/glass.cuh>
template <class S, class X, class T>
GLASS_DEVICE void shift(S scope, X x, T t) {
  for (int i = scope.rank(); i < x.rows(); i += scope.size()) t(i) = x(i);
  for (int i = scope.rank(); i < x.rows(); i += scope.size()) x(i) = t(x.rows() - 1 - i);
}
)");
  write(
      "race.json",
      R"({"name": "shift", "operands": [{"name": "x", "access": "inout", "shape": ["N"]}, {"name": "t", "access": "scratch", "shape": ["N"]}]})");
  const answer a = glass("eval --source race.cu --spec race.json --in x=x.npy --out x=r.npy --check race");
  EXPECT_EQ(a.status, 1);
  EXPECT_THAT(a.err, AllOf(HasSubstr("without a sync between"), HasSubstr("shift:5")));
  EXPECT_THAT(files(), Not(::testing::Contains("r.npy")));
}

TEST_F(OwnKernel, AnAccessOfAnotherProblemIsFoundWithItsLine) {
  write("stray.cu", R"(#include <glass/glass.cuh>
template <class S, class X>
GLASS_DEVICE void stray(S scope, X x) {
  if (scope.rank() == 0) x(0) = x(x.rows());
  scope.sync();
}
)");
  write("stray.json", R"({"name": "stray", "operands": [{"name": "x", "access": "inout", "shape": ["N"]}]})");
  ASSERT_EQ(glass("eval --source stray.cu --spec stray.json --in x=x.npy --out x=r.npy --lanes forward").status, 0);
  const answer a = glass("eval --source stray.cu --spec stray.json --in x=x.npy --out x=r.npy --check race");
  EXPECT_EQ(a.status, 1);
  EXPECT_THAT(a.err, AllOf(HasSubstr("x[0] of problem 1"), HasSubstr("stray:4")));
}

TEST_F(OwnKernel, ATextThatDoesNotCompileShowsItsOwnLine) {
  write("k.cu",
        "#include <glass/glass.cuh>\ntemplate <class S, class... A>\nGLASS_DEVICE void layouts(S scope, A... a) { "
        "undeclared(scope); }\n");
  const answer a = glass(std::string("eval ") + inputs + "--out y=y.npy");
  EXPECT_EQ(a.status, 1);
  EXPECT_THAT(a.err, AllOf(HasSubstr("undeclared"), HasSubstr("line 3 of layouts")));
  EXPECT_THAT(files(), Not(::testing::Contains("y.npy")));
}

TEST_F(OwnKernel, OtherTypesAreTakenWhereNothingIsLost) {
  npy<double>("x.npy", "(2, 3)", {1, 2, 3, -1, 0, 2});
  npy<int>("c.npy", "(2,)", {10, 20});
  ASSERT_EQ(glass(std::string("eval ") + inputs + "--type f32 --out y=y.npy").status, 0);
  EXPECT_THAT(values<float>("y.npy"), ElementsAre(152, 286, 353, 422));
  npy<double>("x.npy", "(2, 3)", {1, 2, 3, -1, 0.1, 2});
  const answer refused = glass(std::string("eval ") + inputs + "--type f32 --out z.npy=z.npy --out y=z.npy");
  EXPECT_NE(refused.status, 0);
  const answer lossy = glass(std::string("eval ") + inputs + "--type f32 --out y=z.npy");
  EXPECT_EQ(lossy.status, 1);
  EXPECT_THAT(lossy.err, HasSubstr("holds f64 values that f32 cannot hold exactly, the first at flat index 4"));
  EXPECT_THAT(files(), Not(::testing::Contains("z.npy")));
  EXPECT_EQ(glass(std::string("eval ") + inputs + "--type f32 --convert --out y=z.npy").status, 0);
}

// ---- asked wrongly
struct mistake {
  const char* arguments;
  const char* says;
};
void PrintTo(const mistake& m, std::ostream* out) { *out << m.arguments; }

class EvalAsked : public program, public ::testing::WithParamInterface<mistake> {};
TEST_P(EvalAsked, WronglyGetsOneSentenceAndNothingIsWritten) {
  npy<float>("a.npy", "(2, 3, 3)", std::vector<float>(18, 1)), npy<float>("b.npy", "(2, 3)", std::vector<float>(6, 1));
  npy<float>("b4.npy", "(2, 4)", std::vector<float>(8, 1)), npy<float>("b3.npy", "(3, 3)", std::vector<float>(9, 1));
  npy<float>("flat.npy", "(18,)", std::vector<float>(18, 1)),
      npy<double>("c.npy", "(2, 3, 4)", std::vector<double>(24, 1));
  std::filesystem::create_directory(path("closed"));
  std::filesystem::create_directory(path("folder.npy"));
  auto before = files();
  const answer a = glass(std::string("eval ") + GetParam().arguments);
  EXPECT_NE(a.status, 0);
  EXPECT_EQ(a.out, "");
  EXPECT_THAT(a.err, AllOf(HasSubstr(GetParam().says), ::testing::StartsWith("glass: ")));
  EXPECT_THAT(files(), ::testing::UnorderedElementsAreArray(before));
}
#define POSV "posv --in A=a.npy --in b=b.npy "
INSTANTIATE_TEST_SUITE_P(
    All, EvalAsked,
    ::testing::Values(
        mistake{"posv --in A=a.npy --out b=x.npy", "the operand 'b' of posv is not given"},
        mistake{POSV "", "no --out says where a result goes"}, mistake{POSV "--out x=x.npy", "posv has no operand 'x'"},
        mistake{POSV "--in rhs=b.npy --out b=x.npy", "posv has no operand 'rhs'"},
        mistake{POSV "--in info=b.npy --out b=x.npy", "--in info: this operand of posv is info"},
        mistake{"gemv --in A=a.npy --in x=b.npy --in y=b.npy --out x=x.npy", "--out x: this operand of gemv is in"},
        mistake{POSV "--in b=b.npy --out b=x.npy", "--in b is given twice"},
        mistake{POSV "--out b", "--out b is not of the form NAME=VALUE"},
        mistake{POSV "--out b=x.npy --scalar alpha=1", "posv has no operand 'alpha'"},
        mistake{"axpy --in x=b.npy --in y=b.npy --out y=x.npy --scalar alpha=one",
                "--scalar alpha: 'one' is not a number"},
        mistake{"posv --in A=a.npy --in b=b4.npy --out b=x.npy",
                "--in b=b4.npy has shape (2, 4); with N=3 NRHS=1 'b' takes (batch, 3, 1)"},
        mistake{"posv --in A=a.npy --in b=b3.npy --out b=x.npy", "--in b=b3.npy has 3 problems, --in A has 2"},
        mistake{POSV "--batch 4 --out b=x.npy", "--in A=a.npy has 2 problems, --batch has 4"},
        mistake{POSV "--size N=4 --out b=x.npy",
                "--in A=a.npy has shape (2, 3, 3); with N=4 NRHS=1 'A' takes (batch, 4, 4)"},
        mistake{"posv --in A=c.npy --in b=b.npy --out b=x.npy",
                "--in A=c.npy has shape (2, 3, 4); with N=3 NRHS=1 'A' takes (batch, 3, 3)"},
        mistake{"posv --in A=flat.npy --in b=b.npy --out b=x.npy",
                "--in A=flat.npy has shape (18,); 'A' takes (batch, N, N)"},
        mistake{"posv --in A=nothing.npy --in b=b.npy --out b=x.npy", "cannot read nothing.npy: No such file"},
        mistake{"posv --in A=closed --in b=b.npy --out b=x.npy", "closed is a folder"},
        mistake{POSV "--out b=nowhere/x.npy", "cannot write nowhere/x.npy: No such file"},
        mistake{POSV "--out b=folder.npy", "cannot write folder.npy: it is a folder"},
        mistake{POSV "--out b=/dev/null", "cannot write /dev/null: it is not a regular file"},
        mistake{POSV "--out b=x.npy --out A=./x.npy", "two outputs go there"},
        mistake{POSV "--out b=x.npy --lanes revers", "--lanes revers does not exist. Did you mean 'reverse'?"},
        mistake{POSV "--out b=x.npy --check races", "--check races does not exist"},
        mistake{POSV "--out b=x.npy --check race --device cuda:0", "--lanes and --check are for the host"},
        mistake{POSV "--out b=x.npy --device host0", "host0"},
        mistake{POSV "--out b=x.npy --type i32", "the type is f32 or f64"},
        mistake{POSV "--out b=x.npy --placement scope=tile5", "scope=tile5 is not a scope"}));

// ---- files that are not what they should be
class Npy : public program {
 protected:
  answer with_b() {
    npy<float>("a.npy", "(1, 2, 2)", {1, 0, 0, 1});
    return glass("eval posv --in A=a.npy --in b=b.npy --out b=x.npy");
  }
  static std::string floats(std::size_t n) { return std::string(4 * n, '\0'); }
  static std::string plain(const std::string& descr, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
  }
};

TEST_F(Npy, VersionsTwoAndThreeAreRead) {
  for (const char version : {'\x02', '\x03'}) {
    raw_npy("b.npy", plain("'<f4'", "(1, 2)"), floats(2), version);
    EXPECT_EQ(with_b().status, 0) << int(version);
  }
}

TEST_F(Npy, EveryMalformedFileIsOneSentence) {
  struct malformed {
    std::string header, data;
    char version;
    const char* says;
  };
  const malformed all[] = {
      {plain("'<f4'", "(1, 2)"), floats(1), 1, "b.npy is cut short: 4 bytes of data where shape (1, 2) of f32 takes 8"},
      {plain("'<f4'", "(1, 2)"), floats(3), 1, "b.npy is too long: 12 bytes"},
      {plain("'>f4'", "(1, 2)"), floats(2), 1, "b.npy is big-endian ('>f4'); save it as '<f4'"},
      {plain("'<f2'", "(1, 2)"), floats(1), 1, "b.npy holds elements of type '<f2'"},
      {plain("'<i8'", "(1, 2)"), floats(4), 1, "b.npy holds elements of type '<i8'"},
      {plain("[('x', '<f4')]", "(1, 2)"), floats(2), 1, "b.npy holds records"},
      {plain("'<f4'", "(1, 2"), floats(2), 1, "broken .npy header"},
      {plain("'<f4'", "1, 2"), floats(2), 1, "broken .npy header: '(' is missing"},
      {plain("'<f4'", "(1, -2)"), floats(2), 1, "the shape is not a tuple of numbers"},
      {plain("'<f4'", "(99999999999999999999, 2)"), floats(2), 1, "an extent is too large"},
      {plain("'<f4'", "(4294967296, 4294967296)"), floats(2), 1, "has a shape that no memory holds"},
      {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1, 2)}", floats(2), 1,
       "fortran_order is neither True nor False"},
      {"{'descr': '<f4', 'shape': (1, 2)}", floats(2), 1, "no descr, fortran_order or shape"},
      {"{'descr': '<f4', 'order': True}", floats(2), 1, "the key 'order'"},
      {"{'descr': '<f4", floats(2), 1, "a string in quotes is missing"},
      {plain("'<f4'", "(1, 2)") + "x", floats(2), 1, "text after the dictionary"},
      {plain("'<f4'", "(1, 2)"), floats(2), 4, "is an .npy file of version 4"}};
  for (const auto& m : all) {
    raw_npy("b.npy", m.header, m.data, m.version);
    const answer a = with_b();
    EXPECT_EQ(a.status, 1) << m.says;
    EXPECT_THAT(a.err, HasSubstr(m.says));
  }
  for (const auto& [bytes, says] : {std::pair{std::string("hello"), "is not an .npy file"},
                                    {std::string(), "is not an .npy file"},
                                    {std::string("\x93NUMPY\x01\0\xff\xff{", 11), "is cut short in its header"},
                                    {std::string("\x93NUMPY\x02\0\x01\0", 10), "is cut short in its header"}}) {
    write("b.npy", bytes);
    EXPECT_THAT(with_b().err, HasSubstr(says));
  }
  EXPECT_THAT(files(), Not(::testing::Contains("x.npy")));
}

TEST_F(Npy, AnExistingOutputSurvivesAFailure) {
  npy<float>("b.npy", "(1, 3)", {1, 2, 3});
  write("x.npy", "precious");
  EXPECT_EQ(with_b().status, 1);
  EXPECT_EQ(read(path("x.npy")), "precious");
}

}  // namespace
}  // namespace glass::jit
