#include "app/shell/desk/export_range.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/capture/filter/images.h"
#include "app/capture/source/source_kinds.h"
#include "app/motion/frame/final_sets.h"
#include "app/motion/space/space_row.h"
#include "app/output/edit/edits_file.h"
#include "app/output/sinks/run_files.h"
#include "app/session/edit_pass.h"
#include "app/session/session.h"
#include "app/study/advice/findings.h"
#include "config/error.h"

namespace glint::shell {
namespace {

/// Removes the rows of sets for which `within` is false. Returns true if rows or poses are left.
/// `wanted` is true if the frame's own set is within.
bool keepWithin(motion::Frame& frame, const std::function<bool(SetIndex)>& within, bool wanted) {
  const auto* all = frame.results.get<motion::SpaceFrame>();
  if (all == nullptr) return false;
  motion::SpaceFrame part = *all;
  const auto outside = [&](const auto& row) { return !within(SetIndex(row.frame)); };
  std::erase_if(part.finalised, outside);
  std::erase_if(part.finalPoses, outside);
  if (!wanted) {
    part.frame.reset();
    part.now.clear();
    part.poses.clear();
  }
  const bool rows = !part.finalised.empty() || !part.finalPoses.empty();
  frame.results.put(std::move(part));
  return rows;
}

/// A sink that hands the sets `in` to `out` to another sink. A frame outside of that range is
/// handed on only if rows within it become final in the frame, and then holds nothing else.
class RangeSink final : public output::Sink {
 public:
  RangeSink(std::unique_ptr<output::Sink> to, SetIndex in, SetIndex out)
      : to_(std::move(to)), in_(in), out_(out) {}

  bool wantsPixels() const override { return to_->wantsPixels(); }
  void accept(const motion::FramePtr& frame) override {
    const auto within = [&](SetIndex set) { return set >= in_ && set <= out_; };
    const bool wanted = frame->measured() && within(frame->set);
    auto part = std::make_shared<motion::Frame>(*frame);
    bool rows = keepWithin(*part, within, wanted);
    for (motion::CameraFrame& camera : part->cameras) {
      std::erase_if(camera.finalised,
                    [&](const motion::TrackRow& row) { return !within(row.set); });
      rows = rows || !camera.finalised.empty();
      if (wanted) continue;
      camera.measured = {};
      camera.tracks.clear();
      camera.pixels = nullptr;
    }
    if (wanted || rows) to_->accept(part);
  }

  void poll() override { to_->poll(); }
  void finish() override { to_->finish(); }

 private:
  std::unique_ptr<output::Sink> to_;
  SetIndex in_, out_;
};

constexpr std::chrono::milliseconds kTellEvery{50};

/// Returns the outputs. The first file of tracks has the record of the run beside it, if it is
/// wanted.
std::vector<output::OutputSpec> outputsOf(const ExportRequest& request) {
  std::vector<output::OutputSpec> outputs = request.outputs;
  const auto tracks = std::ranges::find_if(
      outputs, [](const output::OutputSpec& spec) { return spec.kind == "tracks"; });
  if (request.record && tracks != outputs.end()) tracks->options.record = true;
  return outputs;
}

/// Makes sinks that write their files at the places that `staged` gives them.
session::command::AddSink makeStaged(const ExportRequest& request,
                                     const std::vector<gpu::ImageFormat>& images,
                                     StagedFiles& staged, output::SharedEdits edits) {
  const output::OutputContext context{
      .images = images, .edits = std::move(edits), .place = [&](const std::string& file) {
        return staged.place(file);
      }};
  session::command::AddSink added;
  added.sinks = output::makeSinks(request.outputs, output::Handover::waits, context);
  for (auto& sink : added.sinks)
    sink = std::make_unique<RangeSink>(std::move(sink), request.in,
                                       request.out.value_or(SetIndex::most()));
  return added;
}

/// A watcher that knows when the last row of the range is final: see Tracker::takeFinalised().
class Enough {
 public:
  explicit Enough(const ExportRequest& request)
      : out_(request.out),
        wait_(motion::framesUntilFinal(request.settings.track)),
        space_(output::holds(request.outputs, "points") || output::holds(request.outputs, "poses")),
        after_(request.sources.size()) {}

  /// Returns the number of sets that have to be tracked if each holds a frame of every camera.
  /// Empty if all have to be.
  std::optional<uint64_t> sets() const {
    if (!out_ || out_->value() > UINT64_MAX / 2) return std::nullopt;
    return out_->value() + 1 + wait_;
  }
  bool operator()(const motion::Frame& frame) {
    if (!out_ || frame.set <= *out_) return false;
    bool all = true;
    for (size_t i = 0; i < after_.size(); ++i) {
      const gpu::LayerMeasurement& measured = frame.cameras[i].measured;
      if (measured.stamp) ++after_[i];
      all = all && (after_[i] >= wait_ || measured.state == gpu::CameraState::ended);
    }
    const auto* space = space_ ? frame.results.get<motion::SpaceFrame>() : nullptr;
    return all && (!space || space->firstOpen > out_->value());
  }

 private:
  std::optional<SetIndex> out_;
  uint64_t wait_;
  bool space_;                   // true if points or poses are written
  std::vector<uint64_t> after_;  // number of frames of each camera after the range
};

}  // namespace

void checkExport(const ExportRequest& request) {
  if (request.outputs.empty()) throw UsageError("there is nothing to export: name a file");
  if (request.out && *request.out < request.in) throw UsageError("the range ends before it begins");
  auto read = output::filesRead(request.sources, request.settings, request.config);
  read.push_back(request.editsFile);
  output::checkOutputs(
      outputsOf(request), request.sources.size(),
      {.read = std::move(read),
       .what = "export",
       .edits = request.sources.empty() ? "" : output::editsPath(request.sources.front().shown())});
}

std::vector<std::string> filesOf(const ExportRequest& request) {
  std::vector<std::string> files;
  for (const output::OutputSpec& spec : request.outputs)
    for (std::string& file : output::outputKind(spec.kind).files(spec, request.sources.size()))
      if (!file.ends_with(".rows")) files.push_back(std::move(file));
  for (const output::OutputSpec& spec : outputsOf(request))
    if (spec.options.record) files.push_back(output::runRecordPath(spec.target));
  return files;
}

RangeExport::RangeExport(std::shared_ptr<const gpu::Device> device, ExportRequest request,
                         std::function<void()> changed)
    : BackgroundTask(std::move(changed)), device_(std::move(device)), request_(std::move(request)) {
  start([this] { run(); });
}

capture::SourceList RangeExport::open() const {
  capture::SourceList sources;
  for (const Address& address : request_.sources) {
    sources.push_back(capture::openSource(address, &interrupt_));
    if (sources.back()->isLive())
      throw UsageError("'{}' is live: record it instead of exporting it", address.shown());
  }
  return sources;
}

/// Waits for the end of the session, and returns its result. Throws if the files are not to be
/// kept.
session::SessionResult RangeExport::follow(session::Session& session) {
  while (!session.wait(kTellEvery))
    set([&](Progress& p) { p.frames = session.state()->counts.frames; });
  const session::SessionResult& result = session.finish();
  if (result.interrupted) throw capture::Interrupted("cancelled");
  for (const output::SinkStatus& sink : result.sinks)
    if (!sink.problem.empty()) throw Error(sink.problem);
  const bool broken = std::ranges::any_of(
      result.cameras, [](const auto& camera) { return !camera.problem.empty(); });
  if (!result.failure.empty() && !broken) throw Error(result.failure);
  if (request_.in.value() >= result.counts.frames) {
    throw UsageError("there is no frame {}: the recording has {}{}", request_.in,
                     result.counts.frames, broken ? ", then it breaks" : "");
  }
  return result;
}

size_t RangeExport::unmatched() const {
  const std::lock_guard lock(mutex_);
  return unmatched_;
}

/// Tracks the recording to find which tracks the edits mean. Takes as long as the export itself.
output::SharedEdits RangeExport::findEdits() {
  // The first pass finds the edited tracks. It may end before it reports any progress.
  set([](Progress& p) { p.passes = 2; });
  output::SharedEdits found = session::applyToRecording(request_.edits, device_, open(),
                                                        {.settings = request_.settings,
                                                         .rig = request_.rig,
                                                         .bodies = request_.bodies,
                                                         .images = capture::fileImages(),
                                                         .interrupt = &interrupt_},
                                                        [this](const session::SessionState& state) {
                                                          set([&](Progress& p) {
                                                            p.frames = state.counts.frames;
                                                            p.total = state.length;
                                                          });
                                                        });
  const std::lock_guard lock(mutex_);
  unmatched_ = found->unmatched().size();
  return found;
}

/// Writes the record beside the first file of tracks, if it is wanted. `canSeek` is true if the
/// recording can be read again, to try other settings on it.
void RangeExport::writeRecord(const study::RunInputs& inputs, const session::SessionResult& result,
                              bool canSeek, StagedFiles& staged) {
  const std::vector<output::OutputSpec> outputs = outputsOf(request_);
  const auto recorded =
      std::ranges::find_if(outputs, [](const auto& spec) { return spec.options.record; });
  if (recorded == outputs.end()) return;
  const study::SettingsFor settingsFor = [this](const study::MarkerKind& kind) {
    return study::settingsOfKind(kind, request_.settings);
  };
  const auto findings =
      study::findingsOf(*device_,
                        {.tried = {request_.sources, request_.settings, settingsFor, result.counts},
                         .canTry = canSeek && result.failure.empty()},
                        interrupt_);
  if (interrupt_.isSet()) throw capture::Interrupted("cancelled");
  study::writeRunRecord(staged.place(output::runRecordPath(recorded->target)), inputs, result,
                        findings);
}

void RangeExport::run() {
  checkExport(request_);
  study::RunInputs inputs{.sources = request_.sources,
                          .formats = {},
                          .device = device_->info(),
                          .settings = request_.settings};
  capture::SourceList sources = open();
  for (const auto& source : sources) inputs.formats.push_back(source->format());
  const auto enough = std::make_shared<Enough>(request_);
  StagedFiles staged;
  try {
    output::SharedEdits edits;
    if (!request_.edits.empty()) edits = findEdits();
    session::Session session(
        device_, std::move(sources),
        {.settings = request_.settings,
         .enough = [enough](const motion::Frame& frame) { return (*enough)(frame); },
         .rejected = output::holds(request_.outputs, "rejected"),
         .open =
             [&](const capture::CameraGroups& groups) {
               std::vector<session::command::AddSink> sinks;
               sinks.push_back(makeStaged(request_, groups.images(), staged, edits));
               return sinks;
             },
         .rig = request_.rig,
         .bodies = request_.bodies,
         .images = capture::fileImages(),
         .interrupt = &interrupt_});
    const auto length = session.state()->length;
    const auto needed = enough->sets();
    set([&](Progress& p) {
      p.frames = 0;
      p.total = length && needed ? std::min(*length, *needed) : length;
      p.pass = p.passes;
    });
    const session::SessionResult result = follow(session);
    writeRecord(inputs, result, session.state()->canSeek, staged);
    staged.move();
    set([&](Progress& p) {
      p.frames = result.counts.frames;
      p.problem = result.failure;
    });
  } catch (const capture::Interrupted&) {
    throw;
  } catch (const UsageError& error) {
    throw UsageError(staged.inOwnNames(error.what()));
  } catch (const std::exception& error) {
    throw Error(staged.inOwnNames(error.what()));
  }
}

}  // namespace glint::shell
