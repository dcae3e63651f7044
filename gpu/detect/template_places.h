// Finds out how templates match at the peaks or blobs that were found.
#pragma once

#include <optional>
#include <vector>

#include "gpu/filters/templates.h"
#include "shared/results.h"

namespace glint::gpu {

class FilterChain;

/// Returns how the templates of a chain match at each entry of `found`, in the same order. If the
/// response is made by a template (FilterChain::finds), `found` is sorted by the score of the
/// match. If `placed` is true, the match also gives the position and size of each entry. If `blobs`
/// is true, the entries are blobs and keep their own size and mass.
std::vector<std::vector<std::optional<TemplateFit>>> placeTemplates(
    FilterChain& chain, std::vector<std::vector<shared::Detection>>& found, bool placed,
    bool blobs);

}  // namespace glint::gpu
