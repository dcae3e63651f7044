// How a frame is measured and what is kept of it; each frame has its own config.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/settings.h"
#include "gpu/filters/images.h"
#include "gpu/mask.h"

namespace glint::gpu {

/// Planes of a frame.
struct PlaneSet {
  bool source = false;      ///< the pixels as they came, in colour if they are
  bool luminance = false;   ///< as it came: not inverted, also with response.dark
  bool response = false;    ///< in which markers are sought
  bool candidates = false;  ///< or the foreground, where markers are blobs
  std::string filter = {};  ///< what the filter with this id makes; empty, or unknown: nothing

  bool any() const { return source || luminance || response || candidates || !filter.empty(); }
  bool operator==(const PlaneSet&) const = default;
};

/// One a layer, each empty or of the frames' size. Compared by address: a changed mask is another
/// object.
using Masks = std::shared_ptr<const std::vector<LayerMask>>;

/// All of it may change from one frame to the next: see Detector::prepare().
struct DetectionConfig {
  std::shared_ptr<const Settings> settings = std::make_shared<const Settings>();  ///< never null
  Masks masks = {};          ///< null: every pixel counts
  bool rejected = false;     ///< fill LayerMeasurement::rejected
  PlaneSet planes = {};      ///< that are kept for drawing, in FrameResult::planes
  FilterImages images = {};  ///< that settings.filters read from files
  /// Whether times are taken, which costs as much as detection in a small frame (see Timing).
  bool timed = true;
};

}  // namespace glint::gpu
