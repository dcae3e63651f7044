// The configuration for measuring a frame. Each frame has its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/settings.h"
#include "gpu/filters/images.h"
#include "gpu/mask.h"

namespace glint::gpu {

/// A selection of a frame's planes.
struct PlaneSet {
  bool source = false;      ///< the pixels as delivered, in colour if they have colour
  bool luminance = false;   ///< the luminance as delivered, not inverted even with response.dark
  bool response = false;    ///< the plane in which markers are searched for
  bool candidates = false;  ///< the candidates, or the foreground if markers are blobs
  std::string filter = {};  ///< the output of the filter with this id; empty or unknown: none

  bool any() const { return source || luminance || response || candidates || !filter.empty(); }
  bool operator==(const PlaneSet&) const = default;
};

/// One mask per layer, each empty or as large as the frames. Masks are compared by address, so a
/// changed mask must be another object.
using Masks = std::shared_ptr<const std::vector<LayerMask>>;

/// The configuration of a frame. Everything in it may change from one frame to the next (see
/// Detector::prepare()).
struct DetectionConfig {
  std::shared_ptr<const Settings> settings = std::make_shared<const Settings>();  ///< never null
  Masks masks = {};          ///< null: every pixel counts
  bool rejected = false;     ///< true: fill LayerMeasurement::rejected
  PlaneSet planes = {};      ///< planes to keep for drawing, in FrameResult::planes
  FilterImages images = {};  ///< images that settings.filters read from files
  /// True: take times. In a small frame this takes as long as detection itself (see Timing).
  bool timed = true;
  /// True: if the same frame is measured or submitted several times in succession, its planes are
  /// made only once, as long as the configs differ in thresholds and limits only. The caller must
  /// not change the pixels meanwhile.
  bool reusesPlanes = false;
};

}  // namespace glint::gpu
