// Operands as the gate sees them, and what it lets pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "glass/jit/runtime.hpp"
#include "support/scale.hpp"
#include "tune/data.hpp"
#include "tune/tune.hpp"

namespace glass::jit {
namespace {

using testing::fake_backend;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A workload, with its arguments as a kernel would read them.
struct bench {
  bench(const operation_description& d, const problem& p, long long count, bool steady = false)
      : problem_(bind(d, p, d.text.empty())), load(device, problem_, count, 7, steady) {}
  argument_block arguments() const {
    argument_block a;
    std::memcpy(&a, load.arguments().data(), load.arguments().size());
    return a;
  }
  template <class T = float>
  T* at(int k) const {
    return static_cast<T*>(const_cast<void*>(arguments().at[k].pointer));
  }

  fake_backend device;
  bound_problem problem_;
  workload load;
};

operation_description described(std::vector<operand> operands) {
  operation_description d = testing::scale();
  d.operands = std::move(operands);
  return d;
}
std::vector<float> copy(const float* p, std::size_t n) { return {p, p + n}; }

// ---- the data

TEST(Workload, FillsByKind) {
  bench b(described({in("P", {"N", "N"}, kind::spd), in("L", {"N", "N"}, kind::lower), in("p", {"N"}, kind::positive),
                     in("i", {"N"}, kind::index).typed(i32), in("q", {4}, kind::unit_quaternion), in("g", {"N"}),
                     out("y", {"N"})}),
          {.sizes = {{"N", 12}}, .type = f64}, 5);
  for (int p = 0; p < 5; ++p) {
    const Eigen::Map<Eigen::MatrixXd> P(b.at<double>(0) + p * 144, 12, 12), L(b.at<double>(1) + p * 144, 12, 12);
    EXPECT_EQ((P - P.transpose()).norm(), 0);
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(P).eigenvalues();
    EXPECT_NEAR(values.maxCoeff() / values.minCoeff(), 100, 1e-6);
    EXPECT_GT(values.minCoeff(), 0);
    for (int j = 0; j < 12; ++j) {
      for (int i = 0; i < 12; ++i) EXPECT_EQ(std::isnan(L(i, j)), i < j);
      EXPECT_GE(L(j, j), 1);
      EXPECT_GE(b.at<double>(2)[p * 12 + j], 0.5);
      EXPECT_GE(b.at<std::int32_t>(3)[p * 12 + j], 0);
      EXPECT_LE(b.at<std::int32_t>(3)[p * 12 + j], 1000);
      EXPECT_TRUE(std::isnan(b.at<double>(6)[p * 12 + j])) << "outputs are poisoned";
    }
    EXPECT_NEAR(Eigen::Map<Eigen::Vector4d>(b.at<double>(4) + p * 4).norm(), 1, 1e-12);
  }
  EXPECT_NE(b.at<double>(5)[0], b.at<double>(5)[12]) << "problems differ";
}

TEST(Workload, TheTriangleFollowsTheOptionThatNamesIt) {
  for (const char* fill : {"lower", "upper"}) {
    bench b(find_operation("trsv"), {.sizes = {{"N", 4}}, .options = {{"FILL", fill}}}, 1);
    EXPECT_EQ(std::isnan(b.at(0)[1]), std::string(fill) == "upper");  // element (1, 0)
    EXPECT_EQ(std::isnan(b.at(0)[4]), std::string(fill) == "lower");  // element (0, 1)
  }
}

TEST(Workload, SteadyDataSurviveLaunchAfterLaunch) {
  bench b(find_operation("potrf"), {.sizes = {{"N", 5}}}, 3, true);
  const Eigen::Map<Eigen::MatrixXf> A(b.at(0), 5, 5);
  EXPECT_EQ(A, (Eigen::MatrixXf::Identity(5, 5)));
}

TEST(Workload, LaysOperandsOutAsDeclared) {
  const auto count_up = [](double* v, std::size_t n, long long p) {
    for (std::size_t e = 0; e < n; ++e) v[e] = static_cast<double>(100 * p + static_cast<long long>(e));
  };
  bench b(
      described({in("a", {2, 3}).every(8).filled(count_up), in("b", {2}).interleaved().filled(count_up),
                 in("c", {2}).shared_by_batch().filled(count_up), in("d", {2, 3}).leading(4),
                 in("e", {2, 3}, kind::positive).row_major().leading(5), in("f", {}).filled(count_up), out("y", {1})}),
      {}, 3);
  EXPECT_EQ(copy(b.at(0) + 16, 6), (std::vector<float>{200, 201, 202, 203, 204, 205}));
  EXPECT_EQ(copy(b.at(1), 6), (std::vector<float>{0, 100, 200, 1, 101, 201}));
  EXPECT_EQ(copy(b.at(2), 2), (std::vector<float>{0, 1}));
  EXPECT_EQ(b.at(2)[2], b.at(0)[6]) << "one problem's worth, then the guard, as in the gap of a stride";
  const auto* gap = reinterpret_cast<const unsigned char*>(b.at(3) + 2);
  EXPECT_EQ(gap[0], gap[7]) << "the rows of a leading dimension that are no elements";
  for (const int filled : {0, 2, 5, 7}) EXPECT_GE(b.at(4)[filled], 0.5f);
  EXPECT_LT(std::abs(b.at(4)[3]), 0.5f);
  EXPECT_EQ(copy(b.at(5), 3), (std::vector<float>{0, 100, 200}));
}

TEST(Workload, RepeatsItsProblemsInLargeBatches) {
  bench b(described({in("x", {2}), in("z", {2}).interleaved(), out("y", {1})}), {}, 200);
  EXPECT_EQ(copy(b.at(0), 2), copy(b.at(0) + 2 * 61, 2));
  EXPECT_EQ(b.at(1)[199], b.at(1)[199 - 3 * 61]);
  EXPECT_NE(b.at(0)[0], b.at(0)[2]);
}

TEST(Workload, PerturbsByOneUnitInTheLastPlaceAndRestores) {
  bench b(testing::scale(), testing::scale_problem(), 16);
  const auto x = copy(b.at(1), 128), y = copy(b.at(2), 128);
  b.load.perturb();
  int up = 0;
  for (int e = 0; e < 128; ++e) {
    EXPECT_TRUE(b.at(1)[e] == std::nextafter(x[e], 9.f) || b.at(1)[e] == std::nextafter(x[e], -9.f));
    up += b.at(1)[e] > x[e];
  }
  EXPECT_GT(up, 20);
  EXPECT_LT(up, 108);
  EXPECT_EQ(b.arguments().at[0].f32, std::nextafter(0.5f, 1.f));
  b.load.restore();
  EXPECT_EQ(copy(b.at(1), 128), x);
  EXPECT_EQ(copy(b.at(2), 128), y);
  EXPECT_EQ(b.arguments().at[0].f32, 0.5f);
}

TEST(Workload, GivesRunTimeSizesTheirBounds) {
  bench b(testing::scale(), {.sizes = {{"N", up_to(6)}}}, 4);
  EXPECT_EQ(b.arguments().size[0], 6);
  EXPECT_EQ(b.arguments().count, 4);
}

TEST(Workload, FreesWhatItTook) {
  fake_backend device;
  const bound_problem p = bind(testing::scale(), testing::scale_problem(), false);
  { workload w(device, p, 16, 1); }
  EXPECT_EQ(device.allocated, 0);
  device.memory = workload::bytes_for(p, 16) / 2 - 1;  // the second of two equal operands does not fit
  EXPECT_THROW(workload(device, p, 16, 1), error);
  EXPECT_EQ(device.allocated, 0);
}

// ---- canaries

TEST(Canaries, TellWhereWhatWasWritten) {
  const auto after = [](auto damage) {
    bench b(described({in("x", {"N"}), out("y", {2, 2}).leading(3)}), {.sizes = {{"N", 4}}}, 4);
    damage(b);
    return b.load.collect().overrun;
  };
  EXPECT_THAT(after([](bench&) {}), IsEmpty());
  EXPECT_THAT(after([](bench& b) { b.at(1)[0] = 1; }), IsEmpty());
  EXPECT_THAT(after([](bench& b) { b.at(1)[-1] = 1; }), HasSubstr("operand 'y': wrote 4 bytes before its beginning"));
  EXPECT_THAT(after([](bench& b) { b.at(1)[24] = 1; }), HasSubstr("operand 'y': wrote 0 bytes behind its end"));
  EXPECT_THAT(after([](bench& b) { b.at(1)[2] = 1; }), HasSubstr("operand 'y': wrote between its elements"));
  EXPECT_THAT(after([](bench& b) { b.at(0)[3] = 1; }), HasSubstr("operand 'x': changed, though it is only read"));
}

TEST(Canaries, DamageToAnInputIsUndoneByRestore) {
  bench b(testing::scale(), testing::scale_problem(), 4);
  const float before = b.at(1)[0];
  b.at(1)[0] = 99;
  b.load.collect();
  b.load.restore();
  EXPECT_EQ(b.at(1)[0], before);
}

// ---- the gate

// Runs `standard` as the default placement would be, on data as filled and perturbed, and `other` as a challenger.
std::string judged(const operation_description& d, const problem& p, const std::function<void(bench&)>& standard,
                   const std::function<void(bench&)>& other) {
  bench b(d, p, 33);
  standard(b);
  const auto reference = b.load.collect();
  b.load.perturb();
  standard(b);
  const auto perturbed = b.load.collect();
  b.load.restore();
  other(b);
  return disagreement(b.problem_, reference, perturbed, b.load.collect());
}

std::function<void(bench&)> scaled(float error, int problem = -1) {
  return [=](bench& b) {
    for (int e = 0; e < 33 * 8; ++e)
      b.at(2)[e] = (0.5f * b.at(1)[e] + b.at(2)[e]) * (problem < 0 || e / 8 == problem ? 1 + error : 1);
  };
}

// Numbers and the columns that belong to them, the column of number k at place (k + turn) % 4, those of odd k negated.
std::function<void(bench&)> pairs(int turn_numbers, int turn_columns) {
  return [=](bench& b) {
    for (int p = 0; p < 33; ++p)
      for (int k = 0; k < 4; ++k) {
        b.at(0)[p * 4 + (k + turn_numbers) % 4] = float(k * k + p);
        for (int i = 0; i < 4; ++i)
          b.at(1)[p * 16 + (k + turn_columns) % 4 * 4 + i] =
              (turn_columns > 0 && k % 2 == 1 ? -1.0f : 1.0f) * float(1 + (i * i + 3 * k + p) % 7);
      }
  };
}
TEST(Gate, TakesWhatComesInAnyOrderInAny) {
  const auto d =
      described({out("W", {4}).in_any_order_of("W"), out("V", {4, 4}).in_any_order_of("W").of_either_sign()});
  const auto ordered = described({out("W", {4}), out("V", {4, 4}).of_either_sign()});
  const auto judge = [](const auto& what, auto other) { return judged(what, {}, pairs(0, 0), other); };
  EXPECT_THAT(judge(d, pairs(0, 0)), IsEmpty());
  EXPECT_THAT(judge(d, pairs(3, 3)), IsEmpty());
  EXPECT_THAT(judge(d, pairs(3, 2)), HasSubstr("operand 'V'")) << "columns that belong to other numbers";
  EXPECT_THAT(judge(ordered, pairs(3, 3)), HasSubstr("operand 'W'"));
}

TEST(Gate, LetsRoundingPassAndNothingMore) {
  const auto judge = [](auto other) { return judged(testing::scale(), testing::scale_problem(), scaled(0), other); };
  EXPECT_THAT(judge(scaled(0)), IsEmpty());
  EXPECT_THAT(judge(scaled(4e-7f)), IsEmpty());
  EXPECT_THAT(judge(scaled(1e-4f)), HasSubstr("operand 'y'"));
  EXPECT_THAT(judge(scaled(1e-4f, 17)), HasSubstr("operand 'y' of problem 17 differs"));
  EXPECT_THAT(judge([](bench& b) { scaled(0)(b), b.at(2)[9] = NAN; }), HasSubstr("problem 1 differs"));
  EXPECT_THAT(judge([](bench& b) { scaled(0)(b), b.at(2)[9] = INFINITY; }), HasSubstr("problem 1 differs"));
  EXPECT_THAT(judge([](bench& b) { scaled(0)(b), b.at(2)[33 * 8] = 0; }), HasSubstr("behind its end"));
}

// y = x - c with c almost x: one unit in the last place of x is some 1e-3 of the result.
TEST(Gate, MeasuresTheToleranceOfAnIllConditionedKernel) {
  const bench filled(testing::scale(), testing::scale_problem(), 33);
  const auto x = copy(filled.at(1), 33 * 8);
  const auto cancelling = [&](float error) {
    return [=](bench& b) {
      for (int e = 0; e < 33 * 8; ++e)
        b.at(2)[e] = (b.at(1)[e] - x[static_cast<std::size_t>(e)] * 0.9999f) * (1 + error);
    };
  };
  const auto judge = [&](auto other) {
    return judged(testing::scale(), testing::scale_problem(), cancelling(0), other);
  };
  EXPECT_THAT(judge(cancelling(1e-3f)), IsEmpty())
      << "within what the default itself makes of one unit in the last place";
  EXPECT_THAT(judge(cancelling(3e-2f)), HasSubstr("differs"));
}

TEST(Gate, UsesTheBoundOfABuiltIn) {
  operation_description d = testing::scale();
  const auto judge = [&](float error) { return judged(d, testing::scale_problem(), scaled(0), scaled(error)); };
  EXPECT_THAT(judge(1e-5f), HasSubstr("differs"));
  d.bound = 100;
  EXPECT_THAT(judge(1e-5f), IsEmpty());
  EXPECT_THAT(judge(1e-4f), HasSubstr("differs"));
}

TEST(Gate, ComparesInfoExactly) {
  const operation_description d = described({in("x", {"N"}), out("y", {"N"}), info()});
  const auto run = [](int code) {
    return [=](bench& b) {
      for (int e = 0; e < 33 * 8; ++e) b.at(1)[e] = b.at(0)[e];
      for (int p = 0; p < 33; ++p) b.at<std::int32_t>(2)[p] = p == 5 ? code : 0;
    };
  };
  EXPECT_THAT(judged(d, testing::scale_problem(), run(3), run(3)), IsEmpty());
  EXPECT_THAT(judged(d, testing::scale_problem(), run(3), run(4)),
              HasSubstr("operand 'info' of problem 5 is 4, with the default placement 3"));
}

TEST(Gate, GuardsTheTriangleThatTheDefaultLeavesAlone) {
  const auto halve = [](bool all) {
    return [=](bench& b) {
      for (int p = 0; p < 33; ++p)
        for (int j = 0; j < 3; ++j)
          for (int i = all ? 0 : j; i < 3; ++i) b.at(0)[p * 9 + j * 3 + i] *= 0.5f;
    };
  };
  const operation_description d = described({inout("A", {3, 3}, kind::spd)});
  EXPECT_THAT(judged(d, {}, halve(false), halve(false)), IsEmpty());
  EXPECT_THAT(judged(d, {}, halve(true), halve(true)), IsEmpty()) << "a kernel that writes the whole matrix";
  EXPECT_THAT(judged(d, {}, halve(false), halve(true)),
              HasSubstr("wrote the triangle that the default placement leaves alone"));
  const operation_description lower = described({inout("A", {3, 3}, kind::lower)});
  EXPECT_THAT(judged(lower, {}, halve(false), halve(false)), IsEmpty())
      << "the NaN of the other triangle is nobody's result";
}

TEST(Gate, BlamesTheDataForNonFiniteResultsOfTheDefault) {
  const auto spoilt = [](int problem) {
    return [=](bench& b) {
      scaled(0)(b);
      b.at(2)[problem * 8 + 1] = std::numeric_limits<float>::quiet_NaN();
    };
  };
  EXPECT_THAT(judged(testing::scale(), testing::scale_problem(), spoilt(4), scaled(0)), IsEmpty());
  EXPECT_THAT(judged(testing::scale(), testing::scale_problem(), spoilt(4), scaled(1e-2f)), HasSubstr("differs"))
      << "the others still count";
  bench b(testing::scale(), testing::scale_problem(), 33);
  for (int e = 0; e < 33 * 8; ++e) b.at(2)[e] = NAN;
  auto all = b.load.collect();
  for (auto& v : all.written[0]) v = NAN;
  EXPECT_FALSE(any_comparable(b.problem_, all));
  all.written[0][0] = 1;
  EXPECT_FALSE(any_comparable(b.problem_, all)) << "a problem counts as a whole";
  for (int e = 0; e < 8; ++e) all.written[0][static_cast<std::size_t>(e)] = 1;
  EXPECT_TRUE(any_comparable(b.problem_, all));
}

}  // namespace
}  // namespace glass::jit
