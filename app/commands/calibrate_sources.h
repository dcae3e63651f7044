// The 2D points of a calibration from recordings or cameras themselves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/calibrate/points_table.h"
#include "app/capture/source.h"
#include "app/sinks/sink.h"
#include "config/settings.h"

namespace glint {

/// What was seen, and each camera's image size.
struct SeenPoints {
  PointTable table;
  std::vector<FrameExtent> sizes;
};

/// Detects markers in every frame of the sources, a camera each, as `glint track --detections`
/// does. Live sources end with Ctrl-C. Shows how far it is. Throws Error or UsageError as a session
/// does; what was seen before a source broke does not count.
SeenPoints pointsOfSources(const std::vector<std::string>& sources, Settings settings);

/// Runs a session with this listener. Live sources end with Ctrl-C. Shows `told`, or how far it is.
/// Throws as pointsOfSources().
void runToEnd(std::vector<std::unique_ptr<Source>> sources, Settings settings,
              std::shared_ptr<Sink> listener, const std::function<std::string()>& told = {});

}  // namespace glint
