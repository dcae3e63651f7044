// Numbers as text: printf into a string.
#pragma once

#include <cstdio>
#include <string>

#include "bench/timing.h"

namespace glint::bench {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  const int length = std::snprintf(nullptr, 0, format, values...);
  std::string text(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format, values...);
  text.pop_back();
  return text;
}

/// "25.0 (24.8-25.3)": the median, the 10th and the 90th percentile; "-" without measurements.
inline std::string spread(const Duration& d) {
  if (d.count == 0) return "-";
  return formatted("%.1f (%.1f-%.1f)", d.median, d.p10, d.p90);
}

}  // namespace glint::bench
