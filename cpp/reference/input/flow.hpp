// Runge-Kutta steps of dy/dt = f(y, t) with f a network of one hidden layer, and their gradients,
// in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "reference/network.hpp"

namespace posenc::reference {

struct FlowRule {
  double delta = 0.1;
  int64_t steps = 1;
};

inline std::vector<double> with_time(std::vector<double> y, double t) {
  y.push_back(t);
  return y;
}

inline std::vector<double> moved(const std::vector<double>& y, double h,
                                 const std::vector<double>& slope) {
  std::vector<double> out = y;
  for (std::size_t i = 0; i < y.size(); i++) out[i] += h * slope[i];
  return out;
}

inline std::vector<double> runge_kutta(const Network& f, const std::vector<double>& y, double t,
                                       double h) {
  const auto k1 = network(f, with_time(y, t));
  const auto k2 = network(f, with_time(moved(y, h / 2, k1), t + h / 2));
  const auto k3 = network(f, with_time(moved(y, h / 2, k2), t + h / 2));
  const auto k4 = network(f, with_time(moved(y, h, k3), t + h));
  std::vector<double> next = y;
  for (std::size_t i = 0; i < y.size(); i++)
    next[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  return next;
}

// Adds the gradients of the network and returns that of y.
inline std::vector<double> runge_kutta_backward(const Network& f, const std::vector<double>& y,
                                                double t, double h,
                                                const std::vector<double>& d_next,
                                                Network& gradients) {
  const auto k1 = network(f, with_time(y, t));
  const auto y2 = moved(y, h / 2, k1);
  const auto k2 = network(f, with_time(y2, t + h / 2));
  const auto y3 = moved(y, h / 2, k2);
  const auto k3 = network(f, with_time(y3, t + h / 2));
  const auto y4 = moved(y, h, k3);
  const auto back = [&](const std::vector<double>& at, double time,
                        const std::vector<double>& d_slope) {
    auto d = network_backward(f, with_time(at, time), d_slope, gradients);
    d.pop_back();
    return d;
  };
  const auto scaled = [](double factor, std::vector<double> values) {
    for (double& value : values) value *= factor;
    return values;
  };
  const auto d4 = back(y4, t + h, scaled(h / 6, d_next));
  const auto d3 = back(y3, t + h / 2, moved(scaled(h, d4), h / 3, d_next));
  const auto d2 = back(y2, t + h / 2, moved(scaled(h / 2, d3), h / 3, d_next));
  const auto d1 = back(y, t, moved(scaled(h / 2, d2), h / 6, d_next));
  std::vector<double> d_y = d_next;
  for (std::size_t i = 0; i < y.size(); i++) d_y[i] += d1[i] + d2[i] + d3[i] + d4[i];
  return d_y;
}

// The times at which the solver stops on its way to a position: whole steps and then the position
// itself.
inline std::vector<double> flow_times(const FlowRule& rule, double position) {
  std::vector<double> times;
  const double whole = std::floor(position * static_cast<double>(rule.steps));
  for (double n = 0; n <= whole; n++)
    times.push_back(n / static_cast<double>(rule.steps) * rule.delta);
  if (position * static_cast<double>(rule.steps) > whole) times.push_back(position * rule.delta);
  return times;
}

}  // namespace posenc::reference
