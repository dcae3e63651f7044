#include "app/shell/desk/recording_tracker.h"

#include <algorithm>
#include <utility>

#include "app/capture/filter/images.h"
#include "app/capture/source/source_kinds.h"
#include "app/session/session.h"
#include "config/error.h"

namespace glint::shell {
namespace {

constexpr std::chrono::milliseconds kAnnounceEvery{50};

void checkRecording(const capture::Source& source) {
  if (source.isLive() || !source.canSeek()) {
    throw UsageError(
        "'{}' cannot be tracked again: live cameras, streams and pipes can be read only once",
        source.name());
  }
}

}  // namespace

RecordingTracker::RecordingTracker(std::shared_ptr<const gpu::Device> device,
                                   std::vector<Address> sources, std::function<void()> changed,
                                   std::shared_ptr<const motion::SpaceRig> rig,
                                   std::shared_ptr<const std::vector<motion::Body>> bodies)
    : device_(std::move(device)),
      sources_(std::move(sources)),
      changed_(std::move(changed)),
      rig_(std::move(rig)),
      bodies_(std::move(bodies)) {
  thread_ = std::thread([this] { work(); });
}

RecordingTracker::~RecordingTracker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    interrupt_.set();
  }
  requested_.notify_all();
  thread_.join();
}

void RecordingTracker::track(const Settings& settings, uint64_t revision) {
  {
    const std::lock_guard lock(mutex_);
    request_ = Request{settings, revision};
    interrupt_.set();  // the worker clears it when it takes the request
    progress_ = {.running = true, .revision = revision, .total = {}, .problem = {}};
  }
  requested_.notify_all();
}

std::shared_ptr<const session::TrackHistory> RecordingTracker::history() const {
  const std::lock_guard lock(mutex_);
  return history_;
}

std::shared_ptr<const SpaceHistory> RecordingTracker::space() const {
  const std::lock_guard lock(mutex_);
  return space_;
}

RecordingTracker::Progress RecordingTracker::progress() const {
  const std::lock_guard lock(mutex_);
  Progress now = progress_;
  // The history may belong to an older request while a newer one waits.
  if (history_ && history_->revision() == now.revision) now.frames = history_->measured();
  return now;
}

void RecordingTracker::announce() const {
  if (changed_) changed_();
}

void RecordingTracker::work() {
  for (;;) {
    Request request;
    {
      std::unique_lock lock(mutex_);
      requested_.wait(lock, [&] { return ending_ || request_; });
      // Takes the first request at once, and later ones when no other follows for kCalm.
      while (!ending_ && history_) {
        const uint64_t revision = request_->revision;
        const bool another = requested_.wait_for(
            lock, kCalm, [&] { return ending_ || request_->revision != revision; });
        if (!another) break;
      }
      if (ending_) return;
      request = *std::exchange(request_, std::nullopt);
      interrupt_.clear();
    }
    std::string problem;
    try {
      run(request);
    } catch (const capture::Interrupted&) {
    } catch (const std::exception& error) {
      problem = error.what();
    }
    {
      const std::lock_guard lock(mutex_);
      if (!request_) progress_.running = false;
      if (!request_ && !interrupt_.isSet()) progress_.problem = problem;
    }
    announce();
  }
}

void RecordingTracker::begin(std::shared_ptr<const session::TrackHistory> history,
                             std::shared_ptr<const SpaceHistory> space,
                             std::optional<uint64_t> total) {
  {
    const std::lock_guard lock(mutex_);
    history_ = std::move(history);
    space_ = std::move(space);
    if (!request_) progress_.total = total;
  }
  announce();
}

void RecordingTracker::run(const Request& request) {
  capture::SourceList sources;
  for (const Address& address : sources_) {
    sources.push_back(capture::openSource(address, &interrupt_));
    checkRecording(*sources.back());
  }
  const auto history =
      std::make_shared<session::TrackHistory>(request.settings, request.revision, sources.size());
  const auto space = std::make_shared<SpaceHistory>();
  session::Session session(device_, std::move(sources),
                           {.settings = request.settings,
                            .listeners = {history, space},
                            .checkpoints = session::TrackHistory::kCheckpointEvery,
                            .rig = rig_,
                            .bodies = bodies_,
                            .images = capture::fileImages(),
                            .interrupt = &interrupt_});
  begin(history, space, session.state()->length);
  while (!session.wait(kAnnounceEvery)) announce();
  const session::SessionResult& result = session.finish();
  if (result.interrupted) return;
  // The history is complete if the recording was cut, because its last frame is there. It is not if
  // the device failed.
  const bool broken = std::ranges::any_of(
      result.cameras, [](const auto& camera) { return !camera.problem.empty(); });
  if (result.failure.empty() || broken) {
    history->conclude();
    space->conclude();
  }
  if (!result.failure.empty()) throw Error(result.failure);
}

}  // namespace glint::shell
