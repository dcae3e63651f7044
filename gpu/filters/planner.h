// Turns a chain of filters into a graph of planes. Internal to gpu/filters/.
#pragma once

#include <string>

#include "gpu/filters/graph.h"

namespace glint::gpu {

/// Returns true if the device has what passes with tiles need: 16-bit floats, products of bytes,
/// and enough shared memory and invocations in a workgroup.
bool runsTiles(const Device& device);

/// Adds values, buffers, steps and reductions for graph.uses to `graph`; templates have no words
/// yet. For `kept` and `colour` see FilterChain::Keep. Throws UsageError where a filter does not
/// take what it is given, Error where the device has no room.
void planGraph(FilterGraph& graph, FilterKernels& kernels, const std::string& kept, bool colour);

}  // namespace glint::gpu
