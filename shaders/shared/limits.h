// Sizes that both the host and the kernels must know.
#ifndef GLINT_SHARED_LIMITS_H
#define GLINT_SHARED_LIMITS_H
#include "shared/types.h"

GLINT_SHARED_BEGIN

// Most cameras of a session; their frames are the layers of one buffer.
GLINT_CONSTANT kMaxLayers = 16u;
// Most track predictions carried into a frame, all layers together: what fits beside the layers in
// 16,384 bytes, the least uniform buffer range that Vulkan guarantees.
GLINT_CONSTANT kMaxPredictions = 960u;
// Most candidates a layer that `resolve` takes, and most peaks that are measured. A layer with more
// candidates is crowded: most of them are noise on bright areas.
GLINT_CONSTANT kMaxResolved = 4096u;
// Most candidates a layer for which `scan` counts workgroups of `refine` on a CPU.
GLINT_CONSTANT kMostCounted = 256u;
// Most candidates a layer that are listed, and that `resolve_many` takes. Where a frame has more,
// the host looks through its response.
GLINT_CONSTANT kMaxListed = 16384u;
// Most samples of a layer, from which its dark ground is told: see StatisticsMergeParams.
GLINT_CONSTANT kMaxSamples = 2048u;
// A plane's row is padded to whole loads of this many bytes.
GLINT_CONSTANT kLoadBytes = 16u;

GLINT_SHARED_END
#endif
