// The update of model-predictive path integral control: weights w_k proportional to exp(-(c_k - min c) / temperature),
// sum w = 1, and the weighted mean of the sampled controls, u = sum w_k u_k. One problem, any scope. costs: NS,
// controls: NU x NS (a sample is a column), weights: NS, control: NU. temperature > 0. A cost of +infinity weighs
// nothing; a NaN among the costs makes every weight NaN.
#include <glass/glass.cuh>
template <class Scope, class T, int NS, int NU>
GLASS_DEVICE void mppi_weights(Scope scope, glass::vector<const T, NS> costs, T temperature,
                               glass::matrix<const T, NU, NS> controls, glass::vector<T, NS> weights,
                               glass::vector<T, NU> control) {
  T best = costs(0);  // every lane reads all costs: cheaper than meeting
  for (int k = 1; k < NS; ++k) best = costs(k) < best ? costs(k) : best;
  T total = 0;
  for (int k = scope.rank(); k < NS; k += scope.size()) {
    const T weight = glass::exponential((best - costs(k)) / temperature);
    weights(k) = weight;
    total += weight;
  }
  total = scope.sum(total);
  for (int k = scope.rank(); k < NS; k += scope.size()) weights(k) /= total;
  scope.sync();
  glass::gemv(scope, 1, controls, weights, control);
}
