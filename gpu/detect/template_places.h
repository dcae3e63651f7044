// Where templates match at what was found.
#pragma once

#include <optional>
#include <vector>

#include "gpu/filters/templates.h"
#include "shared/results.h"

namespace glint::gpu {

class FilterChain;

/// How the templates of a chain match at what was found in each layer, in its order. If the
/// response tells of them (FilterChain::finds), the best match becomes the first in `found`; and if
/// they are `placed`, what matches says where and how large each is. `blobs`: these have their own
/// size and mass.
std::vector<std::vector<std::optional<TemplateFit>>> placeTemplates(
    FilterChain& chain, std::vector<std::vector<shared::Detection>>& found, bool placed,
    bool blobs);

}  // namespace glint::gpu
