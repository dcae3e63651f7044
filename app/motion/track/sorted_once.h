#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::motion {

/// Returns the samples sorted by `key`, which makes a tuple of a sample's members. Throws Error if
/// two have the same key. The message is "FILE: WORDS twice.", where `words` makes the words from
/// the sample.
template <typename Sample>
std::vector<Sample> sortedOnce(std::vector<Sample> samples, const std::string& file,
                               const auto& key, const auto& words) {
  std::sort(samples.begin(), samples.end(),
            [&](const Sample& a, const Sample& b) { return key(a) < key(b); });
  const auto twice =
      std::adjacent_find(samples.begin(), samples.end(),
                         [&](const Sample& a, const Sample& b) { return key(a) == key(b); });
  if (twice != samples.end()) throw Error(fmt::format("{}: {} twice", file, words(*twice)));
  return samples;
}

}  // namespace glint::motion
