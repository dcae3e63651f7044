#include "app/desk/export_range.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/capture/input_files.h"
#include "app/desk/range_exporter.h"
#include "app/desk/staged_files.h"
#include "app/export/csv.h"
#include "app/export/formats.h"
#include "app/export/overlay.h"
#include "app/mask/mask.h"
#include "app/record/run_record.h"
#include "app/session/session.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::chrono::milliseconds kTellEvery{50};

using Exporters = std::vector<std::unique_ptr<Exporter>>;

std::vector<std::string> filesOf(const ExportFile& file, size_t cameras) {
  if (file.kind != ExportFile::Kind::tracks) return {file.path};
  return trackFiles(file.path, chooseTrackFormat(file.path, file.format), cameras);
}

/// The file that the run's record goes beside, or null.
const ExportFile* recordedFile(const ExportWish& wish) {
  const auto found = std::find_if(wish.files.begin(), wish.files.end(), [](const auto& file) {
    return file.kind == ExportFile::Kind::tracks;
  });
  return wish.record && found != wish.files.end() ? &*found : nullptr;
}

/// Refuses outputs that would overwrite what is read, or each other.
void check(const ExportWish& wish) {
  if (wish.files.empty()) throw UsageError("there is nothing to export: name a file");
  if (wish.out && *wish.out < wish.in) throw UsageError("the range ends before it begins");
  std::vector<std::string> inputs = inputFiles(wish.sources);
  for (auto& path : maskPaths(wish.settings.detect.mask, wish.sources.size()))
    inputs.push_back(std::move(path));
  const KnownFiles read(inputs);
  std::vector<std::string> outputs;
  for (const std::string& output : filesOf(wish)) {
    if (read.has(output))
      throw UsageError(fmt::format("'{}' is read by this export; name another output", output));
    const auto same = [&](const std::string& other) { return sameFile(output, other); };
    if (std::any_of(outputs.begin(), outputs.end(), same))
      throw UsageError(fmt::format("'{}' would be written twice; name another output", output));
    outputs.push_back(output);
  }
}

/// The exporters of one output, which write where `staged` places them.
void add(Exporters& exporters, const ExportFile& file, const CameraGroups& groups,
         StagedFiles& staged) {
  switch (file.kind) {
    case ExportFile::Kind::tracks: {
      const TrackFormat& format = chooseTrackFormat(file.path, file.format);
      const auto files = trackFiles(file.path, format, groups.places.size());
      for (size_t i = 0; i < files.size(); ++i)
        exporters.push_back(format.make(staged.place(files[i]), i));
      break;
    }
    case ExportFile::Kind::detections:
      exporters.push_back(makeDetectionsCsv(staged.place(file.path)));
      break;
    case ExportFile::Kind::stats:
      exporters.push_back(makeStatsCsv(staged.place(file.path), groups.images()));
      break;
    case ExportFile::Kind::rejected:
      exporters.push_back(makeRejectedCsv(staged.place(file.path)));
      break;
    case ExportFile::Kind::overlay:
      exporters.push_back(makeOverlay(staged.place(file.path)));
      break;
  }
}

Exporters makeExporters(const ExportWish& wish, const CameraGroups& groups, StagedFiles& staged) {
  Exporters exporters;
  for (const ExportFile& file : wish.files) add(exporters, file, groups, staged);
  for (auto& exporter : exporters) {
    exporter = std::make_unique<RangeExporter>(std::move(exporter), wish.in,
                                               wish.out.value_or(UINT64_MAX));
  }
  return exporters;
}

/// Frames to be tracked until the last row of the range is settled: see Tracker::takeSettled().
std::optional<uint64_t> framesNeeded(const ExportWish& wish) {
  if (!wish.out || *wish.out > UINT64_MAX / 2) return std::nullopt;
  const Settings::Track& track = wish.settings.track;
  return *wish.out + 1 + static_cast<uint64_t>(track.maxGap + track.confirm + 2);
}

}  // namespace

std::vector<std::string> filesOf(const ExportWish& wish) {
  std::vector<std::string> files;
  for (const ExportFile& file : wish.files)
    for (std::string& name : filesOf(file, wish.sources.size())) files.push_back(std::move(name));
  if (const ExportFile* file = recordedFile(wish)) files.push_back(runRecordPath(file->path));
  return files;
}

RangeExport::RangeExport(std::shared_ptr<const Device> device, ExportWish wish,
                         std::function<void()> changed)
    : device_(std::move(device)), wish_(std::move(wish)), changed_(std::move(changed)) {
  thread_ = std::thread([this] { work(); });
}

RangeExport::~RangeExport() {
  cancel();
  wait();
}

void RangeExport::wait() {
  if (thread_.joinable()) thread_.join();
}

RangeExport::Progress RangeExport::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void RangeExport::set(const std::function<void(Progress&)>& change) {
  {
    const std::lock_guard lock(mutex_);
    change(progress_);
  }
  if (changed_) changed_();
}

void RangeExport::work() {
  using State = Progress::State;
  State state = State::done;
  std::string problem;
  try {
    run();
  } catch (const std::exception& error) {
    state = interrupt_.isSet() ? State::cancelled : State::failed;
    if (state == State::failed) problem = error.what();
  }
  set([&](Progress& p) {
    p.state = state;
    if (!problem.empty()) p.problem = problem;
  });
}

std::vector<std::unique_ptr<Source>> RangeExport::open() const {
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& name : wish_.sources) {
    sources.push_back(openSource(name, &interrupt_));
    if (sources.back()->isLive())
      throw UsageError(fmt::format("'{}' is live: record it instead of exporting it", name));
  }
  return sources;
}

/// Waits for the session's end; its result. Throws where the files are not to be kept.
SessionResult RangeExport::follow(Session& session) {
  while (!session.wait(kTellEvery))
    set([&](Progress& p) { p.frames = session.state()->counts.frames; });
  const SessionResult& result = session.finish();
  if (result.interrupted) throw Interrupted("cancelled");
  const auto state = session.state();
  for (const RecordingStatus& recording : state->recordings)
    if (!recording.problem.empty()) throw Error(recording.problem);
  const bool broken = std::any_of(state->cameras.begin(), state->cameras.end(),
                                  [](const auto& camera) { return !camera.problem.empty(); });
  if (!result.failure.empty() && !broken) throw Error(result.failure);
  if (wish_.in >= result.counts.frames) {
    throw UsageError(fmt::format("there is no frame {}: the recording has {}{}", wish_.in,
                                 result.counts.frames, broken ? ", then it breaks" : ""));
  }
  return result;
}

void RangeExport::run() {
  check(wish_);
  RunInputs inputs{.sources = wish_.sources,
                   .formats = {},
                   .device = device_->info(),
                   .settings = wish_.settings};
  std::vector<std::unique_ptr<Source>> sources = open();
  for (const auto& source : sources) inputs.formats.push_back(source->format());
  const auto wantsRejected = [](const auto& f) { return f.kind == ExportFile::Kind::rejected; };
  const SessionOptions options{
      .settings = wish_.settings,
      .maxFrames = framesNeeded(wish_),
      .rejected = std::any_of(wish_.files.begin(), wish_.files.end(), wantsRejected)};
  StagedFiles staged;
  try {
    Session session(
        device_, std::move(sources),
        [&](const CameraGroups& groups) { return makeExporters(wish_, groups, staged); }, options,
        interrupt_);
    const auto length = session.state()->length;
    set([&](Progress& p) {
      p.total = length && options.maxFrames ? std::min(*length, *options.maxFrames) : length;
    });
    const SessionResult result = follow(session);
    if (const ExportFile* file = recordedFile(wish_))
      writeRunRecord(staged.place(runRecordPath(file->path)), inputs, result, {});
    staged.move();
    set([&](Progress& p) {
      p.frames = result.counts.frames;
      p.problem = result.failure;
    });
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError& error) {
    throw UsageError(staged.inOwnNames(error.what()));
  } catch (const std::exception& error) {
    throw Error(staged.inOwnNames(error.what()));
  }
}

}  // namespace glint
