// What the program and the window's module know of each other. The module is opened only when a
// window is wanted; it finds what it uses of the program's parts in the program itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/sinks/edited_sink.h"
#include "gpu/device.h"

namespace glint {

/// What the user wants to see next.
struct Opening {
  std::vector<std::string> sources;  ///< a camera each; none: the empty window
  /// What was chosen for each of them, known by its id; none where nothing was.
  std::vector<Settings::Camera> cameras = {};
  std::string rig = {};  ///< file of the sources' rig; empty: none, or the one of the command line
  /// File of bodies to seek with the rig that is there, from the shown frame on; empty: as before.
  std::string bodies = {};
};

/// What a window shows and drives.
struct WindowTask {
  Session& session;
  std::shared_ptr<const Device> device;
  std::vector<std::string> sources;  ///< a camera each, as given
  std::string settingsFile;          ///< where the settings came from; empty: from none
  bool stills = false;               ///< frames that share nothing: see SessionOptions
  bool empty = false;                ///< nothing is open; the session only stands in
  bool endsAlone = false;            ///< it is closed at the end: nobody may be there to answer
  std::shared_ptr<const SpaceRig> rig = {};  ///< of the cameras; null: none
  std::shared_ptr<const std::vector<Body>> bodies = {};  ///< that are sought; null: none
  std::string bodiesFile = {};       ///< where learned bodies are kept; empty without a rig
  std::string clip;                  ///< the bundled recording; empty: it is missing
  Opening scene = {};                ///< the bundled recording of several cameras, with its rig; or none
  std::vector<std::string> outputs;  ///< files that are recorded from the first frame on
  std::string editsFile;             ///< empty: the one beside the recording
  /// Told of the tracks as they are shown: recordings and streams have them. Not null.
  std::shared_ptr<LatestEdits> shownEdits;
  /// Makes a recording into a file, or a stream to a target. Throws Error or UsageError naming it.
  std::function<command::AddSink(const std::string&name)> makeRecording, makeStream;
};

/// A display that a window can be opened on. Used by the main thread, apart from wake().
class Screen {
 public:
  virtual ~Screen() = default;

  /// Adds what the device must be able to do.
  virtual void require(Device::Options& options) const = 0;

  /// Adds what the window needs: the session keeps planes for drawing, and wakes the window.
  virtual void require(SessionOptions& options) = 0;

  /// Shows the window until it is closed, or the session ends. Gives what the user wants to see
  /// instead; nothing is to leave. The session may go on. Throws Error where the window cannot be
  /// made, DeviceLost.
  virtual std::optional<Opening> run(const WindowTask& task) = 0;
};

}  // namespace glint

/// The module's one function. Throws Error where there is no display.
extern "C" glint::Screen* glintOpenScreen();
