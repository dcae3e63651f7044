// The interface between the program and the window, which is a module of its own. The program opens
// the module only when a window is wanted. The module uses the program's copy of the shared code.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/catalog/outputs.h"
#include "app/output/sinks/edited_sink.h"
#include "app/session/session.h"
#include "app/shell/desk/project.h"
#include "config/secrets.h"
#include "gpu/device.h"

namespace glint::shell {

/// The sources that the user wants to see next.
struct Opening {
  std::vector<Address> sources;  ///< one per camera; empty: the empty window
  /// Controls that were chosen for cameras, each with the camera's id; empty if none were chosen.
  std::vector<Settings::Camera> cameras = {};
  std::string rig = {};  ///< file of the sources' rig; empty: none, or the one of the command line
  /// File of bodies to look for with the present rig, from the shown frame on; empty: no change.
  std::string bodies = {};
  /// File of a project to open, which names its sources; empty: none.
  std::string project = {};
};

/// The session that a window shows and drives, and what the window has to know about its start.
struct WindowTask {
  session::Session& session;
  std::shared_ptr<const gpu::Device> device;
  std::vector<Address> sources;  ///< one per camera, as given by the user
  std::string settingsFile;      ///< the file that the settings came from; empty: none
  bool stills = false;           ///< the frames are unrelated pictures: see SessionOptions
  bool empty = false;            ///< nothing is open; the session is only a placeholder
  bool endsAlone = false;  ///< the window closes itself at the end, so it must not ask questions
  std::shared_ptr<const motion::SpaceRig> rig = {};              ///< rig of the cameras; null: none
  std::shared_ptr<const std::vector<motion::Body>> bodies = {};  ///< bodies to look for; null: none
  std::string bodiesFile = {};  ///< file in which learned bodies are kept; empty without a rig
  std::string rigFile = {};     ///< file of `rig`; empty: none
  std::string project = {};     ///< file of the project that is open; empty: none
  /// Arrangement and bookmarks of the project; empty if it was shown before.
  std::optional<ProjectView> view = {};
  std::string clip;                  ///< the bundled recording; empty if it is missing
  Opening scene = {};                ///< the bundled recording of several cameras, with its rig
  std::vector<std::string> outputs;  ///< files that are recorded from the first frame on
  std::string editsFile;             ///< file of the edits; empty: the one beside the recording
  /// Receives the user's edits of tracks, so that recordings and streams apply them. Not null.
  std::shared_ptr<output::LatestEdits> shownEdits;
  /// Returns a new recording into a file. Throws Error or UsageError naming the file.
  std::function<session::command::AddSink(const output::OutputSpec&)> makeRecording;
  /// Returns a new stream to a target. Throws Error or UsageError naming the target.
  std::function<session::command::AddSink(const std::string&)> makeStream;

  /// Returns the results in space that the session has.
  output::SpaceResults results() const {
    return {.points = rig != nullptr, .poses = rig != nullptr && bodies != nullptr};
  }
};

/// A display that a window can be opened on. Only the main thread uses it.
class Screen {
 public:
  virtual ~Screen() = default;

  /// Adds what the window needs of the device.
  virtual void require(gpu::Device::Options& options) const = 0;

  /// Adds what the window needs of the session: planes for drawing, and calls that wake the window.
  virtual void require(session::SessionOptions& options) = 0;

  /// Shows the window until it is closed or the session ends. Returns what the user wants to see
  /// instead, or nothing if the user wants to leave. The session may go on. Throws Error if the
  /// window cannot be made, and DeviceLost.
  virtual std::optional<Opening> run(const WindowTask& task) = 0;
};

}  // namespace glint::shell

/// Opens the display. It is the module's only function. Throws Error if there is no display.
extern "C" glint::shell::Screen* glintOpenScreen();
