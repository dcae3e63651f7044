// What every filter computes, once more, as plainly as possible: written from docs/filters.md and
// the filters' heads, not from their code.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/filter_use.h"
#include "tests/gpu/reference.h"

namespace glint::reference {

/// One layer, the frame and those before it.
struct FilterInput {
  std::vector<Image> frames;                                 ///< the last one is the frame
  std::map<std::string, Image> further = {};                 ///< further inputs by name
  std::map<std::string, std::vector<uint32_t>> tables = {};  ///< those that are tables of colours

  const Image& now() const { return frames.back(); }
};

/// A use's parameters, with defaults.
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

/// By the name of the filter.
const std::map<std::string, FilterReference>& filterReferences();
/// Those of references_edges.cpp and references_pictures.cpp among them.
const std::map<std::string, FilterReference>& edgeReferences();
const std::map<std::string, FilterReference>& pictureReferences();

}  // namespace glint::reference
