#include "app/shell/commands/tracking_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/paths.h"
#include "app/capture/filter/host_filters.h"
#include "app/capture/filter/images.h"
#include "app/capture/source/source_kinds.h"
#include "app/output/catalog/outputs.h"
#include "app/output/edit/edits_file.h"
#include "app/session/edit_pass.h"
#include "app/shell/commands/print_text.h"
#include "app/shell/commands/process.h"
#include "app/shell/commands/track_outputs.h"
#include "app/shell/commands/track_summary.h"
#include "app/shell/control/control_server.h"
#include "app/study/advice/findings.h"
#include "app/study/opening/opening.h"
#include "app/study/record/run_record.h"
#include "config/error.h"
#include "config/setting_key.h"

namespace glint::shell {
namespace {

/// The servers that --control asks for, with the Control that they use.
class Controls {
 public:
  /// Opens the sockets and the folder, which must exist before the session begins.
  explicit Controls(const TrackOptions& options) : options_(options) {
    if (options.controlRemote && options.controlToken.empty())
      throw UsageError(
          "--control-remote lets other machines in: give --control-token FILE, whose first line "
          "they must send");
    if (!options.controlToken.empty())
      token_ = std::make_shared<const ControlToken>(options.controlToken);
    for (const std::string& target : options.control) {
      const std::string option = fmt::format("--control '{}'", target);
      if (target == "-") {
        if (std::exchange(pipe_, true)) throw UsageError(option + " is given twice");
      } else if (target.starts_with("udp:")) {
        sockets_.push_back(
            std::make_shared<const ControlSocket>(target.substr(4), options.controlRemote, option));
      } else {
        throw UsageError(option + " is unknown; use - (standard input) or udp:[HOST:]PORT");
      }
    }
    if (!sockets_.empty())
      folder_.emplace(options.controlFolder, "--control-folder");
    else if (token_ || !options.controlFolder.empty())
      throw UsageError(
          "--control-token and --control-folder are for requests by UDP: give --control udp:PORT, "
          "too");
  }

  bool onStandardOutput() const { return pipe_; }

  /// `space` is the session's rig and bodies.
  void begin(session::Session& session, output::StreamedSpace space) {
    space_ = std::move(space);
    if (!pipe_ && sockets_.empty()) return;
    control_ = std::make_unique<Control>(session, [&](const std::string& target) {
      if (target == "-" && pipe_)
        throw UsageError("--control - answers on standard output; name another target");
      return openStream(target, options_, space_);
    });
    // Requests on standard input come from the user, who may write anywhere. Those on a socket may
    // come from any program.
    const auto recording = [&](const output::NewFileFolder* below) {
      return [this, &session, below](const std::string& file) {
        return openRecording(output::recordingSpec(file), options_, session, below);
      };
    };
    for (const auto& socket : sockets_)
      servers_.push_back(controlByUdp(*control_, {recording(&*folder_), token_}, socket));
    if (!pipe_) return;
    // Ends the session if nobody can ask for that any more; otherwise it would wait for ever.
    const bool stops = sockets_.empty() && (options_.stay || options_.paused);
    servers_.push_back(controlByPipe(*control_, {recording(nullptr), nullptr}, [&session, stops] {
      if (stops) session.post(session::command::Stop{});
    }));
  }

  void end() { servers_.clear(); }

 private:
  const TrackOptions& options_;
  output::StreamedSpace space_;
  std::optional<output::NewFileFolder> folder_;
  std::shared_ptr<const ControlToken> token_;
  bool pipe_ = false;
  std::vector<std::shared_ptr<const ControlSocket>> sockets_;
  std::unique_ptr<Control> control_;
  std::vector<std::unique_ptr<ControlServer>> servers_;
};

/// Returns the length of the longest source, in frames; empty unless all sources know theirs.
std::optional<uint64_t> lengthOf(const capture::SourceList& sources) {
  std::optional<uint64_t> length = 0;
  for (const auto& source : sources) {
    const auto frames = source->frameCount();
    length = frames && length ? std::optional(std::max(*frames, *length)) : std::nullopt;
  }
  return length;
}

/// Returns the settings, in which each camera has what was saved for it, whatever its number was
/// then.
Settings settingsOf(const TrackOptions& options, RunDriver& driver) {
  Settings settings = options.settings.settings();
  driver.prepare(settings);
  if (std::ranges::none_of(settings.cameras,
                           [](const auto& entry) { return !entry.second.id.empty(); }))
    return settings;
  std::vector<std::string> ids;
  for (const Address& source : options.sources) ids.push_back(capture::cameraId(source.shown()));
  settings = options.settings.settingsOf(ids);
  driver.prepare(settings);
  placeCameras(settings, ids);
  return settings;
}

std::vector<motion::ImageShape> shapesOf(const std::vector<study::SourceReport>& reports) {
  std::vector<motion::ImageShape> shapes;
  for (const study::SourceReport& report : reports)
    shapes.push_back({report.format.width, report.format.height, report.summary.pixelAspect});
  return shapes;
}

std::vector<std::string> orientationsOf(const std::vector<study::SourceReport>& reports) {
  std::vector<std::string> orientations;
  for (const study::SourceReport& report : reports)
    orientations.push_back(report.summary.orientation);
  return orientations;
}

/// Returns the output beside which a summary and a record are written. Null if there is none:
/// nothing is written beside a device or a pipe.
const output::OutputSpec* recordedOutput(const TrackOptions& options) {
  for (const output::OutputSpec& spec : options.outputs)
    if (spec.options.record && !base::isDevice(spec.target) && !base::standardStream(spec.target))
      return &spec;
  return nullptr;
}

/// Where the lines about the sources and the summary are printed: not among the results. Null:
/// nowhere.
std::FILE* summaryFile(const TrackOptions& options, const Controls& controls) {
  if (options.quiet || !recordedOutput(options)) return nullptr;
  const bool taken =
      controls.onStandardOutput() ||
      base::anyStandardOutput(output::outputFiles(options.outputs, options.sources.size())) ||
      std::ranges::any_of(options.outputs, [](const auto& spec) { return spec.target == "-"; });
  return taken ? stderr : stdout;
}

/// Returns the edits of --edits as they apply to this recording, which is tracked for that, and
/// warns of edits that do not apply.
output::SharedEdits findEdits(const output::TrackEdits& edits, const TrackOptions& options,
                              std::shared_ptr<const gpu::Device> device,
                              const session::SessionOptions& session,
                              capture::Interrupt& interrupt) {
  constexpr size_t kMostTold = 8;
  ProgressLine progress(options.quiet);
  Settings settings = session.settings;
  const output::SharedEdits found = session::applyToRecording(
      edits, std::move(device), study::openSources(options.sources, settings, interrupt),
      {.settings = session.settings,
       .from = session.from,
       .maxFrames = session.maxFrames,
       .stills = session.stills,
       .images = session.images,
       .interrupt = session.interrupt},
      [&](const session::SessionState& state) { progress.update(state.counts); });
  progress.clear();
  const auto& unmatched = found->unmatched();
  for (size_t i = 0; i < std::min(unmatched.size(), kMostTold); ++i)
    base::warn("'{}': edit {} ({}) is not applied: {}", options.edits, unmatched[i].edit + 1,
               output::wordsOf(edits.edits[unmatched[i].edit], options.sources.size()),
               unmatched[i].why);
  if (unmatched.size() > kMostTold)
    base::warn("'{}': {} more edits are not applied", options.edits, unmatched.size() - kMostTold);
  return found;
}

/// Writes the record beside the first output. Throws the first failure of the run.
void conclude(const TrackOptions& options, const study::RunInputs& inputs,
              const session::SessionResult& result, const std::vector<study::Finding>& findings) {
  std::string failure = result.failure;
  try {
    if (const output::OutputSpec* spec = recordedOutput(options))
      study::writeRunRecord(output::runRecordPath(spec->target), inputs, result, findings);
  } catch (const Error& error) {
    if (failure.empty()) failure = error.what();
  }
  for (const output::SinkStatus& sink : result.sinks)
    if (failure.empty() && sink.handover == output::Handover::newest && sink.failed)
      failure = sink.problem;
  if (!failure.empty()) throw Error(failure);
}

}  // namespace

void runTracking(const TrackOptions& asked, RunDriver& driver) {
  TrackOptions options = asked;
  study::RunInputs inputs{.sources = options.sources,
                          .formats = {},
                          .device = {},
                          .settings = settingsOf(options, driver),
                          .facts = {},
                          .rig = options.rig.rig,
                          .bodies = options.rig.bodies};
  capture::Interrupt& interrupt = interruptOnSignal();
  checkOutputs(options, inputs.settings);
  std::optional<output::TrackEdits> edits;
  if (!options.edits.empty()) edits = output::readEdits(options.edits);
  Controls controls(options);
  const auto [rig, orientations] =
      options.rig.rig.empty() ? OpenRig{}
                              : openRig(options.rig, output::holds(options.outputs, "refined_rig"));
  const auto bodies = openBodies(options.rig);
  driver.opening();
  auto sources = study::openSources(options.sources, inputs.settings, interrupt);
  for (const auto& source : sources) {
    inputs.facts.push_back(source->facts());
    inputs.formats.push_back(source->format());
    inputs.reports.push_back(study::reportOf(*source));
  }
  std::FILE* const summary = summaryFile(options, controls);
  if (summary != nullptr)
    for (const study::SourceReport& report : inputs.reports) printSource(summary, report);
  if (rig) {
    checkImages(options.rig, *rig, shapesOf(inputs.reports));
    warnOfOrientations(options.rig, orientations, orientationsOf(inputs.reports));
  }
  const bool live = study::anyLive(sources);
  study::applyStitching(options.stitch, live, inputs.settings);
  // Points keep their own rule for few sets, which needs track.confirm.
  if (!rig && !options.settings.maySet("track.confirm"_key))
    study::confirmInFewFrames(sources, inputs.settings);
  gpu::Device::Options deviceOptions = capture::deviceOptions(inputs.settings.device);
  driver.prepare(deviceOptions);
  const auto device = std::make_shared<const gpu::Device>(deviceOptions);
  inputs.device = device->info();
  base::log(base::LogLevel::info,
            fmt::format("measuring on {}, {}", device->info().name, device->info().driver));
  const study::Stills stills = study::stillsOf(options.stills, sources);
  if (options.preRoll) options.preRoll->clear();
  session::SessionOptions sessionOptions{
      .settings = inputs.settings,
      .from = options.from,
      .maxFrames = options.frames,
      .rejected = output::holds(options.outputs, "rejected"),
      .stills = stills.stills,
      .speed = options.realtime ? 1.0 : 0.0,
      .paused = options.paused,
      .stay = options.stay,
      .endOnSinkFailure = !options.stay,
      .open =
          [&, length = lengthOf(sources)](const capture::CameraGroups& groups) {
            return openOutputs(options, groups, length, {rig, bodies});
          },
      .rig = rig,
      .bodies = bodies,
      .refusedPoints = output::holds(options.outputs, "rejected_points"),
      .images = capture::fileImages(),
      .interrupt = &interrupt};
  if (edits) session::checkReadTwice(sources);
  if (edits && !options.outputs.empty())
    options.edited = findEdits(*edits, options, device, sessionOptions, interrupt);
  driver.prepare(sessionOptions, live);
  if (rig) warnOfRig(options.rig, *rig, bodies);
  session::Session session(device, std::move(sources), sessionOptions);
  controls.begin(session, {rig, bodies});
  driver.drive(session, device);
  controls.end();
  session.post(session::command::Stop{});
  const session::SessionResult& result = session.finish();
  driver.ended();
  std::vector<study::Finding> findings;
  if (recordedOutput(options)) {
    const study::SettingsFor settingsFor = [&](const study::MarkerKind& kind) {
      return options.settings.settings(kind);
    };
    findings =
        study::findingsOf(*device,
                          {.tried = {options.sources, inputs.settings, settingsFor, result.counts},
                           .canTry = session.state()->canSeek && result.failure.empty(),
                           .stills = stills.stills,
                           .recognised = stills.recognised},
                          interrupt);
  }
  if (summary != nullptr) printSummary(summary, options, inputs, result, findings);
  conclude(options, inputs, result, findings);
}

}  // namespace glint::shell
