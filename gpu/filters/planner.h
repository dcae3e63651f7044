// Turns a chain of filters into steps and planes. Internal to gpu/filters/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/filters/chain_parts.h"

namespace glint {

class FilterChain::Planner {
 public:
  Planner(FilterChain& chain, FilterKernels& kernels) : c_(chain), kernels_(kernels) {}
  void plan(const Keep& keep);

 private:
  size_t add(const Value& value);
  size_t from(const FilterUse& use, const std::string& input);
  size_t fileValue(const FilterUse& use, const std::string& file, uint32_t channels);
  size_t greyOf(size_t value);
  bool reads(size_t reader, size_t index) const;
  void findColour(bool everywhere);
  void addUse(size_t index);
  size_t addPoint(size_t index, size_t input);
  size_t addFilter(size_t index, const filters::Filter& filter, size_t input);
  void addReduction(size_t index, size_t input);
  void fusePoints();
  void countUses();
  void placeBuffers();
  size_t takeBuffer(size_t bytes, std::vector<size_t>& free);
  void makeStep(Step& step);
  size_t bytesOf(uint32_t channels) const;

  FilterChain& c_;
  FilterKernels& kernels_;
  size_t last_ = 0, measured_ = 0;     // values
  std::vector<bool> colour_;           // uses that are given it
  std::map<std::string, size_t> ids_;  // their values
  std::map<std::pair<std::string, uint32_t>, size_t> files_;
  std::map<size_t, size_t> greys_;   // luminances of values
  std::map<size_t, bool> measures_;  // values in which markers may be measured
};

}  // namespace glint
