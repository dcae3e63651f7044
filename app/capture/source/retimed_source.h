// Recordings whose own times are wrong, such as slow motion that says 30 frames a second.
#pragma once

#include <memory>

#include "app/capture/source/source.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Returns a source whose frame n is at n / fps of the options; or that source itself if they state
/// no rate.
std::unique_ptr<Source> retimeSource(std::unique_ptr<Source> source, const SourceOptions& options);

}  // namespace glint::capture
