#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/output/catalog/outputs.h"
#include "app/shell/commands/commands.h"
#include "app/shell/commands/track_options.h"
#include "app/shell/commands/track_outputs.h"
#include "app/shell/commands/tracking_run.h"
#include "app/shell/commands/window_module.h"
#include "app/shell/desk/project.h"
#include "config/error.h"

namespace glint::shell {
namespace {

struct WindowOptions {
  TrackOptions track;
  bool exitAtEnd = false;
  std::optional<std::string> speed;
  /// The sources for which the command line has given a rig, and the rig. Other sources have none.
  std::optional<std::pair<std::vector<Address>, RigOptions>> rigged = {};
  std::string edits;                 ///< edits of `edited`; empty: those beside the recording
  std::vector<Address> edited = {};  ///< the sources to which `edits` belongs
  /// The edits as the window shows them.
  std::shared_ptr<output::LatestEdits> shownEdits = std::make_shared<output::LatestEdits>();
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
  throw UsageError("--speed '" + *options.speed + "' must be max, or a number from 0.001 to 1000");
}

/// The source of the placeholder session while nothing is open.
constexpr const char* kNothing = "synth:spots?size=64x64&markers=1&frames=1";

constexpr int kMostLosses = 3;  // losses of the device, after which it is not tried again

/// Returns the bundled recording; empty if it is missing.
std::string clipOrNone() {
  try {
    return bundledClip().string();
  } catch (const Error&) {
    return "";
  }
}

/// The driver that lets the user drive the session in a window.
class User : public RunDriver {
 public:
  User(const WindowOptions& options, double speed)
      : options_(options), speed_(speed), screen_(openScreen()) {}

  void prepare(Settings& settings) override {
    if (!settings_) return;
    settings.camera = settings_->camera;
    settings.cameras = settings_->cameras;
  }

  void prepare(gpu::Device::Options& options) override {
    lost_ = false;
    screen_->require(options);
  }

  void opening() override { opening_ = true; }

  void prepare(session::SessionOptions& options, bool live) override {
    if (live && again_) options.paused = false;  // paused was asked for the earlier sources
    stills_ = options.stills;
    options.stay = !options_.exitAtEnd;
    options.speed = speed_;
    options.endOnSinkFailure = false;
    // The gap that the settings of these sources ask for.
    const double stitchGap = options.settings.track.stitchGap;
    if (settings_) {
      settings_->device = options.settings.device;
      settings_->camera = options.settings.camera;
      settings_->cameras = options.settings.cameras;
      if (settings_->track.stitchGap == stitchGap_) settings_->track.stitchGap = stitchGap;
      options.settings = *settings_;
    }
    stitchGap_ = stitchGap;
    if (resume_) options.paused = true;
    rig_ = options.rig;
    bodies_ = options.bodies;
    screen_->require(options);
  }

  void drive(session::Session& session, std::shared_ptr<const gpu::Device> device) override {
    shown_ = again_ = true;
    if (view_ && view_->frame)
      session.post(session::command::Range{
          SetIndex(view_->in), view_->out ? std::optional(SetIndex(*view_->out)) : std::nullopt});
    if (resume_) session.post(session::command::Seek{*std::exchange(resume_, std::nullopt)});
    const WindowTask task{
        .session = session,
        .device = std::move(device),
        .sources = options_.track.sources,
        .settingsFile = settingsFile(),
        .stills = stills_,
        .empty = empty_,
        .endsAlone = options_.exitAtEnd,
        .rig = rig_,
        .bodies = bodies_,
        .bodiesFile = bodiesFile(),
        .rigFile = options_.track.rig.rig,
        .project = project_,
        .view = std::exchange(view_, std::nullopt),
        .clip = clipOrNone(),
        .scene = bundledScene(),
        .outputs = output::outputFiles(options_.track.outputs, options_.track.sources.size()),
        .editsFile = options_.track.edits,
        .shownEdits = options_.shownEdits,
        .makeRecording =
            [&](const output::OutputSpec& spec) {
              return openRecording(spec, options_.track, session);
            },
        .makeStream = [&](const std::string& target) { return startStream(target); }};
    try {
      next_ = screen_->run(task);
    } catch (const gpu::DeviceLost& lost) {
      if (options_.exitAtEnd || ++losses_ > kMostLosses) throw;
      base::log(base::LogLevel::error,
                fmt::format("{}; what was recorded is kept, and the window goes on", lost.what()));
      lost_ = true;
    }
    const auto state = session.state();
    settings_ = *state->settings;
    left_.reset();
    if (state->canSeek && state->frame) left_ = state->frame->set;
    if (lost_) resume_ = left_;
  }

  session::command::AddSink startStream(const std::string& target) const {
    if (target == "-")
      throw UsageError(
          "a stream started in the window cannot go to standard output; name another target, such "
          "as udp:9000");
    return openStream(target, options_.track, {rig_, bodies_});
  }

  /// Returns the file in which changed settings are saved. It is never the recording from which
  /// they came.
  std::string settingsFile() const {
    const std::string& file = options_.track.settings.config();
    return file.ends_with(".mkv") ? "" : file;
  }

  /// Returns the file of the bodies to search for, or the one beside the rig.
  std::string bodiesFile() const {
    const RigOptions& rig = options_.track.rig;
    if (rig.rig.empty() || !rig.bodies.empty()) return rig.bodies;
    return (std::filesystem::absolute(rig.rig).parent_path() / "bodies.toml").string();
  }

  /// Returns the sources that the user wants to see next, and forgets them; empty if the user wants
  /// to leave.
  std::optional<Opening> takeNext() { return std::exchange(next_, std::nullopt); }

  /// Returns true if the device was lost, so that the same sources are to be shown again.
  bool lost() const { return lost_; }

  /// Forgets the state of the previous run, because a new one begins.
  void begin() { shown_ = lost_ = opening_ = false; }
  bool shown() const { return shown_; }
  /// Returns true once the run has started to open its sources.
  bool reachedSources() const { return opening_; }

  /// Keeps the first failure that the window has shown to the user. It becomes the failure of the
  /// program.
  void noteFailure(std::exception_ptr failure) {
    if (!failure_) failure_ = std::move(failure);
  }
  void throwFailure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Makes the next run begin paused, at the frame on which the last one ended.
  void goBack() { resume_ = left_; }

  /// Makes the next run show a project, whose sources, rig and edits are in the options already.
  void show(const std::string& file, Project project) {
    project_ = file;
    settings_ = std::move(project.settings);
    stitchGap_.reset();  // the gap in a project was chosen
    resume_.reset();
    if (project.view.frame) resume_ = SetIndex(*project.view.frame);
    view_ = std::move(project.view);
  }
  /// Returns the file of the project that is open; empty if there is none.
  const std::string& project() const { return project_; }
  /// Makes the next run belong to a project that was shown before, or to none.
  void setProject(const std::string& file) {
    project_ = file;
    view_.reset();
  }

  /// Sets whether nothing is open from now on.
  void setEmpty(bool empty) { empty_ = empty; }

  /// Returns the settings with which the next session begins; empty: those of the command line.
  std::optional<Settings>& settings() { return settings_; }

 private:
  const WindowOptions& options_;
  double speed_;
  bool stills_ = false, empty_ = false, lost_ = false;
  int losses_ = 0;
  std::unique_ptr<Screen> screen_;
  std::shared_ptr<const motion::SpaceRig> rig_;
  std::shared_ptr<const std::vector<motion::Body>> bodies_;
  std::optional<Opening> next_;
  std::optional<Settings> settings_;  // settings of the previous session in the window
  // The gap with which the last session began. If it is still in force, nobody has chosen another
  // one.
  std::optional<double> stitchGap_;
  bool shown_ = false, opening_ = false;
  bool again_ = false;               // true once a session was shown
  std::string project_;              // file of the project; empty: none is open
  std::optional<ProjectView> view_;  // view of the project, until it is shown
  std::exception_ptr failure_;
  // The frame that was shown last, and the one to begin with.
  std::optional<SetIndex> left_, resume_;
};

/// Runs a session, and runs it again without outputs if the device is lost. Throws an error that
/// has kept the session from being shown. Later errors are kept for the end, as the user may want
/// to see something else.
void runUntilKept(WindowOptions& options, User& user) {
  for (;;) {
    user.begin();
    try {
      runTracking(options.track, user);
    } catch (const Error&) {
      if (!user.shown()) throw;
      if (!user.lost()) user.noteFailure(std::current_exception());
    }
    if (!user.lost()) return;
    options.track.outputs.clear();  // later runs write no outputs
  }
}

/// Puts the controls that were chosen for cameras into the cameras' settings, which are found by
/// their ids.
void choose(const std::vector<Settings::Camera>& chosen, std::map<int, Settings::Camera>& cameras) {
  for (const Settings::Camera& request : chosen) {
    if (request.id.empty()) continue;  // a stream has no id
    auto camera = std::ranges::find_if(
        cameras, [&](const auto& entry) { return entry.second.id == request.id; });
    if (camera == cameras.end()) {
      const int number = cameras.empty() ? 0 : cameras.rbegin()->first + 1;
      camera = cameras.insert({number, {}}).first;
    }
    camera->second.id = request.id;
    camera->second.size = request.size;
    camera->second.format = request.format;
    camera->second.rate = request.rate;
  }
}

RigOptions rigOf(const std::string& file) {
  RigOptions rig;
  rig.rig = file;
  return rig;
}

void setSources(WindowOptions& options, User& user, std::vector<Address> sources) {
  user.setEmpty(sources.empty());
  if (!options.rigged) options.rigged = {options.track.sources, options.track.rig};
  const auto& [itsSources, rig] = *options.rigged;
  const auto same = [](const Address& a, const Address& b) {
    return std::filesystem::absolute(a.real()) == std::filesystem::absolute(b.real());
  };
  options.track.rig = std::ranges::equal(sources, itsSources, same) ? rig : RigOptions();
  if (sources.empty()) sources.assign(1, kNothing);
  options.track.sources = tellApart(std::move(sources));
  options.track.from.reset();
  options.track.outputs.clear();
  options.track.edits = options.track.sources == options.edited ? options.edits : "";
}

/// Puts the files of a project into the options, and its settings and view into `user`. Throws
/// Error if the project cannot be read.
void setProject(WindowOptions& options, User& user, const std::string& file) {
  Project project = readProject(file);
  RigOptions rig = rigOf(project.rig);
  rig.bodies = project.bodies;
  // The window removes the file when the last edit is undone.
  std::error_code error;
  if (!std::filesystem::exists(project.edits, error)) project.edits.clear();
  options.rigged = {project.sources, rig};
  options.edits = project.edits;
  options.edited = tellApart(project.sources);
  setSources(options, user, project.sources);
  user.show(file, std::move(project));
}

/// Runs the window on the sources of the options, the project `first`, or nothing. Each choice of
/// other sources is another run, with the settings of the one before and without outputs. If
/// sources cannot be opened, the window tells the user, and shows the earlier sources again.
void runWindow(WindowOptions& options, bool empty = false, const std::string& first = {}) {
  const double speed = speedOf(options);
  options.track.latest = options.shownEdits;
  options.edits = options.track.edits;
  options.edited = options.track.sources;
  User user(options, speed);
  std::vector<Address> shown = empty ? std::vector<Address>() : options.track.sources;
  if (empty) setSources(options, user, {});
  if (!first.empty()) {
    setProject(options, user, first);
    shown = options.track.sources;
  }
  try {
    runUntilKept(options, user);
  } catch (const capture::Interrupted&) {
    throw;
  } catch (const Error& error) {
    // The window tells that the sources cannot be opened, because a file manager shows no terminal.
    if (options.exitAtEnd || !user.reachedSources() || user.shown()) throw;
    user.noteFailure(std::current_exception());
    base::log(base::LogLevel::error, error.what());
    user.setProject({});
    setSources(options, user, {});
    shown.clear();
    runUntilKept(options, user);
  }
  for (auto next = user.takeNext(); next; next = user.takeNext()) {
    const std::optional<Settings> settings = user.settings();
    const auto rigged = options.rigged;
    const std::string project = user.project(), edits = options.edits;
    const std::vector<Address> edited = options.edited;
    try {
      if (!next->project.empty()) {
        setProject(options, user, next->project);
        runUntilKept(options, user);
        shown = options.track.sources;
        continue;
      }
      if (!next->rig.empty()) options.rigged = {next->sources, rigOf(next->rig)};
      const bool same = !next->bodies.empty();
      if (same) {
        options.rigged = {next->sources, options.track.rig};
        options.rigged->second.bodies = next->bodies;
        user.goBack();
      } else {
        user.setProject({});
      }
      setSources(options, user, next->sources);
      if (user.settings() && !same) {  // other sources have another view and size
        choose(next->cameras, user.settings()->cameras);
        user.settings()->detect.mask.clear();
        user.settings()->detect.region.clear();
        user.settings()->detect.ignore.clear();
      }
      runUntilKept(options, user);
      shown = next->sources;
    } catch (const Error& error) {
      base::log(base::LogLevel::error, error.what());
      options.rigged = rigged;
      options.edits = edits;
      options.edited = edited;
      user.setProject(project);
      setSources(options, user, shown);
      user.settings() = settings;
      user.goBack();
      runUntilKept(options, user);
    }
  }
  user.throwFailure();
}

/// Adds a command that opens a window. `replays` is true for recordings, whose edits can be named.
void addWindowCommand(CLI::App& app, const char* name, const char* about, bool replays) {
  const auto options = std::make_shared<WindowOptions>();
  CLI::App* command = app.add_subcommand(name, about);
  addTrackOptions(*command, options->track);
  command->add_flag("--exit-at-end", options->exitAtEnd,
                    "Close the window at the end of the recording");
  addValue(*command, "--speed", options->speed,
           "Playing speed, 0.001 to 1000, or max: as fast as tracking allows [1]", "FACTOR");
  if (replays)
    addEditsOption(*command, options->track.edits,
                   "Show, change and keep these edits of tracks instead of NAME.glint.json\n"
                   "Outputs get them as they are in the beginning.");
  command->callback([options] {
    completeOutputs(options->track, false);
    checkEdits(options->track);
    runWindow(*options);
  });
}

}  // namespace

void addReplayCommand(CLI::App& app) {
  addWindowCommand(app, "replay", "Open the window on recordings", true);
}

void addLiveCommand(CLI::App& app) {
  addWindowCommand(app, "live", "Open the window on cameras", false);
}

void showStartScreen() {
  WindowOptions options;
  runWindow(options, true);
}

void showProject(const std::string& file) {
  WindowOptions options;
  runWindow(options, false, file);
}

}  // namespace glint::shell
