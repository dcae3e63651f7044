#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/log.h"
#include "app/commands/commands.h"
#include "app/commands/track_options.h"
#include "app/commands/track_outputs.h"
#include "app/commands/tracking_run.h"
#include "app/commands/window_module.h"
#include "config/error.h"

namespace glint {
namespace {

struct WindowOptions {
  TrackOptions track;
  bool exitAtEnd = false;
  bool loops = false;
  std::optional<std::string> speed;
};

double speedOf(const WindowOptions& options) {
  if (!options.speed) return 1;
  if (*options.speed == "max") return 0;
  try {
    size_t end = 0;
    const double speed = std::stod(*options.speed, &end);
    if (end == options.speed->size() && speed >= 0.001 && speed <= 1000) return speed;
  } catch (const std::exception&) {
  }
  throw UsageError("--speed '" + *options.speed + "' is neither max nor from 0.001 to 1000");
}

/// The user, at a window.
class User : public RunDriver {
 public:
  User(const WindowOptions& options, double speed)
      : options_(options), speed_(speed), screen_(openScreen()) {}

  void prepare(Device::Options& options) override { screen_->require(options); }

  void prepare(SessionOptions& options) override {
    stills_ = options.stills;
    options.stay = !options_.exitAtEnd;
    options.speed = speed_;
    options.endOnExportFailure = false;
    screen_->require(options);
  }

  void drive(Session& session, std::shared_ptr<const Device> device) override {
    if (options_.loops) session.post(command::Loop{true});
    next_ = screen_->run({.session = session,
                          .device = std::move(device),
                          .sources = options_.track.sources,
                          .settingsFile = settingsFile(),
                          .stills = stills_,
                          .makeRecording = [&](const std::string& file) {
                            return makeRecording(file, options_.track, session.groups());
                          }});
  }

  /// Where changed settings are saved: not into a recording that they came from.
  std::string settingsFile() const {
    const std::string& file = options_.track.settings.config();
    return file.ends_with(".mkv") ? "" : file;
  }

  /// What the user wants to see instead; or nothing.
  std::vector<std::string> takeNext() { return std::exchange(next_, {}); }

 private:
  const WindowOptions& options_;
  double speed_;
  bool stills_ = false;
  std::unique_ptr<Screen> screen_;
  std::vector<std::string> next_;
};

/// Other sources are another run, without the outputs of the first. Where they cannot be opened
/// that is told in the window, on the ones before.
void runWindow(WindowOptions& options) {
  const double speed = speedOf(options);
  User user(options, speed);
  runTracking(options.track, user);
  std::vector<std::string> shown = options.track.sources;
  for (auto next = user.takeNext(); !next.empty(); next = user.takeNext()) {
    options.track.outputs.clear();
    options.track.format = options.track.detections = options.track.stats = "";
    options.track.rejected = options.track.picture = options.track.overlay = options.track.record =
        "";
    options.track.sources = next;
    try {
      runTracking(options.track, user);
      shown = next;
    } catch (const Error& error) {
      log(LogLevel::error, error.what());
      options.track.sources = shown;
      runTracking(options.track, user);
    }
  }
}

void addWindowCommand(CLI::App& app, const char* name, const char* about, bool live) {
  const auto options = std::make_shared<WindowOptions>();
  CLI::App* command = app.add_subcommand(name, about);
  addTrackOptions(*command, options->track);
  command->add_flag("--exit-at-end", options->exitAtEnd, "Close the window at the end");
  command
      ->add_option("--speed", options->speed,
                   "How fast recordings play: 0.001 to 1000, or max: as fast as can be tracked [1]")
      ->type_name("FACTOR");
  command->callback([options, live] {
    if (!options->track.outputs.empty() || !options->track.format.empty())
      completeOutputs(options->track);
    // Of cameras that run on, joining tracks later would come too late to be seen.
    if (live && !options->track.stitch) options->track.stitch = false;
    runWindow(*options);
  });
}

}  // namespace

void addReplayCommand(CLI::App& app) {
  addWindowCommand(app, "replay", "Open the window on recordings", false);
}

void addLiveCommand(CLI::App& app) {
  addWindowCommand(app, "live", "Open the window on cameras", true);
}

void showBundledClip() {
  WindowOptions options;
  options.track.sources = {bundledClip().string()};
  options.loops = true;
  runWindow(options);
}

}  // namespace glint
