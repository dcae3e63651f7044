// Makes the buffers and kernels of a planned graph. Internal to gpu/filters/.
#pragma once

#include <memory>
#include <string>

#include "gpu/filters/graph.h"

namespace glint::gpu {

/// Returns the buffers for the statistics of a grey plane (see FilterGraph::Reduction).
std::unique_ptr<FilterGraph::Reduction> makeReduction(const FilterGraph& graph,
                                                      const std::string& id,
                                                      const std::string& channel, size_t grey);

/// Gives the steps of a graph their buffers and kernels, and finds the steps that match templates.
/// Planes share a buffer if one of them is not read any more when the other is made. Throws Error
/// where the device has no room.
void makeResources(FilterGraph& graph, FilterKernels& kernels);

}  // namespace glint::gpu
