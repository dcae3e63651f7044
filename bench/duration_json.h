// A measured time as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/timing.h"

namespace glint::bench {

using Json = nlohmann::ordered_json;

/// null without measurements.
inline Json toJson(const Duration& d) {
  if (d.count == 0) return nullptr;
  return {{"median", d.median}, {"p10", d.p10}, {"p90", d.p90}, {"count", d.count}};
}

}  // namespace glint::bench
