// Computes what every filter should give, as plainly as possible. The references are written from
// docs/filters.md and the filters' heads, not from their code.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/filter_use.h"
#include "tests/gpu/reference.h"

namespace glint::reference {

/// The input of a filter for one layer.
struct FilterInput {
  std::vector<Image> frames;  ///< The frame, which is the last one, and the frames before it.
  std::map<std::string, Image> further = {};  ///< The further inputs by name.
  /// The further inputs that are tables of colours, by name.
  std::map<std::string, std::vector<uint32_t>> tables = {};

  const Image& now() const { return frames.back(); }
};

/// The parameters of a filter's use. Those that are not given have their defaults.
class FilterParameters {
 public:
  explicit FilterParameters(const FilterUse& use) : use_(use) {}
  double operator[](std::string_view name) const { return list(name).at(0); }
  const std::vector<double>& list(std::string_view name) const;
  bool is(std::string_view name, std::string_view choice) const;

 private:
  const FilterUse& use_;
};

using FilterReference = Image (*)(const FilterInput&, const FilterParameters&);

/// Returns the reference of every filter, by the filter's name.
const std::map<std::string, FilterReference>& filterReferences();
/// Returns the references of references_edges.cpp and references_pictures.cpp, which
/// filterReferences() includes.
const std::map<std::string, FilterReference>& edgeReferences();
const std::map<std::string, FilterReference>& pictureReferences();

}  // namespace glint::reference
