// Recordings whose values use a part of their scale.
#pragma once

#include <memory>
#include <optional>

#include "app/capture/source/source.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Returns a source whose pictures are those of `source`, of the same format, in which the values
/// of `range` became black and full scale; or that source itself without a range.
std::unique_ptr<Source> scaleSource(std::unique_ptr<Source> source,
                                    const std::optional<ValueRange>& range);

}  // namespace glint::capture
