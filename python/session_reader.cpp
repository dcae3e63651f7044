#include "python/session_reader.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/capture/filter/images.h"
#include "app/motion/space/space_rig.h"
#include "app/output/catalog/outputs.h"
#include "app/session/frame_reader.h"
#include "app/study/opening/opening.h"
#include "app/study/opening/source_words.h"
#include "app/study/record/run_record.h"
#include "config/error.h"
#include "gpu/detect/limits.h"
#include "python/devices.h"

namespace glint::python {
namespace {

/// The files with the details of a run.
class RunDetails {
 public:
  /// Adds the outputs of the files to the session's listeners.
  RunDetails(const SessionRequest& request, const capture::SourceList& sources,
             session::SessionOptions& options)
      : folder_(request.details) {
    if (folder_.empty()) return;
    inputs_ = {
        .sources = request.sources, .formats = {}, .device = {}, .settings = options.settings};
    for (const auto& source : sources) {
      inputs_.formats.push_back(source->format());
      inputs_.facts.push_back(source->facts());
      inputs_.reports.push_back(study::reportOf(*source));
    }
    options.rejected = true;
    const std::vector<output::OutputSpec> specs{
        {.kind = "stats", .target = folder_ + "/stats.csv"},
        {.kind = "rejected", .target = folder_ + "/rejected.csv"}};
    output::OutputContext context;
    context.images = inputs_.formats;
    for (auto& sink : output::makeSinks(specs, output::Handover::waits, context)) {
      sinks_.push_back(std::move(sink));
      options.listeners.push_back(sinks_.back());
    }
  }

  /// Ends the files, and writes the record.
  void finish(const gpu::Device& device, const session::SessionResult& result,
              const std::vector<study::Finding>& findings) {
    if (folder_.empty()) return;
    for (const auto& sink : sinks_) sink->finish();
    inputs_.device = device.info();
    study::writeRunRecord(folder_ + "/record.json", inputs_, result, findings);
  }

 private:
  std::string folder_;
  study::RunInputs inputs_;
  std::vector<std::shared_ptr<output::Sink>> sinks_;
};

struct Beginning {
  std::shared_ptr<const gpu::Device> device;
  std::vector<std::unique_ptr<capture::Source>> sources;
  session::SessionOptions options;
  study::Stills stills;
  nlohmann::ordered_json reports = nlohmann::ordered_json::array();  // of the sources
};

/// Opens the sources and the device of a request, and completes its options, as `glint track` does.
Beginning begin(const SessionRequest& request, capture::Interrupt& interrupt) {
  if (request.sources.empty() && !request.makeSources)
    throw UsageError("name a source: a recording or a camera");
  Beginning begun;
  Settings settings = request.settings;
  begun.sources = request.makeSources ? request.makeSources()
                                      : study::openSources(request.sources, settings, interrupt);
  std::vector<motion::ImageShape> images;
  for (const auto& source : begun.sources) {
    const study::SourceReport report = study::reportOf(*source);
    images.push_back({report.format.width, report.format.height, report.summary.pixelAspect});
    begun.reports.push_back(study::toJson(report));
  }
  const auto rig = request.rig.rig.empty() ? nullptr : rigOf(request.rig);
  if (rig)
    motion::checkRigImages(*rig, images, "rig", "cameras=[N, ...] chooses cameras of the rig");
  study::applyStitching(request.stitch, study::anyLive(begun.sources), settings);
  if (!rig) study::confirmInFewFrames(begun.sources, settings);
  begun.device = keptDevice(settings.device);
  begun.stills = study::stillsOf(request.stills, begun.sources);
  begun.options = {.settings = settings,
                   .maxFrames = request.frames,
                   .stills = begun.stills.stills,
                   .speed = request.realtime ? 1.0 : 0.0,
                   .rig = rig,
                   .bodies = bodiesOf(request.rig),
                   .images = capture::fileImages(),
                   .interrupt = &interrupt};
  if (!request.from.empty()) begun.options.from = capture::parseFrom(request.from);
  return begun;
}

/// Collects the rows of a session once they are final.
class RowTaker final : public output::Sink {
 public:
  explicit RowTaker(TrackedRows& tracked) : tracked_(tracked) {}
  void accept(const motion::FramePtr& frame) override {
    tracked_.rows.add(*frame);
    tracked_.points.add(*frame);
    tracked_.poses.add(*frame);
  }

 private:
  TrackedRows& tracked_;
};

}  // namespace

TrackedRows trackAll(const SessionRequest& request, capture::Interrupt& interrupt,
                     SessionProgress& progress) {
  TrackedRows tracked;
  Beginning begun = begin(request, interrupt);
  const Settings settings = begun.options.settings;
  begun.options.listeners.push_back(std::make_shared<RowTaker>(tracked));
  RunDetails details(request, begun.sources, begun.options);
  session::Session session(begun.device, std::move(begun.sources), std::move(begun.options));
  for (bool ended = false; !ended;) {
    ended = session.wait(std::chrono::milliseconds(100));
    const auto state = session.state();
    progress.length = state->length.value_or(0);
    progress.frames = state->counts.frames;
  }
  const session::SessionResult& result = session.finish();
  tracked.findings =
      study::findingsOf(*begun.device,
                        {.tried = {request.sources, settings, request.settingsFor, result.counts},
                         .canTry = session.state()->canSeek && result.failure.empty(),
                         .stills = begun.stills.stills,
                         .recognised = begun.stills.recognised},
                        interrupt);
  details.finish(*begun.device, result, tracked.findings);
  tracked.failure = result.failure;
  for (const auto& camera : result.counts.cameras)
    tracked.frames.push_back(camera.frames > 0
                                 ? std::optional(std::pair(camera.firstFrame, camera.lastFrame))
                                 : std::nullopt);
  tracked.sources =
      begun.reports.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return tracked;
}

std::shared_ptr<const motion::Frame> TakenFrame::frame() const {
  const std::lock_guard lock(mutex_);
  return frame_;
}

size_t TakenFrame::cameras() const {
  return frame()->cameras.size();
}

uint64_t TakenFrame::index() const {
  return frame()->set.value();
}

double TakenFrame::time() const {
  std::optional<double> time;
  const auto frame = this->frame();
  for (const motion::CameraFrame& camera : frame->cameras)
    if (const auto& stamp = camera.measured.stamp)
      time = std::min(time.value_or(stamp->time), stamp->time);
  return time.value_or(0);
}

TakenFrame::Camera TakenFrame::camera(size_t index) const {
  static constexpr std::array kStates{"frame", "none", "lost", "ended"};
  const auto frame = this->frame();
  const gpu::LayerMeasurement& measured = frame->cameras.at(index).measured;
  Camera camera{.state = kStates.at(static_cast<size_t>(measured.state)), .number = {}};
  if (measured.stamp) {
    camera.number = measured.stamp->sequence.value();
    camera.time = measured.stamp->time;
  }
  return camera;
}

FrameTable TakenFrame::table(FrameTable::Kind kind, std::optional<size_t> camera) const {
  FrameTable table(kind);
  table.add(*frame(), camera);
  return table;
}

std::optional<TakenFrame::Pixels> TakenFrame::pixels(size_t index) const {
  const std::lock_guard lock(mutex_);
  if (dropped_)
    throw Error(
        "the image of this frame is gone: a session keeps those of its last 3 frames; keep "
        "image.copy()");
  const motion::CameraFrame& camera = frame_->cameras.at(index);
  if (!camera.pixels) return std::nullopt;
  return Pixels{camera.image(), camera.pixels};
}

void TakenFrame::dropPixels() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(dropped_, true)) return;
  auto without = std::make_shared<motion::Frame>(*frame_);
  for (motion::CameraFrame& camera : without->cameras) camera.pixels = nullptr;
  frame_ = std::move(without);
}

struct SessionReader::Parts {
  /// A frame that poll() has returned, without keeping it in memory.
  struct Given {
    std::weak_ptr<TakenFrame> frame;
    std::vector<std::weak_ptr<const gpu::FrameSlot>> pixels;

    bool held() const {
      return std::any_of(pixels.begin(), pixels.end(), [](const auto& p) { return !p.expired(); });
    }
  };

  /// The session's answer to change(). It is an object of its own because the session may answer
  /// after everything else is gone.
  struct Refusal {
    std::mutex mutex;
    std::string sentence;
  };

  std::shared_ptr<TakenFrame> give(const motion::FramePtr& frame) {
    const auto taken = std::make_shared<TakenFrame>(frame);
    Given one{.frame = taken, .pixels = {}};
    for (const motion::CameraFrame& camera : frame->cameras)
      if (camera.pixels) one.pixels.emplace_back(camera.pixels);
    given.push_back(std::move(one));
    return taken;
  }

  /// Takes the pixels of the oldest frames back, so that the session has slots for the next frames.
  /// Throws Error if an image of such a frame is still in use.
  void makeRoom() {
    for (; given.size() >= kHeld; given.pop_front()) {
      if (const auto frame = given.front().frame.lock()) frame->dropPixels();
      if (given.front().held())
        throw Error(
            "an image of an earlier frame than the last 2 is still in use, and there is no room "
            "for the next one: keep image.copy()");
    }
  }

  void reportRefusal() {
    const std::lock_guard lock(refusal->mutex);
    if (!refusal->sentence.empty()) throw UsageError(std::exchange(refusal->sentence, {}));
  }

  std::shared_ptr<capture::Interrupt> interrupt;
  mutable std::mutex mutex;  // guards the members below, apart from `closing`
  Settings settings;
  size_t cameras = 0;
  bool live = false, failed = false;
  std::optional<uint64_t> length;
  std::deque<Given> given;  // the newest frame comes last
  std::shared_ptr<Refusal> refusal = std::make_shared<Refusal>();
  std::unique_ptr<session::FrameReader> reader;  // null once the session is closed
  std::atomic<bool> closing = false;
};

SessionReader::SessionReader(const SessionRequest& request,
                             std::shared_ptr<capture::Interrupt> interrupt)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  Beginning begun = begin(request, *interrupt);
  p.interrupt = std::move(interrupt);
  p.settings = begun.options.settings;
  p.cameras = begun.sources.size();
  p.reader = std::make_unique<session::FrameReader>(begun.device, std::move(begun.sources),
                                                    std::move(begun.options), true);
  const auto state = p.reader->session().state();
  p.live = state->live;
  p.length = state->length;
}

SessionReader::~SessionReader() {
  if (isForked())
    static_cast<void>(parts_.release());
  else
    close();
}

SessionReader::Polled SessionReader::poll(std::chrono::milliseconds patience) {
  refuseForked();
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (!p.reader || p.closing) throw Error("this session was closed");
  if (p.reader->over()) return {.frame = nullptr, .over = true};
  p.reportRefusal();
  p.makeRoom();
  if (const motion::FramePtr frame = p.reader->poll(patience)) return {.frame = p.give(frame)};
  if (!p.reader->over()) return {};
  const std::string& failure = p.reader->session().finish().failure;
  if (!failure.empty() && !std::exchange(p.failed, true)) throw Error(failure);
  return {.frame = nullptr, .over = true};
}

void SessionReader::change(const Settings& settings) {
  refuseForked();
  gpu::checkLimits(settings);
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (!p.reader) throw Error("this session was closed");
  if (settings.device != p.settings.device)
    throw UsageError("device.*: the device of a session cannot change; open another session");
  p.settings = settings;
  p.reader->session().post(session::command::Change{[settings](Settings& now) { now = settings; }},
                           [refusal = p.refusal](const std::string& problem) {
                             const std::lock_guard own(refusal->mutex);
                             refusal->sentence = problem;
                           });
}

Settings SessionReader::settings() const {
  refuseForked();
  const std::lock_guard lock(parts_->mutex);
  return parts_->settings;
}

size_t SessionReader::cameras() const {
  return parts_->cameras;
}

bool SessionReader::live() const {
  return parts_->live;
}

std::optional<uint64_t> SessionReader::length() const {
  return parts_->length;
}

void SessionReader::close() {
  refuseForked();
  Parts& p = *parts_;
  p.closing = true;  // a thread that waits in poll() returns soon
  p.interrupt->set();
  const std::lock_guard lock(p.mutex);
  p.reader.reset();
}

}  // namespace glint::python
