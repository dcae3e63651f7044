// The 2D points and boards that a calibration finds in recordings or cameras.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/source.h"
#include "app/motion/calibrate/board_views.h"
#include "app/motion/calibrate/points_table.h"
#include "app/output/sinks/sink.h"
#include "config/settings.h"

namespace glint::shell {

/// The points that were seen, and the size of each camera's image.
struct SeenPoints {
  motion::PointTable table;
  std::vector<motion::FrameExtent> sizes;
  std::vector<std::string> orientations;  ///< of the sources: see RigFile::orientations
  bool once = false;  ///< by cameras, streams or pipes, which do not show it again
  /// The error that ended the recording after something was seen; null if there is none.
  std::exception_ptr failure = nullptr;
};

/// The views of a board that were seen.
struct SeenBoards {
  motion::BoardViews views;
  std::vector<std::string> orientations;  ///< of the sources: see RigFile::orientations
  bool once = false;  ///< by cameras, streams or pipes, which do not show it again
  /// The error that ended the recording after something was seen; null if there is none.
  std::exception_ptr failure = nullptr;
};

/// Returns `wanted` finite numbers with `between` between them, or nothing if the text is anything
/// else.
std::optional<std::vector<double>> numbersOf(const std::string& text, char between, size_t wanted);

/// Parses values of --size, such as "1280x1024". Throws UsageError for any other text.
std::vector<motion::FrameExtent> parseSizes(const std::vector<std::string>& texts);

/// A table that motion::readPoints() reads as the same points and times.
std::string pointsText(const motion::PointTable& table);

/// Detects markers in every frame of the sources, a camera each, as `glint track --detections`
/// does. Live sources end with Ctrl-C. Shows how far it is; tells `words` what to do. Throws Error
/// or UsageError as a session does. If something was seen by then that will not be shown again, the
/// error is returned instead.
SeenPoints pointsOfSources(const std::vector<Address>& sources, Settings settings,
                           std::FILE* words);

/// Runs a session with this listener until its end. Live sources end with Ctrl-C. Shows the text
/// that `progressLine` returns, or the progress. Throws as pointsOfSources().
void runToEnd(capture::SourceList sources, Settings settings,
              std::shared_ptr<output::Sink> listener, std::FILE* words,
              const std::function<std::string()>& progressLine = {});

/// Searches for the board in the sources, one camera each. In long recordings and live sources,
/// searches at most five frames a second. Live sources end with Ctrl-C; if there is one, all
/// sources run in a session with these settings. `offsets` (s) are added to the cameras' times.
/// Throws Error or UsageError naming a source that breaks. If the board was seen by then and will
/// not be shown again, the error is returned instead.
SeenBoards boardsOfSources(const std::vector<Address>& sources, Settings settings,
                           const motion::Board& board, const std::map<size_t, double>& offsets,
                           std::FILE* words);

}  // namespace glint::shell
