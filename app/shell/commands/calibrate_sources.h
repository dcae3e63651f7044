// The 2D points and boards of a calibration from recordings or cameras themselves.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "app/motion/calibrate/board.h"
#include "app/motion/calibrate/points_table.h"
#include "app/output/sinks/sink.h"
#include "config/settings.h"

namespace glint::shell {

/// What was seen, and each camera's image size.
struct SeenPoints {
  motion::PointTable table;
  std::vector<motion::FrameExtent> sizes;
};

/// Detects markers in every frame of the sources, a camera each, as `glint track --detections`
/// does. Live sources end with Ctrl-C. Shows how far it is. Throws Error or UsageError as a session
/// does; what was seen before a source broke does not count.
SeenPoints pointsOfSources(const std::vector<Address>& sources, Settings settings);

/// Runs a session with this listener. Live sources end with Ctrl-C. Shows `told`, or how far it is.
/// Throws as pointsOfSources().
void runToEnd(capture::SourceList sources, Settings settings,
              std::shared_ptr<output::Sink> listener,
              const std::function<std::string()>& told = {});

/// Looks for the board in the sources, a camera each, in at most five frames a second of long or
/// live ones. Live sources end with Ctrl-C; with them all run in a session with these settings.
/// `offsets` (s) are added to cameras' times; frames less than half an interval apart belong to one
/// moment. Throws Error or UsageError naming a source that breaks.
motion::BoardRecording boardsOfSources(const std::vector<Address>& sources, Settings settings,
                                       const motion::Board& board,
                                       const std::map<size_t, double>& offsets);

}  // namespace glint::shell
