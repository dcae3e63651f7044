// Turns a chain of filters into a graph of planes. Internal to gpu/filters/.
#pragma once

#include <string>

#include "gpu/filters/graph.h"

namespace glint::gpu {

/// Whether the device has what passes with tiles need: halves (float16), and room to share.
bool runsTiles(const Device& device);

/// Adds values, buffers, steps and reductions for graph.uses; templates have no words yet. `kept`:
/// the id of the filter whose plane is kept, or "source"; empty: the last one. `colour`: wherever
/// filters take it, otherwise only for those that need it. Throws UsageError where a filter does
/// not take what it is given, Error where the device has no room.
void planGraph(FilterGraph& graph, FilterKernels& kernels, const std::string& kept, bool colour);

}  // namespace glint::gpu
