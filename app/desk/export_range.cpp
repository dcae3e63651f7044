#include "app/desk/export_range.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "app/capture/source_kinds.h"
#include "app/desk/range_sink.h"
#include "app/desk/staged_files.h"
#include "app/edit/edits_file.h"
#include "app/filter/file_images.h"
#include "app/record/run_record.h"
#include "app/session/edit_pass.h"
#include "app/session/session.h"
#include "app/sinks/run_files.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::chrono::milliseconds kTellEvery{50};

/// The outputs, the record of the run beside the first file of tracks.
std::vector<OutputSpec> outputsOf(const ExportRequest& request) {
  std::vector<OutputSpec> outputs = request.outputs;
  const auto tracks = std::find_if(outputs.begin(), outputs.end(),
                                   [](const OutputSpec& spec) { return spec.kind == "tracks"; });
  if (request.record && tracks != outputs.end()) tracks->options.record = true;
  return outputs;
}

/// Sinks that write where `staged` places their files.
command::AddSink makeStaged(const ExportRequest& request, const std::vector<ImageFormat>& images,
                            StagedFiles& staged, SharedEdits edits) {
  const OutputContext context{.images = images,
                              .edits = std::move(edits),
                              .place = [&](const std::string& file) { return staged.place(file); }};
  command::AddSink added;
  added.sinks = makeSinks(request.outputs, Handover::waits, context);
  for (auto& sink : added.sinks)
    sink = std::make_unique<RangeSink>(std::move(sink), request.in,
                                       request.out.value_or(SetIndex::most()));
  return added;
}

/// Tells when the last row of the range is final: see Tracker::takeFinalised().
class Enough {
 public:
  explicit Enough(const ExportRequest& request)
      : out_(request.out),
        wait_(static_cast<uint64_t>(request.settings.track.maxGap + request.settings.track.confirm +
                                    2)),
        after_(request.sources.size()) {}

  /// Sets to be tracked, where each holds a frame of every camera.
  std::optional<uint64_t> sets() const {
    if (!out_ || out_->value() > UINT64_MAX / 2) return std::nullopt;
    return out_->value() + 1 + wait_;
  }
  bool operator()(const Frame& frame) {
    if (!out_ || frame.set <= *out_) return false;
    bool all = true;
    for (size_t i = 0; i < after_.size(); ++i) {
      const LayerMeasurement& measured = frame.cameras[i].measured;
      if (measured.stamp) ++after_[i];
      all = all && (after_[i] >= wait_ || measured.state == CameraState::ended);
    }
    return all;
  }

 private:
  std::optional<SetIndex> out_;
  uint64_t wait_;
  std::vector<uint64_t> after_;  // frames of each camera behind the range
};

}  // namespace

void checkExport(const ExportRequest& request) {
  if (request.outputs.empty()) throw UsageError("there is nothing to export: name a file");
  if (request.out && *request.out < request.in) throw UsageError("the range ends before it begins");
  auto read = filesRead(request.sources, request.settings, request.config);
  read.push_back(request.editsFile);
  checkOutputs(outputsOf(request), request.sources.size(),
               {.read = std::move(read),
                .what = "export",
                .edits = request.sources.empty() ? "" : editsPath(request.sources.front())});
}

std::vector<std::string> filesOf(const ExportRequest& request) {
  std::vector<std::string> files;
  for (const OutputSpec& spec : request.outputs)
    for (std::string& file : outputKind(spec.kind).files(spec, request.sources.size()))
      if (!file.ends_with(".rows")) files.push_back(std::move(file));
  for (const OutputSpec& spec : outputsOf(request))
    if (spec.options.record) files.push_back(runRecordPath(spec.target));
  return files;
}

RangeExport::RangeExport(std::shared_ptr<const Device> device, ExportRequest request,
                         std::function<void()> changed)
    : BackgroundTask(std::move(changed)), device_(std::move(device)), request_(std::move(request)) {
  start([this] { run(); });
}

std::vector<std::unique_ptr<Source>> RangeExport::open() const {
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& name : request_.sources) {
    sources.push_back(openSource(name, &interrupt_));
    if (sources.back()->isLive())
      throw UsageError(fmt::format("'{}' is live: record it instead of exporting it", name));
  }
  return sources;
}

/// Waits for the session's end; its result. Throws where the files are not to be kept.
SessionResult RangeExport::follow(Session& session) {
  while (!session.wait(kTellEvery))
    set([&](Progress& p) { p.frames = done_ + session.state()->counts.frames; });
  const SessionResult& result = session.finish();
  if (result.interrupted) throw Interrupted("cancelled");
  for (const SinkStatus& sink : result.sinks)
    if (!sink.problem.empty()) throw Error(sink.problem);
  const bool broken = std::any_of(result.cameras.begin(), result.cameras.end(),
                                  [](const auto& camera) { return !camera.problem.empty(); });
  if (!result.failure.empty() && !broken) throw Error(result.failure);
  if (request_.in.value() >= result.counts.frames) {
    throw UsageError(fmt::format("there is no frame {}: the recording has {}{}", request_.in,
                                 result.counts.frames, broken ? ", then it breaks" : ""));
  }
  return result;
}

size_t RangeExport::unmatched() const {
  const std::lock_guard lock(mutex_);
  return unmatched_;
}

/// Takes as long as what follows.
SharedEdits RangeExport::findEdits() {
  SharedEdits found = applyToRecording(
      request_.edits, device_, open(),
      {.settings = request_.settings, .images = fileImages(), .interrupt = &interrupt_},
      [this](const SessionState& state) {
        done_ = state.counts.frames;
        set([&](Progress& p) {
          p.frames = done_;
          if (state.length) p.total = 2 * *state.length;
        });
      });
  const std::lock_guard lock(mutex_);
  unmatched_ = found->unmatched().size();
  return found;
}

void RangeExport::run() {
  checkExport(request_);
  RunInputs inputs{.sources = request_.sources,
                   .formats = {},
                   .device = device_->info(),
                   .settings = request_.settings};
  std::vector<std::unique_ptr<Source>> sources = open();
  for (const auto& source : sources) inputs.formats.push_back(source->format());
  const auto enough = std::make_shared<Enough>(request_);
  StagedFiles staged;
  try {
    SharedEdits edits;
    if (!request_.edits.empty()) edits = findEdits();
    Session session(device_, std::move(sources),
                    {.settings = request_.settings,
                     .enough = [enough](const Frame& frame) { return (*enough)(frame); },
                     .rejected = holds(request_.outputs, "rejected"),
                     .open =
                         [&](const CameraGroups& groups) {
                           std::vector<command::AddSink> sinks;
                           sinks.push_back(makeStaged(request_, groups.images(), staged, edits));
                           return sinks;
                         },
                     .images = fileImages(),
                     .interrupt = &interrupt_});
    const auto length = session.state()->length;
    const auto needed = enough->sets();
    set([&](Progress& p) {
      p.total = length && needed ? std::min(*length, *needed) : length;
      if (p.total) *p.total += done_;
    });
    const SessionResult result = follow(session);
    for (const OutputSpec& spec : outputsOf(request_))
      if (spec.options.record)
        writeRunRecord(staged.place(runRecordPath(spec.target)), inputs, result);
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
