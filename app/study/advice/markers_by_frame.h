// The markers that a trial of settings finds in a few frames, and functions that count and select
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <vector>

#include "config/settings.h"
#include "shared/results.h"

namespace glint::study {

/// The markers that were found in each of several frames.
using MarkersByFrame = std::vector<std::vector<shared::Detection>>;

/// A function that measures the first `frames` of the sampled frames with the given settings.
using Measure = std::function<MarkersByFrame(const Settings&, size_t frames)>;

/// The two ways to measure the sampled frames.
struct Measures {
  Measure exact;   ///< Measures the frames themselves.
  Measure survey;  ///< Finds about the same, and may be much quicker. Serves to compare kinds.
};

/// Returns the mean number of markers in a frame.
inline double countOf(const MarkersByFrame& found) {
  size_t count = 0;
  for (const auto& frame : found) count += frame.size();
  return double(count) / double(std::max<size_t>(found.size(), 1));
}

/// Returns the results of `value` for every marker, frame after frame.
template <class Value>
std::vector<double> valuesOf(const MarkersByFrame& found, const Value& value) {
  std::vector<double> values;
  for (const auto& frame : found)
    for (const shared::Detection& d : frame) values.push_back(value(d));
  return values;
}

/// Returns the markers for which `wanted` is true.
template <class Wanted>
MarkersByFrame only(const MarkersByFrame& found, const Wanted& wanted) {
  MarkersByFrame kept(found.size());
  for (size_t f = 0; f < found.size(); ++f)
    std::copy_if(found[f].begin(), found[f].end(), std::back_inserter(kept[f]), wanted);
  return kept;
}

}  // namespace glint::study
