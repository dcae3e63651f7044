// Turns a chain of filters into steps and planes. Internal to gpu/filters/.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gpu/filters/chain_parts.h"

namespace glint {

/// Whether the device has what passes with tiles need: halves (float16), and room to share.
bool runsTiles(const Device& device);

class FilterChain::Planner {
 public:
  Planner(FilterChain& chain, FilterKernels& kernels) : c_(chain), kernels_(kernels) {}
  void plan(const Keep& keep);

 private:
  size_t add(const Value& value);
  size_t from(const FilterUse& use, const std::string& input);
  size_t fileValue(const FilterUse& use, const std::string& file, uint32_t channels);
  size_t markValue(const std::string& file, const std::vector<FilterImage>& images,
                   uint32_t channels);
  size_t patternValue(const FilterUse& use, const std::string& file);
  size_t tableValue(const FilterUse& use, const std::string& file);
  size_t frameBack(uint32_t frames);
  const std::vector<FilterImage>& imagesOf(const FilterUse& use, const std::string& file,
                                           filters::Input::Form form) const;
  size_t greyOf(size_t value);
  size_t colourOf(size_t value);
  size_t addOwn(const FilterUse& use, size_t input, uint32_t channels);
  bool reads(size_t reader, size_t index) const;
  void findColour(bool everywhere);
  void addUse(size_t index);
  size_t addPoint(size_t index, size_t input);
  size_t addFilter(size_t index, const filters::Filter& filter, size_t input);
  void addReduction(const std::string& id, const std::string& channel, size_t input);
  std::unique_ptr<Reduction> makeReduction(const std::string& id, const std::string& channel,
                                           size_t grey) const;
  void addReductions(size_t index, size_t input);
  size_t addPlace(size_t input, size_t rect);
  size_t addCrop(size_t index, size_t input);
  bool tellsChannels(size_t index) const;
  void fusePoints();
  void countUses();
  void placeBuffers();
  size_t takeBuffer(size_t bytes, std::vector<size_t>& free);
  size_t rememberedBytes() const;
  void makeBuffers();
  void makeStep(Step& step);
  size_t bytesOf(uint32_t channels) const;
  shared::PlaneShape shapeOf(uint32_t channels) const;

  FilterChain& c_;
  FilterKernels& kernels_;
  size_t last_ = 0, measured_ = 0;                      // values
  std::vector<bool> colour_;                            // uses that are given it
  std::vector<size_t> sizes_;                           // of buffers, bytes
  std::map<std::string, size_t> ids_;                   // their values
  std::map<std::pair<size_t, size_t>, size_t> places_;  // values by value and rect
  std::map<std::pair<std::string, uint32_t>, size_t> files_;
  std::map<std::string, size_t> tables_;
  std::map<uint32_t, size_t> backs_;
  std::map<size_t, size_t> greys_;    // luminances of values
  std::map<size_t, size_t> colours_;  // grey values with three channels
  std::map<size_t, bool> measures_;   // values in which markers may be measured
};

}  // namespace glint
