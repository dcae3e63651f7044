// Frames in memory as a recording.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/capture/interrupt.h"
#include "app/capture/source.h"
#include "app/sinks/raw_frames.h"

namespace glint {

/// Those of one camera, in order.
std::vector<RawShot> shotsOf(const std::vector<RawSet>& sets, size_t camera);

/// Can seek. `shots`: at least one, all of one format; their pixels are shared.
std::unique_ptr<Source> makeMemorySource(std::string name, std::vector<RawShot> shots);
/// The same for a task in the background.
std::function<std::unique_ptr<Source>(const Interrupt&)> memoryOpener(std::string name,
                                                                      std::vector<RawShot> shots);

}  // namespace glint
