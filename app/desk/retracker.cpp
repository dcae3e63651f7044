#include "app/desk/retracker.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/session/session.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::chrono::milliseconds kTellEvery{50};

/// Hands every frame of a session on to results.
class Keeper final : public Exporter {
 public:
  explicit Keeper(std::shared_ptr<Results> results) : results_(std::move(results)) {}
  void write(const SessionFrame& frame) override { results_->add(frame); }
  void finish() override {}

 private:
  std::shared_ptr<Results> results_;
};

void checkRecording(const Source& source) {
  if (source.isLive() || !source.canSeek()) {
    throw UsageError(fmt::format(
        "'{}' cannot be tracked anew: live cameras, streams and pipes can be read only once",
        source.name()));
  }
}

}  // namespace

Retracker::Retracker(std::shared_ptr<const Device> device, std::vector<std::string> sources,
                     std::function<void()> changed)
    : sources_(std::move(sources)), changed_(std::move(changed)), device_(std::move(device)) {
  thread_ = std::thread([this] { work(); });
}

Retracker::~Retracker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    interrupt_.set();
  }
  wished_.notify_all();
  thread_.join();
}

void Retracker::put(std::optional<Wish> wish) {
  {
    const std::lock_guard lock(mutex_);
    wish_ = std::move(wish);
    interrupt_.set();  // cleared by the worker when it takes the wish
    progress_.running = wish_.has_value();
    if (wish_)
      progress_ = {.running = true, .revision = wish_->revision, .total = {}, .problem = {}};
  }
  wished_.notify_all();
}

void Retracker::track(const Settings& settings, uint64_t revision) {
  put(Wish{settings, revision});
}

void Retracker::cancel() {
  put(std::nullopt);
}

void Retracker::useDevice(std::shared_ptr<const Device> device) {
  std::optional<Wish> again;
  {
    const std::lock_guard lock(mutex_);
    device_ = std::move(device);
    const bool whole = results_ && results_->complete() && progress_.problem.empty();
    again = wish_ || whole ? wish_ : latest_;
  }
  if (again) put(again);
}

std::shared_ptr<const Results> Retracker::results() const {
  const std::lock_guard lock(mutex_);
  return results_;
}

std::shared_ptr<const Results> Retracker::stale() const {
  const std::lock_guard lock(mutex_);
  return stale_;
}

Retracker::Progress Retracker::progress() const {
  const std::lock_guard lock(mutex_);
  Progress now = progress_;
  // Of an older wish, while a newer one waits.
  if (results_ && results_->revision() == now.revision) now.frames = results_->measured();
  return now;
}

void Retracker::tell() const {
  if (changed_) changed_();
}

void Retracker::work() {
  for (;;) {
    Wish wish;
    std::shared_ptr<const Device> device;
    {
      std::unique_lock lock(mutex_);
      wished_.wait(lock, [&] { return ending_ || wish_; });
      // The newest one, once no other follows; the first one at once.
      while (!ending_ && results_ && wish_) {
        const uint64_t revision = wish_->revision;
        const bool another = wished_.wait_for(
            lock, kCalm, [&] { return ending_ || !wish_ || wish_->revision != revision; });
        if (!another) break;
      }
      if (ending_) return;
      if (!wish_) continue;
      latest_ = wish_;
      wish = *std::exchange(wish_, std::nullopt);
      device = device_;
      interrupt_.clear();
    }
    std::string problem;
    try {
      run(wish, device);
    } catch (const Interrupted&) {
    } catch (const std::exception& error) {
      problem = error.what();
    }
    {
      const std::lock_guard lock(mutex_);
      if (!wish_) progress_.running = false;
      if (!wish_ && !interrupt_.isSet()) progress_.problem = problem;
    }
    tell();
  }
}

void Retracker::begin(const std::shared_ptr<Results>& results, std::optional<uint64_t> total) {
  {
    const std::lock_guard lock(mutex_);
    if (results_ && results_->complete()) stale_ = results_;
    results_ = results;
    if (!wish_) progress_.total = total;
  }
  tell();
}

void Retracker::run(const Wish& wish, const std::shared_ptr<const Device>& device) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& name : sources_) {
    sources.push_back(openSource(name, &interrupt_));
    checkRecording(*sources.back());
  }
  const auto results = std::make_shared<Results>(wish.settings, wish.revision, sources.size());
  const SessionOptions options{.settings = wish.settings, .maxFrames = {}};
  Session session(
      device, std::move(sources),
      [&](const CameraGroups&) {
        std::vector<std::unique_ptr<Exporter>> exporters;
        exporters.push_back(std::make_unique<Keeper>(results));
        return exporters;
      },
      options, interrupt_);
  begin(results, session.state()->length);
  while (!session.wait(kTellEvery)) tell();
  const SessionResult& result = session.finish();
  if (result.interrupted) return;
  // A recording that is cut has its last frame there; a device that fails says nothing of it.
  const auto& cameras = session.state()->cameras;
  const bool broken = std::any_of(cameras.begin(), cameras.end(),
                                  [](const auto& camera) { return !camera.problem.empty(); });
  if (result.failure.empty() || broken) results->finish();
  if (!result.failure.empty()) throw Error(result.failure);
}

}  // namespace glint
