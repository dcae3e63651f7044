// The buffers and kernels of a planned graph. Internal to gpu/filters/.
#pragma once

#include <memory>
#include <string>

#include "gpu/filters/graph.h"

namespace glint::gpu {

/// Returns statistics of a grey plane. See FilterGraph::Reduction.
std::unique_ptr<FilterGraph::Reduction> makeReduction(const FilterGraph& graph,
                                                      const std::string& id,
                                                      const std::string& channel, size_t grey);

/// Gives the steps of a graph their buffers and kernels, and finds its matchers. Planes share
/// buffers where none of them is read any more when another is made. Throws Error where the device
/// has no room.
void makeResources(FilterGraph& graph, FilterKernels& kernels);

}  // namespace glint::gpu
