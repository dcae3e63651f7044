// Sizes that both the host and the kernels must know.
#ifndef GLINT_SHARED_LIMITS_H
#define GLINT_SHARED_LIMITS_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

// Most cameras of a session; their frames are the layers of one buffer.
GLINT_CONSTANT kMaxLayers = 16u;
// Most track predictions of a frame, all layers together. Together with the layers' data they fill
// 16,384 bytes, the uniform buffer range that every Vulkan device guarantees.
GLINT_CONSTANT kMaxPredictions = 960u;
// Most candidates per layer that `resolve` takes, and most peaks per layer that are measured. A
// layer with more candidates counts as crowded, because most of its candidates are noise on bright
// areas.
GLINT_CONSTANT kMaxResolved = 4096u;
// Most workgroups of `refine` per layer that `scan` counts on a CPU, one for each candidate.
GLINT_CONSTANT kMostCounted = 256u;
// Most candidates per layer that `scan` lists and that `resolve_many` takes. If a frame has more,
// the host searches the whole response.
GLINT_CONSTANT kMaxListed = 16384u;
// Most sampled pixels per layer, from which the host estimates the dark background (see
// StatisticsMergeParams::step).
GLINT_CONSTANT kMaxSamples = 2048u;
// Bytes of a load, the unit in which kernels read planes. The rows of a plane are padded to whole
// loads.
GLINT_CONSTANT kLoadBytes = 16u;

GLINT_SHARED_END
#endif
