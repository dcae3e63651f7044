// Makes the planes that filters read from files. Internal to gpu/filters/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gpu/filters/graph.h"

namespace glint::gpu {

/// Adds planes to a graph that show the images of graph.images, each image once. The functions
/// return the index of the plane for `file`, and throw UsageError if the file was not read or does
/// not fit the frames.
class FilePlanes {
 public:
  explicit FilePlanes(FilterGraph& graph) : graph_(graph) {}

  /// An image of the frames' size, or marks that are drawn for each frame.
  size_t image(const FilterUse& use, const Address& file, uint32_t channels);
  /// An image whose variants are made once the parameters of its filter are known.
  size_t pattern(const FilterUse& use, const Address& file);
  /// A table of colours as words: for each layer where its table begins, then the tables.
  size_t colours(const FilterUse& use, const Address& file);

 private:
  const std::vector<FilterImage>& imagesOf(const FilterUse& use, const Address& file,
                                           filters::Input::Form form) const;
  FilterGraph::Value::File imageOf(const FilterUse& use, const Address& file,
                                   const std::vector<FilterImage>& images, uint32_t channels) const;
  void checkDepth(const FilterUse& use, const Address& file, const FilterImage& image) const;

  FilterGraph& graph_;
  std::map<std::pair<Address, uint32_t>, size_t> images_;  // by file and channels
  std::map<Address, size_t> tables_;
};

}  // namespace glint::gpu
